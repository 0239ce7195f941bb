"""Fixtures of the tests of agents."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator

import pytest

from skyline.game import Game
from tests.support.processes import TOY


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """The toy game, in this process."""
    sys.path.insert(0, str(TOY.parent))
    yield importlib.import_module("toy_env.game").GAME
    sys.path.remove(str(TOY.parent))
