# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`observe` fills the observation table (observation_table.py), one function for each group of its slices.

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n; quarries are counted from the builder,
1 = the next one clockwise .. 4 = his own. Hidden: the other hands, the orders of deck and stack. [section 7]
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    BELOW_PILE_1,
    BELOW_PILE_2,
    CARD_COPIES,
    CARD_KINDS,
    CERTIFICATE,
    FLOORS,
    GROUP_CARDS,
    KNIGHTS,
    MAX_PLAYERS,
    QUARRIES,
    RANKS,
    STACK,
    TILE_COPIES,
    TILE_KINDS,
    TILES,
    VALUES,
)
from palazzo_env.keys import CODE_WINDOWS, code_at, length_of
from palazzo_env.market import goal_of_payment
from palazzo_env.observation_memory import observe_memory
from palazzo_env.observation_table import (
    CODE_BIT,
    CODE_MATERIAL_BIT,
    CODE_ROW,
    GAIN_SCALE,
    MARKS,
    MAY_COME,
    RANKS_SHOWN,
    SLOTS,
    TILE_MARKS,
)
from palazzo_env.payment import groups_of, maxpay, price_of_one
from palazzo_env.scoring import points_of
from palazzo_env.state import (
    CHANGE_SPLIT,
    DECISIONS,
    NO_CARD,
    NO_CHANGE,
    NO_COMPONENT,
    NO_LOCK,
    NO_SLOT,
    NO_TWIN,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_PAY,
    PHASE_SHARE,
)
from palazzo_env.valuation import NO_SECOND, best_second, best_tile, expected_draws, hope_of, quarry_gain
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from
from skyline.core.wide import LANES, subtract, sum_of, widen, write_bits
from skyline.game import NO_SEAT

PALACES = 5  # depot, four quarries, then the palaces of the seats

NO_TILES = np.uint64(0)
ONE = np.uint64(1)

TURN_PLACES = 2 * MAX_PLAYERS + DECISIONS  # as many values as `to_move`, `active` and `phase` have at most
SLOT_PLACES = 3 * FLOORS + 1  # the materials of a palace, and one place that is overwritten
BUILD_PLACES, PLAN_PLACES = 14, 16


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    seat = np.int64(seat)
    most = maxpay(s.hands[seat])
    at = _observe_turn(s, seat, out, 0)
    at = _observe_hand(s, seat, most, out, at)
    at = _observe_money(s, seat, out, at)
    unseen = at - 2 * CARD_KINDS
    at = _observe_payment(s, seat, out, at)
    at = _observe_price(s, most, out, at)
    at = _observe_tiles(s, seat, out, at)
    at = _observe_slots(s, seat, out, at)
    at = _observe_seats(s, seat, out, at)
    at = _observe_supply(s, out, at)
    at = _observe_sharing(s, seat, out, at)
    at = _observe_building(s, out, at)
    at = _observe_plan(s, out, at)
    at = observe_memory(s, seat, unseen, out, at)
    if out.shape[0] > at:
        at = _observe_rich(s, seat, out, at)
    return at


@njit
def _observe_turn(s, seat, out, at):
    """to_move, active, phase: three choices as the bits of a word. The next slices overwrite the places behind them."""
    players = int(s.players)
    ones = 1 << players + seen_from(seat, int(s.active), players)
    if s.seat != NO_SEAT:
        ones |= (1 << seen_from(seat, int(s.seat), players)) | (1 << 2 * players + int(s.phase))
    write_bits(out, at, np.uint64(ones), TURN_PLACES)
    return at + 2 * players + DECISIONS


@njit
def _observe_hand(s, seat, most, out, at):
    """hand, groups, maxpay."""
    hand = s.hands[seat]
    widen(out, at, hand, CARD_KINDS)
    at += CARD_KINDS
    out[at] = hand[CERTIFICATE] // GROUP_CARDS
    for i in range(VALUES):
        out[at + 1 + i] = groups_of(hand, i)
    out[at + 1 + VALUES] = most
    return at + 2 + VALUES


@njit
def _observe_money(s, seat, out, at):
    """hand_size .. first_pick."""
    players = int(s.players)
    for j in range(players):
        out[at + j] = sum_of(s.hands[around(seat, j, players)], CARD_KINDS)
    out[at + players] = s.deck_size - s.deck_top
    at += players + 1
    widen(out, at, s.discards, CARD_KINDS)
    widen(out, at + CARD_KINDS, s.face_up, CARD_KINDS)
    at += 2 * CARD_KINDS
    widen(out, at, CARD_COPIES, CARD_KINDS)
    subtract(out, at, s.hands[seat], CARD_KINDS)
    subtract(out, at, s.discards, CARD_KINDS)
    subtract(out, at, s.face_up, CARD_KINDS)
    for other in range(MAX_PLAYERS):
        subtract(out, at, s.table[other], CARD_KINDS)
    at += CARD_KINDS
    first = ONE << np.uint64(s.first_take) if s.first_take != NO_CARD else np.uint64(0)
    write_bits(out, at, first, CARD_KINDS)
    return at + CARD_KINDS


