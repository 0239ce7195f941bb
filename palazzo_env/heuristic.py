# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The baseline player. It weighs tiles by what they add to its palaces and money by what it can still buy.

    MAIN     rebuild what gains clearly; take money while the hand is poor; else draw
    CHOICE   what buying gains, against what an auction gains: the lot less what it is worth to the keenest rival
    BID      raise while the lot is worth more than the money
    MONEY    the cards that make the largest payments
    add, pay the cards whose loss costs the hand least

It reads what its seat sees: its own hand, the open cards, palaces, tiles on the table, numbers of cards.
"""

from __future__ import annotations

import numpy as np

from palazzo_env.actions import (
    ADD,
    AUCTION,
    BID,
    BUILD_NEW,
    BUILD_ON,
    BUILD_SCRAP,
    BUY,
    DRAW,
    INSERT,
    INTO,
    MONEY,
    PASS,
    PAY,
    REBUILD,
    REMOVE,
    SPLIT,
    STOP,
    TAKE,
    TILE,
)
from palazzo_env.components import (
    CARD_KINDS,
    CARD_VALUE,
    CERTIFICATE,
    CERTIFICATE_VALUE,
    COMPONENTS,
    CURRENCIES,
    FIRST_GROUP,
    FLOORS,
    GROUP_CARDS,
    GROUP_VALUE,
    LEAST_SHARED,
    LOWEST_VALUE,
    QUARRIES,
    TILE_FLOORS,
    VALUES,
)
from palazzo_env.keys import CODE_FLOOR, code_at, inserted, length_of, on_top, single, without
from palazzo_env.market import goal_of_payment
from palazzo_env.payment import price_of_one
from palazzo_env.purses import most_of
from palazzo_env.rebuilding import is_target
from palazzo_env.state import (
    NO_CARD,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_FEE,
    PHASE_MAIN,
    PHASE_MONEY,
    PHASE_PAY,
    PHASE_REBUILD,
    PHASE_SHARE,
)
from palazzo_env.valuation import (
    best_second,
    best_tile,
    expected_draws,
    hope_of,
    lot_gain,
    quarry_gain,
    tile_gain,
    worth,
)
from skyline.core.choice import best_legal, luck
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.core.wide import bits_of, ones_in
from skyline.rng import skip

MONEY_WORTH = 0.22  # worth of a unit of money, in points
LATE_WORTH = 0.10  # its worth late in the game
LATE = 30  # late begins with this many tenths of `draw` turns left
MARGIN = 0.3  # points that a bid must gain
POOR, LATE_POOR = 14, 8  # a seat takes money if its largest payment is smaller, early and late
REBUILD_GAIN = 2.0  # points that a rebuilding must gain
CARD_WORTH = 0.35  # share of the values of all cards that counts beside the largest payment
OVERPAID = 0.5  # loss by a unit of money paid too much
LUCK = 1e-3  # ties are broken by a random fraction of this value
NONE = -1
ONE = np.uint64(1)


@njit
def heuristic(s, mask, stream):
    """The baseline player's action."""
    hope = hope_of(s)
    if s.phase == PHASE_MAIN:
        return _main(s, mask, hope)
    if s.phase == PHASE_MONEY:
        return _take(s, mask, stream)
    if s.phase == PHASE_CHOICE:
        return _choose(s, mask, hope)
    if s.phase == PHASE_BUY:
        return _buy(s, mask, hope)
    if s.phase == PHASE_PAY:
        return _add(s, mask, goal_of_payment(s), stream)
    if s.phase == PHASE_BID:
        return _bid(s, mask, hope, stream)
    if s.phase == PHASE_SHARE:
        return TILE + best_tile(s, np.int64(s.seat), s.quarries[s.builder], np.int64(s.quarry_size[s.builder]), hope)[1]
    if s.phase == PHASE_BUILD:
        return _build(s, mask, hope)
    if s.phase == PHASE_FEE:
        return best_legal(_left_after_fee, s, (), mask, stream, LUCK)
    return _rebuild(s, mask, hope)


@njit
def _money_worth(s):
    """What a unit of money is worth at this stage of the game, in points."""
    return MONEY_WORTH if expected_draws(s) > LATE else LATE_WORTH


# ---------------------------------------------------------------- the turn


@njit
def _main(s, mask, hope):
    """MAIN: rebuild what gains clearly, take money while the hand is poor, otherwise draw."""
    if mask[REBUILD] and _best_rebuild(s, hope)[0] > REBUILD_GAIN:
        return REBUILD
    poor = POOR if expected_draws(s) > LATE else LATE_POOR
    if mask[MONEY] and most_of(s, s.seat) < poor:
        return MONEY
    return DRAW


