# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a city would be with one tile more, without building it: the walk along the street is told of the tile.

In a legal cell a tile's streets agree with those of its neighbours, so its four edges are what its own streets say,
and only on its free sides they can differ from what the city has: sides that the walk meets on the tile itself.
In an empty one its neighbours' sides towards it are one stretch of the outline, for which its free sides come: it is
enough to walk from there to the next gap of the street on both sides, unless the longest street lay just there.
[RULES.md NY-41, NY-70]
"""

from __future__ import annotations

from newyork_env.city import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    Trial,
    built_with,
    has_neighbour,
    has_street,
    side_beside,
    street_length,
)
from newyork_env.components import COLUMN_MASK, ROW_SHIFT
from skyline.core.jit import njit

UNKNOWN = -1


@njit
def street_change(s, seat, streets, cell):
    """How much longer the street is with a tile with these streets in a legal cell, whose tile it replaces, if any."""
    row, column = cell >> ROW_SHIFT, cell & COLUMN_MASK
    trial = Trial(row, column, 1 << column, streets)
    replaces = int(s.built[seat, row]) & trial.bit != 0
    if replaces and streets == _streets_of(s, seat, row, column):
        return 0
    length = UNKNOWN if replaces else _length_with(s, seat, trial)
    if length == UNKNOWN:
        highest = int(s.highest_row[seat])
        while built_with(s, seat, highest, trial) == 0:
            highest -= 1
        length = street_length(s, seat, highest, trial)
    return length - s.street[seat]


@njit
def _streets_of(s, seat, row, column):
    """The streets of the tile in a cell, a bit for each side."""
    streets = 0
    for side in range(4):
        streets |= has_street(s, seat, row, column, side) << side
    return streets


@njit
def _length_with(s, seat, trial):
    """The longest street with a tile in this empty cell, from what lies beside it; UNKNOWN if that is not enough.

    A run of streets that goes through the stretch is at most `old` long and becomes at most `new`; others stay.
    """
    row, column, streets = trial.row, trial.column, trial.streets
    first, free = 0, 0  # free sides, clockwise
    for side in range(4):
        if not has_neighbour(s, seat, row, column, side):
            free += 1
            if has_neighbour(s, seat, row, column, (side - 1) & 3):
                first = side
    last = (first + free - 1) & 3
    after = _run_beside(s, seat, trial, last, CLOCKWISE, first)
    if after == UNKNOWN:
        return UNKNOWN
    before = _run_beside(s, seat, trial, first, COUNTERCLOCKWISE, last)
    new = _longest(streets, first, CLOCKWISE, free, before, after)
    if new >= s.street[seat]:
        return new
    old = _longest(streets, (first - 1) & 3, COUNTERCLOCKWISE, 4 - free, before, after)
    return int(s.street[seat]) if old < s.street[seat] else UNKNOWN


@njit
def _run_beside(s, seat, trial, side, turn, end):
    """Sides with a street that follow a side of the tile on the outline; UNKNOWN if no gap comes before side `end`."""
    row, column, run = trial.row, trial.column, 0
    while True:
        row, column, side = side_beside(s, seat, row, column, side, turn, trial)
        if row == trial.row and column == trial.column and side == end:
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
