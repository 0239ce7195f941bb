# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Points of lots, districts and bonuses, and the caches behind them. [RULES.md FA-30 .. FA-43]

`survey_district` recomputes every cache of one district; it is called when something changed there.
"""

from __future__ import annotations

import numpy as np

from fiveavenue_env.components import (
    BONUS_DISTRICTS,
    BONUS_POINTS,
    BONUS_STEP,
    COLOURS,
    DISTRICTS,
    KINDS,
    LOT_POINTS,
    OWNERS,
    SIDES,
)
from fiveavenue_env.state import NO_LOT, NOBODY
from skyline.core.jit import njit

NO_LOTS = np.uint64(0)
DISTRICT_LOTS = np.uint64((1 << SIDES) - 1)

# ---------------------------------------------------------------- caches


@njit
def survey(s):
    """Recompute all caches of the lots."""
    s.lot_points[:] = 0
    s.kinds_beside[:] = 0
    s.empty_lots = NO_LOTS
    s.room_lots = NO_LOTS
    s.full_bits = 0
    s.empty_bits[:] = 0
    s.shop_bits[:] = 0
    s.room_bits[:] = 0
    s.home[:] = NO_LOT
    s.district_points[:] = 0
    s.points_now[:] = 0
    s.districts[:] = 0
    s.closed_bits = 0
    for d in range(DISTRICTS):
        s.closed_bits |= s.closed[d] << d
        survey_district(s, d)


@njit
def survey_district(s, d):
    """Recompute the caches of one district from its lots."""
    s.empty_bits[d] = 0
    s.shop_bits[d] = 0
    s.room_bits[d] = 0
    for i in range(s.board):
        _survey_lot(s, d, i)
    _join_lots(s, d)
    for p in range(s.players):
        _survey_owner(s, d, p)


@njit
def _join_lots(s, d):
    """The lots of the district in the words of all lots."""
    first = np.uint64(SIDES * d)
    here = ~(DISTRICT_LOTS << first)
    s.empty_lots = s.empty_lots & here | np.uint64(s.empty_bits[d]) << first
    s.room_lots = s.room_lots & here | np.uint64(s.room_bits[d]) << first
    full = int((s.empty_bits[d] == 0) & (s.closed[d] == 0))
    s.full_bits = np.int64(s.full_bits) & ~(1 << d) | full << d


@njit
def _survey_lot(s, d, i):
    lot = SIDES * d + i
    left, right = s.beside[0, lot], s.beside[1, lot]
    there = not s.closed[d]
    kinds, tiles = 0, 0
    for k in range(KINDS):
        tiles += s.shops[k, lot]
        is_beside = there and s.shops[k, left] + s.shops[k, right] > 0
        s.kinds_beside[k, lot] = is_beside
        kinds += is_beside
    free = s.lot_owner[lot] == NOBODY
    coloured = i < COLOURS  # FA-121
    room = there and free and tiles < 2  # FA-32
    empty = there and coloured and free and tiles == 0
    s.room_bits[d] |= int(room) << i
    s.empty_bits[d] |= int(empty) << i
    s.shop_bits[d] |= int(coloured and tiles > 0) << i
    s.lot_points[lot] = LOT_POINTS[kinds] if there and coloured and tiles == 0 else 0  # FA-41, FA-42


@njit
def _survey_owner(s, d, p):
    """The lot with the seat's buildings in the district, and their points."""
    points, home = 0, NO_LOT
    for colour in range(COLOURS):
        lot = SIDES * d + colour
        if s.lot_owner[lot] == p:
            home = colour
            points += int(s.buildings[p, lot]) * int(s.lot_points[lot])  # FA-40
    s.points_now[p] += points - int(s.district_points[p, d])
    s.district_points[p, d] = points
    s.districts[p] += int(home != NO_LOT) - int(s.home[p, d] != NO_LOT)
    s.home[p, d] = home


@njit
def is_empty(s, d, i):
    """Whether lot i of the district is an empty lot. [Words]"""
    return s.empty_bits[d] >> i & 1 != 0


@njit
def is_full(s, d):
    """An open district without an empty lot. [Words]"""
    return s.empty_bits[d] == 0


@njit
def lots_with_room(s):
    """The lots that can take a shop, as the bits of a word.  # FA-32"""
    return s.room_lots


# ---------------------------------------------------------------- points


@njit
def pay_bonus(s):
    """After the 3rd, 6th and 9th shop.  # FA-34"""
    step = s.placed // BONUS_STEP
    if s.placed % BONUS_STEP != 0 or step >= BONUS_POINTS.shape[0]:
        return
    for p in range(s.players):
        if s.districts[p] >= BONUS_DISTRICTS[step]:
            s.scores[p] += BONUS_POINTS[step]


@njit
def score_district(s, d):
    """All players score, nothing leaves the board.  # FA-40, FA-43"""
    for p in range(s.players):
        s.scores[p] += s.district_points[p, d]


@njit
def all_buildings(s, d):
    """Number of buildings in the district, Egon's too."""
    number = 0
    for owner in range(OWNERS):
        for lot in range(SIDES * d, SIDES * d + COLOURS):
            number += s.buildings[owner, lot]
    return number
