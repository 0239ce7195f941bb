"""One case for every decision of palazzo_env/RULES.md section 6: PZ-D1 .. PZ-D11."""

from __future__ import annotations

from itertools import combinations

from tests.games.palazzo.cases import at, bidding, building, changes, hands, paying, rebuilding

FIVE = ["11b", "22m", "31s", "43b", "52m"]

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
