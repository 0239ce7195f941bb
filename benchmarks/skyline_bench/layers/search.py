"""The layers `search`: simulations a second of the search agent from the start of a game, one thread.

search         the agent with its default settings
search-random  the agent with whole random games as playouts
"""

from __future__ import annotations

from skyline.game import Game
from skyline.record import Recorder
from skyline.rng import streams
from skyline_agents.players.search.players import Ismcts
from skyline_agents.protocol import views_of
from skyline_bench.harness.layer import Layer, Makers, Run, repeated

SIMULATIONS = 500


def search(game: Game, players: int, **settings: str) -> Run:
    """One move of the agent; the number of simulations."""
    table = Recorder(game, players, seed=1)
    (view,) = views_of(table.game, table.state.copy(), table.mask.copy(), streams(1, 1), table.options)
    agent = Ismcts(str(SIMULATIONS), reuse="no", **settings)
    agent.begin(game, players, table.options, 1)

    def run() -> int:
        agent.search(view)
        return SIMULATIONS

    return run


def makers(game: Game, players: int, threads: int) -> Makers:
    """The layers of this group by name; their steps are simulations."""
    return {
        "search": lambda: Layer(repeated(search(game, players)), ""),
        "search-random": lambda: Layer(repeated(search(game, players, playout="random", cut="end")), ""),
    }
