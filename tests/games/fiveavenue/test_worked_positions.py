"""The core against every worked position and whole game of fiveavenue_env/RULES.md, read from that file."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from fiveavenue_env import components as box
from tests.games.fiveavenue.cases import BLACK, BLOCKS, COLOURED, GAME, SUCCESSORS
from tests.support.rule_cases import Ask, Core, Json, check_block, json_blocks, worked_positions

WORKED = worked_positions(GAME)
PARTS = ("stacks", "auction", "final")  # of these only what is named is compared


def start_of(block: Json) -> Core:
    """The core before the first move: from a setup (or the setup of another block) or from a state."""
    players, options = block["players"], block["options"]
    if "state" in block:
        position = {"players": players, "decision": block["decision"], **block["state"]}
        return Core.at(GAME, position, options)
    setup = block["setup"]
    return Core.start(GAME, players, WORKED[setup]["setup"] if isinstance(setup, str) else setup, options)


def reached(core: Core) -> Json:
    """Everything an `expect` object may ask for."""
    position = core.position()
    return {
        **position,
        "legal": core.texts(),
        "hand_sizes": [sum(map(len, hand.values())) for hand in position["hands"]],
        "places": core.places() if position["over"] else None,
    }


def check_expected(core: Core, expect: Json) -> None:
    found = reached(core)
    for field, expected in expect.items():
        if field == "legal_with_prefix":
            prefixed = {prefix: [t for t in found["legal"] if t.startswith(prefix)] for prefix in expected}
            assert prefixed == expected
        elif field == "lots":
            assert {d: {name: found["lots"][d][name] for name in lots} for d, lots in expected.items()} == expected
        elif field in PARTS:
            assert {name: found[field][name] for name in expected} == expected, field
        elif field == "closed":  # their order means nothing
            assert sorted(found[field]) == sorted(expected)
        else:
            assert found[field] == expected, field


def check_position(block: Json) -> None:
    core = start_of(block)
    assert core.position()["decision"] == block["decision"]
    core.play_all(block.get("moves", []), block.get("shuffles", []))
    check_expected(core, block["expect"])


def check_game(block: Json) -> None:
    core = start_of(block)
    shuffles, who, lists = list(block["shuffles"]), "", []
    for number, move in enumerate(block["moves"], 1):
        who += str(core.seat)
        lists.append(core.texts())
        due = [{"deck": s["deck"], "order": s["order"]} for s in shuffles if s["after"] == number]
        core.play(move, due)
        core.check()
    assert all(1 <= shuffle["after"] <= len(lists) for shuffle in shuffles)
    assert who == block["who"]
    assert [len(texts) for texts in lists] == block["legal_counts"]
    assert zlib.crc32("\n".join("|".join(texts) for texts in lists).encode("ascii")) == block["legal_crc32"]
    check_expected(core, block["expect"])


EXPECT = (
    "legal legal_with_prefix decision over places hand_sizes final lots stacks auction scores reserve supply cp closed"
    " commissions markers row park placed turn hands black"
)
KINDS = {
    "position": Ask.of(check_position, "players options state setup decision moves shuffles", EXPECT),
    "game": Ask.of(check_game, "players options setup moves who legal_counts legal_crc32 shuffles", EXPECT),
}


def check(block: Json) -> None:
    check_block({**block, "ask": "game" if "who" in block else "position"}, KINDS)


@pytest.mark.parametrize("block_id", WORKED)
def test_worked_position(block_id: str) -> None:
    check(WORKED[block_id])


def test_no_worked_position_is_left_out() -> None:
    assert set(WORKED) == {*(f"FA-W{n:02}" for n in range(1, 89)), *(f"FA-G{n}" for n in range(1, 4))}
    assert len(json_blocks(GAME)) == len(WORKED)


def spoiled(expected: Any) -> Any:
    """Another value of the same shape."""
    if isinstance(expected, bool):
        return not expected
    if isinstance(expected, list):
        return [*expected, "more"]
    if isinstance(expected, dict):
        first = next(iter(expected))
        return {**expected, first: spoiled(expected[first])}
    return expected + 1 if isinstance(expected, int) else f"not {expected}"


@pytest.mark.parametrize("field", EXPECT.split())
def test_every_kind_of_expectation_is_compared(field: str) -> None:
    block = next(block for block in WORKED.values() if field in block["expect"])
    with pytest.raises(AssertionError):
        check({**block, "expect": {field: spoiled(block["expect"][field])}})


def test_an_unknown_field_fails() -> None:
    block = WORKED["FA-W07"]
    for wrong in ({"riddle": 1}, {"expect": {"riddle": 1}}):
        with pytest.raises(AssertionError):
            check({**block, **wrong})
    with pytest.raises(KeyError):
        check({**WORKED["FA-W35"], "expect": {"auction": {"riddle": 1}}})
    with pytest.raises(ValueError, match="riddle"):
        check({**block, "state": {**block["state"], "riddle": 1}})


def test_component_counts_are_those_of_the_rules() -> None:
    """Section 1: cards, shops, blocks, buildings, tables, ways."""
    assert (box.CARD_COPIES.sum(), box.STACK, box.BLACK_STACK) == (110, 12, 50)
    assert box.CARD_COPIES.reshape(6, 3).tolist() == [[5, 4, 3]] * 5 + [[20, 16, 14]]
    assert [COLOURED.count(v) for v in (4, 5, 6)] + [BLACK.count(v) for v in (4, 5, 6)] == [5, 4, 3, 20, 16, 14]
    assert (box.SHOPS, box.SHOPS_A_KIND, box.ROW_TILES, box.TILES_OUT) == (36, 9, 20, 9)
    assert tuple(box.BLOCK_SIZE) == BLOCKS
    assert (box.BUILDINGS, box.RESERVE, box.SUPPLY, box.MARKERS, box.CLOSINGS) == (17, 3, 12, 3, 2)
    assert (box.LOT_POINTS.tolist(), box.PARK_POINTS.tolist()) == ([1, 2, 3, 5, 8], [1, 2, 3, 5])
    names = box.NODE_NAMES
    assert {names[i]: {names[j] for j in after} for i, after in enumerate(box.SUCCESSORS)} == SUCCESSORS
