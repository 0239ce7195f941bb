"""One case for every numbered clause of newyork_env/RULES.md section 3; NY-70 .. NY-95 are in test_rules_scoring.py.

The worked positions are in test_worked_positions.py, the rulings NY-R01 .. NY-R23 in test_rulings.py, the city's
clauses NY-40 .. NY-45 on random cities in test_city.py.
"""

from __future__ import annotations

import random

import pytest

from tests.games.newyork.cases import BLOCK, GAME, PLAYERS, at, building, changes, city_moves, owning, putting
from tests.support.rule_cases import Core, clauses_without_test, sized

# ---------------------------------------------------------------- the turn


@pytest.mark.parametrize("players", PLAYERS)
def test_ny_01_turns_pass_clockwise(players: int) -> None:
    """NY-01: the next seat's turn begins after the refill."""
    core = at(players, seat=players - 1, deck=["B8", "B7", "B6", "B5", "B4", "B3", "B2"])
    seats = []
    for _ in range(players + 1):
        seats.append(core.seat)
        core.play(core.texts()[0])
        assert core.position()["market"].count(None) == 0
    assert seats == [players - 1, *range(players)]
    assert core.position()["turns"] == players + 1


def test_ny_01_main_part_placing_part_refill() -> None:
    """NY-01: bought tiles are placed before anything is refilled."""
    core = at(hands=[["B9"], [], []])
    phases = []
    for text in ("buy 0", "pay 9", "place 7", "at 0 1"):
        phases.append(core.position()["phase"])
        assert core.position()["bag"] == [50, 51, 52, 53, 54]
        core.play(text)
    assert phases == ["main", "pay", "place", "put"]
    assert (core.seat, core.position()["bag"], core.position()["depot"][0]) == (1, [51, 52, 53, 54], 50)


def test_ny_02_one_main_action() -> None:
    """NY-02: taking money, an inexact purchase and developing the city each end the main part."""
    fields = {"hands": [["B9"], [], []], "cities": [[[1, 0, 23], [2, 0, 32]], [], []], "reserves": [[39], [], []]}
    for moves in (["take R9"], ["buy 0", "pay 9", "place 7", "reserve"], ["remove 2 0"], ["use 39", "at 0 1"]):
        core = at(**fields)
        kinds = {text.split()[0] for text in core.texts()}
        assert kinds == {"take", "buy", "use", "remove"}
        core.play_all(moves)
        assert (core.seat, core.position()["phase"]) == (1, "main")


def test_ny_03_an_exact_purchase_is_followed_by_another_action() -> None:
    """NY-03: of any kind, and it must be taken; four of them and one more at most."""
    core = at(hands=[["B8", "G9", "Y9", "R9", "R1"], [], []], cities=[[[1, 0, 23]], [], []], reserves=[[39], [], []])
    for moves in (["buy 0", "pay 8"], ["buy 1", "pay 9"], ["buy 2", "pay 9"], ["buy 3", "pay 9", "pay 1"]):
        core.play_all(moves)
        assert (core.seat, core.position()["phase"]) == (0, "main")
        assert "pass" not in core.texts()
    assert {text.split()[0] for text in core.texts()} == {"take", "use", "remove"}
    core.play("take B9")
    assert core.position()["phase"] == "place"
    assert core.position()["bought"] == [7, 14, 22, 31]


def test_ny_04_nothing_is_refilled_during_a_turn() -> None:
    """NY-04: the emptied slots stay empty after each action and while tiles are placed."""
    core = at(hands=[["B8", "G9"], [], []])
    core.play_all(["buy 0", "pay 8", "buy 1", "pay 9", "take Y9", "place 7", "at 0 1", "place 14"])
    assert core.position()["depot"] == [None, None, 22, 31]
    assert core.position()["market"] == ["B9", "G9", None, "R9"]


