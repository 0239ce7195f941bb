# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What palaces score, and the caches behind the scores. [RULES.md PZ-80, PZ-81]

`count_palace` keeps a seat's caches up to date palace by palace; `survey` recomputes all of them.
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import FLOORS, LEAST_COUNTED, LENGTH_POINTS, UNIFORM_POINTS
from palazzo_env.keys import KINDS, code_at, is_uniform, kind_of, length_of, parts_of, tally, windows_of
from palazzo_env.state import PHASE_BUILD
from skyline.core.jit import njit


def _points(kind: int) -> int:
    """The points of a palace of this kind; 0 for more tiles than there are floors.  # PZ-80, PZ-81"""
    length, windows, uniform, _ = parts_of(kind)
    if length > FLOORS:
        return 0
    counted = windows + int(UNIFORM_POINTS[length]) * uniform
    return int(LENGTH_POINTS[length]) + (length >= LEAST_COUNTED) * counted


POINTS = np.array([_points(kind) for kind in range(KINDS)])


@njit
def points_of(key):
    """The points of a palace."""
    return POINTS[kind_of(tally(key))]


@njit
def count_palace(s, seat, key, sign):
    """Bring the seat's caches up to date after a palace came (sign 1) or went (-1)."""
    length = length_of(key)
    s.lengths[seat, length - 1] += sign
    s.windows[seat] += sign * windows_of(key)
    s.uniform[seat] += sign * (length >= LEAST_COUNTED) * is_uniform(key)
    s.scores[seat] += sign * points_of(key)


@njit
def survey(s):
    """Recompute every cache of palaces and tiles."""
    s.lengths[:] = 0
    s.windows[:] = 0
    s.uniform[:] = 0
    s.scores[:] = 0
    s.visible[:] = 0
    for seat in range(s.players):
        for slot in range(s.palace_count[seat]):
            key = np.int64(s.palaces[seat, slot])
            for _ in range(s.copies[seat, slot]):
                count_palace(s, seat, key, 1)
                for i in range(length_of(key)):
                    s.visible[code_at(key, i) - 1] += 1
    for i in range(s.depot_size):
        s.visible[s.depot[i]] += 1
    for quarry in range(s.quarry_size.shape[0]):
        for i in range(s.quarry_size[quarry]):
            s.visible[s.quarries[quarry, i]] += 1
    if s.phase == PHASE_BUILD:  # the tiles of the lot lie nowhere else; before that they are still in the depot
        for i in range(s.lot_size):
            s.visible[s.lot[i]] += 1
