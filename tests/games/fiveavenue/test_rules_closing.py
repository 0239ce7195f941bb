"""One case for every clause of fiveavenue_env/RULES.md on closing, Central Park and Egon.

FA-70 .. FA-75, FA-80 .. FA-83, FA-100 .. FA-115.
"""

from __future__ import annotations

import pytest

from tests.games.fiveavenue.cases import (
    BOARDS,
    COLOURS,
    DISTRICTS,
    FULL,
    FULL_SIX,
    at,
    bid,
    bidding,
    changes,
    hands,
    last_bidder,
    lot,
    lots_of,
    starting,
)
from tests.support.rule_cases import Core

EVERYTHING = "brown 4 grey 4 violet 4 orange 4 green 4 black 4"

# ---------------------------------------------------------------- closing


@pytest.mark.parametrize(("board", "lots"), [(5, FULL), (6, FULL_SIX)])
@pytest.mark.parametrize("reserve", [0, 3])
def test_fa_70_a_winner_with_buildings_builds_or_closes(board: int, lots: dict, reserve: int) -> None:
    """FA-70: in a district that was full; with an empty reserve too."""
    core = last_bidder("orange 5", lots=lots, board=board, reserve=[reserve, 3, 3])
    core.play_all(["add orange 5", "bid"])
    assert core.texts() == [*(f"build {n}" for n in range(min(2, reserve) + 1)), "close"]
    core.play("build 0")
    assert core.position()["closed"] == []


@pytest.mark.parametrize(("board", "lots"), [(5, FULL), (6, FULL_SIX)])
def test_fa_71_a_winner_without_buildings_must_close_a_full_district(board: int, lots: dict) -> None:
    """FA-71: in one that is not full nobody can, neither with buildings nor without."""
    core = bidding("", "", "", "grey 4", lots=lots, board=board, auction={"passed": [0, 1, 2]}, seat=3, black=["4d"])
    core.play_all(["add grey 4", "bid"])
    assert core.texts() == ["close"]
    for row in ("grey 4", "orange 4"):
        core = last_bidder(row, lots=lots_of(orange="0:1") if row[0] == "o" else {})
        core.play_all([f"add {row}", "bid"])
        assert "close" not in core.texts()


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(("closer", "colour", "scores"), [(0, "orange", [6, 1, 1, 0]), (1, "green", [2, 6, 1, 0])])
def test_fa_72_points_of_a_closing(players: int, closer: int, colour: str, scores: list[int]) -> None:
    """FA-72: a point a building for the closer, half of the others' D points (4, 3, 3, 0), rounded down; never both."""
    lots = lots_of(orange="0:2", green="1:3", brown="2:1", violet="boutique", grey="gallery+jeweller")
    rows = [f"{colour} 4" if seat == closer else "" for seat in range(players)]
    passed = [seat for seat in range(players) if seat != closer]
    core = bidding(*rows, seat=closer, lots=lots, auction={"passed": passed}, black=["4d"])
    assert core.states[0].points_now[:players].tolist() == [4, 3, 3, 0][:players]
    core.play_all([f"add {colour} 4", "bid", "close"])
    assert core.scores == scores[:players]


def test_fa_73_everything_there_goes_to_the_box() -> None:
    """FA-73: to no reserve and no supply; the whole difference of a closing."""
    core = last_bidder("orange 4", lots={**FULL, "TS": {"brown": "0:1"}}, then=["TS"])
    core.play_all(["add orange 4", "bid"])
    lots = core.position()["lots"]
    auction = core.position()["auction"]
    assert changes(core, "close") == {
        "scores": [4, 1, 1],
        "lots": {**lots, "34W": dict.fromkeys(COLOURS, "")},
        "closed": ["34W"],
        "markers": {"white": ["TS"], "beige": []},
        "auction": {
            **auction, "where": "TS", "left": ["TS", "CP"], "standing": 0, "leader": None, "passed": [],
            "in": [0, 1, 2], "won": None,
        },
        "decision": {"kind": "BID", "player": 0},
    }  # fmt: skip