def test_ny_05_pass_only_when_nothing_else_is_possible() -> None:
    """NY-05: a reserve tile that fits nowhere and cannot replace anything does not count."""
    empty = {"market": [None] * 4, "depot": [None, 14, 22, 31], "bought": [7]}
    core = at(**empty, hands=[["G8"], [], []], reserves=[[], [], []])
    assert core.legal() == [(525, "pass")]
    assert changes(core, "pass") == {"phase": "place"}
    assert at(**empty, hands=[["G9"], [], []]).texts() == ["buy 1"]
    assert at(**empty, reserves=[[23], [], []]).texts() == ["use 23"]
    closed = {**empty, "depot": [None, 8, 15, 25], "bought": [39]}
    city = {"cities": [[[1, 0, 7], [0, 1, 21], [1, 1, 5]], [], []], "reserves": [[1], [], []]}  # nowhere for tile 1
    assert at(**closed, **city).texts() == ["remove 1 0", "remove 0 1", "remove 1 1"]


# ---------------------------------------------------------------- money


@pytest.mark.parametrize(
    ("market", "sets"),
    [
        (["B1", "B2", "G2", "R5"], ["B1", "B2", "B1 B2", "G2", "B1 G2", "B2 G2", "B1 B2 G2", "R5"]),
        (["B1", "G1", "Y1", "R2"], 15),  # all four: 5
        (["B1", "G1", "Y1", "R3"], 14),  # all four: 6
        (["B6", "G9", "Y8", "R7"], ["B6", "G9", "Y8", "R7"]),
        (["B5", "G1", None, None], ["B5", "G1"]),
    ],
)
def test_ny_10_one_card_or_several_up_to_five(market: list[str | None], sets: object) -> None:
    """NY-10: banks do not matter; the cards come into the hand."""
    core = at(market=market)
    takes = [text.removeprefix("take ") for text in core.texts() if text.startswith("take")]
    assert (takes if isinstance(sets, list) else len(takes)) == sets
    last = takes[-1]
    core.play(f"take {last}")
    assert core.position()["hands"][0] == last.split()


# ---------------------------------------------------------------- buying


def test_ny_20_the_slot_names_the_bank() -> None:
    """NY-20: only cards of that bank, at least the price; change is not given."""
    for hand, legal in ((["B8"], True), (["B7"], False), (["B4", "B3", "B1"], True), (["G9", "Y9", "R9"], False)):
        assert ("buy 0" in at(hands=[hand, [], []]).texts()) == legal
    core = at(hands=[["B7", "B9", "B1", "G9"], [], []])
    core.play_all(["buy 0"])
    assert core.texts() == ["pay 7", "pay 9"]
    core.play("pay 9")
    assert core.position()["hands"][0] == ["B1", "B7", "G9"]
    assert core.position()["discard"] == ["B9"]


def test_ny_21_no_superfluous_card() -> None:
    """NY-21: 5 3 (8) is exact, 5 5 too much; after 9 nothing more is paid, with 1 alone nothing is reached."""
    core = at(hands=[["B9", "B5", "B5", "B3", "B1"], [], []])
    core.play("buy 0")
    assert core.texts() == ["pay 5", "pay 9"]
    after = core.copy()
    after.play("pay 9")
    assert after.position()["phase"] == "place"
    core.play("pay 5")
    assert core.texts() == ["pay 3", "pay 5"]


def test_ny_22_cards_are_discarded_and_the_tile_is_bought() -> None:
    """NY-22: the whole difference of an exact purchase."""
    core = at(hands=[["B5", "B3", "B3"], [], []], discard=["R1"])
    assert changes(core, "buy 0", "pay 5", "pay 3") == {
        "depot": [None, 14, 22, 31],
        "hands": [["B3"], [], []],
        "discard": ["B3", "B5", "R1"],
        "bought": [7],
        "exact": 0,
    }


# ---------------------------------------------------------------- developing the city


def test_ny_30_a_reserve_tile_goes_to_an_empty_cell() -> None:
    """NY-30: the whole difference; the tile leaves the reserve when it is built."""
    core = at(cities=[[[1, 0, 23]], [], []], reserves=[[39, 2], [], []])
    assert changes(core, "use 39", "at 1 1") == {
        "seat": 1,
        "turns": 1,
        "cities": [[[1, 0, 23], [1, 1, 39]], [], []],
        "reserves": [[2], [], []],
    }


