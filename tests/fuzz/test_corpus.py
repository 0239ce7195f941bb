"""Minimised inputs that showed faults: the library must accept or properly refuse each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import driver
from tests.fuzz.judgement import FINDING
from tests.fuzz.targets import names, target
from tests.fuzz.test_short import without_bounds_checks

CORPUS = Path(__file__).with_name("corpus")


def kept(name: str) -> list[Path]:
    return sorted(path for path in (CORPUS / name).glob("*") if path.is_file())


def check(name: str, variables: dict[str, str] | None) -> None:
    files = kept(name)
    outcomes = driver.repeat(name, files, variables)
    bad = [(path.name, outcome) for path, outcome in zip(files, outcomes, strict=True) if outcome.kind == FINDING]
    assert not bad, "\n".join(f"{file}: {outcome.key}\n{outcome.detail}" for file, outcome in bad)


LONG = ("positions", "setups")  # these targets compile every game
QUICK = [
    pytest.param(name, marks=[pytest.mark.ci] if name in LONG else [])
    for name in names()
    if kept(name) and target(name).seconds <= 60
]


@pytest.mark.parametrize("name", QUICK)
def test_what_was_found_is_not_found_again(name: str) -> None:
    check(name, without_bounds_checks())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in names() if kept(name)])
def test_nor_under_bounds_checks(name: str) -> None:
    check(name, None)


def test_every_kept_input_is_of_a_target_and_is_small() -> None:
    found = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert {path.parent.name for path in found} <= set(names())
    assert all(path.stat().st_size <= 1 << 16 for path in found)
