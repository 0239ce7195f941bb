"""The trees of one search: their arrays, the threads over them, and what is kept for the next move.

Every tree has its own stream and shares nothing with the others, so a search depends on its seed, its simulations and
the number of trees, not on the threads that work on them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from agents.search.kernels.layout import COUNTERS, EDGE, MAXN, NODE, NONE, RANDOM_ORDER, ROOT
from agents.search.kernels.simulate import KERNELS
from agents.search.settings import Budget, Settings
from skyline import engine
from skyline.game import Game
from skyline.rng import STREAM, streams

Array = np.ndarray[Any, Any]

CHUNK_SECONDS = 0.02  # how long a kernel searches between two looks at the clock and the keyboard
FIRST_CHUNK = 32
FIRST_ROOM = 1024
MOST_ROOM = 2**19  # nodes and edges of a tree; beyond it simulations go on without new ones
KEPT_WEIGHT = 32.0  # simulations that the score differences of the last move count for in the next


@lru_cache(None)
def kernels(game: Game) -> engine.Kernels:
    """The compiled search of a game."""
    return engine.Kernels(game, KERNELS, "_search", [Path(__file__).parent / "kernels"])


@lru_cache(None)
def public_words(game: Game, players: int) -> Array:
    """A random odd word for every value of the base observation that all seats see, 0 for the viewer's own."""
    table = game.observation(players)
    words = np.random.default_rng(0).integers(0, 2**63, table.size("base"), np.uint64) | np.uint64(1)
    for part, place in zip(table.slices("base"), table.offsets("base").values(), strict=True):
        if part.own_only:
            words[place] = 0
    return words


class Tree:
    """One tree: its arrays grow as needed, and the subtree of the position that was reached can be kept."""

    def __init__(self, game: Game, players: int, options: dict[str, Any], seed: int) -> None:
        self._kernels, self._players = kernels(game), players
        self._arrays, self._spare = _room(FIRST_ROOM, players), _room(FIRST_ROOM, players)
        size = game.actions(players).size
        self._desk = (
            game.blank(players, options),
            game.blank(players, options, 2),
            np.zeros((2, size), np.int8),
            np.zeros(game.observation(players).size("base"), np.int16),
            public_words(game, players),
            np.zeros(game.max_decisions(players, options) + 1, np.int32),
            np.zeros(players, np.float64),
            np.zeros(1, STREAM),
        )
        self._desk[7]["rng"] = seed
        self._planted = False

    def begin(self, root: Array, rules: Array, keep: bool) -> int:
        """Stand at the position of `root` (1,): with the old tree's part of it, or anew. The visits it begins with."""
        self._desk[0][:] = root
        _forget_scale(self._arrays[3])
        start = self._kernels.find_root(self._arrays, self._desk, rules) if keep and self._planted else NONE
        if start == NONE:
            self._kernels.plant(self._arrays, self._desk, rules)
        else:
            self._spare[3][:] = self._arrays[3]
            self._spare = _grown(self._spare, len(self._arrays[0]))
            self._kernels.graft(self._arrays, start, self._spare)
            self._arrays, self._spare = self._spare, self._arrays
        self._planted = True
        return int(self._arrays[0]["visits"][ROOT])

    def run(self, rules: Array, simulations: int) -> None:
        """So many simulations more."""
        counters = self._arrays[3]
        wanted = int(max(counters["nodes"][0], counters["edges"][0])) + simulations + 1
        self._arrays = _grown(self._arrays, min(wanted, MOST_ROOM))
        self._kernels.simulate(self._arrays, self._desk, rules, simulations)

    def statistics(self, size: int, viewer: int) -> tuple[Array, Array]:
        """Visits and summed values for the viewer of every action at the root, (A,) each."""
        nodes, edges, worth, _ = self._arrays
        visits, values = np.zeros(size, np.int64), np.zeros(size)
        number = int(nodes["first_edge"][ROOT])
        while number != NONE:
            action = int(edges["action"][number])
            visits[action], values[action] = edges["visits"][number], worth[number, viewer]
            number = int(edges["sibling"][number])
        return visits, values