@njit
def _observe_payment(s, seat, out, at):
    """table .. raise_j: all zero unless somebody bids or pays. The next slices overwrite the zeros behind them."""
    players = int(s.players)
    if s.phase != PHASE_BID and s.phase != PHASE_PAY:
        write_bits(out, at, NO_TILES, LANES)
        write_bits(out, at + LANES, NO_TILES, LANES)
        return at + players * (CARD_KINDS + 6) + 4 + RANKS_SHOWN
    totals = at + players * CARD_KINDS
    locks, out_of_it = totals + players, totals + 4 * players
    write_bits(out, totals, NO_TILES, LANES)
    for j in range(players):
        other = around(seat, j, players)
        widen(out, at, s.table[other], CARD_KINDS)
        at += CARD_KINDS
        out[totals + j] = s.totals[other]
        if s.locks[other] != NO_LOCK:
            out[locks + 3 * j + int(s.locks[other])] = 1
        out[out_of_it + j] = s.passed[other]
    at = out_of_it + players
    if s.phase == PHASE_BID:
        goal = int(s.standing) + 1
        out[at] = s.standing
        out[at + 1 + seen_from(seat, int(s.holder), players)] = 1
    else:
        goal = goal_of_payment(s)
    at += players + 1
    out[at] = goal
    out[at + 1] = goal - s.totals[seat]
    if s.last != NO_COMPONENT:
        out[at + 2 + RANKS[s.last]] = 1
    out[at + 2 + RANKS_SHOWN] = s.singles
    return at + 3 + RANKS_SHOWN


@njit
def _observe_price(s, most, out, at):
    """price, affordable."""
    price = price_of_one(s)
    out[at] = price
    out[at + 1] = (s.depot_size > 0) & (most >= price)
    out[at + 2] = (s.depot_size > 1) & (most >= 2 * price)
    return at + 3


# ---------------------------------------------------------------- tiles


@njit
def _observe_tiles(s, seat, out, at):
    """48 values for each place where tiles lie, written as the bits of a word; tiles in the stack or the box lie in
    none of these places. `seen` has the bits of all tiles met so far: the second of two equal tiles has the next row.
    """
    players = int(s.players)
    pending_at = at + TILES * (PALACES + players)
    slots = pending_at + TILES
    write_bits(out, slots, NO_TILES, TILES)
    slot_of = out[slots:]
    seen = _rows_of(s.depot, s.depot_size, NO_TILES)
    write_bits(out, at, seen, TILES)
    for ahead in range(1, QUARRIES + 1):
        quarry = (int(s.builder) + ahead) & (QUARRIES - 1)
        rows = _rows_of(s.quarries[quarry], s.quarry_size[quarry], seen)
        write_bits(out, at + TILES * ahead, rows, TILES)
        seen |= rows
    of_active = NO_TILES
    for j in range(players):
        owner = around(seat, j, players)
        rows = _palace_rows(s, owner, slot_of, seen)
        write_bits(out, at + TILES * (PALACES + j), rows, TILES)
        seen |= rows
        of_active = rows if owner == s.active else of_active
    write_bits(out, pending_at, _pending_rows(s, slot_of, of_active, seen), TILES)
    return slots + TILES


@njit
def _rows_of(tiles, size, seen):
    """The rows of the tiles of a list, as bits."""
    rows = NO_TILES
    for i in range(size):
        bit = CODE_BIT[int(tiles[i]) + 1]
        rows |= bit << np.uint64(((seen | rows) & bit) != 0)
    return rows


@njit
def _palace_rows(s, owner, slot_of, seen):
    """The rows of the tiles of a seat's palaces, as bits; their slots are written.

    The tiles of a palace differ, so that none of them waits for the row of the one below.  # PZ-61
    """
    keys, copies, rows = s.palaces[owner], s.copies[owner], NO_TILES
    for slot in range(s.palace_count[owner]):
        key = np.int64(keys[slot])
        for _ in range(copies[slot]):
            before = seen | rows
            for i in range(FLOORS):
                code = code_at(key, i)
                second = before >> CODE_ROW[code] & ONE
                rows |= CODE_BIT[code] << second
                slot_of[CODE_ROW[code] + second] = slot
    return rows


@njit
def _pending_rows(s, slot_of, of_active, seen):
    """The rows of the tiles chosen, to build, to rebuild."""
    if s.phase == PHASE_BUILD:
        return _rows_of(s.lot, s.lot_size, seen)
    if s.phase == PHASE_BUY or s.phase == PHASE_PAY:
        return _rows_of(s.lot, s.lot_size, NO_TILES)  # in the depot, whose tiles have the first rows
    if s.change == NO_CHANGE:
        return NO_TILES
    code = int(s.change_tile) + 1
    row, bit = CODE_ROW[code], CODE_BIT[code]
    is_first = (of_active & bit) != 0 and slot_of[row] == s.change_slot
    return bit if is_first else bit << ONE


