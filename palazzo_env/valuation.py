# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What palaces and tiles are worth to a seat, for the heuristic and the rich observation. All of this is public.

The worth of a palace is its points plus a share of its prospects, which is how much better the palace may still become.
The share is called `hope`: 1 while many turns are left, 0 near the end of the game.
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import BELOW_PILE_2, FLOORS, KNIGHTS, LEAST_SHARED, STACK, TILE_FLOORS
from palazzo_env.keys import CODE_TALLY, KINDS, kind_of, on_top, parts_of, tally, top_in
from palazzo_env.scoring import POINTS
from skyline.core.jit import njit

FEW_DRAWS, MANY_DRAWS = 2.0, 8.0  # hope is 0 with 2 `draw` turns left and 1 with 8 turns more

# Where a tile may go besides the palaces in the slots.
NEW, SCRAP, ON_FIRST, ON_SECOND = -1, -2, -3, -4
NOWHERE = -9  # no tile is placed yet
NO_SECOND = -1  # there is no other tile


def _prospect(kind: int) -> float:
    """What a palace of this kind is worth while there is time to build on."""
    length, windows, uniform, top = parts_of(kind)
    points = float(POINTS[kind])
    if length == 0:
        return 0.0
    if length == 1:
        return 0.8 + 0.7 * windows - 0.5 * (top - 1)
    if length == 2:
        return 1.0 if top == FLOORS else windows + 0.5 + 1.5 * uniform
    if length >= FLOORS or top == FLOORS:
        return points
    return points + 1.5 + 1.25 * uniform


PROSPECT = np.array([_prospect(kind) for kind in range(KINDS)]) - POINTS  # less the points


# Tenths of the turns until the last of m knights among e entries, m (e + 1) / (m + 1) halved: a division at each
# observation takes as long as a slice.
TO_LAST_KNIGHT = np.array([
    [(10 * m * (e + 1) + m + 1) // (2 * (m + 1)) for e in range(BELOW_PILE_2 + 1)] for m in range(KNIGHTS + 1)
])  # fmt: skip


@njit
def expected_draws(s):
    """Tenths of the `draw` turns left on the average: until the last of m knights among the e entries of pile III."""
    left = STACK - int(s.stack_top)
    entries = min(left, BELOW_PILE_2)
    return TO_LAST_KNIGHT[KNIGHTS - int(s.knights), entries] + 5 * (left - entries)


@njit
def hope_of(s):
    """The share of the prospects in the worth of a palace, 0 .. 1."""
    return min(1.0, max(0.0, (expected_draws(s) / 10 - FEW_DRAWS) / MANY_DRAWS))


@njit
def worth(key, hope):
    """What a palace is worth; 0 for the key 0, which is no palace."""
    return _worth_in(tally(key), hope)


@njit
def _worth_in(word, hope):
    """What a palace with this tally is worth."""
    kind = kind_of(word)
    return POINTS[kind] + hope * PROSPECT[kind]


@njit
def _best_place(s, seat, tile, hope, used, also_used, first, second):
    """Where the tile gains most: (gain, place, the palace it makes).

    The tiles of the lot before this one have turned the slots `used` and `also_used` into the palaces `first` and
    `second` (0: none).
    """
    gain, place, palace = 0.0, SCRAP, 0
    for candidate in range(ON_SECOND, s.palace_count[seat]):
        if candidate == SCRAP or (candidate >= 0 and candidate in (used, also_used)):
            continue
        key = np.int64(0)
        if candidate >= 0:
            key = np.int64(s.palaces[seat, candidate])
        elif candidate == ON_FIRST:
            key = first
        elif candidate == ON_SECOND:
            key = second
        word = tally(key)
        if (key == 0) != (candidate == NEW) or (key and top_in(word) >= TILE_FLOORS[tile]):
            continue
        here = _worth_in(word + CODE_TALLY[tile + 1], hope) - _worth_in(word, hope)
        if here > gain:
            gain, place, palace = here, candidate, on_top(key, tile)
    return gain, place, palace


@njit
def gain_of(s, seat, tile_1, tile_2, tile_3, count, hope):
    """What the first `count` of these tiles add to the seat's palaces, each in its turn at its best place."""
    total, used, also_used, first, second = 0.0, NOWHERE, NOWHERE, 0, 0
    for i in range(count):
        tile = tile_1 if i == 0 else tile_2 if i == 1 else tile_3
        gain, place, palace = _best_place(s, seat, tile, hope, used, also_used, first, second)
        total += gain
        if i == 0:
            used, first = place, palace
        elif place == ON_FIRST:
            first = palace
        else:
            also_used, second = place, palace
    return total


@njit
def tile_gain(s, seat, tile, hope):
    """What one tile adds."""
    return gain_of(s, seat, tile, 0, 0, 1, hope)


@njit
def lot_gain(s, seat, tiles, size, hope):
    """What up to three tiles add."""
    return gain_of(s, seat, np.int64(tiles[0]), np.int64(tiles[1]), np.int64(tiles[2]), size, hope)


@njit
def pair_gain(s, seat, tile, other, hope):
    """What two tiles add, the lower one built first."""
    return gain_of(s, seat, min(tile, other), max(tile, other), 0, 2, hope)


@njit
def best_tile(s, seat, tiles, size, hope):
    """(gain, tile) of the tile among these that adds most; (0, -1) without tiles."""
    best, chosen = -1.0, np.int64(-1)
    for i in range(size):
        gain = tile_gain(s, seat, np.int64(tiles[i]), hope)
        if gain > best:
            best, chosen = gain, np.int64(tiles[i])
    return max(best, 0.0), chosen


@njit
def best_second(s, seat, tiles, size, first, hope):
    """(gain, tile) of the two tiles `first` and the best other one of these; (0, -1) without another."""
    best, chosen, skipped = -1.0, np.int64(NO_SECOND), False
    for i in range(size):
        tile = np.int64(tiles[i])
        if tile == first and not skipped:
            skipped = True
            continue
        gain = pair_gain(s, seat, first, tile, hope)
        if gain > best:
            best, chosen = gain, tile
    return max(best, 0.0), chosen


@njit
def quarry_gain(s, seat, quarry, hope):
    """What the tiles of a quarry are worth to the seat: all of them, or the best one if they are given out."""
    tiles, size = s.quarries[quarry], np.int64(s.quarry_size[quarry])
    if size >= LEAST_SHARED:
        return best_tile(s, seat, tiles, size, hope)[0]
    return lot_gain(s, seat, tiles, size, hope)
