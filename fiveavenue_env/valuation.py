# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What things are worth to a seat, in points: buildings, closings, won auctions, shops.

For the heuristic and the rich slices of the observation. Everything here reads what the seat sees only: the board and
its own hand.
"""

from __future__ import annotations

import numpy as np

from fiveavenue_env.components import (
    BONUS_DISTRICTS,
    BONUS_STEP,
    DISTRICTS,
    FIRST_BLACK,
    KINDS,
    LOT_POINTS,
    LOTS,
    PARK,
    PARK_POINTS,
    PLACED_MOST,
    SIDES,
    VALUES,
)
from fiveavenue_env.scoring import all_buildings, is_empty, is_full, lots_with_room
from fiveavenue_env.state import NO_LOT, NO_PLACE, NOBODY, PHASE_BID
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.core.wide import bits_at_most, bits_equal, bits_of

D_TO_COME = 0.13  # expected scorings of a district by D, for each shop still to be placed
GROWTH = 0.06  # points that a building gains by later shops, for each shop still to be placed
PARK_WORTH = 3.2  # expected points of a building at Central Park
NEW_DISTRICT = 2.0  # points of one more district that counts for a coming bonus
ONE = np.uint64(1)
LOWEST_VALUE = VALUES[0]  # of a card
WIN = 40.0  # points that stand for ending the game in first place; -WIN for ending it in another place


@njit
def shops_left(s):
    return PLACED_MOST - int(s.placed)


@njit
def scorings(s):
    """How often a district will still be scored: once at the end, and by D."""
    return 1.0 + D_TO_COME * shops_left(s)


@njit
def lot_worth(s, lot):
    """Expected points of one building on the lot."""
    return (s.lot_points[lot] + GROWTH * shops_left(s)) * scorings(s)


@njit
def bonus_wish(s, p):
    """Points that a building in a further district is worth for the coming bonuses."""
    step = s.placed // BONUS_STEP + 1
    if step >= BONUS_DISTRICTS.shape[0] or s.districts[p] >= BONUS_DISTRICTS[BONUS_DISTRICTS.shape[0] - 1]:
        return 0.0
    return NEW_DISTRICT if s.districts[p] >= BONUS_DISTRICTS[step] else 2 * NEW_DISTRICT


@njit
def build_worth(s, p, d, colour, number):
    """Expected points of `number` more buildings of the seat at a place."""
    if number <= 0:
        return 0.0
    if d == PARK:
        return PARK_WORTH * number
    worth = lot_worth(s, SIDES * d + colour) * number
    return worth + bonus_wish(s, p) if s.home[p, d] == NO_LOT else worth


@njit
def final_margin(s, p):
    """Own points less the best other's if the game ended now."""
    worth = PARK_POINTS[min(3, _kinds_in_park(s))]
    own, best = 0.0, -1e9
    for q in range(s.players):
        total = float(s.scores[q]) + s.points_now[q] + worth * s.cp[q]
        if q == p:
            own = total
        else:
            best = max(best, total)
    return own - best


@njit
def _kinds_in_park(s):
    kinds = 0
    for k in range(KINDS):
        kinds += s.park_kinds[k] > 0
    return kinds


