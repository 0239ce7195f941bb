"""The exact belief of a seat, by brute force from what the seat sees: every joint hand of the others with its weight.

Plain and slow, from MH-M02 and the events of 7.2 alone: `Belief` gets the movements that `seen` tells a seat, and for a
DISCARD the cards with which the hand could have built. It knows no memory field.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, prod
from typing import Any

Hands = tuple[tuple[int, ...], ...]  # of the other seats in rising order, each as counts by printed square
Movement = Mapping[str, Any]
SQUARES = range(9)


def counted(cards: Iterable[int]) -> tuple[int, ...]:
    found = Counter(cards)
    return tuple(found[card] for card in SQUARES)


def hands_from(pool: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every hand of `size` cards from a pool of counts, with the number of ways to choose its copies."""

    def choose(card: int, left: int) -> Iterator[tuple[int, ...]]:
        if card == 9:
            if left == 0:
                yield ()
            return
        for number in range(min(left, pool[card]) + 1):
            for rest in choose(card + 1, left - number):
                yield (number, *rest)

    for hand in choose(0, size):
        yield hand, prod(comb(pool[card], hand[card]) for card in SQUARES)


class Belief:
    """What one seat believes of the other hands."""

    def __init__(self, seat: int, beginning: Sequence[Movement]) -> None:
        """`beginning`: the movements of the setup as the seat sees them."""
        self.seat = seat
        self.piles: dict[str, list[int]] = defaultdict(list)
        self.others: list[int] = []  # the seats whose hands are hidden
        sizes = []
        for movement in beginning:
            place, cards = movement["to"], movement["cards"]
            if place.startswith("pile"):
                self.piles[place] = list(cards)
            elif place.startswith("hand") and int(place.split()[1]) != seat:
                self.others.append(int(place.split()[1]))
                sizes.append(cards)
        self._sizes = sizes
        self.weights: dict[Hands, Fraction] = {}
        self.unseen: list[int] = []

    def copy(self) -> Belief:
        found = Belief(self.seat, [])
        found.others, found.weights = self.others, self.weights
        found.unseen = list(self.unseen)
        return found

    def deal(self, unseen: Sequence[int]) -> None:
        """All cards in other hands and deck, by counts: every deal is as likely as any other. [MH-M01]"""
        self.unseen = list(unseen)
        found: dict[Hands, int] = {(): 1}
        for size in self._sizes:
            following: dict[Hands, int] = defaultdict(int)
            for hands, ways in found.items():
                left = [self.unseen[card] - sum(hand[card] for hand in hands) for card in SQUARES]
                for hand, more in hands_from(left, size):
                    following[*hands, hand] += ways * more
            found = following
        self.weights = {hands: Fraction(ways) for hands, ways in found.items()}

    def see(self, movements: Sequence[Movement], squares: Iterable[int] = ()) -> Belief:
        """A move as the seat saw it; `squares`: what could have been built at a DISCARD. [MH-M05 .. MH-M10]"""
        for movement in movements:
            source, target, cards = movement["from"], movement["to"], movement["cards"]
            if target.startswith("pile"):
                self.show(int(source.split()[1]), cards[0], set(squares))
                self.piles[target] += cards
            elif target == "deck":
                assert sorted(self.piles.pop(source)) == sorted(cards)
                self.add(cards)
            else:
                self.draw(int(target.split()[1]), None if isinstance(cards, int) else cards[0])
        return self

    def add(self, cards: Iterable[int]) -> None:
        """Cards that come into the deck. [MH-M07]"""
        for card in cards:
            self.unseen[card] += 1

    def show(self, owner: int, card: int, squares: set[int]) -> None:
        """A hand shows a card. [MH-M05, MH-M10]"""
        if owner == self.seat:
            return
        at, found = self.others.index(owner), {}
        for hands, weight in self.weights.items():
            hand = hands[at]
            if hand[card] and not any(hand[square] for square in squares):
                less = tuple(n - (k == card) for k, n in enumerate(hand))
                found[*hands[:at], less, *hands[at + 1 :]] = weight
        self.weights = found
        self.unseen[card] -= 1

    def draw(self, owner: int, drawn: int | None) -> None:
        """A hand draws the card, or one that the seat does not see. [MH-M06]"""
        found: dict[Hands, Fraction] = defaultdict(Fraction)
        for hands, weight in self.weights.items():
            deck = [self.unseen[card] - sum(hand[card] for hand in hands) for card in SQUARES]
            for card in SQUARES if drawn is None else [drawn]:
                if not deck[card]:
                    continue
                share = weight * Fraction(deck[card], sum(deck))
                if owner == self.seat:
                    found[hands] += share
                else:
                    at = self.others.index(owner)
                    more = tuple(n + (k == card) for k, n in enumerate(hands[at]))
                    found[*hands[:at], more, *hands[at + 1 :]] += share
        self.weights = found
        if owner == self.seat:
            assert drawn is not None
            self.unseen[drawn] -= 1

    # ------------------------------------------------------------ what it says

    def chances(self) -> dict[Hands, Fraction]:
        total = sum(self.weights.values())
        return {hands: weight / total for hands, weight in self.weights.items()}

    def chance(self, least: Mapping[int, Sequence[int]]) -> Fraction:
        """The chance that each of these hands holds at least the cards."""
        wanted = {self.others.index(seat): counted(cards) for seat, cards in least.items()}
        return sum(
            (
                chance
                for hands, chance in self.chances().items()
                if all(hands[at][card] >= counts[card] for at, counts in wanted.items() for card in SQUARES)
            ),
            Fraction(0),
        )

    def sure(self) -> dict[int, list[int]]:
        """The cards that each other hand surely holds, as counts."""
        return {
            seat: [min(hands[at][card] for hands in self.weights) for card in SQUARES]
            for at, seat in enumerate(self.others)
        }

    def decks(self) -> set[tuple[int, ...]]:
        """The sets of cards that the deck may be."""
        return {
            tuple(self.unseen[card] - sum(hand[card] for hand in hands) for card in SQUARES) for hands in self.weights
        }
