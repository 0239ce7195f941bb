"""The oracle against brute force: each payment, building and rebuilding is one sequence of moves (PZ-R9 .. PZ-R15)."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import pytest

from . import oracle_palace as building
from . import oracle_payment as money
from .oracle import Oracle
from .oracle_palace import TILE_COUNTS
from .oracle_payment import CARD_COUNTS, COMPONENTS, Raise, Stake
from .oracle_play import random_palaces, reloaded, texts_of


def all_payments(hand: Counter, lock: str | None) -> Iterator[tuple[str, ...]]:
    """Every set of components a hand can make by PZ-20 to PZ-23 and PZ-R12, in component order."""
    groups = [f"T{v}" for v in (7, 6, 5, 4, 3, 2)]
    for numbers in product(range(4), repeat=len(groups)):
        rest = hand.copy()
        for group, number in zip(groups, numbers, strict=True):
            for card in money.GROUP_CARDS[group]:
                rest[card] -= number * money.GROUP_CARDS[group][card]
        if min(rest.values()) < 0:
            continue
        laid = [group for group, number in zip(groups, numbers, strict=True) for _ in range(number)]
        for singles in single_cards(rest, lock):
            yield (*laid, *singles)


def single_cards(rest: Counter, lock: str | None) -> Iterator[tuple[str, ...]]:
    certificates = [["2"] * number for number in range(min(2, rest["2"]) + 1)]
    yield from (tuple(some) for some in certificates)
    for currency in lock or "ABC":
        cards = [f"{currency}{v}" for v in (7, 6, 5, 4, 3)]
        for numbers in product(*(range(rest[card] + 1) for card in cards)):
            laid = [card for card, number in zip(cards, numbers, strict=True) for _ in range(number)]
            if laid:
                yield from ((*laid, *some) for some in certificates)


def reached(hand: Counter, stake: Stake, begun: Raise, goal: int, payment: bool) -> Iterator[tuple[str, ...]]:
    """Every complete payment or raise that `add` decisions lead to; a dead end fails."""
    if stake.total >= goal:
        yield ()
        if payment:
            return
    legal = [c for c in COMPONENTS if money.may_add(c, hand, stake, begun, goal)]
    assert legal or stake.total >= goal or begun.last is None  # PZ-R15
    for component in legal:
        after = hand.copy(), Stake(stake.total, stake.lock, stake.table.copy()), Raise(begun.last, begun.singles)
        money.put_down(component, *after)
        yield from ((component, *rest) for rest in reached(*after, goal, payment))


@pytest.mark.parametrize("seed", range(60))
def test_pz_r11_to_r15_each_payment_and_raise_has_exactly_one_sequence(seed: int) -> None:
    rng = Random(seed)
    hand = Counter(rng.sample(list(CARD_COUNTS.elements()), rng.randint(1, 11)))
    if seed % 2:
        hand.update(rng.choice(list(money.GROUP_CARDS.values())))
    lock, total = rng.choice([None, "A", "B", "C"]), rng.choice([0, 3, 7])
    goal = total + rng.randint(1, max(1, money.maxpay(hand)))
    worth = {laid: total + sum(money.value_of(c) for c in laid) for laid in all_payments(hand, lock)}
    for payment in (True, False):
        enough = [laid for laid in worth if worth[laid] >= goal]
        if payment:  # PZ-R13: nothing that could be left out
            enough = [laid for laid in enough if worth[laid] - min(money.value_of(c) for c in laid) < goal]
        assert sorted(reached(hand, Stake(total, lock), Raise(), goal, payment)) == sorted(enough)
    if lock is None:
        assert money.maxpay(hand) == max(worth.values()) - total


def start(palaces: list[list[str]], **fields: object) -> dict:
    """A two-player `start` in which player 0 owns these palaces; every card is in the deck."""
    texts = sorted(building.palace_text(palace) for palace in palaces)
    empty = {"builder": 0, "knights": 0, "quiet": 0, "depot": [], "quarries": [[]] * 4, "stack": [], "deck": []}
    own = {"players": 2, "active": 0, "discard": {}, "hands": [{}, {}], "palaces": [texts, []]}
    return empty | own | fields


def ends_of(oracle: Oracle, steps: int) -> Iterator[tuple]:
    """Player 0's palaces and the box after every sequence of so many moves (no shuffles)."""
    if steps == 0:
        yield tuple(oracle.position()["palaces"][0]), tuple(sorted(oracle.box))
        return
    for text in texts_of(oracle):
        after = reloaded(oracle)
        after.play(text)
        yield from ends_of(after, steps - 1)


