"""How many positions lie 1, 2, .. moves below fixed positions with fixed streams: core, oracle, pinned numbers."""

from __future__ import annotations

import pytest

from tests.games.newyork.cases import BLOCK, RING, at
from tests.games.newyork.oracle import Oracle
from tests.support.oracle_match import count_nodes
from tests.support.rule_cases import Json, sized

CITY = [[1, 0, 20], [1, 1, 32], [2, 1, 39], [2, 0, 18], [-1, 0, 40], [0, -1, 42]]

# name: (position, positions below at depth 1, 2, ..)
POSITIONS: dict[str, tuple[Json, list[int]]] = {
    # takes with equal cards, purchases exact and not, a further card (NY-23), tiles placed, the next seat's turn
    "purchases": (
        {
            "players": 3, "hands": [["B8", "G9", "G1", "Y5", "Y4", "R9"], ["R9", "R1"], []], "stream": 5,
            "market": ["B1", "G2", "B1", "R9"], "discard": ["R2", "R3"],
        }, [9, 36, 137, 858],
    ),
    # reserve tiles used and swapped, tiles removed, around a gap and an inner street
    "building": (
        {
            "players": 3, "cities": [CITY, BLOCK, []], "reserves": [[54, 9, 44], [50], []], "stream": 6,
            "market": ["B9", None, None, None], "depot": [None, None, None, None], "bag": [1, 2, 3, 4],
        }, [7, 40, 236],
    ),
    # two players: Dirk, SA and SB in the refill, a reshuffle
    "dirk": (
        {
            "players": 2, "phase": "place", "bought": [40, 43], "depot": [None, None, 22, 31], "dirk": [50, 51],
            "market": ["B1", None, None, "R4"], "deck": ["SA", "G1", "SB"], "discard": ["R2", "R3", "R5"],
            "bag": [2, 3, 4, 5, 6], "cities": [[[1, 0, 23]], RING], "hands": [["B9"], ["Y9"]], "stream": 7,
        }, [2, 12, 12, 80, 80],
    ),
    # the last turn: leftovers for two seats
    "leftovers": (
        {
            "players": 4, "max_turns": 9, "turns": 8, "seat": 3, "hands": [["B5"], ["G5", "R9"], [], ["B1", "R1"]],
            "market": ["Y1", "Y2", "G2", "R3"], "cities": [[[1, 0, 23]], CITY, [], []], "depot": [7, 14, 50, 53],
            "stream": 8,
        }, [11, 11, 61, 82, 700],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", POSITIONS)
def test_counts_of_the_tree(name: str) -> None:
    position, counts = POSITIONS[name]
    depth = sized(len(counts), min(2, len(counts)))
    core = at(**position)
    given = core.position()
    del given["scoring_places"]
    assert count_nodes(core, Oracle.at(given), depth) == counts[:depth]
