"""The data of the search: records, and the named arrays that travel together.

A tree is a `TreeArrays`: four arrays, in which numbers of rows take the place of pointers.

    nodes   an information set of the searching seat: a decision, known by what the searching seat could see of it
      | first_edge, then sibling after sibling      the actions that were tried there, in the order of their first trial
    edges   an action at a node, with its statistics over all deals
      | first_node, then sibling after sibling      the nodes that chance and forced moves led to
    nodes   and so on

The key of a node is a hash of the public part of the searching seat's observation. So `buy 0` leads to one node for
every refill that can follow the purchase. Values are between -1 and 1, one for every seat.

numba types a NamedTuple like a tuple with names: its fields cost nothing in a kernel. The kernels on disk name these
classes by their module, so a class must not be made inside a function.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skyline.core.jit import record_dtype
from skyline.typing import Array

NONE = -1  # in place of the number of a node or an edge: there is none
ROOT = 0  # the number of a tree's first node

RANDOM_ORDER, HEURISTIC_ORDER = 0, 1  # `prior`: how the next action to try is chosen
MAXN, PARANOID = 0, 1  # `backup`: the other seats maximise their own value, or minimise the searching seat's
WHOLE_GAME = -1  # `cut`: playouts go on to the end of the game
NO_GOAL = -1  # `goal`: simulations go on although the move is decided

NODE = record_dtype(
    [
        ("key", np.uint64),  # a hash of what the searching seat could see
        ("first_edge", np.int32),
        ("last_edge", np.int32),
        ("sibling", np.int32),  # the next node of the same edge
        ("visits", np.int32),
        ("origin", np.int32),  # used by `graft` alone: the number of the node in the tree that it was copied from
    ]
)

EDGE = record_dtype(
    [
        ("action", np.int32),
        ("first_node", np.int32),
        ("sibling", np.int32),  # the next edge of the same node
        ("kinds", np.int32),  # number of different nodes that the edge has led to
        ("visits", np.int32),
        ("available", np.int32),  # visits of the node in which the action was legal
    ]
)

PARAMETERS = record_dtype(
    [
        ("viewer", np.int64),  # the searching seat
        ("playout", np.int64),  # the policy of playouts: a policy number of the engine
        ("cut", np.int64),  # decisions from the root after which a change of the scores ends the playout; WHOLE_GAME
        ("backup", np.int64),  # MAXN, PARANOID
        ("prior", np.int64),  # RANDOM_ORDER, HEURISTIC_ORDER
        ("explore", np.float64),  # weight of exploration, in standard deviations of the values
        ("widen", np.float64),  # at most widen * visits ** WIDEN_POWER actions are tried at a node; 0: all
        ("margin", np.float64),  # share of the score differences in the value of a finished game, 0 .. 1
    ]
)

COUNTERS = record_dtype(
    [
        ("nodes", np.int64),  # rows of `nodes` in use
        ("edges", np.int64),  # rows of `edges` in use
        ("simulations", np.int64),
        ("differences", np.float64),  # number of score differences seen at the ends of simulations
        ("squares", np.float64),  # sum of the squares of those differences
        ("values", np.float64),  # number of values of simulations for the searching seat
        ("values_total", np.float64),  # sum of those values
        ("values_squares", np.float64),  # sum of their squares
    ]
)


class TreeArrays(NamedTuple):
    """One tree with room for M nodes and M edges, in a game of P seats."""

    nodes: Array  # (M,) NODE
    edges: Array  # (M,) EDGE
    worth: Array  # (M, P) float64: sums of the values of every edge's simulations
    counters: Array  # (1,) COUNTERS


class Workspace(NamedTuple):
    """What the simulations of one tree work on: A actions, N values in an observation, at most D edges in a path."""

    root: Array  # (1,) STATE of the game: the position as the searching seat knows it, one deal of many
    deal: Array  # (1,) STATE: the deal of the simulation that is going on
    legal: Array  # (A,) int8: the legal actions in `deal`
    untried: Array  # (A,) int8: those of them that have no edge yet
    observation: Array  # (N,) int16
    public: Array  # (N,) uint64: a random odd word for every value that all seats see, 0 for the others
    path: Array  # (D,) int32: the edges that the simulation took
    values: Array  # (P,) float64: what the end of the simulation is worth
    stream: Array  # (1,) STREAM


class FlatWorkspace(NamedTuple):
    """What flat Monte Carlo works on."""

    root: Array  # (1,) STATE of the game, as in `Workspace`
    deal: Array  # (1,) STATE: the deal of the round that is going on
    playout: Array  # (1,) STATE: the copy of `deal` that is played out
    choices: Array  # (A,) int8: the legal actions in `root`
    legal: Array  # (A,) int8: the legal actions in `playout`
    values: Array  # (P,) float64: what the end of a playout is worth
    totals: Array  # (A,) float64: summed values for the searching seat of every action
    counters: Array  # (1,) COUNTERS
    stream: Array  # (1,) STREAM
