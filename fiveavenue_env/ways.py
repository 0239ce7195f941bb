"""What a seat knows of cards that share one pool: of a colour, and of the black ones where there is one way. [7.2]

The unseen cards of some hands, and of a place outside all hands, come from one pool. A *way* adds old cards, of which
it says the hand (FA-M17); before the first black shuffle, and of a colour, no card is old. `packed_ways.py` holds many
ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

Counts = tuple[int, ...]  # by value 4, 5, 6
Hands = tuple[Counts, ...]  # of the other seats, in seat order
NONE: Counts = (0, 0, 0)


class Bound(NamedTuple):
    """A hand is worth more than a number.  # FA-M20"""

    k: int  # of the other hands
    worth: Counts  # of a card by value
    number: int


def less(counts: Counts, other: Counts) -> Counts:
    return counts[0] - other[0], counts[1] - other[1], counts[2] - other[2]


def more(counts: Counts, other: Counts) -> Counts:
    return counts[0] + other[0], counts[1] + other[1], counts[2] + other[2]


def worth_of(cards: Counts, worth: Counts) -> int:
    return cards[0] * worth[0] + cards[1] * worth[1] + cards[2] * worth[2]


def picks(number: int, pool: Counts) -> Iterator[Counts]:
    """All ways to take so many cards of a pool, equal cards not told apart."""
    for a in range(min(number, pool[0]) + 1):
        for b in range(min(number - a, pool[1]) + 1):
            if number - a - b <= pool[2]:
                yield a, b, number - a - b


@lru_cache(10_000)
def numbers(sizes: tuple[int, ...], pool: Counts) -> int:
    """In how many ways hands of these sizes can be filled from a pool, equal cards not told apart."""
    if not sizes:
        return 1
    if len(sizes) == 1:
        return sum(1 for _ in picks(sizes[0], pool))
    return sum(numbers(sizes[1:], less(pool, cards)) for cards in picks(sizes[0], pool))


@dataclass(frozen=True, slots=True)
class Way:
    """One distribution of the old cards, and the newer cards that the hands share with the place outside them."""

    sizes: tuple[int, ...]  # unseen cards of each hand, old and newer
    old: Hands
    newer: Counts

    @classmethod
    def without_old(cls, sizes: tuple[int, ...], pool: Counts) -> Way:
        return cls(sizes, (NONE,) * len(sizes), pool)

    @classmethod
    def of_two(cls, size: int, held: Counts, events: list[int], unseen: Counts) -> Way:
        """The only way with two players: `held` by the other hand at the last shuffle, its events since.  # FA-M16"""
        old = tuple(max(0, n - events.count(value)) for value, n in enumerate(held, 4))
        return cls((size,), (old,), less(unseen, old))

    def least(self, bound: Bound | None) -> Hands:
        """The fewest cards of each value in each hand.  # FA-M13, FA-M18"""
        left = self._left()
        if bound is None:
            return tuple(self._least(left, k, self.newer) for k in range(len(left)))
        k, found = bound.k, list[Hands]()
        others = [*left[:k], 0, *left[k + 1 :]]
        for cards in picks(left[k], self.newer):
            hand = more(self.old[k], cards)
            if worth_of(hand, bound.worth) > bound.number:
                rest = less(self.newer, cards)
                found.append(tuple(hand if j == k else self._least(others, j, rest) for j in range(len(left))))
        if not found:
            return (NONE,) * len(left)
        return tuple(tuple(map(min, *hands)) if len(found) > 1 else hands[0] for hands in zip(*found, strict=True))

    def best(self, k: int, worth: Counts) -> int:
        """What the k-th hand is worth at most."""
        return max(worth_of(more(self.old[k], cards), worth) for cards in picks(self._left()[k], self.newer))

    def by_worth(self, k: int, worth: Counts) -> dict[int, int]:
        """The number of joint hands by what the k-th of them is worth."""
        left = self._left()
        further = (*left[:k], *left[k + 1 :])
        found: dict[int, int] = {}
        for cards in picks(left[k], self.newer):
            value = worth_of(more(self.old[k], cards), worth)
            found[value] = found.get(value, 0) + numbers(further, less(self.newer, cards))
        return found

    def _left(self) -> list[int]:
        """The newer cards of each hand."""
        return [size - sum(old) for size, old in zip(self.sizes, self.old, strict=True)]

    def _least(self, left: list[int], k: int, pool: Counts) -> Counts:
        outside = sum(pool) - left[k]
        return more(self.old[k], tuple(max(0, n - outside) for n in pool))
