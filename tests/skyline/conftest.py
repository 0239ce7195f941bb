"""Fixtures of the tests of skyline. A file that has a fixture `toy` of its own is given that one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skyline import registry
from skyline.game import Game
from tests.machine.worlds import toy_game


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """The toy game, known by its name."""
    with toy_game():
        yield registry.load("toy")


@pytest.fixture(params=[1, 64])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for one move at first, or for all moves of a game."""
    monkeypatch.setattr("skyline.envs.rows.FIRST_ROOM", request.param)
