# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`observe` fills the observation table (observation_table.py), one function for each group of its slices.

Seat index j is seat (viewer + j) mod n. Hidden is the order of deck and bag; the other hands and which cards lie in the
discards show in the recall slices alone. [RULES.md section 7]
"""

from __future__ import annotations

import numpy as np

from newyork_env.city import row_fits, row_takes
from newyork_env.components import (
    BANKS,
    CARD_BANK,
    CARD_KINDS,
    CARD_VALUE,
    CELL_STRIDE,
    CELLS,
    CELLS_ACROSS,
    CENTRE,
    DIRK,
    FIRST,
    LAST,
    NO_CARD,
    NO_TILE,
    PRICE,
    ROW,
    SLOTS,
    STREETS,
    TILES,
    TYPE,
    TYPE_COUNT,
    VALUES,
)
from newyork_env.money import REACH_BITS
from newyork_env.observation_table import (
    CARD_ROW,
    CARD_VIEW,
    CARD_VIEWS,
    REACH,
    REACH_SIDE,
    TILE_VIEW,
    TILE_VIEWS,
    VALUE_STEPS,
    VIEW_ROW,
)
from newyork_env.state import AFFORD_EXACT, AT_DIRK, CLOCK_VALUES, IN_BAG, NO_SLOT, PHASE_BUILD, PHASE_MAIN, PHASE_PUT
from newyork_env.valuation import cell_worth, next_worth, tile_worth
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.core.seats import around, seen_from, write_seats
from skyline.core.wide import bits_equal, subtract, widen, widen_from, write_bits
from skyline.game import NO_SEAT, RECALL

U0, U1 = np.uint64(0), np.uint64(1)
FEW_VALUES = 16  # how many values are written where there are up to twelve
AFFORD_VALUES = 3 * SLOTS
TYPE_ROW = 8  # where there are up to six
MONEY_ROW = 32  # where there are up to twenty

# ---------------------------------------------------------------- observe


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    seat, players = int(seat), int(s.players)
    at = _observe_seats(s, seat, players, out, 0)
    at = _observe_types(s, seat, players, out, at)
    at = _observe_tiles(s, seat, players, out, at)
    at = _observe_depot(s, seat, out, at)
    at = _observe_cards(s, seat, out, at)
    at = _observe_purchase(s, out, at)
    at = _observe_clock(s, out, at)
    at = _observe_majorities(s, seat, players, out, at)
    at = _observe_memory(s, seat, players, out, at)
    if out.shape[0] > at:
        at = _observe_rich(s, seat, out, at)
    return at


@njit
def _observe_seats(s, seat, players, out, at):
    """to_move .. street."""
    decides = 1 << seen_from(seat, int(s.seat), players) | 1 << (players + int(s.phase))
    flags = decides * (s.seat != NO_SEAT) | int(s.ending) << (players + 5)
    write_bits(out, at, np.uint64(flags), FEW_VALUES)
    at += players + 6
    write_seats(out, at, s.scores, seat, players)
    best = 0
    for other in range(players):
        best = max(best, int(s.scores[other]) * (other != seat))
    out[at + players] = s.scores[seat] - best
    at += players + 1
    write_seats(out, at, s.held, seat, players)
    write_seats(out, at + players, s.street, seat, players)
    return at + 2 * players


@njit
def _observe_types(s, seat, players, out, at):
    """types, reserve_types. Whole vectors are written, as by `write_seats`."""
    before = TYPE_COUNT * (players - seat)
    widen_from(out, at, s.types, TYPE_COUNT * seat, ROW)
    widen_from(out, at + before, s.types, 0, ROW)
    at += TYPE_COUNT * players
    if players == 2:
        widen_from(out, at, s.types, TYPE_COUNT * DIRK, TYPE_ROW)
        at += TYPE_COUNT
    widen_from(out, at, s.reserve_types, TYPE_COUNT * seat, ROW)
    widen_from(out, at + before, s.reserve_types, 0, ROW)
    return at + TYPE_COUNT * players


@njit
def _observe_tiles(s, seat, players, out, at):
    """tile_city .. tile_y. Whole rows of 64 are written; the ten values too many are overwritten by what comes next."""
    for j in range(players):
        other = around(seat, j, players)
        _write_tiles(out, at + TILES * j, s.in_city[other])
    at += TILES * players
    for j in range(players):
        other = around(seat, j, players)
        _write_tiles(out, at + TILES * j, s.in_reserve[other])
    at += TILES * players
    place = s.place[1:]
    if players == 2:
        write_bits(out, at, bits_equal(place, AT_DIRK, ROW), ROW)
        at += TILES
    write_bits(out, at, bits_equal(place, IN_BAG, ROW), ROW)
    _write_tiles(out, at + TILES, s.to_place[seat])
    at += 2 * TILES
    _write_tiles(out, at, s.to_place[seat])
    for j in range(1, players):
        rest = int(s.to_place[around(seat, j, players)])
        while rest:
            out[at + lowest(rest) - 1] = 1 + j
            rest &= rest - 1
    widen(out, at + TILES, s.x[1:], ROW)
    widen(out, at + 2 * TILES, s.y[1:], ROW)
    return at + 3 * TILES


@njit
def _write_tiles(out, at, tiles):
    """A row of the tiles of a word."""
    write_bits(out, at, np.uint64(tiles) >> U1, ROW)


@njit
def _observe_tile(tile, out, at):
    """A tile's twelve values; the four too many are overwritten by what comes next."""
    widen_from(out, at, TILE_VIEWS, VIEW_ROW * tile, VIEW_ROW)


