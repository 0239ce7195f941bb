# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The city: where a tile may go, which tiles may go away, how long the street is. [RULES.md NY-40 .. NY-45, 8.1]

The plain definition of a legal city, by flood fill, is in city_law.py. Everything here follows from three facts about
legal cities, and the tests hold both against each other on more than a million cities:

* A tile closes a hole if and only if the empty cells among its four neighbours fall apart in the ring of the eight
  cells around it: the city is one piece, so two arcs of the ring that hold city cells are joined by a way through
  the city, and this way and the tile enclose what lies between the arcs.
* A removed tile leaves a hole if and only if all its four neighbours are tiles.
* A swap that keeps the sides towards the neighbours changes neither shape nor ways.

So the cells where a tile may go follow from a few words a row. `built`, `above`, `right` and `open_cells` are words of
columns; what is done to a word is done to all cells of the row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from newyork_env.actions import FIRST_CELL
from newyork_env.board import START_COLUMN, board_of, has_board, street_of, usable_on, usable_tiles
from newyork_env.components import (
    CELLS_ACROSS,
    CENTRE,
    COLUMN_MASK,
    COLUMN_STEP,
    FIRST,
    HOME,
    LAST,
    ROW,
    ROW_SHIFT,
    ROW_STEP,
    START,
    STEP,
    STREETS,
)
from newyork_env.state import IN_CITY
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.core.wide import bits_equal, ones_in

BOUND_COLUMNS = (1 << (LAST + 1)) - (1 << FIRST)  # NY-40
CLOCKWISE, COUNTERCLOCKWISE = 1, -1
U1, U6, U63 = np.uint64(1), np.uint64(6), np.uint64(63)


class Trial(NamedTuple):
    """A tile that a walk along the street takes to lie in a cell; the state is not changed for it."""

    row: Any
    column: Any
    bit: Any  # 1 << column
    streets: Any


NO_TRIAL = Trial(0, 0, 0, 0)  # row 0 has no cells


# ---------------------------------------------------------------- where a tile may go


@njit
def misfits(s, seat, row, streets):
    """The cells of a row where a tile with these streets would touch a side unlike its own.  # NY-41"""
    here, north, south = int(s.built[seat, row]), int(s.built[seat, row + 1]), int(s.built[seat, row - 1])
    east, west = here >> 1, here << 1
    above, below = int(s.above[seat, row]), int(s.above[seat, row - 1])
    right = int(s.right[seat, row])
    return (
        ((-(streets & 1) ^ above) & north)
        | ((-(streets >> 1 & 1) ^ right) & east)
        | ((-(streets >> 2 & 1) ^ below) & south)
        | ((-(streets >> 3 & 1) ^ (right << 1)) & west)
    )


@njit
def row_fits(s, seat, row, streets):
    """The empty cells of a row where a tile with these streets may be put.  # NY-45"""
    return int(s.open_cells[seat, row]) & ~misfits(s, seat, row, streets)


@njit
def row_takes(s, seat, row, streets):
    """The same, and the cells of city tiles that it may replace.  # NY-32, NY-33"""
    cells = int(s.open_cells[seat, row]) | int(s.built[seat, row])
    return cells & ~misfits(s, seat, row, streets) & ~(START_COLUMN * (row == CENTRE))


@njit
def refresh_open(s, seat, row):
    """Recompute the row's `open_cells`: no tile, inside the bound, no hole, a way from a neighbour.  # NY-40, 42, 43"""
    here, north, south = int(s.built[seat, row]), int(s.built[seat, row + 1]), int(s.built[seat, row - 1])
    east, west = here >> 1, here << 1
    # an arc of empty cells begins, going clockwise, at an empty neighbour that the one before does not lead to
    north_begins = ~north & (west | north << 1)
    east_begins = ~east & (north | north >> 1)
    south_begins = ~south & (east | south >> 1)
    west_begins = ~west & (south | south << 1)
    two_arcs = (
        (north_begins & east_begins)
        | (south_begins & west_begins)
        | ((north_begins | east_begins) & (south_begins | west_begins))
    )
    above, below, right = int(s.above[seat, row]), int(s.above[seat, row - 1]), int(s.right[seat, row])
    way = (north & ~above) | (east & ~right) | (south & ~below) | (west & ~(right << 1))
    s.open_cells[seat, row] = way & ~two_arcs & ~here & BOUND_COLUMNS


# ---------------------------------------------------------------- what changes a city


