# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The baseline player: every decision by the value of what the decision leads to (valuation.py), in points.

TURN  D by its points, own less the others'; B by the best lot for the shop, and by the bonus or the end it brings;
      A when buildings run short; C for the card.
BID   the colour and the highest card value that leave most after the cards' price; then the cheapest raise.
BUILD all it may, unless closing is worth more.   MOVE so that the next seat has no good D.   TAKE what serves bids.
"""

from __future__ import annotations

from fiveavenue_env.actions import (
    ACTION_A,
    ACTION_C,
    BID,
    CLOSE,
    FIRST_ADD,
    FIRST_B,
    FIRST_BUILD,
    FIRST_D,
    FIRST_MOVE,
    FIRST_SHOP,
    FIRST_SINGLE,
    FIRST_TAKE,
    PASS,
)
from fiveavenue_env.components import (
    BONUS_DISTRICTS,
    BONUS_POINTS,
    BONUS_STEP,
    COLOURS,
    COMMISSIONS,
    CP,
    DISTRICTS,
    FIRST_BLACK,
    NODES,
    PAIR,
    PLACED_MOST,
    SIDES,
    START,
)
from fiveavenue_env.scoring import NO_LOTS, is_empty
from fiveavenue_env.state import (
    NO_COLOUR,
    NO_LOT,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_MOVE,
    PHASE_PLACE,
    PHASE_SHOP,
    PHASE_TAKE,
    PHASE_TURN,
)
from fiveavenue_env.valuation import (
    LOWEST_VALUE,
    WIN,
    best_shop,
    build_worth,
    close_worth,
    final_margin,
    lot_worth,
    lots_that_gain,
    prize,
    shop_gain_beside,
    shops_left,
    winning_caps,
)
from skyline.core.choice import best_legal, luck
from skyline.core.jit import njit
from skyline.core.masks import lowest

NO_VALUES = (0.0,) * COLOURS
LUCK = 0.01  # ties are broken by a random fraction of this value
PRICE = 0.12  # price of a point of a bid at the end of the game, in points
PRICE_EARLY = 0.012  # added to the price for each shop still to be placed
CARD = 0.9  # value of a black card, in points
HIGHER = 0.5  # value of each step of a top card above 4, in points


@njit
def heuristic(s, mask, stream):
    """The baseline player's action."""
    if s.phase == PHASE_BID:
        return _bid(s, mask, stream)
    gaining = lots_that_gain(s, int(s.chosen_kind)) if s.phase == PHASE_SHOP else NO_LOTS
    colours = _colour_values(s) if s.phase == PHASE_TAKE else NO_VALUES
    return best_legal(_worth, s, (gaining, colours), mask, stream, LUCK)


