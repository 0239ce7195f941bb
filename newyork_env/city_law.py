# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The plain definition of a legal city, by flood fill: what `city.py` is proven against, and what loaders check.

A board is an array (23, 23) by row y + 11 and column x + 11: street mask of the tile in the cell, or NO_TILE_HERE.
[RULES.md NY-40 .. NY-44]
"""

from __future__ import annotations

import numpy as np

from newyork_env.city import SPOT_CELLS
from newyork_env.components import (
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
from skyline.jit import njit

NO_TILE_HERE = -1
LEGAL = 0


@njit
def empty_board():
    """A board with nothing but the start tile."""
    board = np.full((GRID_ROWS, GRID_ROWS), NO_TILE_HERE, np.int64)
    board[CENTRE, CENTRE] = START_STREETS
    return board


@njit
def board_of(s, seat):
    """The city of a seat as a board, from the tiles' places and spots."""
    board = empty_board()
    for tile in range(1, START):
        if s.place[tile] == IN_CITY + seat:
            cell = int(s.spot[tile]) & SPOT_CELLS
            board[cell >> ROW_SHIFT, cell & COLUMN_MASK] = STREETS[tile]
    return board


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
def clause_broken_by(s, seat):
    """The same for a seat's city as it lies."""
    return broken_clause(board_of(s, seat))


@njit
def _is_in_bound(board):
    """The start tile at home, every other inside the 21 x 21 cells.  # NY-40"""
    for row in range(GRID_ROWS):
        for column in range(GRID_ROWS):
            inside = FIRST <= row <= LAST and FIRST <= column <= LAST
            if board[row, column] != NO_TILE_HERE and not inside:
                return False
    return board[CENTRE, CENTRE] == START_STREETS


@njit
def _sides_match(board):
    """Touching sides both have a street or both have none.  # NY-41"""
    for row in range(FIRST, LAST + 1):
        for column in range(FIRST, LAST + 1):
            here, north, east = board[row, column], board[row + 1, column], board[row, column + 1]
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
    reached = np.zeros((GRID_ROWS, GRID_ROWS), np.bool_)
    todo = np.zeros((GRID_ROWS * GRID_ROWS, 2), np.int64)
    reached[row, column] = True
    todo[0, 0], todo[0, 1] = row, column
    size = 1
    while size:
        size -= 1
        row, column = todo[size, 0], todo[size, 1]
        for side in range(4):
            r, c = row + ROW_STEP[side], column + COLUMN_STEP[side]
            if not (0 <= r < GRID_ROWS and 0 <= c < GRID_ROWS) or reached[r, c]:
                continue
            if tiles:
                leads = board[r, c] != NO_TILE_HERE and not board[row, column] >> side & 1
            else:
                leads = board[r, c] == NO_TILE_HERE
            if leads:
                reached[r, c] = True
                todo[size, 0], todo[size, 1] = r, c
                size += 1
    return reached


@njit
def _all_reached(board):
    """Every tile is reached from the start tile.  # NY-42"""
    reached = _flood(board, CENTRE, CENTRE, True)
    for row in range(GRID_ROWS):
        for column in range(GRID_ROWS):
            if board[row, column] != NO_TILE_HERE and not reached[row, column]:
                return False
    return True


@njit
def _no_hole(board):
    """Every empty cell is reached from outside; the corner of the board lies outside.  # NY-43"""
    reached = _flood(board, 0, 0, False)
    for row in range(GRID_ROWS):
        for column in range(GRID_ROWS):
            if board[row, column] == NO_TILE_HERE and not reached[row, column]:
                return False
    return True
