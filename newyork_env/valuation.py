# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What tiles are worth to a seat, in points, for the heuristic and the rich observation.

A tile counts by its type at the scorings to come, by the change of the own street, and by its open sides. Only cities
and scorings are read, which all seats see.
"""

from __future__ import annotations

from newyork_env.city import has_neighbour, row_fits, row_takes, tile_at
from newyork_env.components import COLUMN_MASK, DIRK, ROW_SHIFT, SHARE, STREETS, TYPE
from newyork_env.scoring import C, next_scoring, participants, rank_among, without
from newyork_env.trial import street_change
from skyline.core.jit import njit
from skyline.core.masks import lowest

FIRST_MORE, SECOND_MORE, LEAD = 0.6, 0.28, 0.15  # weights: points by one more tile, by a second, of the first place
STREET = 0.9  # worth of a segment at each scoring to come
OPEN_SIDE = 0.1  # worth of a side without street towards an empty cell
NOWHERE_TO_GO = -1e6


@njit
def type_worth(s, seat, kind, count):
    """What tile number `count` + 1 of a type is worth to the seat at the scorings to come."""
    value, others = 0.0, without(participants(s, kind, int(s.types[DIRK, kind])), int(s.types[seat, kind]))
    rank_now = rank_among(others, count)
    rank_one, rank_two = rank_among(others, count + 1), rank_among(others, count + 2)
    for scoring in range(next_scoring(s), C + 1):
        points = SHARE[scoring, kind]
        now, one, two = points[rank_now], points[rank_one], points[rank_two]
        value += FIRST_MORE * (one - now) + SECOND_MORE * (two - one) + LEAD * SHARE[scoring, kind, 0, 1]
    return value


@njit
def next_worth(s, seat, kind):
    """What one more tile of a type is worth to the seat."""
    return type_worth(s, seat, kind, int(s.types[seat, kind]))


@njit
def cell_worth(s, seat, tile, cell, more):
    """The worth of a tile in a cell; a tile there goes to the reserve. `more`: worth of one more tile of its type."""
    kind = TYPE[tile]
    value = 0.0
    row, column = cell >> ROW_SHIFT, cell & COLUMN_MASK
    other = tile_at(s, seat, cell) if int(s.built[seat, row]) >> column & 1 else 0
    if not other or TYPE[other] != kind:
        value += more
        if other:
            value -= type_worth(s, seat, TYPE[other], int(s.types[seat, TYPE[other]]) - 1)
    value += STREET * (C + 1 - next_scoring(s)) * street_change(s, seat, STREETS[tile], cell)
    for side in range(4):
        if not has_neighbour(s, seat, row, column, side):
            value += OPEN_SIDE * (1 - (STREETS[tile] >> side & 1))
    return value


@njit
def best_cell_worth(s, seat, tile, may_replace):
    """The tile's worth in its best cell."""
    best = NOWHERE_TO_GO
    streets, more = STREETS[tile], next_worth(s, seat, TYPE[tile])
    for row in range(s.lowest_row[seat], s.highest_row[seat] + 1):
        columns = row_takes(s, seat, row, streets) if may_replace else row_fits(s, seat, row, streets)
        while columns:
            cell = (row << ROW_SHIFT) + lowest(columns)
            columns &= columns - 1
            best = max(best, cell_worth(s, seat, tile, cell, more))
    return best


@njit
def tile_worth(s, seat, tile):
    """The tile's worth if it is bought; a tile that fits nowhere still counts in part, by its type."""
    value = best_cell_worth(s, seat, tile, False)
    return value if value > NOWHERE_TO_GO else 0.5 * next_worth(s, seat, TYPE[tile]) - 2
