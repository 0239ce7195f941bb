"""One case for every clause of fiveavenue_env/RULES.md on rounds of auctions, bids and buildings.

FA-50 .. FA-68, FA-D5, FA-D6.
"""

from __future__ import annotations

import pytest

from tests.games.fiveavenue.cases import (
    BOARDS,
    COLOURS,
    FULL,
    FULL_SIX,
    PLAYERS,
    at,
    bid,
    bidding,
    changes,
    hands,
    kind_of,
    last_bidder,
    lot,
    lots_of,
    starting,
    turn_of,
)
from tests.support.rule_cases import Core

EVERYTHING = "brown 4 grey 4 violet 4 orange 4 green 4 black 4"


def pass_all(core: Core) -> list[int | None]:
    """Pass until the place under auction changes or the round is over; who was asked."""
    asked, where = [], core.position()["auction"]["where"]
    while kind_of(core) == "BID" and core.position()["auction"]["where"] == where:
        asked.append(core.seat)
        core.play("pass")
        if core.position()["auction"] and core.position()["auction"]["in"] == list(range(core.players)):
            break
    return asked


def begun(players: int, mover: int, **fields: object) -> Core:
    """White has just come to START with markers in 42E, 34W, TS; seat `mover` moved it."""
    markers, nodes = {"white": ["42E", "34W", "TS"], "beige": ["34E"]}, {"white": "CP", "beige": "42E"}
    core = at("MOVE", mover, players, **{"commissions": nodes, "markers": markers, **fields})
    core.play("move white START")
    return core


# ---------------------------------------------------------------- the round


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_50_markers_in_the_order_laid_then_central_park(players: int) -> None:
    """FA-50: those of the moved commission only."""
    core = begun(players, 1)
    places = []
    while kind_of(core) == "BID":
        places.append(core.position()["auction"]["where"])
        assert core.position()["auction"]["left"] == ["42E", "34W", "TS", "CP"][len(places) - 1 :]
        pass_all(core)
    assert places == ["42E", "34W", "TS", "CP"]
    assert core.position()["markers"] == {"white": [], "beige": ["34E"]}


def test_fa_51_the_marker_goes_back_after_its_auction() -> None:
    """FA-51: one after the other, also after a building."""
    core = begun(3, 0, hands=hands("brown 4", "", ""), black=["4d"])
    left = [core.position()["markers"]["white"]]
    core.play_all(["add brown 4", "bid", "pass", "pass"])
    assert core.position()["markers"]["white"] == ["42E", "34W", "TS"]
    core.play("build 2")
    left.append(core.position()["markers"]["white"])
    pass_all(core)
    left.append(core.position()["markers"]["white"])
    assert left == [["42E", "34W", "TS"], ["34W", "TS"], ["TS"]]