def _room(size: int, players: int) -> tuple[Array, Array, Array, Array]:
    """Nodes, edges, sums of values, counters."""
    return np.zeros(size, NODE), np.zeros(size, EDGE), np.zeros((size, players)), np.zeros(1, COUNTERS)


def _grown(arrays: tuple[Array, Array, Array, Array], wanted: int) -> tuple[Array, Array, Array, Array]:
    """The arrays with room for so many nodes and edges."""
    size = len(arrays[0])
    if wanted <= size:
        return arrays
    more = _room(max(wanted, min(2 * size, MOST_ROOM)), arrays[2].shape[1])
    for old, new in zip(arrays, more, strict=True):
        new[: len(old)] = old
    return more


def _forget_scale(counters: Array) -> None:
    """What the last move's search saw of scores and values counts for little in the next one."""
    counters["simulations"] = 0
    for count, sums in (("differences", ("squares",)), ("values", ("values_total", "values_squares"))):
        kept = min(1.0, KEPT_WEIGHT / max(float(counters[count][0]), 1.0))
        for name in (count, *sums):
            counters[name] *= kept


class Forest:
    """Independent trees for the same position; their root statistics are added up."""

    def __init__(
        self, game: Game, players: int, options: dict[str, Any], seed: int, roots: int, threads: int, settings: Settings
    ) -> None:
        words = np.random.SeedSequence(seed).generate_state(roots, np.uint64)
        self.trees = [Tree(game, players, options, int(word)) for word in words]
        self._threads, self._settings, self._size = threads, settings, game.actions(players).size

    def search(self, root: Array, budget: Budget, keep: bool) -> tuple[Array, Array]:
        """Visits and summed values of every action, (A,) each."""
        viewer = int(root["seat"][0])
        rules = self._settings.rules(viewer)
        for tree in self.trees:
            tree.begin(root, rules, keep)

        def simulate(first: int, end: int) -> None:
            shares = _shares(end, len(self.trees)) - _shares(first, len(self.trees))

            def run(part: slice) -> None:
                for tree, share in zip(self.trees[part], shares[part], strict=True):
                    tree.run(rules, int(share))

            engine.in_chunks(run, len(self.trees), self._threads)

        in_chunks_of_time(simulate, budget, len(self.trees))
        found = [tree.statistics(self._size, viewer) for tree in self.trees]
        return sum(visits for visits, _ in found), sum(values for _, values in found)  # type: ignore[return-value]


def _shares(simulations: int, trees: int) -> Array:
    """So many simulations shared out over the trees, (trees,)."""
    return np.array([(simulations + i) // trees for i in range(trees)])


def in_chunks_of_time(run: Callable[[int, int], None], budget: Budget, least: int = 1) -> None:
    """run(first, end) until the budget is spent, in chunks of about CHUNK_SECONDS; at least `least` in all."""
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


@lru_cache(None)
def warm_up(game: Game) -> None:
    """Call every kernel once: compiling is no time to think."""
    players = game.player_counts[0]
    options = game.check_options(None)
    root, mask = game.blank(players, options), engine.mask_array(game, players, 2)
    rewards, row = np.zeros((1, players), np.float32), np.zeros(1, np.int64)
    engine.kernels(game).begin_rows(root, np.zeros(1, np.uint64), row, mask[:1], rewards, False)
    engine.kernels(game).determinize_rows(root, row, streams(1, 0))
    rules = Settings(engine.RANDOM, 1, MAXN, RANDOM_ORDER, 1.0, 0.0, 0.5).rules(int(root["seat"][0]))
    tree = Tree(game, players, options, 0)
    for _ in range(2):
        tree.begin(root, rules, True)
        tree.run(rules, 2)
    own, spare = tree._arrays, _room(FIRST_ROOM, players)
    kernels(game).graft(own, ROOT, spare)
    kernels(game).flat_rounds(
        root, game.blank(players, options, 2), mask, np.zeros(players), tree._desk[7], rules, own[3],
        np.zeros(mask.shape[1]), 1,
    )  # fmt: skip
