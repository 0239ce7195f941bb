"""The stories of New York's moves: who, what, where, how much, and nothing that the viewer does not see."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.games.newyork.cases import RING, at, building, owning, putting
from tests.games.newyork.views import whole_game
from tests.games.stories import check_story, told
from tests.support.rule_cases import Core, sized


def test_taking_and_the_refill() -> None:
    assert told(at(seat=1), "take B9") == "B takes B9; B8 comes into the market."
    core = at(market=["B1", "G2", "Y9", "R9"])
    assert told(core, "take B1 G2") == "A takes B1 and G2; B8 and G8 come into the market."


def test_a_purchase() -> None:
    hand = [["Y4", "Y5", "Y9"], [], []]
    core = at(hands=hand)
    assert told(core, "buy 2") == "A begins to buy tile 22 (station) for 9 with yellow cards."
    assert told(core.copy(), "pay 9") == "A pays tile 22 (station) exactly with Y9 and has another action."
    assert told(core, "pay 5") == "A lays Y5: 5 of 9 are paid for tile 22 (station)."
    assert told(core, "pay 4") == "A pays tile 22 (station) exactly with Y5 and Y4 and has another action."
    core = at(hands=[["B9"], [], []])
    assert told(core, "buy 0", "pay 9") == "A pays 9 with B9 for tile 7 (museum), price 8."
    assert told(core, "place 7") == "A places tile 7 (museum) next."


def test_a_further_card() -> None:
    core = at(hands=[["Y9", "Y2"], [], []])
    core.play_all(["buy 2", "pay 9"])
    assert told(core, "overpay 2") == "A pays Y2 on top, so that no further action follows."


def test_placing() -> None:
    refill = "tile {} comes into the depot"
    core = at(hands=[["B9"], [], []], bag=[20, 33], depot=[7, 14, 22, 31])
    for move in ("buy 0", "pay 9", "place 7"):
        core.play(move)
    bag = refill.format("20 (station)")
    assert told(core.copy(), "at 0 1") == f"A puts tile 7 (museum) at 0 1; {bag}."
    assert told(core.copy(), "reserve") == f"A keeps tile 7 (museum) in the reserve; {bag}."
    two = at(2, phase="put", tile=20, bought=[20], bag=[33, 40])
    assert told(two, "dirk") == "A gives tile 20 (station) to Dirk."
    assert told(putting(RING[:3], 24), "at -1 0").startswith(
        "A puts tile 24 (church) at -1 0, and the street is 12 long instead of 9"
    )


def test_developing_the_city() -> None:
    core = owning([[1, 0, 20]], reserves=[[54], [], []], bag=[1, 2, 3, 4, 5], depot=[None] * 4)
    assert told(core.copy(), "use 54") == "A takes tile 54 (skyscraper) out of the reserve to build it."
    assert told(core, "remove 1 0").startswith(
        "A moves tile 20 (station) from 1 0 into the reserve, and the street is 0 long instead of 1"
    )
    swap = building([[1, 0, 20]], 54, bag=[1, 2, 3, 4, 5])
    assert told(swap, "at 1 0").startswith("A builds tile 54 (skyscraper) at 1 0 in the place of tile 20 (station)")


def test_passing() -> None:
    core = at(market=[None] * 4, depot=[None] * 4, bag=[1, 2, 3, 4])
    assert told(core, "pass").startswith("A can do nothing and passes; B8, G8, Y8 and R8 come into the market")


def test_scorings() -> None:
    cities = [[[1, 0, 20]], []]
    core = at(2, deck=["SA", "B8", "G8", "SB"], cities=cities, dirk=[26], bag=[1, 2, 3])
    assert told(core, "take B9") == (
        "A takes B9; B8 comes into the market. The first scoring brings A 4, B 0 points; Dirk gets 3 tiles."
    )
    both = at(3, deck=["SA", "SB", "B8"], cities=[[[1, 0, 20]], [], []])
    assert told(both, "take B9") == (
        "A takes B9; B8 comes into the market. The first and second scorings bring A 15, B 0, C 0 points."
    )


def test_the_end() -> None:
    core = at(3, max_turns=1, depot=[7, None, None, None], bag=[], hands=[["G1"], ["B1"], []])
    assert told(core, "take Y9") == (
        "A takes Y9; B8 comes into the market. The last turn is over: B gets tile 7 (museum)."
    )
    assert told(core, "place 7", "reserve") == (
        "B keeps tile 7 (museum) in the reserve. The last scoring brings A 0, B 0, C 0 points."
    )
    alone = at(3, max_turns=1, depot=[7, None, None, None], bag=[], cities=[[[1, 0, 20]], [], []])
    assert told(alone, "take Y9") == (
        "A takes Y9; B8 comes into the market. The last turn is over: nobody gets a leftover tile. "
        "The last scoring brings A 19, B 0, C 0 points."
    )


def test_a_reshuffle_is_told() -> None:
    core = at(deck=[], discard=["G4"])
    assert told(core, "take B9") == "A takes B9; G4 comes into the market from the shuffled discards."


@pytest.mark.parametrize("players", [2, 4, 6])
def test_two_deals_that_look_the_same_have_the_same_stories(players: int) -> None:
    """Every move of a random game, told to every seat from copies with all that the seat does not see dealt again."""
    game = whole_game(players, 100 * players + 1)
    for number, (before, after) in enumerate(pairwise(game[: sized(10_000, 100)])):
        (action,) = [a for a in before.actions() if _leads_to(before, a, after)][:1]
        for viewer in range(players):
            check_story(before, action, after, viewer, number, most=300)


def _leads_to(before: Core, action: int, after: Core) -> bool:
    """Whether the action leads from one state to the other."""
    copy = before.copy()
    copy.step(action)
    return bool(np.array_equal(copy.states, after.states))
