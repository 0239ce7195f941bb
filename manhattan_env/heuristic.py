# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The baseline player: one move ahead, over all its builds.

The value of a build is the change of the points of a round scored now (own points less the mean of the others'). The
value rises a little if no rival can take the tower back with the pieces chosen for this round, and if the tower was a
rival's; it falls a little with every floor that the piece has. A set is chosen whose heights are mixed like the stock,
so that the stock stays mixed to the last round. The player reads the mask (its own hand) and the public board only.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.actions import BUILDS_PER_COLOUR, FIRST_BUILD
from manhattan_env.components import (
    COLOURS,
    COLOURS_IN_PLAY,
    HEIGHTS,
    OWN_COLOURS,
    SET_SIZE,
    SETS_OF_4,
    SETS_OF_6,
    SITES,
)
from manhattan_env.rules import set_colour
from manhattan_env.scoring import seat_of
from manhattan_env.state import NO_COLOUR, PHASE_SET
from manhattan_env.valuation import gain_of_owner, gain_of_tallest, highest_chosen
from skyline.core.choice import luck
from skyline.core.jit import njit
from skyline.core.masks import random_legal

SAFE = 0.5  # value of a tower that no chosen piece of a rival can take
TAKEN = 0.3  # value of taking a tower from a rival
FLOOR = 0.2  # price of each floor of the piece
NO_RIVAL = 255  # stands for a colour that is no rival's
LUCK = FLOOR / 10  # ties are broken by a random fraction of this value


@njit
def heuristic(s, mask, stream):
    """The baseline player's action."""
    if s.phase == PHASE_SET:
        return _best_set(s, mask, stream)
    build = _best_build(s, mask, stream)
    return build if build >= 0 else random_legal(mask, stream)


@njit
def _best_build(s, mask, stream):
    """The best build, -1 if there is none. What does not depend on the height is computed once a site."""
    own = int(OWN_COLOURS[s.players])
    share = 1.0 / (s.players - 1.0)
    highest = _highest_of_rivals(s, own)
    best, best_value = -1, -1e9
    for c in range(own):
        colour = s.seat * own + c
        first = FIRST_BUILD[s.players] + BUILDS_PER_COLOUR * c
        heights_of = mask[first : first + BUILDS_PER_COLOUR].view(np.int32)
        for site in range(SITES):
            if heights_of[site] == 0:
                continue
            owned = gain_of_owner(s, colour, site, share)
            missing = _reach_of_rivals(s, site, highest) - int(s.floors[colour, site])
            taken = TAKEN if _is_rivals(s, site, own) else 0.0
            for height in range(1, HEIGHTS + 1):
                action = first + HEIGHTS * site + height - 1
                if mask[action]:
                    value = owned + gain_of_tallest(s, colour, site, height, share)
                    value += taken - FLOOR * height + (SAFE if height > missing else 0.0) + luck(stream, LUCK)
                    if value > best_value:
                        best, best_value = action, value
    return best


@njit
def _is_rivals(s, site, own):
    owner = int(s.owner[site])
    return owner != NO_COLOUR and seat_of(owner, own) != s.seat


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
    best, best_value = -1, -1e9
    for action in range(sets.shape[0]):
        if mask[action]:
            d1, d2 = sets[action, 0] - e1, sets[action, 1] - e2
            d3, d4 = sets[action, 2] - e3, sets[action, 3] - e4
            value = luck(stream, LUCK) - (d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4)
            if value > best_value:
                best, best_value = action, value
    return best
