"""What is not a position, a setup or a shuffle is a ValueError that names the place, before the core sees any of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from skyline import registry
from tests.games.broken_states import check_odd_values, found_under_python_o
from tests.games.palazzo.cases import ALL_CARDS, GAME, PILE_2, PILE_3, at, bidding, building, rebuilding
from tests.support.rule_cases import Core, Json, sized

PALAZZO = registry.load(GAME)
LONG = [[[[[[]]]]]] * 60
ODD: tuple[Any, ...] = (
    None, True, False, -1, 127, 128, 255, 256, 257, 2**15, 2**31, 2**63, 2**64, -(2**63), 10**40, 1.0, float("nan"),
    "1", "", "²", "\ud800", [], [[]], {}, {"": 1}, LONG, [None] * 300, {"A3": 300}, ["K"] * 60, ["11b"] * 60,
)  # fmt: skip
STACK = ["K"] * 5


def positions() -> dict[str, Json]:
    """A position of every decision, whole as it is written."""
    auction = bidding("A3 A4", "B3 B4", "C5")
    raised = auction.copy()
    raised.play("add B4")
    insert = rebuilding("11b/32s", "22m", "51m")
    insert.play("insert 22m")
    fee = insert.copy()
    fee.play("into 11b/32s")
    starts = {
        "MAIN": at(3, [*PILE_2[:4], *STACK], hands=[{"A3": 2}, {}, {"2": 4}], palaces=[["11b/31b", "13b"], [], []]),
        "MONEY": at(2, decision="MONEY", face_up=["A3", "B3", "C3"]),
        "CHOICE": at(2, decision="CHOICE", depot=["11b"], hands=[{"A7": 3}, {}]),
        "BUY": at(2, decision="BUY", depot=["11b", "12b"], chosen=["11b"], hands=[{"A7": 3}, {}]),
        "PAY": at(2, decision="PAY", depot=["11b", "12b"], chosen=["11b"], hands=[{"A7": 3}, {}]),
        "BID": auction,
        "raise": raised,
        "SHARE": at(2, decision="SHARE", builder=1, quarries=[[], ["11b", "12b", "13b", "21b"], [], []]),
        "BUILD": building(["11b", "21m/31b"], "31b", twin_move="build 31b on 21m"),
        "REBUILD": rebuilding("11b/32s", "22m"),
        "INTO": insert,
        "FEE": fee,
        "END": at(2, ["12b"], knights=5, decision="END", palaces=[["13b/23b/33b"], ["53m"]]),
    }
    return {name: core.position() for name, core in starts.items()}


POSITIONS = positions()


def test_positions_come_back() -> None:
    for name, position in POSITIONS.items():
        assert Core.at(GAME, position).position() == position, name


@pytest.mark.parametrize("name", POSITIONS)
def test_an_odd_value_in_any_field_is_refused_with_its_place_or_loads(name: str) -> None:
    check_odd_values(PALAZZO, POSITIONS[name], ODD)


FOUR = ["11b", "12b", "13b", "21b"]


@pytest.mark.parametrize(
    ("name", "fields", "place", "reason"),
    [
        ("BID", {"quarries": [[], FOUR, [], []]}, "quarries", "1 .. 3 are auctioned"),
        ("BID", {"quarries": [[]] * 4}, "quarries", "holds 0 tiles"),
        ("BID", {"standing": [0, 4]}, "standing[1]", "seat 0: 3, not 4"),
        ("BID", {"standing": [1, 3]}, "standing", "do not bid"),
        ("BID", {"out": [1]}, "standing", "do not bid"),
        ("BID", {"totals": [3, 275, 0]}, "totals[1]", "at most 268"),
        ("BID", {"out": [2], "table": [{}, {}, {"A3": 1}], "deck": []}, "totals[2]", "neither bids nor pays"),
        ("BID", {"table": [{}, {"A3": 1}, {}], "deck": []}, "totals[1]", "so its total is above 0"),
        ("BID", {"last": "2"}, "singles", "certificates are laid last"),
        ("PAY", {"totals": [9, 0]}, "decision", "are paid"),
        ("PAY", {"totals": [0, 3]}, "totals[1]", "neither bids nor pays"),
        ("PAY", {"standing": [0, 3]}, "standing", "belong to BID"),
        ("PAY", {"chosen": ["13b"]}, "chosen", "lie in the depot"),
        ("BUY", {"hands": [{}, {}]}, "decision", "cannot pay"),
        ("MAIN", {"table": [{"A3": 1}, {}, {}], "deck": []}, "totals[0]", "neither bids nor pays"),
        ("MAIN", {"sharing": True}, "sharing", "false in MAIN"),
        ("MAIN", {"quiet": 41}, "quiet", "0 .. 40"),
        ("MAIN", {"palaces": [["11m"] * 48, [], []]}, "", "11m 48 times (there are 1)"),
        ("MAIN", {"palaces": [["11m"] * 257, [], []]}, "palaces[0]", "at most 48"),
        ("MAIN", {"hands": [{"2": 10}, {"2": 10}, {}], "deck": []}, "", "2 20 times (there are 10)"),
        ("MAIN", {"stack": ["K"] * 4}, "stack", "the 5 knights"),
        ("MAIN", {"stack": [*PILE_2[:9], *PILE_3[3:], *STACK],
                  "quarries": [[*PILE_2[9:], "22b", "22s", "23b", "23m", "23s", "32b", "32m"], [], [], []]},
         "quarries[0]", "there is room for 25"),
        ("MAIN", {"to_build": ["11m"]}, "to_build", "no tiles to build in MAIN"),
        ("MAIN", {"players": 2}, "players", "3 players"),
        ("MAIN", {"player": 1}, "player", "decision of the active player"),
        ("MONEY", {"face_up": ["A3", "B3"]}, "face_up", "3 cards are still to be taken"),
        ("MONEY", {"face_up": ["A3", "B3"], "first_take": "A3"}, "first_take", "has no A3"),
        ("MONEY", {"quiet": 40}, "quiet", "no MONEY follows"),
        ("SHARE", {"quarries": [[], ["11b"], [], []]}, "quarries", "2 are still to be given out"),
        ("SHARE", {"sharing": False}, "sharing", "true in SHARE"),
        ("BUILD", {"sharing": True, "to_build": ["31b", "32b"]}, "to_build", "one tile is built after the other"),
        ("BUILD", {"twin_move": "build 31b on 31"}, "twin_move", "a palace"),
        ("BUILD", {"twin_move": "build 31m new"}, "twin_move", "the other 31b"),
        ("REBUILD", {"hands": [{}, {}]}, "decision", "no REBUILD follows"),
        ("INTO", {"change": "remove 22m"}, "change", "INTO follows insert only"),
        ("FEE", {"change": "split 22m 22m", "target": None}, "change", "no change that seat 0 may make"),
        ("FEE", {"change": "split 11b/32s 11b", "target": None}, "change", "no change that seat 0 may make"),
        ("FEE", {"palaces": [["11b/21m", "22m"], []], "target": "11b/21m"}, "change", "no change that"),
        ("FEE", {"palaces": [["11b/21m", "22m", "51m"], []], "target": "11b/21m"}, "target", "that takes 22m"),
        ("FEE", {"target": None}, "target", "after insert"),
    ],
)  # fmt: skip
def test_what_the_core_relies_on_is_checked(name: str, fields: Json, place: str, reason: str) -> None:
    """One field of a right position is wrong: too many tiles for an array, cards that do not exist, ..."""
    where = f"position.{place}" if place else "position"
    with pytest.raises(ValueError, match=f"^{re.escape(where)}: .*{re.escape(reason)}"):
        PALAZZO.from_position(PALAZZO.blank(POSITIONS[name]["players"])[0], {**POSITIONS[name], **fields})


def test_wrong_setups_name_the_place() -> None:
    setup = PALAZZO.setup(Core.deal(GAME, 3, 1).states[0])
    for wrong, match in (
        (None, "setup: an object"),
        ({**setup, "deck": []}, "setup: there is no field 'deck'"),
        ({"stack": setup["stack"]}, "setup: the field 'money' is missing"),
        ({**setup, "money": setup["money"][1:]}, "setup.money: a list of 55, not a list of 54"),
        ({**setup, "money": ["A3"] * 55}, "setup.money: there must be the 55 cards"),
        ({**setup, "stack": ["K", *setup["stack"][1:]]}, "setup.stack: the 15 entries from 0 on are pile 1"),
        ({**setup, "stack": [[], *setup["stack"][1:]]}, r"setup.stack\[0\]: one of 11b"),
    ):
        with pytest.raises(ValueError, match=match):
            PALAZZO.from_setup(PALAZZO.blank(3)[0], wrong)


def test_wrong_shuffles_name_the_place_and_leave_the_state() -> None:
    held = {card: ALL_CARDS.count(card) for card in set(ALL_CARDS)} | {"A3": 0}
    core = at(2, hands=[held, {}], discard={"A3": 3})
    before = core.states.tobytes()
    right = {"deck": "money", "order": ["A3", "A3", "A3"]}
    for wrong, match in (
        (5, "shuffles: a list"),
        ([right, right], "shuffles: a list of at most 1"),
        ([{"deck": "money"}], r"shuffles\[0\]: the field 'order' is missing"),
        ([{**right, "deck": "cards"}], r"shuffles\[0\].deck: one of money"),
        ([{**right, "order": ["A3", "A3", "A4"]}], r"shuffles\[0\].order: the order must hold the discards"),
        ([{**right, "order": ["A3", "A3", {}]}], r"shuffles\[0\].order\[2\]: one of 2, A3"),
    ):
        with pytest.raises(ValueError, match=match):
            PALAZZO.preset(core.states[0], wrong)
        assert core.states.tobytes() == before
    core.play("money", [right])


@pytest.mark.skipif(sized(1, 0) == 0, reason="-O needs no second run as plain Python")
def test_a_broken_state_is_found_under_python_o() -> None:
    """Assertions are left out there; a check of the game is not."""
    fields = ["hands", "visible", "knights", "windows", "depot_size", "copies"]
    assert found_under_python_o(GAME, fields) == fields