def test_ny_31_a_city_tile_goes_to_the_reserve() -> None:
    """NY-31: the whole difference."""
    core = at(cities=[[[1, 0, 23], [1, 1, 39]], [], []], reserves=[[2], [], []])
    assert changes(core, "remove 1 1") == {
        "seat": 1,
        "turns": 1,
        "cities": [[[1, 0, 23]], [], []],
        "reserves": [[2, 39], [], []],
    }


def test_ny_32_a_reserve_tile_replaces_a_city_tile() -> None:
    """NY-32: the whole difference; tile 39 has no streets, nor has 23."""
    core = at(cities=[[[1, 0, 23], [2, 0, 32]], [], []], reserves=[[39], [], []])
    assert changes(core, "use 39", "at 1 0") == {
        "seat": 1,
        "turns": 1,
        "cities": [[[1, 0, 39], [2, 0, 32]], [], []],
        "reserves": [[23], [], []],
    }


def test_ny_33_the_start_tile_stays_and_only_the_result_counts() -> None:
    """NY-33: tile (1, 0) carries (2, 0): it may be replaced, not removed; bought tiles take no part."""
    city = [[1, 0, 23], [2, 0, 32]]
    assert city_moves(owning(city), "remove") == [(2, 0)]
    cells = city_moves(building(city, 39), "at")
    assert (0, 0) not in cells
    assert {(1, 0), (2, 0)} <= set(cells)
    core = at(cities=[city, [], []], bought=[39], depot=[None, 14, 22, 31])
    assert not [text for text in core.texts() if text.startswith(("use", "place"))]


# ---------------------------------------------------------------- a legal city


def test_ny_40_cells_up_to_ten() -> None:
    """NY-40: in every direction; the cell next to the bound stays empty."""
    tiles = [7, 14, 22, 23, 31, 32, 39, 42, 50, 53]
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        row = [[dx * (i + 1), dy * (i + 1), tile] for i, tile in enumerate(tiles)]
        cells = city_moves(putting(row[:9], 53), "at")
        assert (10 * dx, 10 * dy) in cells
        assert (11 * dx, 11 * dy) not in city_moves(putting(row, 1), "at")
        assert all(max(abs(x), abs(y)) <= 10 for x, y in city_moves(putting(row, 13), "at"))


@pytest.mark.parametrize(("tile", "side"), [(21, "N"), (20, "E"), (29, "S"), (30, "W")])
def test_ny_41_touching_sides_are_alike(tile: int, side: str) -> None:
    """NY-41: a tile with one street beside a tile without any: its street does not touch it."""
    cells = set(city_moves(putting([], tile), "at"))
    facing = {"N": (0, -1), "E": (-1, 0), "S": (0, 1), "W": (1, 0)}[side]
    assert cells == {(0, 1), (1, 0), (0, -1), (-1, 0)} - {facing}


def test_ny_42_every_tile_is_reached_on_foot() -> None:
    """NY-42: tile 20 has a street E, tile 30 a street W: they match, but nobody walks there; over a corner neither."""
    assert (2, 0) not in city_moves(putting([[1, 0, 20]], 30), "at")
    assert (1, 1) not in city_moves(putting([], 23), "at")
    with_way = [[1, 0, 20], [1, 1, 22], [2, 1, 23]]
    assert (2, 0) in city_moves(putting(with_way, 30), "at")


def test_ny_43_no_hole() -> None:
    """NY-43: (0, 1) would enclose (1, 1); filling (1, 1) itself is allowed."""
    cells = city_moves(putting(BLOCK, 32), "at")
    assert (0, 1) not in cells
    assert {(1, 1), (0, 2)} <= set(cells)


def test_ny_44_the_start_tile_has_no_streets() -> None:
    """NY-44: a tile with all but one street may only turn that side to it."""
    for tile, cell in ((44, (0, 1)), (45, (1, 0)), (33, (0, -1)), (24, (-1, 0))):
        assert city_moves(putting([], tile), "at") == [cell]


def test_ny_45_an_empty_cell_if_the_city_is_legal_afterwards() -> None:
    """NY-45: four sides of a single tile without streets, no other cell."""
    cells = city_moves(putting([[1, 0, 23]], 32), "at")
    assert cells == [(0, -1), (1, -1), (-1, 0), (2, 0), (0, 1), (1, 1)]


# ---------------------------------------------------------------- placing


