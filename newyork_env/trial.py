# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a city would be with one tile more, without building it: the street is walked on words changed for the moment.

In a legal cell a tile's streets agree with those of its neighbours, so its four edges are what its own streets say.
In an empty one its neighbours' sides towards it are one stretch of the outline, for which its free sides come: it is
enough to walk from there to the next gap of the street on both sides, unless the longest street lay just there.
[RULES.md NY-41, NY-70]
"""

from __future__ import annotations

from newyork_env.city import CLOCKWISE, COUNTERCLOCKWISE, has_neighbour, has_street, side_beside, street_length
from newyork_env.components import COLUMN_MASK, ROW_SHIFT
from skyline.jit import njit

UNKNOWN = -1


@njit
def street_change(s, seat, streets, cell):
    """How much longer the street is with a tile with these streets in a legal cell, whose tile it replaces, if any."""
    row, column = cell >> ROW_SHIFT, cell & COLUMN_MASK
    bit = 1 << column
    built, above = int(s.built[seat, row]), int(s.above[seat, row])
    below, right = int(s.above[seat, row - 1]), int(s.right[seat, row])
    if built & bit and streets == _streets_of(s, seat, row, column):
        return 0
    s.built[seat, row] = built | bit
    s.above[seat, row] = above & ~bit | (streets & 1) << column
    s.above[seat, row - 1] = below & ~bit | (streets >> 2 & 1) << column
    s.right[seat, row] = right & ~(bit | bit >> 1) | (streets >> 1 & 1) << column | (streets >> 3 & 1) << (column - 1)
    length = UNKNOWN if built & bit else _length_with(s, seat, row, column, streets)
    if length == UNKNOWN:
        highest = int(s.highest_row[seat])
        while s.built[seat, highest] == 0:
            highest -= 1
        length = street_length(s, seat, highest)
    s.built[seat, row], s.above[seat, row], s.above[seat, row - 1], s.right[seat, row] = built, above, below, right
    return length - s.street[seat]


@njit
def _streets_of(s, seat, row, column):
    """The streets of the tile in a cell, a bit for each side."""
    streets = 0
    for side in range(4):
        streets |= has_street(s, seat, row, column, side) << side
    return streets


@njit
def _length_with(s, seat, row, column, streets):
    """The longest street with a tile just put into this cell, from what lies beside it; UNKNOWN if that is not enough.

    A run of streets that goes through the stretch was at most `old` long and is now at most `new`; others stay.
    """
    first, free = 0, 0  # free sides, clockwise
    for side in range(4):
        if not has_neighbour(s, seat, row, column, side):
            free += 1
            if has_neighbour(s, seat, row, column, (side - 1) & 3):
                first = side
    last = (first + free - 1) & 3
    after = _run_beside(s, seat, row, column, last, CLOCKWISE, first)
    if after == UNKNOWN:
        return UNKNOWN
    before = _run_beside(s, seat, row, column, first, COUNTERCLOCKWISE, last)
    new = _longest(streets, first, CLOCKWISE, free, before, after)
    if new >= s.street[seat]:
        return new
    old = _longest(streets, (first - 1) & 3, COUNTERCLOCKWISE, 4 - free, before, after)
    return int(s.street[seat]) if old < s.street[seat] else UNKNOWN


@njit
def _run_beside(s, seat, home_row, home_column, side, turn, end):
    """Sides with a street that follow a side of a cell on the outline; UNKNOWN if no gap comes before side `end`."""
    row, column, run = home_row, home_column, 0
    while True:
        row, column, side = side_beside(s, seat, row, column, side, turn)
        if row == home_row and column == home_column and side == end:
            return UNKNOWN
        if not has_street(s, seat, row, column, side):
            return run
        run += 1


@njit
def _longest(streets, first, turn, count, before, after):
    """The longest run in `before` streets, the sides of a tile from `first` on, and `after` streets."""
    best, run = 0, before
    for i in range(count):
        if streets >> ((first + turn * i) & 3) & 1:
            run += 1
        else:
            best, run = max(best, run), 0
    return max(best, run + after)
