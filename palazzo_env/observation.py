# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`observe` fills the observation table (observation_table.py), one function for each group of its slices.

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n; quarries are counted from the builder,
1 = the next one clockwise .. 4 = his own. Hidden: the other hands, the orders of deck and stack, the box. [section 7]
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    BELOW_PILE_1,
    BELOW_PILE_2,
    CARD_COUNTS,
    CARD_KINDS,
    CERTIFICATE,
    FLOORS,
    GROUP_CARDS,
    KNIGHTS,
    PILE_1,
    PILE_2,
    PILE_3,
    QUARRIES,
    RANKS,
    STACK,
    TILE_COPIES,
    TILE_FLOORS,
    TILE_KINDS,
    TILE_MATERIALS,
    TILE_ROWS,
    TILE_WINDOWS,
    TILES,
    VALUES,
)
from palazzo_env.market import goal_of_payment
from palazzo_env.money import count_of
from palazzo_env.observation_table import GAIN_SCALE, RANKS_SHOWN, SLOTS
from palazzo_env.palaces import CODE_WINDOWS, code_at, length_of, points_of
from palazzo_env.payment import groups_of, maxpay, price_of_one
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
from palazzo_env.valuation import best_second, best_tile, expected_draws, hope_of, quarry_gain
from skyline.game import NO_SEAT
from skyline.jit import njit

SEATED = 5  # first column of palaces in a tile's row: depot, four quarries, palace of seat 0, ..

# ---------------------------------------------------------------- tables


def _tile_marks() -> np.ndarray:
    """One-hot floor, windows, material of every tile, (45, 11)."""
    marks = np.zeros((TILE_KINDS, 11), np.int8)
    rows = np.arange(TILE_KINDS)
    marks[rows, TILE_FLOORS - 1] = 1
    marks[rows, 4 + TILE_WINDOWS] = 1
    marks[rows, 8 + TILE_MATERIALS] = 1
    return marks


def _may_come() -> np.ndarray:
    """Most copies of a tile in the stack while pile I, II, III is drawn, (3, 45)."""
    most = np.zeros((3, TILE_KINDS), np.int8)
    for stage, piles in enumerate(((PILE_1, PILE_2, PILE_3), (PILE_2, PILE_3), (PILE_3,))):
        most[stage] = np.bincount(np.concatenate(piles), minlength=TILE_KINDS)
    return most


TILE_MARKS = _tile_marks()
MAY_COME = _may_come()

# By tile code (0 = no tile): the first row of its kind; a bit for the kinds that exist twice; its material.
NO_ROW = TILES + 6  # a row behind `tiles` and `tile_slot`, where the slices that follow are written later
CODE_ROW = np.full(64, NO_ROW)
CODE_ROW[1 : TILE_KINDS + 1] = TILE_ROWS
TWIN_BIT = np.zeros(64, np.int64)
TWIN_BIT[1 : TILE_KINDS + 1] = (TILE_COPIES == 2) * (1 << np.cumsum(TILE_COPIES == 2))
CODE_MATERIALS = np.zeros((64, 3), np.int8)
CODE_MATERIALS[1 : TILE_KINDS + 1] = TILE_MARKS[:, 8:]

# ---------------------------------------------------------------- observe


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    at = _observe_turn(s, seat, out, 0)
    at = _observe_hand(s, seat, out, at)
    at = _observe_money(s, seat, out, at)
    at = _observe_payment(s, seat, out, at)
    at = _observe_price(s, seat, out, at)
    at = _observe_tiles(s, seat, out, at)
    at = _observe_slots(s, seat, out, at)
    at = _observe_seats(s, seat, out, at)
    at = _observe_supply(s, out, at)
    at = _observe_sharing(s, seat, out, at)
    at = _observe_building(s, out, at)
    at = _observe_plan(s, out, at)
    if out.shape[0] > at:
        at = _observe_rich(s, seat, out, at)
    return at


@njit
def _relative(s, seat, other):
    """Seat `other` counted from the viewer."""
    return other - seat if other >= seat else other - seat + int(s.players)


@njit
def _around(s, seat, j):
    """The seat that the viewer counts as j."""
    return seat + j if seat + j < s.players else seat + j - int(s.players)


@njit
def _observe_turn(s, seat, out, at):
    players = int(s.players)
    out[at : at + 2 * players + DECISIONS] = 0
    if s.seat != NO_SEAT:
        out[at + _relative(s, seat, int(s.seat))] = 1
        out[at + 2 * players + int(s.phase)] = 1
    out[at + players + _relative(s, seat, int(s.active))] = 1
    return at + 2 * players + DECISIONS


