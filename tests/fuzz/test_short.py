"""Every target for a moment, with a fixed seed: whatever is given to the library is taken or refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fuzz import driver
from tests.fuzz.played_games import QUICK
from tests.fuzz.targets import names, target
from tests.support.processes import cache_base

COUNTS = {
    "records": 150,
    "positions": 150,
    "setups": 80,
    "options": 60,
    "toml": 150,
    "databases": 12,
    "models": 80,
    "commands": 20,
}


def fuzzed(name: str, count: int, tmp_path: Path, variables: dict[str, str] | None = None) -> driver.Result:
    """The result of a run without findings; the message of the failure shows all findings."""
    run = driver.Run(name, seed=16, jobs=1, out=tmp_path, tell=lambda line: None, variables=variables)
    result = run.go(None, count)
    found = "\n".join(f"{kind.times} times: {key}\n{kind.outcome.detail}" for key, kind in result.findings.items())
    assert not result.findings, found
    return result


def without_bounds_checks() -> dict[str, str]:
    """The kernels of all other tests, every game once."""
    return {"NUMBA_CACHE_DIR": str(cache_base()), QUICK: "1"}


LONG = ("records", "positions", "setups", "options")  # these targets play whole games, or compile every game
EACH = [pytest.param(name, marks=[pytest.mark.ci] if name in LONG else []) for name in COUNTS]


@pytest.mark.parametrize("name", EACH)
def test_a_target_for_a_moment(name: str, tmp_path: Path) -> None:
    result = fuzzed(name, COUNTS[name], tmp_path, without_bounds_checks())
    assert result.inputs >= COUNTS[name]
    assert result.counts["refused"] > 0
    if name != "records":  # a changed record is hardly ever another record that is right
        assert result.counts["accepted"] + result.counts["played"] > 0


@pytest.mark.parametrize("name", EACH)
def test_an_input_is_made_again_from_its_seed_and_number(name: str) -> None:
    """In another process, where sets and hashes of texts have another order."""
    made = [
        driver.made_again(name, 16, 7, {**without_bounds_checks(), "PYTHONHASHSEED": hash_seed})
        for hash_seed in ("1", "2")
    ]
    (data, outcome), (again, same_outcome) = made
    assert data == again
    assert (outcome.kind, outcome.key) == (same_outcome.kind, same_outcome.key)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_target_for_longer(name: str, tmp_path: Path) -> None:
    """With bounds checks where the target asks for them, and all games, counts and options."""
    assert fuzzed(name, 20 if target(name).seconds > 60 else 1000, tmp_path).inputs > 0


def test_the_short_form_names_every_target_that_needs_no_processes() -> None:
    assert set(COUNTS) == {name for name in names() if target(name).seconds <= 60}
    assert not os.environ.get(QUICK)