@njit
def _choose(s, mask, hope):
    """CHOICE: buy if the best purchase gains more than an auction."""
    if mask[BUY] and _purchase(s, hope)[0] > _auction_gain(s, hope):
        return BUY
    return AUCTION


@njit
def _purchase(s, hope):
    """The best purchase: (points it gains, first tile in tile order, second or NONE)."""
    price, most, worth_of_money = price_of_one(s), most_of(s, s.seat), _money_worth(s)
    gain, tile = best_tile(s, np.int64(s.seat), s.depot, np.int64(s.depot_size), hope)
    gain -= worth_of_money * price
    if most < 2 * price:
        return gain, tile, NONE
    both, other = best_second(s, np.int64(s.seat), s.depot, np.int64(s.depot_size), tile, hope)
    both -= 2 * worth_of_money * price
    if other == NONE or both <= gain:
        return gain, tile, NONE
    return both, min(tile, other), max(tile, other)


@njit
def _auction_gain(s, hope):
    """What an auction is worth to the seat that opens it: a free tile, or the lot less its worth to the best rival."""
    quarry = np.int64(s.builder)
    for ahead in range(1, QUARRIES + 1):
        quarry = (np.int64(s.builder) + ahead) & (QUARRIES - 1)
        if s.quarry_size[quarry]:
            break
    rival = 0.0
    for seat in range(np.int64(s.players)):
        if seat != s.seat:
            rival = max(rival, quarry_gain(s, seat, quarry, hope))
    own = quarry_gain(s, np.int64(s.seat), quarry, hope)
    if s.quarry_size[quarry] >= LEAST_SHARED:
        return own - 0.5 * rival
    return max(own - rival, 0.2 * (own - rival))


@njit
def _buy(s, mask, hope):
    """BUY: the best tile, then a second one if it gains more than it costs."""
    if s.lot_size == 0:
        return TILE + _purchase(s, hope)[1]
    first = np.int64(s.lot[0])
    price = price_of_one(s)
    gain, other = best_second(s, np.int64(s.seat), s.depot, np.int64(s.depot_size), first, hope)
    gain -= tile_gain(s, np.int64(s.seat), first, hope) + _money_worth(s) * price
    if other != NONE and gain > 0 and mask[TILE + other]:
        return TILE + other
    return STOP


# ---------------------------------------------------------------- money


@njit
def _held(hand, card, plus, also, less):
    """Copies of a card in the hand with the cards `plus` and `also` and without the component `less` (or NONE)."""
    copies = int(hand[card]) + (plus == card) + (also == card) - (less == card)
    if card == CERTIFICATE:
        return copies - GROUP_CARDS * (less == FIRST_GROUP)
    return copies - (less > FIRST_GROUP and (card - 1) % VALUES == less - FIRST_GROUP - 1)