@njit
def close_worth(s, p, d):
    """Expected points of closing the district: one a building, less the expected points of the own buildings there."""
    own_now = float(s.district_points[p, d])
    gain = all_buildings(s, d)
    closings = 0
    for other in range(DISTRICTS):
        closings += s.closed[other]
    if closings > 0:
        return WIN if _margin_after_closing(s, p, d, gain) > 0 else -WIN
    worth = gain - own_now * scorings(s)
    for q in range(s.players):
        if q != p:
            worth += (s.district_points[q, d] * scorings(s) - s.district_points[q, d] // 2) / (s.players - 1.0)
    return worth


@njit
def _margin_after_closing(s, p, d, gain):
    """Own points less the best other's when this closing ends the game."""
    worth = PARK_POINTS[min(3, _kinds_in_park(s))]
    own, best = 0.0, -1e9
    for q in range(s.players):
        total = float(s.scores[q]) + s.points_now[q] - s.district_points[q, d] + worth * s.cp[q]
        if q == p:
            own = total + gain
        else:
            best = max(best, total + s.district_points[q, d] // 2)
    return own - best


# ---------------------------------------------------------------- auctions


@njit
def winning_caps(s, p, colour):
    """With which highest card values the seat can pass the standing bid in the colour: bit 0 for 4, bit 1 for 5, ..

    A coloured card must be among the cards of the bid, and cards higher than the highest one must not lie already.
    """
    reach, is_coloured, caps = int(s.table_total[p]), s.table_colour[p] == colour, 0
    for i in range(len(VALUES)):
        coloured, black = 3 * colour + i, FIRST_BLACK + i
        reach += (LOWEST_VALUE + i) * (int(s.hands[p, coloured]) + int(s.hands[p, black]))
        is_coloured |= s.hands[p, coloured] > 0
        caps = 0 if s.table[p, coloured] > 0 or s.table[p, black] > 0 else caps
        caps |= int(is_coloured and reach > s.standing) << i
    return caps


@njit
def prize(s, p, colour, cap):
    """Expected points of winning the auction with cards of the colour, none above `cap`."""
    d = s.auction_place
    number = min(7 - cap, int(s.reserve[p]))
    if d != PARK and is_full(s, d):
        closing = close_worth(s, p, d)
        if s.home[p, d] == NO_LOT:
            return closing
        return max(closing, build_worth(s, p, d, colour, number))
    return build_worth(s, p, d, colour, number)


@njit
def win_value(s, seat, colour):
    """Worth of winning the auction in the colour with the best affordable bid; 0 where the seat cannot win."""
    if s.auction_place == NO_PLACE or s.phase != PHASE_BID or s.passed >> seat & 1:
        return 0.0
    if not s.allowed[seat] >> colour & 1:
        return 0.0
    best, caps = 0.0, winning_caps(s, seat, colour)
    for i in range(len(VALUES)):
        if caps >> i & 1:
            best = max(best, prize(s, seat, colour, LOWEST_VALUE + i))
    return best


# ---------------------------------------------------------------- shops


@njit
def lots_that_gain(s, kind):
    """The lots of players' buildings, as bits, to whose points a shop of the kind beside them would add."""
    owned = ~bits_equal(s.lot_owner, NOBODY, LOTS) & bits_at_most(s.lot_owner, int(s.players) - 1, LOTS)
    return owned & ~bits_of(s.kinds_beside[kind], 0, LOTS) & bits_of(s.lot_points, 0, LOTS)


@njit
def shop_gain_beside(s, p, lot, gaining):
    """Expected points of a shop on a lot: its neighbours' buildings gain if they stand on the lots `gaining`."""
    gain, left = 0.0, s.beside[0, lot]
    for side in range(2):
        near = s.beside[side, lot]
        if not gaining >> np.uint64(near) & ONE or (side == 1 and near == left):
            continue
        owner = int(s.lot_owner[near])
        step = POINTS_TO_NEXT[s.lot_points[near]]
        if owner == p:
            gain += step * s.buildings[p, near] * scorings(s)
        else:
            gain -= step * s.buildings[owner, near] * scorings(s) / (s.players - 1.0)
    if is_empty(s, lot // SIDES, lot % SIDES):  # whoever wanted to build here cannot any more
        gain -= 0.1 * s.lot_points[lot]
    return gain


def _points_to_next() -> np.ndarray:
    """POINTS_TO_NEXT[points]: what a building with that many points gains by one kind more beside its lot."""
    table = np.zeros(LOT_POINTS[-1] + 1, np.int64)
    table[LOT_POINTS[:-1]] = np.diff(LOT_POINTS)
    return table


POINTS_TO_NEXT = _points_to_next()


@njit
def best_shop(s, p, kind):
    """The best gain of a shop of this kind over all lots that can take it."""
    best, lots, gaining = -1e9, lots_with_room(s), lots_that_gain(s, kind)
    while lots:
        best = max(best, shop_gain_beside(s, p, lowest(lots), gaining))
        lots &= lots - ONE
    return best
