"""How many positions lie 1, 2, .. moves below fixed positions with fixed streams: core, oracle, pinned numbers."""

from __future__ import annotations

import pytest

from tests.games.manhattan.cases import full_stock, walls
from tests.games.manhattan.oracle import Oracle
from tests.support.oracle_match import count_nodes
from tests.support.rule_cases import Core, Json, sized

LOW_WALLS = [[city, 4, [[1 + city // 3, 1]] * 2] for city in range(6)]
FULL_3 = {"players": 3, "stock": full_stock(3)}

# name: (position, random word, positions below at depth 1, 2, ..)
POSITIONS: dict[str, tuple[Json, int, list[int]]] = {
    # the sets of the first two choosers
    "start": ({**FULL_3, "round": 1, "marker": 1, "phase": "pick", "picked": 0}, 5, [34, 1156]),
    # two turns, the second with the reshuffle; then the round is scored and three seats
    # choose; by hand: 5 sites, 6 sites * 2 heights, 3 sets, 3 sets, 8 or 5 sets as the 4 or the 2 was left unbuilt
    "round end": (
        {
            "players": 4, "round": 2, "marker": 0, "phase": "turn", "turn": 22, "deck": [4],
            "hands": [[], [], [0, 0, 0, 0], [8, 8, 8, 8]], "played": [[1, 2], [3], [5], [6, 7]],
            "chosen": {"2": [1], "3": [2, 4]}, "stock": {str(c): [4, 2, 1, 0] for c in range(4)},
            "towers": [[0, 8, [[1, 2]]], [1, 0, [[3, 3]]], [2, 6, [[2, 4]]]],
        }, 6, [5, 60, 180, 540, 3510],
    ),
    # both colours of a seat, towers of all colours, own and foreign
    "two players": (
        {
            "players": 2, "round": 3, "marker": 1, "phase": "turn", "turn": 3, "deck": [5, 6, 7],
            "hands": [[0, 4, 4, 8], [0, 3, 4, 8]], "played": [[2], [2, 0]],
            "chosen": {"0": [1, 3], "1": [2], "2": [1], "3": [4]},
            "towers": [[0, 0, [[0, 3]]], [1, 4, [[1, 2], [2, 2]]], [2, 8, [[3, 4]]], [3, 3, [[2, 1], [0, 2]]]],
        }, 7, [49, 2222],
    ),
    # seat 0 finds no site and discards, the others build little; the deck is made anew twice
    "discards": (
        {
            "players": 3, "round": 4, "marker": 0, "phase": "turn", "turn": 0, "deck": [0],
            "hands": [[0, 2, 4, 4], [6, 6, 6, 6], [8, 8, 8, 8]], "played": [[1], [], []],
            "chosen": {"0": [1, 1], "1": [2], "2": [1, 3]},
            "towers": [*walls((0,), (1,)), *walls((2,), (2,)), *LOW_WALLS],
        }, 8, [3, 18, 18, 48, 96],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", POSITIONS)
def test_counts_of_the_tree(name: str) -> None:
    position, stream, counts = POSITIONS[name]
    depth = sized(len(counts), min(2, len(counts)))
    core = Core.at("manhattan", {**position, "stream": stream})
    assert count_nodes(core, Oracle.at(position), depth) == counts[:depth]
