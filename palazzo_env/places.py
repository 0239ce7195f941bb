# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Where every tile lies, kept as the observation shows it: a word of rows for each place, and the slots of palaces.

Each of the 48 tiles has a row; two equal tiles have neighbouring rows. Bit r of `tiles_at[place]` says that the tile of
row r lies there. A tile whose equal lies in another place has the first row here: which of the two has the second one
depends on the viewer, and `observe` moves it there. The 31b, for example, have the rows 18 and 19. With one in a palace
of seat 0 and one in a palace of seat 2, both places have the bit 18; seat 0 meets its own first and sees that of seat 2
in row 19, seat 2 sees that of seat 0 in row 19. `survey_places` recomputes everything.

    place     0       1 .. 4             5 .. 8                   9
              depot   quarries 0 .. 3    palaces of seat 0 .. 3   pending: chosen, to build, to rebuild

The slots of the rows 16 .. 23, among which all equal tiles lie, are a word for each seat, one byte a row, because each
of two equal tiles may lie in a palace of another seat. `tile_slots` has those of all other rows.
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    FLOORS,
    MATERIALS,
    QUARRIES,
    TILE_COPIES,
    TILE_KINDS,
    TILE_MATERIALS,
    TILE_ROWS,
)
from palazzo_env.keys import CODE_TALLY, CODE_WINDOWS, COUNT_MASK, code_at, kind_of, length_of
from palazzo_env.scoring import POINTS
from palazzo_env.state import (
    DEPOT,
    NO_CHANGE,
    PALACES,
    PENDING,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_PAY,
    QUARRY,
    SLOTS,
    SLOTS_A_WORD,
    SPARE_ROW,
)
from skyline.core.jit import njit
from skyline.core.wide import unpack

NO_TILES, ONE = np.uint64(0), np.uint64(1)

# The rows of which every seat has slots of its own, as bits; a byte of the word is a row.
TWIN_ROW, BYTE = 16, 8
TWIN_ROWS = np.uint64(0xFF << TWIN_ROW)
LOW_BYTE = np.uint64(0xFF)
BYTES = np.arange(0, 64, BYTE).astype(np.uint64)  # where the bytes of a word begin
TWIN_BYTES = np.array(  # by bits: the bytes of these numbers
    [sum(0xFF << BYTE * bit for bit in range(BYTE) if bits >> bit & 1) for bits in range(256)], np.uint64
)

