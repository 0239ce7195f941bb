"""One case for every numbered clause of manhattan_env/RULES.md section 3, MH-01 .. MH-26.

The worked positions are in test_worked_positions.py, the rulings MH-R01 .. MH-R17 in test_rulings.py.
"""

from __future__ import annotations

from itertools import product

import pytest

from tests.games.manhattan.cases import (
    BOARD,
    COLOURS,
    FULL,
    PIECES,
    PLAYERS,
    ROUNDS,
    SET_SIZE,
    TURNS,
    at,
    changes,
    full_stock,
    last_turn,
    next_set,
    play_first_legal,
    round_points,
    walls,
)
from tests.support.rule_cases import GONE, Core, clauses_without_test

HANDS = [[1, 1, 1, 1], [0, 0, 4, 8], [2, 2, 2, 2], [3, 3, 3, 3]]


def seat_1_builds(**fields: object) -> Core:
    """Four players, seat 1 (side 1) on turn: its cards 0 0 4 8 mean the board squares 2 2 4 6."""
    given = {"marker": 1, "hands": HANDS, "deck": [7, 5, 6], "chosen": {"1": [1, 1, 3]}, **fields}
    return at(4, **given)


# ---------------------------------------------------------------- rounds and sets


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_01_number_of_rounds(players: int) -> None:
    """MH-01: 4 rounds with 4 players, 6 with 2 or 3."""
    for number in range(1, ROUNDS[players] + 1):
        core = last_turn(players, round=number, stock=next_set(players))
        core.play("discard 4")
        after = core.position()
        if number < {2: 6, 3: 6, 4: 4}[players]:
            assert (after["round"], after["phase"], core.seat) == (number + 1, "pick", 1)
        else:
            assert (after["round"], after["phase"], core.seat) == (number, "over", None)


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_02_sets_then_turns_then_scoring(players: int) -> None:
    """MH-02: a round is the choice of sets, the turns, the scoring."""
    core = Core.deal("manhattan", players, seed=3)
    phases, scored = [], []
    for _ in range(COLOURS[players] + players * TURNS[players]):
        phases.append(core.position()["phase"])
        play_first_legal(core, 1)
        scored.append(any(core.scores))
    assert phases == ["pick"] * COLOURS[players] + ["turn"] * players * TURNS[players]
    assert scored == [False] * (len(scored) - 1) + [True]
    assert (core.position()["phase"], core.position()["round"]) == ("pick", 2)


@pytest.mark.parametrize(("players", "seats"), [(4, [2, 3, 0, 1]), (3, [2, 0, 1])])
def test_mh_03_the_marker_chooses_first_then_clockwise(players: int, seats: list[int]) -> None:
    """MH-03: three and four players."""
    core = at(players, marker=2, phase="pick", stock=full_stock(players))
    decisions = core.play_all(["take " + " ".join("1" * SET_SIZE[players])] * players)
    assert [seat for seat, _ in decisions] == seats


def test_mh_03_two_players_choose_for_both_colours_in_a_row() -> None:
    """MH-03: c0 and at once c1, before the other seat chooses."""
    core = at(2, marker=1, phase="pick", stock=full_stock(2))
    decisions = core.play_all(["take c0 1 1 1 1", "take c1 1 1 1 2", "take c0 1 1 1 3", "take c1 1 1 1 4"])
    assert [seat for seat, _ in decisions] == [1, 1, 0, 0]
    for (_, texts), colour in zip(decisions, ("c0", "c1", "c0", "c1"), strict=True):
        assert {text.split()[1] for text in texts} == {colour}
    assert core.position()["chosen"] == {"0": [1, 1, 1, 3], "1": [1, 1, 1, 4], "2": [1, 1, 1, 1], "3": [1, 1, 1, 2]}


