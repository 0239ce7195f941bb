# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The baseline player: one move ahead, over all its builds.

A build is worth the change of the points of a round scored now (own less the mean of the others), a little more if
no rival can take the tower back with the pieces chosen for this round, or if it takes a rival's tower, and a little
less for every floor it spends. Sets are chosen like the stock: the heights stay mixed to the last round.
It reads the mask (its own hand) and the public board only.
"""

from __future__ import annotations

from manhattan_env.actions import BUILDS_PER_COLOUR, FIRST_BUILD, FIRST_DISCARD
from manhattan_env.components import COLOURS_IN_PLAY, HEIGHTS, OWN_COLOURS, SET_SIZE, SETS_OF_4, SETS_OF_6
from manhattan_env.rules import set_colour
from manhattan_env.scoring import gain, highest_chosen
from manhattan_env.state import NO_COLOUR, PHASE_SET
from skyline.jit import njit
from skyline.rng import below

SAFE = 0.5  # no rival's chosen piece can take the tower
TAKEN = 0.3  # the tower was a rival's
FLOOR = 0.2  # each floor of the piece
LUCK = 1024  # ties are broken by a random fraction of FLOOR / 10


@njit
def heuristic(s, mask, stream):
    """The baseline player's action."""
    if s.phase == PHASE_SET:
        return _best_set(s, mask, stream)
    best, best_value = -1, -1e9
    first, end = FIRST_BUILD[s.players], FIRST_DISCARD[s.players]
    for action in range(first, mask.shape[0]):
        if mask[action]:
            value = _luck(stream)
            if action < end:
                value += _worth(s, action - first)
            if value > best_value:
                best, best_value = action, value
    return best


@njit
def _luck(stream):
    return FLOOR / 10 * below(stream, LUCK) / LUCK


@njit
def _worth(s, number):
    c, rest = divmod(number, BUILDS_PER_COLOUR)
    site, level = divmod(rest, HEIGHTS)
    own = int(OWN_COLOURS[s.players])
    colour, height = s.seat * own + c, level + 1
    value = gain(s, colour, site, height, 1.0 / (s.players - 1.0)) - FLOOR * height
    before = int(s.owner[site])
    if before != NO_COLOUR and before // own != s.seat:
        value += TAKEN
    if _safe(s, colour, site, height, own):
        value += SAFE
    return value


@njit
def _safe(s, colour, site, height, own):
    """Whether no rival's chosen piece could take the tower after this build."""
    floors = int(s.floors[colour, site]) + height
    for other in range(COLOURS_IN_PLAY[s.players]):
        if other // own != s.seat and int(s.floors[other, site]) + highest_chosen(s, other) >= floors:
            return False
    return True


@njit
def _best_set(s, mask, stream):
    """The set most like the stock: least sum of squared differences from an even share of every height."""
    sets = SETS_OF_4 if SET_SIZE[s.players] == 4 else SETS_OF_6
    stock = s.stock[set_colour(s)]
    size, total = int(SET_SIZE[s.players]), 0
    for level in range(HEIGHTS):
        total += stock[level]
    best, best_value = -1, -1e9
    for action in range(sets.shape[0]):
        if mask[action]:
            value = _luck(stream)
            for level in range(HEIGHTS):
                difference = sets[action, level] - stock[level] * size / total
                value -= difference * difference
            if value > best_value:
                best, best_value = action, value
    return best
