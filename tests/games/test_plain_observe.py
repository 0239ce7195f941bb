"""The core's observations beside plain ones, at every decision: caches and vectors change nothing that is seen."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from skyline import registry
from tests.support.plain_views import check_games
from tests.support.rule_cases import folder_of

TABLES = [(name, players) for name in registry.names() for players in registry.load(name).player_counts]


def plain(game: str) -> Any:
    return importlib.import_module(f"tests.games.{folder_of(game)}.plain_observe")


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_observation_is_the_plain_one(game: str, players: int) -> None:
    """At the decisions of two games, for every seat, and for positions dealt anew."""
    assert check_games(registry.load(game), players, plain(game), seed=1, moves=60) > 60


@pytest.mark.ci
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_observation_is_the_plain_one_under_all_options(game: str, players: int) -> None:
    """Whole games, the forgetful setting and the game's own options."""
    module = plain(game)
    loaded = registry.load(game)
    assert check_games(loaded, players, module, seed=2, memory="table") > 20
    for seed, options in enumerate([{}, *getattr(module, "OPTIONS", ())]):
        assert check_games(loaded, players, module, seed=3 + seed, options=options) > 20
