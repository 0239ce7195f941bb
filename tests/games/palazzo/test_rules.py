"""One case for every numbered clause of palazzo_env/RULES.md sections 2 and 3: PZ-S1 .. PZ-S5, PZ-01 .. PZ-82.

Payment, buying and auctions are in test_rules_paying.py, the decisions of section 6 in test_rules_decisions.py, the
worked positions in test_worked_positions.py, the rulings in test_rulings.py.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.palazzo.cases import (
    ALL_CARDS,
    CARDS,
    GAME,
    PILE_1,
    PILE_2,
    PILE_3,
    PLAYERS,
    at,
    building,
    changes,
    hands,
    rebuilding,
    setup_of,
    starting,
)
from tests.support.rule_cases import Core, clauses_without_test

FIVE = ["11b", "22m", "31s", "43b", "52m"]

# ---------------------------------------------------------------- setup


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_s1_builder_on_quarry_0_and_seat_0_begins(players: int) -> None:
    """PZ-S1."""
    position = Core.deal(GAME, players, seed=3).position()
    assert (position["builder"], position["active"], position["player"], position["decision"]) == (0, 0, 0, "MAIN")


@pytest.mark.parametrize("seed", range(5))
def test_pz_s2_the_stack_is_pile_1_on_2_on_3_with_the_knights(seed: int) -> None:
    """PZ-S2: each pile shuffled by itself."""
    core = Core.deal(GAME, 2, seed)
    stack = core.game.setup(core.states[0])["stack"]
    piles = stack[:15], stack[15:33], stack[33:]
    assert [sorted(pile) for pile in piles] == [PILE_1, PILE_2, sorted([*PILE_3, *["K"] * 5])]
    assert all(pile != sorted(pile) for pile in piles)


def test_pz_s3_four_tiles_to_the_quarries_the_fifth_to_the_depot() -> None:
    """PZ-S3: in the order 0, 1, 2, 3; 48 entries are left."""
    setup = setup_of(4)
    position = Core.start(GAME, 3, setup).position()
    assert position["quarries"] == [[tile] for tile in setup["stack"][:4]]
    assert (position["depot"], position["stack"]) == ([setup["stack"][4]], setup["stack"][5:])


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_s4_four_cards_for_each_seat_in_blocks(players: int) -> None:
    """PZ-S4: the top 4 to seat 0, the next 4 to seat 1."""
    setup = setup_of(players)
    position = Core.start(GAME, players, setup).position()
    for seat in range(players):
        assert position["hands"][seat] == dict(sorted(Counter(setup["money"][4 * seat : 4 * seat + 4]).items()))
    assert position["deck"] == setup["money"][4 * players :]
    assert len(position["deck"]) == {2: 47, 3: 43, 4: 39}[players]


def test_pz_s5_everything_else_is_empty() -> None:
    """PZ-S5."""
    core = Core.start(GAME, 4, setup_of(1))
    position = core.position()
    assert (position["discard"], position["palaces"], position["knights"], position["quiet"]) == ({}, [[]] * 4, 0, 0)
    assert core.scores == [0] * 4


# ---------------------------------------------------------------- the turn, money


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_01_turns_go_clockwise_and_there_is_no_passing(players: int) -> None:
    """PZ-01: exactly one of draw, money, rebuild; then the left neighbour."""
    core = at(
        players, hands=hands("A3", "B3", "C3", "2")[:players], palaces=[["11b"], ["12m"], ["13s"], ["21b"]][:players]
    )
    seats = []
    for _ in range(players):
        seats.append(core.seat)
        assert core.texts() == ["draw", "money", "rebuild"]
        core.play("rebuild")
        assert not {"draw", "money", "pass", "stop"} & set(core.texts())
        core.play(starting(core, "remove")[0])
        core.play(starting(core, "pay")[0])
    assert seats == list(range(players))
    assert core.seat == 0


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_02_money_needs_a_card_more_than_players(players: int) -> None:
    """PZ-02: deck and discards together."""
    for missing in (0, 1):
        left = players + 1 - missing
        named = list(ALL_CARDS)[: 55 - left]
        held = {card: named.count(card) for card in CARDS if card in named}
        core = at(players, hands=[{}, held, *[{}] * (players - 2)], deck=ALL_CARDS[55 - left : 54], discard={"C7": 1})
        assert ("money" in core.texts()) == (not missing)


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_03_one_card_more_than_players_is_turned_up(players: int) -> None:
    """PZ-03: from the top of the deck; the whole difference."""
    deck = ["C7", "2", "A3", "B5", "A4", "B6"]
    core = at(players, deck=deck)
    before = core.position()["deck"]
    assert changes(core, "money") == {
        "decision": "MONEY",
        "deck": before[players + 1 :],
        "face_up": sorted(deck[: players + 1]),
    }


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_04_two_for_the_active_player_one_for_each_other(players: int) -> None:
    """PZ-04: clockwise from his left neighbour; then nothing is left."""
    core = at(players, active=1, deck=["A3", "A4", "A5", "A6", "A7"][: players + 1])
    core.play("money")
    seats = []
    while core.position()["decision"] == "MONEY":
        seats.append(core.seat)
        core.play(core.texts()[0])
    assert seats == [1, *((1 + i) % players for i in range(players))]
    held = core.position()["hands"]
    assert [sum(hand.values()) for hand in held] == [2 if seat == 1 else 1 for seat in range(players)]
    assert held[1] == {"A3": 1, "A4": 1}
    assert (core.seat, core.position()["quiet"]) == (2 % players, 1)


def test_pz_05_the_discards_become_the_deck_when_a_card_is_missing() -> None:
    """PZ-05: the old cards first, then those of the shuffled discards."""
    held = Counter(ALL_CARDS) - Counter(["A3", "B4", "B4", "C5", "2"])
    core = at(2, deck=["A3"], discard={"B4": 2, "C5": 1, "2": 1}, hands=[dict(held), {}])
    change = changes(core, "money", orders=[["C5", "B4", "2", "B4"]])
    assert change == {"decision": "MONEY", "deck": ["2", "B4"], "discard": {}, "face_up": ["A3", "B4", "C5"]}


def test_pz_06_hands_are_not_limited() -> None:
    """PZ-06: a hand of 51 cards takes two more."""
    held = Counter(ALL_CARDS) - Counter(["A3", "B4", "C5"])
    core = at(2, deck=["A3", "B4", "C5"], hands=[dict(held), {}])
    core.play_all(["money", "take B4", "take C5"])
    assert sum(core.position()["hands"][0].values()) == 54


# ---------------------------------------------------------------- drawing


@pytest.mark.parametrize(("builder", "tile", "quarry"), [(0, "21m", 1), (0, "22m", 2), (3, "33m", 2), (2, "42s", 0)])
def test_pz_10_first_tile_to_the_depot_second_to_a_quarry(builder: int, tile: str, quarry: int) -> None:
    """PZ-10: quarry (builder + windows) mod 4; the whole difference."""
    core = at(2, ["11b", tile], builder=builder)
    quarries = [[tile] if q == quarry else [] for q in range(4)]
    stack = core.position()["stack"][2:]
    assert changes(core, "draw") == {"decision": "CHOICE", "depot": ["11b"], "quarries": quarries, "stack": stack}


@pytest.mark.parametrize(("stack", "depot", "quarry"), [(["K", "11b"], [], ["11b"]), (["11b", "K"], ["11b"], [])])
def test_pz_11_a_knight_is_laid_aside(stack: list[str], depot: list[str], quarry: list[str]) -> None:
    """PZ-11: and not replaced; the other entry keeps its place in the draw."""
    core = at(2, [*stack, "12b"])
    core.play("draw")
    position = core.position()
    assert (position["knights"], position["depot"], position["quarries"][1]) == (1, depot, quarry)
    assert position["stack"][0] == "12b"


@pytest.mark.parametrize("stack", [["K"], ["12m", "K"]])
def test_pz_12_the_fifth_knight_ends_the_game_at_once(stack: list[str]) -> None:
    """PZ-12: nothing is bought or auctioned; a tile drawn before it stays where it was put."""
    core = at(2, [*stack, "13m"], knights=4, depot=["11b"], hands=hands("A7 A7", ""), palaces=[["53b"], []])
    core.play("draw")
    position = core.position()
    assert (core.seat, core.legal(), position["decision"], position["knights"]) == (None, [], "END", 5)
    assert (position["depot"], position["stack"]) == (sorted(["11b", *stack[:-1]]), ["13m"])
    assert core.scores == [-5, 0]


@pytest.mark.parametrize(("hand", "legal"), [("A7 A3", ["auction", "buy"]), ("A6 2", ["auction"])])
def test_pz_13_buying_needs_a_tile_that_can_be_paid(hand: str, legal: list[str]) -> None:
    """PZ-13: one depot tile costs 9; the auction is always free to choose."""
    core = at(2, ["11b", "12b"], hands=hands(hand, ""))
    core.play("draw")
    assert core.texts() == legal


# ---------------------------------------------------------------- building


def test_pz_60_a_tile_is_built_or_scrapped() -> None:
    """PZ-60: at once; a scrapped tile is nowhere any more."""
    core = building(["11b"], "23m")
    assert {text.split()[2] for text in core.texts()} == {"new", "on", "scrap"}
    core.play("build 23m scrap")
    position = core.position()
    assert position["palaces"] == [["11b"], []]
    assert not any("23m" in tiles for tiles in (position["depot"], position["stack"], *position["quarries"]))


def test_pz_61_on_a_palace_with_a_lower_top_or_new() -> None:
    """PZ-61: the top decides, an equal floor is not lower."""
    core = building(["11b/22m", "12b/31m", "13b", "32b", "41b"], "33s")
    on = ["build 33s on 11b/22m", "build 33s on 13b"]
    assert core.texts() == ["build 33s new", *on, "build 33s scrap"]
    core.play(on[0])
    assert core.position()["palaces"][0] == ["11b/22m/33s", "12b/31m", "13b", "32b", "41b"]


def test_pz_62_floors_may_be_missing_and_materials_are_free() -> None:
    """PZ-62: 5 on 1, any material, any windows; a palace may begin at any floor."""
    for tile in ("51b", "52m", "53s"):
        assert building(["11m"], tile).texts() == [f"build {tile} new", f"build {tile} on 11m", f"build {tile} scrap"]


def test_pz_63_any_number_of_palaces() -> None:
    """PZ-63: forty singles and one more."""
    tiles = sorted({*PILE_1, *PILE_2, *PILE_3} - {"53s"})
    core = building(tiles, "53s")
    core.play("build 53s new")
    assert len(core.position()["palaces"][0]) == 45
    assert core.scores == [-5 * 45, 0]


def test_pz_64_built_tiles_stay() -> None:
    """PZ-64: building changes one palace of the builder and nothing else."""
    core = building(["11b", "12m/33b"], "42m")
    assert changes(core, "build 42m on 11b")["palaces"] == [["11b/42m", "12m/33b"], []]


# ---------------------------------------------------------------- rebuilding


def test_pz_70_rebuilding_costs_a_card_of_any_kind() -> None:
    """PZ-70: to the discards; without a card it is not allowed."""
    core = rebuilding("11b", hand="A3 C7 2")
    core.play("remove 11b")
    assert core.texts() == ["pay 2", "pay A3", "pay C7"]
    change = changes(core, "pay C7")
    assert (change["discard"], change["hands"]) == ({"C7": 1}, [{"2": 1, "A3": 1}, {}])
    assert "rebuild" not in at(2, palaces=[["11b"], []]).texts()


def test_pz_71_split_insert_remove() -> None:
    """PZ-71: all choices, and what each does."""
    palaces = ("11b/22m/33s", "12b", "42m")
    assert rebuilding(*palaces).texts() == [
        "insert 12b", "insert 42m", "remove 12b", "remove 42m",
        "split 11b/22m/33s 11b", "split 11b/22m/33s 22m", "split 11b/22m/33s 33s",
    ]  # fmt: skip
    for moves, after in (
        (["split 11b/22m/33s 22m"], ["11b/33s", "12b", "22m", "42m"]),
        (["insert 12b", "into 42m"], ["11b/22m/33s", "12b/42m"]),
        (["insert 42m", "into 11b/22m/33s"], ["11b/22m/33s/42m", "12b"]),
        (["remove 12b"], ["11b/22m/33s", "42m"]),
    ):
        core = rebuilding(*palaces)
        core.play_all([*moves, "pay A3"])
        assert core.position()["palaces"][0] == after
        core.check()


def test_pz_72_one_rebuild_a_turn() -> None:
    """PZ-72: then it is the neighbour's turn."""
    core = rebuilding("11b", "12b", hand="A3 A4")
    core.play_all(["remove 11b", "pay A3"])
    assert (core.seat, core.position()["decision"], core.position()["quiet"]) == (1, "MAIN", 1)


