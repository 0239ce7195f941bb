"""The core against every worked position of newyork_env/RULES.md, read from that file."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np
import pytest

from newyork_env import city_law, scoring
from newyork_env import components as box
from newyork_env import deal as setup
from newyork_env.actions import DECK_TEXTS
from newyork_env.city_law import LEGAL, TILE, empty_board
from skyline import registry
from skyline.core.jit import FromPython
from tests.games.newyork.cases import GAME, at, building, city_moves, owning, putting
from tests.games.replays import check_replay
from tests.support.rule_cases import Ask, Core, Json, check_block, json_blocks, worked_positions
from tests.support.seeing import decoded

WORKED = worked_positions(GAME)
broken_clause = FromPython(city_law.broken_clause)
deal, pile_places, scoring_changed = map(FromPython, (setup.deal, setup.pile_places, scoring.scoring_changed))


# ---------------------------------------------------------------- one function for each `ask`


def check_deal(block: Json) -> None:
    """The deal reads the top cards only; the made-up hands hold more copies of a card than there are."""
    players, top, expect = block["players"], block["money_top"], block["expect"]
    states = registry.load(GAME).blank(players)
    states["deck"] = box.SCORING_A  # nothing below the top cards may be read
    states["deck"][0, : len(top)] = [DECK_TEXTS.index(text) for text in top]
    states["bag"] = range(1, 55)
    deal(states[0])
    start = registry.load(GAME).position(states[0])
    assert [sorted(hand) for hand in start["hands"]] == [sorted(hand) for hand in expect["hands"]]
    assert (start["seat"], start["market"]) == (expect["start"], expect["market"])


def check_piles(block: Json) -> None:
    """r cards are left of r + 23 that were dealt: places counted from the top of the deck."""
    r, sizes = block["r"], block["expect"]["sizes"]
    for number, name in enumerate(("SA", "SB")):
        low, high = pile_places(number, r + 23, 23)
        assert [low - 23, high - 23] == block["expect"][name]
        assert high - low == sizes[1 + 2 * number]
        assert low - 23 == sum(sizes[: 1 + 2 * number]) + number


def check_payments(block: Json) -> None:
    """All payments of the tile with this price, found by playing all moves to the end of the purchase."""
    tile = box.PRICE.tolist().index(block["price"], 1)
    hand = [f"B{value}" for value in block["hand"]]
    core = at(depot=[tile, None, None, None], hands=[hand, [], []])
    core.play("buy 0")
    first = [int(text.split()[1]) for text in core.texts()]
    assert first == block["expect"]["first"]
    assert sorted(_payments(core)) == sorted(block["expect"]["payments"])


def _payments(core: Core) -> list[list[int]]:
    if core.position()["phase"] != "pay":
        return [[]]
    found = []
    for text in core.texts():
        after = core.copy()
        after.play(text)
        found += [[int(text.split()[1]), *rest] for rest in _payments(after)]
    return found


def check_city(block: Json) -> None:
    """The plain definition names the clause; a position is loaded if and only if its cities are legal."""
    board, expect = empty_board(), block["expect"]
    for x, y, tile in block["city"]:
        board[TILE, y + box.CENTRE, x + box.CENTRE] = box.STREETS[tile]
    clause = broken_clause(board)
    assert (clause == LEGAL) == expect["legal"]
    if not expect["legal"]:
        assert f"NY-{clause}" == expect["broken"]
        with pytest.raises(ValueError, match=expect["broken"]):
            owning(block["city"])


def check_cells(block: Json) -> None:
    cells = city_moves(putting(block["city"], block["tile"]), "at")
    assert [list(cell) for cell in cells] == block["expect"]


def check_swaps(block: Json) -> None:
    taken = [[x, y] for x, y, _ in block["city"]]
    cells = [list(cell) for cell in city_moves(building(block["city"], block["tile"]), "at")]
    assert [cell for cell in cells if cell in taken] == block["expect"]


def check_removable(block: Json) -> None:
    assert [list(cell) for cell in city_moves(owning(block["city"]), "remove")] == block["expect"]


def check_street(block: Json) -> None:
    assert decoded(owning(block["city"]), 0)["street"][0] == block["expect"]


def check_majority(block: Json) -> None:
    """The counts are written into the state, Dirk's as those of his heap."""
    counts, kind, expect = block["counts"], block["type"], block["expect"]
    players = 2 if "Dirk" in block["note"] else len(counts)
    deck = {"A": ["SA", "SB"], "B": ["SB"], "C": []}[block["scoring"]]
    core = at(players, deck=deck)
    for index, count in enumerate(counts):
        core.states["types"][0, index if index < players else box.DIRK, kind] = count
    scoring_changed(core.states[0])
    assert core.states["majority"][0, :players, kind].tolist() == expect[:players]
    assert [decoded(core, seat)["major_now"][0] for seat in range(players)] == expect[:players]
    assert expect[players:] == [_share(block["scoring"], kind, counts, 2)][: len(counts) - players]


