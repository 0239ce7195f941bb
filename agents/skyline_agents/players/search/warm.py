"""The search's part of `skyline warmup`: its kernels, compiled ahead (entry point `search` of skyline.warmup)."""

from __future__ import annotations

from skyline.game import Game
from skyline_agents.players.search.forest import warm_up, warm_up_flat


def compile_all(game: Game) -> None:
    """Call every kernel of the tree search and of flat Monte Carlo."""
    warm_up(game)
    warm_up_flat(game)
