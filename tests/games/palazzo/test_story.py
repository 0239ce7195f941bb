"""The stories of Palazzo's moves: who, what, where, how much, and nothing that the viewer does not see."""

from __future__ import annotations

import re

import numpy as np
import pytest

from skyline.rng import streams
from tests.games.palazzo.cases import at, bidding, building, hands, paying, rebuilding
from tests.games.palazzo.views import PALAZZO
from tests.games.stories import check_story, told
from tests.support.rule_cases import Core, sized
from tests.support.seeing import heuristic_actions


def test_drawing() -> None:
    core = at(3, ["12b", "43m", "K", "K"], player=1, active=1, hands=hands("2", "2", "2"))
    assert told(core.copy(), "draw") == "B draws 12b for the depot and 43m for quarry 3."
    assert told(at(2, ["K", "22s"]), "draw") == "A draws 22s for quarry 2 and knight 1 of 5."
    assert told(at(2, ["22s", "K"]), "draw") == "A draws 22s for the depot and knight 1 of 5."
    assert told(at(2, ["K", "K"]), "draw") == "A draws knights 1 and 2 of 5."


def test_the_end_tells_all_points() -> None:
    palaces = [["13b/21b/33b"], ["31b"]]
    assert told(at(2, ["K"], knights=4, palaces=palaces), "draw") == (
        "A draws knight 5 of 5. The fifth knight ends the game: A 10, B -5 points."
    )


def test_money() -> None:
    core = at(2, deck=["A3", "2", "2"], hands=hands("C7", "C7"))
    assert told(core, "money") == "A turns up the cards 2x2 and A3."
    assert told(core, "take 2") == "A takes 2 as the first of two cards."
    assert told(core, "take A3") == "A takes A3."
    assert told(core, "take 2") == "B takes 2."


def test_a_reshuffle_is_told() -> None:
    cards = ["2"] * 10 + [f"{letter}{value}" for letter in "ABC" for value in range(3, 8) for _ in range(3)]
    held = {card: cards.count(card) for card in set(cards) - {"B7", "C7"}}
    core = at(2, hands=[held, {}], discard={"B7": 3, "C7": 1}, deck=["C7", "C7"])
    assert re.fullmatch(
        r"A turns up the cards (B7|C7x2) and (B7|C7x2), after the discards were shuffled\."
        r"|A turns up the cards C7x3, after the discards were shuffled\.",
        told(core, "money"),
    )


def test_buying() -> None:
    depot = ["12b", "22s", "31m"]
    core = at(2, decision="CHOICE", depot=depot, hands=hands("A7 A7 2 2", ""))
    assert told(core, "buy") == "A wants to buy from the depot."
    assert told(core, "tile 12b") == "A chooses 12b in the depot."
    assert told(core.copy(), "stop") == "A buys only 12b for 7."
    assert told(core, "tile 31m") == "A buys 12b and 31m for 14."
    assert told(core, "add A7") == "A lays A7: 7 of 14 are paid."
    assert told(core, "add A7") == "A pays 14 for 12b and 31m, price 14, with A7x2."
    assert told(paying("2 2 2", 9), "add T2") == "A pays 15 for 11b, price 9, with 2x3."
    free = at(2, decision="BUY", depot=["11b", "11m", "11s", *["13b", "13m", "13s", "22b", "22m", "22s", "23b"]])
    assert told(free, "tile 11b", "stop") == "A buys only 11b for nothing."


def test_an_auction() -> None:
    core = at(3, decision="CHOICE", quarries=[[], ["23m", "32b"], [], []], hands=hands("A3", "A7", "C5"))
    assert told(core, "auction") == "A opens the auction of 23m and 32b on quarry 1 with the 3-certificate."
    assert told(core, "add A7") == "B lays A7: 7 in all, against the bid 3 of A."
    assert told(core, "bid") == "B bids 7 with A7."
    assert told(core.copy(), "pass") == "C passes; the bid 7 of B stands."
    assert told(core, "pass", "pass") == "A passes, and B wins 23m and 32b for 7, paid with A7."
    opener = bidding("A3", "B3")
    assert told(opener, "pass") == "B passes, and A wins 23m for 3, paid with the 3-certificate."
    raised = bidding("A3 A4", "B4", totals=[3, 0])
    assert told(raised, "add B4", "bid", "add A3", "bid") == "A bids 6 with A3 and the 3-certificate."
    assert told(at(2, decision="CHOICE"), "auction") == "A calls an auction, but no quarry has a tile."


def test_a_distribution() -> None:
    quarries = [[], ["11b", "22b", "32s", "53s"], [], []]
    core = at(2, decision="CHOICE", quarries=quarries)
    assert told(core, "auction") == "A gives out the 4 tiles of quarry 1: 11b, 22b, 32s and 53s."
    assert told(core, "tile 22b") == "A takes 22b from quarry 1."
    assert told(core, "build 22b new") == "A begins a palace with 22b, which costs 5 points."
    assert told(core, "tile 11b", "build 11b scrap") == (
        "B throws 11b away; 32s and 53s, left on quarry 1, leave the game."
    )


def test_building() -> None:
    core = building(["11b", "12b/22b"], "33b", "43s")
    assert told(core, "build 33b on 12b/22b") == "A builds 33b on 12b/22b, which brings 10 points."
    assert told(core, "build 43s on 11b") == "A builds 43s on 11b, which brings 5 points."


def test_rebuilding() -> None:
    core = rebuilding("11b/32m", "23s")
    assert told(core.copy(), "split 11b/32m 32m") == "A wants to split 32m off 11b/32m."
    assert told(core.copy(), "split 11b/32m 32m", "pay A3") == (
        "A pays A3 to split 32m off 11b/32m, which costs 10 points."
    )
    assert told(core.copy(), "insert 23s") == "A wants to insert 23s into another palace."
    assert told(core.copy(), "insert 23s", "into 11b/32m") == "A wants to insert 23s into 11b/32m."
    assert told(core.copy(), "remove 23s") == "A wants to remove 23s."
    assert told(core, "remove 23s", "pay A3") == "A pays A3 to remove 23s, which brings 5 points."
    assert told(at(2, palaces=[["11b"], []], hands=hands("2", "")), "rebuild") == "A begins to rebuild."


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_deals_that_look_the_same_have_the_same_stories(players: int) -> None:
    """Every move of a random game, told to every seat from copies with all that the seat does not see dealt again."""
    for seed in range(sized(2, 1)):
        core, stream, rng = Core.deal("palazzo", players, seed), streams(1, seed), np.random.default_rng(seed)
        number = 0
        while core.seat is not None and number < sized(10_000, 150):
            before = core.copy()
            by_chance = rng.integers(2) == 0
            action = (
                int(rng.choice(core.actions())) if by_chance else heuristic_actions(PALAZZO, core.states, stream)[0]
            )
            core.step(action)
            number += 1
            for viewer in range(players):
                check_story(before, action, core, viewer, number, most=200)
