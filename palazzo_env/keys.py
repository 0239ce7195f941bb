# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""A palace as one number, its key. [RULES.md PZ-61 .. PZ-64]

A key holds the tiles from bottom to top, each as its code = tile index + 1 in six bits, 0 where there is no tile:

    bits   24..29   18..23   12..17   6..11   0..5
           bottom                              fifth tile

Keys compare like the texts of the palaces ("11b" < "11b/32m" < "11m"), so a sorted list of keys is the order of slots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palazzo_env.components import FLOORS, MATERIALS, TILE_FLOORS, TILE_MATERIALS, TILE_TEXTS, TILE_WINDOWS
from skyline.core.jit import njit

TOP_SHIFT, CODE_BITS, CODE_MASK = 24, 6, 63
SHIFTS = tuple(range(TOP_SHIFT, -1, -CODE_BITS))

# The tally of a palace: what the palace has, summed over its tiles in one word. From bit 0 on the number of its tiles,
# from bit 3 on its windows, from bits 7, 10, 13 on its tiles of brick, marble, sandstone; bit 16 + f says floor f.
COUNT_BITS, COUNT_MASK = 3, 7
WINDOWS_AT, WINDOWS_MASK = 3, 15
MATERIALS_AT = 7
FLOORS_AT = 16

# Tables by tile code; code 0 and the rows beyond the 45 tiles stay empty.
CODE_FLOOR = np.zeros(64, np.int64)
CODE_FLOOR[1:46] = TILE_FLOORS
CODE_WINDOWS = np.zeros(64, np.int64)
CODE_WINDOWS[1:46] = TILE_WINDOWS
CODE_TALLY = np.zeros(64, np.int64)
CODE_TALLY[1:46] = 1 + (TILE_WINDOWS << WINDOWS_AT) + (1 << FLOORS_AT + TILE_FLOORS)
CODE_TALLY[1:46] += 1 << MATERIALS_AT + COUNT_BITS * TILE_MATERIALS
HIGHEST_BIT = np.array([0, *(bits.bit_length() - 1 for bits in range(1, 64))])

# By the numbers of a tally's tiles of brick, marble, sandstone: 1 if at most one of them is not 0.
MATERIALS_MASK = (1 << COUNT_BITS * MATERIALS) - 1
UNIFORM = np.array([
    sum(counts >> COUNT_BITS * material & COUNT_MASK > 0 for material in range(MATERIALS)) <= 1
    for counts in range(MATERIALS_MASK + 1)
], np.uint8)  # fmt: skip

# The kind of a palace is all that its points and its prospects follow from: the numbers of its tiles and windows as in
# the tally, then a bit that says whether all tiles are of one material, then three bits for the floor of the top tile.
UNIFORM_AT, TOP_AT = MATERIALS_AT, MATERIALS_AT + 1
COUNTS_MASK = (1 << UNIFORM_AT) - 1
KINDS = 1 << TOP_AT + 3


def parts_of(kind: int) -> tuple[int, int, int, int]:
    """Tiles, windows, 1 if all tiles are of one material, the top tile's floor."""
    return kind & COUNT_MASK, kind >> WINDOWS_AT & WINDOWS_MASK, kind >> UNIFORM_AT & 1, kind >> TOP_AT


# ---------------------------------------------------------------- one palace


@njit
def single(tile):
    """The key of a palace of one tile."""
    return (int(tile) + 1) << TOP_SHIFT


@njit
def code_at(key, i):
    """The code of the i-th tile from the bottom, 0 if there is no such tile."""
    return (key >> (TOP_SHIFT - CODE_BITS * i)) & CODE_MASK


@njit
def tally(key):
    """The tally of the palace."""
    word = 0
    for i in range(FLOORS):
        word += CODE_TALLY[code_at(key, i)]
    return word


@njit
def length_of(key):
    """The number of the palace's tiles."""
    return tally(key) & COUNT_MASK


@njit
def floor_bits(key):
    """The floors that the palace has: bit f for floor f."""
    return tally(key) >> FLOORS_AT


@njit
def top_floor(key):
    """The floor of the top tile; 0 without tiles."""
    return top_in(tally(key))


@njit
def top_in(word):
    """The top floor in a tally."""
    return HIGHEST_BIT[word >> FLOORS_AT]


@njit
def windows_of(key):
    """The number of the palace's windows."""
    return tally(key) >> WINDOWS_AT & WINDOWS_MASK


@njit
def is_uniform(key):
    """1 if all tiles of the palace are of one material."""
    return uniform_in(tally(key))


@njit
def uniform_in(word):
    """1 if all tiles in a tally are of one material."""
    return np.int64(UNIFORM[np.uint64(word >> MATERIALS_AT & MATERIALS_MASK)])


@njit
def kind_of(word):
    """The kind of a palace with this tally."""
    return word & COUNTS_MASK | uniform_in(word) << UNIFORM_AT | top_in(word) << TOP_AT


@njit
def on_top(key, tile):
    """The palace with one more tile on top.  # PZ-61"""
    return key | (int(tile) + 1) << (TOP_SHIFT - CODE_BITS * length_of(key))


@njit
def without(key, tile):
    """The palace without one of its tiles; the others keep their order.  # PZ-R8"""
    code, rest, at = int(tile) + 1, 0, TOP_SHIFT
    for i in range(FLOORS):
        here = code_at(key, i)
        if here != code:
            rest |= here << at
            at -= CODE_BITS
    return rest


@njit
def inserted(key, tile):
    """The palace with a tile at its place by floor.  # PZ-71 (b), PZ-R7"""
    code, whole, at, placed = int(tile) + 1, 0, TOP_SHIFT, False
    for i in range(FLOORS):
        here = code_at(key, i)
        if not placed and (here == 0 or here > code):
            whole |= code << at
            at -= CODE_BITS
            placed = True
        if here:
            whole |= here << at
            at -= CODE_BITS
    return whole


def tiles_of(key: int) -> list[int]:
    """The tile indices from bottom to top."""
    codes = [(int(key) >> shift) & CODE_MASK for shift in SHIFTS]
    return [code - 1 for code in codes if code]


def palace_text(key: int) -> str:
    """The text of a palace. [RULES.md section 9]"""
    return "/".join(TILE_TEXTS[tile] for tile in tiles_of(key))


def parse_palace(text: str) -> int:
    """The key of a palace from its text; a ValueError if the text is no palace."""
    key, floor = 0, 0
    for i, tile in enumerate(text.split("/")):
        if tile not in TILE_TEXTS or int(tile[0]) <= floor:
            raise ValueError(f"{text!r} is no palace: tiles such as 32m, floors rising, joined by /")
        floor = int(tile[0])
        key |= (TILE_TEXTS.index(tile) + 1) << SHIFTS[i]
    return key


def tile_texts(tiles: Any) -> list[str]:
    """The texts of some tiles."""
    return [TILE_TEXTS[tile] for tile in tiles]
