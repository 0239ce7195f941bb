"""One case for every numbered clause of newyork_env/RULES.md on scoring, two players and the end: NY-70 .. NY-95."""

from __future__ import annotations

import pytest

from newyork_env.components import CELL_STRIDE, CENTRE, STREETS
from newyork_env.trial import street_change
from skyline.core.jit import FromPython
from tests.games.newyork.cases import GAME, at, city_moves, putting, scored
from tests.support.rule_cases import Core

# ---------------------------------------------------------------- scoring


def test_ny_70_the_longest_outer_street_counts_in_every_scoring() -> None:
    """NY-70: tiles 2 (S W) and 37 (S W): the street around the lower left corners, A, B and C alike."""
    city = [[-1, 0, 2]]
    for scoring, points in (("A", 2 + 1), ("B", 2 + 8), ("C", 2 + 16)):
        assert scored([city, [], []], scoring) == [points, 0, 0]


@pytest.mark.parametrize(
    ("city", "tile", "changes"),
    [
        ([[1, 0, 19], [1, 1, 22], [2, 1, 23]], 30, {(2, 0): -1}),  # its W side covers the E of a street E S
        ([[1, 0, 19]], 20, {(0, 1): 0, (0, -1): 1}),  # its E is one street with the S beside it
        ([[1, 0, 19]], 54, {(0, 1): 0, (0, -1): 1}),
        ([], 44, {(0, 1): 3}),
    ],
)
def test_ny_70_what_a_tile_would_change_is_what_it_changes(
    city: list[list[int]], tile: int, changes: dict[tuple[int, int], int]
) -> None:
    """NY-70: the street with a tile that is only thought of, in every cell where it may be put, and these changes."""
    change = FromPython(street_change)
    core, found = putting(city, tile), {}
    for x, y in city_moves(core, "at"):
        cell = CELL_STRIDE * (y + CENTRE) + x + CENTRE
        found[x, y] = int(change(core.states[0], 0, int(STREETS[tile]), cell))
        after = core.copy()
        after.play(f"at {x} {y}")
        assert found[x, y] == int(after.states["street"][0, 0]) - int(core.states["street"][0, 0])
    assert {cell: found[cell] for cell in changes} == changes


def test_ny_71_inner_streets_count_nothing() -> None:
    """NY-71: (1, 0) E and (2, 0) W touch; the S sides of both are one street of 2."""
    city = [[1, 0, 19], [1, 1, 7], [2, 1, 14], [2, 0, 27]]
    assert scored([city, [], []], "A") == [2 + (3 + 1 + 2 + 4), 0, 0]


def test_ny_72_only_cities_count() -> None:
    """NY-72: tiles in the reserve and the start tile do not."""
    cities = [[[1, 0, 53]], [[1, 0, 50], [2, 0, 52]], []]
    assert scored(cities, "A", reserves=[[51, 54, 47], [], []]) == [0, 6 + 1, 0]


@pytest.mark.parametrize(("scoring", "points"), [("A", [5, 0, 0, 0]), ("B", [12, 5, 0, 0]), ("C", [20, 12, 5, 0])])
def test_ny_73_places_that_score(scoring: str, points: list[int]) -> None:
    """NY-73: parks 3, 2, 1, 0; streets 3 (tile 33), 1, 1, 0."""
    cities = [[[1, 0, 39], [2, 0, 42], [0, -1, 33]], [[1, 0, 38], [0, -1, 43]], [[1, 0, 40]], []]
    assert scored(cities, scoring) == [a + b for a, b in zip(points, [3, 1, 1, 0], strict=True)]


def test_ny_74_equal_numbers_share() -> None:
    """NY-74: skyscrapers 1, 1, 1 at C: (21 + 13 + 6) / 3 = 13, rounded down."""
    assert scored([[[1, 0, 50]], [[1, 0, 53]], [[0, 1, 51]]], "C") == [13, 13, 13 + 1]
    assert scored([[[1, 0, 7]], [[0, 1, 5]], []], "A") == [0, 0 + 1, 0]  # 1 point for two


def test_ny_75_who_has_none_takes_no_place() -> None:
    """NY-75: one participant alone; the second and third place go to nobody."""
    assert scored([[[1, 0, 53]], [], []], "C") == [21, 0, 0]


def test_ny_76_places_are_not_moved_up() -> None:
    """NY-76: two share the first place at B: (12 + 5) / 2 = 8; the third gets nothing."""
    cities = [[[1, 0, 39], [2, 0, 42]], [[1, 0, 38], [0, -1, 43]], [[0, 1, 40]]]
    street = [0, 1, 1]
    assert scored(cities, "B") == [8 + street[0], 8 + street[1], 0 + street[2]]


def test_ny_77_points_add_up() -> None:
    """NY-77: street, theatre and skyscraper on top of earlier scores."""
    city = [[1, 0, 14], [0, 1, 44]]
    assert scored([city, [], []], "B", scores=[7, 8, 9]) == [7 + 3 + 9 + 13, 8, 9]


# ---------------------------------------------------------------- two players


def test_ny_80_dirk_begins_with_six_tiles() -> None:
    """NY-80: the six after the depot; with three players nobody has them."""
    for players, tiles in ((2, 6), (3, 0)):
        start = Core.deal(GAME, players, 3)
        position, bag = start.position(), start.game.setup(start.states[0])["bag"]
        assert sorted(position["dirk"]) == sorted(bag[4 : 4 + tiles])
        assert position["bag"] == bag[4 + tiles :]