@pytest.mark.parametrize("board", BOARDS)
def test_fa_74_a_closed_district_no_longer_exists(board: int) -> None:
    """FA-74: for moves, markers, shops, D, bonuses and the final scoring."""
    core = at(closed=["34W"], board=board, commissions={"white": "34W", "beige": "34E"})
    assert starting(core, "D") == ["D 34E"]
    core.play("B gallery")
    assert starting(core, "shop", "34W") == []
    core = at("MOVE", closed=["34W"], board=board)
    assert "move white 34W" not in core.texts()
    for kind, moves in (("SHOP", ["shop TS brown"]), ("MOVE", ["move white 34E"])):
        extra = {"shop": "gallery", "placed": 2} if kind == "SHOP" else {}
        lots = {"34E": {"brown": "0:1"}, "42W": {"brown": "0:1"}}
        core = at(kind, closed=["34W"], board=board, lots=lots, turn=9, options={"max_turns": 9}, **extra)
        core.play_all(moves, [[]] if kind == "MOVE" else [])
        assert core.scores == ([0, 0, 0] if kind == "SHOP" else [2, 0, 0])


def test_fa_75_markers_of_both_commissions_go_back() -> None:
    """FA-75: those in other districts keep their order; a commission standing there stays."""
    markers = {"white": ["34W", "52E"], "beige": ["34E", "34W", "TS"]}
    core = last_bidder("orange 4", lots=FULL, then=["52E"], markers=markers, commissions={"beige": "CP"})
    core.play_all(["add orange 4", "bid", "close"])
    assert core.position()["markers"] == {"white": ["52E"], "beige": ["34E", "TS"]}
    core = last_bidder("orange 4", lots=FULL, commissions={"beige": "34W"})
    core.play_all(["add orange 4", "bid", "close"])
    assert core.position()["commissions"]["beige"] == "34W"


# ---------------------------------------------------------------- Central Park


@pytest.mark.parametrize("players", [3, 4])
def test_fa_80_the_first_bid_fixes_the_colour(players: int) -> None:
    """FA-80: any of the five, by whoever bids first."""
    core = bidding(*[EVERYTHING.replace("4", "45")] * players, where="CP", lots=FULL, first=1)
    assert [text.split()[1] for text in starting(core, "add")] == [c for c in COLOURS for _ in "45"]
    core.play("pass")
    assert core.position()["auction"]["cpcolour"] is None
    core.play_all(["add violet 4", "bid"])
    assert core.position()["auction"]["cpcolour"] == "violet"
    assert starting(core, "add") == ["add violet 4", "add violet 5"]


def test_fa_81_all_later_bids_are_in_that_colour_and_black() -> None:
    """FA-81: of the opener too; a pass before the first bid is final."""
    core = bidding("brown 6", "violet 45 black 4", "violet 6 brown 66", where="CP")
    core.play_all(["pass", "add violet 4", "bid"])
    assert core.texts() == ["add violet 6", "pass"]
    core.play_all(["add violet 6", "bid"])
    assert (core.seat, core.texts()) == (1, ["add violet 5", "add black 4", "pass"])
    core.play_all(["add black 4", "bid"])
    assert (core.seat, core.texts()) == (2, ["pass"])


@pytest.mark.parametrize("lots", [{}, FULL])
def test_fa_82_the_winner_builds_at_central_park(lots: dict) -> None:
    """FA-82: any number together; no closing; the whole difference."""
    core = last_bidder("brown 4", where="CP", cp=[2, 1, 0], lots=lots)
    core.play_all(["add brown 4", "bid"])
    assert core.texts() == ["build 0", "build 1", "build 2", "build 3"]
    assert changes(core, "build 3") == {
        "reserve": [0, 3, 3],
        "cp": [5, 1, 0],
        "turn": 2,
        "phase": None,
        "auction": None,
        "decision": {"kind": "TURN", "player": 1},
    }


def test_fa_83_those_buildings_count_at_the_end_only() -> None:
    """FA-83: not in D, bonuses and closings."""
    core = at(cp=[9, 0, 0], commissions={"white": "TS"})
    core.play("D TS")
    assert core.scores == [0, 0, 0]
    lots = {"TS": {"brown": "0:1"}, "34E": {"brown": "0:1"}}
    core = at("SHOP", shop="gallery", placed=2, cp=[9, 0, 0], lots=lots)
    core.play("shop 34W brown")
    assert core.scores == [0, 0, 0]
    core = last_bidder("orange 4", lots=FULL, cp=[9, 9, 0])
    core.play_all(["add orange 4", "bid", "close"])
    assert core.scores == [4, 1, 1]
    assert core.position()["cp"] == [9, 9, 0]


# ---------------------------------------------------------------- Egon


