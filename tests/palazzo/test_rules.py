"""One case for every numbered clause of palazzo_env/RULES.md sections 2, 3 and 6: PZ-S1 .. PZ-S5, PZ-01 .. PZ-82,
PZ-D1 .. PZ-D11. The worked positions are in test_worked_positions.py, the rulings in test_rulings.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.palazzo.cases import (
    ALL_CARDS,
    CARDS,
    GAME,
    PILE_1,
    PILE_2,
    PILE_3,
    PLAYERS,
    at,
    bidding,
    building,
    changes,
    hands,
    largest_payment,
    paying,
    rebuilding,
    setup_of,
    starting,
)
from tests.rule_cases import Core, clauses_without_test

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


# ---------------------------------------------------------------- payment


def test_pz_20_one_currency_certificates_and_groups() -> None:
    """PZ-20: after a card of A none of B or C; certificates go with it."""
    core = paying("A3 A4 B7 C7 2", 9)
    assert core.texts() == ["add A4", "add B7", "add C7"]
    core.play("add A4")
    assert core.texts() == ["add A3"]
    core.play("add A3")
    assert core.texts() == ["add 2"]


def test_pz_21_a_card_counts_its_value_a_certificate_2() -> None:
    """PZ-21: for every card."""
    for card in CARDS:
        assert largest_payment(card) == (2 if card == "2" else int(card[1]))


@pytest.mark.parametrize("group", ["A3 B3 C3", "A7 B7 C7", "2 2 2"])
def test_pz_22_a_group_counts_15(group: str) -> None:
    """PZ-22: three of one value in all currencies, or three certificates; any number of groups."""
    assert largest_payment(group) == 15
    assert largest_payment(f"{group} {group}") == 30
    name = "T2" if group[0] == "2" else f"T{group[1]}"
    core = paying(group, 9)
    assert f"add {name}" in core.texts()
    assert changes(core, f"add {name}")["discard"] == dict(Counter(group.split()))


def test_pz_22_three_of_one_currency_are_no_group() -> None:
    """PZ-22: nor two currencies."""
    assert largest_payment("A7 A7 A7") == 21
    assert largest_payment("A3 B3 B3") == 6


def test_pz_23_groups_do_not_count_for_the_one_currency_rule() -> None:
    """PZ-23: a group of all currencies and cards of A: 15 + 7."""
    assert largest_payment("A4 B4 C4 A7") == 22
    core = bidding("", "A7 A4 B4 C4")
    core.play_all(["add T4", "add A7", "bid"])
    assert core.position()["totals"] == [3, 22]


# ---------------------------------------------------------------- buying


def test_pz_30_one_or_two_tiles_of_the_depot() -> None:
    """PZ-30: those of the quarries are not for sale."""
    core = at(2, ["12b", "13b"], depot=["11b", "22m"], quarries=[["23s"], [], [], []], hands=hands("A7 A7 A7", ""))
    core.play_all(["draw", "buy"])
    assert core.texts() == ["tile 11b", "tile 12b", "tile 22m"]
    core.play("tile 12b")
    assert core.texts() == ["stop", "tile 22m"]
    core.play("tile 22m")
    assert core.position()["decision"] == "PAY"


@pytest.mark.parametrize(("others", "goal"), [(1, 8), (3, 6), (8, 1)])
def test_pz_31_the_price_is_10_less_the_tiles_in_the_depot(others: int, goal: int) -> None:
    """PZ-31: the one just drawn included; two tiles cost twice that in one payment."""
    core = at(2, [FIVE[0], FIVE[1]], depot=PILE_2[:others], hands=hands("2 2 2 2 2 2 A3 A3 A3 A4 A4 A4", ""))
    core.play_all(["draw", "buy"])
    tiles = starting(core, "tile")
    core.play(tiles[0])
    single = core.copy()
    single.play("stop")
    core.play(tiles[1])
    for copy, price in ((single, goal), (core, 2 * goal)):
        paid = 0
        while copy.position()["decision"] == "PAY":
            text = next(text for text in reversed(copy.texts()) if "T" not in text)
            paid += 2 if text == "add 2" else int(text[-1])
            copy.play(text)
        assert price <= paid < price + 4


def test_pz_32_no_change_and_the_cards_go_to_the_discards() -> None:
    """PZ-32: 15 for a tile that costs 1; the whole difference."""
    core = paying("A5 B5 C5", 1)
    depot = core.position()["depot"]
    assert changes(core, "add T5") == {
        "decision": "BUILD",
        "depot": depot[1:],
        "discard": {"A5": 1, "B5": 1, "C5": 1},
        "hands": [{}, {}],
        "chosen": [],
        "to_build": depot[:1],
    }


def test_pz_33_bought_tiles_are_built_and_the_turn_ends() -> None:
    """PZ-33: both; then it is the neighbour's turn."""
    core = at(2, decision="PAY", depot=["11b", "22m", "31s"], chosen=["11b", "31s"], hands=hands("2 2 2", ""), quiet=3)
    core.play("add T2")
    assert core.position()["to_build"] == ["11b", "31s"]
    core.play_all(["build 11b new", "build 31s on 11b"])
    position = core.position()
    assert (position["palaces"], position["depot"]) == ([["11b/31s"], []], ["22m"])
    assert (position["decision"], core.seat, position["quiet"]) == ("MAIN", 1, 0)