def built_in_order(palaces: list[list[str]], tiles: tuple[str, ...], box: list[str]) -> Iterator[tuple]:
    """PZ-60 and PZ-61 with the tiles in this order."""
    if not tiles:
        yield tuple(sorted(building.palace_text(palace) for palace in palaces)), tuple(sorted(box))
        return
    tile, rest = tiles[0], tiles[1:]
    yield from built_in_order(palaces, rest, [*box, tile])
    yield from built_in_order([*palaces, [tile]], rest, box)
    for place, palace in enumerate(palaces):
        if building.can_top(palace, tile):
            yield from built_in_order([*palaces[:place], [*palace, tile], *palaces[place + 1 :]], rest, box)


@pytest.mark.parametrize("seed", range(40))
def test_pz_r10_tile_order_reaches_each_result_of_any_order_once(seed: int) -> None:
    rng = Random(seed)
    tiles = rng.sample(sorted(TILE_COUNTS.elements()), rng.randint(1, 9))
    if seed % 4 == 0:
        tiles = ["31b", "31b", *(tile for tile in tiles if tile != "31b")]
    lot, palaces = sorted(tiles[:3]), random_palaces(rng, tiles[3:])
    oracle = Oracle.at(start(palaces, player=0, decision="BUILD", to_build=lot))
    ends = list(ends_of(oracle, len(lot)))
    any_order = {end for order in permutations(lot) for end in built_in_order(palaces, order, oracle.box)}
    assert len(ends) == len(set(ends)) and set(ends) == any_order


def rebuilt_by_pz_71(palaces: list[list[str]], box: list[str]) -> Iterator[tuple]:
    """Every result of one rebuild, by the words of PZ-71 and PZ-R7."""

    def end(*changed: list[str], without: tuple[int, ...], scrapped: tuple[str, ...] = ()) -> tuple:
        after = [palace for place, palace in enumerate(palaces) if place not in without] + list(changed)
        texts = sorted("/".join(sorted(palace)) for palace in after)
        return tuple(texts), tuple(sorted([*box, *scrapped]))

    for place, palace in enumerate(palaces):
        if len(palace) >= 2:
            yield from (end([other for other in palace if other != tile], [tile], without=(place,)) for tile in palace)
            continue
        [tile] = palace
        yield end(without=(place,), scrapped=(tile,))
        for target, other in enumerate(palaces):
            if target != place and building.floor_of(tile) not in map(building.floor_of, other):
                yield end([*other, tile], without=(place, target))


@pytest.mark.parametrize("seed", range(40))
def test_pz_r9_each_rebuild_result_is_one_sequence(seed: int) -> None:
    rng = Random(seed)
    palaces = random_palaces(rng, rng.sample(sorted(TILE_COUNTS.elements()), rng.randint(1, 24)))
    if seed % 4 == 0:
        palaces = [["31m"], ["31m"], *(palace for palace in palaces if "31m" not in palace)]
    oracle = Oracle.at(start(palaces, hands=[{"2": 1}, {}]))
    oracle.play("rebuild")
    ends = []
    for text in texts_of(oracle):
        after = reloaded(oracle)
        after.play(text)
        ends += ends_of(after, 2 if text.startswith("insert") else 1)
    assert len(ends) == len(set(ends)) and set(ends) == set(rebuilt_by_pz_71(palaces, oracle.box))