def _share(scoring: str, kind: int, counts: list[int], index: int) -> int:
    """By the table of shares, for Dirk, who has no place in the state."""
    if index == len(counts):
        return 0
    above = sum(other > counts[index] for other in counts)
    return int(box.SHARE["ABC".index(scoring), kind, above, counts.count(counts[index])])


def check_legal(block: Json) -> None:
    core, expect = Core.at(GAME, block["state"]), block["expect"]
    assert core.seat == expect["seat"]
    assert core.legal() == list(zip(expect["index"], expect["legal"], strict=True))


def check_step(block: Json) -> None:
    core = Core.at(GAME, block["state"])
    decisions = core.play_all(block["moves"], block.get("shuffles", []))
    reached = {
        **core.position(),
        "seats": "".join(str(seat) for seat, _ in decisions),
        "legal": core.texts(),
        "over": core.seat is None,
    }
    for field, expected in block["expect"].items():
        assert unordered(field, reached[field]) == unordered(field, expected), field


def unordered(field: str, value: Any) -> Any:
    """Without the orders that mean nothing."""
    if field in ("hands", "cities", "reserves"):
        return [sorted(part) for part in value]
    return sorted(value) if field in ("bought", "dirk", "discard") else value


def check_places(block: Json) -> None:
    scores = block["scores"]
    core = at(len(scores), phase="over", scores=scores)
    assert core.seat is None
    assert core.places() == block["expect"]


ASKS = {
    "deal": Ask.of(check_deal, "players money_top", "hands start market"),
    "piles": Ask.of(check_piles, "r", "sizes SA SB"),
    "payments": Ask.of(check_payments, "price hand", "first payments"),
    "city": Ask.of(check_city, "city", "legal broken"),
    "cells": Ask.of(check_cells, "city tile"),
    "swaps": Ask.of(check_swaps, "city tile"),
    "removable": Ask.of(check_removable, "city"),
    "street": Ask.of(check_street, "city"),
    "majority": Ask.of(check_majority, "scoring type counts"),
    "legal": Ask.of(check_legal, "state", "seat legal index"),
    "step": Ask.of(
        check_step,
        "state moves shuffles",
        "market depot deck bag hands cities reserves bought dirk discard scores exact seat phase turns seats legal "
        "over",
    ),
    "places": Ask.of(check_places, "scores"),
    "replay": Ask.of(
        partial(check_replay, GAME),
        "players options setup moves shuffles",
        "seats legal_counts legal_sha256 scores places",
    ),
}


@pytest.mark.parametrize("block_id", WORKED)
def test_worked_position(block_id: str) -> None:
    check_block(WORKED[block_id], ASKS)


def test_no_worked_position_is_left_out() -> None:
    assert sorted(WORKED) == [f"NY-P{number:02}" for number in range(1, 89)]
    assert {block["ask"] for block in WORKED.values()} == set(ASKS)
    assert [block.get("data") for block in json_blocks(GAME) if "id" not in block] == ["new_york"]


def test_an_unknown_ask_or_an_unread_field_fails() -> None:
    for wrong in (
        {"id": "NY-P99", "ask": "riddle", "expect": []},
        {**WORKED["NY-P76"], "riddle": 1},
        {**WORKED["NY-P75"], "expect": {**WORKED["NY-P75"]["expect"], "riddle": 1}},
        {**WORKED["NY-P76"], "expect": [1, 2, 3, 4, 5]},
    ):
        with pytest.raises(AssertionError):
            check_block(wrong, ASKS)


def test_tables_are_those_of_the_rules() -> None:
    """Tiles, points, banks, cards: the data block of section 1.2, and the check sums below the table."""
    (data,) = [block for block in json_blocks(GAME) if "data" in block]
    streets = ["".join(side for i, side in enumerate("NESW") if box.STREETS[t] >> i & 1) or "-" for t in range(1, 55)]
    assert [[t, int(box.TYPE[t]), int(box.PRICE[t]), streets[t - 1]] for t in range(1, 55)] == data["tiles"]
    assert list(box.TYPES) == data["types"]
    for number, kind in itertools.product(range(3), range(6)):
        assert box.place_points(number, kind) == data["majority"]["ABC"[number]][kind]
    assert (list(box.BANK_LETTERS), list(range(1, box.VALUES + 1))) == (data["banks"], data["card_values"])
    assert (int(box.CARD_COPIES[2]), {int(n) for n in box.CARD_COPIES[3:]}) == (
        data["copies_2_players"],
        {data["copies"]},
    )
    assert int(box.PRICE.sum()) == 421
    assert np.bincount(box.TYPE[1:55]).tolist() == [7, 7, 9, 9, 11, 11]
    assert [sum(int(m) >> side & 1 for m in box.STREETS) for side in range(4)] == [20, 20, 20, 20]
    assert np.bincount([bin(m).count("1") for m in box.STREETS[1:55]]).tolist() == [10, 16, 20, 8]