# ---------------------------------------------------------------- auctions


@pytest.mark.parametrize(
    ("builder", "filled", "stops"), [(0, {1, 2}, 1), (0, {0, 3}, 3), (3, {1, 3}, 1), (2, {2}, 2), (1, {0}, 0)]
)
def test_pz_40_the_builder_moves_to_the_next_quarry_with_a_tile(builder: int, filled: set[int], stops: int) -> None:
    """PZ-40: beginning after his own, which comes last."""
    quarries = [[PILE_1[q]] if q in filled else [] for q in range(4)]
    core = at(2, decision="CHOICE", builder=builder, quarries=quarries)
    core.play("auction")
    assert core.position()["builder"] == stops


def test_pz_41_without_tiles_the_turn_ends() -> None:
    """PZ-41: the builder stays; the whole difference."""
    core = at(3, decision="CHOICE", active=2, builder=3, quiet=7)
    assert changes(core, "auction") == {"player": 0, "decision": "MAIN", "active": 0, "quiet": 0}


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_42_four_tiles_are_given_out(players: int) -> None:
    """PZ-42: one for each clockwise from the active player, built at once, without payment; the rest is gone."""
    tiles = PILE_1[:5]
    core = at(players, decision="CHOICE", active=1, quarries=[[], [], tiles, []])
    assert changes(core, "auction") == {"decision": "SHARE", "builder": 2, "sharing": True}
    takers = []
    while core.position()["decision"] == "SHARE":
        takers.append(core.seat)
        taken = core.texts()[0]
        core.play(taken)
        assert core.seat == takers[-1]
        core.play(f"build {taken[5:]} new")
    assert takers == [(1 + i) % players for i in range(players)]
    position = core.position()
    assert (position["quarries"], position["sharing"], core.seat) == ([[]] * 4, False, 2 % players)
    assert [len(palaces) for palaces in position["palaces"]] == [1] * players
    core.check()


@pytest.mark.parametrize(("count", "decision"), [(1, "BID"), (2, "BID"), (3, "BID"), (4, "SHARE")])
def test_pz_43_up_to_three_tiles_are_auctioned_together(count: int, decision: str) -> None:
    """PZ-43: the winner gets all of them."""
    core = at(2, decision="CHOICE", quarries=[[], PILE_1[:count], [], []])
    core.play("auction")
    assert core.position()["decision"] == decision
    if decision == "BID":
        core.play("pass")
        assert core.position()["to_build"] == PILE_1[:count]


def test_pz_44_the_opener_begins_with_3() -> None:
    """PZ-44: the standing bid, and part of his total afterwards; the whole difference."""
    core = at(3, decision="CHOICE", active=1, quarries=[[], [], ["13b"], []], hands=hands("", "A4 A5", "B7"))
    assert changes(core, "auction") == {
        "player": 2,
        "decision": "BID",
        "builder": 2,
        "standing": [1, 3],
        "totals": [0, 3, 0],
    }
    core.play_all(["add B7", "bid", "pass", "add A5", "bid"])
    assert core.position()["totals"] == [0, 8, 7]


def test_pz_45_a_raise_adds_to_the_bid_and_must_exceed_the_standing_one() -> None:
    """PZ-45: equal is not enough; who passed is not asked again; the next one clockwise."""
    assert bidding("", "B3").texts() == ["pass"]
    core = bidding("A3 A4", "B4", "C5 C3")
    assert core.texts() == ["add B4", "pass"]
    core.play_all(["add B4", "bid"])
    assert (core.seat, core.texts()) == (2, ["add C5", "pass"])
    core.play_all(["add C5", "bid"])
    assert core.seat == 0
    core.play_all(["add A3", "bid"])
    assert core.position()["standing"] == [0, 6]
    assert (core.seat, core.texts()) == (1, ["pass"])
    core.play("pass")
    assert (core.seat, core.texts()) == (2, ["add C3", "pass"])
    core.play_all(["add C3", "bid"])
    assert (core.seat, core.position()["totals"]) == (0, [6, 0, 8])


