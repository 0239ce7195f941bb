# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a city would be with one tile more, without building it: the street is walked on words changed for the moment.

In a legal cell a tile's streets agree with those of its neighbours, so its four edges are what its own streets say.
[RULES.md NY-41, NY-70]
"""

from __future__ import annotations

from newyork_env.city import street_length
from newyork_env.components import COLUMN_MASK, ROW_SHIFT, STREETS
from skyline.jit import njit


@njit
def street_change(s, seat, tile, cell):
    """How much longer the street is with the tile in a legal cell, whose tile (if there is one) it replaces."""
    row, column = cell >> ROW_SHIFT, cell & COLUMN_MASK
    bit, streets = 1 << column, STREETS[tile]
    built, above = int(s.built[seat, row]), int(s.above[seat, row])
    below, right = int(s.above[seat, row - 1]), int(s.right[seat, row])
    s.built[seat, row] = built | bit
    s.above[seat, row] = above & ~bit | (streets & 1) << column
    s.above[seat, row - 1] = below & ~bit | (streets >> 2 & 1) << column
    s.right[seat, row] = right & ~(bit | bit >> 1) | (streets >> 1 & 1) << column | (streets >> 3 & 1) << (column - 1)
    highest = int(s.highest_row[seat])
    while s.built[seat, highest] == 0:
        highest -= 1
    change = street_length(s, seat, highest) - s.street[seat]
    s.built[seat, row], s.above[seat, row], s.above[seat, row - 1], s.right[seat, row] = built, above, below, right
    return change
