"""The records of the search. A tree is five arrays that all simulations of it share; indices are places in them.

    nodes   an information set of the searching seat: a decision, known by what that seat could see of it
      | first_edge .. sibling ..        the actions tried there, in the order they were tried
    edges   an action at a node, with its statistics over all deals
      | first_node .. sibling ..        what chance and forced moves made of it
    nodes   ..

A node's key is a hash of the public part of the searching seat's observation, so `buy 0` after another refill leads
to another node. Values are between -1 and 1, one for every seat.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import record_dtype

NONE = -1  # no node, no edge
ROOT = 0

RANDOM_ORDER, HEURISTIC_ORDER = 0, 1  # how untried actions are tried
MAXN, PARANOID = 0, 1
WHOLE_GAME = -1  # cut: playouts are not cut off
ALL_OF_THEM = -1  # goal: simulations go on when the move is decided

NODE = record_dtype(
    [
        ("key", np.uint64),  # what the searching seat could see
        ("first_edge", np.int32),
        ("last_edge", np.int32),
        ("sibling", np.int32),  # the next node of the same edge
        ("visits", np.int32),
        ("origin", np.int32),  # scratch of `graft`: where the node stood before
    ]
)

EDGE = record_dtype(
    [
        ("action", np.int32),
        ("first_node", np.int32),
        ("sibling", np.int32),  # the next edge of the same node
        ("kinds", np.int32),  # different nodes it has led to
        ("visits", np.int32),
        ("available", np.int32),  # visits of the node in which the action was legal
    ]
)

RULES = record_dtype(
    [
        ("viewer", np.int64),  # the searching seat
        ("playout", np.int64),  # a policy of the engine
        ("cut", np.int64),  # decisions from the root after which a change of the scores ends the playout; WHOLE_GAME
        ("backup", np.int64),  # MAXN, PARANOID
        ("prior", np.int64),  # RANDOM_ORDER, HEURISTIC_ORDER
        ("explore", np.float64),  # exploration, in standard deviations of the values
        ("widen", np.float64),  # actions tried at a node: widen * visits ** WIDEN_POWER; 0 = all
        ("margin", np.float64),  # part of the score differences in the value of a finished game
    ]
)

COUNTERS = record_dtype(
    [
        ("nodes", np.int64),  # used
        ("edges", np.int64),
        ("simulations", np.int64),
        ("differences", np.float64),  # of scores at the ends of simulations: how many ..
        ("squares", np.float64),  # .. and the sum of their squares
        ("values", np.float64),  # of simulations, for the viewer: how many, sum, and sum of squares
        ("values_total", np.float64),
        ("values_squares", np.float64),
    ]
)