# ---------------------------------------------------------------- scoring


def test_pz_80_points_by_number_of_tiles() -> None:
    """PZ-80: mixed materials, w windows."""
    for palace, points in (
        ("53b", -5), ("13b/53m", 0), ("13b/23m/53b", 9), ("11b/21m/31s", 3), ("13b/23m/33b/43m", 12 + 3),
        ("13b/23m/33b/43m/53s", 15 + 6),
    ):  # fmt: skip
        assert at(palaces=[[palace], []]).scores == [points, 0]


def test_pz_81_points_for_one_material() -> None:
    """PZ-81: 3 for three or four tiles, 6 for five, 0 for one or two; the seat's palaces add up."""
    for palace, bonus in (("53b", 0), ("13b/53b", 0), ("13m/23m/53m", 3), ("11s/21s/31s/41s", 3)):
        other = palace[:2] + ("s" if palace[2] != "s" else "b") + palace[3:]
        scores = [at(palaces=[[text], []]).scores[0] for text in (palace, other)]
        assert scores[0] - scores[1] == bonus
    assert at(palaces=[[], ["11s/21s/31s/41s/51s", "53b", "13m/23m/53m"]]).scores == [0, 5 + 6 + 6 - 5 + 9 + 3]


def test_pz_82_most_points_then_the_largest_payment() -> None:
    """PZ-82."""
    rows = [["13b/23m/33s"], ["13m/23s/33b"], ["53b"]]
    core = at(3, knights=5, decision="END", palaces=rows, hands=hands("A7", "A4 A4", "2 2 2"))
    assert (core.scores, core.places()) == ([9, 9, -5], [2, 1, 3])


# ---------------------------------------------------------------- the cases are complete


def test_every_clause_has_a_case() -> None:
    assert clauses_without_test(GAME) == set()
