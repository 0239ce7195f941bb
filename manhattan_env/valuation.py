# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What things are worth to a seat: a piece on a site, in points of a round that is scored now.

For the heuristic and the rich slices of the observation. Everything here reads the public board only.
"""

from __future__ import annotations

from manhattan_env.components import CITY_POINTS, HEIGHTS, OWN_COLOURS, SQUARES, TALLEST_POINTS, TOWER_POINTS
from manhattan_env.scoring import majority_after, seat_of
from manhattan_env.state import NO_COLOUR, NO_NEED
from skyline.core.jit import njit


@njit
def least_chosen(s, colour, site):
    """The lowest chosen piece of the colour that may go onto the site, or NO_NEED."""
    for height in range(s.need[colour, site], HEIGHTS + 1):
        if s.chosen[colour, height - 1]:
            return height
    return NO_NEED


@njit
def highest_chosen(s, colour):
    """The highest chosen piece of the colour, 0 if it has none."""
    for height in range(HEIGHTS, 0, -1):
        if s.chosen[colour, height - 1]:
            return height
    return 0


@njit
def gain(s, colour, site, height, share):
    """Change of the points of a round scored now by a piece on a site.

    A point for a colour of the own seat counts 1, a point for any other colour counts -share.
    """
    return gain_of_owner(s, colour, site, share) + gain_of_tallest(s, colour, site, height, share)


@njit
def gain_of_owner(s, colour, site, share):
    """The part of `gain` that comes from the tower's owner: the tower's point, the city's majority."""
    before = int(s.owner[site])
    if before == colour:
        return 0.0
    own, city = int(OWN_COLOURS[s.players]), site // SQUARES
    seat = seat_of(colour, own)
    towers = weight(colour, seat, own, share) - weight(before, seat, own, share)
    holder = majority_after(s, city, before, colour)
    cities = weight(holder, seat, own, share) - weight(int(s.majority[city]), seat, own, share)
    return TOWER_POINTS * towers + CITY_POINTS * cities


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
    after = int(s.height[site]) + height
    top = int(s.top_height)
    if after > top:
        return colour
    if after == top:
        return NO_COLOUR
    return int(s.top_owner)