@njit
def add_tile(s, seat, tile, cell):
    """A tile comes into the city; `city_changed` must follow."""
    row, column = cell >> ROW_SHIFT, cell & COLUMN_MASK
    streets = STREETS[tile]
    s.built[seat, row] |= 1 << column
    s.above[seat, row] |= (streets & 1) << column
    s.right[seat, row] |= (streets >> 1 & 1) << column
    s.above[seat, row - 1] |= (streets >> 2 & 1) << column
    s.right[seat, row] |= (streets >> 3 & 1) << (column - 1)
    ways, sides = 0, neighbours(s, seat, row, column) & ~streets
    while sides:
        other = tile_at(s, seat, cell + STEP[lowest(sides)])
        ways |= 1 << other
        s.ways[other] |= 1 << tile
        sides &= sides - 1
    s.ways[tile] = ways
    s.x[tile], s.y[tile] = column - CENTRE, row - CENTRE


@njit
def take_tile(s, seat, tile):
    """A tile leaves the city; `city_changed` must follow."""
    row, column = int(s.y[tile]) + CENTRE, int(s.x[tile]) + CENTRE
    bit = 1 << column
    s.built[seat, row] &= ~bit
    s.above[seat, row] &= ~(bit & ~int(s.built[seat, row + 1]))  # streets of neighbours stay
    s.above[seat, row - 1] &= ~(bit & ~int(s.built[seat, row - 1]))
    s.right[seat, row] &= ~(bit & ~(int(s.built[seat, row]) >> 1))
    s.right[seat, row] &= ~(bit >> 1 & ~int(s.built[seat, row]))
    s.x[tile], s.y[tile] = 0, 0
    others = int(s.ways[tile])
    s.ways[tile] = 0
    while others:
        s.ways[lowest(others)] &= ~(1 << tile)
        others &= others - 1


@njit
def tile_at(s, seat, cell):
    """The tile in a cell of the city, the start tile as START + seat; 0 in an empty one."""
    if cell == HOME:
        return START + seat
    there = bits_equal(s.x, (cell & COLUMN_MASK) - CENTRE, ROW) & bits_equal(s.y, (cell >> ROW_SHIFT) - CENTRE, ROW)
    there &= np.uint64(s.in_city[seat])
    return lowest(there) if there else 0


@njit
def has_neighbour(s, seat, row, column, side):
    """Whether a tile lies beside a cell."""
    return s.built[seat, row + ROW_STEP[side]] >> (column + COLUMN_STEP[side]) & 1


@njit
def neighbours(s, seat, row, column):
    """The sides of a cell with a tile beside them, a bit for each side."""
    here = int(s.built[seat, row])
    north, south = int(s.built[seat, row + 1]) >> column & 1, int(s.built[seat, row - 1]) >> column & 1
    return north | (here >> column & 2) | south << 2 | (here >> (column - 1) & 1) << 3


@njit
def cell_of(s, tile):
    """The cell of a city tile."""
    return HOME + (int(s.y[tile]) << ROW_SHIFT) + int(s.x[tile])


@njit
def cell_action(cell):
    """The action of a cell."""
    return FIRST_CELL + CELLS_ACROSS * ((cell >> ROW_SHIFT) - FIRST) + (cell & COLUMN_MASK) - FIRST


@njit
def action_cell(action):
    """The cell of an action."""
    row, column = divmod(action - FIRST_CELL, CELLS_ACROSS)
    return (row + FIRST << ROW_SHIFT) + column + FIRST


@njit
def city_changed(s, seat, cell):
    """Bring the caches of the city up to date after tiles in this cell came or went."""
    row = cell >> ROW_SHIFT
    for near in range(max(row - 1, FIRST), min(row + 1, LAST) + 1):
        refresh_open(s, seat, near)
    refresh_whole(s, seat)


@njit
def survey_city(s, seat):
    """Recompute everything of a city from the tiles' places."""
    s.built[seat, :] = 0
    s.above[seat, :] = 0
    s.right[seat, :] = 0
    s.open_cells[seat, :] = 0
    s.ways[START + seat] = 0
    s.in_city[seat] = 0
    add_tile(s, seat, START + seat, HOME)
    for tile in range(1, START):
        if s.place[tile] == IN_CITY + seat:
            s.ways[tile] = 0
            s.in_city[seat] |= 1 << tile
            add_tile(s, seat, tile, cell_of(s, tile))
    for row in range(FIRST, LAST + 1):
        refresh_open(s, seat, row)
    refresh_whole(s, seat)


@njit
def refresh_whole(s, seat):
    """Recompute what depends on the whole city: its rows, usable and removable tiles, the street."""
    low, high = CENTRE, CENTRE
    while s.built[seat, low - 1]:
        low -= 1
    while s.built[seat, high + 1]:
        high += 1
    s.lowest_row[seat], s.highest_row[seat] = max(low - 1, FIRST), min(high + 1, LAST)
    if has_board(s, seat):
        board = board_of(s, seat)
        s.usable[seat] = usable_on(board)
        s.street[seat] = street_of(board)
    else:
        s.usable[seat] = usable_tiles(s, seat)
        s.street[seat] = street_length(s, seat, high, NO_TRIAL)
    refresh_removable(s, seat)


