"""One case for every decision of section 6 of fiveavenue_env/RULES.md that a turn has: FA-D1 .. FA-D4, FA-D7."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.games.fiveavenue.cases import BOARDS, COLOURS, DISTRICTS, STACKS, at, kind_of, new_game, turn_of


@pytest.mark.parametrize("board", BOARDS)
def test_fa_d1_place(board: int) -> None:
    """FA-D1: every empty lot of every district without an own building, in the order of the actions."""
    core = new_game(2, 4, board)
    core.play_all([core.texts()[0], core.texts()[-1]])
    lots = core.position()["lots"]
    free = [d for d in DISTRICTS if not any(code.startswith("1:") for code in lots[d].values())]
    assert core.texts() == [f"place {d} {c}" for d in free for c in COLOURS if lots[d][c] == ""]
    assert len(free) == 6


def test_fa_d2_turn_and_what_comes_next() -> None:
    """FA-D2: in action order; A leads to TAKE, B to SHOP, C to MOVE in phase 1, D to MOVE in phase 3."""
    core = at("TURN", 1, stacks=STACKS, commissions={"white": "34E", "beige": "52W"}, black=["4d"] * 5)
    assert core.texts() == ["A", "B boutique", "B gallery", "C", "D 34E", "D 52W"]
    for text, kind, phase in (
        ("A", "TAKE", None),
        ("B boutique", "SHOP", None),
        ("C", "MOVE", 1),
        ("D 52W", "MOVE", 3),
    ):
        copy = core.copy()
        copy.play(text)
        assert (turn_of(copy), copy.position()["phase"]) == ((kind, 1), phase)


@pytest.mark.parametrize(("stacks", "kind"), [(STACKS, "TAKE"), ({}, "MOVE")])
def test_fa_d3_after_the_shop_comes_take_or_move(stacks: dict[str, list[int]], kind: str) -> None:
    """FA-D3: place, last of the block, bonus, and on."""
    lots = {district: {"brown": "2:1"} for district in DISTRICTS[:3]}
    core = at(
        "SHOP", 2, shop="boutique", row=[["gallery"], ["jeweller", "perfumery"]], placed=2, lots=lots, stacks=stacks
    )
    core.play("shop 34W grey")
    position = core.position()
    assert (position["park"], position["row"], core.scores) == (["gallery"], [["jeweller", "perfumery"]], [0, 0, 4])
    assert turn_of(core) == (kind, 2)


def test_fa_d4_take() -> None:
    """FA-D4: all pairs of the stacks that have cards, the only one, or nothing is asked."""
    for count in range(6):
        for colours in combinations(COLOURS, count):
            core = at(stacks={colour: [4] for colour in colours})
            core.play("A")
            if count == 0:
                assert kind_of(core) == "MOVE"
            elif count == 1:
                assert core.texts() == [f"take {colours[0]}"]
            else:
                assert core.texts() == [f"take {a} {b}" for a, b in combinations(colours, 2)]


def test_fa_d7_move_and_what_comes_next() -> None:
    """FA-D7: in phase 1 TAKE, or its skip; in phase 3 the next turn; a round comes between."""
    for phase, stacks, after in ((1, STACKS, "TAKE"), (1, {}, "MOVE"), (3, STACKS, "TURN")):
        core = at("MOVE", 1, phase=phase, stacks=stacks, commissions={"white": "CP"})
        plain = core.copy()
        plain.play("move beige 34W")
        assert turn_of(plain) == (after, 2 if after == "TURN" else 1)
        core.play("move white START")
        core.play_all(["pass"] * 3)
        assert turn_of(core) == turn_of(plain)
        assert core.position()["phase"] == (3 if after == "MOVE" else None)