@njit
def _observe_depot(s, seat, out, at):
    """depot, afford."""
    for i in range(SLOTS):
        _observe_tile(int(s.depot[i]), out, at + TILE_VIEW * i)
    at += SLOTS * TILE_VIEW
    widen_from(out, at, s.afford, AFFORD_VALUES * seat, FEW_VALUES)
    return at + AFFORD_VALUES


@njit
def _observe_cards(s, seat, out, at):
    """market, hand, hand_sum, unseen."""
    for i in range(SLOTS):
        widen_from(out, at + CARD_VIEW * i, CARD_VIEWS, CARD_ROW * (int(s.market[i]) + 1), CARD_ROW)
    at += CARD_VIEW * SLOTS
    widen_from(out, at, s.hands, CARD_KINDS * seat, ROW)
    at += CARD_KINDS
    widen_from(out, at, s.money, BANKS * seat, BANKS)
    at += BANKS
    widen(out, at, s.covered, CARD_KINDS)
    subtract(out, at, s.hands[seat], CARD_KINDS)
    return at + CARD_KINDS


@njit
def _observe_purchase(s, out, at):
    """pay_slot .. chosen."""
    buying = s.slot != NO_SLOT
    slot = int(s.slot) if buying else 0
    write_bits(out, at, np.uint64(int(buying) << slot), FEW_VALUES)
    at += SLOTS
    widen_from(out, at, s.laid, 1, FEW_VALUES)
    at += VALUES
    out[at] = PRICE[s.depot[slot]] - int(s.laid_sum) if buying else 0
    out[at + 1] = s.laid_last if s.laid_sum else 0
    _observe_tile(int(s.chosen), out, at + 2)
    return at + 2 + TILE_VIEW


@njit
def _observe_clock(s, out, at):
    """piles .. purchases."""
    widen_from(out, at, s.clock, 0, FEW_VALUES)
    return at + CLOCK_VALUES


@njit
def _observe_majorities(s, seat, players, out, at):
    """major_now, type_gain, exact_slot."""
    write_seats(out, at, s.major, seat, players)
    at += players
    widen_from(out, at, s.one_more, TYPE_COUNT * seat, TYPE_ROW)
    at += TYPE_COUNT
    exact = U1 << np.uint64(s.paid_slot) if s.paid_slot != NO_SLOT else U0
    write_bits(out, at, exact, SLOTS)
    return at + SLOTS


