# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What happens on the lots: rings are drawn, shops and buildings come, districts are closed, Egon builds.
[RULES.md FA-4, FA-31, FA-51, FA-70 .. FA-75, FA-91, FA-110 .. FA-114]
"""

from __future__ import annotations

import numpy as np

from fiveavenue_env.components import (
    CLOSINGS,
    COLOURS,
    COMMISSIONS,
    DISTRICTS,
    EGON,
    KINDS,
    LOT_PAIRS,
    LOTS,
    OWNERS,
    SIDES,
)
from fiveavenue_env.scoring import all_buildings, is_empty, survey_district
from fiveavenue_env.state import NOBODY
from skyline.core.jit import njit
from skyline.rng import shuffle

# ---------------------------------------------------------------- rings


@njit
def draw_rings(s):
    """The colours of each district in random order, the dashed lot behind them.  # FA-R2"""
    for d in range(DISTRICTS):
        for i in range(COLOURS):
            s.rings[d, i] = i
        shuffle(s, s.rings[d], COLOURS)
    join_rings(s)


@njit
def join_rings(s):
    """For each lot the two beside it, itself where there is no lot; a bit for each pair of lots of a district."""
    s.ring_bits[:] = 0
    for lot in range(LOTS):
        s.beside[0, lot] = s.beside[1, lot] = lot
    for d in range(DISTRICTS):
        for i in range(s.board):
            lot, after = int(s.rings[d, i]), int(s.rings[d, i + 1 if i + 1 < s.board else 0])
            s.beside[1, SIDES * d + lot] = SIDES * d + after
            s.beside[0, SIDES * d + after] = SIDES * d + lot
            low, high = min(lot, after), max(lot, after)
            bit = LOT_PAIRS * d + low * (2 * SIDES - 1 - low) // 2 + high - low - 1
            s.ring_bits[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


# ---------------------------------------------------------------- shops and buildings


@njit
def clear_lots(s):
    """No building, no shop, nothing closed.  # FA-S1"""
    s.lot_owner[:] = NOBODY
    s.buildings[:] = 0
    s.shops[:] = 0
    s.closed[:] = 0


@njit
def put_shop(s, kind, lot):
    """A shop comes onto a lot.  # FA-4"""
    s.shops[kind, lot] += 1
    survey_district(s, lot // SIDES)


@njit
def put_buildings(s, owner, lot, number):
    """Buildings come onto a lot; none leave it as it is."""
    if number > 0:
        s.lot_owner[lot] = owner
        s.buildings[owner, lot] += number
        survey_district(s, lot // SIDES)


@njit
def take_last_of_block(s):
    """The last shop left of the current block goes to the park tiles; the next block is current.  # FA-31"""
    left, other = 0, 0
    for k in range(KINDS):
        if s.row_kinds[k] > 0:
            left += s.row_kinds[k]
            other = k
    if left > 1:
        return
    if left == 1:
        s.park[s.park_n] = other
        s.park_n += 1
        s.park_kinds[other] += 1
    for i in range(KINDS * (s.blocks - 1)):
        s.row_kinds[i] = s.row_kinds[i + KINDS]
    s.blocks -= 1
    for k in range(KINDS):
        s.row_kinds[KINDS * s.blocks + k] = 0


# ---------------------------------------------------------------- closing


@njit
def close_district(s, d, closer):
    """The closer, who may be Egon, takes a point a building, the others half their points.  # FA-72, FA-112"""
    for p in range(s.players):
        if p == closer:
            s.scores[p] += all_buildings(s, d)
        else:
            s.scores[p] += s.district_points[p, d] // 2
    for lot in range(SIDES * d, SIDES * d + SIDES):  # FA-73
        s.lot_owner[lot] = NOBODY
        for owner in range(OWNERS):
            s.buildings[owner, lot] = 0
        for k in range(KINDS):
            s.shops[k, lot] = 0
    s.closed[d] = 1
    s.closed_bits |= 1 << d
    for c in range(COMMISSIONS):
        take_marker_back(s, c, d)  # FA-75
    survey_district(s, d)


@njit
def is_last_closing(s):
    """Whether the game ends by closings.  # FA-91"""
    closings = 0
    for d in range(DISTRICTS):
        closings += s.closed[d]
    return closings >= CLOSINGS


@njit
def take_marker_back(s, c, d):
    """The commission's marker in the district, if there is one, goes back to START.  # FA-51, FA-75"""
    kept = 0
    for i in range(s.marker_n[c]):
        if s.markers[c, i] != d:
            s.markers[c, kept] = s.markers[c, i]
            kept += 1
    for i in range(kept, s.marker_n[c]):
        s.markers[c, i] = 0
    s.marker_n[c] = kept
    see_markers(s, c)


@njit
def survey_markers(s):
    """Recompute the cache of all markers."""
    for c in range(COMMISSIONS):
        see_markers(s, c)


@njit
def see_markers(s, c):
    """The cache of the commission's markers by district."""
    s.marks[c] = 0
    for i in range(s.marker_n[c]):
        s.marks[c, s.markers[c, i]] = i + 1


# ---------------------------------------------------------------- Egon


@njit
def egon_builds(s, d):
    """One building on each of the empty lots where a building scores most.  # FA-110, FA-111"""
    best = 0
    for colour in range(COLOURS):
        if is_empty(s, d, colour):
            best = max(best, int(s.lot_points[SIDES * d + colour]))
    for colour in range(COLOURS):
        lot = SIDES * d + colour
        if is_empty(s, d, colour) and s.lot_points[lot] == best:
            s.lot_owner[lot] = EGON
            s.buildings[EGON, lot] += 1
    survey_district(s, d)
