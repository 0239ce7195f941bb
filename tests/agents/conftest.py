"""Fixtures of the tests of agents."""

from __future__ import annotations

from pathlib import Path

import pytest

from skyline_agents.report.tables import Report, read
from tests.support.made_up_tournaments import sample


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of made-up games."""
    return sample(tmp_path_factory.mktemp("tournament") / "results.db")


@pytest.fixture(scope="module")
def found(database: Path) -> Report:
    """The report of that tournament."""
    return read(database, replicates=60)