# By tile code (0 = no tile). The numbers are unsigned: an index that cannot be negative takes two instructions less.
CODE_ROW = np.full(64, SPARE_ROW, np.uint64)  # the first row of the kind
CODE_ROW[1 : TILE_KINDS + 1] = TILE_ROWS
CODE_BIT = np.zeros(64, np.uint64)  # the first row as a bit
CODE_BIT[1 : TILE_KINDS + 1] = np.uint64(1) << TILE_ROWS.astype(np.uint64)
CODE_TWIN_BIT = np.zeros(64, np.uint64)  # the second row as a bit, where there is one
CODE_TWIN_BIT[1 : TILE_KINDS + 1] = CODE_BIT[1 : TILE_KINDS + 1] * (TILE_COPIES == 2) * np.uint64(2)
CODE_SLOT_ROW = np.where(CODE_ROW // BYTE == TWIN_ROW // BYTE, np.uint64(SPARE_ROW), CODE_ROW)  # in `tile_slots`

# The values of a slot: the windows of its five tiles, one byte each; behind those of all slots, copies, points, length.
COPIES_AT, POINTS_AT, LENGTHS_AT = SLOTS * FLOORS, SLOTS * FLOORS + SLOTS, SLOTS * FLOORS + 2 * SLOTS
SLOT_BITS = MATERIALS * FLOORS
SLOT_MASK = np.uint64((1 << SLOT_BITS) - 1)

# The look of a palace, summed over its tiles in one word: its tally, three bits of material for each tile from the
# bottom, two bits of windows for each tile.
MATERIALS_LOOK, WINDOWS_LOOK, WINDOW_BITS = 24, 40, 2
TALLY_MASK = (1 << MATERIALS_LOOK) - 1
CODE_LOOKS = np.tile(CODE_TALLY, (FLOORS, 1))  # by place in the palace and tile code
for _floor in range(FLOORS):
    CODE_LOOKS[_floor] += CODE_WINDOWS << WINDOWS_LOOK + WINDOW_BITS * _floor
    CODE_LOOKS[_floor, 1 : TILE_KINDS + 1] += 1 << MATERIALS_LOOK + MATERIALS * _floor + TILE_MATERIALS
WINDOW_SHIFTS = np.array([WINDOWS_LOOK + WINDOW_BITS * i for i in range(FLOORS)], np.uint64)
WINDOW_MASK = np.uint64(3)


# ---------------------------------------------------------------- tiles come and go


@njit
def comes_to(s, place, tile):
    """The tile lies in this place now."""
    code, rows = int(tile) + 1, s.tiles_at[place]
    s.tiles_at[place] = rows | (CODE_BIT[code] if rows & CODE_BIT[code] == NO_TILES else CODE_TWIN_BIT[code])


@njit
def leaves(s, place, tile):
    """The tile lies no longer in this place; of two equal ones that with the second row leaves."""
    code, rows = int(tile) + 1, s.tiles_at[place]
    s.tiles_at[place] = rows & ~(CODE_BIT[code] if rows & CODE_TWIN_BIT[code] == NO_TILES else CODE_TWIN_BIT[code])


@njit
def choose_lot(s):
    """The tiles of the lot are pending."""
    s.tiles_at[PENDING] = NO_TILES
    for i in range(s.lot_size):
        comes_to(s, PENDING, s.lot[i])


@njit
def choose_change(s, seat):
    """The tile that the seat rebuilds is pending: the second of two own ones, unless the first lies in this slot."""
    code = int(s.change_tile) + 1
    is_first = True
    if s.tiles_at[PALACES + seat] & CODE_TWIN_BIT[code] != NO_TILES:
        shift = np.uint64(BYTE) * (CODE_ROW[code] - np.uint64(TWIN_ROW))
        is_first = s.twin_slots[seat] >> shift & LOW_BYTE == np.uint64(s.change_slot)
    s.tiles_at[PENDING] = CODE_BIT[code] if is_first else CODE_TWIN_BIT[code]


# ---------------------------------------------------------------- the palaces of a seat


@njit
def show_palaces(s, seat, first, end):
    """The seat's palaces in the slots `first` .. `end` - 1 have changed."""
    keys, slot_of = s.palaces[seat], s.tile_slots
    for slot in range(first, min(end, SLOTS)):
        key = np.int64(keys[slot])
        look = 0
        for i in range(FLOORS):
            code = code_at(key, i)
            look += CODE_LOOKS[i, code]
            slot_of[CODE_SLOT_ROW[code]] = slot
        _show_slot(s, seat, slot, look)
    for slot in range(max(first, SLOTS), end):
        for i in range(FLOORS):
            slot_of[CODE_SLOT_ROW[code_at(np.int64(keys[slot]), i)]] = slot
    slot_of[SPARE_ROW] = 0
    s.twin_slots[seat] = _twin_slots(s, seat) if s.tiles_at[PALACES + seat] & TWIN_ROWS != NO_TILES else NO_TILES


@njit
def clear_slot(s, seat):
    """There may have been one palace more than now: its slot is empty."""
    if s.palace_count[seat] < SLOTS:
        _show_slot(s, seat, int(s.palace_count[seat]), 0)


@njit
def _show_slot(s, seat, slot, look):
    """The values of one slot, whose palace has this look; 0 is no palace."""
    values, tally = s.slot_values[seat], look & TALLY_MASK
    unpack(values, FLOORS * slot, np.uint64(look), WINDOW_SHIFTS, WINDOW_MASK, FLOORS)
    values[COPIES_AT + slot] = s.copies[seat, slot]
    values[POINTS_AT + slot] = POINTS[kind_of(tally)]
    values[LENGTHS_AT + slot] = tally & COUNT_MASK
    materials, at = s.slot_materials[seat], slot // SLOTS_A_WORD
    shift = np.uint64(SLOT_BITS * (slot % SLOTS_A_WORD))
    bits = np.uint64(look >> MATERIALS_LOOK) & SLOT_MASK
    materials[at] = materials[at] & ~(SLOT_MASK << shift) | bits << shift


@njit
def _twin_slots(s, seat):
    """The slots of the rows 16 .. 23, one byte each. Of two equal tiles the one in the lower slot has the first row."""
    met, slots = NO_TILES, NO_TILES
    for slot in range(s.palace_count[seat]):
        key = np.int64(s.palaces[seat, slot])
        for _ in range(s.copies[seat, slot]):
            for i in range(FLOORS):
                code = code_at(key, i)
                if CODE_BIT[code] & TWIN_ROWS:
                    second = met >> CODE_ROW[code] & ONE
                    met |= CODE_BIT[code]
                    slots |= np.uint64(slot) << np.uint64(BYTE) * (CODE_ROW[code] + second - np.uint64(TWIN_ROW))
    return slots


# ---------------------------------------------------------------- everything anew


@njit
def clear_places(s):
    """No tile lies anywhere."""
    s.tiles_at[:] = NO_TILES
    s.tile_slots[:] = 0
    s.twin_slots[:] = NO_TILES
    s.slot_values[:] = 0
    s.slot_materials[:] = NO_TILES


@njit
def survey_places(s):
    """Recompute everything from the lists of tiles and the palaces."""
    clear_places(s)
    for i in range(s.depot_size):
        comes_to(s, DEPOT, s.depot[i])
    for quarry in range(QUARRIES):
        for i in range(s.quarry_size[quarry]):
            comes_to(s, QUARRY + quarry, s.quarries[quarry, i])
    for seat in range(s.players):
        for slot in range(s.palace_count[seat]):
            key = np.int64(s.palaces[seat, slot])
            for _ in range(s.copies[seat, slot]):
                for i in range(length_of(key)):
                    comes_to(s, PALACES + seat, code_at(key, i) - 1)
        show_palaces(s, seat, 0, int(s.palace_count[seat]))
    if s.phase == PHASE_BUY or s.phase == PHASE_PAY or s.phase == PHASE_BUILD:
        choose_lot(s)
    elif s.change != NO_CHANGE:
        choose_change(s, s.seat)
