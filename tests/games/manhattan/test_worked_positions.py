"""The core against every worked position of manhattan_env/RULES.md, read from that file."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from manhattan_env import components as box
from skyline import registry
from skyline.core import engine
from tests.games.replays import check_replay
from tests.support.rule_cases import Ask, Core, Json, check_block, json_blocks, worked_positions

WORKED = worked_positions("manhattan")
CENTRE = 4  # printed and board square alike, from every side


def at(position: Json) -> Core:
    return Core.at("manhattan", position)


# ---------------------------------------------------------------- one function for each `ask`


def check_rotate(block: Json) -> None:
    """The table, and the squares that a seat on this side may build on."""
    for side, squares in block["expect"].items():
        assert box.BOARD[int(side)].tolist() == squares
        for card, square in enumerate(squares):
            hands = [[card] if seat == int(side) else [] for seat in range(4)]
            core = at({"players": 4, "turn": int(side), "hands": hands, "chosen": {side: [1]}})
            assert core.texts() == [f"build {city} {square} 1" for city in range(6)]


def check_sets(block: Json) -> None:
    """With a stock that holds every set, the SET moves are all of them in their order."""
    for size, expected in block["expect"].items():
        players = {"6": 4, "4": 3}[size]
        state = at({"players": players, "phase": "pick", "stock": {"0": [11, 6, 4, 3]}}).states
        texts = [registry.load("manhattan").move_text(state[0], number) for number in range(expected["count"])]
        assert registry.load("manhattan").actions(players).first("BUILD") == expected["count"]
        for number, heights in expected["at"].items():
            assert texts[int(number)] == f"take {heights}"


def check_legal(block: Json) -> None:
    core, expect = at(block["state"]), block["expect"]
    legal = core.legal()
    assert core.seat == expect["seat"]
    if "legal" in expect:
        assert legal == list(zip(expect["index"], expect["legal"], strict=True))
        return
    assert len(legal) == expect["count"]
    sets = range(core.game.actions(core.players).first("BUILD"))
    assert sorted(set(sets) - {action for action, _ in legal}) == expect["index_not_legal"]


def check_heights(block: Json) -> None:
    """One piece of each height is chosen; those that the tower's site takes are the answer."""
    players, colour = block["players"], block["colour"]
    seat, own = divmod(colour, int(box.OWN_COLOURS[players]))
    hands = [[CENTRE] if other == seat else [] for other in range(players)]
    core = at({
        "players": players, "turn": seat, "hands": hands, "chosen": {str(colour): [1, 2, 3, 4]},
        "towers": [[0, CENTRE, block["tower"]]],
    })  # fmt: skip
    label = f" c{own}" if players == 2 else ""
    fitting = [height for height in (1, 2, 3, 4) if f"build 0 {CENTRE} {height}{label}" in core.texts()]
    assert fitting == block["expect"]


def check_step(block: Json) -> None:
    core = at(block["state"]) if "state" in block else Core.start("manhattan", block["players"], block["setup"])
    decisions = core.play_all(block["moves"], block.get("shuffles", []))
    seats = "".join(str(seat) for seat, _ in decisions)
    reached = {**core.position(), "seat": core.seat, "seats": seats}
    for field, expected in block["expect"].items():
        assert unordered(field, reached[field]) == unordered(field, expected), field


def unordered(field: str, value: object) -> object:
    """Without the orders that mean nothing: in hands, chosen pieces and the list of towers."""
    match field, value:
        case "hands", list(hands):
            return [sorted(hand) for hand in hands]
        case "chosen", dict(chosen):
            return {colour: sorted(heights) for colour, heights in chosen.items()}
        case "towers", list(towers):
            return sorted(towers)
    return value


def check_score(block: Json) -> None:
    """A round that ends with a discard is scored with the towers as they stand."""
    players = block["players"]
    turn = players * int(box.TURNS[players]) - 1
    hands = [[]] * (players - 1) + [[0]]  # the marker lies with seat 0, so the last seat has the last turn
    core = at({"players": players, "turn": turn, "hands": hands, "deck": [0], "towers": block["towers"]})
    now = round_now(core)
    core.play("discard 0")
    assert core.scores == block["expect"]["seats"]
    if players == 2:
        assert now == block["expect"]["colours"]


def round_now(core: Core) -> list[int]:
    """What every colour would get, as seat 0 observes it."""
    table = core.game.observation(core.players)
    out = engine.observation_array(core.game, core.players)
    rows = seats = np.zeros(1, np.int64)
    engine.kernels(core.game).observe_some(core.states, rows, seats, out, engine.NO_SCALES)
    return [int(points) for points in table.decode(out[0])["round_now"]]


def check_places(block: Json) -> None:
    scores = block["scores"]
    core = at({"players": len(scores), "phase": "over", "scores": scores})
    assert core.seat is None
    assert core.places() == block["expect"]


ASKS = {
    "rotate": Ask.of(check_rotate, "", "0 1 2 3"),
    "sets": Ask.of(check_sets, "", "4 6"),
    "legal": Ask.of(check_legal, "state", "seat legal index count index_not_legal"),
    "heights": Ask.of(check_heights, "players tower colour"),
    "step": Ask.of(
        check_step,
        "state players setup moves shuffles",
        "phase round marker hands deck played stock chosen towers scores seat seats",
    ),
    "score": Ask.of(check_score, "players towers", "seats colours"),
    "places": Ask.of(check_places, "scores"),
    "replay": Ask.of(
        partial(check_replay, "manhattan"),
        "players setup moves shuffles",
        "seats legal_counts legal_sha256 scores places",
    ),
}


@pytest.mark.parametrize("block_id", WORKED)
def test_worked_position(block_id: str) -> None:
    check_block(WORKED[block_id], ASKS)


def test_no_worked_position_is_left_out() -> None:
    assert list(WORKED) == [f"MH-P{number:02}" for number in range(1, 36)]
    assert {block["ask"] for block in WORKED.values()} == set(ASKS)
    assert [block.get("data") for block in json_blocks("manhattan") if "id" not in block] == ["manhattan"]


def test_an_unknown_ask_or_an_unread_field_fails() -> None:
    for wrong in (
        {"id": "MH-P99", "ask": "riddle", "expect": []},
        {**WORKED["MH-P30"], "riddle": 1},
        {**WORKED["MH-P25"], "expect": {**WORKED["MH-P25"]["expect"], "riddle": 1}},
        {**WORKED["MH-P09"], "expect": [1, 2, 3, 4]},
    ):
        with pytest.raises(AssertionError):
            check_block(wrong, ASKS)


def test_component_counts_are_those_of_the_rules() -> None:
    (data,) = [block for block in json_blocks("manhattan") if "data" in block]
    assert {str(h): int(n) for h, n in enumerate(box.PIECES, 1)} == data["pieces_per_colour"]
    assert data["floors_per_colour"] == box.FLOORS_PER_COLOUR
    assert {str(card): box.CARDS_PER_SQUARE for card in range(box.SQUARES)} == data["cards"]
    assert sum(data["cards"].values()) == box.CARDS
    assert list(box.CITY_NAMES) == data["cities"]
    assert (data["colours"], data["squares_per_city"], data["hand"]) == (box.COLOURS, box.SQUARES, box.HAND)