def duel(one: str, two: str, black: str, **fields: object) -> Core:
    """Two players and Egon, whose cards lie on top of the black stack."""
    return bidding(one, two, **{"black": [f"{v}d" for v in black], **fields})


def egon(core: Core) -> tuple[int, object, object]:
    auction = core.position()["auction"]
    return auction["standing"], auction["leader"], auction["egon"]


def test_fa_100_egon_has_nothing_but_bids() -> None:
    """FA-100: two hands, two scores, two turns; no bonus and no card of a D for his buildings."""
    lots = {district: {"brown": "E:1"} for district in DISTRICTS}
    core = at(players=2, lots=lots, commissions={"white": "TS"}, black=["4d"] * 9)
    core.play("D TS")
    position = core.position()
    assert [len(position[field]) for field in ("hands", "scores", "reserve", "supply", "cp")] == [2] * 5
    assert (core.scores, len(position["black"])) == ([0, 0], 9 - 4)
    core = at("SHOP", players=2, shop="gallery", placed=8, lots=lots)
    core.play("shop TS grey")
    assert core.scores == [0, 0]


@pytest.mark.parametrize(
    ("black", "cards"), [("446", [4, 4]), ("4566", [4, 5, 6, 6]), ("6546", [6, 5, 4, 6]), ("56566", [5, 6, 5])]
)
@pytest.mark.parametrize("where", ["34W", "CP"])
def test_fa_101_egon_bids_after_both_players_have_decided(black: str, cards: list[int], where: str) -> None:
    """FA-101: black cards until a value comes again; once in an auction; also if both have passed."""
    core = duel("brown 54", "brown 666 black 66", black, where=where)
    core.play_all(bid("brown 4"))
    assert egon(core) == (4, 0, None)
    core.play_all(bid("brown 666 black 6"))
    assert egon(core) == (24, 1, cards)
    assert core.position()["black"] == [f"{value}d" for value in black[len(cards) :]]
    passed = duel("", "", black, where=where)
    passed.play_all(["pass", "pass"])
    assert passed.position()["black"] == [f"{value}d" for value in [*map(int, black[len(cards) :]), *cards]]
    assert (lot(passed, "34W", "brown") == "E:1") == (where == "34W")


@pytest.mark.parametrize("first", [0, 1])
def test_fa_101_the_other_player_is_asked_before_egon(first: int) -> None:
    """FA-101: the first player, the other, then Egon; in this order whoever is first."""
    core = duel("brown 4", "brown 5", "446", first=first)
    assert core.seat == first
    core.play("pass")
    assert (core.seat, egon(core)) == (1 - first, (0, None, None))
    core.play_all([starting(core, "add")[0], "bid"])
    assert egon(core) == (8, "E", [4, 4])


@pytest.mark.parametrize(("row", "leads"), [("brown 44", False), ("brown 64", False), ("brown 6", True)])
def test_fa_102_not_higher_than_the_standing_bid_is_out(row: str, leads: bool) -> None:
    """FA-102: equal is not enough; the auction goes on between the players, the next one clockwise is asked."""
    core = duel("brown 4 black 6666", row, "4455")
    core.play_all([*bid("brown 4"), *bid(row)])
    assert egon(core) == ((8, "E", [4, 4]) if leads else (sum(map(int, row[6:])), 1, [4, 4]))
    assert core.seat == 0
    core.play_all(["add black 6", "add black 6", "bid"])
    assert egon(core)[1] == 0


@pytest.mark.parametrize("first", [0, 1])
def test_fa_103_the_players_go_on_against_egon(first: int) -> None:
    """FA-103: beginning with the first player, if he has not passed."""
    core = duel("brown 54", "brown 54", "6655", first=first)
    core.play_all(["add brown 4", "bid", "add brown 5", "bid"])
    assert (egon(core), core.seat) == ((12, "E", [6, 6]), first)
    core.play("pass")
    assert (core.seat, core.texts()) == (1 - first, ["pass"])
    core = duel("brown 54", "brown 44", "6655", first=0)
    core.play_all(["pass", "add brown 4", "bid"])
    assert (egon(core), core.seat, core.texts()) == ((12, "E", [6, 6]), 1, ["pass"])


def test_fa_104_egon_wins_when_both_have_passed() -> None:
    """FA-104: after bids too; the cards are back in the hands."""
    core = duel("brown 4", "", "6655")
    core.play_all(["add brown 4", "bid", "pass", "pass"])
    assert core.position()["hands"] == [{"brown": [4]}, {}]
    assert set(core.position()["lots"]["34W"].values()) == {"E:1"}


