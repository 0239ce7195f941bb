"""The kernels of the search, called once: before a game begins, so that compiling is no time to think, and by
`skyline warmup` (entry point `search` of the group `skyline.warmup`)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.rng import streams
from skyline.typing import Array
from skyline_agents.players.search.flat import FlatRounds
from skyline_agents.players.search.kernels.layout import MAXN, RANDOM_ORDER, ROOT
from skyline_agents.players.search.settings import SearchSettings
from skyline_agents.players.search.tree import FIRST_ROOM, Tree, new_arrays, search_kernels


def compile_all(game: Game) -> None:
    """Call every kernel of the tree search and of flat Monte Carlo."""
    warm_up_trees(game)
    warm_up_flat(game)


@lru_cache(None)
def warm_up_trees(game: Game) -> None:
    """Call the kernels of a tree once."""
    root, parameters = _any_position(game)
    players = int(root["players"][0])
    tree = Tree(game, players, game.check_options(None), 0)
    tree.begin(root, parameters, False)
    tree.simulate(parameters, 2)
    search_kernels(game).graft(tree.arrays, ROOT, new_arrays(FIRST_ROOM, players))


@lru_cache(None)
def warm_up_flat(game: Game) -> None:
    """Call the kernel of flat Monte Carlo once."""
    root, parameters = _any_position(game)
    FlatRounds(game, root, parameters, streams(1, 0)).play_out(1)


def _any_position(game: Game) -> tuple[Array, Array]:
    """A position (1,) whose hidden parts have been dealt anew, and parameters (1,) to search it with."""
    players = game.player_counts[0]
    root, row = game.blank(players), np.zeros(1, np.int64)
    rewards, seeds = np.zeros((1, players), np.float32), np.zeros(1, np.uint64)
    engine.kernels(game).begin_rows(root, seeds, row, engine.mask_array(game, players), rewards, False)
    seat = int(root["seat"][0])
    engine.kernels(game).determinize_rows(root, np.array([seat]), streams(1, 0))
    settings = SearchSettings(
        playout=engine.RANDOM, cut=1, backup=MAXN, prior=RANDOM_ORDER, explore=1.0, widen=0.0, margin=0.5
    )
    return root, settings.parameters(seat)
