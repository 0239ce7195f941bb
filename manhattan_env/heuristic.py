# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The baseline player: one move ahead, over all its builds.

The value of a build is the change of the points of a round scored now (own points less the mean of the others'). The
value rises a little if no rival can take the tower back with the pieces chosen for this round, and if the tower was a
rival's; it falls a little with every floor that the piece has. A set is chosen whose heights are mixed like the stock,
so that the stock stays mixed to the last round. The player reads the mask (its own hand) and the public board only.

Every legal build has luck of its own, which decides between builds that are worth the same. The best build is found
without looking at most of them: the most that a piece on a site is worth without luck, from tables, is compared with
the other sites, and only where luck may still decide are the values computed.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.actions import BUILDS_PER_CITY, BUILDS_PER_COLOUR, FIRST_BUILD
from manhattan_env.components import (
    CITIES,
    COLOURS,
    COLOURS_IN_PLAY,
    HEIGHTS,
    OWN_COLOURS,
    SET_SIZE,
    SETS_OF_4,
    SETS_OF_6,
    SQUARES,
    TALLEST_POINTS,
)
from manhattan_env.pieces import highest_chosen
from manhattan_env.rules import set_colour
from manhattan_env.scoring import TOWER_OF, holder_of, seat_of, towers_of
from manhattan_env.state import NO_COLOUR, PHASE_SET
from manhattan_env.valuation import GAIN_OF_OWNER, owners_row
from skyline.core.choice import luck, luck_later
from skyline.core.jit import njit
from skyline.core.masks import count_legal, legal_below, lowest, random_legal
from skyline.core.wide import bits_of, ones_in
from skyline.rng import skip

SAFE = 0.5  # value of a tower that no chosen piece of a rival can take
TAKEN = 0.3  # value of taking a tower from a rival
FLOOR = 0.2  # price of each floor of the piece
NO_RIVAL = 255  # stands for a colour that is no rival's
LUCK = FLOOR / 10  # ties are broken by a random fraction of this value
NOBODYS, ITS_OWN, A_RIVALS = 0, 1, 2  # whose a tower is
FAR_BELOW = HEIGHTS + 1  # no piece reaches the tallest tower
NOTHING = -1e9  # less than any value
ONE, TWO, THREE = np.uint64(1), np.uint64(2), np.uint64(3)
NO_SITES = np.uint64(0)
EVERY_HEIGHT = np.uint64((1 << HEIGHTS) - 1)
MOST_READ = 32  # bytes of the mask at once
REST = BUILDS_PER_CITY - MOST_READ
EVERY_SQUARE = np.uint64(sum(1 << HEIGHTS * square for square in range(SQUARES)))


def _worths() -> np.ndarray:
    """WORTH[players, whose the tallest tower is, place, level]: what a piece of height level + 1 is worth beside
    `_worth_of_tower`; NOTHING where it is not legal. `_place` says what a place is."""
    share = np.array([0, 0, 1, 1 / 2, 1 / 3]).reshape(5, 1, 1, 1, 1, 1)
    tallest = np.array([0, 1, -1]).reshape(1, 3, 1, 1, 1, 1)  # NOBODYS, ITS_OWN, A_RIVALS
    before = np.where(tallest < 0, -share, tallest)
    lower, missing, heights, level = np.ogrid[: FAR_BELOW + 1, : HEIGHTS + 1, : 1 << HEIGHTS, :HEIGHTS]
    height = level + 1
    after = np.where(height > lower, 1.0, np.where(height == lower, 0.0, before))
    worth = TALLEST_POINTS * (after - before) - FLOOR * height + SAFE * (height > missing)
    return np.where(heights >> level & 1, worth, NOTHING).reshape(5, 3, -1, HEIGHTS)


WORTH = _worths()
MOST_WORTH = WORTH.max(-1)
BEST_LEVELS = (MOST_WORTH[..., np.newaxis] - LUCK < WORTH) @ (np.uint64(1) << np.arange(HEIGHTS, dtype=np.uint64))


@njit
def heuristic(s, mask, stream):
    """The baseline player's action."""
    if s.phase == PHASE_SET:
        return _best_set(s, mask, stream)
    build = _best_build(s, mask, stream)
    return build if build >= 0 else random_legal(mask, stream)


@njit
def _best_build(s, mask, stream):
    """The best build, -1 if there is none."""
    own = int(OWN_COLOURS[s.players])
    highest, tallest = _highest_of_rivals(s, own), _whose(s, int(s.top_owner), own)
    best, best_value, most = -1, NOTHING, NOTHING
    for c in range(own):
        colour, first = s.seat * own + c, FIRST_BUILD[s.players] + BUILDS_PER_COLOUR * c
        gains = GAIN_OF_OWNER[s.players, colour]
        most, sites = _best_sites(s, mask, first, colour, own, highest, most)
        while sites:
            site = lowest(sites)
            sites &= sites - ONE
            at, city = first + HEIGHTS * site, site // SQUARES
            heights, towers = bits_of(mask, at, HEIGHTS), towers_of(s, city) + TOWER_OF[colour]
            worth = _worth_of_tower(s, gains, towers, int(s.majority[city]), site, own)
            place = _place(s, site, _missing(s, colour, site, highest), heights)
            levels, draws = BEST_LEVELS[s.players, tallest, place], legal_below(mask, at)
            while levels:
                level = lowest(levels)
                levels &= levels - ONE
                draw = draws + ones_in(heights & ((ONE << np.uint64(level)) - ONE))
                value = worth + WORTH[s.players, tallest, place, level] + luck_later(stream, LUCK, draw)
                if value > best_value:
                    best, best_value = at + level, value
    if best >= 0:
        skip(stream, count_legal(mask))
    return best


@njit
def _best_sites(s, mask, first, colour, own, highest, most):
    """What a piece of the colour is worth at most, and the sites, as bits, where its luck can make it the best.

    `first`: the colour's first build; `most`: what a piece of another colour is worth.
    """
    tallest, best = _whose(s, int(s.top_owner), own), NO_SITES
    gains, others = GAIN_OF_OWNER[s.players, colour], MOST_WORTH[s.players, tallest]
    for city in range(CITIES):
        towers, majority = towers_of(s, city) + TOWER_OF[colour], int(s.majority[city])
        pieces = _pieces_of_city(mask, first + BUILDS_PER_CITY * city)
        squares = (pieces | pieces >> ONE | pieces >> TWO | pieces >> THREE) & EVERY_SQUARE
        while squares:
            at = lowest(squares)
            squares &= squares - ONE
            site, heights = SQUARES * city + at // HEIGHTS, pieces >> np.uint64(at) & EVERY_HEIGHT
            worth = _worth_of_tower(s, gains, towers, majority, site, own)
            worth += others[_place(s, site, _missing(s, colour, site, highest), heights)]
            best = NO_SITES if worth > most + LUCK else best
            best |= ONE << np.uint64(site) if worth > most - LUCK else NO_SITES
            most = max(most, worth)
    return most, best


@njit
def _pieces_of_city(mask, at):
    """The legal builds of a city, bit 4 * square + height - 1. (With one read of 36 bytes a move takes 2 .. 5 %
    longer.)"""
    return bits_of(mask, at, MOST_READ) | bits_of(mask, at + MOST_READ, REST) << np.uint64(MOST_READ)


@njit
def _place(s, site, missing, heights):
    """One number for all that MOST_WORTH and BEST_LEVELS ask of a site: floors that its tower is lower than the tallest
    one, 0 .. 5; floors missing, 0 .. 4; the legal heights, four bits."""
    lower = np.int64(s.top_height) - np.int64(s.height[site])
    row = (lower if lower < FAR_BELOW else FAR_BELOW) * (HEIGHTS + 1) + min(max(missing, 0), HEIGHTS)
    return np.uint64(row << HEIGHTS) | heights


@njit
def _worth_of_tower(s, gains, towers, majority, site, own):
    """What it is worth that the tower becomes the colour's, whatever the piece.

    `gains`: the colour's part of GAIN_OF_OWNER; `towers`: `towers_of` the city, with one more for the colour.
    """
    owner = int(s.owner[site])
    taken = TAKEN if _whose(s, owner, own) == A_RIVALS else 0.0
    return gains[owners_row(owner, majority, holder_of(towers - TOWER_OF[owner]))] + taken


@njit
def _whose(s, colour, own):
    """NOBODYS, ITS_OWN or A_RIVALS."""
    if colour == NO_COLOUR:
        return NOBODYS
    return ITS_OWN if seat_of(colour, own) == s.seat else A_RIVALS


@njit
def _missing(s, colour, site, highest):
    """With how many floors more the colour would have as many in the tower as a rival could have."""
    return _reach_of_rivals(s, site, highest) - int(s.floors[colour, site])


@njit
def _highest_of_rivals(s, own):
    """The highest chosen piece of every colour in one word, a byte a colour; 255 for one that is no rival's."""
    word = 0
    for c in range(COLOURS):
        is_rivals = c < COLOURS_IN_PLAY[s.players] and seat_of(c, own) != s.seat
        word |= (highest_chosen(s, c) if is_rivals else NO_RIVAL) << 8 * c
    return word


@njit
def _reach_of_rivals(s, site, highest):
    """The most floors that a rival's colour could have in the tower by one chosen piece."""
    reach = -1
    for c in range(COLOURS):
        piece = highest >> 8 * c & 255
        if piece != NO_RIVAL:
            reach = max(reach, int(s.floors[c, site]) + piece)
    return reach


@njit
def _best_set(s, mask, stream):
    """The set most like the stock: least sum of squared differences from an even share of every height."""
    sets = SETS_OF_4 if SET_SIZE[s.players] == 4 else SETS_OF_6
    stock = s.stock[set_colour(s)]
    size = int(SET_SIZE[s.players])
    share = size / (int(stock[0]) + int(stock[1]) + int(stock[2]) + int(stock[3]))
    e1, e2, e3, e4 = stock[0] * share, stock[1] * share, stock[2] * share, stock[3] * share
    best, best_value = -1, NOTHING
    for action in range(sets.shape[0]):
        if mask[action]:
            d1, d2 = sets[action, 0] - e1, sets[action, 1] - e2
            d3, d4 = sets[action, 2] - e3, sets[action, 3] - e4
            value = luck(stream, LUCK) - (d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4)
            if value > best_value:
                best, best_value = action, value
    return best
