"""The oracle against every data block of `newyork_env/RULES.md`; random games are in test_oracle_games.py.

Blocks with an `id` are the worked positions of section 10: one test each, `CHECKS` holds one function per `ask`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.games.newyork import oracle_city as city_rules
from tests.games.newyork.oracle import Oracle
from tests.games.newyork.oracle_city import HOME, KIND, MAJORITY, PRICE, START, STREETS, TILES, TYPES, City
from tests.games.newyork.oracle_money import (
    BANKS,
    VALUES,
    MissingShuffleError,
    deal_hands,
    final_places,
    money_cards,
    pay_values,
    payments,
    pile_sizes,
    scoring_places,
    starting_seat,
)
from tests.games.newyork.oracle_play import random_moves, random_setup, shuffle_event, texts

RULES = (Path(__file__).parents[3] / "newyork_env" / "RULES.md").read_text(encoding="utf-8")
FENCED = re.findall(r"^```json\n(.*?)^```", RULES, flags=re.DOTALL | re.MULTILINE)
BLOCKS = [json.loads(text) for text in FENCED]
WORKED = {block["id"]: block for block in BLOCKS if "id" in block}
DATA = [block for block in BLOCKS if "id" not in block]


def as_city(cells: list[list[int]]) -> City:
    return {HOME: START} | {(x, y): tile for x, y, tile in cells}


def pairs(cells: list[tuple[int, int]]) -> list[list[int]]:
    return [list(cell) for cell in cells]


def play_recorded(oracle: Oracle, move: str, orders: list[list[str]]) -> None:
    """Play a move of a block; if it reshuffles, the next recorded order is used up."""
    try:
        oracle.play(move)
    except MissingShuffleError:
        oracle.play(move, [shuffle_event(orders.pop(0))])


# One function per `ask` of section 10


def check_deal(block: dict, expect: dict) -> None:
    deck = list(block["money_top"])
    hands = deal_hands(block["players"], deck)
    assert {"hands": hands, "start": starting_seat(hands), "market": deck} == expect


def check_piles(block: dict, expect: dict) -> None:
    places = {card: list(ends) for card, ends in scoring_places(block["r"]).items()}
    assert {"sizes": pile_sizes(block["r"]), **places} == expect


def check_payments(block: dict, expect: dict) -> None:
    hand, price = block["hand"], block["price"]
    assert {"first": pay_values(hand, price, []), "payments": payments(hand, price)} == expect


def check_city(block: dict, expect: dict) -> None:
    broken = city_rules.broken_clause(as_city(block["city"]))
    assert {"legal": broken is None, **({} if broken is None else {"broken": broken})} == expect


def check_cells(block: dict, expect: list) -> None:
    assert pairs(city_rules.free_cells(as_city(block["city"]), block["tile"])) == expect


def check_swaps(block: dict, expect: list) -> None:
    assert pairs(city_rules.swap_cells(as_city(block["city"]), block["tile"])) == expect


def check_removable(block: dict, expect: list) -> None:
    assert pairs(city_rules.removable_cells(as_city(block["city"]))) == expect


def check_street(block: dict, expect: int) -> None:
    assert city_rules.street_length(as_city(block["city"])) == expect


def check_majority(block: dict, expect: list) -> None:
    assert city_rules.majority_points(block["scoring"], block["type"], block["counts"]) == expect


def check_legal(block: dict, expect: dict) -> None:
    oracle = Oracle.at(block["state"])
    legal = oracle.legal()
    assert {"seat": oracle.seat, "legal": [t for _, t in legal], "index": [i for i, _ in legal]} == expect


def check_step(block: dict, expect: dict) -> None:
    oracle, orders, seats = Oracle.at(block["state"]), list(block.get("shuffles", [])), ""
    for move in block["moves"]:
        seats += str(oracle.seat)
        play_recorded(oracle, move, orders)
    assert orders == []
    got = {**oracle.position(), "over": oracle.seat is None, "seats": seats, "legal": texts(oracle)}
    for field, wanted in expect.items():
        assert in_any_order(field, got[field]) == in_any_order(field, wanted), field


def in_any_order(field: str, found: object) -> object:
    """Section 10: in some fields the order means nothing."""
    if field in ("hands", "reserves", "cities"):
        return [sorted(heap) for heap in found]
    return sorted(found) if field in ("bought", "dirk", "discard") else found


def check_places(block: dict, expect: list) -> None:
    assert final_places(block["scores"]) == expect


def check_replay(block: dict, expect: dict) -> None:
    oracle, orders = Oracle(block["players"], block["options"], block["setup"]), list(block["shuffles"])
    seats, counts, digest = "", [], hashlib.sha256()
    for move in block["moves"]:
        seats += str(oracle.seat)
        counts.append(len(oracle.legal()))
        digest.update((",".join(texts(oracle)) + "\n").encode())
        play_recorded(oracle, move, orders)
        oracle.check()
    assert orders == [] and oracle.seat is None and oracle.legal() == []
    got = {"seats": seats, "legal_counts": counts, "legal_sha256": digest.hexdigest()}
    assert {**got, "scores": oracle.scores, "places": oracle.places()} == expect


CHECKS: dict[str, Callable[[dict, object], None]] = {
    "deal": check_deal,
    "piles": check_piles,
    "payments": check_payments,
    "city": check_city,
    "cells": check_cells,
    "swaps": check_swaps,
    "removable": check_removable,
    "street": check_street,
    "majority": check_majority,
    "legal": check_legal,
    "step": check_step,
    "places": check_places,
    "replay": check_replay,
}


def check_block(block: dict) -> None:
    if block["ask"] not in CHECKS:
        raise ValueError(f"{block['id']}: unknown ask {block['ask']!r}")
    CHECKS[block["ask"]](block, block["expect"])


@pytest.mark.parametrize("block_id", sorted(WORKED))
def test_worked_position(block_id: str) -> None:
    check_block(WORKED[block_id])


def test_no_block_is_skipped() -> None:
    assert len(FENCED) == RULES.count("```json") == len(WORKED) + len(DATA)
    assert sorted(WORKED) == [f"NY-P{n:02d}" for n in range(1, len(WORKED) + 1)]
    assert {block["ask"] for block in WORKED.values()} == set(CHECKS)
    assert [block["data"] for block in DATA] == ["new_york"]


def test_an_unknown_ask_or_field_fails() -> None:
    with pytest.raises(ValueError, match="unknown ask"):
        check_block({"id": "NY-P00", "ask": "guess", "expect": 1})
    with pytest.raises(KeyError, match="colour"):
        check_block({**WORKED["NY-P08"], "expect": {"colour": "blue"}})
    with pytest.raises(ValueError, match="unknown fields"):
        Oracle.at({**WORKED["NY-P08"]["state"], "colour": "blue"})


# The tables of section 1


def test_components_1() -> None:
    (data,) = DATA
    assert data["tiles"] == [[tile, KIND[tile], PRICE[tile], STREETS[tile] or "-"] for tile in TILES]
    assert (data["types"], data["majority"], data["banks"]) == (TYPES, MAJORITY, BANKS)
    assert data["card_values"] == VALUES
    assert Counter(money_cards(3)) == {f"{b}{v}": data["copies"] for b in BANKS for v in VALUES}
    assert Counter(money_cards(2)) == {f"{b}{v}": data["copies_2_players"] for b in BANKS for v in VALUES}


def test_tile_table_1_2() -> None:
    printed = re.findall(rf"\| (\d+) \| ({'|'.join(TYPES)}) \| (\d+) \| ([NESW]+|-) ", RULES)
    rows = {int(tile): (TYPES.index(kind), int(price), streets) for tile, kind, price, streets in printed}
    assert rows == {tile: (KIND[tile], PRICE[tile], STREETS[tile] or "-") for tile in TILES}
    assert [sum(KIND[tile] == kind for tile in TILES) for kind in range(6)] == [7, 7, 9, 9, 11, 11]
    assert sum(PRICE.values()) == 421
    assert Counter("".join(STREETS.values())) == {"N": 20, "E": 20, "S": 20, "W": 20}
    assert Counter(len(STREETS[tile]) for tile in TILES) == {0: 10, 1: 16, 2: 20, 3: 8}
    assert {STREETS[tile] for tile in TILES if len(STREETS[tile]) == 2} == {"NE", "NW", "ES", "SW"}


# Rules in a second, blunter wording


def test_payments_are_all_sets_without_a_superfluous_card_ny_20_ny_21() -> None:
    rng = random.Random(20)
    for _ in range(300):
        hand, price = sorted(rng.choices(VALUES, k=rng.randint(0, 8)), reverse=True), rng.randint(2, 13)
        sets = {cards for size in range(1, 9) for cards in itertools.combinations(hand, size)}
        wanted = sorted(list(cards) for cards in sets if sum(cards) >= price > sum(cards) - min(cards))
        assert payments(hand, price) == wanted


def test_free_cells_are_all_cells_with_a_legal_city_ny_45() -> None:
    """Section 6 asks about every empty cell; `free_cells` looks at the neighbours of the city only."""
    setup = random_setup(2, random.Random(45))
    oracle = Oracle(2, {}, setup)
    for _ in random_moves(oracle, random.Random(45), by_word=True):
        pass
    everywhere = [(x, y) for y in range(-11, 12) for x in range(-11, 12)]
    for city, tile in itertools.product(oracle.cities, [5, 18, 44, 53]):
        wanted = [cell for cell in everywhere if cell not in city and city_rules.is_legal({**city, cell: tile})]
        assert city_rules.free_cells(city, tile) == wanted
