"""One case for every ruling of palazzo_env/RULES.md section 4, PZ-R1 .. PZ-R26."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from skyline import registry
from tests.games.palazzo.cases import (
    ALL_CARDS,
    GAME,
    PILE_3,
    PLAYERS,
    at,
    bidding,
    building,
    changes,
    counts,
    hands,
    largest_payment,
    paying,
    rebuilding,
    starting,
)
from tests.games.palazzo.views import KINDS, played
from tests.support.rule_cases import Core, sized
from tests.support.seeing import decoded


@pytest.mark.parametrize("players", PLAYERS)
def test_pz_r1_quarry_0_and_seat_0(players: int) -> None:
    """PZ-R1: in every deal."""
    for seed in range(20):
        core = Core.deal(GAME, players, seed)
        assert (core.seat, core.position()["builder"]) == (0, 0)


def test_pz_r2_the_others_pick_a_face_up_card() -> None:
    """PZ-R2: any of those left."""
    core = at(3, deck=["A3", "B4", "C5", "C6"])
    core.play_all(["money", "take A3", "take C6"])
    assert (core.seat, core.texts()) == (1, ["take B4", "take C5"])
    core.play("take C5")
    assert (core.seat, core.texts()) == (2, ["take B4"])


def test_pz_r3_the_deck_is_renewed_only_when_a_card_is_missing() -> None:
    """PZ-R3: the last card of the deck is no reason; the shuffle takes the discards as they are then."""
    held = {card: ALL_CARDS.count(card) for card in set(ALL_CARDS) - {"A3", "A4", "B7"}}
    core = at(2, deck=["A3", "A4", "A3"], discard={"A3": 1, "A4": 2, "B7": 3}, hands=[held, {}])
    assert core.play("money") == []
    assert (core.position()["deck"], core.position()["discard"]) == ([], {"A3": 1, "A4": 2, "B7": 3})
    core.play_all(["take A3", "take A3", "take A4"])
    (event,) = core.play("money")
    assert sorted(event["order"]) == ["A3", "A4", "A4", "B7", "B7", "B7"]


def test_pz_r4_two_knights_bring_no_tile() -> None:
    """PZ-R4: buying or auctioning still follows."""
    core = at(2, ["K", "K"], depot=["11b"], hands=hands("A7 A7", ""))
    assert changes(core, "draw") == {"decision": "CHOICE", "knights": 2, "stack": ["K"] * 3}
    assert core.texts() == ["auction", "buy"]


def test_pz_r4_the_tile_after_a_knight_goes_to_the_quarry_or_by_an_option_to_the_depot() -> None:
    """PZ-R4: disputed; a tile drawn first and the end of the game are the same in both readings."""
    for option, place in (("quarry", {"quarries": [[], ["13m"], [], []]}), ("depot", {"depot": ["11b", "13m"]})):
        options = {"knight_first": option}
        core = at(2, ["K", "13m"], depot=["11b"], builder=2, options=options)
        assert changes(core, "draw") == {"decision": "CHOICE", "knights": 1, "stack": ["K"] * 4, **place}
        core = at(2, ["12b", "K", "21s"], builder=2, options=options)
        assert changes(core, "draw")["depot"] == ["12b"]
        core = at(2, ["K", "12b"], knights=4, options=options)
        assert changes(core, "draw")["decision"] == "END" and core.position()["stack"] == ["12b"]
    with pytest.raises(ValueError, match="knight_first of Palazzo must be one of 'quarry', 'depot'"):
        registry.load(GAME).check_options({"knight_first": "palace"})


def test_pz_r5_a_price_of_0_is_paid_without_a_decision() -> None:
    """PZ-R5: ten tiles and more; two tiles too."""
    tiles = ["11b", "11m", "11s", "12b", "12m", "12s", "13b", "13m", "13s", "21b", "21m"]
    for count in (10, 11):
        core = at(2, decision="BUY", depot=tiles[:count])
        core.play_all(["tile 11b", "tile 13b"])
        assert (core.position()["decision"], core.position()["to_build"]) == ("BUILD", ["11b", "13b"])
        assert len(core.position()["depot"]) == count - 2


def test_pz_r6_an_auction_without_tiles_has_no_bids() -> None:
    """PZ-R6: the builder does not move."""
    core = at(4, decision="CHOICE", builder=2, hands=hands("A3", "A4", "A5", "A6"))
    core.play("auction")
    assert (core.seat, core.position()["builder"], core.position()["standing"]) == (1, 2, None)


@pytest.mark.parametrize(("single", "after"), [("13b", "13b/22m/42s"), ("33s", "22m/33s/42s"), ("52b", "22m/42s/52b")])
def test_pz_r7_an_inserted_single_goes_to_its_place(single: str, after: str) -> None:
    """PZ-R7: at the base, between two tiles, on top."""
    core = rebuilding("22m/42s", single)
    core.play_all([f"insert {single}", "into 22m/42s", "pay A3"])
    assert core.position()["palaces"][0] == [after]


def test_pz_r8_a_split_may_leave_gaps_and_a_single() -> None:
    """PZ-R8: the floors left keep their order; the card is paid afterwards and nothing can be taken back."""
    core = rebuilding("11b/22m/33s/43b/52m")
    core.play("split 11b/22m/33s/43b/52m 33s")
    assert starting(core, "pay") == core.texts() == ["pay A3"]
    core.play("pay A3")
    assert core.position()["palaces"][0] == ["11b/22m/43b/52m", "33s"]
    two = rebuilding("11b/22m")
    two.play_all(["split 11b/22m 22m", "pay A3"])
    assert two.position()["palaces"][0] == ["11b", "22m"]


def test_pz_r9_equal_results_are_one_move() -> None:
    """PZ-R9: the upper tile of two, the lower single into the higher, identical palaces once."""
    core = rebuilding("13b", "22m/42s", "31b", "31b")
    assert core.texts() == [
        "insert 13b", "insert 31b", "remove 13b", "remove 31b", "split 22m/42s 42s",
    ]  # fmt: skip
    core.play("insert 13b")
    assert core.texts() == ["into 22m/42s", "into 31b"]
    core.play_all(["into 31b", "pay A3"])
    assert core.position()["palaces"][0] == ["13b/31b", "22m/42s", "31b"]
    core.check()


def test_pz_r10_lowest_first_reaches_every_result_of_any_order() -> None:
    """PZ-R10: by brute force over all orders of three tiles."""
    palaces, tiles = ["12b/23m", "42m"], ["13s", "33b", "53s"]
    reached = set()
    queue = [building(palaces, *tiles)]
    while queue:
        core = queue.pop()
        if core.position()["decision"] != "BUILD":
            reached.add(tuple(core.position()["palaces"][0]))
            continue
        for text in core.texts():
            queue.append(core.copy())
            queue[-1].play(text)
    assert reached == {result for order in permutations(tiles) for result in _results(tuple(palaces), order)}


def _results(palaces: tuple[str, ...], tiles: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Every set of palaces after these tiles in this order, by text alone."""
    if not tiles:
        return {tuple(sorted(palaces))}
    tile, *rest = tiles
    found = _results(palaces, tuple(rest)) | _results((*palaces, tile), tuple(rest))
    for i, palace in enumerate(palaces):
        if int(palace.split("/")[-1][0]) < int(tile[0]):
            found |= _results((*palaces[:i], f"{palace}/{tile}", *palaces[i + 1 :]), tuple(rest))
    return found


