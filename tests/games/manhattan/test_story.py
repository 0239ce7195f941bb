"""The story of a move in Manhattan: who, what, where, what was drawn and scored; nothing that a seat does not see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.manhattan.cases import DECISIONS, PLAYERS, at, full_stock, last_turn, next_set
from tests.games.manhattan.views import played
from tests.games.stories import told
from tests.support.rule_cases import Core, quick
from tests.support.seeing import SEEDS, determinized

CAIRO_2 = [[1, 2, [[1, 3]]]]  # a tower of colour 1, 3 floors high, on square 2 of Cairo


def building(players: int = 3, towers: object = CAIRO_2, seat: int = 0) -> Core:
    """The seat has cards for its board square 2 and a piece of height 3 of each of its colours, and draws square 4."""
    card = {0: 2, 1: 8 if players > 2 else 6, 2: 6}[seat]
    hands = [[card] * 4 if p == seat else [0] for p in range(players)]
    own = range(2 * seat, 2 * seat + 2) if players == 2 else [seat]
    return at(players, turn=seat, hands=hands, deck=[4, 4], towers=towers, chosen={str(c): [3] for c in own})


def test_a_set_is_told() -> None:
    core = at(4, phase="pick", stock=full_stock(4))
    assert told(core, "take 1 1 2 2 2 4") == "A chooses pieces: 2 of height 1, 3 of height 2 and 1 of height 4."
    core = at(2, phase="pick", picked=1, stock=full_stock(2))
    assert told(core, "take c1 1 1 1 1") == "A chooses pieces of its colour A': 4 of height 1."


def test_a_build_tells_the_place_the_tower_and_to_its_owner_the_card() -> None:
    story = "A builds height 3 on square 2 of Cairo"
    assert told(building(), "build 1 2 3", seat=1) == f"{story} and takes the tower of 6 floors from B."
    full = f"{story}, takes the tower of 6 floors from B and draws a card for square 4."
    assert told(building(), "build 1 2 3", seat=0) == full
    assert told(building(), "build 1 2 3") == full
    own = [[1, 2, [[0, 4]]]]
    assert told(building(towers=own), "build 1 2 3", seat=2) == f"{story} and raises its tower there to 7 floors."
    assert told(building(towers=[]), "build 5 2 3", seat=2) == "A builds height 3 on the empty square 2 of Hong Kong."


def test_cards_are_told_as_board_squares() -> None:
    """Seat 1 of three sits at side 1, where the printed square 1 means the board square 5."""
    core = at(3, turn=1, hands=[[], [8], [0]], deck=[1], chosen={"1": [1]})
    assert told(core, "build 0 6 1", seat=1).endswith("and draws a card for square 5.")


def test_the_second_colour_has_its_own_name() -> None:
    story = told(building(2), "build 1 2 3 c1", seat=1)
    assert story == "A builds height 3 of A' on square 2 of Cairo and raises its tower there to 6 floors."
    story = told(building(2), "build 1 2 3 c0", seat=1)
    assert story == "A builds height 3 of A on square 2 of Cairo and takes the tower of 6 floors from A'."


def test_a_discard_and_a_shuffle_are_told() -> None:
    core = at(3, turn=0, hands=[[5] * 4, [0], []], played=[[1], [2, 2], []], chosen={})
    story = told(core, "discard 5", seat=1)
    assert story == (
        "A can build nothing and discards a card for square 5. "
        "The draw deck was empty: the 4 played cards are shuffled into a new one."
    )


def test_a_round_and_the_end_are_told() -> None:
    core = last_turn(3, towers=CAIRO_2, round=2, scores=[1, 2, 3], stock=next_set(3))
    assert told(core, "discard 4", seat=0).endswith("Round 2 is scored: A 0, B 6, C 0 points.")
    core = last_turn(3, towers=CAIRO_2, round=6, scores=[8, 2, 3])
    story = told(core, "discard 4", seat=0)
    assert story.endswith(
        "Round 6 is scored: A 0, B 6, C 0 points. The game is over: A and B share the win with 8 points."
    )


@pytest.mark.parametrize("players", PLAYERS)
def test_points_of_the_stories_are_the_scores(players: int) -> None:
    """Over a whole game the points told for every seat are its score."""
    core, rng, points = played(players, 5, 0), np.random.default_rng(3), np.zeros(players, int)
    for _ in range(DECISIONS[players]):
        story = told(core, rng.choice(core.texts()))
        assert story[0] in "ABCD"[:players] and story.isascii() and story.endswith(".")
        if "is scored:" in story:
            parts = story.split("is scored: ")[1].split(" points")[0].split(", ")
            points += [int(part.split()[1]) for part in parts]
    assert core.seat is None
    assert points.tolist() == core.scores


@quick
@given(st.sampled_from(PLAYERS), SEEDS, st.data())
def test_a_story_tells_nothing_that_the_viewer_does_not_see(players: int, seed: int, data: st.DataObject) -> None:
    """Two deals that look the same before the move and after it give one story."""
    core = played(players, seed, data.draw(st.integers(0, DECISIONS[players] - 1)))
    before, action = core.states.copy(), data.draw(st.sampled_from(core.actions()))
    core.play_action(action)
    for viewer in range(players):
        story = core.game.story(before[0], action, core.states[0], viewer)
        one, other = Core(core.game, before), Core(core.game, core.states)
        was, became = determinized(one, viewer, seed)[0], determinized(other, viewer, seed + 1 & 2**64 - 1)[0]
        assert core.game.story(was, action, became, viewer) == story
