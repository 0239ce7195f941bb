"""Rules broken on purpose: the tests of a game must see every one of them.

    python -m tests.support.mutants manhattan              all mutants of tests/games/manhattan/mutants.py
    python -m tests.support.mutants manhattan equality     those whose name contains a word
    python -m tests.support.mutants manhattan --list

For each mutant the sources and the game's tests are copied into a temporary folder, the texts of ONE mutant are
replaced there, and the tests run until the first failure, with the core as plain Python (NUMBA_DISABLE_JIT=1): that
is faster than one compilation of the core. First the copy without a mutant must pass. Exit code 1 if a mutant survives.

A game brings `tests/games/<game>/mutants.py`:

    MUTANTS    a list of Mutant
    TESTS      its test files in the order in which they run; the files that find most mutants come first
    SEEN       mutants that every run of the tests makes; for each the beginning of the name of the test that fails
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from skyline import registry
from tests.support.rule_cases import TESTS as TESTS_FOLDER
from tests.support.rule_cases import folder_of

ROOT = TESTS_FOLDER.parent
# A mutant is caught, too, if its tests take more than LONGER times as long as those without a mutant, and MORE_SECONDS:
# its games do not end.
LONGER, MORE_SECONDS = 3, 120
PASSED, FAILED = 0, 1  # exit codes of pytest; all others say that the tests did not run


@dataclass(frozen=True)
class Mutant:
    """One broken rule: in `file`, `old` (found exactly once) becomes `new`. `test` names the tests that must fail."""

    name: str
    clause: str
    file: str
    old: str
    new: str
    also: tuple[tuple[str, str], ...] = ()  # further (old, new) in the same file that make the same mistake
    test: str = ""  # an expression for pytest -k


@dataclass(frozen=True)
class MutantRun:
    """The result of the tests in a copy."""

    passed: bool
    by: str  # the first test that failed
    seconds: float


class MutantError(Exception):
    """A mutant that cannot be made, or whose tests do not run."""


def module_of(game: str) -> ModuleType:
    return importlib.import_module(f"tests.games.{folder_of(game)}.mutants")


def data_of(game: str) -> tuple[list[Mutant], list[str]]:
    """The game's mutants and test files."""
    module = module_of(game)
    return list(module.MUTANTS), list(module.TESTS)


def copy_sources(game: str, target: Path) -> None:
    """Copy the framework, the game and its tests: all files that the game's tests read."""
    ignore = shutil.ignore_patterns("__pycache__", ".*", "golden")
    folders = ["skyline", registry.find(game).package, "tests/support", f"tests/games/{folder_of(game)}"]
    for folder in folders:
        shutil.copytree(ROOT / folder, target / folder, ignore=ignore)
    for path in [*TESTS_FOLDER.glob("*.py"), *(TESTS_FOLDER / "games").glob("*.py"), ROOT / "pyproject.toml"]:
        shutil.copy(path, target / path.relative_to(ROOT))


def mutate(mutant: Mutant, folder: Path) -> None:
    """Break the rule in the copy; MutantError unless every old text is there exactly once."""
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    for old, new in ((mutant.old, mutant.new), *mutant.also):
        if text.count(old) != 1:
            raise MutantError(f"{mutant.name}: found {text.count(old)} times in {mutant.file}, not once: {old!r}")
        if old == new:
            raise MutantError(f"{mutant.name} changes nothing")
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def run_tests(folder: Path, tests: Sequence[str], expression: str = "", seconds: float | None = None) -> MutantRun:
    """The tests in the copy, until the first failure, for so many seconds at most."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly",
               "-W", "ignore", "--tb=line", *tests]  # fmt: skip
    if expression:
        command += ["-k", expression]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    began = time.monotonic()
    try:
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return MutantRun(False, f"no end in {seconds:.0f} s", time.monotonic() - began)
    if run.returncode not in (PASSED, FAILED):
        raise MutantError(f"the tests did not run:\n{run.stdout[-3000:]}{run.stderr[-1000:]}")
    failed = re.search(r"^FAILED \S*?::(.*?)(?: - .*)?$", run.stdout, re.MULTILINE)
    return MutantRun(run.returncode == PASSED, failed[1] if failed else "", time.monotonic() - began)


def outcome_of(game: str, mutant: Mutant | None, seconds: float | None = None) -> MutantRun:
    """The result of the tests for one mutant, or for the copy without a mutant, after so many seconds at most."""
    _, tests = data_of(game)
    with tempfile.TemporaryDirectory(prefix="skyline-mutant-") as name:
        folder = Path(name)
        copy_sources(game, folder)
        if mutant is not None:
            mutate(mutant, folder)
        paths = [f"tests/games/{folder_of(game)}/{test}" for test in tests]
        return run_tests(folder, paths, mutant.test if mutant else "", seconds)


def outcomes(
    game: str, mutants: Sequence[Mutant], jobs: int, seconds: float | None = None
) -> Iterator[tuple[Mutant, MutantRun]]:
    """Every mutant's outcome, in their order, each after so many seconds at most."""
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda mutant: outcome_of(game, mutant, seconds), mutants)
        yield from zip(mutants, found, strict=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.support.mutants", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("word", nargs="*", help="only mutants whose name or clause contains one of these")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name the mutants and stop")
    given = parser.parse_args(arguments)
    words = given.word or [""]
    mutants = [m for m in data_of(given.game)[0] if any(word in f"{m.name} {m.clause}" for word in words)]
    if not mutants:
        parser.error(f"no mutant of {given.game} is called like {' or '.join(words)}")
    if given.list:
        for mutant in mutants:
            print(f"{mutant.clause:8} {mutant.name} ({mutant.file})")
        return 0
    try:
        return _report(given.game, mutants, given.jobs)
    except MutantError as error:
        print(f"ERROR    {error}")
        return 2


def _report(game: str, mutants: Sequence[Mutant], jobs: int) -> int:
    clean = outcome_of(game, None)
    if not clean.passed:
        raise MutantError(f"the tests fail without any mutant: {clean.by}")
    print(f"no mutant: the tests pass in {clean.seconds:.1f} s", flush=True)
    survivors = 0
    for mutant, outcome in outcomes(game, mutants, jobs, LONGER * clean.seconds + MORE_SECONDS):
        survivors += outcome.passed
        said = "SURVIVED" if outcome.passed else "caught  "
        print(
            f"{said} {mutant.clause:8} {mutant.name}: {outcome.by or 'no test fails'} ({outcome.seconds:.1f} s)",
            flush=True,
        )
    print(f"{game}: {len(mutants) - survivors} of {len(mutants)} mutants caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
