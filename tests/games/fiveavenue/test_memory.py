"""The memory cases of RULES.md section 10: what is kept, what every seat knows, and how often deals show what."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fiveavenue_env.remembered import contradiction
from tests.games.fiveavenue.cases import COLOURS, GAME
from tests.games.fiveavenue.test_worked_positions import start_of
from tests.support.rule_cases import Core, Json, rules_text, sized
from tests.support.seeing import determinized

BLOCKS = re.findall(r"^~~~json\n(.*?)^~~~$", rules_text(GAME), re.MULTILINE | re.DOTALL)
CASES: dict[str, Json] = {case["case"]: case for case in map(json.loads, BLOCKS)}
FIELDS = {"case", "kind", "clauses", "note", "players", "options", "setup", "state", "decision", "moves", "shuffles"}
EXPECT = {"decision", "hands", "memory", "stacks", "black", "out", "seats", "chances"}
COPIES = sized(20_000, 400)
Z = 4.75  # standard deviations: once in 10^6 draws; every test has a fixed stream


def reached(case: Json) -> Core:
    core = start_of(case)
    core.play_all(case["moves"], case.get("shuffles", []))
    assert contradiction(core.states[0]) is None
    return core


def test_every_case_is_read() -> None:
    assert set(CASES) == {f"FA-K{n:02}" for n in range(1, len(CASES) + 1)}
    assert len(CASES) >= 9
    for case in CASES.values():
        assert case["kind"] == "memory"
        assert set(case) <= FIELDS | {"expect"} and set(case["expect"]) <= EXPECT


@pytest.mark.parametrize("name", CASES)
def test_what_is_kept_and_known(name: str) -> None:
    case = CASES[name]
    expect, core = case["expect"], reached(case)
    position = core.position()
    for field in ("decision", "hands", "memory"):
        assert position[field] == expect[field], field
    for text, wanted in expect["seats"].items():
        known = core.game.knowledge(core.states[0], int(text))
        assert {field: known[field] for field in wanted} == wanted
        assert known["known"] == expect["memory"]["known"]
        assert known["first"] == expect["memory"]["first"]
        assert known["black"] == expect.get("black", known["black"])
        assert known["shops_out"] == expect.get("out", known["shops_out"])
        for colour, stack in expect.get("stacks", {}).items():
            assert known["stacks"][colour] == stack


@pytest.mark.parametrize("name", CASES)
def test_chances(name: str) -> None:
    """Each chance within 4.75 standard deviations (and the approximation after a shuffle with three players)."""
    case = CASES[name]
    core = reached(case)
    for number, chance in enumerate(case["expect"]["chances"]):
        rows = determinized(core, chance["seat"], stream=number, copies=COPIES)
        held = np.ones(COPIES, bool)
        for text, hand in chance["hands"].items():
            for colour, values in hand.items():
                for value in set(values):
                    card = 3 * [*COLOURS, "black"].index(colour) + value - 4
                    held &= rows["hands"][:, int(text), card] >= values.count(value)
        wanted = float(Fraction(chance["chance"]))
        spread = (wanted * (1 - wanted) / COPIES) ** 0.5
        assert abs(held.mean() - wanted) <= Z * spread + 1e-9, (chance, held.mean())


def test_a_table_remembers_nothing() -> None:
    """With the memory TABLE nothing is known, and a position has no field of the memory."""
    core = reached(CASES["FA-K05"])
    core.states["memory"] = 0
    assert "memory" not in core.position()
    assert [core.game.knowledge(core.states[0], seat) for seat in range(3)] == [{}] * 3


def find(name: str) -> Any:
    return reached(CASES[name])
