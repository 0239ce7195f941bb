# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`observe` fills the observation table (observation_table.py), one function for each group of its slices.

Seat index j is seat (viewer + j) mod n. Hidden is the order of deck and bag; the other hands and which cards lie in the
discards show in the recall slices alone. [RULES.md section 7]
"""

from __future__ import annotations

import numpy as np

from newyork_env.city import lowest, row_fits, row_takes
from newyork_env.components import (
    BANKS,
    CARD_BANK,
    CARD_COPIES,
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
    SCORINGS,
    SLOTS,
    STREETS,
    TILES,
    TYPE,
    TYPE_COUNT,
    VALUES,
)
from newyork_env.memory import scoring_range
from newyork_env.money import REACH_BITS
from newyork_env.observation_table import REACH, REACH_SIDE, TILE_VIEW, TILE_VIEWS, TURNS_SHOWN, VALUE_STEPS, VIEW_ROW
from newyork_env.scoring import next_scoring
from newyork_env.state import AT_DIRK, IN_BAG, NO_SLOT, PHASE_BUILD, PHASE_MAIN, PHASE_PUT
from newyork_env.valuation import cell_worth, next_worth, tile_worth
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from
from skyline.core.wide import bits_equal, widen, write_bits
from skyline.game import NO_SEAT, RECALL

U0, U1 = np.uint64(0), np.uint64(1)
MARKET_VALUES, PURCHASE_VALUES = 5 * SLOTS, SLOTS + VALUES + 2  # lengths of `market`, of pay_slot .. pay_last

# ---------------------------------------------------------------- observe


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    players = int(s.players)
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
    out[at : at + players + 6] = 0
    if s.seat != NO_SEAT:
        out[at + seen_from(seat, int(s.seat), players)] = 1
        out[at + players + int(s.phase)] = 1
    out[at + players + 5] = s.ending
    at += players + 6
    best = -1
    for j in range(players):
        other = around(seat, j, players)
        score = int(s.scores[other])
        if j and score > best:
            best = score
        out[at + j] = score
        out[at + players + 1 + j] = s.held[other]
        out[at + 2 * players + 1 + j] = s.street[other]
    out[at + players] = s.scores[seat] - best
    return at + 3 * players + 1


@njit
def _observe_types(s, seat, players, out, at):
    """types, reserve_types."""
    for j in range(players):
        widen(out, at, s.types[around(seat, j, players)], TYPE_COUNT)
        at += TYPE_COUNT
    if players == 2:
        widen(out, at, s.types[DIRK], TYPE_COUNT)
        at += TYPE_COUNT
    for j in range(players):
        widen(out, at, s.reserve_types[around(seat, j, players)], TYPE_COUNT)
        at += TYPE_COUNT
    return at


@njit
def _observe_tiles(s, seat, players, out, at):
    """tile_city .. tile_y. Whole rows of 64 are written; the ten values too many are overwritten by what comes next."""
    for j in range(players):
        _write_tiles(out, at, s.in_city[around(seat, j, players)])
        at += TILES
    for j in range(players):
        _write_tiles(out, at, s.in_reserve[around(seat, j, players)])
        at += TILES
    place = s.place[1:]
    if players == 2:
        write_bits(out, at, bits_equal(place, AT_DIRK, ROW), ROW)
        at += TILES
    write_bits(out, at, bits_equal(place, IN_BAG, ROW), ROW)
    _write_tiles(out, at + TILES, s.to_place[seat])
    at += 2 * TILES
    write_bits(out, at, U0, ROW)
    for j in range(players):
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
    widen(out, at, TILE_VIEWS[tile], VIEW_ROW)


@njit
def _observe_depot(s, seat, out, at):
    """depot, afford."""
    for i in range(SLOTS):
        _observe_tile(s.depot[i], out, at + TILE_VIEW * i)
    at += SLOTS * TILE_VIEW
    for i in range(SLOTS):
        tile = s.depot[i]
        sums = int(s.reach[seat, i]) >> PRICE[tile]
        pays = tile != NO_TILE and sums != 0
        out[at] = pays
        out[at + 1] = pays and sums & 1
        out[at + 2] = lowest(sums) if pays else -1
        at += 3
    return at


@njit
def _observe_cards(s, seat, out, at):
    """market, hand, hand_sum, unseen."""
    hand = s.hands[seat]
    unseen = at + 5 * SLOTS + CARD_KINDS + BANKS
    copies = CARD_COPIES[s.players]
    widen(out, at + 5 * SLOTS, hand, CARD_KINDS)
    part = out[unseen : unseen + CARD_KINDS]
    for card in range(part.shape[0]):
        part[card] = copies - hand[card]
    for bank in range(BANKS):
        out[unseen - BANKS + bank] = s.money[seat, bank]
    write_bits(out, at, U0, MARKET_VALUES)
    for i in range(SLOTS):
        card = int(s.market[i])
        if card != NO_CARD:
            out[at + 5 * i + CARD_BANK[card]] = 1
            out[at + 5 * i + 4] = CARD_VALUE[card]
            out[unseen + card] -= 1
    if s.slot != NO_SLOT:
        for value in range(1, VALUES + 1):
            out[unseen + VALUES * int(s.slot) + value - 1] -= s.laid[value]
    return unseen + CARD_KINDS


@njit
def _observe_purchase(s, out, at):
    """pay_slot .. chosen."""
    write_bits(out, at, U0, PURCHASE_VALUES)
    if s.slot != NO_SLOT:
        out[at + int(s.slot)] = 1
        for value in range(1, VALUES + 1):
            out[at + SLOTS + value - 1] = s.laid[value]
        out[at + SLOTS + VALUES] = PRICE[s.depot[s.slot]] - s.laid_sum
        out[at + SLOTS + VALUES + 1] = s.laid_last if s.laid_sum else 0
    at += SLOTS + VALUES + 2
    _observe_tile(s.chosen, out, at)
    return at + TILE_VIEW


@njit
def _observe_clock(s, out, at):
    """piles .. purchases."""
    out[at] = s.deck_size - s.deck_top
    out[at + 1] = s.discards_size
    out[at + 2] = TILES - s.bag_top
    at += 3
    for i in range(2):
        is_out = s.scored >> i & 1
        out[at + i] = is_out
        first, last = scoring_range(s, i)
        out[at + 2 + 2 * i] = 0 if is_out else first + 1
        out[at + 3 + 2 * i] = 0 if is_out else last + 1
    at += 6
    write_bits(out, at, U1 << np.uint64(next_scoring(s)), SCORINGS)
    at += SCORINGS
    out[at] = min(s.max_turns - s.turns, TURNS_SHOWN)
    bought = 0
    for i in range(SLOTS):
        bought += s.depot[i] == NO_TILE
    out[at + 1] = 0 if s.ending else bought
    return at + 2


@njit
def _observe_majorities(s, seat, players, out, at):
    """major_now, type_gain, exact_slot."""
    for j in range(players):
        points = s.majority[around(seat, j, players)]
        total = 0
        for kind in range(TYPE_COUNT):
            total += points[kind]
        out[at + j] = total
    at += players
    widen(out, at, s.one_more[seat], TYPE_COUNT)
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
    money = at + others * CARD_KINDS
    exact = money + others * BANKS
    for j in range(others):
        other = around(seat, j + 1, players)
        widen(out, at + CARD_KINDS * j, s.hands[other], CARD_KINDS)  # NY-M04 .. NY-M06
        widen(out, money + BANKS * j, s.money[other], BANKS)
        widen(out, exact + SLOTS * j, s.exact[other], SLOTS)  # NY-M13
    at = exact + others * SLOTS
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