def test_ny_50_bought_tiles_are_placed_in_any_order() -> None:
    """NY-50: every bought tile may be the next; the reserve has no limit."""
    reserve = [tile for tile in range(1, 40) if tile not in (7, 14, 22, 31)]
    core = at(phase="place", bought=[7, 14], depot=[None, None, 22, 31], reserves=[reserve, [], []], bag=[50, 51, 52])
    assert core.texts() == ["place 7", "place 14"]
    core.play_all(["place 14", "reserve"])
    assert core.texts() == ["place 7"]
    core.play_all(["place 7", "at 0 1"])
    assert (core.seat, core.position()["reserves"][0]) == (1, sorted([*reserve, 14]))


def test_ny_51_the_reserve_is_always_open_and_nothing_is_swapped() -> None:
    """NY-51: the reserve also where the tile would fit; no cell of a city tile."""
    core = putting([[1, 0, 23]], 32)
    assert "reserve" in core.texts()
    assert (1, 0) not in city_moves(core, "at")


# ---------------------------------------------------------------- refill


def test_ny_60_empty_market_slots_are_filled_from_the_lowest() -> None:
    """NY-60: in slot order with the top cards."""
    core = at(market=["B1", "G1", "Y9", "R1"], deck=["B7", "G7", "R7", "Y7"])
    core.play("take B1 G1 R1")
    assert core.position()["market"] == ["B7", "G7", "Y9", "R7"]
    assert core.position()["deck"] == ["Y7"]


def test_ny_61_the_discards_become_the_deck() -> None:
    """NY-61: in the middle of a refill, once; then the slots stay empty, and later refills try again."""
    core = at(market=["B1", "G1", "Y1", "R9"], deck=["B7"], discard=["R2"])
    core.play_all(["take B1 G1 Y1"], [["R2"]])
    assert core.position()["market"] == ["B7", "R2", None, "R9"]
    core.play_all(["take R9"])
    assert core.position()["market"] == ["B7", "R2", None, None]
    again = at(market=["B7", None, None, None], deck=[], discard=["G1", "G2", "G3", "G4", "G5"])
    again.play_all(["take B7"], [["G5", "G4", "G3", "G2", "G1"]])
    assert again.position()["market"] == ["G5", "G4", "G3", "G2"]
    assert again.position()["deck"] == ["G1"]


def test_ny_62_a_scoring_card_is_carried_out_and_replaced() -> None:
    """NY-62: at once, before the next turn; A and B may come up in one refill."""
    core = at(cities=[[[0, 1, 44]], [], []], market=["B1", "G1", "Y9", "R9"], deck=["SA", "SB", "B7", "G7"])
    core.play("take B1 G1")
    assert core.position()["market"] == ["B7", "G7", "Y9", "R9"]
    assert core.scores == [(3 + 6) + (3 + 13), 0, 0]
    assert core.seat == 1


def test_ny_63_the_depot_is_filled_from_the_bag() -> None:
    """NY-63: slots in order."""
    core = at(hands=[["G9", "R9", "R1"], [], []], bag=[50, 51, 52])
    core.play_all(["buy 1", "pay 9", "buy 3", "pay 9", "pay 1", "take B9"])
    core.play_all(["place 14", "reserve", "place 31", "reserve"])
    assert core.position()["depot"] == [7, 50, 22, 51]
    assert core.position()["bag"] == [52]


def test_ny_64_an_empty_slot_ends_the_game() -> None:
    """NY-64: a full depot with an empty bag does not."""
    moves = ["buy 0", "pay 9", "place 7", "reserve"]
    for bag, over in (([50], False), ([], True)):
        core = at(hands=[["B9"], [], []], bag=bag)
        core.play_all(moves)
        assert (core.seat is None) == over


# ---------------------------------------------------------------- nothing is left out


def test_every_clause_is_named_by_a_test() -> None:
    assert clauses_without_test(GAME) == set()


def test_random_games_keep_every_count() -> None:
    """T3: tiles, cards, caches and ranges at every decision (`check`), for all player counts."""
    for players in PLAYERS:
        core, rng = Core.deal(GAME, players, seed=players), random.Random(players)
        for i in range(90):
            if i % sized(1, 10) == 0:
                core.check()
            core.play_action(rng.choice(core.actions()))