@pytest.mark.parametrize("players", PLAYERS)
def test_fa_52_the_turn_goes_on_where_it_stood(players: int) -> None:
    """FA-52: after C's first move with TAKE; in phase 3 with the next turn; the decider is the active seat again."""
    for phase, after in ((1, ("TAKE", 1)), (3, ("TURN", 2 % players))):
        core = begun(players, 1, phase=phase, stacks={"brown": [4], "grey": [5]})
        while kind_of(core) == "BID":
            pass_all(core)
        assert turn_of(core) == after
        assert core.position()["auction"] is None


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize(("board", "lots"), [(5, FULL), (6, FULL_SIX), (5, lots_of(orange="0:1", green="1:3"))])
@pytest.mark.parametrize("players", [3, 4])
def test_fa_53_a_player_with_buildings_bids_on_their_lot(board: int, lots: dict, players: int) -> None:
    """FA-53: in a full district and in one with empty lots."""
    for seat, colour in ((0, "orange"), (1, "green")):
        rows = [EVERYTHING] * players
        if players == 3 or "brown" in lots["34W"]:
            core = bidding(*rows, first=seat, lots=lots, board=board)
            assert core.texts() == [f"add {colour} 4", "pass"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_fa_54_without_one_only_colours_of_empty_lots(players: int, board: int) -> None:
    """FA-54: several players may use the same colour."""
    lots = lots_of(brown="boutique", grey="1:1", **({"dashed": "gallery"} if board == 6 else {}))
    core = bidding(EVERYTHING, *[EVERYTHING.replace("4", "5")] * (players - 1), lots=lots, board=board,
                   first=0, black=["4d", "4d", "4d"])  # fmt: skip
    assert core.texts() == ["add violet 4", "add orange 4", "add green 4", "pass"]
    if players > 2:
        core.play_all(["add green 4", "bid", "pass"])
        assert starting(core, "add") == ["add violet 5", "add orange 5", "add green 5"]
        core.play_all(["add green 5", "bid"])
        assert core.position()["auction"]["leader"] == 2


@pytest.mark.parametrize(("board", "lots"), [(5, FULL), (6, FULL_SIX)])
def test_fa_55_without_one_in_a_full_district_only_colours_of_shops(board: int, lots: dict) -> None:
    """FA-55: never a lot with buildings, never the dashed one."""
    core = bidding(*[EVERYTHING] * 4, first=3, lots=lots, board=board)
    assert core.texts() == ["add grey 4", "add violet 4", "pass"]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("mover", [0, 2])
def test_fa_56_every_auction_begins_with_the_first_player(players: int, mover: int) -> None:
    """FA-56: and goes clockwise, whoever won the one before."""
    rows = ["grey 6" if seat == (mover + 1) % players else "" for seat in range(players)]
    core = begun(players, mover, hands=hands(*rows), black=["4d"])
    order = [(mover + i) % players for i in range(players)]
    assert core.seat == mover
    core.play_all(["pass", "add grey 6", "bid", *["pass"] * (players - 2), "build 1"])
    for _ in range(3):
        assert pass_all(core) == order


# ---------------------------------------------------------------- bids


def test_fa_57_first_a_coloured_card_then_the_same_colour_and_black() -> None:
    """FA-57: the bid is the sum of all cards on the table."""
    core = bidding("brown 65 grey 4 black 64", "", "")
    assert core.texts() == ["add brown 5", "add brown 6", "add grey 4", "pass"]
    core.play("add brown 5")
    assert core.texts() == ["add black 4", "add black 6", "bid"]
    core.play_all(["add black 4", "bid"])
    auction = core.position()["auction"]
    assert (auction["standing"], auction["leader"]) == (9, 0)
    assert auction["table"] == [[["brown", 5], ["black", 4]], [], []]


def test_fa_58_more_than_the_standing_bid_or_pass() -> None:
    """FA-58: by any amount; equal is not enough."""
    for row, texts in (("grey 54", ["add grey 5", "pass"]), ("grey 64", ["add grey 6", "pass"]), ("grey 44", ["pass"])):
        running = {"table": [[["brown", 4], ["brown", 4]], [], []], "standing": 8, "leader": 0}
        core = bidding("", row, "", seat=1, auction=running)
        assert core.texts() == texts
    core = bidding("brown 4", "grey 4 black 666", "")
    core.play_all(["add brown 4", "bid", "add grey 4"])
    assert core.texts() == ["add black 6"]
    core.play("add black 6")
    assert core.texts() == ["add black 6", "bid"]


def test_fa_59_a_later_bid_adds_to_what_lies() -> None:
    """FA-59: nothing is exchanged; black cards alone may follow a coloured one of an earlier bid."""
    core = bidding("brown 64 black 5", "grey 6", "")
    core.play_all(["add brown 4", "bid", "add grey 6", "bid", "pass"])
    assert core.texts() == ["add brown 6", "add black 5", "pass"]
    change = changes(core, "add black 5")
    assert change["hands"][0] == {"brown": [6]}
    assert change["auction"]["table"][0] == [["brown", 4], ["black", 5]]
    assert core.texts() == ["bid"]


@pytest.mark.parametrize("players", [3, 4])
def test_fa_60_a_pass_is_final_and_brings_the_cards_back(players: int) -> None:
    """FA-60: at once; the seat is not asked again."""
    core = bidding("brown 4", "grey 5 black 4", *["violet 65"] * (players - 2))
    core.play_all(["add brown 4", "bid", "add grey 5", "bid"])
    for seat in range(2, players):
        if seat < 3:
            core.play_all(["add violet 6", "bid"])
        else:
            core.play("pass")
    assert core.seat == 0
    assert core.texts() == ["pass"]
    assert changes(core, "pass")["hands"][0] == {"brown": [4]}
    assert core.position()["auction"]["table"][0] == []
    assert (core.seat, core.texts()) == (1, ["add black 4", "pass"])
    core.play_all(["add black 4", "bid"])
    assert (core.seat, core.position()["auction"]["passed"]) == (2, [0, 3] if players == 4 else [0])


def test_fa_61_the_holder_is_never_asked_and_wins_when_all_others_passed() -> None:
    """FA-61: without another bid the last player may still bid or pass."""
    core = bidding("", "grey 4", "", black=["4d"])
    core.play_all(["pass", "add grey 4", "bid"])
    assert core.seat == 2
    core.play("pass")
    assert turn_of(core) == ("BUILD", 1)
    core = bidding("", "", "grey 4", black=["4d"])
    core.play_all(["pass", "pass"])
    assert (core.seat, core.texts()) == (2, ["add grey 4", "pass"])
    core.play_all(["add grey 4", "bid"])
    assert turn_of(core) == ("BUILD", 2)


@pytest.mark.parametrize("players", [3, 4])
def test_fa_62_without_a_bid_nothing_happens(players: int) -> None:
    """FA-62: the next auction follows; the whole difference."""
    core = bidding(*["black 4"] * players, then=["TS"])
    assert changes(core, *["pass"] * players) == {
        "markers": {"white": ["TS"], "beige": []},
        "auction": {**core.position()["auction"], "where": "TS", "left": ["TS", "CP"]},
    }


def test_fa_63_the_winners_cards_are_discarded() -> None:
    """FA-63: under the stacks, black ones face-up; those of the others came back to them; the whole difference."""
    core = bidding("brown 5 black 44", "grey 54 black 5", "", stacks={"brown": [6], "grey": [6, 4]}, black=["5d", "4u"])
    core.play_all(
        ["add brown 5", "bid", "add grey 5", "add grey 4", "bid", "pass", "add black 4", "add black 4", "bid"]
    )
    auction = core.position()["auction"]
    assert changes(core, "pass") == {
        "hands": [{}, {"grey": [5, 4], "black": [5]}, {}],
        "stacks": {"brown": [6, 5], "grey": [6, 4], "violet": [], "orange": [], "green": []},
        "black": ["5d", "4u", "4u", "4u"],
        "auction": {**auction, "table": [[], [], []], "passed": [1, 2], "in": [0], "won": ["brown", 2]},
        "decision": {"kind": "BUILD", "player": 0},
    }


def test_fa_64_a_face_up_card_on_top_is_shuffled_at_once() -> None:
    """FA-64: all of the stack, every order alike; coloured stacks never are."""
    tops = dict.fromkeys((4, 5, 6), 0)
    for stream in range(300):
        core = at(black=["4d", "5u", "6u", "5d"], stacks={"brown": [4, 5]}, stream=stream)
        (event,) = core.play("C")
        assert (event["deck"], sorted(event["order"])) == ("black", [5, 5, 6])
        assert core.position()["black"] == [f"{value}d" for value in event["order"]]
        assert core.position()["stacks"]["brown"] == [4, 5]
        tops[event["order"][0]] += 1
    assert tops[4] == 0 and 60 < tops[6] < 140


@pytest.mark.parametrize(
    ("row", "most"),
    [("brown 4", 3), ("brown 5", 2), ("brown 6", 1), ("brown 4 black 4", 3), ("brown 4 black 5", 2),
     ("brown 54", 2), ("brown 4 black 6", 1), ("brown 644", 1)],
)  # fmt: skip
@pytest.mark.parametrize("where", ["34W", "CP"])
def test_fa_65_the_highest_card_says_how_many_buildings(row: str, most: int, where: str) -> None:
    """FA-65: k = 7 - the highest value, black cards too."""
    core = last_bidder(row, where=where, reserve=[9, 3, 3])
    core.play_all(bid(row))
    assert core.texts() == [f"build {n}" for n in range(most + 1)]


@pytest.mark.parametrize("reserve", [0, 1, 2, 3, 9])
def test_fa_66_buildings_come_from_the_reserve(reserve: int) -> None:
    """FA-66: fewer or none are allowed, more than he has are not; the supply stays."""
    core = last_bidder("grey 4", reserve=[reserve, 3, 3], supply=[6, 12, 12])
    core.play_all(["add grey 4", "bid"])
    assert core.texts() == [f"build {n}" for n in range(min(3, reserve) + 1)]
    for text in core.texts():
        copy = core.copy()
        copy.play(text)
        number = int(text[-1])
        assert (copy.position()["reserve"][0], copy.position()["supply"][0]) == (reserve - number, 6)
        assert lot(copy, "34W", "grey") == (f"0:{number}" if number else "")


def test_fa_67_a_player_without_reserve_may_take_part() -> None:
    """FA-67: and lose his cards for nothing."""
    core = last_bidder("grey 4", reserve=[0, 3, 3])
    assert core.texts() == ["add grey 4", "pass"]
    core.play_all(["add grey 4", "bid", "build 0"])
    assert (core.position()["hands"][0], core.position()["stacks"]["grey"]) == ({}, [4])


def test_fa_68_all_buildings_of_a_player_stand_on_one_lot() -> None:
    """FA-68: those he wins later come there too."""
    core = last_bidder("orange 4", lots=lots_of(orange="0:2"))
    core.play_all(["add orange 4", "bid", "build 3"])
    assert core.position()["lots"]["34W"] == {**dict.fromkeys(COLOURS, ""), "orange": "0:5"}


# ---------------------------------------------------------------- decisions of section 6


def sequences(core: Core) -> list[tuple[str, ...]]:
    """Every way to raise now: the cards added before `bid`."""
    found, queue = [], [(core, ())]
    while queue:
        at_now, laid = queue.pop()
        for text in at_now.texts():
            if text == "bid":
                found.append(laid)
            elif text.startswith("add"):
                queue.append((at_now.copy(), (*laid, text)))
                queue[-1][0].play(text)
    return found


@pytest.mark.parametrize("table", [[], [["brown", 5], ["black", 6]]])
def test_fa_d5_each_set_of_cards_has_exactly_one_sequence(table: list[list[object]]) -> None:
    """FA-D5: all that beat the standing bid, by brute force; colour falling, then black falling; no dead end."""
    hand = [
        ("brown", 6),
        ("brown", 5),
        ("brown", 4),
        ("brown", 4),
        ("grey", 6),
        ("black", 6),
        ("black", 4),
        ("black", 4),
    ]
    total = sum(int(str(value)) for _, value in table)
    running = {"table": [table, [["grey", 5], ["grey", 6], ["black", 4]], []], "standing": 15, "leader": 1}
    core = bidding("brown 6544 grey 6 black 644", "", "", lots={}, auction=running)
    wanted = set()
    for mask in range(1, 2 ** len(hand)):
        cards = tuple(
            sorted((hand[i] for i in range(len(hand)) if mask >> i & 1), key=lambda c: (c[0] == "black", -c[1]))
        )
        colours = {colour for colour, _ in cards} - {"black"}
        fits = colours <= {"brown"} if table else len(colours) == 1
        if fits and total + sum(value for _, value in cards) > 15:
            wanted.add(tuple(f"add {colour} {value}" for colour, value in cards))
    found = sequences(core)
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_fa_d5_pass_is_the_first_act_only_and_the_order_starts_afresh() -> None:
    """FA-D5: a begun raise cannot be passed; in the next BID turn a higher card may follow."""
    core = bidding("brown 64 black 64", "grey 5", "")
    assert "pass" in core.texts()
    core.play_all(["add brown 4", "add black 4"])
    assert core.texts() == ["bid"]
    core = bidding("brown 64 black 64", "grey 54", "grey 6")
    core.play_all(["add brown 4", "bid", "add grey 5", "bid", "pass", "add black 4", "bid", "add grey 4", "bid"])
    assert core.texts() == ["add brown 6", "add black 6", "pass"]


def test_fa_d6_build() -> None:
    """FA-D6: numbers up to k and the reserve; `close` last; it is asked even with one choice."""
    core = last_bidder("orange 4", lots=FULL, reserve=[2, 3, 3])
    core.play_all(["add orange 4", "bid"])
    assert core.texts() == ["build 0", "build 1", "build 2", "close"]
    core = last_bidder("grey 6", reserve=[0, 3, 3])
    core.play_all(["add grey 6", "bid"])
    assert core.texts() == ["build 0"]
