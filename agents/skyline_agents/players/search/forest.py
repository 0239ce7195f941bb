"""The trees of one search, and the threads over them.

Every tree has its own stream and shares nothing with the others. So a search depends on its seed, on the number of its
simulations and on the number of trees, and not on the number of threads that work on them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.typing import Array
from skyline_agents.players.search.kernels.layout import NO_GOAL
from skyline_agents.players.search.settings import Budget, SearchSettings
from skyline_agents.players.search.tree import RootStatistics, Tree

CHUNK_SECONDS = 0.02  # how long a kernel searches between two looks at the clock and the keyboard
FIRST_CHUNK = 32  # simulations of the first chunk, whose speed is not known


class Forest:
    """Independent trees for the same position; the statistics of their roots are added up."""

    def __init__(
        self, game: Game, players: int, options: dict[str, Any], seed: int, roots: int, threads: int,
        settings: SearchSettings,
    ) -> None:  # fmt: skip
        words = np.random.SeedSequence(seed).generate_state(roots, np.uint64)
        self.trees = [Tree(game, players, options, int(word)) for word in words]
        self.settings = settings
        self._threads, self._actions = threads, game.actions(players).size

    def search(self, root: Array, budget: Budget, keep: bool, spend_all: bool) -> RootStatistics:
        """Visits and summed values of every action.

        `keep`: begin with the part of the trees that belongs to `root`. Unless `spend_all`, a search of one tree stops
        when no further simulation can change the move.
        """
        may_stop = not spend_all and budget.simulations is not None and len(self.trees) == 1
        goal = budget.simulations if may_stop and budget.simulations is not None else NO_GOAL
        viewer = int(root["seat"][0])
        parameters = self.settings.parameters(viewer)
        for tree in self.trees:
            tree.begin(root, parameters, keep)

        def simulate(first: int, end: int) -> None:
            shares = _shares(end, len(self.trees)) - _shares(first, len(self.trees))

            def run(part: slice) -> None:
                for tree, share in zip(self.trees[part], shares[part], strict=True):
                    tree.simulate(parameters, int(share), goal)

            engine.in_chunks(run, len(self.trees), self._threads)

        spend(budget, simulate, len(self.trees))
        found = [tree.statistics(self._actions, viewer) for tree in self.trees]
        visits, values = zip(*found, strict=True)
        return RootStatistics(np.sum(visits, axis=0), np.sum(values, axis=0))


def _shares(simulations: int, trees: int) -> Array:
    """A number of simulations divided among the trees as equally as possible, (trees,)."""
    return np.array([(simulations + i) // trees for i in range(trees)])


def spend(budget: Budget, run: Callable[[int, int], None], least: int = 1) -> None:
    """Call run(first, end) for one chunk of simulations after another until the budget is spent.

    A chunk takes about CHUNK_SECONDS; all chunks together have at least `least` simulations.
    """
    begun, done, size = time.perf_counter(), 0, max(FIRST_CHUNK, least)
    while True:
        left = size if budget.simulations is None else max(budget.simulations, least) - done
        chunk = min(size, left)
        before = time.perf_counter()
        run(done, done + chunk)
        now = time.perf_counter()
        done += chunk
        allowed = CHUNK_SECONDS
        if budget.seconds is None:
            if done >= max(budget.simulations or 0, least):
                return
        elif now - begun >= budget.seconds:
            return
        else:
            allowed = min(allowed, begun + budget.seconds - now)
        size = max(1, min(int(allowed * chunk / max(now - before, 1e-9)), 4 * size))