@njit
def _observe_slots(s, seat, out, at):
    """The own palaces by slot; all values follow from the keys of the palaces."""
    materials = at + SLOTS * FLOORS
    copies = materials + SLOTS * FLOORS * 3
    points, lengths = copies + SLOTS, copies + 2 * SLOTS
    end = copies + 3 * SLOTS
    out[at:end] = 0
    for slot in range(min(SLOTS, int(s.palace_count[seat]))):
        key, bits = np.int64(s.palaces[seat, slot]), np.uint64(0)
        for i in range(FLOORS):
            code = code_at(key, i)
            out[at + FLOORS * slot + i] = CODE_WINDOWS[code]
            bits |= CODE_MATERIAL_BIT[code] << np.uint64(3 * i)
        write_bits(out, materials + 3 * FLOORS * slot, bits, SLOT_PLACES)
        out[copies + slot] = s.copies[seat, slot]
        out[points + slot] = points_of(key)
        out[lengths + slot] = length_of(key)
    return end


@njit
def _observe_seats(s, seat, out, at):
    """lengths .. score."""
    players = int(s.players)
    windows = at + FLOORS * players
    for j in range(players):
        widen(out, at, s.lengths[around(seat, j, players)], FLOORS)
        at += FLOORS
    for j in range(players):
        other = around(seat, j, players)
        out[windows + j] = s.windows[other]
        out[windows + players + j] = s.uniform[other]
        out[windows + 2 * players + j] = s.scores[other]
    return windows + 3 * players


@njit
def _observe_supply(s, out, at):
    """stack .. may_come."""
    left = STACK - int(s.stack_top)
    second, third = max(left, BELOW_PILE_2), min(left, BELOW_PILE_2)
    out[at] = left
    out[at + 1] = max(left, BELOW_PILE_1) - BELOW_PILE_1
    out[at + 2] = min(second, BELOW_PILE_1) - BELOW_PILE_2
    out[at + 3] = third
    out[at + 4] = s.knights
    out[at + 5] = expected_draws(s)
    at += 6
    part, visible = out[at : at + TILE_KINDS], s.visible
    if left <= KNIGHTS - s.knights:  # no tile is left
        part[:] = 0
        return at + TILE_KINDS
    most = MAY_COME[0 if left > BELOW_PILE_1 else 1 if left > BELOW_PILE_2 else 2]
    for tile in range(part.shape[0]):
        part[tile] = min(most[tile], TILE_COPIES[tile] - visible[tile])
    return at + TILE_KINDS


@njit
def _observe_sharing(s, seat, out, at):
    """quiet, share."""
    players = int(s.players)
    out[at] = max(0, int(s.quiet_limit) - int(s.quiet))
    for j in range(players):
        out[at + 1 + j] = s.sharing and _still_to_take(s, around(seat, j, players))
    return at + 1 + players


@njit
def _still_to_take(s, seat):
    """Whether the seat has still to take a tile of the distribution."""
    active, players = int(s.active), int(s.players)
    turn, now = seen_from(active, seat, players), seen_from(active, int(s.seat), players)
    return turn > now or (turn == now and s.phase == PHASE_SHARE)


@njit
def _observe_building(s, out, at):
    """build_tile .. twin_least."""
    write_bits(out, at, NO_TILES, BUILD_PLACES)
    if s.phase == PHASE_BUILD:
        widen(out, at, TILE_MARKS[s.lot[0]], MARKS)
        out[at + 11] = s.lot_size - 1
        if s.twin != NO_TWIN:
            out[at + 12] = 1
            out[at + 13] = _least_choice(s)
    return at + BUILD_PLACES


@njit
def _least_choice(s):
    """0 = new; else 1 + the number of the builder's slots before the choice made for the twin."""
    if s.twin == 0:
        return 0
    slot = 0
    while slot < s.palace_count[s.seat] and s.palaces[s.seat, slot] < s.twin:
        slot += 1
    return slot + 1


@njit
def _observe_plan(s, out, at):
    """plan .. plan_target."""
    write_bits(out, at, NO_TILES, PLAN_PLACES)
    if s.change != NO_CHANGE:
        out[at + int(s.change) - CHANGE_SPLIT] = 1
        out[at + 3] = s.change_slot
        widen(out, at + 4, TILE_MARKS[s.change_tile], MARKS)
        if s.target_slot != NO_SLOT:
            out[at + 15] = s.target_slot
    return at + PLAN_PLACES


@njit
def _observe_rich(s, seat, out, at):
    """What the depot and the quarries would add to palaces, in tenths of a point, rounded."""
    hope = hope_of(s)
    best, tile = best_tile(s, seat, s.depot, np.int64(s.depot_size), hope)
    out[at] = round(GAIN_SCALE * best)
    two, second = best_second(s, seat, s.depot, np.int64(s.depot_size), tile, hope)
    out[at + 1] = round(GAIN_SCALE * max(best, two)) if second != NO_SECOND else 0  # one of two may be scrapped
    at += 2
    players = int(s.players)
    for j in range(players):
        for ahead in range(1, QUARRIES + 1):
            quarry = (int(s.builder) + ahead) & (QUARRIES - 1)
            out[at] = round(GAIN_SCALE * quarry_gain(s, around(seat, j, players), quarry, hope))
            at += 1
    return at
