# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""From a leaf of the tree to a value for every seat.

A playout goes on to the end of the game. With a cut of n decisions, the first change of the scores that comes n or more
decisions after the root ends the playout: so all simulations of a search look equally far, and none ends in the middle
of a round.
"""

from __future__ import annotations

import numpy as np

from skyline.core.engine import chosen, fill_mask, outcome
from skyline.core.jit import njit
from skyline.core.overloads import step
from skyline.game import NO_SEAT
from skyline_agents.players.search.kernels.layout import WHOLE_GAME

LEAST_DEVIATION = 0.02  # equal values of all simulations so far would end all exploration


@njit
def checksum(s):
    """A number that changes, in nearly every case, when a score changes."""
    total = np.int64(0)
    for p in range(s.players):
        total += (2 * p + 1) * np.int64(s.scores[p])
    return total


@njit
def horizon_reached(s, depth, before, parameters):
    """Whether a simulation ends `depth` decisions from the root; `before` is the checksum before the last decision."""
    return parameters.cut != WHOLE_GAME and depth >= parameters.cut and checksum(s) != before


@njit
def play_on(s, legal, stream, depth, parameters):
    """Play moves of the playout policy until the simulation ends; `legal` (A,) is the mask of the seat to decide."""
    while s.seat != NO_SEAT:
        before = checksum(s)
        step_by_policy(s, legal, stream, parameters)
        depth += 1
        if horizon_reached(s, depth, before, parameters):
            return


@njit
def step_by_policy(s, legal, stream, parameters):
    action = chosen(s, legal, parameters.playout, stream)
    step(s, action)
    fill_mask(s, legal)


@njit
def evaluate(s, parameters, counters, values):
    """Write into `values` (P,) what the end of a simulation is worth to every seat, -1 .. 1.

    Score differences are measured in units of their root mean square over the search so far, so that the values of all
    games are alike. At the end of a game the places count, too.
    """
    note_differences(s, counters)
    scale = max(1.0, np.sqrt(counters.squares / counters.differences))
    for p in range(s.players):
        values[p] = soft_outcome(s, p, scale)
        if s.seat == NO_SEAT:
            values[p] = parameters.margin * values[p] + (1.0 - parameters.margin) * outcome(s, p)
    own = values[parameters.viewer]
    counters.values += 1
    counters.values_total += own
    counters.values_squares += own * own


@njit
def note_differences(s, counters):
    """Add the score differences of all pairs of seats to the counters."""
    for p in range(s.players):
        for q in range(p):
            difference = np.float64(s.scores[p]) - np.float64(s.scores[q])
            counters.differences += 1
            counters.squares += difference * difference


@njit
def soft_outcome(s, seat, scale):
    """The mean over the other seats of tanh(score difference / scale), in which a narrow lead is worth less."""
    total = 0.0
    for other in range(s.players):
        if other != seat:
            total += np.tanh((np.float64(s.scores[seat]) - np.float64(s.scores[other])) / scale)
    return total / (s.players - 1.0)


@njit
def deviation(counters):
    """The standard deviation of the simulations' values for the searching seat."""
    if counters.values < 2:
        return 1.0
    mean = counters.values_total / counters.values
    return np.sqrt(max(counters.values_squares / counters.values - mean * mean, LEAST_DEVIATION**2))
