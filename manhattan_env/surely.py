"""What all ways leave sure: with DISCARDs, and where something seems sure after random ways. [MH-M14, MH-M15]

What the present span leaves of a way (ways.py) are the cards that each hand keeps, its places by kind, and the unseen
cards that lie on these places or in the deck. How many cards k does a hand surely hold on its places? So many as are
left over if no k may lie there: the cards and the places that then find no partner. Their number is, over all sets of
squares,

    the greatest of:  places that can hold cards of the set only  -  cards of the set

(the defect form of Hall's theorem). So a line of numbers 1, 0, -1 stands for each set, and one product of matrices
gives the differences of all sets in many ways. Sets that are no union of what places can hold are left out: smaller
sets do as much. If no place is barred, the sets "all squares but k" say what MH-M14 says: x - n.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from manhattan_env import components as box
from manhattan_env.ways import (
    ALL_SQUARES,
    Rest,
    Span,
    fitting,
    followed,
    hands_in,
    joint_rests,
    possible_rests,
    spans_of,
    ways_after,
)
from skyline.typing import Array

SAMPLE = 64  # ways that are looked at first, or some more

Sure = dict[int, list[int]]  # by other seat, and for the deck behind the last seat
Squares = tuple[tuple[int, ...], ...]  # by other seat and kind of places: bits of the cards that do not lie there


def surely_held(s: Any, seat: int, found: Sure | None = None) -> Sure:
    """By other seat, and for the deck behind the last seat: the cards that surely lie there. `found`: what some ways
    have left of it."""
    *closed, span = spans_of(s, seat)
    ways = ways_after(tuple(closed), len(span.sizes))
    rests = followed(ways, span)
    holders = [other for other in range(s.players + 1) if other != seat]
    least = np.full((len(holders), box.SQUARES), box.CARDS_PER_SQUARE)
    if found is not None:
        least = np.array([found[holder] for holder in holders])
    joint = Joint(rests, span, least)
    numbers = possible_rests(ways, rests)
    step = max(1, numbers.shape[1] // SAMPLE)
    joint.look(numbers[:, ::step])
    if step > 1 and not joint.is_settled():
        joint.look(joint_rests(ways, rests))
    return dict(zip(holders, joint.least.tolist(), strict=True))


def hands_possible(s: Any, seat: int) -> int:
    """How many hands of the only other seat are possible: there is one way."""
    *closed, span = spans_of(s, seat)
    (rest,) = followed(ways_after(tuple(closed), 1), span)
    return int(fitting(rest, hands_in(span.cards, span.sizes[0])).sum())


class Joint:
    """The fewest cards that each holder has in all ways so far: the other seats, and behind them the deck."""

    def __init__(self, rests: Sequence[Rest], span: Span, least: Array) -> None:
        self.least = least
        self._rests, self._cards = rests, np.array(span.cards)
        self._in_deck = sum(span.cards) - sum(span.sizes)
        self._lines = lines(tuple(rest.squares for rest in rests))

    def look(self, numbers: Array) -> None:
        """Take these ways into account, given by the numbers of the rests that they leave: (others, ways)."""
        kept = np.zeros((len(self.least), box.SQUARES, numbers.shape[1]), np.int8)
        for other, (rest, number) in enumerate(zip(self._rests, numbers, strict=True)):
            kept[other] = rest.kept[:, number]
        left = self._cards[:, None] - kept.sum(axis=0)
        places = [rest.places[:, number] for rest, number in zip(self._rests, numbers, strict=True)]
        in_deck = np.full((1, numbers.shape[1]), self._in_deck)
        counts = np.concatenate([*places, in_deck, left]).astype(np.float32)  # exact: small whole numbers
        asked = self._asked()
        chosen = [self._lines[0], *(self._lines[1 + number] for number in asked)]
        starts = np.cumsum([0, *map(len, chosen[:-1])])
        most = np.maximum.reduceat(np.concatenate(chosen) @ counts, starts, axis=0).astype(np.int64)
        possible = (left >= 0).all(axis=0) & (most[0] <= 0)
        if possible.any():
            held = most[1:] + kept.reshape(-1, numbers.shape[1])[asked]
            least = self.least.reshape(-1)
            least[asked] = np.minimum(least[asked], held[:, possible].min(axis=1))

    def is_settled(self) -> bool:
        return not len(self._asked())

    def _asked(self) -> Array:
        """The holders and cards of which some are still sure, as numbers 9 * holder + card; those of the deck if all
        its cards are."""
        asked = np.flatnonzero(self.least)
        if self.least[-1].sum() < self._in_deck:
            asked = asked[asked < box.SQUARES * (len(self.least) - 1)]
        return asked


@lru_cache(maxsize=32)
def lines(squares: Squares) -> list[Array]:
    """Lines of 1, 0, -1 for the places by other seat and kind, for the deck and for the nine squares.

    First those of which none is positive if all places can be filled; then, by holder and card, those of which the
    greatest is the number of such cards that lie on places of the holder at least.
    """
    owners = [other for other, kinds in enumerate(squares) for _ in kinds] + [len(squares)]
    holds = [ALL_SQUARES & ~bits for kinds in squares for bits in kinds] + [ALL_SQUARES]
    found = [_lines_of(holds)]
    for holder in range(len(squares) + 1):
        for card in range(box.SQUARES):
            barred = [1 << card if owner == holder else 0 for owner in owners]
            found.append(_lines_of([bits & ~bar for bits, bar in zip(holds, barred, strict=True)]))
    return found


def _lines_of(holds: Sequence[int]) -> Array:
    """A line for each union of what some of the places can hold."""
    unions = {0}
    for bits in set(holds):
        unions |= {union | bits for union in unions}
    sets = np.array(sorted(unions))[:, None]
    inside = (np.array(holds) & ~sets) == 0
    cards = sets >> np.arange(box.SQUARES) & 1
    return np.concatenate([inside, -cards], axis=1).astype(np.float32)