@njit
def _copy(out, at, values):
    """Copy a row; the place after it. Loops over slices of unknown length are vectorised, others unrolled."""
    part = out[at : at + values.shape[0]]
    for i in range(part.shape[0]):
        part[i] = values[i]
    return at + values.shape[0]


@njit
def _observe_hand(s, seat, out, at):
    hand = s.hands[seat]
    at = _copy(out, at, hand)
    out[at] = hand[CERTIFICATE] // GROUP_CARDS
    for i in range(VALUES):
        out[at + 1 + i] = groups_of(hand, i)
    out[at + 1 + VALUES] = maxpay(hand)
    return at + 2 + VALUES


@njit
def _observe_money(s, seat, out, at):
    players = int(s.players)
    for j in range(players):
        out[at + j] = count_of(s.hands[_around(s, seat, j)])
    out[at + players] = s.deck_size - s.deck_top
    at = _copy(out, at + players + 1, s.discards)
    at = _copy(out, at, s.face_up)
    part, hand, discards, face_up, table = out[at : at + CARD_KINDS], s.hands[seat], s.discards, s.face_up, s.table
    for card in range(part.shape[0]):
        laid = table[0, card] + table[1, card] + table[2, card] + table[3, card]
        part[card] = CARD_COUNTS[card] - hand[card] - discards[card] - face_up[card] - laid
    at += CARD_KINDS
    out[at : at + CARD_KINDS] = 0
    if s.first_take != NO_CARD:
        out[at + int(s.first_take)] = 1
    return at + CARD_KINDS


@njit
def _observe_payment(s, seat, out, at):
    players = int(s.players)
    if s.phase != PHASE_BID and s.phase != PHASE_PAY:
        length = players * (CARD_KINDS + 6) + 4 + RANKS_SHOWN
        out[at : at + length] = 0
        return at + length
    totals = at + players * CARD_KINDS
    locks, out_of_it = totals + players, totals + 4 * players
    out[totals : totals + 6 * players + 4 + RANKS_SHOWN] = 0
    for j in range(players):
        other = _around(s, seat, j)
        at = _copy(out, at, s.table[other])
        out[totals + j] = s.totals[other]
        if s.locks[other] != NO_LOCK:
            out[locks + 3 * j + int(s.locks[other])] = 1
        out[out_of_it + j] = s.passed[other]
    at = out_of_it + players
    if s.phase == PHASE_BID:
        goal = int(s.standing) + 1
        out[at] = s.standing
        out[at + 1 + _relative(s, seat, int(s.holder))] = 1
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
def _observe_price(s, seat, out, at):
    price, most = price_of_one(s), maxpay(s.hands[seat])
    out[at] = price
    out[at + 1] = (s.depot_size > 0) & (most >= price)
    out[at + 2] = (s.depot_size > 1) & (most >= 2 * price)
    return at + 3


# ---------------------------------------------------------------- tiles


@njit
def _observe_tiles(s, seat, out, at):
    """A row for every tile; those in the stack or the box stay empty."""
    players = int(s.players)
    width = 6 + players
    slots = at + TILES * width
    out[at : slots + TILES] = 0
    rows, slot_of = out[at:], out[slots:]
    seen = _mark_list(rows, width, 0, s.depot, s.depot_size, 0)
    for ahead in range(1, QUARRIES + 1):
        quarry = (int(s.builder) + ahead) & (QUARRIES - 1)
        seen = _mark_list(rows, width, ahead, s.quarries[quarry], s.quarry_size[quarry], seen)
    for j in range(players):
        seen = _mark_palaces(s, _around(s, seat, j), rows, slot_of, width, SEATED + j, seen)
    pending = SEATED + players
    if s.phase == PHASE_BUILD:
        _mark_list(rows, width, pending, s.lot, s.lot_size, seen)
    elif s.phase == PHASE_BUY or s.phase == PHASE_PAY:
        _mark_list(rows, width, pending, s.lot, s.lot_size, 0)  # in the depot, whose tiles have the first rows
    elif s.change != NO_CHANGE:
        _mark_change(s, rows, slot_of, width, SEATED + _relative(s, seat, int(s.active)), pending)
    return slots + TILES


@njit
def _mark_list(rows, width, column, tiles, size, seen):
    """Mark the tiles of a list; `seen` has the bits of the kinds that exist twice and are marked once."""
    for i in range(size):
        code = int(tiles[i]) + 1
        bit = TWIN_BIT[code]
        row = CODE_ROW[code] + ((seen & bit) != 0)
        seen |= bit
        rows[row * width + column] = 1
    return seen


