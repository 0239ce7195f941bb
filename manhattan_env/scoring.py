# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The points of a round and the caches behind them. [RULES.md MH-21 .. MH-25, section 8]

`survey` recomputes every cache from owners, heights and floors; `site_changed` brings the caches up to date after one
piece. The tests compare the two after every move.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import (
    ALL_HEIGHTS,
    CITIES,
    CITY_POINTS,
    COLOURS,
    COLOURS_IN_PLAY,
    HEIGHTS,
    OWN_COLOURS,
    SITES,
    SITES_A_WORD,
    SQUARES,
    TALLEST_POINTS,
    TOWER_POINTS,
)
from manhattan_env.state import NO_COLOUR, NO_NEED
from skyline.core.jit import njit

EVERY_HEIGHT = np.uint64(ALL_HEIGHTS)
EVERY_COLOUR = np.uint64(sum(1 << CITIES * colour for colour in range(COLOURS)))  # the bits of a city in `won`
POINT_BITS = 16
POINT_MASK = np.uint64((1 << POINT_BITS) - 1)
POINT_OF = np.array([*(1 << POINT_BITS * colour for colour in range(COLOURS)), 0], np.uint64)  # the last for NO_COLOUR
WON_IN = np.array([*(1 << CITIES * colour for colour in range(COLOURS)), 0], np.uint64)  # the bit of city 0 in `won`
TOWER_OF = np.array([1, 10, 100, 1000, 0])  # by colour, the last one for NO_COLOUR: a tower in `towers_of`


def _holders() -> np.ndarray:
    """HOLDER[towers]: the colour with more towers than every other, or NO_COLOUR, by `towers_of`."""
    towers = np.arange(10**COLOURS) // TOWER_OF[:COLOURS, np.newaxis] % 10
    most = towers.max(0)
    is_tied = (towers == most).sum(0) > 1
    return np.where(is_tied, NO_COLOUR, towers.argmax(0)).astype(np.int8)


HOLDER = _holders()


@njit
def least_height(s, colour, site):
    """The least height of a piece the colour may put on the site: 1 .. 4, or NO_NEED.  # MH-10, MH-11"""
    owner = s.owner[site]
    if owner in (NO_COLOUR, colour):
        return 1
    missing = int(s.floors[owner, site]) - int(s.floors[colour, site])
    return min(max(missing, 1), NO_NEED)


@njit
def _set_need(s, colour, site, least):
    s.need[colour, site] = least
    word, shift = site // SITES_A_WORD, np.uint64(HEIGHTS * (site % SITES_A_WORD))
    heights = np.uint64(ALL_HEIGHTS & ALL_HEIGHTS << least - 1)
    s.fits[colour, word] = s.fits[colour, word] & ~(EVERY_HEIGHT << shift) | heights << shift


@njit
def city_majority(s, city):
    """The colour that owns more towers in the city than every other, or NO_COLOUR.  # MH-22"""
    return majority_after(s, city, NO_COLOUR, NO_COLOUR)


@njit
def majority_after(s, city, loser, winner):
    """The majority in the city if a tower passed from `loser` to `winner` (NO_COLOUR: from or to nobody)."""
    return holder_of(towers_of(s, city) + TOWER_OF[winner] - TOWER_OF[loser])


@njit
def holder_of(towers):
    """The colour that owns more towers than every other, or NO_COLOUR, by `towers_of`."""
    return np.int64(HOLDER[np.uint64(towers)])


@njit
def towers_of(s, city):
    """How many towers every colour owns in the city, a digit a colour."""
    towers = s.towers
    return (
        np.int64(towers[0, city])
        + 10 * np.int64(towers[1, city])
        + 100 * np.int64(towers[2, city])
        + 1000 * np.int64(towers[3, city])
    )


@njit
def round_points(s, colour):
    """The points of the colour if the round were scored now, which `points_now` holds.  # MH-21 .. MH-24"""
    points = 0
    for city in range(CITIES):
        points += TOWER_POINTS * int(s.towers[colour, city])
        if s.majority[city] == colour:
            points += CITY_POINTS
    if s.top_owner == colour:  # MH-21
        points += TALLEST_POINTS
    return points


@njit
def score_round(s):
    """Every colour's points go to the seat that owns it.  # MH-18, MH-25"""
    own = int(OWN_COLOURS[s.players])
    for colour in range(COLOURS_IN_PLAY[s.players]):
        s.scores[seat_of(colour, own)] += np.int64(s.points_now >> np.uint64(POINT_BITS * colour) & POINT_MASK)


@njit
def site_changed(s, site, previous_owner, height_before, colour):
    """Bring the caches up to date after a piece of `colour` came onto the site that `previous_owner` held."""
    top = int(s.floors[colour, site])
    for c in range(COLOURS):
        _set_need(s, c, site, min(max(top - int(s.floors[c, site]), 1), NO_NEED))  # MH-10, MH-11
    height, tallest = int(s.height[site]), int(s.top_owner)
    if previous_owner != colour:
        city = site // SQUARES
        s.towers[colour, city] += 1
        if previous_owner != NO_COLOUR:
            s.towers[previous_owner, city] -= 1
            if s.colour_best[previous_owner] == height_before:
                s.colour_best[previous_owner] = best_of(s, previous_owner)
        s.points_now += np.uint64(TOWER_POINTS) * (_point(colour) - _point(previous_owner))
        _set_majority(s, city, city_majority(s, city))
    s.colour_best[colour] = max(int(s.colour_best[colour]), height)
    compare_with_tallest(s, height, colour)
    s.points_now += np.uint64(TALLEST_POINTS) * (_point(int(s.top_owner)) - _point(tallest))


@njit
def _set_majority(s, city, holder):
    before = int(s.majority[city])
    s.majority[city] = holder
    s.points_now += np.uint64(CITY_POINTS) * (_point(holder) - _point(before))
    s.won = s.won & ~(EVERY_COLOUR << np.uint64(city)) | WON_IN[holder] << np.uint64(city)


@njit
def _point(colour):
    """One point for the colour in a word of points; none for NO_COLOUR."""
    return POINT_OF[colour]


@njit
def compare_with_tallest(s, height, owner):
    """A tower has got this height: nobody owns the tallest tower if another is as high.  # MH-21, MH-R12"""
    if height > s.top_height:
        s.top_height, s.top_owner = height, owner
    elif height == s.top_height:
        s.top_owner = NO_COLOUR


@njit
def best_of(s, colour):
    """Height of the colour's tallest tower, 0 if it owns none."""
    owner, height = s.owner[:SITES], s.height[:]
    best = 0
    for site in range(owner.shape[0]):
        best = max(best, int(height[site]) * (owner[site] == colour))
    return best


@njit
def survey(s):
    """Recompute every cache of the towers from owner, height and floors."""
    s.towers[:] = 0
    s.top_height, s.top_owner = 0, NO_COLOUR
    for site in range(SITES):
        for c in range(COLOURS):
            _set_need(s, c, site, least_height(s, c, site))
        if s.owner[site] == NO_COLOUR:
            continue
        s.towers[s.owner[site], site // SQUARES] += 1
        compare_with_tallest(s, s.height[site], s.owner[site])
    for city in range(CITIES):
        _set_majority(s, city, city_majority(s, city))
    s.points_now = np.uint64(0)
    for c in range(COLOURS):
        s.colour_best[c] = best_of(s, c)
        s.points_now += np.uint64(round_points(s, c)) * _point(c)


@njit
def seat_of(colour, own):
    """The seat that owns the colour, if every seat owns `own` colours, 1 or 2. (A shift is faster than a division.)"""
    return colour >> (own - 1)
