# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The rules: what is legal, what a move does. Clause numbers are those of RULES.md.

The setup (`reset`) is in deal.py, money in money.py, the city in city.py, the end of a turn in refill.py, points in
scoring.py. For each block of the action table one `legal_<block>` and one `apply_<block>`, in the same order.
"""

from __future__ import annotations

import numpy as np

from newyork_env.actions import FIRST_BUY, FIRST_CELL, FIRST_OVERPAY, FIRST_PAY, FIRST_TILE, PASS, RESERVE, TO_DIRK
from newyork_env.city import action_cell, city_changed, row_fits, row_takes, tile_at
from newyork_env.components import CELLS_ACROSS, FIRST, NO_TILE, STREETS, TYPE, VALUES
from newyork_env.deal import reset
from newyork_env.money import (
    apply_take,
    begin_purchase,
    complete_purchase,
    discard,
    lay_card,
    legal_buy,
    legal_overpay,
    legal_pay,
    legal_take,
)
from newyork_env.refill import end_turn, next_receiver
from newyork_env.state import CELL_WORDS, NO_SLOT, PHASE_BUILD, PHASE_MAIN, PHASE_PAY, PHASE_PLACE, PHASE_PUT, TO_PLACE
from newyork_env.tiles import into_reserve, tile_to_city, tile_to_dirk, tile_to_reserve
from skyline.core.jit import njit
from skyline.core.wide import write_bits

__all__ = ["legal", "rank_key", "reset", "step"]

# the mask of MAIN in words of 64 actions
WORD, CELL_ROW = 64, 32
ACTIONS = FIRST_OVERPAY + VALUES
U1, U64 = np.uint64(1), np.uint64(WORD)
TILE_BIT = np.uint64(FIRST_TILE)  # of word 0; the tiles go on in word 1
PASS_BIT, OVERPAY_BIT = (np.uint64(action - WORD * CELL_WORDS) for action in (PASS, FIRST_OVERPAY))  # of word 8
OVERLAP = np.uint64(ACTIONS - WORD * CELL_WORDS)  # the last 64 actions begin so many places behind word 7

# ---------------------------------------------------------------- what is legal


@njit
def legal(s, mask):
    """Mark the legal actions of the deciding seat. [section 6]"""
    if s.phase == PHASE_MAIN:
        _legal_main(s, mask)
    elif s.phase == PHASE_PAY:
        legal_pay(s, mask)
    elif s.phase == PHASE_BUILD:
        _legal_build(s, mask)
    elif s.phase == PHASE_PLACE:
        _legal_place(s, mask)
    else:
        _legal_put(s, mask)


@njit
def _legal_main(s, mask):
    """Take, buy, use, remove; pass if there is no main action; a further card.  # NY-02, NY-05, NY-23

    The mask is written as words of 64 actions; the last one ends with the mask and overlaps the one before it.
    """
    money = legal_take(s) | legal_buy(s) << FIRST_BUY
    tiles = _legal_use(s)
    found = money | int(tiles) | int(s.removable[s.seat])
    others = np.uint64(found == 0) << PASS_BIT | legal_overpay(s) << OVERPAY_BIT
    write_bits(mask, 0, np.uint64(money) | tiles << TILE_BIT, WORD)
    write_bits(mask, WORD, tiles >> (U64 - TILE_BIT) | _legal_remove(s, 1), WORD)
    for number in range(2, CELL_WORDS):
        write_bits(mask, WORD * number, _legal_remove(s, number), WORD)
    last = _legal_remove(s, CELL_WORDS - 1) >> OVERLAP | (_legal_remove(s, CELL_WORDS) | others) << (U64 - OVERLAP)
    write_bits(mask, ACTIONS - WORD, last, WORD)


@njit
def _legal_use(s):
    """Reserve tiles for which the city has a place: a word, tile 1 first.  # NY-30, NY-32"""
    return np.uint64(int(s.in_reserve[s.seat]) & int(s.usable[s.seat])) >> U1


@njit
def _legal_remove(s, number):
    """The cells of tiles that the city can do without: word 1 .. 8 of the mask.  # NY-31, NY-33"""
    return s.removals[s.seat, number - 1]


@njit
def _legal_build(s, mask):
    """Empty cells and cells of city tiles for the tile in use.  # NY-30, NY-32, NY-33"""
    seat, streets = int(s.seat), STREETS[s.chosen]
    for row in range(s.lowest_row[seat], s.highest_row[seat] + 1):
        _mark_row(mask, row, row_takes(s, seat, row, streets))


@njit
def _legal_place(s, mask):
    """Every bought tile.  # NY-50"""
    write_bits(mask, FIRST_TILE, np.uint64(s.to_place[s.seat] >> 1), WORD)


