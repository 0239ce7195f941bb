# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The plain definition of a legal city, by flood fill: what `city.py` is proven against, and what loaders check.

A board is an array (3, 23, 23) by row y + 11 and column x + 11. Plane TILE has the street mask of the tile in the cell
or NO_TILE_HERE; the other two are for the flood fill: cells it has reached, cells it has still to look around.
[RULES.md NY-40 .. NY-44]
"""

from __future__ import annotations

import numpy as np

from newyork_env.city import cell_of
from newyork_env.components import (
    CELL_STRIDE,
    CENTRE,
    COLUMN_MASK,
    COLUMN_STEP,
    FIRST,
    GRID_ROWS,
    LAST,
    ROW_SHIFT,
    ROW_STEP,
    START,
    START_STREETS,
    STREETS,
)
from newyork_env.state import IN_CITY
from skyline.core.jit import njit

TILE, REACHED, WAITING = 0, 1, 2
NO_TILE_HERE = -1
LEGAL = 0


def empty_board() -> np.ndarray:
    """A board with nothing but the start tile."""
    board = np.zeros((3, GRID_ROWS, GRID_ROWS), np.int64)
    board[TILE] = NO_TILE_HERE
    board[TILE, CENTRE, CENTRE] = START_STREETS
    return board


@njit
def lay_out(s, seat, board):
    """The city of a seat on the board, from the tiles' places."""
    board[TILE, :, :] = NO_TILE_HERE
    board[TILE, CENTRE, CENTRE] = START_STREETS
    for tile in range(1, START):
        if s.place[tile] == IN_CITY + seat:
            cell = cell_of(s, tile)
            board[TILE, cell >> ROW_SHIFT, cell & COLUMN_MASK] = STREETS[tile]


@njit
def broken_clause(board):
    """40 .. 43 for the first clause NY-40 .. NY-43 that the city breaks, LEGAL for a legal city."""
    if not _is_in_bound(board):
        return 40
    if not _sides_match(board):
        return 41
    if not _all_reached(board):
        return 42
    if not _no_hole(board):
        return 43
    return LEGAL


@njit
def clause_broken_by(s, seat, board):
    """The same for a seat's city as it lies."""
    lay_out(s, seat, board)
    return broken_clause(board)


@njit
def _is_in_bound(board):
    """The start tile at home, every other inside the 21 x 21 cells.  # NY-40"""
    for row in range(GRID_ROWS):
        for column in range(GRID_ROWS):
            inside = FIRST <= row <= LAST and FIRST <= column <= LAST
            if board[TILE, row, column] != NO_TILE_HERE and not inside:
                return False
    return board[TILE, CENTRE, CENTRE] == START_STREETS


@njit
def _sides_match(board):
    """Touching sides both have a street or both have none.  # NY-41"""
    for row in range(FIRST, LAST + 1):
        for column in range(FIRST, LAST + 1):
            here, north, east = board[TILE, row, column], board[TILE, row + 1, column], board[TILE, row, column + 1]
            if here == NO_TILE_HERE:
                continue
            if north != NO_TILE_HERE and (here & 1) != (north >> 2 & 1):
                return False
            if east != NO_TILE_HERE and (here >> 1 & 1) != (east >> 3 & 1):
                return False
    return True


@njit
def _flood(board, row, column, tiles):
    """Mark what is reached from a cell: tiles across sides without a street, or empty cells."""
    board[REACHED, :, :] = 0
    board[REACHED, row, column] = 1
    waiting = board[WAITING].reshape(GRID_ROWS * GRID_ROWS)
    waiting[0] = CELL_STRIDE * row + column
    size = 1
    while size:
        size -= 1
        row, column = waiting[size] >> ROW_SHIFT, waiting[size] & COLUMN_MASK
        for side in range(4):
            r, c = row + ROW_STEP[side], column + COLUMN_STEP[side]
            if not (0 <= r < GRID_ROWS and 0 <= c < GRID_ROWS) or board[REACHED, r, c]:
                continue
            if tiles:
                leads = board[TILE, r, c] != NO_TILE_HERE and not board[TILE, row, column] >> side & 1
            else:
                leads = board[TILE, r, c] == NO_TILE_HERE
            if leads:
                board[REACHED, r, c] = 1
                waiting[size] = CELL_STRIDE * r + c
                size += 1


@njit
def _all_reached(board):
    """Every tile is reached from the start tile.  # NY-42"""
    _flood(board, CENTRE, CENTRE, True)
    for row in range(GRID_ROWS):
        for column in range(GRID_ROWS):
            if board[TILE, row, column] != NO_TILE_HERE and not board[REACHED, row, column]:
                return False
    return True


@njit
def _no_hole(board):
    """Every empty cell is reached from outside; the corner of the board lies outside.  # NY-43"""
    _flood(board, 0, 0, False)
    for row in range(GRID_ROWS):
        for column in range(GRID_ROWS):
            if board[TILE, row, column] == NO_TILE_HERE and not board[REACHED, row, column]:
                return False
    return True