def test_mh_04_a_set_leaves_the_stock() -> None:
    """MH-04: the set is moved from the stock to the chosen pieces, nothing else happens."""
    core = at(4, marker=2, phase="pick", stock={**full_stock(4), "2": [3, 2, 2, 1]})
    assert changes(core, "take 1 1 2 3 3 4") == {
        "picked": 1,
        "stock": {**full_stock(4), "2": [1, 1, 0, 0]},
        "chosen": {"0": [], "1": [], "2": [1, 1, 2, 3, 3, 4], "3": []},
    }


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_04_a_set_is_any_choice_that_the_stock_holds(players: int) -> None:
    """MH-04: six pieces with 4 players, four with 2 or 3, none more often than in stock."""
    stock = [3, 2, 2, 1]
    core = at(players, phase="pick", stock={"0": stock})
    size = {2: 4, 3: 4, 4: 6}[players]
    expected = {counts for counts in product(*(range(n + 1) for n in stock)) if sum(counts) == size}
    offered = [[text.split().count(str(height)) for height in (1, 2, 3, 4)] for text in core.texts()]
    assert sorted(map(tuple, offered)) == sorted(expected)


# ---------------------------------------------------------------- turns


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_05_turns_pass_clockwise_from_the_marker(players: int) -> None:
    """MH-05: seat of turn t is (marker + t) mod n; 6, 4, 8 turns for each seat with 4, 3, 2 players."""
    core = Core.deal("manhattan", players, seed=8)
    marker = core.position()["marker"]
    play_first_legal(core, COLOURS[players])
    seats = []
    while core.position()["phase"] == "turn":
        seats.append(core.seat)
        play_first_legal(core, 1)
    laps = {4: 6, 3: 4, 2: 8}[players]
    assert seats == [(marker + turn) % players for turn in range(laps * players)]


def test_mh_06_a_turn_is_card_piece_and_draw() -> None:
    """MH-06: the whole difference of a building move."""
    assert changes(seat_1_builds(), "build 2 2 3") == {
        "turn": 1,
        "hands": [[1, 1, 1, 1], [0, 4, 7, 8], [2, 2, 2, 2], [3, 3, 3, 3]],
        "deck": [5, 6],
        "played": [[], [0], [], []],
        "chosen": {"0": [], "1": [1, 1], "2": [], "3": []},
        "towers": [[2, 2, [[1, 3]]]],
    }


