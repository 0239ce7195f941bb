# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What things are worth to a seat, in points: buildings, closings, won auctions, shops.

For the heuristic and the rich slices of the observation. Everything here reads what the seat sees only: the board and
its own hand.
"""

from __future__ import annotations

from fiveavenue_env.auctions import allowed_colours
from fiveavenue_env.components import (
    BONUS_DISTRICTS,
    BONUS_STEP,
    DISTRICTS,
    FIRST_BLACK,
    KINDS,
    LOT_POINTS,
    PARK,
    PARK_POINTS,
    PLACED_MOST,
    SIDES,
)
from fiveavenue_env.scoring import all_buildings, is_empty, is_full
from fiveavenue_env.state import NO_LOT, NO_PLACE, NOBODY, PHASE_BID
from skyline.core.jit import njit

D_TO_COME = 0.13  # expected scorings of a district by D, for each shop still to be placed
GROWTH = 0.06  # points that a building gains by later shops, for each shop still to be placed
PARK_WORTH = 3.2  # expected points of a building at Central Park
NEW_DISTRICT = 2.0  # points of one more district that counts for a coming bonus
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
def reach_with(s, p, colour, cap):
    """The highest total of the seat with cards of the colour and black up to a value; -1 if higher ones lie already."""
    total = int(s.table_total[p])
    for value in range(4, 7):
        coloured, black = 3 * colour + value - 4, FIRST_BLACK + value - 4
        if value <= cap:
            total += value * (int(s.hands[p, coloured]) + int(s.hands[p, black]))
        elif s.table[p, coloured] > 0 or s.table[p, black] > 0:
            return -1
    return total


@njit
def has_coloured(s, p, colour, cap):
    """Whether a coloured card lies, or one up to this value can be laid."""
    held = 0
    for value in range(4, cap + 1):
        held += s.hands[p, 3 * colour + value - 4]
    return held > 0 or s.table_colour[p] == colour


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
    if not allowed_colours(s, seat) >> colour & 1:
        return 0.0
    best = 0.0
    for cap in range(4, 7):
        if has_coloured(s, seat, colour, cap) and reach_with(s, seat, colour, cap) > s.standing:
            best = max(best, prize(s, seat, colour, cap))
    return best


# ---------------------------------------------------------------- shops


@njit
def shop_gain(s, p, kind, lot):
    """Expected points of a shop on a lot: its neighbours' buildings gain if the kind is new beside them."""
    gain = 0.0
    for side in range(2):
        near = s.beside[side, lot]
        if side == 1 and near == s.beside[0, lot]:
            continue
        owner = int(s.lot_owner[near])
        if s.kinds_beside[kind, near] or s.lot_points[near] == 0:
            continue
        step = _next_points(s.lot_points[near]) - s.lot_points[near]
        if owner == p:
            gain += step * s.buildings[p, near] * scorings(s)
        elif owner != NOBODY and owner < s.players:
            gain -= step * s.buildings[owner, near] * scorings(s) / (s.players - 1.0)
    if is_empty(s, lot // SIDES, lot % SIDES):  # whoever wanted to build here cannot any more
        gain -= 0.1 * s.lot_points[lot]
    return gain


@njit
def _next_points(points):
    """Points of a building with one kind more beside its lot."""
    for i in range(LOT_POINTS.shape[0] - 1):
        if LOT_POINTS[i] == points:
            return LOT_POINTS[i + 1]
    return points


@njit
def best_shop(s, p, kind):
    """The best gain of a shop of this kind over all lots that can take it."""
    best = -1e9
    for d in range(DISTRICTS):
        for i in range(s.board):
            if s.room_bits[d] >> i & 1:
                best = max(best, shop_gain(s, p, kind, SIDES * d + i))
    return best
