# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""How a baseline player chooses: the action of the largest value, equal values by luck."""

from __future__ import annotations

import numpy as np

from skyline.core.jit import njit
from skyline.core.masks import next_legal, only_legal
from skyline.rng import below, below_later, skip

STEPS = 1024  # of the luck


@njit
def luck(stream, most):
    """A random number from 0 to `most`: added to values, it breaks their ties and changes nothing else."""
    return most * below(stream, STEPS) / STEPS


@njit
def luck_later(stream, most, draws):
    """The `luck` that comes after that many draws; the stream stays where it is."""
    return most * below_later(stream, STEPS, draws) / STEPS


@njit
def best_legal(value, s, known, mask, stream, most):
    """The legal action for which `value` and luck up to `most` are largest; -1 without one.

    `value(s, action, known)` is jitted; `known` is whatever the caller has found out for all actions. An only action is
    not valued.
    """
    only = only_legal(mask)
    if only >= 0:
        skip(stream, 1)
        return only
    best, best_value = -1, -np.inf
    action = next_legal(mask, -1)
    while action >= 0:
        worth = value(s, action, known) + luck(stream, most)
        if worth > best_value:
            best, best_value = action, worth
        action = next_legal(mask, action)
    return best
