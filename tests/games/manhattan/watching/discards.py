"""Joint knowledge of the hands after a DISCARD (MH-M10, MH-M15), until the next reshuffle; the twin of `Ways`.

A hand that discards holds, at that moment, no square that could be built. So of the blank places of a hand it matters
when they were filled: a way has, beside the old parts, for every hand its blank places in groups, each with the set of
squares that its cards cannot have. DISCARDs are rare: this is written to be right, not fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tests.support.ways import Contradiction, Counts, Hands, Rows, Ways, distributions, hand_fillings

Group = tuple[int, int]  # squares that are not there, as bits; places


class Way(NamedTuple):
    old: Hands
    groups: tuple[tuple[Group, ...], ...]  # by hand


def fits(supply: Sequence[int], groups: Sequence[Group]) -> bool:
    """Whether every place of the groups can be given a card (Hall's condition)."""
    if sum(supply) < sum(places for _, places in groups):
        return False
    bound = [group for group in groups if group[0]]
    for chosen in range(1, 1 << len(bound)):
        part = [group for i, group in enumerate(bound) if chosen >> i & 1]
        closed = part[0][0]
        for mask, _ in part:
            closed &= mask
        allowed = sum(number for kind, number in enumerate(supply) if not closed >> kind & 1)
        if allowed < sum(places for _, places in part):
            return False
    return True


def merged(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The groups sorted, those with the same squares put together."""
    places: dict[int, int] = {}
    for mask, number in groups:
        places[mask] = places.get(mask, 0) + number
    return tuple(sorted((mask, number) for mask, number in places.items() if number))


def less(counts: Counts, kind: int) -> Counts:
    return (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])


class RestrictedWays:
    """The ways with groups of blank places; the same events and questions as `Ways`."""

    def __init__(self, ways: Ways) -> None:
        self.pool, self.sizes = list(ways.pool), list(ways.sizes)
        self.ways = set()
        for rows in ways.old.tolist():
            old = tuple(map(tuple, rows))
            blank = [size - sum(part) for size, part in zip(self.sizes, old, strict=True)]
            self.ways.add(Way(old, tuple(merged([(0, number)]) for number in blank)))

    @property
    def stack(self) -> int:
        return sum(self.pool) - sum(self.sizes)

    def newer(self, way: Way) -> Counts:
        """The cards for the blank places and the stack."""
        return tuple(number - sum(part[kind] for part in way.old) for kind, number in enumerate(self.pool))

    def _possible(self, way: Way) -> bool:
        newer = self.newer(way)
        return min(newer) >= 0 and fits(newer, [group for groups in way.groups for group in groups])

    def _set(self, ways: Iterable[Way], event: str) -> None:
        self.ways = {way for way in ways if self._possible(way)}
        if not self.ways:
            raise Contradiction(event)

    # ------------------------------------------------------------ events

    def restrict(self, hand: int, mask: int) -> None:
        """The hand holds none of the squares of the mask now."""
        kept = []
        for way in self.ways:
            if any(number and mask >> kind & 1 for kind, number in enumerate(way.old[hand])):
                continue
            groups = merged((closed | mask, places) for closed, places in way.groups[hand])
            kept.append(Way(way.old, (*way.groups[:hand], groups, *way.groups[hand + 1 :])))
        self._set(kept, f"hand {hand} discards")

    def draw(self, hand: int) -> None:
        if self.stack < 1:
            raise Contradiction("a card is drawn from an empty stack")
        self.sizes[hand] += 1
        drawn = [
            Way(way.old, (*way.groups[:hand], merged([*way.groups[hand], (0, 1)]), *way.groups[hand + 1 :]))
            for way in self.ways
        ]
        self._set(drawn, f"hand {hand} draws")

    def turn_up(self, kind: int) -> None:
        self.pool[kind] -= 1
        self._set(self.ways, f"a {kind} of the stack")

    def show(self, hand: int, kind: int) -> None:
        if self.sizes[hand] < 1:
            raise Contradiction(f"hand {hand} shows {kind}")
        shown = [after for way in self.ways for after in self._shown(way, hand, kind)]
        self.pool[kind] -= 1
        self.sizes[hand] -= 1
        self._set(shown, f"hand {hand} shows {kind}")

    def _shown(self, way: Way, hand: int, kind: int) -> Iterator[Way]:
        """The ways that a way becomes; the pool still has the card."""
        if way.old[hand][kind]:
            old = (*way.old[:hand], less(way.old[hand], kind), *way.old[hand + 1 :])
            yield Way(old, way.groups)
            return
        if self.newer(way)[kind] < 1:
            return
        for mask, places in way.groups[hand]:
            if not mask >> kind & 1:
                rest = [group for group in way.groups[hand] if group[0] != mask]
                groups = merged([*rest, (mask, places - 1)])
                yield Way(way.old, (*way.groups[:hand], groups, *way.groups[hand + 1 :]))

    def shuffled(self, stack: Sequence[int]) -> Ways:
        """The ways after a reshuffle: nothing of the DISCARDs is left but the joint hands that fell out."""
        if self.stack:
            raise Contradiction(f"a shuffle with {self.stack} cards in the stack")
        hands = distributions(self.pool, self.sizes)
        ways = Ways([unseen + new for unseen, new in zip(self.pool, stack, strict=True)], self.sizes)
        ways.old = hands[[self.allows(joint) for joint in hands.tolist()]]
        if not len(ways.old):
            raise Contradiction("no hands are left at a shuffle")
        return ways

    # ------------------------------------------------------------ what is known

    def _filled(self, way: Way, hands: Sequence[Sequence[int]]) -> bool:
        """Whether these joint hands contain the old parts and fill the groups."""
        for hand, old, groups in zip(hands, way.old, way.groups, strict=True):
            rest = [number - part for number, part in zip(hand, old, strict=True)]
            if min(rest) < 0 or not fits(rest, groups):
                return False
        return True

    def allows(self, hands: Sequence[Sequence[int]]) -> bool:
        whole = [sum(column) for column in zip(*hands, strict=True)]
        if [sum(hand) for hand in hands] != self.sizes or any(map(int.__gt__, whole, self.pool)):
            return False
        return any(self._filled(way, hands) for way in self.ways)

    def _fillings(self, way: Way, hand: int) -> Iterator[Counts]:
        """What the blank places of one hand can hold, the other hands' places filled, too."""
        newer = self.newer(way)
        others = [group for other, groups in enumerate(way.groups) if other != hand for group in groups]
        for filling in hand_fillings(newer, sum(places for _, places in way.groups[hand])):
            left = [number - used for number, used in zip(newer, filling, strict=True)]
            if fits(filling, way.groups[hand]) and fits(left, others):
                yield filling

    def sure(self) -> Rows:
        least = np.array([self.pool] * len(self.sizes))
        for way in self.ways:
            for hand, old in enumerate(way.old):
                if (least[hand] <= old).all():
                    continue
                for filling in self._fillings(way, hand):
                    least[hand] = np.minimum(least[hand], np.array(old) + filling)
                    if (least[hand] <= old).all():
                        break
        return least

    def _joint(self, way: Way) -> Iterator[Hands]:
        """Every joint hand of a way."""

        def dealt(hand: int, newer: Counts) -> Iterator[Hands]:
            if hand == len(way.old):
                yield ()
                return
            for filling in hand_fillings(newer, sum(places for _, places in way.groups[hand])):
                if fits(filling, way.groups[hand]):
                    whole = tuple(part + card for part, card in zip(way.old[hand], filling, strict=True))
                    left = tuple(number - used for number, used in zip(newer, filling, strict=True))
                    for rest in dealt(hand + 1, left):
                        yield (whole, *rest)

        yield from dealt(0, self.newer(way))

    def stack_set(self) -> list[int] | None:
        """As in `Ways`: the set of the stack, if all joint hands leave the same."""
        found = set()
        for way in self.ways:
            for joint in self._joint(way):
                found.add(tuple(number - sum(hand[kind] for hand in joint) for kind, number in enumerate(self.pool)))
                if len(found) > 1:
                    return None
        return list(found.pop())

    def count(self, limit: int) -> int | None:
        found: set[Hands] = set()
        for way in self.ways:
            for joint in self._joint(way):
                found.add(joint)
                if len(found) > limit:
                    return None
        return len(found)