def test_pz_r11_components_in_one_order() -> None:
    """PZ-R11: T7 .. T2, then cards from 7 down, then certificates; the same again is allowed."""
    core = bidding("", "A7 B7 C7 A3 B3 C3 2 2 2 2 A5 A4")
    for played_now, gone in (
        ("add T3", {"add T7"}),
        ("add T2", {"add T3", "add T7"}),
        ("add A5", {"add T2", "add A7"}),
        ("add A4", {"add A5"}),
        ("add 2", {"add A4"}),
    ):
        core.play(played_now)
        assert not gone & set(core.texts())
    assert core.texts() == ["bid"]


def test_pz_r12_at_most_two_single_certificates() -> None:
    """PZ-R12: in one raise; with more of them a group comes first."""
    core = bidding("", "2 2 2 2 2")
    core.play_all(["add 2", "add 2"])
    assert core.texts() == ["bid"]
    other = bidding("", "2 2 2 2 2")
    other.play_all(["add T2", "add 2", "add 2"])
    assert (other.position()["totals"], other.texts()) == ([3, 19], ["bid"])


def test_pz_r13_no_superfluous_component() -> None:
    """PZ-R13: the payment ends as soon as the price is reached; overpaying with one component is allowed."""
    core = paying("A7 A3 2", 2)
    assert core.texts() == ["add 2", "add A3", "add A7"]
    core.play("add A7")
    assert core.position()["decision"] == "BUILD"
    assert "add T4" in paying("A4 B4 C4", 4).texts()


def test_pz_r14_a_raise_may_go_further() -> None:
    """PZ-R14: after reaching the standing bid more may be added; there is no maximum."""
    core = bidding("", "A7 A7 A7 A6 A6 A6")
    for number in range(6):
        assert ("bid" in core.texts()) == (number > 0)
        core.play("add A7" if number < 3 else "add A6")
    core.play("bid")
    assert core.position()["standing"] == [1, 39]


def test_pz_r15_no_dead_ends() -> None:
    """PZ-R15: a component is offered only if the goal can be reached after it; then there is no passing."""
    core = bidding("", "A3 A4 B7", standing=[0, 6], totals=[6, 0])
    assert core.texts() == ["add A4", "add B7", "pass"]
    core.play("add A4")
    assert core.texts() == ["add A3"]


def test_pz_r16_the_lock_holds_to_the_end_of_the_auction() -> None:
    """PZ-R16: and is forgotten then."""
    core = bidding("C3", "A4 B7", quarry=["23m"])
    core.play_all(["add A4", "bid"])
    assert core.position()["locks"] == [None, "A"]
    core.play_all(["add C3", "bid"])
    assert core.texts() == ["pass"]
    core.play("pass")
    assert core.position()["locks"] == [None, None]