@njit
def _mark_palaces(s, owner, rows, slot_of, width, column, seen):
    keys, copies = s.palaces[owner], s.copies[owner]
    for slot in range(s.palace_count[owner]):
        key = int(keys[slot])
        for _ in range(copies[slot]):
            for i in range(FLOORS):
                code = code_at(key, i)
                bit = TWIN_BIT[code]
                row = CODE_ROW[code] + ((seen & bit) != 0)
                seen |= bit
                rows[row * width + column] = 1
                slot_of[row] = slot
    return seen


@njit
def _mark_change(s, rows, slot_of, width, column, pending):
    """The tile that is rebuilt: the row of its kind in the palace it is taken from."""
    row = CODE_ROW[int(s.change_tile) + 1]
    if rows[row * width + column] == 0 or slot_of[row] != s.change_slot:
        row += 1
    rows[row * width + pending] = 1


@njit
def _observe_slots(s, seat, out, at):
    """The own palaces as slots: every value of theirs follows from their keys."""
    materials = at + SLOTS * FLOORS
    copies = materials + SLOTS * FLOORS * 3
    points, lengths = copies + SLOTS, copies + 2 * SLOTS
    end = copies + 3 * SLOTS
    out[at:end] = 0
    for slot in range(min(SLOTS, int(s.palace_count[seat]))):
        key = int(s.palaces[seat, slot])
        for i in range(FLOORS):
            code = code_at(key, i)
            out[at + FLOORS * slot + i] = CODE_WINDOWS[code]
            for material in range(3):
                out[materials + 3 * (FLOORS * slot + i) + material] = CODE_MATERIALS[code, material]
        out[copies + slot] = s.copies[seat, slot]
        out[points + slot] = points_of(key)
        out[lengths + slot] = length_of(key)
    return end


@njit
def _observe_seats(s, seat, out, at):
    players = int(s.players)
    windows = at + FLOORS * players
    for j in range(players):
        other = _around(s, seat, j)
        for i in range(FLOORS):
            out[at + FLOORS * j + i] = s.lengths[other, i]
        out[windows + j] = s.windows[other]
        out[windows + players + j] = s.uniform[other]
        out[windows + 2 * players + j] = s.scores[other]
    return windows + 3 * players


@njit
def _observe_supply(s, out, at):
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
    players = int(s.players)
    out[at] = max(0, int(s.quiet_limit) - int(s.quiet))
    for j in range(players):
        out[at + 1 + j] = s.sharing and _still_to_take(s, _around(s, seat, j))
    return at + 1 + players


@njit
def _still_to_take(s, seat):
    """Whether the seat comes in the distribution at or after the one who decides now."""
    turn, now = _relative(s, int(s.active), seat), _relative(s, int(s.active), int(s.seat))
    return turn > now or (turn == now and s.phase == PHASE_SHARE)


@njit
def _observe_building(s, out, at):
    out[at : at + 14] = 0
    if s.phase == PHASE_BUILD:
        _copy(out, at, TILE_MARKS[s.lot[0]])
        out[at + 11] = s.lot_size - 1
        if s.twin != NO_TWIN:
            out[at + 12] = 1
            out[at + 13] = _least_choice(s)
    return at + 14


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
    out[at : at + 16] = 0
    if s.change != NO_CHANGE:
        out[at + int(s.change) - CHANGE_SPLIT] = 1
        out[at + 3] = s.change_slot
        _copy(out, at + 4, TILE_MARKS[s.change_tile])
        if s.target_slot != NO_SLOT:
            out[at + 15] = s.target_slot
    return at + 16


@njit
def _observe_rich(s, seat, out, at):
    """Tenths of lot values, rounded. [design/OBSERVATIONS.md section 10]"""
    hope = hope_of(s)
    best, tile = best_tile(s, seat, s.depot, s.depot_size, hope)
    out[at] = round(GAIN_SCALE * best)
    out[at + 1] = round(GAIN_SCALE * best_second(s, seat, s.depot, s.depot_size, tile, hope)[0])
    at += 2
    for j in range(s.players):
        for ahead in range(1, QUARRIES + 1):
            quarry = (int(s.builder) + ahead) & (QUARRIES - 1)
            out[at] = round(GAIN_SCALE * quarry_gain(s, _around(s, seat, j), quarry, hope))
            at += 1
    return at
