"""The story of a move in Fifth Avenue: who, what, where, how much, chance and scoring; nothing a seat does not see."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyline.rng import streams
from tests.games.fiveavenue.cases import BOARDS, FULL, PLAYERS, at, bid, bidding, hands, last_bidder, lots_of, new_game
from tests.games.fiveavenue.views import MOVES, deal, played
from tests.games.stories import told
from tests.support.rule_cases import Core, quick
from tests.support.seeing import SEEDS, determinized, heuristic_actions

STACK = {"brown": [5, 4], "grey": [6]}
BLACK_FIELDS = ("black", "black_top", "black_end", "black_above")


def test_start_buildings_and_choices_of_a_turn_are_told() -> None:
    core = new_game(3)
    d, c = core.texts()[0].split()[1:]
    assert told(core, f"place {d} {c}") == f"A places a start building on the {c} lot of {d}."
    assert told(at(seat=1, stacks=STACK), "A") == "B moves 3 buildings from its supply to its reserve."
    assert told(at(seat=1), "B gallery") == "B takes a gallery from the row to place it."


def test_drawn_cards_are_told_to_their_owner() -> None:
    assert told(at(black=["5d", "4d"], stacks=STACK), "C") == "A draws black 5."
    assert told(at(black=["5d", "4d"], stacks=STACK), "C", seat=0) == "A draws black 5."
    assert told(at(black=["5d", "4d"], stacks=STACK), "C", seat=1) == "A draws 1 black card."
    assert told(at(stacks=STACK), "C") == "A would draw a card, but the black stack is empty."
    assert (
        told(at(black=["5d", "4u"], stacks=STACK), "C", seat=1) == "A draws 1 black card. The black stack is shuffled."
    )


def test_a_scoring_is_told_with_points_and_draws() -> None:
    lots = lots_of(brown="0:2", grey="gallery", violet="1:3")
    fields = {"lots": lots, "commissions": {"white": "34W"}, "black": ["4d", "5d", "6d", "4d", "4d"]}
    scored = "A has 34W scored: A 4, B 6, C 0 points."
    assert told(at(**fields), "D 34W") == f"{scored} A draws black 5, 4 and C draws black 6."
    assert told(at(**fields), "D 34W", seat=2) == f"{scored} A draws 2 black cards and C draws black 6."
    assert told(at(**{**fields, "black": []}), "D 34W").endswith("Nobody draws a card: the black stack is empty.")


def test_shops_and_bonuses_are_told() -> None:
    core = at("SHOP", shop="gallery", row=[["boutique"], ["jeweller", "gallery"]], placed=2, stacks=STACK)
    assert told(core, "shop TS green") == (
        "A places the gallery on the green lot of TS. The last shop of the block, a boutique, becomes a park tile. "
        "3 shops are placed, which brings a bonus: A 0, B 0, C 0 points."
    )
    lots = {d: {"brown": "1:1"} for d in ("34W", "34E", "42W")}
    core = at("SHOP", shop="gallery", row=[["boutique"] * 2], placed=2, lots=lots, stacks=STACK)
    assert "A 0, B 4, C 0 points" in told(core, "shop TS green")


def test_takes_and_moves_are_told() -> None:
    assert told(at("TAKE", stacks=STACK), "take brown grey") == "A takes brown 5 and grey 6."
    assert told(at("TAKE", stacks={"grey": [4]}), "take grey") == "A takes grey 4."
    core = at("MOVE", 2, commissions={"white": "34W"})
    assert told(core, "move white TS") == "C moves the white commission from 34W to TS and leaves a marker in 34W."
    core = at("MOVE", 2, commissions={"white": "CP"}, markers={"white": ["34W", "TS"]}, hands=hands("", "", ""))
    assert told(core, "move white START") == (
        "C moves the white commission from Central Park to START. Its auctions begin: 34W, TS and Central Park."
    )


def test_bids_and_their_ends_are_told() -> None:
    core = bidding("brown 64 black 5", "brown 5", "", then=["TS"], black=["4d"] * 3)
    assert told(core, "add brown 6") == "A lays brown 6 and has laid 6 in all."
    core.play_all(["add brown 4", "add black 5"])
    assert told(core, "bid") == "A bids 15 for 34W with brown 6, 4 and black 5."
    assert told(core, "pass") == "B passes in the auction for 34W."
    assert told(core, "pass") == "C passes in the auction for 34W. A wins the auction."
    assert told(core, "build 1") == "A builds 1 building on the brown lot of 34W. The auction for TS begins."
    assert told(core, "pass") == "A passes in the auction for TS."
    core.play("pass")
    assert told(core, "pass") == (
        "C passes in the auction for TS. Nobody has bid for TS. The auction for Central Park begins."
    )


def test_a_pass_after_a_bid_takes_cards_back() -> None:
    core = bidding("brown 4", "brown 6", "", black=["4d"] * 3)
    core.play_all([*bid("brown 4"), *bid("brown 6"), "pass"])
    assert told(core, "pass").startswith("A passes in the auction for 34W and takes back the cards it has laid. B wins")


def test_black_cards_of_the_winner_are_shuffled_into_an_empty_stack() -> None:
    core = bidding("brown 4 black 4", "", "")
    core.play_all([*bid("brown 4 black 4"), "pass"])
    assert told(core, "pass", seat=1).endswith("A wins the auction. The black stack is shuffled.")


def test_egon_is_told() -> None:
    core = bidding("brown 65", "", black=["4d", "5d", "4d", "6d", "6d"], then=["TS"])
    core.play_all(bid("brown 65"))
    assert told(core, "pass") == ("B passes in the auction for 34W. Egon turns up 4, 5 and 4, 13 in all, and leads.")
    lost = told(core, "pass")
    assert lost.startswith(
        "A passes in the auction for 34W and takes back the cards it has laid. Egon wins the auction"
    )
    assert lost.endswith(
        "and builds on the brown, grey, violet, orange and green lots of 34W. The auction for TS begins."
    )
    core = bidding("brown 65", "", black=["4d", "4d"])
    core.play_all(bid("brown 65"))
    assert "Egon turns up 4 and 4, 8 in all, and does not lead. A wins the auction." in told(core, "pass")
    core = bidding("", "")
    core.play("pass")
    assert "Egon turns up no card and does not lead. Nobody has bid for 34W." in told(core, "pass")


def test_egons_cards_after_a_shuffle_are_told() -> None:
    """The second card is the first one of the shuffled stack."""
    core = bidding("", "", black=["4d", "6u", "6u"], where="CP")
    core.play("pass")
    story = told(core, "pass", seat=0)
    assert "Egon turns up 4, 6 and 6, 16 in all, and leads. Egon wins the auction, but builds nothing" in story
    assert story.endswith("The round of auctions is over. The black stack is shuffled.")


def test_closings_and_the_end_are_told() -> None:
    core = last_bidder("orange 4", lots=FULL, then=["TS"])
    core.play_all(bid("orange 4"))
    assert told(core, "close").startswith("A closes 34W: A 4, B 1, C 1 points. The auction for TS begins.")
    core = at("MOVE", 2, scores=[4, 9, 9], hands=hands("", "grey 4", ""), turn=200, cp=[1, 0, 0], park=["gallery"] * 4)
    assert told(core, "move white 34W") == (
        "C moves the white commission from START to 34W. The game ends, because it was the last turn. "
        "Turned up park tiles: gallery, gallery, gallery. The districts bring A 0, B 0, C 0 points. "
        "Central Park brings A 2, B 0, C 0 points. B wins with 9 points."
    )


@pytest.mark.parametrize("players", PLAYERS)
def test_points_of_the_stories_are_the_scores(players: int) -> None:
    """Over a whole game the points told for every seat are its score."""
    core, rng, points, stream = deal(players, 5), np.random.default_rng(3), np.zeros(players, int), streams(1, 5)
    while core.seat is not None:
        by_chance = rng.integers(2)
        action = rng.choice(core.actions()) if by_chance else heuristic_actions(core.game, core.states, stream)[0]
        story = told(core, core.game.move_text(core.states[0], int(action)))
        assert story[0] in "ABCD"[:players]
        assert story.isascii()
        assert story.endswith(".")
        for part in re.findall(r"((?:[A-D] \d+(?:, )?)+) points", story):
            if part.count(",") == players - 1:
                points += [int(word.split()[1]) for word in part.split(", ")]
    assert points.tolist() == core.scores


@quick
@given(st.sampled_from(PLAYERS), st.sampled_from(BOARDS), SEEDS, st.booleans(), st.data())
def test_a_story_tells_nothing_that_the_viewer_does_not_see(
    players: int, board: int, seed: int, heuristic: bool, data: st.DataObject
) -> None:
    """Two deals that look the same before the move and after it give one story.

    The cards that Egon turns up are seen by all in the move itself, and by nobody after it: where he draws, the black
    stack is not dealt anew.
    """
    core = played(players, seed, data.draw(st.integers(0, MOVES[players] // 2)), board, heuristic)
    for _ in range(8):
        before, action = core.states.copy(), data.draw(st.sampled_from(core.actions()))
        core.play_action(action)
        for viewer in range(players):
            one, other = Core(core.game, before), Core(core.game, core.states)
            was, became = determinized(one, viewer, seed), determinized(other, viewer, seed + 1 & 2**64 - 1)
            story = core.game.story(before[0], action, core.states[0], viewer)
            if "Egon turns up" in story:
                for name in BLACK_FIELDS:
                    was[name] = before[name]
                for name in ("orders", "order_n"):
                    became[name] = core.states[name]
            assert core.game.story(was[0], action, became[0], viewer) == story
        if core.seat is None:
            break
