"""What is not a position, a setup or a shuffle is a ValueError that names the place, before the core sees any of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from skyline import registry
from tests.games.broken_states import check_odd_values, found_under_python_o
from tests.games.newyork.cases import GAME, at
from tests.support.rule_cases import Core, Json, sized

NEW_YORK = registry.load(GAME)
LONG = [[[[[[]]]]]] * 60
ODD: tuple[Any, ...] = (
    None, True, False, -1, 127, 128, 255, 256, 257, 2**15, 2**31, 2**63, 2**64, -(2**63), 10**40, 1.0, float("nan"),
    "1", "", "²", "\ud800", [], [[]], {}, {"": 1}, LONG, [None] * 300, {"SA": 300}, ["B1"] * 60, [7] * 60,
    [[1, 0, 7]] * 60,
)  # fmt: skip


def positions() -> dict[str, Json]:
    """A position of every phase, whole as it is written."""
    hands = [["B5", "B2", "G5"], ["R9"], ["Y1", "Y2"]]
    cities = [[[1, 0, 20]], [[0, 1, 44]], []]
    depot, deck = [7, 14, 22, 23], ["B1", "SA", "SB"]
    main = at(3, hands=hands, cities=cities, reserves=[[31, 32], [], [33]], depot=depot, deck=deck)
    pay = at(3, hands=hands, phase="pay", slot=0, paid=[5], discard=["B5"], depot=depot)
    build = main.copy()
    build.play("use 31")
    starts = {
        "main": main,
        "two": at(2, dirk=[30, 34], depot=[7, 14, 22, 23], reserves=[[32], []]),
        "pay": pay,
        "build": build,
        "place": at(3, phase="place", bought=[30, 34]),
        "put": at(3, phase="put", bought=[30, 34], tile=34),
        "ending": at(3, phase="place", bought=[40], received=[[], [13, 23], []], depot=[None] * 4, bag=[]),
        "over": at(3, phase="over", scores=[435, 1, 2]),
    }
    return {name: core.position() for name, core in starts.items()}


POSITIONS = positions()


def test_positions_come_back() -> None:
    for name, position in POSITIONS.items():
        core = Core.at(GAME, position)
        assert core.position() == position, name
        core.check()


@pytest.mark.parametrize("name", POSITIONS)
def test_an_odd_value_in_any_field_is_refused_with_its_place_or_loads(name: str) -> None:
    check_odd_values(NEW_YORK, POSITIONS[name], ODD)


@pytest.mark.parametrize(
    ("name", "fields", "place", "reason"),
    [
        ("main", {"hands": [["B8"] * 4, [], []]}, "", "B8 4 times (there are 3)"),
        ("main", {"hands": [["B8"] * 108, [], []]}, "", "B8 108 times (there are 3)"),
        ("main", {"discard": ["B8"] * 257}, "discard", "a list of at most 108"),
        ("main", {"discard": ["Y9"] * 3}, "", "Y9 4 times"),
        ("two", {"hands": [["B9", "B9"], []]}, "", "B9 3 times (there are 2)"),
        ("main", {"deck": ["B8"] * 111}, "deck", "a list of at most 110"),
        ("main", {"deck": ["SA", "SA"]}, "deck", "once at most"),
        ("main", {"deck": ["SB"], "scoring_places": {"SB": [0, 1]}}, "scoring_places.SB[1]", "0 .. 0"),
        ("main", {"depot": [20, 14, 22, 23]}, "cities[0][0][2]", "tile 20 lies in another place"),
        ("main", {"bag": [7]}, "bag[0]", "tile 7 lies in another place"),
        ("main", {"cities": [[[0, 0, 40]], [], []]}, "cities[0][0]", "start tile"),
        ("main", {"cities": [[[1, 0, 20], [3, 0, 40]], [], []]}, "cities[0]", "breaks NY-42"),
        ("main", {"scores": [1, 0, 0]}, "scores[0]", "0 .. 0"),
        ("main", {"deck": [], "scoring_places": None, "scores": [0, 245, 0]}, "scores[1]", "0 .. 244"),
        ("main", {"max_turns": 1001}, "max_turns", "1 .. 1000"),
        ("main", {"turns": 1000}, "turns", "the game is over"),
        ("main", {"players": 4}, "players", "3 players"),
        ("main", {"received": [[], [], []]}, "received", "end of the game"),
        ("main", {"slot": 0}, "slot", "phase pay"),
        ("main", {"tile": 31}, "tile", "build and put"),
        ("main", {"paid": [1]}, "paid", "phase pay"),
        ("pay", {"discard": []}, "paid", "among the discards"),
        ("pay", {"depot": [None, 14, 22, 23]}, "slot", "no tile in slot 0"),
        ("pay", {"paid": [5, 6]}, "paid[1]", "1 .. 5"),
        ("pay", {"paid": [8], "discard": ["B8"]}, "paid", "cannot go on"),
        ("build", {"tile": 40}, "tile", "not in the reserve"),
        ("place", {"bought": []}, "bought", "nothing to place"),
        ("put", {"tile": 40}, "tile", "not among the bought"),
        ("over", {"seat": 0}, "seat", "null"),
        ("over", {"received": [[40], [], []]}, "received[0][0]", "the game is over"),
    ],
)  # fmt: skip
def test_what_the_core_relies_on_is_checked(name: str, fields: Json, place: str, reason: str) -> None:
    """One field of a right position is wrong: cards that do not exist, a tile in two places, ..."""
    where = f"position.{place}" if place else "position"
    with pytest.raises(ValueError, match=f"^{re.escape(where)}: .*{re.escape(reason)}"):
        NEW_YORK.from_position(NEW_YORK.blank(POSITIONS[name]["players"])[0], {**POSITIONS[name], **fields})


def test_all_cards_are_somewhere_in_a_game() -> None:
    """`check` lets a loaded position lack cards; a dealt game has each card as often as there are."""
    for players, copies in ((2, 2), (3, 3)):
        core = Core.deal(GAME, players, 3)
        for _ in range(sized(400, 20)):
            if core.seat is None:
                break
            position = core.position()
            places = [position["deck"], position["discard"], position["market"], *position["hands"]]
            money = [card for place in places for card in place if card not in ("SA", "SB", None)]
            assert len(money) == 36 * copies
            assert {money.count(card) for card in money} == {copies}
            core.step(core.actions()[0])


def test_wrong_setups_name_the_place() -> None:
    setup = NEW_YORK.setup(Core.deal(GAME, 3, 1).states[0])
    for wrong, match in (
        (None, "setup: an object"),
        ({**setup, "deck": []}, "setup: there is no field 'deck'"),
        ({**setup, "money": 5}, "setup.money: a list of 110"),
        ({**setup, "money": [{}, *setup["money"][1:]]}, r"setup.money\[0\]: one of B1"),
        ({**setup, "bag": [True, *setup["bag"][1:]]}, r"setup.bag\[0\]: a whole number 1 .. 54, not True"),
        ({**setup, "bag": [1] * 54}, "setup.bag: there must be every tile"),
    ):
        with pytest.raises(ValueError, match=match):
            NEW_YORK.from_setup(NEW_YORK.blank(3)[0], wrong)


def test_wrong_shuffles_name_the_place_and_leave_the_state() -> None:
    core = at(3, deck=[], discard=["B1", "B2"])
    before = core.states.tobytes()
    right = {"deck": "money", "order": ["B2", "B1"]}
    for wrong, match in (
        (5, "shuffles: a list"),
        ([right, right], "shuffles: a list of at most 1"),
        ([{"deck": "money"}], r"shuffles\[0\]: the field 'order' is missing"),
        ([{**right, "deck": []}], r"shuffles\[0\].deck: one of money"),
        ([{**right, "order": ["B2", "B3"]}], r"shuffles\[0\].order: the order must hold the cards of the discards"),
        ([{**right, "order": ["B2", "SA"]}], r"shuffles\[0\].order\[1\]: one of B1"),
    ):
        with pytest.raises(ValueError, match=match):
            NEW_YORK.preset(core.states[0], wrong)
        assert core.states.tobytes() == before
    core.play("take B9", [right])


@pytest.mark.skipif(sized(1, 0) == 0, reason="-O needs no second run as plain Python")
def test_a_broken_state_is_found_under_python_o() -> None:
    """Assertions are left out there; a check of the game is not."""
    fields = ["hands", "held", "street", "discards_size", "reach", "laid_sum"]
    assert found_under_python_o(GAME, fields) == fields