@njit
def _legal_put(s, mask):
    """Empty cells, the reserve, and Dirk except for leftover tiles.  # NY-50, NY-51, NY-84, NY-R18"""
    seat, streets = int(s.seat), STREETS[s.chosen]
    for row in range(s.lowest_row[seat], s.highest_row[seat] + 1):
        _mark_row(mask, row, row_fits(s, seat, row, streets))
    mask[RESERVE] = 1
    if s.players == 2 and not s.ending:
        mask[TO_DIRK] = 1


@njit
def _mark_row(mask, row, columns):
    """Mark the cells of a row. A whole vector is written; the places too many are overwritten by what comes next."""
    write_bits(mask, FIRST_CELL + CELLS_ACROSS * (row - FIRST), np.uint64(columns >> FIRST), CELL_ROW)


@njit
def step(s, action):
    """Play a legal action."""
    if s.phase == PHASE_MAIN:
        _apply_main(s, action)
    elif s.phase == PHASE_PAY:
        _apply_pay(s, action - FIRST_PAY + 1)
    elif s.phase == PHASE_BUILD:
        _apply_build(s, action_cell(action))
    elif s.phase == PHASE_PLACE:
        s.chosen = action - FIRST_TILE + 1
        s.phase = PHASE_PUT
    else:
        _apply_put(s, action)


@njit
def _apply_main(s, action):
    """A main action: take, buy, use, remove; pass, a further card.  # NY-02, NY-05, NY-23"""
    slot = int(s.paid_slot)
    s.paid_slot = NO_SLOT
    if action < FIRST_BUY:
        apply_take(s, action + 1)
        _end_main(s)
    elif action < FIRST_PAY:
        begin_purchase(s, action - FIRST_BUY)
        s.phase = PHASE_PAY
    elif action < FIRST_CELL:
        s.chosen = action - FIRST_TILE + 1
        s.phase = PHASE_BUILD
    elif action < RESERVE:
        _apply_remove(s, action_cell(action))
        _end_main(s)
    else:
        if action >= FIRST_OVERPAY:
            discard(s, VALUES * slot + action - FIRST_OVERPAY)
        _end_main(s)


@njit
def _apply_pay(s, value):
    """A card is laid; a purchase paid exactly is followed by another main action.  # NY-03, NY-22, NY-23"""
    slot, missing = int(s.slot), lay_card(s, value)
    if missing > 0:
        return
    tile = complete_purchase(s)
    s.place[tile] = TO_PLACE + s.seat
    s.to_place[s.seat] |= 1 << tile
    if missing == 0:
        s.phase = PHASE_MAIN
        s.paid_slot = slot if s.overpay else NO_SLOT
    else:
        _end_main(s)


@njit
def _apply_remove(s, cell):
    """A city tile goes to the reserve.  # NY-31"""
    seat = int(s.seat)
    tile_to_reserve(s, seat, tile_at(s, seat, cell))
    city_changed(s, seat, cell)


@njit
def _apply_build(s, cell):
    """The reserve tile goes to an empty cell, or replaces a tile that goes to the reserve.  # NY-30, NY-32"""
    seat, tile = int(s.seat), int(s.chosen)
    other = tile_at(s, seat, cell)
    if other:
        tile_to_reserve(s, seat, other)
    s.in_reserve[seat] &= ~(1 << tile)
    s.reserve_types[seat, TYPE[tile]] -= 1
    tile_to_city(s, seat, tile, cell)
    s.chosen = NO_TILE
    _end_main(s)


@njit
def _end_main(s):
    """The placing part if there are bought tiles, otherwise the refill.  # NY-01"""
    if s.to_place[s.seat]:
        s.phase = PHASE_PLACE
    else:
        end_turn(s)


@njit
def _apply_put(s, action):
    """The tile goes to a cell, to the reserve or to Dirk.  # NY-50, NY-51, NY-84"""
    seat, tile = int(s.seat), int(s.chosen)
    s.to_place[seat] &= ~(1 << tile)
    s.chosen = NO_TILE
    if action < RESERVE:
        tile_to_city(s, seat, tile, action_cell(action))
    elif action == RESERVE:
        into_reserve(s, seat, tile)
    else:
        tile_to_dirk(s, tile)
    if s.to_place[seat]:
        s.phase = PHASE_PLACE
    elif s.ending:
        next_receiver(s)
    else:
        end_turn(s)


@njit
def rank_key(s, seat):
    """The highest score wins; equal scores share the place.  # NY-93, section 8.3"""
    return int(s.scores[seat])
