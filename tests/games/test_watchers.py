"""What the core knows, remembers and deals beside the watchers of all games (RULES.md section 7.2)."""

from __future__ import annotations

import pytest

from tests.support import watch
from tests.support.playing import TABLES
from tests.support.rule_cases import sized

POLICIES = ("random", "heuristic", "mixed")[: sized(3, 1)]  # "mixed" draws from the policies of the game, too


@pytest.mark.ci
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_beside_whole_games(game: str, players: int) -> None:
    """At every decision the core knows what the watchers know, no deal contradicts them, histories are told alike."""
    for seed, policy in enumerate(POLICIES, 1):
        counts = watch.Table(watch.Plan(game, players, 0, policy, seed, 1, 10, 7, True)).play()
        assert counts["comparisons"] > 40 * players
        assert counts["deals"] > 5
        assert counts["histories compared"] == players
