"""The ways of the black cards after a shuffle with 3 or 4 players, each packed into one number. [FA-M17, FA-M18]

A number holds the cards of up to three hands, six bits for each hand and value (the black stack has 50 cards):

    bits   0-5     6-11    12-17     18-23   24-29   30-35     36-41   42-47   48-53
           4s      5s      6s        4s      5s      6s        4s      5s      6s
           ----- first hand -----    ----- second hand ----    ----- third hand -----

A way is packed as its old parts. The old parts and the newer unseen cards of a way come together to the same `total` in
all ways, for a card shown leaves either. So the total at the end of a span says what each way has left among the newer
cards, and a way whose old parts are more than the total falls out: it has shown a card that was not among them.

Joint hands at a shuffle follow from the events up to there, which stay as they are. So the results for the last keys
are kept, and the decisions that follow pay for the events since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fiveavenue_env.components import MAX_PLAYERS
from fiveavenue_env.remembered import DRAW, SHUFFLE, events_of
from fiveavenue_env.ways import NONE, Bound, Counts, Hands, Way

MOST_WAYS = 10_000  # joint hands; with more of them black cards are sure by what all onlookers know
STEPS = 64, 8, 1  # each so-many-th way comes first: where joint hands are too many, a few ways tell mostly
KEPT = 128  # results of each kept function, arrays of up to MOST_WAYS numbers

Packed = NDArray[np.int64]  # rising, each number once

BITS, HAND_BITS = 6, 18
COUNT, HAND = (1 << BITS) - 1, (1 << HAND_BITS) - 1
HELD = 3 * MAX_PLAYERS  # bytes of a shuffle in the field memory_held


class Told(NamedTuple):
    """The black events, from the deal on, as a seat sees them."""

    players: int
    seat: int
    log: bytes  # of the field memory_log
    held: bytes  # of the field memory_held: one row for each shuffle in the log

    def others(self) -> list[int]:
        return [p for p in range(self.players) if p != self.seat]

    def last_held(self) -> Hands:
        """The unseen black cards of the other hands at the last shuffle; the seat knows their sum and their sizes."""
        row = self.held[-HELD:]
        return tuple(tuple(row[3 * p : 3 * p + 3]) for p in self.others())


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways, if there are none or several."""

    sizes: tuple[int, ...]  # unseen black cards of each hand
    total: int  # packed: the unseen black cards
    old: Packed

    def least(self, bound: Bound | None) -> Hands:
        """The fewest cards of each value in each hand.  # FA-M18"""
        if bound is None:
            return self._least
        parts = self._with_hand(bound.k)
        return self._least_of(parts[_worth(parts, bound.k, bound.worth) > bound.number])

    def best(self, k: int, worth: Counts) -> int:
        """What the k-th hand is worth at most."""
        return int(_worth(self._with_hand(k), k, worth).max(initial=0))

    def by_worth(self, k: int, worth: Counts) -> dict[int, int] | None:
        """The number of joint hands by what the k-th of them is worth; None for too many."""
        if self._hands is None:
            return None
        values, times = np.unique(_worth(self._hands, k, worth), return_counts=True)
        return dict(zip(values.tolist(), times.tolist(), strict=True))

    @cached_property
    def _hands(self) -> Packed | None:
        return _joint_hands(self.old, self.sizes, self.total)

    @cached_property
    def _least(self) -> Hands:
        return self._least_of(self.old)

    def _with_hand(self, k: int) -> Packed:
        """The ways, with all that the k-th hand can be; the joint hands, if there are not too many."""
        return _filled(self.old, k, self.sizes[k], self.total) if self._hands is None else self._hands

    def _least_of(self, parts: Packed) -> Hands:
        """The fewest cards of each value in each hand that contains one of these parts, filled up from the rest."""
        if not len(parts):
            return (NONE,) * len(self.sizes)
        rest = self.total - _summed(parts)
        number, least = _size(rest), list[Counts]()
        for k, size in enumerate(self.sizes):
            hands = parts >> HAND_BITS * k & HAND
            outside = number - size + _size(hands)
            values = ((hands >> bits & COUNT, rest >> bits & COUNT) for bits in (0, BITS, 2 * BITS))
            least.append(tuple(int((own + np.maximum(0, n - outside)).min()) for own, n in values))
        return tuple(least)


@lru_cache(KEPT)
def ways_of(told: Told, sizes: tuple[int, ...], unseen: Counts) -> Ways | Way | None:
    """The ways after all events: the other hands have so many unseen black cards; None for too many."""
    old, total = _old_parts(told), _pack(unseen)
    if old is None:
        return None
    old = _within(old, total)
    if len(old) != 1:
        return Ways(sizes, total, old)
    hands = tuple(_unpack(int(old[0]) >> HAND_BITS * k) for k in range(len(sizes)))
    return Way(sizes, hands, _unpack(total - int(_summed(old)[0])))


# ---------------------------------------------------------------- event by event


