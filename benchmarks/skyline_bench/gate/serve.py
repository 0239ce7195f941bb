"""A process that serves layers of some games, for the gate.

python -m skyline_bench.gate.serve LAYERS GAMES ..
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import skyline
from skyline import registry
from skyline.game import Game
from skyline_bench.harness.layer import Measure
from skyline_bench.layers import aec, core, vector
from skyline_bench.peers.serve import Play, serve


def player(game: Game, players: int, name: str) -> Play:
    """One layer in the form that `serve` plays."""
    group = {"aec": aec, "vector": vector}.get(name.partition("-")[0], core)
    measure: Measure = group.makers(game, players, 1)[name]().measure

    def play() -> tuple[int, int]:
        return measure(0.0).steps, 0

    return play


def plays(layers: Sequence[str], names: Sequence[str]) -> dict[str, Callable[[], Play]]:
    """These layers of the games that there are here, as `game players layer`."""
    games = [registry.load(name) for name in names if name in registry.names()]
    return {
        f"{game.name} {players} {layer}": partial(player, game, players, layer)
        for game in games
        for players in game.player_counts
        for layer in layers
    }


if __name__ == "__main__":
    serve(plays(sys.argv[1].split(","), sys.argv[2:]), folder=str(Path(skyline.__file__).parent.parent))