# ---------------------------------------------------------------- what may be removed


@njit
def refresh_removable(s, seat):
    """Recompute the tiles that may be removed: no hole is left, all others are still reached.  # NY-31, NY-33"""
    tiles = int(s.in_city[seat])
    ends, ways, rest = 0, ones_in(np.uint64(s.ways[START + seat])), tiles
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        degree = ones_in(np.uint64(s.ways[tile]))
        ways += degree
        ends |= (degree == 1) << tile
    is_tree = ways == 2 * ones_in(np.uint64(tiles))  # then only the ends are no bridges
    removable = 0
    s.removals[seat, :] = 0
    rest = ends if is_tree else tiles
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        cell = cell_of(s, tile)
        if is_at_the_edge(s, seat, cell) and (is_tree or is_no_bridge(s, tile)):
            removable |= 1 << tile
            action = np.uint64(cell_action(cell))
            s.removals[seat, (action >> U6) - U1] |= U1 << (action & U63)
    s.removable[seat] = removable


@njit
def is_at_the_edge(s, seat, cell):
    """Whether a neighbouring cell is empty.  # NY-43"""
    row, column = cell >> ROW_SHIFT, cell & COLUMN_MASK
    here = int(s.built[seat, row])
    return not (here >> 1 & here << 1 & int(s.built[seat, row + 1]) & int(s.built[seat, row - 1])) >> column & 1


@njit
def is_no_bridge(s, tile):
    """Whether the tiles next to this one on foot still reach each other without it.  # NY-42"""
    wanted = int(s.ways[tile])
    todo = wanted & -wanted
    reached = todo | 1 << tile
    wanted &= ~reached
    while wanted and todo:
        new = int(s.ways[lowest(todo)]) & ~reached
        reached |= new
        todo = todo & (todo - 1) | new
        wanted &= ~new
    return wanted == 0


# ---------------------------------------------------------------- the street


@njit
def street_length(s, seat, highest, trial):
    """Length of the longest continuous outer street: once around the outline, clockwise.  # NY-70, NY-71, section 8.1

    The outline is one closed curve. The walk begins on the north side of a tile in the highest row of the city, the
    trial tile being one of the city.
    """
    row, column, side = highest, lowest(built_with(s, seat, highest, trial)), 0
    row_0, column_0, side_0 = row, column, side
    best, run, first_run, breaks = 0, 0, 0, 0
    while True:
        if has_street_with(s, seat, row, column, side, trial):
            run += 1
        else:
            if breaks == 0:
                first_run = run
            breaks += 1
            best = max(best, run)
            run = 0
        row, column, side = side_beside(s, seat, row, column, side, CLOCKWISE, trial)
        if side == side_0 and row == row_0 and column == column_0:
            break
    if breaks == 0:  # a ring   [NY-R15]
        return run
    return max(best, run + first_run)


@njit
def built_with(s, seat, row, trial):
    """The cells of a row with a tile, the trial tile among them."""
    return int(s.built[seat, row]) | (trial.bit if row == trial.row else 0)


@njit
def has_street_with(s, seat, row, column, side, trial):
    """Whether there is a street on a side of a cell; on the trial tile's sides, what its own streets say."""
    if row == trial.row and column == trial.column:
        return trial.streets >> side & 1
    return has_street(s, seat, row, column, side)


@njit
def side_beside(s, seat, row, column, side, turn, trial):
    """The side of the outline beside this one (row, column, side), clockwise (turn 1) or the other way round (-1).

    It is on the tile ahead and outwards, on the tile ahead, or the next one of the same tile, whichever is the outline.
    """
    turned = (side + turn) & 3
    ahead_row, ahead_column = row + ROW_STEP[turned], column + COLUMN_STEP[turned]
    out_row, out_column = ahead_row + ROW_STEP[side], ahead_column + COLUMN_STEP[side]
    ahead = built_with(s, seat, ahead_row, trial) >> ahead_column & 1
    out = ahead & built_with(s, seat, out_row, trial) >> out_column
    row += ahead * ROW_STEP[turned] + out * ROW_STEP[side]
    column += ahead * COLUMN_STEP[turned] + out * COLUMN_STEP[side]
    return row, column, (side + turn * (1 - ahead - out)) & 3


@njit
def has_street(s, seat, row, column, side):
    """Whether there is a street on a side (0 N, 1 E, 2 S, 3 W) of a cell."""
    if side & 1:
        return int(s.right[seat, row]) >> (column - (side >> 1)) & 1
    return int(s.above[seat, row - (side >> 1)]) >> column & 1