@lru_cache(KEPT)
def _old_parts(told: Told) -> Packed | None:
    """The old parts after all events; also of ways that fall out by the total."""
    log, shuffle, events = told.log.rpartition(SHUFFLE)
    if not shuffle:
        return np.zeros(1, np.int64)
    held, others = told.last_held(), told.others()
    old = _at_shuffle(Told(told.players, told.seat, log, told.held[:-HELD]), held)
    if old is None:
        return None
    sizes = [sum(counts) for counts in held]
    for p, what in events_of(events):
        if p == told.seat:
            continue
        k = others.index(p)
        if what != DRAW:
            old = _shown(old, k, what, sizes[k])
        sizes[k] += 1 if what == DRAW else -1
    return old


@lru_cache(KEPT)
def _at_shuffle(told: Told, held: Hands) -> Packed | None:
    """The joint hands at the shuffle that follows, where the other hands hold all unseen cards.  # FA-M15, FA-M17"""
    old = _old_parts(told)
    if old is None:
        return None
    sizes = tuple(sum(counts) for counts in held)
    return _joint_hands(old, sizes, sum(map(_pack, held)))


def _shown(old: Packed, k: int, value: int, size: int) -> Packed:
    """The old parts after the k-th hand, of so many unseen cards, shows one of them.  # FA-M17"""
    bits = HAND_BITS * k + BITS * (value - 4)
    has = (old >> bits & COUNT) > 0
    has_newer = _size(old >> HAND_BITS * k & HAND) < size
    return _unique(np.concatenate([old[has] - (1 << bits), old[~has & has_newer]]))


# ---------------------------------------------------------------- joint hands


def _joint_hands(old: Packed, sizes: tuple[int, ...], total: int) -> Packed | None:
    """The joint hands that contain the old parts of a way, filled up from its newer cards; None for too many."""
    old = parts = _within(old, total)
    for step in STEPS if len(old) > STEPS[0] else STEPS[-1:]:
        parts = old[::step]
        for k, size in enumerate(sizes):
            parts = _filled(parts, k, size, total)
        if len(parts) > MOST_WAYS:
            return None
    return parts


def _filled(parts: Packed, k: int, size: int, total: int) -> Packed:
    """The same parts with all that the k-th hand can be."""
    rest, missing = total - _summed(parts), size - _size(parts >> HAND_BITS * k & HAND)
    fours, fives, sixes = rest & COUNT, rest >> BITS & COUNT, rest >> 2 * BITS
    which, taken = _ranges(np.maximum(0, missing - fives - sixes), np.minimum(missing, fours))
    parts, missing, fives, sixes = (
        parts[which] + (taken << HAND_BITS * k),
        missing[which] - taken,
        fives[which],
        sixes[which],
    )
    which, taken = _ranges(np.maximum(0, missing - sixes), np.minimum(missing, fives))
    cards = (taken << BITS) + (missing[which] - taken << 2 * BITS)
    return _unique(parts[which] + (cards << HAND_BITS * k))


def _ranges(low: Packed, high: Packed) -> tuple[Packed, Packed]:
    """The numbers low .. high of each row, one range after the other: the row of each number, and the number."""
    lengths = high - low + 1
    which = np.repeat(np.arange(len(low)), lengths)
    return which, np.arange(len(which)) - (np.cumsum(lengths) - lengths - low)[which]


def _within(old: Packed, total: int) -> Packed:
    """The ways whose old parts are not more than the total, value by value."""
    summed = _summed(old)
    fits = (summed & COUNT) <= (total & COUNT)
    for bits in (BITS, 2 * BITS):
        fits &= (summed >> bits & COUNT) <= (total >> bits & COUNT)
    return old[fits]


# ---------------------------------------------------------------- packed counts


def _pack(counts: Counts) -> int:
    return counts[0] + (counts[1] << BITS) + (counts[2] << 2 * BITS)


def _unpack(hand: int) -> Counts:
    return hand & COUNT, hand >> BITS & COUNT, hand >> 2 * BITS & COUNT


def _summed(hands: Packed) -> Packed:
    """The cards of all three hands together."""
    summed: Packed = (hands & HAND) + (hands >> HAND_BITS & HAND) + (hands >> 2 * HAND_BITS)
    return summed


def _size(hand: Packed) -> Packed:
    """The number of cards of one hand."""
    size: Packed = (hand & COUNT) + (hand >> BITS & COUNT) + (hand >> 2 * BITS)
    return size


def _worth(hands: Packed, k: int, worth: Sequence[int]) -> Packed:
    """What the k-th hand is worth."""
    found = np.zeros(len(hands), np.int64)
    for number, value in enumerate(worth):
        found += (hands >> HAND_BITS * k + BITS * number & COUNT) * value
    return found


def _unique(hands: Packed) -> Packed:
    hands.sort(kind="stable")
    return hands[np.append(True, hands[1:] != hands[:-1])] if len(hands) else hands
