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

from skyline.core import engine
from skyline.game import Game
from skyline.rng import STREAM, streams
from skyline_agents.players.search.kernels.layout import (
    ALL_OF_THEM,
    COUNTERS,
    EDGE,
    MAXN,
    NODE,
    NONE,
    RANDOM_ORDER,
    ROOT,
)
from skyline_agents.players.search.kernels.simulate import KERNELS
from skyline_agents.players.search.settings import Budget, Settings

Array = np.ndarray[Any, Any]

CHUNK_SECONDS = 0.02  # how long a kernel searches between two looks at the clock and the keyboard
FIRST_CHUNK = 32
FIRST_ROOM = 1024
MOST_ROOM = 2**19  # nodes and edges of a tree; beyond it simulations go on without new ones
KEPT_WEIGHT = 32.0  # simulations that the score differences of the last move count for in the next


@lru_cache(None)
def kernels(game: Game) -> engine.Kernels:
    """The compiled search of a game."""
    return engine.Kernels(game, KERNELS, "-search", [Path(__file__).parent / "kernels"])


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
            np.zeros(min(game.max_decisions(players, options), MOST_ROOM) + 1, np.int32),  # a path meets a node once
            np.zeros(players, np.float64),
            np.zeros(1, STREAM),
        )
        self._desk[7]["rng"] = seed

    def begin(self, root: Array, rules: Array, keep: bool) -> int:
        """Stand at the position of `root` (1,): with the old tree's part of it, or anew. The visits it begins with."""
        self._desk[0][:] = root
        _forget_scale(self._arrays[3])
        key = self._kernels.root_key(self._desk, rules)
        start = self._place_of(key) if keep else NONE
        if start == NONE:
            self._plant(key)
        else:
            self._spare[3][:] = self._arrays[3]
            self._spare = _grown(self._spare, len(self._arrays[0]))
            self._kernels.graft(self._arrays, start, self._spare)
            self._arrays, self._spare = self._spare, self._arrays
        return int(self._arrays[0]["visits"][ROOT])

    def _place_of(self, key: np.uint64) -> int:
        """The most visited node (but for the root) with this key, or NONE."""
        nodes, _, _, counters = self._arrays
        used = nodes[1 : max(1, int(counters["nodes"][0]))]
        found = np.flatnonzero(used["key"] == np.uint64(key))
        return 1 + int(found[used["visits"][found].argmax()]) if len(found) else NONE

    def _plant(self, key: np.uint64) -> None:
        """A tree that is nothing but its root."""
        nodes, _, _, counters = self._arrays
        counters["nodes"], counters["edges"] = 1, 0
        for name in ("first_edge", "last_edge", "sibling"):
            nodes[name][ROOT] = NONE
        nodes["key"][ROOT], nodes["visits"][ROOT] = key, 0

    def run(self, rules: Array, simulations: int, goal: int = ALL_OF_THEM) -> None:
        """So many simulations more; with a goal, that of all since `begin`, none once the move is decided."""
        counters = self._arrays[3]
        wanted = int(max(counters["nodes"][0], counters["edges"][0])) + simulations + 1
        self._arrays = _grown(self._arrays, min(wanted, MOST_ROOM))
        self._kernels.simulate(self._arrays, self._desk, rules, simulations, goal)

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

    def search(self, root: Array, budget: Budget, keep: bool, whole: bool) -> tuple[Array, Array]:
        """Visits and summed values of every action, (A,) each.

        Unless the whole budget is to be spent, one tree stops when no number of simulations left changes the move.
        """
        goal = ALL_OF_THEM if whole or budget.simulations is None or len(self.trees) > 1 else budget.simulations
        viewer = int(root["seat"][0])
        rules = self._settings.rules(viewer)
        for tree in self.trees:
            tree.begin(root, rules, keep)

        def simulate(first: int, end: int) -> None:
            shares = _shares(end, len(self.trees)) - _shares(first, len(self.trees))

            def run(part: slice) -> None:
                for tree, share in zip(self.trees[part], shares[part], strict=True):
                    tree.run(rules, int(share), goal)

            engine.in_chunks(run, len(self.trees), self._threads)

        in_chunks_of_time(simulate, budget, len(self.trees))
        found = [tree.statistics(self._size, viewer) for tree in self.trees]
        visits, values = zip(*found, strict=True)
        return np.sum(visits, axis=0), np.sum(values, axis=0)


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
    """Call the kernels of a tree once: compiling is no time to think."""
    root, rules = _any_position(game)
    tree = Tree(game, int(root["players"][0]), game.check_options(None), 0)
    tree.begin(root, rules, False)
    tree.run(rules, 2)
    kernels(game).graft(tree._arrays, ROOT, _room(FIRST_ROOM, int(root["players"][0])))


@lru_cache(None)
def warm_up_flat(game: Game) -> None:
    """The same for flat Monte Carlo."""
    root, rules = _any_position(game)
    flat_rounds(game, root, rules, streams(1, 0), np.zeros(1, COUNTERS), 1)


def _any_position(game: Game) -> tuple[Array, Array]:
    """A position with hidden things dealt anew, and rules to search it by."""
    players = game.player_counts[0]
    root, row = game.blank(players), np.zeros(1, np.int64)
    rewards, seeds = np.zeros((1, players), np.float32), np.zeros(1, np.uint64)
    engine.kernels(game).begin_rows(root, seeds, row, engine.mask_array(game, players), rewards, False)
    seat = int(root["seat"][0])
    engine.kernels(game).determinize_rows(root, np.array([seat]), streams(1, 0))
    return root, Settings(engine.RANDOM, 1, MAXN, RANDOM_ORDER, 1.0, 0.0, 0.5).rules(seat)


def flat_rounds(game: Game, root: Array, rules: Array, stream: Array, counters: Array, rounds: int) -> Array:
    """Rounds of flat Monte Carlo: summed values of every action, (A,). `stream` and `counters` go on."""
    players = int(root["players"][0])
    mask, work = engine.mask_array(game, players, 2), np.repeat(root, 2)
    totals, values = np.zeros(mask.shape[1]), np.zeros(players)
    kernels(game).flat_rounds(root, work, mask, values, stream, rules, counters, totals, rounds)
    return totals
