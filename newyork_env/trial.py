# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""How long the street of a city would be with one more tile, without building the tile. [RULES.md NY-41, NY-70]

The walk around the outline gets a `Trial`, a tile that it takes to lie in a cell. In a legal cell the streets of the
tile agree with those of its neighbours, so only the free sides of the tile bring something new to the outline.

A tile in an empty cell covers one stretch of the outline, the sides of its neighbours towards it, and puts its own free
sides in the place of that stretch. Then it is enough to walk from the tile to the next gap of the street in both
directions. A whole walk is needed only where the longest street may have run through the stretch that is covered.
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
    """How much longer the street gets by a tile with these streets in a legal cell, replacing a tile there, if any."""
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
    """The longest street with the trial tile in its empty cell, from the streets beside it; UNKNOWN if that fails.

    `old` is the longest run of streets through the stretch that the tile covers, `new` the longest run through the free
    sides of the tile. All other runs stay as they are.
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
