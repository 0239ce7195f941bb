"""One tree of a search: its arrays, which grow as needed, and the subtree that is kept for the next move."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.rng import STREAM
from skyline.typing import Array
from skyline_agents.players.search.kernels.layout import (
    COUNTERS,
    EDGE,
    NO_GOAL,
    NODE,
    NONE,
    ROOT,
    TreeArrays,
    Workspace,
)
from skyline_agents.players.search.kernels.simulate import KERNELS

FIRST_ROOM = 1024  # nodes and edges that a new tree has room for
MOST_ROOM = 2**19  # the most nodes and edges of a tree; simulations of a full tree go on without new ones
KEPT_WEIGHT = 32.0  # the score differences of the last move count like those of this number of pairs


class RootStatistics(NamedTuple):
    """What a search found out about the position that it began in."""

    visits: Array  # (A,) int64, of every action
    values: Array  # (A,) float64: summed values for the searching seat


@lru_cache(None)
def search_kernels(game: Game) -> engine.Kernels:
    """The compiled search of a game."""
    return engine.Kernels(game, KERNELS, "-search", [Path(__file__).parent / "kernels"])


@lru_cache(None)
def public_words(game: Game, players: int) -> Array:
    """A random odd word for every value of the base observation that all seats see, 0 for all other values."""
    table = game.observation(players)
    words = np.random.default_rng(0).integers(0, 2**63, table.size("base"), np.uint64) | np.uint64(1)
    for part, place in zip(table.slices("base"), table.offsets("base").values(), strict=True):
        if part.own_only:
            words[place] = 0
    return words


def new_workspace(game: Game, players: int, options: dict[str, Any], seed: int) -> Workspace:
    """What the simulations of one tree work on; their stream begins with `seed`."""
    longest = min(game.max_decisions(players, options), MOST_ROOM) + 1  # a path meets every node at most once
    work = Workspace(
        root=game.blank(players, options),
        deal=game.blank(players, options),
        legal=engine.mask_array(game, players)[0],
        untried=engine.mask_array(game, players)[0],
        observation=np.zeros(game.observation(players).size("base"), np.int16),
        public=public_words(game, players),
        path=np.zeros(longest, np.int32),
        values=np.zeros(players, np.float64),
        stream=np.zeros(1, STREAM),
    )
    work.stream["rng"] = seed
    return work


def new_arrays(size: int, players: int) -> TreeArrays:
    """An empty tree with room for `size` nodes and `size` edges."""
    return TreeArrays(
        nodes=np.zeros(size, NODE),
        edges=np.zeros(size, EDGE),
        worth=np.zeros((size, players)),
        counters=np.zeros(1, COUNTERS),
    )


def grown(arrays: TreeArrays, wanted: int) -> TreeArrays:
    """The tree in arrays with room for at least `wanted` nodes and edges."""
    size, players = arrays.worth.shape
    if wanted <= size:
        return arrays
    larger = new_arrays(max(wanted, min(2 * size, MOST_ROOM)), players)
    for old, new in zip(arrays, larger, strict=True):
        new[: len(old)] = old
    return larger


class Tree:
    """A tree and what its simulations work on."""

    def __init__(self, game: Game, players: int, options: dict[str, Any], seed: int) -> None:
        self._kernels = search_kernels(game)
        self.arrays, self._spare = new_arrays(FIRST_ROOM, players), new_arrays(FIRST_ROOM, players)
        self._work = new_workspace(game, players, options, seed)

    def begin(self, root: Array, parameters: Array, keep: bool) -> int:
        """Stand at the position of `root` (1,), with the part of the old tree that belongs to it if `keep`.

        Returns the visits that the root has already.
        """
        self._work.root[:] = root
        _forget_scale(self.arrays.counters)
        key = self._kernels.root_key(self._work, parameters)
        start = self._place_of(key) if keep else NONE
        if start == NONE:
            self._plant(key)
        else:
            self._spare.counters[:] = self.arrays.counters
            self._spare = grown(self._spare, len(self.arrays.nodes))
            self._kernels.graft(self.arrays, start, self._spare)
            self.arrays, self._spare = self._spare, self.arrays
        return int(self.arrays.nodes["visits"][ROOT])

    def _place_of(self, key: np.uint64) -> int:
        """The most visited node with this key that is not the root, or NONE."""
        used = self.arrays.nodes[1 : max(1, int(self.arrays.counters["nodes"][0]))]
        found = np.flatnonzero(used["key"] == np.uint64(key))
        return 1 + int(found[used["visits"][found].argmax()]) if len(found) else NONE

    def _plant(self, key: np.uint64) -> None:
        """Make the tree one that has nothing but its root."""
        nodes, counters = self.arrays.nodes, self.arrays.counters
        counters["nodes"], counters["edges"] = 1, 0
        for name in ("first_edge", "last_edge", "sibling"):
            nodes[name][ROOT] = NONE
        nodes["key"][ROOT], nodes["visits"][ROOT] = key, 0

    def simulate(self, parameters: Array, simulations: int, goal: int = NO_GOAL) -> None:
        """Make further simulations; `goal` is the number of all simulations since `begin`, or NO_GOAL.

        With a goal, none is made once the move is decided.
        """
        counters = self.arrays.counters
        wanted = int(max(counters["nodes"][0], counters["edges"][0])) + simulations + 1
        self.arrays = grown(self.arrays, min(wanted, MOST_ROOM))
        self._kernels.simulate(self.arrays, self._work, parameters, simulations, goal)

    def statistics(self, actions: int, viewer: int) -> RootStatistics:
        """Visits and summed values for the viewer of every one of the `actions` at the root."""
        nodes, edges, worth, _ = self.arrays
        found = RootStatistics(np.zeros(actions, np.int64), np.zeros(actions))
        number = int(nodes["first_edge"][ROOT])
        while number != NONE:
            action = int(edges["action"][number])
            found.visits[action], found.values[action] = edges["visits"][number], worth[number, viewer]
            number = int(edges["sibling"][number])
        return found


def _forget_scale(counters: Array) -> None:
    """Let the scores and values of the last move's search count for little in the next search."""
    counters["simulations"] = 0
    for count, sums in (("differences", ("squares",)), ("values", ("values_total", "values_squares"))):
        kept = min(1.0, KEPT_WEIGHT / max(float(counters[count][0]), 1.0))
        for name in (count, *sums):
            counters[name] *= kept
