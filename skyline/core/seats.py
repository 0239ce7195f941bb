# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Seats seen from a viewer: the viewer is 0, the seat that decides after it 1, and so on round the table.

    seat of the j-th     around(viewer, j, players)          viewer 2 of 4:   j      0 1 2 3
    the j of a seat      seen_from(viewer, seat, players)                     seat   2 3 0 1
    values of all seats  write_seats(out, at, values, viewer, players)        out    values[2], [3], [0], [1]

A comparison takes the place of a division, which costs more than the slice of the observation that it is for.
"""

from __future__ import annotations

from skyline.core.jit import njit
from skyline.core.wide import widen_from
from skyline.game import MOST_SEATS

SEAT_LANES = MOST_SEATS  # values that are written at once


@njit
def around(first, j, n):
    """The j-th of n seats (or colours) after the first one, going round; j is below n."""
    return first + j if first + j < n else first + j - n


@njit
def seen_from(viewer, seat, n):
    """How far the seat is behind the viewer, going round n seats."""
    return seat - viewer if seat >= viewer else seat - viewer + n


@njit
def write_seats(out, at, values, viewer, n):
    """A value of each of n seats, turned to the viewer. Whole vectors are written; the values too many are overwritten
    by what comes next."""
    widen_from(out, at, values, viewer, SEAT_LANES)
    widen_from(out, at + n - viewer, values, 0, SEAT_LANES)
