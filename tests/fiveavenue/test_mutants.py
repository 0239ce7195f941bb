"""Two broken rules are seen by the tests. All of them: `python -m tests.mutants fifth_avenue`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import mutants
from tests.fiveavenue.cases import GAME
from tests.rule_cases import clauses

MUTANTS, TESTS = mutants.data_of(GAME)
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


@pytest.mark.parametrize(
    ("name", "test"),
    [("an equal bid is enough", "test_fa_5"), ("stacks are filled with any colour", "test_mistake_07_")],
)
def test_a_broken_rule_is_caught(name: str, test: str) -> None:
    outcome = mutants.outcome_of(GAME, BY_NAME[name])
    assert not outcome.passed
    assert outcome.by.startswith(test)


def test_every_mutant_can_be_made(tmp_path: Path) -> None:
    """Each old text stands exactly once in its file; the clauses are those of the rules; no two have one name."""
    assert len(MUTANTS) == len(BY_NAME) >= 25
    for number, mutant in enumerate(MUTANTS):
        path = tmp_path / str(number) / mutant.file
        path.parent.mkdir(parents=True)
        path.write_text((mutants.ROOT / mutant.file).read_text(encoding="utf-8"), encoding="utf-8")
        mutants.mutate(mutant, tmp_path / str(number))
        compile(path.read_text(encoding="utf-8"), mutant.file, "exec")
    numbers = {mutant.clause for mutant in MUTANTS}
    decisions = {f"FA-D{number}" for number in range(1, 8)}
    assert {number for number in numbers if number.startswith("FA")} <= clauses(GAME) | decisions
    mistakes = {int(number) for number in numbers if re.fullmatch(r"\d+", number)}
    assert mistakes == {1, 2, 3, 4, 5, 7, 8, 9, 10}
    assert all((Path(__file__).parent / test).is_file() for test in TESTS)


def test_the_rule_cases_hold_without_the_jit() -> None:
    """T9: the core means the same as plain Python, where NumPy checks every index and its integers do not widen."""
    cases = [test for test in TESTS if test.startswith(("test_rul", "test_worked"))]
    assert len(cases) == 6
    assert mutants.run_tests(mutants.ROOT, [f"tests/fiveavenue/{case}" for case in cases]).passed


@pytest.mark.slow
def test_the_copy_without_a_mutant_passes() -> None:
    """Else every mutant would be caught; these are the properties without the jit too."""
    assert mutants.outcome_of(GAME, None).passed
