"""Two broken rules are seen by the tests. All of them: `python -m tests.mutants palazzo`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests import mutants
from tests.mutants import MutantError

MUTANTS, TESTS = mutants.data_of("palazzo")
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


@pytest.mark.parametrize(
    ("name", "test"),
    [("an equal bid is enough", "test_pz_45_"), ("a copy keeps the random word", "test_mistake_01_")],
)
def test_a_broken_rule_is_caught(name: str, test: str) -> None:
    outcome = mutants.outcome_of("palazzo", BY_NAME[name])
    assert not outcome.passed
    assert outcome.by.startswith(test)


def test_every_mutant_can_be_made(tmp_path: Path) -> None:
    """Each old text stands exactly once in its file; the clauses are those of the rules; no two are the same."""
    assert len(MUTANTS) == len(BY_NAME) >= 20
    for number, mutant in enumerate(MUTANTS):
        path = tmp_path / str(number) / mutant.file
        path.parent.mkdir(parents=True)
        path.write_text((mutants.ROOT / mutant.file).read_text(encoding="utf-8"), encoding="utf-8")
        mutants.mutate(mutant, tmp_path / str(number))
        compile(path.read_text(encoding="utf-8"), mutant.file, "exec")
    assert all((Path(__file__).parent / test).is_file() for test in TESTS)


def test_a_text_that_is_not_there_once_is_an_error(tmp_path: Path) -> None:
    mutant = MUTANTS[0]
    for text in ("nothing", f"{mutant.old}\n{mutant.old}"):
        (tmp_path / mutant.file).parent.mkdir(exist_ok=True)
        (tmp_path / mutant.file).write_text(text, encoding="utf-8")
        with pytest.raises(MutantError, match="times in"):
            mutants.mutate(mutant, tmp_path)
    with pytest.raises(MutantError, match="changes nothing"):
        (tmp_path / mutant.file).write_text(mutant.old, encoding="utf-8")
        mutants.mutate(replace(mutant, new=mutant.old), tmp_path)


def test_the_rule_cases_hold_without_the_jit() -> None:
    """T9: the core means the same as plain Python, where NumPy checks every index and its integers do not widen."""
    cases = ["test_rules.py", "test_rulings.py", "test_worked_positions.py"]
    assert mutants.run_tests(mutants.ROOT, [f"tests/palazzo/{case}" for case in cases]).passed


@pytest.mark.slow
def test_the_copy_without_a_mutant_passes() -> None:
    """Else every mutant would be caught; these are the properties without the jit too."""
    assert mutants.outcome_of("palazzo", None).passed