@njit
def _worth(s, action, known):
    """What an action is worth, in points. `known`: `lots_that_gain` in SHOP, `_colour_values` in TAKE."""
    if s.phase == PHASE_TURN:
        return _turn_value(s, action)
    if s.phase == PHASE_MOVE:
        return _move_value(s, (action - FIRST_MOVE) // NODES, (action - FIRST_MOVE) % NODES)
    if s.phase == PHASE_TAKE:
        return _take_value(action, known[1])
    if s.phase == PHASE_SHOP:
        return shop_gain_beside(s, int(s.seat), action - FIRST_SHOP, known[0])
    if s.phase == PHASE_BUILD:
        return _build_value(s, action)
    return lot_worth(s, SIDES * (action // COLOURS) + action % COLOURS) if s.phase == PHASE_PLACE else 0.0


# ---------------------------------------------------------------- the turn


@njit
def _turn_value(s, action):
    p = int(s.seat)
    if action == ACTION_A:
        if s.supply[p] == 0:
            return 0.0
        return _reserve_value(int(s.reserve[p]))
    if action == ACTION_C:
        return CARD
    if action >= FIRST_D:
        return _score_value(s, p, action - FIRST_D)
    return best_shop(s, p, action - FIRST_B) + _shop_timing(s, p)


@njit
def _reserve_value(reserve):
    """The value of three more buildings: the largest when the reserve is empty."""
    if reserve == 0:
        return 5.0
    if reserve < 3:
        return 2.5
    return 0.3


@njit
def _score_value(s, p, d):
    """Own points less the best other's and, a little, less the mean of the others'; the cards drawn."""
    best, total = 0.0, 0.0
    for q in range(s.players):
        if q != p:
            best = max(best, float(s.district_points[q, d]))
            total += s.district_points[q, d]
    value = s.district_points[p, d] - 0.7 * best - 0.3 * total / (s.players - 1.0)
    return value + (2 * CARD if s.home[p, d] == NO_LOT else CARD) - 0.6


@njit
def _shop_timing(s, p):
    """What the next placed shop brings beside points of its neighbours: a bonus, or the end of the game."""
    placed = s.placed + 1
    if placed == PLACED_MOST:
        return WIN if final_margin(s, p) > 0 else -WIN
    step = placed // BONUS_STEP
    if placed % BONUS_STEP != 0 or step >= BONUS_POINTS.shape[0]:
        return 0.8
    value = 0.8
    for q in range(s.players):
        if s.districts[q] >= BONUS_DISTRICTS[step]:
            value += BONUS_POINTS[step] if q == p else -BONUS_POINTS[step] / (s.players - 1.0)
    return value


# ---------------------------------------------------------------- moving


@njit
def _move_value(s, c, target):
    """The best scoring of the next seat after the move counts against the move, the own best one a little for it."""
    p = int(s.seat)
    if s.node[c] == CP:
        return _round_value(s, p, c)
    following = p + 1 if p + 1 < s.players else 0
    worst, best = 0.0, 0.0
    for other in range(COMMISSIONS):
        node = target if other == c else int(s.node[other])
        if node != START and node != CP and not s.closed[node - 1]:
            worst = max(worst, _score_value(s, following, node - 1))
            best = max(best, _score_value(s, p, node - 1))
    return 0.3 * best - 0.7 * worst + _marker_value(s, p, int(s.node[c]))


@njit
def _marker_value(s, p, node):
    """The value of a coming auction in a district where the seat can build well."""
    if node in (START, CP) or s.closed[node - 1]:
        return 0.0
    d = node - 1
    if s.home[p, d] != NO_LOT:
        return 0.1 * s.lot_points[SIDES * d + s.home[p, d]]
    best = 0.0
    for colour in range(COLOURS):
        if is_empty(s, d, colour):
            best = max(best, 0.1 * s.lot_points[SIDES * d + colour])
    return best


@njit
def _round_value(s, p, c):
    """A round of auctions is good for a seat with more cards than the others and with buildings to place."""
    others = 0.0
    for q in range(s.players):
        if q != p:
            others += s.hand_size[q] / (s.players - 1.0)
    return 0.25 * (s.hand_size[p] - others) + 0.4 * min(int(s.reserve[p]), 4) - 1.0


# ---------------------------------------------------------------- cards


@njit
def _take_value(action, colours):
    if action >= FIRST_SINGLE:
        return 0.0
    first, second = PAIR[action - FIRST_TAKE, 0], PAIR[action - FIRST_TAKE, 1]
    return colours[first] + colours[second]


@njit
def _colour_values(s):
    return (
        _colour_value(s, 0),
        _colour_value(s, 1),
        _colour_value(s, 2),
        _colour_value(s, 3),
        _colour_value(s, 4),
    )


@njit
def _colour_value(s, colour):
    """The top card's value, cards of the colour in hand, and the best lots of the colour to bid for."""
    p = int(s.seat)
    value = HIGHER * (s.stacks[colour, s.stack_top[colour]] - 4)
    for level in range(3):
        value += 0.25 * min(int(s.hands[p, 3 * colour + level]), 3)
    for d in range(DISTRICTS):
        lot = SIDES * d + colour
        if s.home[p, d] == colour:
            value += 0.35 * s.lot_points[lot]
        elif s.home[p, d] == NO_LOT and is_empty(s, d, colour):
            value += 0.15 * s.lot_points[lot]
    return value


@njit
def _price(s):
    """The price of a point of a bid."""
    return PRICE + PRICE_EARLY * shops_left(s)


@njit
def _bid(s, mask, stream):
    """Pass, or the next card of the raise that leaves most, or the bid when it is high enough."""
    if mask[BID]:
        return BID
    p, cost = int(s.seat), _price(s) * (s.standing + 1)
    best_colour, best_cap, best_value = -1, 6, 0.0 if mask[PASS] else -1e18
    for colour in range(COLOURS):
        caps = winning_caps(s, p, colour) if s.allowed[p] >> colour & 1 else 0
        while caps:
            cap = LOWEST_VALUE + lowest(caps)
            caps &= caps - 1
            value = prize(s, p, colour, cap) - cost + luck(stream, LUCK)
            if value > best_value:
                best_colour, best_cap, best_value = colour, cap, value
    if best_colour < 0 and mask[PASS]:
        return PASS
    return _next_card(s, mask, best_colour, best_cap)


@njit
def _next_card(s, mask, colour, cap):
    """The highest coloured card up to the cap, then black ones; any legal card if there is none."""
    if colour != NO_COLOUR:
        for value in range(cap, 3, -1):
            action = FIRST_ADD + 3 * colour + value - 4
            if mask[action]:
                return action
    for value in range(cap, 3, -1):
        action = FIRST_ADD + FIRST_BLACK + value - 4
        if mask[action]:
            return action
    for action in range(FIRST_ADD, BID):
        if mask[action]:
            return action
    return PASS


@njit
def _build_value(s, action):
    p, d = int(s.seat), int(s.auction_place)
    if action == CLOSE:
        return close_worth(s, p, d)
    return build_worth(s, p, d, int(s.bid_colour), action - FIRST_BUILD)