def test_ny_81_dirk_is_a_participant() -> None:
    """NY-81: he takes the first place with two museums; he has no street."""
    cities = [[[1, 0, 7]], []]
    assert scored(cities, "C", dirk=[1, 2]) == [8, 0]
    assert scored(cities, "C", dirk=[2]) == [(16 + 8) // 2, 0]
    assert scored(cities, "C") == [16, 0]


@pytest.mark.parametrize(("bag", "drawn"), [(10, 6), (6, 6), (4, 4), (0, 0)])
def test_ny_82_six_more_after_scoring_a(bag: int, drawn: int) -> None:
    """NY-82: or all that are left, and only after the scoring."""
    tiles = list(range(40, 40 + bag))
    core = at(2, deck=["SA", "R1", "R2"], bag=tiles, dirk=[1])
    core.play("take B9")
    assert core.position()["dirk"] == [1, *tiles[:drawn]]
    assert core.scores == [0, 0]


@pytest.mark.parametrize(("bag", "drawn"), [(10, 3), (9, 3), (2, 0), (0, 0)])
def test_ny_83_a_third_of_the_bag_after_scoring_b(bag: int, drawn: int) -> None:
    """NY-83: rounded down, counted before the depot is refilled."""
    tiles = list(range(40, 40 + bag))
    core = at(2, deck=["SB", "R1", "R2"], bag=tiles, dirk=[1])
    core.play("take B9")
    assert core.position()["dirk"] == [1, *tiles[:drawn]]
    assert core.position()["bag"] == tiles[drawn:]


def test_ny_84_a_bought_tile_may_go_to_dirk() -> None:
    """NY-84: with two players only."""
    core = at(2, hands=[["B9"], []], dirk=[1])
    core.play_all(["buy 0", "pay 9", "place 7"])
    assert core.texts()[-2:] == ["reserve", "dirk"]
    core.play("dirk")
    assert (core.position()["dirk"], core.position()["reserves"]) == ([1, 7], [[], []])
    assert "dirk" not in putting([], 7).texts()


# ---------------------------------------------------------------- the end


def test_ny_90_the_tiles_in_the_depot_are_left_over() -> None:
    """NY-90: after the refill as far as the bag allows."""
    core = at(hands=[["B8", "G9", "G9"], ["B5"], []], bag=[50])
    core.play_all(["buy 0", "pay 8", "buy 1", "pay 9", "take R9", "place 7", "reserve", "place 14", "reserve"])
    assert core.position()["depot"] == [None, None, 22, None]  # 50 came to slot 0 and went to seat 1, 31 to seat 0
    assert core.position()["bought"] == [31]
    assert core.position()["received"] == [[], [50], []]


def test_ny_91_the_most_money_of_the_bank_gets_the_tile() -> None:
    """NY-91: whatever the price, nothing is paid; equal totals leave it, also zeros."""
    core = at(hands=[["G1"], ["G2", "Y4"], ["Y3", "Y1", "R1"]], max_turns=1)
    core.play("take B9")
    assert core.position()["hands"] == [["B9", "G1"], ["G2", "Y4"], ["Y1", "Y3", "R1"]]
    assert core.position()["depot"] == [None, None, 22, None]
    assert (core.seat, core.position()["bought"]) == (0, [7])
    assert core.position()["received"] == [[], [14], [31]]
    assert at(max_turns=1).play("take B9") == []


def test_ny_92_receivers_place_clockwise_from_the_turn_that_ended() -> None:
    """NY-92: seat 1 had the turn; then 2, then 0; each places all before the next, not at Dirk's."""
    core = at(seat=1, hands=[["B5", "G5"], ["Y5"], ["R5"]], max_turns=1, market=["R1", None, None, None])
    core.play("take R1")
    seats, texts = [], []
    while core.seat is not None:
        seats.append(core.seat)
        texts.append(core.texts())
        core.play(core.texts()[-1])
    assert seats == [1, 1, 2, 2, 0, 0, 0, 0]
    assert texts[0] == ["place 22"]
    assert texts[4] == ["place 7", "place 14"]
    two = at(2, hands=[["B5"], []], max_turns=1, market=["R1", None, None, None])
    two.play_all(["take R1", "place 7"])
    assert "dirk" not in two.texts()


def test_ny_93_scoring_c_then_the_highest_score_wins() -> None:
    """NY-93: the last placed leftover counts."""
    core = at(hands=[["B5"], [], []], max_turns=1, scores=[0, 16, 3], market=["Y1", None, None, None])
    core.play_all(["take Y1", "place 7"])
    core.play("at 0 1")
    core.play_all(["place 22", "reserve"])
    assert core.seat is None
    assert (core.scores, core.places()) == ([16, 16, 3], [1, 1, 3])


def test_ny_94_a_scoring_card_that_was_not_revealed_never_counts() -> None:
    """NY-94: with SA and SB still in the deck the game ends with C alone; the next scoring is C from then on."""
    core = at(cities=[[[0, 1, 44]], [], []], max_turns=1, deck=["B8", "SA", "SB"])
    core.play("take B9")
    core.play_all(["place 7", "reserve"])
    assert core.scores == [3 + 21, 0, 0]


def test_ny_95_the_turn_limit() -> None:
    """NY-95: counted over all seats; the market is refilled, the depot may be full."""
    core = at(max_turns=5, turns=3)
    core.play("take B9")
    assert (core.seat, core.position()["turns"]) == (1, 4)
    core.play("take G9")
    assert (core.position()["turns"], core.position()["market"]) == (5, ["B8", "G8", "Y9", "R9"])
    assert core.position()["phase"] in ("place", "over")
