"""How many positions lie 1, 2, .. moves below fixed positions with fixed streams: core, oracle, pinned numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.palazzo.cases import ALL_CARDS, PILE_3, hands
from tests.games.palazzo.oracle import Oracle
from tests.support.oracle_match import count_nodes
from tests.support.rule_cases import Core, Json, sized

KNIGHTS_BELOW = ["K"] * 5
DECK = ["B7", "C4", "A7"]
HELD = dict(Counter(ALL_CARDS) - Counter([*DECK, "A3", "B3", "C3", "2", "2"]))

# name: (position, random word, positions below at depth 1, 2, ..)
POSITIONS: dict[str, tuple[Json, int, list[int]]] = {
    # whole turns: money (two of three kinds, then the other seat), a draw with purchase or auction, a rebuilding;
    # by hand: 3, then the lower two of three cards, purchase or auction, and one split, removal and insertion
    "turn": (
        {
            "players": 2, "builder": 3, "depot": ["12b"], "quarries": [["13m"], [], [], []],
            "stack": ["31s", "42b", *KNIGHTS_BELOW], "deck": ["A4", "B5", "C6"],
            "hands": hands("A3 A7 B7 2", "C5"), "palaces": [["11b/23b", "41m"], ["51s"]],
        }, 5, [3, 7, 16, 36, 67, 105, 192, 419],
    ),
    # the deck is short by two cards: two of the discards come from the random word
    "reshuffle": (
        {
            "players": 4, "active": 2, "quiet": 38, "stack": [*KNIGHTS_BELOW], "deck": DECK,
            "discard": {"A3": 1, "B3": 1, "C3": 1, "2": 2}, "hands": [{}, {}, {}, HELD],
        }, 6, [2, 5, 12, 35, 72, 94],
    ),
    # three raise against each other with groups, certificates and a locked currency; the winner builds two tiles
    "auction": (
        {
            "players": 3, "decision": "BID", "player": 1, "builder": 1, "quarries": [[], ["22m", "31s"], [], []],
            "standing": [0, 9], "totals": [9, 4, 0], "locks": ["A", "B", None], "last": None, "singles": 0,
            "table": [{"A6": 1}, {"B4": 1}, {}], "hands": hands("A7 C7 2", "B7 C5 2 2", "A5 B5 C5 C7"),
            "stack": [*KNIGHTS_BELOW], "palaces": [[], ["11b", "11m"], ["22b"]],
        }, 7, [2, 5, 10, 17, 38, 73, 195, 424],
    ),
    # five tiles of four kinds are given out to two, each building what it took; by hand: 4, then 2 + 2 + 2 + 3
    "distribution": (
        {
            "players": 2, "decision": "CHOICE", "active": 1, "player": 1, "builder": 2,
            "quarries": [[], [], [], ["11s", "22s", "31b", "31b", "53m"]], "stack": [*KNIGHTS_BELOW],
            "palaces": [["21m", "32m"], ["12b/43b"]],
        }, 8, [1, 4, 9, 29, 79, 158, 158],
    ),
    # every way to spend a certificate or a card on two of three tiles, two of a kind among them, and to build them
    "purchase": (
        {
            "players": 2, "decision": "BUY", "depot": ["31b", "31b", "12m", "13s", "22b", "23m", "33s"],
            "hands": hands("A4 B4 C4 A3 2 2", ""), "stack": [*KNIGHTS_BELOW], "palaces": [["11m", "21m"], []],
        }, 9, [6, 22, 116, 217, 528],
    ),
    # by hand: 4 splits, 2 removals, 2 insertions with 3 and 2 targets; two cards to pay with (12 and 5 * 2); then
    # the other seat can only draw, which ends the game with two knights
    "rebuilding": (
        {
            "players": 2, "decision": "REBUILD", "quiet": 39, "knights": 3, "stack": ["K", "K", *PILE_3[:2]],
            "hands": hands("A3 2", ""), "palaces": [["11b", "21m", "31b/42m", "32s/43b/51m"], []],
        }, 10, [8, 17, 22, 10, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", POSITIONS)
def test_counts_of_the_tree(name: str) -> None:
    position, stream, counts = POSITIONS[name]
    depth = sized(len(counts), min(2, len(counts)))
    core = Core.at("palazzo", {**position, "stream": stream})
    oracle = Oracle.at(core.position())
    assert count_nodes(core, oracle, depth) == counts[:depth]