@pytest.mark.parametrize(("players", "sides"), [(2, (0, 2)), (3, (0, 1, 2)), (4, (0, 1, 2, 3))])
def test_mh_07_a_card_allows_its_square_in_every_city(players: int, sides: tuple[int, ...]) -> None:
    """MH-07: board(side, printed square) in any one of the six cities."""
    for seat, side in enumerate(sides):
        for card in range(9):
            hands = [[card] if other == seat else [] for other in range(players)]
            colour = str(seat * COLOURS[players] // players)
            label = " c0" if players == 2 else ""
            core = at(players, turn=seat, hands=hands, chosen={colour: [2]})
            assert core.texts() == [f"build {city} {BOARD[side][card]} 2{label}" for city in range(6)]


def test_mh_08_the_orientation_stays_for_the_whole_game() -> None:
    """MH-08: whatever the round and the marker, seat 1 reads its cards from side 1."""
    for number, marker in product(range(1, 5), range(4)):
        core = at(4, round=number, marker=marker, turn=(1 - marker) % 4, hands=HANDS, chosen={"1": [1]})
        assert core.seat == 1
        assert {int(text.split()[2]) for text in core.texts()} == {2, 4, 6}


def test_mh_09_a_tower_belongs_to_its_top_colour() -> None:
    """MH-09: seat 3 tops the only tower and gets all its points."""
    core = last_turn(4, chosen={"3": [2]}, towers=[[0, 4, [[0, 1], [0, 1], [3, 1], [0, 1]]]])
    core.play("build 0 4 2")
    assert core.scores == [0, 0, 0, 3 + 2 + 1]


@pytest.mark.parametrize("tower", [[], [[1, 1]], [[0, 4], [0, 4], [1, 1]]])
def test_mh_10_any_height_on_a_free_site_or_an_own_tower(tower: list[list[int]]) -> None:
    """MH-10: even where another colour has more floors below."""
    core = seat_1_builds(chosen={"1": [1, 2, 3, 4]}, towers=[[3, 4, tower]] if tower else [])
    here = [text for text in core.texts() if text.startswith("build 3 4 ")]
    assert here == ["build 3 4 1", "build 3 4 2", "build 3 4 3", "build 3 4 4"]


@pytest.mark.parametrize(
    ("tower", "heights"),
    [
        ([[0, 3]], [3, 4]),  # 0 + 3 >= 3: equality is enough
        ([[1, 2], [0, 3]], [1, 2, 3, 4]),
        ([[0, 4], [0, 1]], []),  # no piece has five floors
        ([[1, 1], [0, 4], [0, 1]], [4]),
        ([[2, 4], [2, 4], [1, 1], [0, 3]], [2, 3, 4]),  # colour 2 has eight floors, only the owner counts
    ],
)
def test_mh_11_floors_of_the_owner_must_be_reached(tower: list[list[int]], heights: list[int]) -> None:
    """MH-11: floors(c) + h >= floors(o), third colours do not matter."""
    core = seat_1_builds(chosen={"1": [1, 2, 3, 4]}, towers=[[5, 6, tower]])
    assert [int(text.split()[3]) for text in core.texts() if text.startswith("build 5 6 ")] == heights


def test_mh_11_holds_while_a_tower_grows() -> None:
    """MH-11: each seat in turn on the centre of city 0; all five centres are in the hands, every height is chosen."""
    hands = [[4, 4], [4], [4], [4]]
    core = at(4, hands=hands, deck=[0] * 5, chosen={str(colour): [1, 2, 3, 4] for colour in range(4)})
    for played, heights in ((3, [1, 2, 3, 4]), (3, [3, 4]), (4, [3, 4]), (4, [4]), (1, [1, 2, 4])):
        here = [text for text in core.texts() if text.startswith("build 0 4 ")]
        assert here == [f"build 0 4 {height}" for height in heights]
        core.play(f"build 0 4 {played}")
    assert core.position()["towers"] == [[0, 4, [[0, 3], [1, 3], [2, 4], [3, 4], [0, 1]]]]


def test_mh_12_towers_have_no_limit_and_pieces_stay() -> None:
    """MH-12: all 96 pieces on one site, 188 floors."""
    pieces = [[colour, height] for colour in (1, 2, 3, 0) for height in PIECES]
    assert pieces.pop() == [0, 4]
    core = at(4, hands=[[4], [0], [], []], deck=[4], chosen={"0": [4]}, towers=[[0, 4, pieces]])
    assert changes(core, "build 0 4 4") == {
        "turn": 1,
        "deck": [],
        "played": [[4], [], [], []],
        "chosen": {"0": [], "1": [], "2": [], "3": []},
        "towers": [[0, 4, [*pieces, [0, 4]]]],
    }
    assert sum(height for _, height in core.position()["towers"][0][2]) == 188


def test_mh_12_high_towers_are_told_apart() -> None:
    """MH-12: 43 floors and a 4 are one more than 46, and the single tallest tower."""
    mine, other = [[3, height] for height in PIECES[:-1]], [[2, height] for height in PIECES[1:]]
    core = last_turn(4, chosen={"3": [4]}, towers=[[0, 4, mine], [1, 0, other]])
    core.play("build 0 4 4")
    assert core.scores == [0, 0, 2 + 1, 3 + 2 + 1]


@pytest.mark.parametrize(
    ("chosen", "labels"), [({"2": [1], "3": [2]}, {"c0", "c1"}), ({"2": [1]}, {"c0"}), ({"3": [2]}, {"c1"})]
)
def test_mh_13_two_players_build_either_own_colour(chosen: dict[str, list[int]], labels: set[str]) -> None:
    """MH-13: as long as that colour has chosen pieces; the piece has the colour that the move names."""
    core = at(2, marker=1, hands=[[], [0, 1, 2, 3]], deck=[4], chosen=chosen)
    assert {text.split()[-1] for text in core.texts()} == labels
    colour = {"c0": 2, "c1": 3}[max(labels)]
    height = chosen[str(colour)][0]
    core.play(f"build 0 8 {height} {max(labels)}")
    assert core.position()["towers"] == [[0, 8, [[colour, height]]]]


def test_mh_14_the_played_card_covers_the_own_pile() -> None:
    """MH-14: the pile of the seat that played grows at its end, no other pile changes."""
    piles = [[3], [5, 6], [], [7]]
    assert changes(seat_1_builds(played=piles), "build 0 4 1")["played"] == [[3], [5, 6, 4], [], [7]]


def test_mh_15_the_hand_is_filled_from_the_top_of_the_deck() -> None:
    """MH-15: four cards again, the first of the deck is gone."""
    changed = changes(seat_1_builds(), "build 0 6 1")
    assert changed["hands"][1] == [0, 0, 4, 7]
    assert changed["deck"] == [5, 6]


def test_mh_16_an_empty_deck_is_made_of_all_played_cards() -> None:
    """MH-16: at the draw, with the card just played; the piles become empty; the order is the one given."""
    core = seat_1_builds(deck=[], played=[[3], [5, 6], [], [7]])
    assert changes(core, "build 0 6 1", orders=[[6, 8, 3, 7, 5]]) == {
        "turn": 1,
        "hands": [[1, 1, 1, 1], [0, 0, 4, 6], [2, 2, 2, 2], [3, 3, 3, 3]],
        "deck": [8, 3, 7, 5],
        "played": [[], [], [], []],
        "chosen": {"0": [], "1": [1, 3], "2": [], "3": []},
        "towers": [[0, 6, [[1, 1]]]],
    }


def test_mh_17_a_discard_only_when_nothing_can_be_built() -> None:
    """MH-17: with a single open site there is a build and no discard; without one there are only discards."""
    towers = walls((2, 4, 6), (0, 2, 3))
    core = seat_1_builds(towers=towers, chosen={"1": [1, 4]})
    assert core.texts() == ["discard 0", "discard 4", "discard 8"]
    towers[7][2] = [[1, 1], *towers[7][2]]  # city 2, square 4
    assert seat_1_builds(towers=towers, chosen={"1": [1, 4]}).texts() == ["build 2 4 4"]


# ---------------------------------------------------------------- the end of a round


def test_mh_18_the_round_is_scored_after_its_last_turn() -> None:
    """MH-18: not after the turn before."""
    tower = [[1, 3, [[2, 2]]]]
    core = at(4, turn=22, hands=[[], [], [4], [4]], deck=[4, 4], towers=tower, scores=[1, 2, 3, 4])
    assert "scores" not in changes(core, "discard 4")
    assert changes(core, "discard 4")["scores"] == [1, 2, 9, 4]


def test_mh_19_unbuilt_pieces_go_back_to_the_stock() -> None:
    """MH-19: the whole difference of the last turn of a round."""
    stock = {"1": [5, 4, 3, 2], "3": [2, 2, 1, 0]}
    core = last_turn(4, round=2, marker=2, chosen={"1": [3], "3": [1, 4, 4]}, stock=stock)
    assert changes(core, "build 0 4 3") == {
        "round": 3,
        "marker": 3,
        "phase": "pick",
        "turn": GONE,
        "picked": 0,
        "deck": [],
        "played": [[], [4], [], []],
        "chosen": {"0": [], "1": [], "2": [], "3": []},
        "stock": {"0": [0, 0, 0, 0], "1": [5, 4, 3, 2], "2": [0, 0, 0, 0], "3": [3, 2, 1, 2]},
        "towers": [[0, 4, [[1, 3]]]],
        "scores": [0, 6, 0, 0],
    }


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_20_towers_stay_and_the_marker_moves_on(players: int) -> None:
    """MH-20: clockwise, from the last seat to seat 0; its holder chooses next."""
    towers = [[0, 0, [[0, 1]]], [3, 8, [[1, 2], [2, 4]]]]
    for marker in range(players):
        core = last_turn(players, marker=marker, towers=towers, stock=next_set(players))
        core.play("discard 4")
        after = core.position()
        assert (after["marker"], core.seat) == ((marker + 1) % players,) * 2
        assert after["towers"] == towers


# ---------------------------------------------------------------- scoring a round


def test_mh_21_three_points_for_the_single_tallest_tower() -> None:
    """MH-21: the whole height counts, not the owner's floors; if two share it nobody gets the points."""
    three_floors = [0, 0, [[1, 2], [0, 1]]]
    assert round_points(3, [three_floors, [0, 1, [[1, 2]]], [0, 2, [[1, 1]]], [0, 3, [[0, 1]]]]) == [3 + 2, 2, 0]
    assert round_points(3, [three_floors, [0, 1, [[1, 3]]], [0, 2, [[1, 1]]], [0, 3, [[0, 1]]]]) == [2, 2, 0]


def test_mh_22_one_tower_is_enough() -> None:
    """MH-22: alone in the city."""
    assert round_points(4, [[0, 0, [[0, 4]]], [5, 3, [[2, 1]]]]) == [3 + 2 + 1, 0, 2 + 1, 0]


def test_mh_22_a_majority_is_more_than_every_other() -> None:
    """MH-22: 2 - 2 - 1 has none, 3 - 2 - 1 has one; heights do not matter. City 1 holds the single tallest tower."""
    tallest = [1, 0, [[3, 4], [3, 4]]]  # 3 + 2 + 1 points
    tied = [[0, 0, [[0, 1]]], [0, 1, [[0, 1]]], [0, 2, [[1, 4]]], [0, 3, [[1, 3]]], [0, 4, [[2, 4]]]]
    assert round_points(4, [tallest, *tied]) == [2, 2, 1, 6]
    assert round_points(4, [tallest, *tied, [0, 8, [[0, 1]]]]) == [3 + 2, 2, 1, 6]


def test_mh_22_a_tie_between_the_later_colours_hides_no_majority() -> None:
    """MH-22: 2 - 1 - 1 in any order of the colours."""
    for first, second, third in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        city = [[0, 0, [[first, 2]]], [0, 1, [[first, 2]]], [0, 2, [[second, 2]]], [0, 3, [[third, 2]]]]
        points = round_points(3, city)
        assert (points[first], points[second], points[third]) == (2 + 2, 1, 1)


def test_mh_23_every_tower_is_a_point() -> None:
    """MH-23: all pieces of one colour against 18 of another, each a tower; no tallest, 6 * (4, 3) towers and 6 * 2."""
    sites = [(city, square) for city in range(6) for square in range(7)]
    left = {0: list(PIECES), 1: list(PIECES)}
    towers = [[city, square, [[square // 4, left[square // 4].pop()]]] for city, square in sites]
    assert round_points(4, towers) == [24 + 12, 18, 0, 0]


def test_mh_24_the_parts_add_up() -> None:
    """MH-24: one tower may be tallest, win its city and be a tower, on top of earlier scores."""
    core = last_turn(3, towers=[[2, 4, [[1, 1]]]], scores=[7, 8, 9])
    core.play("discard 4")
    assert core.scores == [7, 8 + 3 + 2 + 1, 9]


def test_mh_25_two_players_score_each_colour_by_itself() -> None:
    """MH-25: two colours of one seat block each other in a city; the seat gets the sum."""
    city_0 = [[0, 0, [[0, 1]]], [0, 1, [[1, 2]]]]
    city_1 = [[1, 0, [[1, 1]]], [1, 1, [[3, 3]]], [1, 2, [[3, 1]]]]
    assert round_points(2, city_0 + city_1) == [1 + 1 + 1, 2 + 2 + 3]


@pytest.mark.parametrize("players", PLAYERS)
def test_mh_26_the_highest_score_wins_after_the_last_round(players: int) -> None:
    """MH-26: the last scoring counts; the whole difference of the last move of a game."""
    core = last_turn(players, round=ROUNDS[players], scores=list(range(players)), towers=[[0, 0, [[0, 1]]]])
    others = list(range(1, players))
    assert changes(core, "discard 4") == {
        "phase": "over",
        "turn": players * TURNS[players],
        "deck": [],
        "played": [[]] * (players - 1) + [[4]],
        "scores": [6, *others],
    }
    assert (core.seat, core.legal()) == (None, [])
    assert core.places() == [1, *reversed(range(2, players + 1))]


# ---------------------------------------------------------------- the cases are complete


def test_every_clause_has_a_case() -> None:
    assert clauses_without_test("manhattan") == set()
    assert [PIECES.count(height) for height in (1, 2, 3, 4)] == FULL
