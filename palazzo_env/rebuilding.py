# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Rebuilding a tile: decisions REBUILD, INTO, FEE. [RULES.md PZ-70 .. PZ-72, PZ-R7 .. PZ-R9]"""

from __future__ import annotations

import numpy as np

from palazzo_env.actions import INSERT, INTO, PAY, REMOVE, SPLIT
from palazzo_env.components import CARD_KINDS, FLOORS
from palazzo_env.keys import CODE_FLOOR, code_at, floor_bits, inserted, length_of, single, top_floor, without
from palazzo_env.memory import laid
from palazzo_env.palaces import add_palace, remove_palace
from palazzo_env.places import CODE_SLOT_ROW, NO_TILES, choose_change, clear_slot, leaves, show_palaces
from palazzo_env.purses import move_cards
from palazzo_env.state import (
    CHANGE_INSERT,
    CHANGE_REMOVE,
    CHANGE_SPLIT,
    NO_CHANGE,
    NO_SLOT,
    PALACES,
    PENDING,
    PHASE_FEE,
    PHASE_INTO,
    PHASE_REBUILD,
)
from palazzo_env.supply import into_box
from palazzo_env.turn import end_turn
from skyline.core.jit import njit


@njit
def apply_rebuild(s):
    """The turn is used to rebuild; the choice of the change follows.  # PZ-70"""
    s.phase = PHASE_REBUILD


@njit
def legal_rebuild(s, mask):
    """Split a palace, insert or remove a single.  # PZ-71, PZ-D9"""
    keys, count = s.palaces[s.seat], int(s.palace_count[s.seat])
    lacking, highest = 0, 0  # floors that some palace of two and more lacks; the highest floor of a single
    for slot in range(count):
        key = np.int64(keys[slot])
        length = length_of(key)
        if length == 1:
            highest = max(highest, top_floor(key))
            continue
        lacking |= ~floor_bits(key)
        lowest = 1 if length == 2 else 0  # PZ-R9: the upper tile only
        for i in range(lowest, length):
            mask[SPLIT + FLOORS * slot + CODE_FLOOR[code_at(key, i)] - 1] = 1
    for slot in range(count):
        key = np.int64(keys[slot])
        if length_of(key) == 1:
            tile, floor = code_at(key, 0) - 1, top_floor(key)
            mask[REMOVE + tile] = 1
            mask[INSERT + tile] = (lacking >> floor & 1) | (highest > floor)


@njit
def is_target(key, floor):
    """Whether a single of this floor may be put into the palace.  # PZ-71 (b), PZ-R7, PZ-R9, PZ-D10"""
    if length_of(key) == 1:
        return top_floor(key) > floor
    return not floor_bits(key) >> floor & 1


@njit
def slot_of(s, seat, key):
    """Where the palace stands in the seat's list."""
    slot = 0
    while s.palaces[seat, slot] != key:
        slot += 1
    return slot


@njit
def apply_split(s, number):
    """Choose a tile to take out of a palace."""
    slot, level = divmod(number, FLOORS)
    key = np.int64(s.palaces[s.seat, slot])
    tile = 0
    for i in range(length_of(key)):
        if CODE_FLOOR[code_at(key, i)] == level + 1:
            tile = code_at(key, i) - 1
    _plan(s, CHANGE_SPLIT, slot, tile)
    s.phase = PHASE_FEE


@njit
def apply_insert(s, tile):
    """Choose a single to put into another palace."""
    _plan(s, CHANGE_INSERT, slot_of(s, s.seat, single(tile)), tile)
    s.phase = PHASE_INTO


@njit
def apply_remove(s, tile):
    """Choose a single to put into the box."""
    _plan(s, CHANGE_REMOVE, slot_of(s, s.seat, single(tile)), tile)
    s.phase = PHASE_FEE


@njit
def _plan(s, change, slot, tile):
    """Note which tile of which palace is rebuilt, and how."""
    s.change, s.change_slot, s.change_tile = change, slot, tile
    choose_change(s, s.seat)


@njit
def legal_into(s, mask):
    """The other palaces that may take the single.  # PZ-D10"""
    floor = top_floor(np.int64(s.palaces[s.seat, s.change_slot]))
    for slot in range(s.palace_count[s.seat]):
        mask[INTO + slot] = is_target(np.int64(s.palaces[s.seat, slot]), floor)


@njit
def apply_into(s, slot):
    """Choose the palace that takes the single.  # PZ-71 (b)"""
    s.target_slot = slot
    s.phase = PHASE_FEE


@njit
def legal_fee(s, mask):
    """Any card of the hand.  # PZ-70"""
    hand = s.hands[s.seat]
    for card in range(CARD_KINDS):
        mask[PAY + card] = hand[card] > 0


@njit
def apply_fee(s, card):
    """The card is spent, then the palaces change.  # PZ-70, PZ-71, PZ-D11"""
    move_cards(s, s.seat, card, -1)
    s.discards[card] += 1
    laid(s, s.seat, card, 1)
    seat, tile = np.int64(s.seat), np.int64(s.change_tile)
    slot, target = np.int64(s.change_slot), np.int64(s.target_slot)
    if s.change == CHANGE_SPLIT:
        key = remove_palace(s, seat, slot)
        first = min(slot, add_palace(s, seat, without(key, tile)))
        first = min(first, add_palace(s, seat, single(tile)))
    elif s.change == CHANGE_INSERT:
        whole = inserted(np.int64(s.palaces[seat, target]), tile)
        remove_palace(s, seat, max(slot, target))
        remove_palace(s, seat, min(slot, target))
        first = min(slot, target, add_palace(s, seat, whole))
    else:
        remove_palace(s, seat, slot)
        into_box(s, tile)
        leaves(s, PALACES + seat, tile)
        s.tile_slots[CODE_SLOT_ROW[tile + 1]] = 0
        first = slot
    show_palaces(s, seat, first, int(s.palace_count[seat]))
    clear_slot(s, seat)
    clear_plan(s)
    end_turn(s, False)


@njit
def clear_plan(s):
    """Nothing is being rebuilt."""
    s.change, s.change_slot, s.change_tile, s.target_slot = NO_CHANGE, NO_SLOT, 0, NO_SLOT
    s.tiles_at[PENDING] = NO_TILES
