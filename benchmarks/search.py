"""The layers `search`: simulations a second of the search agent from the start of a game, one thread.

search         the agent as it is without settings
search-random  whole random games as playouts
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.protocol import View
from agents.search.players import Ismcts
from skyline.game import Game
from skyline.record import Recorder
from skyline.rng import streams

if TYPE_CHECKING:
    from benchmarks.core import Run

SIMULATIONS = 500


def search(game: Game, players: int, **settings: str) -> Run:
    """One move of the agent; it returns the number of simulations."""
    table = Recorder(game, players, seed=1)
    view = View(table.game, table.state, table.mask, streams(1, 1), table.options)
    agent = Ismcts(str(SIMULATIONS), reuse="no", **settings)
    agent.begin(game, players, table.options, 1)

    def run() -> int:
        agent.search(view)
        return SIMULATIONS

    return run


def layers(game: Game, players: int) -> dict[str, Callable[[], Run]]:
    """What makes the runs of the layers."""
    return {
        "search": lambda: search(game, players),
        "search-random": lambda: search(game, players, playout="random", cut="end"),
    }
