# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What things are worth to a seat: a piece on a site, in points of a round that is scored now.

For the heuristic and the rich slices of the observation. Everything here reads the public board only.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from manhattan_env.components import (
    CITY_POINTS,
    COLOURS,
    MAX_PLAYERS,
    OWN_COLOURS,
    PLAYER_COUNTS,
    SQUARES,
    TALLEST_POINTS,
    TOWER_POINTS,
)
from manhattan_env.scoring import majority_after, seat_of
from manhattan_env.state import NO_COLOUR
from skyline.core.jit import njit

OWNERS = COLOURS + 1  # of a tower or a city: nobody, or a colour


def _gains_of_owner() -> np.ndarray:
    """GAIN_OF_OWNER[players, colour, owners_row(..)]: `gain_of_owner` of a piece of the colour."""
    table = np.zeros((MAX_PLAYERS + 1, COLOURS, OWNERS**3))
    for players, colour in product(PLAYER_COUNTS, range(COLOURS)):
        seats = np.arange(COLOURS) // OWN_COLOURS[players]
        weight = np.array([0.0, *np.where(seats == seats[colour], 1.0, -1.0 / (players - 1.0))])
        towers = weight[colour + 1] - weight[:, np.newaxis, np.newaxis]
        cities = weight - weight[:, np.newaxis]
        table[players, colour] = (TOWER_POINTS * towers + CITY_POINTS * cities).ravel()
    return table


GAIN_OF_OWNER = _gains_of_owner()


@njit
def gain(s, colour, site, height, share):
    """Change of the points of a round scored now by a piece on a site.

    A point for a colour of the own seat counts 1, a point for any other colour counts -share.
    """
    return gain_of_owner(s, colour, site) + gain_of_tallest(s, colour, site, height, share)


@njit
def gain_of_owner(s, colour, site):
    """The part of `gain` that comes from the tower's owner: the tower's point, the city's majority."""
    before, city = int(s.owner[site]), site // SQUARES
    return GAIN_OF_OWNER[
        s.players, colour, owners_row(before, int(s.majority[city]), majority_after(s, city, before, colour))
    ]


@njit
def owners_row(before, majority, after):
    """The row of GAIN_OF_OWNER: the tower's owner before, the city's majority before and after."""
    return np.uint64(OWNERS * OWNERS * (before + 1) + OWNERS * (majority + 1) + after + 1)


@njit
def gain_of_tallest(s, colour, site, height, share):
    """The part of `gain` that comes from the tallest tower."""
    own = int(OWN_COLOURS[s.players])
    seat = seat_of(colour, own)
    tallest = tallest_after(s, colour, site, height)
    return TALLEST_POINTS * (weight(tallest, seat, own, share) - weight(int(s.top_owner), seat, own, share))


@njit
def weight(colour, seat, own, share):
    """How much a point for the colour counts for the seat."""
    if colour == NO_COLOUR:
        return 0.0
    return 1.0 if seat_of(colour, own) == seat else -share


@njit
def tallest_after(s, colour, site, height):
    """The owner of the single tallest tower after the piece, or NO_COLOUR."""
    after = np.int64(s.height[site]) + height
    top = np.int64(s.top_height)
    below = np.int64(s.top_owner) if after < top else NO_COLOUR
    return colour if after > top else below
