# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`observe` fills the observation table (observation_table.py), one function for each group of its slices.

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n; quarries are counted from the builder,
1 = the next one clockwise .. 4 = his own. Hidden: the other hands, the orders of deck and stack. [section 7]
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    CARD_COPIES,
    CARD_KINDS,
    FLOORS,
    MAX_PLAYERS,
    QUARRIES,
    RANKS,
    TILE_KINDS,
    TILES,
    VALUES,
)
from palazzo_env.market import goal_of_payment
from palazzo_env.observation_memory import observe_memory
from palazzo_env.observation_table import (
    GAIN_SCALE,
    MARKS,
    RANKS_SHOWN,
    TILE_MARKS,
)
from palazzo_env.payment import price_of_one
from palazzo_env.places import BYTE, BYTES, COPIES_AT, LOW_BYTE, NO_TILES, ONE, SLOT_BITS, TWIN_BYTES, TWIN_ROW
from palazzo_env.purses import hand_size, most_of
from palazzo_env.state import (
    CHANGE_SPLIT,
    DECISIONS,
    DEPOT,
    LENGTHS,
    MAY_COME_AT,
    NO_CARD,
    NO_CHANGE,
    NO_LOCK,
    NO_SLOT,
    NO_TWIN,
    PALACES,
    PENDING,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_PAY,
    PHASE_SHARE,
    QUARRY,
    SLOT_WORDS,
    SLOTS,
    SLOTS_A_WORD,
)
from palazzo_env.valuation import NO_SECOND, best_second, best_tile, hope_of, quarry_gain
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from
from skyline.core.wide import LANES, subtract, unpack, widen, write_bits
from skyline.game import NO_SEAT

TURN_PLACES = 2 * MAX_PLAYERS + DECISIONS  # as many values as `to_move`, `active` and `phase` have at most
SLOT_COUNTS = 3 * SLOTS  # copies, points and length of every slot
LOCK_PLACES, GOAL_PLACES = 4 * MAX_PLAYERS, 32  # the values of `lock` and `out`; those of `holder` .. `raise_j`
RANK_BITS = np.append(1 << RANKS, 0)  # by component; the last one is NO_COMPONENT
BUILD_PLACES, PLAN_PLACES = 14, 16


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    seat = np.int64(seat)
    most = most_of(s, seat)
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
    unpack(out, at, s.groups[seat], BYTES, LOW_BYTE, BYTE)
    out[at + 1 + VALUES] = most
    return at + 2 + VALUES


@njit
def _observe_money(s, seat, out, at):
    """hand_size .. first_pick."""
    players = int(s.players)
    for j in range(players):
        out[at + j] = hand_size(s, around(seat, j, players))
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
    ones, totals = 0, at + players * CARD_KINDS
    for j in range(players):
        other = around(seat, j, players)
        widen(out, at, s.table[other], CARD_KINDS)
        at += CARD_KINDS
        out[totals + j] = s.totals[other]
        ones |= (1 << int(s.locks[other]) - NO_LOCK >> 1) << 3 * j | int(s.passed[other]) << 3 * players + j
    write_bits(out, totals + players, np.uint64(ones), LOCK_PLACES)
    at = totals + 5 * players
    ones = RANK_BITS[s.last] << players + 2
    if s.phase == PHASE_BID:
        goal = int(s.standing) + 1
        ones |= 1 << seen_from(seat, int(s.holder), players)
    else:
        goal = goal_of_payment(s)
    out[at] = s.standing  # 0 in PAY
    write_bits(out, at + 1, np.uint64(ones), GOAL_PLACES)
    at += players + 1
    out[at] = goal
    out[at + 1] = goal - s.totals[seat]
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
    players, places = int(s.players), s.tiles_at
    pending_at = at + TILES * (PALACES + players)
    slots_at = pending_at + TILES
    seen = places[DEPOT]
    write_bits(out, at, seen, LANES)
    for ahead in range(1, QUARRIES + 1):
        at += TILES
        quarry = (int(s.builder) + ahead) & (QUARRIES - 1)
        rows = places[QUARRY + quarry]
        write_bits(out, at, _shown(rows, rows & seen), LANES)
        seen |= rows
    slots, of_active = NO_TILES, NO_TILES
    for j in range(players):
        at += TILES
        owner = around(seat, j, players)
        rows = places[PALACES + owner]
        second = rows & seen
        write_bits(out, at, _shown(rows, second), LANES)
        seen |= rows
        of_active = second if owner == s.active else of_active
        slots |= _shown_slots(s.twin_slots[owner], second)
    rows, met = places[PENDING], NO_TILES  # tiles chosen lie in the depot, whose tiles have the first rows
    if s.phase == PHASE_BUILD:
        met = seen
    elif s.change != NO_CHANGE:
        met = of_active
    write_bits(out, pending_at, _shown(rows, rows & met), LANES)
    widen(out, slots_at, s.tile_slots, LANES)
    unpack(out, slots_at + TWIN_ROW, slots, BYTES, LOW_BYTE, BYTE)
    return slots_at + TILES


@njit
def _shown(rows, second):
    """The rows of a place, with the tiles of which an equal one lies in a place before moved to the second row.

    `second` has the first rows of these tiles: a tile whose equal lies elsewhere has its first row in `tiles_at`. The
    31b have the rows 18 and 19: bit 18 is in `rows` and in `second`, and XOR with the bits 18 and 19 leaves bit 19.
    """
    return rows ^ (second | second << ONE)


@njit
def _shown_slots(slots, second):
    """The slots of the rows 16 .. 23, with those of such tiles moved by a byte."""
    moved = slots & TWIN_BYTES[second >> np.uint64(TWIN_ROW) & LOW_BYTE]
    return slots ^ moved ^ moved << np.uint64(BYTE)


@njit
def _observe_slots(s, seat, out, at):
    """The own palaces by slot, kept as they are written here; the next values overwrite the places behind each part."""
    materials = at + SLOTS * FLOORS
    copies, end = materials + SLOTS * SLOT_BITS, materials + SLOTS * (SLOT_BITS + 3)
    values, bits = s.slot_values[seat], s.slot_materials[seat]
    widen(out, at, values, LANES)
    for word in range(SLOT_WORDS):
        write_bits(out, materials + SLOTS_A_WORD * SLOT_BITS * word, bits[word], LANES)
    widen(out, copies, values[COPIES_AT:], SLOT_COUNTS)
    return end


@njit
def _observe_seats(s, seat, out, at):
    """lengths .. score."""
    players = int(s.players)
    windows = at + FLOORS * players
    for j in range(players):
        widen(out, at, s.lengths[around(seat, j, players)], LENGTHS)
        at += FLOORS
    for j in range(players):
        other = around(seat, j, players)
        out[windows + j] = s.windows[other]
        out[windows + players + j] = s.uniform[other]
        out[windows + 2 * players + j] = s.scores[other]
    return windows + 3 * players


@njit
def _observe_supply(s, out, at):
    """stack .. may_come, kept as they are written here; the next slices overwrite the places behind them."""
    widen(out, at, s.supply, LANES)
    return at + MAY_COME_AT + TILE_KINDS


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
