"""Fixtures of the tests of agents."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyline.game import Game
from skyline_agents.report.tables import Report, read
from tests.support.made_up_tournaments import sample
from tests.support.processes import TOY


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """The toy game, in this process."""
    sys.path.insert(0, str(TOY.parent))
    yield importlib.import_module("toy_env.game").GAME
    sys.path.remove(str(TOY.parent))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of made-up games."""
    return sample(tmp_path_factory.mktemp("tournament") / "results.db")


@pytest.fixture(scope="module")
def found(database: Path) -> Report:
    """The report of that tournament."""
    return read(database, replicates=60)