@njit
def _hand_worth(hand, plus, also, less):
    """What the hand is worth after such a change: its largest payment, and a share of the values of all cards."""
    certificates = _held(hand, CERTIFICATE, plus, also, less)
    largest = GROUP_VALUE * (certificates // GROUP_CARDS) + CERTIFICATE_VALUE * (certificates % GROUP_CARDS)
    best, values = 0, CERTIFICATE_VALUE * certificates
    for currency in range(CURRENCIES):
        currency_worth = 0
        for i in range(VALUES):
            currency_worth += (LOWEST_VALUE + i) * _held(hand, 1 + VALUES * currency + i, plus, also, less)
        best = max(best, currency_worth)
        values += currency_worth
    for i in range(VALUES):
        groups = _held(hand, 1 + i, plus, also, less)
        for currency in range(1, CURRENCIES):
            groups = min(groups, _held(hand, 1 + VALUES * currency + i, plus, also, less))
        largest += (GROUP_VALUE - LOWEST_VALUE - i) * groups
    return largest + best + CARD_WORTH * values


@njit
def _take(s, mask, stream):
    """The card that is worth most; of the active player's two the lower one of the best pair."""
    hand, face_up = s.hands[s.seat], s.face_up
    best, chosen = -1e9, NONE
    pair = s.seat == s.active and s.first_take == NO_CARD
    left = bits_of(mask, TAKE, CARD_KINDS)
    if not pair and ones_in(left) == 1:
        skip(stream, 1)
        return TAKE + lowest(left)
    while left:
        card = lowest(left)
        left &= left - ONE
        for other in range(card, CARD_KINDS if pair else card + 1):
            if not pair or face_up[other] > (other == card):
                value = _hand_worth(hand, card, other if pair else NONE, NONE) + luck(stream, LUCK)
                if value > best:
                    best, chosen = value, card
    return TAKE + chosen


@njit
def _left_after_fee(s, action, known):
    """FEE: what the hand is worth without the card that is paid."""
    return _hand_worth(s.hands[s.seat], NONE, NONE, action - PAY)


@njit
def _add(s, mask, goal, stream):
    """The component whose loss costs the hand least; money still missing counts in full, money too much in part."""
    hand, total = s.hands[s.seat], int(s.totals[s.seat])
    best, chosen, left = -1e9, NONE, bits_of(mask, ADD, COMPONENTS)
    if ones_in(left) == 1:
        skip(stream, 1)
        return ADD + lowest(left)
    while left:
        component = lowest(left)
        left &= left - ONE
        missing = goal - total - _value(component)
        value = _hand_worth(hand, NONE, NONE, component) + luck(stream, LUCK)
        value -= missing if missing > 0 else -OVERPAID * missing
        if value > best:
            best, chosen = value, component
    return ADD + chosen


@njit
def _value(component):
    """The value of a component."""
    return GROUP_VALUE if component >= FIRST_GROUP else CARD_VALUE[component]


@njit
def _bid(s, mask, hope, stream):
    """Raise as little as possible while the lot is worth it; a raise that is begun is finished."""
    if mask[BID]:
        return BID
    goal = int(s.standing) + 1
    action = _add(s, mask, goal, stream)
    if not mask[PASS]:
        return action
    if action < ADD:
        return PASS
    price = max(goal, int(s.totals[s.seat]) + _value(action - ADD))
    lot = lot_gain(s, np.int64(s.seat), s.quarries[s.builder], np.int64(s.quarry_size[s.builder]), hope)
    return action if lot - _money_worth(s) * price > MARGIN else PASS


# ---------------------------------------------------------------- palaces


@njit
def _build(s, mask, hope):
    """The place where the tile adds most."""
    tile, keys = np.int64(s.lot[0]), s.palaces[s.seat]
    best, chosen = 0.0, BUILD_SCRAP
    if mask[BUILD_NEW] and worth(single(tile), hope) > best:
        best, chosen = worth(single(tile), hope), BUILD_NEW
    for slot in range(s.palace_count[s.seat]):
        if mask[BUILD_ON + slot]:
            key = np.int64(keys[slot])
            gain = worth(on_top(key, tile), hope) - worth(key, hope)
            if gain > best:
                best, chosen = gain, BUILD_ON + slot
    return chosen


@njit
def _rebuild(s, mask, hope):
    """The best change, then its best target."""
    if s.phase == PHASE_REBUILD:
        return _best_rebuild(s, hope)[1]
    return INTO + _best_target(s, int(s.change_slot), int(s.change_tile), hope)[1]


@njit
def _best_rebuild(s, hope):
    """(points it gains, action) of the best change of the seat's palaces; (-1e9, NONE) if there is none."""
    best, chosen = -1e9, NONE
    for slot in range(s.palace_count[s.seat]):
        key = np.int64(s.palaces[s.seat, slot])
        length = length_of(key)
        if length == 1:
            tile = code_at(key, 0) - 1
            if -worth(key, hope) > best:
                best, chosen = -worth(key, hope), REMOVE + tile
            gain, target = _best_target(s, slot, tile, hope)
            if target != NONE and gain > best:
                best, chosen = gain, INSERT + tile
            continue
        for i in range(1 if length == 2 else 0, length):  # PZ-R9
            code = code_at(key, i)
            gain = worth(without(key, code - 1), hope) + worth(single(code - 1), hope) - worth(key, hope)
            if gain > best:
                best, chosen = gain, SPLIT + FLOORS * slot + CODE_FLOOR[code] - 1
    return best, chosen


@njit
def _best_target(s, slot, tile, hope):
    """(points it gains, slot) of the best palace for the single in `slot`; slot NONE if there is none."""
    best, chosen = -1e9, NONE
    for target in range(s.palace_count[s.seat]):
        key = np.int64(s.palaces[s.seat, target])
        if target != slot and is_target(key, TILE_FLOORS[tile]):
            gain = worth(inserted(key, tile), hope) - worth(key, hope) - worth(single(tile), hope)
            if gain > best:
                best, chosen = gain, target
    return best, chosen