def test_pz_46_one_currency_in_the_whole_auction() -> None:
    """PZ-46: also in a later raise; groups and certificates are free of it before and after."""
    core = bidding("A6", "B4 B3 C7 2 A3 C3 B7")
    core.play_all(["add B4", "bid", "add A6", "bid"])
    assert core.texts() == ["add B7", "add T3", "pass"]
    core.play("add T3")
    assert core.texts() == ["add 2", "add B7", "bid"]


def test_pz_47_a_group_is_put_down_in_one_raise() -> None:
    """PZ-47: two certificates of an earlier raise and a third one are worth 6."""
    core = bidding("A3", "2 2 2 B3")
    core.play_all(["add B3", "add 2", "bid"])
    assert core.position()["totals"] == [3, 5]
    core.play_all(["add A3", "bid"])
    assert core.texts() == ["add 2", "pass"]
    core.play_all(["add 2", "bid"])
    assert core.position()["totals"] == [6, 7]


def test_pz_48_who_passes_takes_his_cards_back() -> None:
    """PZ-48: the whole difference; he is out."""
    core = bidding("A7 A6", "B4 2 B5", "")
    core.play_all(["add B5", "bid", "pass", "add A7", "bid"])
    assert core.seat == 1
    assert changes(core, "pass")["hands"][1] == {"2": 1, "B4": 1, "B5": 1}
    assert core.position()["palaces"] == [[], [], []]


def test_pz_49_the_last_one_pays_and_builds_all_tiles() -> None:
    """PZ-49: his cards are discarded, the quarry is empty; the whole difference."""
    core = bidding("A7", "B4", quarry=["11b", "23m"])
    core.play_all(["add B4", "bid", "add A7", "bid"])
    assert changes(core, "pass") == {
        "player": 0,
        "decision": "BUILD",
        "quarries": [[], [], [], []],
        "discard": {"A7": 1},
        "hands": [{}, {"B4": 1}],
        "standing": None,
        "totals": [0, 0],
        "locks": [None, None],
        "table": [{}, {}],
        "to_build": ["11b", "23m"],
    }


def test_pz_49_the_opener_may_win_without_a_card() -> None:
    """PZ-49: with 3."""
    core = bidding("A7", "B4", "")
    change = changes(core, "pass", "pass")
    assert (core.seat, change["to_build"]) == (0, ["23m"])
    assert "discard" not in change and "hands" not in change


def test_pz_50_next_is_the_neighbour_of_the_active_player() -> None:
    """PZ-50: whoever won."""
    core = bidding("", "", "B5")
    core.play_all(["pass", "add B5", "bid", "pass", "build 23m new"])
    assert (core.seat, core.position()["active"], core.position()["palaces"]) == (1, 1, [[], [], ["23m"]])


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


# ---------------------------------------------------------------- decisions of section 6


def test_pz_d1_main() -> None:
    """PZ-D1: draw always; money with enough cards; rebuild with a card and a palace."""
    assert at(2).texts() == ["draw", "money"]
    assert at(2, hands=hands("A3", ""), palaces=[["11b"], []]).texts() == ["draw", "money", "rebuild"]
    assert at(2, hands=hands("A3", ""), palaces=[[], ["11b"]]).texts() == ["draw", "money"]


def test_pz_d2_two_cards_in_card_order_then_any() -> None:
    """PZ-D2: the first must leave one as high, the second is not lower; every pair has one sequence."""
    face_up = ["2", "A3", "A3", "C7", "C7"]
    pairs = []
    start = at(4, deck=face_up)
    start.play("money")
    for first in start.texts():
        core = start.copy()
        core.play(first)
        pairs += [tuple(sorted((first[5:], second[5:]))) for second in core.texts()]
    assert sorted(pairs) == sorted({tuple(sorted(pair)) for pair in combinations(face_up, 2)})
    start.play_all(["take A3", "take C7"])
    assert start.texts() == ["take 2", "take A3", "take C7"]


def test_pz_d3_choice() -> None:
    """PZ-D3: buy needs a tile in the depot that the hand can pay; the auction leads to the left neighbour's bid."""
    assert at(2, decision="CHOICE", hands=hands("A7 A7", "")).texts() == ["auction"]
    core = at(
        3, decision="CHOICE", active=1, depot=["11b"], quarries=[["12b"], [], [], []], hands=hands("", "A7 A7", "")
    )
    assert core.texts() == ["auction", "buy"]
    core.play("auction")
    assert (core.seat, core.position()["decision"]) == (2, "BID")


