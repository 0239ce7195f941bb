"""A city held against the plain definition: a candidate move in every cell, the longest street."""

from __future__ import annotations

from newyork_env.city import row_fits, row_takes, tile_at
from newyork_env.city_law import LEGAL, NO_TILE_HERE, TILE, broken_clause, lay_out
from newyork_env.components import (
    CELL_STRIDE,
    CENTRE,
    COLUMN_STEP,
    FIRST,
    GRID_ROWS,
    LAST,
    ROW_STEP,
    START,
    STREETS,
)
from newyork_env.trial import street_change
from skyline.core.jit import njit

NAMES = (
    "cities", "candidates", "legal puts", "puts refused by NY-40", "puts refused by NY-41", "puts refused by NY-42",
    "puts refused by NY-43", "legal swaps", "refused swaps", "swaps of tiles that could not be removed",
    "streets made longer", "streets made shorter", "legal removals", "removals refused by NY-42",
    "removals refused by NY-43", "streets of 15 or more", "rings", "cities with inner streets",
    "cities of 15 tiles or more", "cities at the bound", "differences",
)  # fmt: skip
COUNT = {name: i for i, name in enumerate(NAMES)}
SEAT = 2  # of three: planes of other seats must stay as they are

(
    CITIES, CANDIDATES, PUTS, PUTS_40, PUTS_41, PUTS_42, PUTS_43, SWAPS, SWAPS_REFUSED, SWAPS_NOT_REMOVABLE, LONGER,
    SHORTER, REMOVALS, REMOVALS_42, REMOVALS_43, LONG, RINGS, INNER, LARGE, AT_BOUND, DIFFERENCES,
) = range(len(NAMES))  # fmt: skip


# ---------------------------------------------------------------- the plain street


@njit
def plain_street(board, segments):
    """Longest outer street as the largest set of segments that hang together by corners, and if it is the outline.

    Rows of `segments`: the two corners of a segment as numbers, its group.
    """
    n, outline = 0, 0
    for row in range(FIRST, LAST + 1):
        for column in range(FIRST, LAST + 1):
            streets = board[TILE, row, column]
            if streets == NO_TILE_HERE:
                continue
            for side in range(4):
                if board[TILE, row + ROW_STEP[side], column + COLUMN_STEP[side]] != NO_TILE_HERE:
                    continue
                outline += 1
                if streets >> side & 1:
                    west, south = 32 * row + column, 32 * row + column  # the lower left corner
                    if side == 0:
                        west, south = 32 * (row + 1) + column, 32 * (row + 1) + column + 1
                    elif side == 1:
                        west, south = 32 * row + column + 1, 32 * (row + 1) + column + 1
                    elif side == 2:
                        south = 32 * row + column + 1
                    else:
                        south = 32 * (row + 1) + column
                    segments[n, 0], segments[n, 1], segments[n, 2] = west, south, n
                    n += 1
    changed = True
    while changed:
        changed = False
        for a in range(n):
            for b in range(n):
                touch = (
                    segments[a, 0] == segments[b, 0]
                    or segments[a, 0] == segments[b, 1]
                    or segments[a, 1] == segments[b, 0]
                    or segments[a, 1] == segments[b, 1]
                )
                if touch and segments[b, 2] < segments[a, 2]:
                    segments[a, 2] = segments[b, 2]
                    changed = True
    best = 0
    for a in range(n):
        size = 0
        for b in range(n):
            size += segments[b, 2] == a
        best = max(best, size)
    return best, best == outline


# ---------------------------------------------------------------- one city


@njit
def compare_city(s, board, segments, streets, counts):
    """All candidates in a city for a tile with these streets; differences are counted, the first one stays."""
    lay_out(s, SEAT, board)
    for row in range(FIRST - 1, LAST + 2):
        for column in range(FIRST - 1, LAST + 2):
            if (row, column) != (CENTRE, CENTRE):
                compare_cell(s, board, segments, row, column, streets, counts)
    for tile in range(1, START):
        found = 0
        for row in range(FIRST, LAST + 1):
            found |= row_takes(s, SEAT, row, STREETS[tile])
        counts[DIFFERENCES] += (found != 0) != (s.usable[SEAT] >> tile & 1)
    length, ring = plain_street(board, segments)
    counts[DIFFERENCES] += length != s.street[SEAT]
    counts[LONG] += length >= 15
    counts[RINGS] += ring
    counts[CITIES] += 1


@njit
def compare_cell(s, board, segments, row, column, streets, counts):
    before = board[TILE, row, column]
    inside = FIRST <= row <= LAST and FIRST <= column <= LAST
    if before == NO_TILE_HERE and not near(board, row, column):  # no candidate: NY-42
        counts[DIFFERENCES] += inside and row_takes(s, SEAT, row, streets) >> column & 1 != 0
        return
    board[TILE, row, column] = streets
    with_tile = broken_clause(board)
    if with_tile == LEGAL:
        length = plain_street(board, segments)[0]
        change = street_change(s, SEAT, streets, CELL_STRIDE * row + column)
        counts[DIFFERENCES] += length != s.street[SEAT] + change
        counts[LONGER] += change > 0
        counts[SHORTER] += change < 0
    board[TILE, row, column] = before
    counts[CANDIDATES] += 1
    if before == NO_TILE_HERE:
        fast = inside and row_fits(s, SEAT, row, streets) >> column & 1 != 0
        takes = inside and row_takes(s, SEAT, row, streets) >> column & 1 != 0
        counts[DIFFERENCES] += (fast != (with_tile == LEGAL)) + (takes != fast)
        counts[PUTS] += fast
        counts[PUTS_40] += with_tile == 40
        counts[PUTS_41] += with_tile == 41
        counts[PUTS_42] += with_tile == 42
        counts[PUTS_43] += with_tile == 43
        return
    tile = tile_at(s, SEAT, CELL_STRIDE * row + column)
    takes = row_takes(s, SEAT, row, streets) >> column & 1 != 0
    board[TILE, row, column] = NO_TILE_HERE
    without = broken_clause(board)
    board[TILE, row, column] = before
    counts[CANDIDATES] += 1
    removable = s.removable[SEAT] >> tile & 1 != 0
    counts[DIFFERENCES] += (takes != (with_tile == LEGAL)) + (removable != (without == LEGAL))
    counts[SWAPS] += takes
    counts[SWAPS_REFUSED] += not takes
    counts[SWAPS_NOT_REMOVABLE] += takes and without != LEGAL
    counts[REMOVALS] += without == LEGAL
    counts[REMOVALS_42] += without == 42
    counts[REMOVALS_43] += without == 43


@njit
def near(board, row, column):
    """Whether a tile lies beside the cell."""
    for side in range(4):
        r, c = row + ROW_STEP[side], column + COLUMN_STEP[side]
        if 0 <= r < GRID_ROWS and 0 <= c < GRID_ROWS and board[TILE, r, c] != NO_TILE_HERE:
            return True
    return False