def test_fa_105_egons_cards_go_face_down_under_the_stack() -> None:
    """FA-105: whether he wins or not."""
    core = duel("brown 66", "", "44566")
    core.play_all(["add brown 6", "add brown 6", "bid", "pass"])
    assert core.position()["black"] == ["5d", "6d", "6d", "4d", "4d"]
    core = duel("", "", "45466", where="CP")
    core.play_all(["pass", "pass"])
    assert core.position()["black"] == ["6d", "6d", "4d", "5d", "4d"]


@pytest.mark.parametrize("board", BOARDS)
def test_fa_110_egon_builds_where_a_building_scores_most(board: int) -> None:
    """FA-110: one, whatever his cards, even if he has buildings there; the marker goes back."""
    lots = lots_of(
        brown="E:1", violet="boutique+gallery", green="jeweller", **({"dashed": "boutique"} if board == 6 else {})
    )
    core = duel("", "", "4566", lots=lots, board=board)
    core.play_all(["pass", "pass"])
    built = {**dict.fromkeys(COLOURS, ""), **lots["34W"], "orange": "E:1"}
    assert core.position()["lots"]["34W"] == built
    assert core.position()["markers"]["white"] == []


def test_fa_111_on_each_of_the_best_lots() -> None:
    """FA-111: never a second one on a lot, never on a lot with shops."""
    core = duel("", "", "446", lots=lots_of(brown="E:1", grey="boutique", orange="gallery"))
    core.play_all(["pass", "pass"])
    after = {"brown": "E:1", "grey": "boutique", "violet": "E:1", "orange": "gallery", "green": ""}
    assert core.position()["lots"]["34W"] == after
    core = duel("", "", "446")
    core.play_all(["pass", "pass"])
    assert set(core.position()["lots"]["34W"].values()) == {"E:1"}


@pytest.mark.parametrize("board", BOARDS)
def test_fa_112_egon_closes_a_full_district(board: int) -> None:
    """FA-112: both players get half their points, nobody those for all buildings."""
    lots = lots_of(brown="0:3", grey="boutique", violet="1:3", orange="E:4", green="E:1",
                   **({"dashed": "boutique"} if board == 6 else {}))  # fmt: skip
    core = duel("", "", "446", lots=lots, board=board)
    core.play_all(["pass", "pass"])
    assert (core.scores, core.position()["closed"]) == ([3, 3], ["34W"])


def test_fa_113_egon_never_scores() -> None:
    """FA-113: at a D and at the end his buildings bring nobody anything."""
    lots = {"TS": {"brown": "E:5", "grey": "gallery", "violet": "1:1"}}
    core = at(players=2, lots=lots, commissions={"white": "TS"}, turn=9, options={"max_turns": 9})
    core.play("D TS")
    assert core.scores == [0, 2]
    core.play("move beige 34W")
    assert core.position()["final"]["districts"] == [0, 2]


def test_fa_114_egons_buildings_count_for_a_closer_and_occupy_lots() -> None:
    """FA-114: for shops, empty lots, full districts and the colours of bids."""
    lots = lots_of(brown="0:1", grey="boutique", violet="1:1", orange="E:4", green="E:1")
    core = duel("brown 6", "", "4455", lots=lots, auction={"asked": 2, "egon": [4, 4], "standing": 8, "leader": "E"},
                hands=hands("brown 64", ""))  # fmt: skip
    core.play_all(["add brown 6", "add brown 4", "bid", "pass"])
    assert core.texts() == ["build 0", "build 1", "close"]
    core.play("close")
    assert core.scores == [7, 1]
    core = at("SHOP", players=2, shop="gallery", lots=lots)
    assert starting(core, "shop", "34W") == ["shop 34W grey"]
    core = duel(EVERYTHING, "", "4455", lots=lots_of(brown="E:1", grey="boutique", violet="E:2"))
    assert core.texts() == ["add orange 4", "add green 4", "pass"]


def test_fa_115_egon_builds_nothing_at_central_park() -> None:
    """FA-115: the whole difference: his cards go under the stack, the turn is over."""
    core = duel("", "", "446", where="CP", cp=[1, 0])
    assert changes(core, "pass", "pass") == {
        "black": ["6d", "4d", "4d"],
        "turn": 2,
        "phase": None,
        "auction": None,
        "decision": {"kind": "TURN", "player": 1},
    }
