"""What a Manhattan position or setup may not say: it is refused with the place, and nothing reaches the core."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from manhattan_env.game import GAME
from skyline.game import BrokenState
from skyline.record import position_of
from tests.games.manhattan.cases import PLAYERS, at, walls
from tests.support.odd_positions import check_mutants
from tests.support.rule_cases import Core, sized


def real(players: int = 4, moves: int = 60) -> dict[str, Any]:
    """A position of a game of first legal moves."""
    core = Core.deal("manhattan", players, 1)
    for _ in range(moves):
        core.play_action(core.actions()[0])
    return json.loads(json.dumps(position_of(GAME, core.states[0])))


def refused(position: dict[str, Any]) -> str:
    """The refusal of a position."""
    with pytest.raises(ValueError, match=r"^position") as error:
        Core.at("manhattan", position)
    return str(error.value)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("marker", 4, "position.marker: a whole number 0 .. 3, not 4"),
        ("marker", True, "position.marker: a whole number 0 .. 3, not True"),
        ("round", 0, "position.round: a whole number 1 .. 4, not 0"),
        ("phase", "set", "position.phase: one of pick, turn, over, not 'set'"),
        ("phase", ["turn"], "position.phase: one of pick, turn, over, not a list of 1"),
        ("turn", 24, "position.turn: a whole number 0 .. 23, not 24"),
        ("scores", [0, 0, 0], "position.scores: a list of 4, not a list of 3"),
        ("scores", [0, 0, 0, 2**63], "position.scores[3]: a whole number 0 .. 468"),
        ("hands", [[0] * 5, [], [], []], "position.hands[0]: a list of at most 4, not a list of 5"),
        ("hands", [[], [1.0], [], []], "position.hands[1][0]: a whole number 0 .. 8, not 1.0"),
        ("hands", {"0": []}, "position.hands: a list of 4, not an object with 1 fields"),
        ("deck", "0123", "position.deck: a list of at most 45, not '0123'"),
        ("played", [[], [], [[]], []], "position.played[2][0]: a whole number 0 .. 8, not a list of 0"),
        ("stock", {"4": [0, 0, 0, 0]}, "position.stock: there is no field '4'; the fields are 0, 1, 2, 3"),
        ("stock", {"٣": [0, 0, 0, 0]}, "position.stock: there is no field"),
        ("stock", {"0": [12, 0, 0, 0]}, "position.stock['0'][0]: a whole number 0 .. 11, not 12"),
        ("chosen", {"0": [1] * 7}, "position.chosen['0']: a list of at most 6, not a list of 7"),
        ("towers", [[0, 0]], "position.towers[0]: a list of 3, not a list of 2"),
        ("towers", [[0, 0, []]], "position.towers[0][2]: a list of 1 .. 96, not a list of 0"),
        ("towers", [[0, 0, [[0, 1]]]] * 2, "the tower of city 0, square 0 twice"),
        ("towers", [[0, 9, [[0, 1]]]], "position.towers[0][1]: a whole number 0 .. 8, not 9"),
        ("towers", [[0, 0, [[0, None]]]], "position.towers[0][2][0][1]: a whole number 1 .. 4, not None"),
        ("tower", [], "position: there is no field 'tower'; the fields are .*; did you mean 'towers'?"),
    ],
    ids=str,
)
def test_a_wrong_value_is_refused_with_its_place(field: str, value: Any, says: str) -> None:
    start, _, end = says.partition(".*")
    assert (text := refused({**real(), field: value})).startswith(start) or start in text
    assert end in text


def test_pieces_are_counted_over_the_whole_position() -> None:
    """Towers of 96 pieces and more in stock: the next building would be written behind the array of 96."""
    pieces = [[colour, height] for colour in range(4) for height in [1] * 11 + [2] * 6 + [3] * 4 + [4] * 3]
    full = {"players": 4, "hands": [[0], [], [], []], "towers": [[0, 4, pieces]]}
    assert at(**full).states["built_size"][0] == 96
    for more in ({"chosen": {"0": [1]}}, {"stock": {"0": [1, 0, 0, 0]}}):
        assert "the whole position holds height 1 of colour 0 12 times (there are 11)" in refused({**full, **more})
    assert "height 4 of colour 0 6 times (there are 3)" in refused(
        {"players": 2, "hands": [[0], []], "towers": [[c, 0, [[0, 4]]] for c in range(6)]}
    )
    assert at(4, hands=[[0], [], [], []], towers=walls((2, 4, 6), (0, 2, 3))).actions()


def test_cards_are_counted_over_the_whole_position() -> None:
    position = real()
    card = position["deck"][0]
    other = next(other for other in range(9) if other != card)
    position["deck"] = [other if found == card else found for found in position["deck"]]
    assert f"the whole position holds the card {other} " in refused(position)
    assert "the whole position holds the card 8 6 times (there are 5)" in refused(
        {"players": 2, "hands": [[8] * 4, [8]], "played": [[], [8]]}
    )


def test_a_colour_that_has_not_chosen_has_no_chosen_pieces() -> None:
    """Its set would replace them."""
    stock = {str(c): [11, 6, 4, 3] for c in range(4)}
    position = {"players": 4, "phase": "pick", "marker": 2, "picked": 1, "stock": {**stock, "2": [5, 6, 4, 3]}}
    assert at(**position, chosen={"2": [1] * 6}).seat == 3
    for colour in "013":
        assert f"position.chosen['{colour}']: this colour has no chosen" in refused(
            {**position, "chosen": {colour: [1]}}
        )


def test_a_whole_position_can_be_played_to_its_end() -> None:
    late = real(4, 100)
    assert "position.stock: colour 0 has" in refused({**late, "round": 1})
    position = real()
    position["deck"].append(position["hands"][3].pop())
    assert "all 45 cards are there, so seat 3 holds 4 of them, not 3" in refused(position)


@pytest.mark.parametrize("players", PLAYERS)
def test_mutants_are_refused_or_played_to_their_end(players: int) -> None:
    refused_ones, loaded = check_mutants("manhattan", players, players, sized(600, 40))
    assert refused_ones > 5 * loaded / 2 > 0


# ---------------------------------------------------------------- setups, shuffles and states


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ({"start": 0}, "setup: the field 'deck' is missing"),
        ({"start": 0, "deck": [0] * 45}, "setup.deck: each of the squares 0 .. 8 stands 5 times"),
        ({"start": 0, "deck": [0] * 46}, "setup.deck: a list of at most 45, not a list of 46"),
        (None, "setup: an object"),
    ],
    ids=range(4),
)
def test_a_wrong_setup_is_refused(setup: Any, says: str) -> None:
    with pytest.raises(ValueError, match=r"^setup") as error:
        GAME.from_setup(GAME.blank(3)[0], setup)
    assert str(error.value).startswith(says)


SHUFFLED = {"players": 3, "turn": 0, "hands": [[0, 1, 2, 3], [4], [5]], "played": [[6], [7], [8]]}


@pytest.mark.parametrize(
    ("position", "order", "says"),
    [
        (SHUFFLED, [6, 7, 8], "shuffles[0].order: the new deck is the 3 played cards and one of the hand of seat 0"),
        (SHUFFLED, [6, 7, 8, 4], "shuffles[0].order: the new deck is the 3 played cards and one of the hand of seat 0"),
        (SHUFFLED, [6, 7, 0, 1], "shuffles[0].order: the new deck is the 3 played cards and one of the hand of seat 0"),
        (SHUFFLED, [6, 7, 8, 9], "shuffles[0].order[3]: a whole number 0 .. 8, not 9"),
        ({**SHUFFLED, "deck": [0]}, [6, 7, 8, 0], "shuffles[0]: nothing is shuffled here"),
    ],
    ids=range(5),
)
def test_a_shuffle_of_other_cards_is_refused(position: dict[str, Any], order: list[int], says: str) -> None:
    s = at(**position).states
    before = s.tobytes()
    with pytest.raises(ValueError, match=r"^shuffles") as error:
        GAME.preset(s[0], [{"deck": "cards", "order": order}])
    assert str(error.value).startswith(says)
    assert s.tobytes() == before
    right = at(**SHUFFLED)
    right.play("discard 2", [{"deck": "cards", "order": [8, 2, 7, 6]}])
    assert right.position()["hands"][0] == [0, 1, 3, 8]


@pytest.mark.parametrize(
    ("field", "index", "more", "says"),
    [
        ("hands", (0, 0), 1, "copies of the cards"), ("stock", (1, 2), 1, "pieces of colour 1"),
        ("pile_size", (0,), 1, "the cache pile_size"), ("owner", (5,), 1, "owners of the towers"),
        ("floors", (0, 3), 1, "floors of the towers"), ("need", (0, 0), 1, "the cache need"),
        ("order_given", (), 1, "a given order of the cards was not used"), ("players", (), 3, "7 players"),
    ],
)  # fmt: skip
def test_check_says_what_is_broken(field: str, index: tuple[int, ...], more: int, says: str) -> None:
    core = Core.at("manhattan", real())
    core.check()
    states = copy.deepcopy(core.states)
    np.add.at(states[field], (0, *index), np.array(more).astype(states[field].dtype))
    with pytest.raises(BrokenState, match=says):
        GAME.check(states[0])