def test_pz_r17_the_3_certificate_is_no_card() -> None:
    """PZ-R17: in no hand, no group, no discards; value of the opener's total only."""
    core = bidding("2 2", "A4")
    core.play_all(["add A4", "bid"])
    assert core.texts() == ["add 2", "pass"]  # 3 + 2 = 5; no group with the 3-certificate
    core.play_all(["add 2", "bid", "pass"])
    position = core.position()
    assert (position["discard"], position["hands"]) == ({"2": 1}, [{"2": 1}, {"A4": 1}])
    core.check()


def test_pz_r18_who_cannot_bid_is_asked_all_the_same() -> None:
    """PZ-R18: `pass` is his only move."""
    assert bidding("", "").texts() == ["pass"]
    assert bidding("", "A3").texts() == ["pass"]


def test_pz_r19_a_distribution_of_four_with_four_players() -> None:
    """PZ-R19: no bids; the last one has one tile to take and may scrap it."""
    core = at(4, decision="CHOICE", quarries=[[], ["11b", "12b", "13b", "22m"], [], []], hands=hands("A7", "", "", ""))
    core.play("auction")
    for tile in ("22m", "13b", "12b"):
        core.play_all([f"tile {tile}", f"build {tile} new"])
    assert (core.seat, core.texts()) == (3, ["tile 11b"])
    core.play_all(["tile 11b", "build 11b scrap"])
    assert core.position()["palaces"] == [["22m"], ["13b"], ["12b"], []]
    assert (core.seat, core.position()["discard"]) == (1, {})


@pytest.mark.parametrize("limit", [0, 1, 5, 40])
def test_pz_r20_too_many_quiet_turns_leave_only_draw(limit: int) -> None:
    """PZ-R20: money and rebuilding count, a draw begins anew; the option says how many."""
    options = {"quiet_limit": limit}
    rows = {"hands": hands("A3", "A4"), "palaces": [["11b"], ["12b"]], "options": options}
    assert at(2, quiet=limit, **rows).texts() == ["draw"]
    if limit:
        core = at(2, ["13m", "13s"], quiet=limit - 1, **rows)
        assert core.texts() == ["draw", "money", "rebuild"]
        core.play_all(["rebuild", "remove 11b", "pay A3"])
        assert core.texts() == ["draw"]
        core.play_all(["draw", "auction", "pass"])
        core.play(core.texts()[0])
        assert core.position()["quiet"] == 0
    with pytest.raises(ValueError, match="quiet_limit"):
        registry.load(GAME).check_options({"quiet_limit": -1})


def test_pz_r21_the_second_tile_only_if_two_can_be_paid() -> None:
    """PZ-R21: 2 x 6 = 12 with 11 and with 12 in hand."""
    for hand, second in (("A7 A4", []), ("A7 A5", ["tile 13b"])):
        core = at(2, decision="BUY", depot=["11b", "11m", "12b", "13b"], hands=hands(hand, ""))
        core.play("tile 12b")
        assert starting(core, "tile") == second


def test_pz_r22_discards_are_public_the_box_is_not_shown() -> None:
    """PZ-R22: both seats observe the discards; a scrapped tile looks like one that may still come."""
    core = at(2, discard=counts("A3 C7 2 2"))
    for seat in (0, 1):
        assert decoded(core, seat)["discards"].sum() == 4
    core = building([], "42b", stack=["41b", "51b", "52b"])
    core.play("build 42b scrap")
    for seat in (0, 1):
        values = decoded(core, seat)
        assert not values["tiles"].any()
        assert [KINDS[kind] for kind in values["may_come"].nonzero()[0]] == PILE_3


def test_pz_r23_equal_points_and_payments_share_the_place() -> None:
    """PZ-R23: place 2 is not given."""
    core = at(3, knights=5, decision="END", hands=hands("A7", "B7", "A6"))
    assert core.places() == [1, 1, 3]


def test_pz_r24_the_tie_break_counts_the_hand() -> None:
    """PZ-R24: groups and one currency; no card is on the table at the end of any game."""
    assert largest_payment("A7 B7 A5") == 12
    for seed in range(sized(10, 1)):
        core, rng = Core.deal(GAME, 3, seed), np.random.default_rng(seed)
        while core.seat is not None:
            core.play_action(int(rng.choice(core.actions())))
        assert core.position()["table"] == [{}, {}, {}]


def test_pz_r25_the_builder_leaves_his_own_quarry_first() -> None:
    """PZ-R25: a full round if only his own has tiles."""
    for quarries, stops in (([["11b"], [], [], ["12b"]], 3), ([["11b"], [], [], []], 0)):
        core = at(2, decision="CHOICE", builder=0, quarries=quarries)
        core.play("auction")
        assert core.position()["builder"] == stops


def test_pz_r26_the_number_of_cards_is_public() -> None:
    """PZ-R26: of every hand, to every seat; the faces are not."""
    core = played(3, seed=5, moves=60)
    sizes = [sum(hand.values()) for hand in core.position()["hands"]]
    for seat in range(3):
        assert decoded(core, seat)["hand_size"].tolist() == sizes[seat:] + sizes[:seat]
