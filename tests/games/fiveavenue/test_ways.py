"""Ways packed into numbers, beside a plain enumeration of hands. [RULES.md FA-M17, FA-M18, FA-M20]"""

from __future__ import annotations

import itertools
import random

import pytest

from fiveavenue_env import packed_ways
from fiveavenue_env.packed_ways import Told, Ways, ways_of
from fiveavenue_env.remembered import SHUFFLE
from fiveavenue_env.ways import NONE, Bound, Counts, Hands, Way, less, more, picks, worth_of

SIZES, HELD = (2, 2, 3), ((1, 1, 0), (1, 0, 1), (1, 2, 0))  # of the seats 1, 2, 3 at the only shuffle
UNSEEN = (3, 3, 2)  # after the events


def told(events: list[tuple[int, int]]) -> Told:
    """Seat 0 with three others, after a shuffle and draws (0) and cards shown (a value)."""
    log = SHUFFLE + bytes(4 * seat + (what and what - 3) for seat, what in events)
    return Told(4, 0, log, bytes([0, 0, 0, *itertools.chain(*HELD)]))


def fillings(sizes: tuple[int, ...], pool: Counts) -> set[Hands]:
    if not sizes:
        return {()}
    return {(cards, *rest) for cards in picks(sizes[0], pool) for rest in fillings(sizes[1:], less(pool, cards))}


def plain_hands(events: list[tuple[int, int]], unseen: Counts) -> tuple[tuple[int, ...], set[Hands]]:
    """Sizes and joint hands after the events, way by way as FA-M17 says it."""
    sizes, pool = list(SIZES), unseen
    for _, what in events:
        pool = more(pool, tuple(int(what == value) for value in (4, 5, 6)))
    old_cards = tuple(map(sum, zip(*HELD, strict=True)))
    ways = {(hands, less(pool, old_cards)) for hands in fillings(SIZES, old_cards)}
    for seat, what in events:
        k, after = seat - 1, set()
        card = tuple(int(what == value) for value in (4, 5, 6))
        for old, newer in ways if what else ():
            if old[k][what - 4]:
                after.add(((*old[:k], less(old[k], card), *old[k + 1 :]), newer))
            elif newer[what - 4] and sizes[k] > sum(old[k]):
                after.add((old, less(newer, card)))
        ways = after if what else ways
        sizes[k] += -1 if what else 1
    found = set[Hands]()
    for old, newer in ways:
        left = tuple(size - sum(part) for size, part in zip(sizes, old, strict=True))
        found |= {tuple(map(more, old, filling)) for filling in fillings(left, newer)}
    return tuple(sizes), found


def least_of(hands: set[Hands]) -> Hands:
    return (
        tuple(tuple(map(min, zip(*of_one, strict=True))) for of_one in zip(*hands, strict=True))
        if hands
        else (NONE,) * 3
    )


@pytest.mark.parametrize("seed", range(40))
def test_packed_ways_are_those_of_the_rule(seed: int) -> None:
    """The number of joint hands, sure cards, and both in a begun raise."""
    rng, events = random.Random(seed), list[tuple[int, int]]()
    held = list(SIZES)
    for _ in range(rng.randrange(8)):
        seat = rng.randrange(1, 4)
        what = rng.choice((0, 4, 5, 6)) if held[seat - 1] else 0
        held[seat - 1] += -1 if what else 1
        events.append((seat, what))
    unseen = tuple(n + rng.randrange(3) for n in UNSEEN)
    sizes, hands = plain_hands(events, unseen)
    ways = ways_of(told(events), sizes, unseen)
    assert ways is not None
    assert sum((ways.by_worth(0, NONE) or {}).values()) == len(hands)
    if hands:
        assert ways.least(None) == least_of(hands)
    bound = Bound(rng.randrange(3), rng.choice([(4, 5, 6), (4, 5, 0), (4, 0, 0)]), rng.randrange(15))
    worths = [worth_of(joint[bound.k], bound.worth) for joint in hands]
    assert ways.best(bound.k, bound.worth) == max(worths, default=0)
    assert ways.by_worth(bound.k, bound.worth) == {worth: worths.count(worth) for worth in set(worths)}
    able = {joint for joint, worth in zip(hands, worths, strict=True) if worth > bound.number}
    assert ways.least(bound) == least_of(able)


def test_too_many_joint_hands_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is sure follows from the ways then, in a begun raise too; at a later shuffle nothing does."""
    events = [(1, 0), (2, 0), (3, 0), (1, 4), (2, 4)]
    sizes, hands = plain_hands(events, UNSEEN)
    bound = Bound(2, (4, 5, 6), 15)
    able = {joint for joint in hands if worth_of(joint[2], bound.worth) > bound.number}
    packed_ways.ways_of.cache_clear()
    monkeypatch.setattr(packed_ways, "MOST_WAYS", len(hands) - 1)
    ways = ways_of(told(events), sizes, UNSEEN)
    packed_ways.ways_of.cache_clear()
    assert isinstance(ways, Ways)
    assert ways.by_worth(0, NONE) is None
    assert ways.least(None) == least_of(hands)
    assert ways.least(bound) == least_of(able)


def test_one_way_is_no_array() -> None:
    assert ways_of(Told(4, 0, b"", b""), (1, 1, 1), UNSEEN) == Way.without_old((1, 1, 1), UNSEEN)