def test_pz_d4_the_second_tile_is_not_before_the_first() -> None:
    """PZ-D4: `stop` is asked even if it is the only move; the same kind only if there are two of it."""
    core = at(2, decision="BUY", depot=["11b", "31b", "31b", "42m"], hands=hands("A7 A7 A7", ""))
    core.play("tile 31b")
    assert core.texts() == ["stop", "tile 31b", "tile 42m"]
    other = at(2, decision="BUY", depot=["11b", "42m"], hands=hands("A7 A7 A7", ""))
    other.play("tile 42m")
    assert other.texts() == ["stop"]


def test_pz_d5_the_tiles_stay_in_the_depot_until_they_are_paid() -> None:
    """PZ-D5: again while the total is below the price."""
    core = paying("A3 A4 A5", 9)
    depot = core.position()["depot"]
    change = changes(core, "add A5")
    assert change == {"hands": [{"A3": 1, "A4": 1}, {}], "totals": [5, 0], "locks": ["A", None],
                      "table": [{"A5": 1}, {}], "last": "A5"}  # fmt: skip
    assert core.position()["depot"] == depot
    core.play("add A4")
    assert (core.position()["decision"], core.position()["depot"]) == ("BUILD", depot[1:])


def test_pz_d6_pass_only_before_a_component_bid_only_above_the_standing_bid() -> None:
    """PZ-D6."""
    core = bidding("", "A3 A4 2")
    assert core.texts() == ["add A3", "add A4", "pass"]
    core.play("add A3")
    assert core.texts() == ["add 2"]
    core.play("add 2")
    assert core.texts() == ["bid"]


def test_pz_d7_each_takes_and_builds_before_the_next() -> None:
    """PZ-D7: the tile leaves the quarry when it is taken."""
    core = at(2, decision="CHOICE", quarries=[[], ["11b", "12b", "31m", "31m"], [], []])
    core.play("auction")
    assert core.texts() == ["tile 11b", "tile 12b", "tile 31m"]
    assert changes(core, "tile 31m") == {
        "decision": "BUILD",
        "quarries": [[], ["11b", "12b", "31m"], [], []],
        "to_build": ["31m"],
    }
    core.play("build 31m new")
    assert (core.seat, core.position()["decision"]) == (1, "SHARE")


def test_pz_d8_twins_are_built_in_rising_order_of_their_moves() -> None:
    """PZ-D8: for every first choice the second ones; a tile of another kind between them ends the rule."""
    palaces, tile = ["11b", "12m/22m", "41s"], "31s"
    texts = [f"build {tile} {how}" for how in ("new", "on 11b", "on 12m/22m", "scrap")]
    for number, first in enumerate(texts):
        core = building(palaces, tile, tile)
        assert core.texts() == texts
        core.play(first)
        built = [first.split()[-1]] if " on " in first else []
        assert core.texts() == [text for text in texts[number:] if text.split()[-1] not in built]
    core = building(palaces, "31s", "32b")
    core.play("build 31s scrap")
    assert core.texts()[0] == "build 32b new"


def test_pz_d9_what_can_be_rebuilt() -> None:
    """PZ-D9: of two tiles the upper; insert needs a target."""
    assert rebuilding("11b/22m").texts() == ["split 11b/22m 22m"]
    assert rebuilding("32s").texts() == ["remove 32s"]
    assert rebuilding("12s/32m", "33b", "31s").texts() == ["remove 31s", "remove 33b", "split 12s/32m 32m"]


def test_pz_d10_other_palaces_without_the_floor() -> None:
    """PZ-D10: two and more tiles without the floor, or a single of a higher floor."""
    core = rebuilding("22b", "11b/31m", "12b/23m", "13b", "32b", "21s")
    core.play("insert 22b")
    assert core.texts() == ["into 11b/31m", "into 32b"]


def test_pz_d11_the_palaces_change_after_the_card_is_paid() -> None:
    """PZ-D11: until then they are as before; the whole difference."""
    core = rebuilding("11b/22m", "43s", hand="B6")
    core.play_all(["insert 43s", "into 11b/22m"])
    assert core.position()["palaces"][0] == ["11b/22m", "43s"]
    assert changes(core, "pay B6") == {
        "player": 1,
        "decision": "MAIN",
        "active": 1,
        "quiet": 1,
        "discard": {"B6": 1},
        "hands": [{}, {}],
        "palaces": [["11b/22m/43s"], []],
        "change": None,
        "target": None,
    }
    assert core.scores == [1 + 2 + 3, 0]


# ---------------------------------------------------------------- the cases are complete


def test_every_clause_has_a_case() -> None:
    assert clauses_without_test(GAME) == set()
