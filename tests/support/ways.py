"""Joint knowledge of hidden hands, for the watchers of Manhattan and Fifth Avenue (MH-M12, MH-M13, FA-M13, FA-M17).

The unseen cards of the other hands and of one hidden stack, by kind:

    pool     unseen cards of each kind, in the hands and in the stack together
    sizes    unseen cards in each hand; the other cards of the pool lie in the stack
    old      one row a *way*: by hand and kind the cards of the hand that are left of the last shuffle (`old part`)

The other places of a hand are *blank*: their cards came from the stack as last shuffled. What is left for the blank
places and the stack in a way, pool - old parts, are its *newer* cards. The possible joint hands are those that contain
the old parts of some way.

A way that contains another way (in every hand, of every kind at least as many) adds no joint hand, now and after every
later event: it may be dropped. `thin` does so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

Rows = np.ndarray[Any, Any]
Counts = tuple[int, ...]  # by kind
Hands = tuple[Counts, ...]  # by hand

SEVERAL = 24  # ways: from so many on doubles and containing ways are dropped after an event
PATIENCE = 3  # joint hands gone through for each that may be found
MANY = 600  # ways: from so many on only doubles are dropped


class Contradiction(AssertionError):
    """What was seen cannot have happened: no deal agrees with it."""


@lru_cache(None)
def splits(number: int, parts: int, most: Counts) -> tuple[Counts, ...]:
    """Every way to split a number into parts of at most `most`, all of it."""
    if parts == 1:
        return ((number,),) if number <= most[0] else ()
    return tuple(
        (first, *rest)
        for first in range(min(number, most[0]) + 1)
        for rest in splits(number - first, parts - 1, most[1:])
    )


def distributions(pool: Sequence[int], sizes: Sequence[int]) -> Rows:
    """Every distribution of all cards of the pool over hands of these sizes, as rows of `old`."""
    hands = len(sizes)
    room = np.array([sizes], np.int8)
    dealt = np.zeros((1, hands, 0), np.int8)
    for copies in pool:
        parts = [np.array(split, np.int8) for split in splits(int(copies), hands, tuple(map(int, sizes)))]
        fits = [np.flatnonzero((room >= part).all(1)) for part in parts]
        dealt = np.concatenate(
            [
                np.concatenate([dealt[rows], np.broadcast_to(part[:, None], (len(rows), hands, 1))], axis=2)
                for rows, part in zip(fits, parts, strict=True)
            ]
        )
        room = np.concatenate([room[rows] - part for rows, part in zip(fits, parts, strict=True)])
    return dealt


def at_least(newer: Counts, blank: Counts) -> int:
    """Not more than the number of joint fillings: those in which every hand has its share of each kind to take from."""
    number = 1
    for places in blank:
        sets = [1] + [0] * places  # by size
        for copies in newer:
            share = copies // len(blank)
            sets = [sum(sets[max(0, size - share) : size + 1]) for size in range(places + 1)]
        number *= sets[places]
    return number


@lru_cache(20_000)
def fillings(newer: Counts, blank: Counts, limit: int) -> int:
    """The number of different joint fillings of the blank places from the newer cards, up to about `limit`."""
    if at_least(newer, blank) > limit:
        return limit + 1
    rooms = {blank: 1}
    for place, copies in enumerate(newer):
        left = sum(newer[place + 1 :])
        after: dict[Counts, int] = {}
        for room, ways in rooms.items():
            for part in product(*(range(min(copies, free) + 1) for free in room)):
                rest = tuple(free - given for free, given in zip(room, part, strict=True))
                if sum(part) <= copies and sum(rest) <= left:
                    after[rest] = min(after.get(rest, 0) + ways, limit + 1)
        rooms = after
    return rooms.get((0,) * len(blank), 0)


class Ways:
    """The ways of the other hands; `hands` of them, cards of `kinds` kinds."""

    def __init__(self, pool: Sequence[int], sizes: Sequence[int]) -> None:
        self.pool = [int(number) for number in pool]
        self.sizes = [int(number) for number in sizes]
        self.old: Rows = np.zeros((1, len(self.sizes), len(self.pool)), np.int8)
        self.merging = 0  # events since `thin` after which ways can be equal

    def copy(self) -> Ways:
        twin = Ways(self.pool, self.sizes)
        twin.old = self.old
        return twin

    def fix(self, hands: Sequence[Sequence[int]]) -> None:
        """Let this be the only way: the hands as they were at the last shuffle."""
        self.old = np.array([hands], np.int8)

    @property
    def stack(self) -> int:
        """The number of cards in the hidden stack."""
        return sum(self.pool) - sum(self.sizes)

    def _keep(self, rows: Rows, event: str) -> None:
        if not rows.all():
            self.old = self.old[rows]
        if not len(self.old):
            raise Contradiction(event)

    # ------------------------------------------------------------ events

    def draw(self, hand: int) -> None:
        """The hand draws an unseen card of the stack."""
        if self.stack < 1:
            raise Contradiction("a card is drawn from an empty stack")
        self.sizes[hand] += 1

    def turn_up(self, kind: int) -> None:
        """A card of the stack is seen, and leaves: the ways without a newer one fall out."""
        if self.stack < 1:
            raise Contradiction("a card is turned up from an empty stack")
        self._keep(self.pool[kind] - self.old[:, :, kind].sum(1) > 0, f"a {kind} of the stack")
        self.pool[kind] -= 1

    def show(self, hand: int, kind: int) -> None:
        """The hand shows an unseen card, and it leaves the unseen cards (MH-M13, FA-M17)."""
        if self.sizes[hand] < 1 or self.pool[kind] < 1:
            raise Contradiction(f"hand {hand} shows {kind}")
        has = self.old[:, hand, kind] > 0
        blank = self.sizes[hand] - self.old[:, hand].sum(1) > 0
        newer = self.pool[kind] - self.old[:, :, kind].sum(1) > 0
        stays = has | (blank & newer)
        self.old = self.old.copy()
        self.old[has, hand, kind] -= 1
        self._keep(stays, f"hand {hand} shows {kind}")
        self.pool[kind] -= 1
        self.sizes[hand] -= 1
        self.merging += not has.all()
        if len(self.old) >= SEVERAL and self.merging >= SEVERAL // 4:
            self.thin()

    def shuffle(self, stack: Sequence[int]) -> None:
        """The stack is used up: all unseen cards are in the hands and now old; the new stack is known."""
        self.gather()
        self.pool = [unseen + int(new) for unseen, new in zip(self.pool, stack, strict=True)]

    def gather(self) -> None:
        """Every possible joint hand becomes a way of its own; the stack is empty."""
        if self.stack:
            raise Contradiction(f"a shuffle with {self.stack} cards in the stack")
        hands = distributions(self.pool, self.sizes)
        if self.old.any():
            self.thin()
            hands = hands[self.contained(hands)]
        self.old = hands
        if not len(hands):
            raise Contradiction("no hands are left at a shuffle")

    # ------------------------------------------------------------ what is known

    def contained(self, hands: Rows) -> Rows:
        """Of each joint hand (rows of hands and kinds), whether it contains the old parts of some way."""
        found = np.zeros(len(hands), bool)
        flat, parts = hands.reshape(len(hands), -1), self.old.reshape(len(self.old), -1)
        for part in parts:
            open_rows = np.flatnonzero(~found)
            if not len(open_rows):
                break
            found[open_rows] = (flat[open_rows] >= part).all(1)
        return found

    def allows(self, hands: Sequence[Sequence[int]]) -> bool:
        """Whether this joint hand is possible."""
        joint = np.array(hands, np.int8)
        if joint.sum(1).tolist() != self.sizes or (joint.sum(0) > np.array(self.pool)).any():
            return False
        return bool((self.old <= joint).all((1, 2)).any())

    def thin(self) -> None:
        """Drop the ways that contain another one, doubles too."""
        flat = np.ascontiguousarray(self.old.reshape(len(self.old), -1))
        rows = np.unique(flat.view(f"V{flat.shape[1]}").ravel(), return_index=True)[1]
        left, self.merging = flat[rows], 0
        totals = left.sum(1)
        if len(left) < MANY and (totals != totals[0]).any():
            left, kept = left[np.argsort(totals, kind="stable")], []
            while len(left):
                kept.append(left[0])
                left = left[(left < kept[-1]).any(1)]
            left = np.array(kept)
        self.old = left.reshape(-1, *self.old.shape[1:])

    def sure(self) -> Rows:
        """By hand and kind the number of cards that it surely holds (MH-M12, MH-M14, FA-M13, FA-M18)."""
        if len(self.old) == 1 and not self.old.any():
            whole = sum(self.pool)
            return np.array([[max(0, number + size - whole) for number in self.pool] for size in self.sizes])
        newer = np.array(self.pool) - self.old.sum(1)
        outside = (sum(self.pool) - self.old.sum((1, 2)))[:, None] - (np.array(self.sizes) - self.old.sum(2))
        counted = np.maximum(newer[:, None, :] - outside[:, :, None], 0)
        return np.asarray((self.old + counted).min(0))

    def heaviest(self, hand: int, weights: Sequence[int]) -> int:
        """The largest sum of weights that the unseen cards of the hand can have."""
        return max(weight for _, _, weight in self._parts(hand, weights))

    def _parts(self, hand: int, weights: Sequence[int]) -> Iterator[tuple[int, Counts, int]]:
        """Every way (its number) with every filling of the blank places of one hand, and the weight of that hand."""
        for number, (old, newer, blank) in enumerate(self._rows()):
            held = sum(weight * int(cards) for weight, cards in zip(weights, old[hand], strict=True))
            for filling in hand_fillings(newer, blank[hand]):
                yield number, filling, held + sum(map(int.__mul__, weights, filling))

    def sure_if(self, hand: int, weights: Sequence[int], least: int) -> Rows:
        """As `sure`, with no other deals than those in which the unseen cards of this hand weigh at least so much."""
        newer, blank = np.array(self.pool) - self.old.sum(1), np.array(self.sizes) - self.old.sum(2)
        found = np.full((len(self.sizes), len(self.pool)), max(self.pool, default=0))
        for number, filling, weight in self._parts(hand, weights):
            if weight < least:
                continue
            left, places = newer[number] - filling, blank[number].copy()
            places[hand] = 0
            counted = np.maximum(left[None, :] - (left.sum() - places)[:, None], 0)
            counted[hand] = filling
            found = np.minimum(found, self.old[number] + counted)
        return found

    def joint(self, limit: int) -> set[Hands] | None:
        """Every possible joint hand; None if there are more than `limit`, or too many ways to go through them."""
        found: set[Hands] = set()
        work = 0
        for _, newer, blank in self._rows():
            number = fillings(newer, blank, limit)
            work += number
            if number > limit or work > PATIENCE * limit:
                return None
        for old, newer, blank in self._rows():
            for filling in joint_fillings(newer, blank):
                found.add(tuple(map(tuple, (old + np.array(filling)).tolist())))
                if len(found) > limit:
                    return None
        return found

    def stack_set(self) -> list[int] | None:
        """The cards of the stack by kind if they are the same in every possible deal, else None."""
        if self.stack == 0:
            return [0] * len(self.pool)
        newer = np.array(self.pool) - self.old.sum(1)
        blank = sum(self.sizes) - self.old.sum((1, 2))
        one_kind = (newer > 0).sum(1) == 1
        if not ((blank == 0) | one_kind).all():
            return None
        left = np.where(one_kind[:, None], np.minimum(newer, self.stack), newer)
        return [int(number) for number in left[0]] if (left == left[0]).all() else None

    def _rows(self) -> Iterator[tuple[Rows, Counts, Counts]]:
        """Each way with its newer cards and its blank places."""
        newer = np.array(self.pool) - self.old.sum(1)
        blank = np.array(self.sizes) - self.old.sum(2)
        for old, cards, places in zip(self.old, newer.tolist(), blank.tolist(), strict=True):
            yield old, tuple(cards), tuple(places)

    def count(self, limit: int) -> int | None:
        """The number of possible joint hands; None if there are more than `limit`."""
        if len(self.old) == 1:
            _, newer, blank = next(self._rows())
            number = fillings(newer, blank, limit)
            return number if number <= limit else None
        found = self.joint(limit)
        return None if found is None else len(found)


def hand_fillings(newer: Counts, places: int) -> Iterator[Counts]:
    """Every set of so many of the newer cards, by kind."""
    if len(newer) == 1:
        if places <= newer[0]:
            yield (places,)
        return
    for first in range(min(newer[0], places) + 1):
        for rest in hand_fillings(newer[1:], places - first):
            yield (first, *rest)


def joint_fillings(newer: Counts, blank: Counts) -> Iterator[Hands]:
    """Every joint filling of the blank places from the newer cards."""
    if not blank:
        yield ()
        return
    for first in hand_fillings(newer, blank[0]):
        left = tuple(cards - used for cards, used in zip(newer, first, strict=True))
        for rest in joint_fillings(left, blank[1:]):
            yield (first, *rest)


def replayed(ways: Any, events: Sequence[tuple[str, int, int]]) -> Any:
    """The ways after events, each the name of a method with its hand and kind (-1: has none)."""
    for name, hand, kind in events:
        getattr(ways, name)(*[number for number in (hand, kind) if number >= 0])
    return ways