@njit
def _observe_memory(s, seat, players, out, at):
    """recall_hands .. recall_leftover; zeros with TABLE. [7.2]"""
    others = players - 1
    if s.memory != RECALL:
        end = at + others * (CARD_KINDS + BANKS + SLOTS) + 2 * CARD_KINDS + SLOTS
        out[at:end] = 0
        return end
    for j in range(others):
        widen_from(out, at, s.hands, CARD_KINDS * around(seat, j + 1, players), ROW)  # NY-M04 .. NY-M06
        at += CARD_KINDS
    before = players - 1 - seat  # the seats behind the viewer, then those before it
    widen_from(out, at, s.money, BANKS * (seat + 1), MONEY_ROW)
    widen_from(out, at + BANKS * before, s.money, 0, MONEY_ROW)
    at += BANKS * others
    for j in range(others):
        for slot in range(SLOTS):
            out[at + slot] = s.afford[around(seat, j + 1, players), slot, AFFORD_EXACT]  # NY-M13
        at += SLOTS
    widen(out, at, s.discards, CARD_KINDS)  # NY-M06
    widen(out, at + CARD_KINDS, s.memory_deck, CARD_KINDS)  # NY-M07, NY-M11
    at += 2 * CARD_KINDS
    for i in range(SLOTS):  # NY-M13
        richest = s.richest[i]
        out[at + i] = 0 if s.depot[i] == NO_TILE or richest == NO_SEAT else 1 if richest == seat else -1
    return at + SLOTS


@njit
def _observe_rich(s, seat, out, at):
    """own_grid, cell_worth, tile_worth, type_worth, made_exact."""
    for y in range(-REACH, REACH + 1):
        row = y + CENTRE
        for x in range(-REACH, REACH + 1):
            column = x + CENTRE
            built = s.built[seat, row] >> column & 1
            cell = at + REACH_SIDE * (y + REACH) + x + REACH
            plane = REACH_SIDE * REACH_SIDE
            out[cell] = built
            out[cell + plane] = built & s.above[seat, row] >> column
            out[cell + 2 * plane] = built & s.right[seat, row] >> column
            out[cell + 3 * plane] = built & s.above[seat, row - 1] >> column
            out[cell + 4 * plane] = built & s.right[seat, row] >> (column - 1)
    at += 5 * REACH_SIDE * REACH_SIDE
    out[at : at + CELLS] = 0
    if s.seat == seat and (s.phase == PHASE_BUILD or s.phase == PHASE_PUT):
        tile = int(s.chosen)
        more = next_worth(s, seat, TYPE[tile])
        for row in range(FIRST, LAST + 1):
            if s.phase == PHASE_PUT:
                columns = row_fits(s, seat, row, STREETS[tile])
            else:
                columns = row_takes(s, seat, row, STREETS[tile])
            while columns:
                column = lowest(columns)
                columns &= columns - 1
                cell = CELL_STRIDE * row + column
                index = CELLS_ACROSS * (row - FIRST) + column - FIRST
                out[at + index] = round(VALUE_STEPS * cell_worth(s, seat, tile, cell, more))
    return _observe_worth(s, seat, out, at + CELLS)


@njit
def _observe_worth(s, seat, out, at):
    """tile_worth, type_worth, made_exact."""
    kinds, exact = at + SLOTS, at + SLOTS + TYPE_COUNT
    for slot in range(SLOTS):
        tile, card = s.depot[slot], s.market[slot]
        buying = s.seat == seat and s.phase == PHASE_MAIN and tile != NO_TILE
        out[at + slot] = round(VALUE_STEPS * tile_worth(s, seat, int(tile))) if buying else 0
        out[exact + slot] = card != NO_CARD and makes_exact(s, seat, card)
    for kind in range(TYPE_COUNT):
        out[kinds + kind] = round(VALUE_STEPS * next_worth(s, seat, kind))
    return exact + SLOTS


@njit
def makes_exact(s, seat, card):
    """Whether the depot tile of the card's bank can be paid exactly with it, and cannot without."""
    bank = CARD_BANK[card]
    tile, reach = s.depot[bank], int(s.reach[seat, bank])
    return tile != NO_TILE and (reach << CARD_VALUE[card] & REACH_BITS & ~reach) >> PRICE[tile] & 1 != 0
