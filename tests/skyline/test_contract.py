"""The contract of `skyline.game` for every game, player count and option.

The checks are in skyline/testing/; test_broken_games.py shows that these checks catch broken games.
"""

from __future__ import annotations

from typing import Any

import pytest

from skyline import registry
from skyline.testing import check_declaration, check_game, other_value
from tests.support.playing import NAMES, TABLES
from tests.support.rule_cases import sized

GAMES = sized(2, 1)  # one random game, and one with the heuristic's moves

CASES = [
    pytest.param(name, players, options, marks=[pytest.mark.ci] if options and players > 2 else [])
    for name, players in TABLES
    for options in ({}, *({option.name: other_value(option)} for option in registry.load(name).options))
]


@pytest.mark.parametrize("game", NAMES)
def test_declaration(game: str) -> None:
    check_declaration(registry.load(game))


@pytest.mark.parametrize(("game", "players", "options"), CASES, ids=str)
def test_random_games_keep_the_contract(game: str, players: int, options: dict[str, Any]) -> None:
    """With the default options, and with another value of each option."""
    assert None not in options.values(), f"no other value was found: {options}"
    check_game(game, players, options=options, games=1 if options else GAMES, seed=players)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_many_random_games_keep_the_contract(game: str, players: int) -> None:
    check_game(game, players, games=100, seed=1000)
