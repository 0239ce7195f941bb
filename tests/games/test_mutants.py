"""For every game: two broken rules are seen by its tests. All of them: `python -m tests.support.mutants <game>`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from skyline import registry
from tests.support import mutants
from tests.support.mutants import Mutant, MutantError
from tests.support.playing import GAME
from tests.support.rule_cases import folder_of, titled_clauses

games = pytest.mark.parametrize("game", registry.names())
SEEN = [(game, name, test) for game in registry.names() for name, test in mutants.module_of(game).SEEN.items()]


def rule_tests(game: str) -> list[str]:
    """The game's test files with cases of its rules."""
    tests = [test for test in mutants.data_of(game)[1] if test.startswith(("test_rul", "test_worked"))]
    assert len(tests) >= 3
    return tests


@pytest.mark.parametrize(("game", "name", "test"), SEEN)
def test_a_broken_rule_is_caught(game: str, name: str, test: str) -> None:
    (mutant,) = (mutant for mutant in mutants.data_of(game)[0] if mutant.name == name)
    outcome = mutants.outcome_of(game, mutant, seconds=300)
    assert not outcome.passed
    assert outcome.by.startswith(test)


@games
def test_every_mutant_can_be_made(game: str, tmp_path: Path) -> None:
    """Each old text stands exactly once in its file; what it becomes is Python; no two have one name."""
    made, tests = mutants.data_of(game)
    assert len({mutant.name for mutant in made}) == len(made) >= 20
    for number, mutant in enumerate(made):
        path = tmp_path / str(number) / mutant.file
        path.parent.mkdir(parents=True)
        path.write_text((mutants.ROOT / mutant.file).read_text(encoding="utf-8"), encoding="utf-8")
        mutants.mutate(mutant, tmp_path / str(number))
        compile(path.read_text(encoding="utf-8"), mutant.file, "exec")
    assert all((Path(__file__).parent / folder_of(game) / test).is_file() for test in tests)


@games
def test_the_clauses_of_mutants_are_those_of_the_rules(game: str) -> None:
    """Clauses and decisions by their number, the ten mistakes of test_mistakes.py by theirs, "hidden": section 7."""
    known = titled_clauses(game)
    prefixes = {clause[:2] for clause in known}
    for clause in {mutant.clause for mutant in mutants.data_of(game)[0]}:
        if re.fullmatch(r"[A-Z]{2}-[CD]\d+", clause):  # components and decisions: not numbered like clauses
            assert clause[:2] in prefixes
        elif clause[:2] in prefixes:
            assert clause in known
        else:
            assert clause == "hidden" or 1 <= int(clause) <= 10


def test_a_text_that_is_not_there_once_is_an_error(tmp_path: Path) -> None:
    mutant = Mutant("a mutant", "1", "a_game/rules.py", "old", "new")
    path = tmp_path / mutant.file
    path.parent.mkdir()
    for text in ("nothing", "old\nold"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(MutantError, match="times in"):
            mutants.mutate(mutant, tmp_path)
    path.write_text("old", encoding="utf-8")
    with pytest.raises(MutantError, match="changes nothing"):
        mutants.mutate(replace(mutant, new="old"), tmp_path)


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[] if name == GAME else pytest.mark.ci) for name in registry.names()]
)
def test_the_rule_cases_hold_without_the_jit(game: str) -> None:
    """The core means the same as plain Python, where NumPy checks every index and its integers do not widen."""
    assert mutants.run_tests(
        mutants.ROOT, [f"tests/games/{folder_of(game)}/{test}" for test in rule_tests(game)]
    ).passed


@pytest.mark.slow
@games
def test_the_copy_without_a_mutant_passes(game: str) -> None:
    """Else every mutant would be caught; these are the properties without the jit too."""
    assert mutants.outcome_of(game, None).passed
