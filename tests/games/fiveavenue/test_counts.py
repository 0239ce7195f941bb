"""How many positions lie 1, 2, .. moves below fixed positions with fixed streams: core, oracle, pinned numbers."""

from __future__ import annotations

import pytest

from tests.games.fiveavenue.cases import FULL, GAME, TWO_BLOCKS, hands, lots_of
from tests.games.fiveavenue.oracle import Oracle
from tests.support.oracle_match import count_nodes
from tests.support.rule_cases import Core, Json, sized

Position = tuple[int, Json, Json, tuple[str, int], int, list[int]]

# name: (players, options, state, decision, random word, positions below at depth 1, 2, ..)
POSITIONS: dict[str, Position] = {
    # the last two of four start buildings; by hand 30 lots outside TS, then one less
    "start": (2, {"rings": "plain"}, {"lots": {"TS": {"brown": "0:1", "grey": "1:1"}}}, ("PLACE", 1), 3, [30, 870]),
    # a turn with every choice, the black stack shuffled in C and in D
    "turn": (
        3, {"rings": "plain"},
        {
            "row": TWO_BLOCKS, "commissions": {"white": "TS", "beige": "CP"}, "markers": {"beige": ["34W"]},
            "lots": {**lots_of(brown="0:1", grey="gallery"), "TS": {"violet": "1:2", "green": "boutique"}},
            "hands": hands("brown 64 black 5", "grey 5 black 6", "violet 4"), "closed": ["52E"],
            "stacks": {"brown": [4], "grey": [6, 4], "green": [5]}, "black": ["4d", "6u", "5u", "4u"],
        },
        ("TURN", 0), 5, [5, 65, 198, 694],
    ),
    # two players and Egon: raises, his draw with a shuffle, building, closing, Central Park
    "egon": (
        2, {"rings": "plain", "board": 6},
        {
            "phase": 3, "markers": {"white": ["34W"]}, "black": ["4d", "5u", "6u", "4u"], "stacks": {"grey": [5]},
            "lots": lots_of(brown="0:1", grey="E:1", violet="gallery", orange="1:1", green="boutique",
                            dashed="jeweller"),
            "hands": hands("brown 54 black 44", "orange 6 black 65"), "row": TWO_BLOCKS,
            "auction": {"commission": "white", "initiator": 1, "left": ["34W", "CP"]},
        },
        ("BID", 1), 7, [2, 6, 13, 30, 64, 201, 345],
    ),
    # a full district, then Central Park with four seats; the second closing ends the game
    "closing": (
        4, {"rings": "default"},
        {
            "phase": 3, "markers": {"beige": ["34W"]}, "lots": FULL, "closed": ["52W"], "cp": [1, 0, 2, 0],
            "supply": [9, 12, 9, 12],
            "hands": hands("orange 4 black 5", "green 6", "brown 54", "grey 65"), "park": ["gallery", "jeweller"],
            "auction": {"commission": "beige", "initiator": 2, "left": ["34W", "CP"]}, "row": TWO_BLOCKS,
        },
        ("BID", 2), 9, [3, 6, 11, 20, 29, 46, 74, 122],
    ),
    # the last shop of the game, and one that brings a bonus with it in the same block's row
    "last shop": (
        3, {"rings": "plain", "max_turns": 40},
        {
            "turn": 39, "placed": 10, "row": [["gallery", "boutique", "boutique"]], "park": ["jeweller", "gallery"],
            "lots": {"TS": {"brown": "0:1"}, "34W": {"grey": "1:1"}}, "cp": [0, 2, 0], "supply": [12, 9, 12],
            "closed": ["34E"],
            "stacks": {"violet": [4, 4], "orange": [6]},
        },
        ("TURN", 1), 11, [4, 63, 68, 394],
    ),
}  # fmt: skip

OUT = ["boutique", "jeweller", "perfumery"] * 3


LONG = ("start",)
EACH = [pytest.param(name, marks=[pytest.mark.ci] if name in LONG else []) for name in POSITIONS]


@pytest.mark.parametrize("name", EACH)
def test_counts_of_the_tree(name: str) -> None:
    players, options, fields, (kind, seat), stream, counts = POSITIONS[name]
    decision, state = {"kind": kind, "player": seat}, {"out": OUT, **fields}
    core = Core.at(GAME, {"players": players, "decision": decision, "stream": stream, **state}, options)
    oracle = Oracle.at({"players": players, "options": options, "state": state, "decision": decision})
    depth = sized(len(counts), min(5, len(counts)))
    assert count_nodes(core, oracle, depth) == counts[:depth]
