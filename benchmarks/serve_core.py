"""A process that serves the core layers of some games, for the gate: python -m benchmarks.serve_core manhattan .."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import skyline
from benchmarks import core
from benchmarks.layer import Measure
from benchmarks.peers.serve import Play, serve
from skyline import registry
from skyline.game import Game


def player(game: Game, players: int, name: str) -> Play:
    """One layer as what `serve` plays."""
    measure: Measure = core.makers(game, players, 1)[name]().measure

    def play() -> tuple[int, int]:
        return measure(0.0).steps, 0

    return play


def plays(names: Sequence[str]) -> dict[str, Callable[[], Play]]:
    """Every core layer of the games that there are here, as `game players layer`."""
    games = [registry.load(name) for name in names if name in registry.names()]
    return {
        f"{game.name} {players} {layer}": partial(player, game, players, layer)
        for game in games
        for players in game.player_counts
        for layer in core.makers(game, players, 1)
    }


if __name__ == "__main__":
    serve(plays(sys.argv[1:]), folder=str(Path(skyline.__file__).parent.parent))
