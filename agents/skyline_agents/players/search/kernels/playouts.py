# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""From a leaf to a value for every seat.

A playout goes on to the end of the game, or, with a cut, to the first change of the scores after so many decisions
from the root: all simulations of a search look equally far, and not into the middle of a round.
"""

from __future__ import annotations

import numpy as np

from skyline.core.engine import chosen, fill_mask, outcome
from skyline.core.jit import njit
from skyline.core.overloads import step
from skyline.game import NO_SEAT
from skyline_agents.players.search.kernels.layout import WHOLE_GAME


@njit
def checksum(s):
    """Changes when a score changes (nearly always)."""
    total = np.int64(0)
    for p in range(s.players):
        total += (2 * p + 1) * np.int64(s.scores[p])
    return total


@njit
def horizon_reached(s, depth, before, rules):
    """Whether a simulation ends here, `depth` decisions from the root; `before`: the checksum a decision ago."""
    return rules.cut != WHOLE_GAME and depth >= rules.cut and checksum(s) != before


@njit
def play_on(s, mask, stream, depth, rules):
    """Moves by the playout's policy until the simulation ends; `mask` is that of the seat to decide."""
    while s.seat != NO_SEAT:
        before = checksum(s)
        step_by_policy(s, mask, stream, rules)
        depth += 1
        if horizon_reached(s, depth, before, rules):
            return


@njit
def step_by_policy(s, mask, stream, rules):
    action = chosen(s, mask, rules.playout, stream)
    step(s, action)
    fill_mask(s, mask)


@njit
def evaluate(s, rules, counters, values):
    """What the end of a simulation is worth to every seat, -1 .. 1, in `values` (P,).

    Score differences are measured by their root mean square over the search so far: soft places, the same for all
    games. At a real end the places count, too.
    """
    note_differences(s, counters)
    scale = max(1.0, np.sqrt(counters.squares / counters.differences))
    for p in range(s.players):
        values[p] = soft_outcome(s, p, scale)
        if s.seat == NO_SEAT:
            values[p] = rules.margin * values[p] + (1.0 - rules.margin) * outcome(s, p)
    own = values[rules.viewer]
    counters.values += 1
    counters.values_total += own
    counters.values_squares += own * own


@njit
def note_differences(s, counters):
    for p in range(s.players):
        for q in range(p):
            difference = np.float64(s.scores[p]) - np.float64(s.scores[q])
            counters.differences += 1
            counters.squares += difference * difference


@njit
def soft_outcome(s, seat, scale):
    """The engine's outcome with soft comparisons: the mean over the others of tanh(difference / scale)."""
    total = 0.0
    for other in range(s.players):
        if other != seat:
            total += np.tanh((np.float64(s.scores[seat]) - np.float64(s.scores[other])) / scale)
    return total / (s.players - 1.0)


@njit
def deviation(counters):
    """The standard deviation of the simulations' values for the viewer."""
    if counters.values < 2:
        return 1.0
    mean = counters.values_total / counters.values
    return np.sqrt(max(counters.values_squares / counters.values - mean * mean, LEAST_DEVIATION**2))


LEAST_DEVIATION = 0.02
