"""One case for every numbered clause of palazzo_env/RULES.md on payment, buying and auctions: PZ-20 .. PZ-50."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.palazzo.cases import (
    CARDS,
    PILE_1,
    PILE_2,
    PLAYERS,
    at,
    bidding,
    changes,
    hands,
    largest_payment,
    paying,
    starting,
)

FIVE = ["11b", "22m", "31s", "43b", "52m"]

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
