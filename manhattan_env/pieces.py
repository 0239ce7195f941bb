# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The pieces that a colour has chosen for the round: the highest of them, and the lowest that may go onto a site."""

from __future__ import annotations

from manhattan_env.components import HEIGHTS
from manhattan_env.state import NO_NEED
from skyline.core.jit import njit


@njit
def highest_chosen(s, colour):
    """The highest chosen piece of the colour, 0 if it has none."""
    for height in range(HEIGHTS, 0, -1):
        if s.chosen[colour, height - 1]:
            return height
    return 0


@njit
def least_chosen(s, colour, site):
    """The lowest chosen piece of the colour that may go onto the site, or NO_NEED."""
    for height in range(s.need[colour, site], HEIGHTS + 1):
        if s.chosen[colour, height - 1]:
            return height
    return NO_NEED
