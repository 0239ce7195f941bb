# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Whose turn it is. [RULES.md PZ-01, PZ-50, PZ-R20]"""

from __future__ import annotations

from palazzo_env.state import PHASE_MAIN
from skyline.core.jit import njit


@njit
def left_of(s, seat):
    """The next seat clockwise."""
    following = int(seat) + 1
    return following if following < s.players else 0


@njit
def end_turn(s, drawn):
    """The active player's left neighbour is next; `quiet` counts the turns in a row without `draw`."""
    s.quiet = 0 if drawn else s.quiet + 1
    s.active = left_of(s, s.active)
    s.seat = s.active
    s.phase = PHASE_MAIN
