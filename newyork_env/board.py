# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""A small city as words of 64 cells: its street and the tiles that fit somewhere, for all cells at once.

A board is eight rows of eight cells, the city's tiles with an empty margin around them. A cell is a bit; its neighbour
to the north is eight bits higher, its neighbour to the east one bit higher:

    bits 56 .. 63    . . . . . . . .        margin
         ..          . # # . # # # .
         8 .. 15     . . # # # . . .
         0 ..  7     . . . . . . . .        margin

No tile lies in the first or last column, so that nothing moves from the end of a row to the beginning of the next one.
A larger city than 6 x 6 has no board: its outline is walked around (city.py), and every cell is looked into. Most
cities have one: with two players, a random move takes 83 ns without boards and 54 ns with them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from newyork_env.components import CENTRE, GRID_ROWS, START, STREETS
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.core.wide import low_bytes, ones_in

SIDE = 8
START_COLUMN = 1 << CENTRE
U0, U1, U7, U8, U9 = (np.uint64(n) for n in (0, 1, 7, 8, 9))


class Board(NamedTuple):
    """Sets of cells."""

    built: Any  # with a tile
    open: Any  # empty, a tile could go there but for its streets
    above: Any  # a street between the cell and its northern neighbour
    right: Any  # a street between the cell and its eastern neighbour
    home: Any  # the start tile's cell


@njit
def has_board(s, seat):
    """Whether the city is small enough for a board."""
    low = int(s.lowest_row[seat])
    if s.highest_row[seat] - low >= SIDE:
        return False
    columns = _columns(s, seat, low)
    return columns < (columns & -columns) << (SIDE - 2)


@njit
def _columns(s, seat, low):
    """The columns in which the city has tiles."""
    columns = 0
    for row in range(low, low + SIDE):
        columns |= int(s.built[seat, row])
    return columns


@njit
def board_of(s, seat):
    """The board of a small city."""
    low = int(s.lowest_row[seat])
    columns = _columns(s, seat, low)
    west = lowest(columns) - 1
    first = GRID_ROWS * seat + low
    return Board(
        low_bytes(s.built, first, west),
        low_bytes(s.open_cells, first, west),
        low_bytes(s.above, first, west),
        low_bytes(s.right, first, west),
        U1 << np.uint64(SIDE * (CENTRE - low) + CENTRE - west),
    )


# ---------------------------------------------------------------- the street


@njit
def street_of(board):
    """Length of the longest continuous outer street.  # NY-70, NY-71, section 8.1

    After k rounds the words hold the last sides of all streets of k + 1 sides: a side stays if the side before it on
    the outline, going clockwise, was there in the round before. A ring would stay for ever.  # NY-R15
    """
    built = board.built
    north, east, south, west = built >> U8, built >> U1, built << U8, built << U1  # cells with such a neighbour
    streets_n, streets_e = built & ~north & board.above, built & ~east & board.right
    streets_s, streets_w = built & ~south & (board.above << U8), built & ~west & (board.right << U1)
    out_n, out_e, out_s, out_w = built >> U9, built << U7, built << U9, built >> U7  # neighbours across a corner
    n, e, s, w = streets_n, streets_e, streets_s, streets_w
    most = ones_in(n) + ones_in(e) + ones_in(s) + ones_in(w)
    length = 0
    while n | e | s | w and length < most:
        length += 1
        # the next side is on the same tile, on the tile ahead, or on the tile ahead and outwards
        next_n = (w & ~north) | (n & east & ~out_n) << U1 | (e & south & out_e) >> U7
        next_e = (n & ~east) | (e & south & ~out_e) >> U8 | (s & west & out_s) >> U9
        next_s = (e & ~south) | (s & west & ~out_s) >> U1 | (w & north & out_w) << U7
        next_w = (s & ~west) | (w & north & ~out_w) << U8 | (n & east & out_n) << U9
        n, e, s, w = next_n & streets_n, next_e & streets_e, next_s & streets_s, next_w & streets_w
    return length


# ---------------------------------------------------------------- what may be built


def _tiles_by_streets() -> np.ndarray:
    """The tiles with each of the 16 sets of streets."""
    return np.array([sum(1 << tile for tile in range(1, START) if STREETS[tile] == n) for n in range(16)], np.int64)


TILES_BY_STREETS = _tiles_by_streets()


@njit
def usable_on(board):
    """The tiles that could be built in some cell, empty or of a city tile.  # NY-30, NY-32, NY-33, NY-41"""
    built = board.built
    cells = (built | board.open) & ~board.home
    north, east, south, west = built >> U8, built >> U1, built << U8, built << U1
    above, right, below, left = board.above, board.right, board.above << U8, board.right << U1
    usable = 0
    for streets in range(16):
        misfits = (
            (north & (~above if streets & 1 else above))
            | (east & (~right if streets & 2 else right))
            | (south & (~below if streets & 4 else below))
            | (west & (~left if streets & 8 else left))
        )
        usable |= TILES_BY_STREETS[streets] * (cells & ~misfits != U0)
    return usable


# ---------------------------------------------------------------- a larger city


def _fitting_table() -> np.ndarray:
    """FITTING[16 * built + streets] = the tiles whose sides towards the `built` neighbours are as `streets` says."""
    table = np.zeros(256, np.int64)
    for neighbours in range(16):
        for streets in range(16):
            fitting = [tile for tile in range(1, START) if not (int(STREETS[tile]) ^ streets) & neighbours]
            table[16 * neighbours + streets] = sum(1 << tile for tile in fitting)
    return table


FITTING = _fitting_table()


@njit
def usable_tiles(s, seat):
    """The tiles that could be built in some cell, empty or of a city tile.  # NY-30, NY-32, NY-33"""
    usable = 0
    for row in range(s.lowest_row[seat], s.highest_row[seat] + 1):
        here, north, south = int(s.built[seat, row]), int(s.built[seat, row + 1]), int(s.built[seat, row - 1])
        above, below, right = int(s.above[seat, row]), int(s.above[seat, row - 1]), int(s.right[seat, row])
        cells = (here | int(s.open_cells[seat, row])) & ~(START_COLUMN * (row == CENTRE))
        while cells:
            column = lowest(cells)
            cells &= cells - 1
            neighbours = (
                (north >> column & 1)
                | (here >> column & 2)
                | (south >> column & 1) << 2
                | (here << 1 >> column & 1) << 3
            )
            streets = (
                (above >> column & 1)
                | (right >> column & 1) << 1
                | (below >> column & 1) << 2
                | (right << 1 >> column & 1) << 3
            )
            usable |= FITTING[16 * neighbours + streets]
    return usable
