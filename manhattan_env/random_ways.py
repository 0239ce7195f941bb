# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What random ways leave sure, after a reshuffle with 3 or 4 players and without DISCARDs. [RULES.md MH-M13, MH-M14]

A replay that has put every card shown on a place (replays.py) is a way: `desk.origin` says from which shuffles the
cards on the other places come, `desk.left` which cards of each shuffle are not yet shown. A card that is not sure in
one way is not sure, so most questions are answered after a few ways. Where some ways are not enough, surely.py looks at
all of them.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import MAX_PLAYERS, MOST_PLAYS, SQUARES
from manhattan_env.memory import PLAY_MASK
from manhattan_env.replays import HELD, ORIGIN_BITS, ORIGIN_MASK, POOLS, POOLS_AND_SUMS, Desk, fill_pools, place_plays
from skyline.core.jit import njit

PLACES_BITS, PLACES_MASK = 8, 0xFF  # of the number of places of a shuffle


def new_desk() -> Desk:
    """A desk for plain Python; a deal has its desk on the stack."""
    pools, seats, held = POOLS_AND_SUMS, MAX_PLAYERS, HELD
    sizes = Desk(pools, pools, seats, seats, seats, MOST_PLAYS, held, seats, held)
    return Desk(*(np.zeros(size, np.int64) for size in sizes))


@njit
def follow_ways(s, seat, stream, desk, most, least):
    """Follow random ways until nothing seems sure, at most so many; whether that point was reached.

    `least`, by holder (the seats, the deck behind them) and card: the fewest such cards in the ways so far.
    """
    fill_pools(s, seat, desk)
    for _ in range(most):
        if place_plays(s, seat, stream, desk) > 0.0:
            for holder in range(s.players + 1):
                if holder != seat:
                    _lower(s, desk, holder, least)
            if _is_settled(s, seat, least):
                return True
    return False


@njit
def _lower(s, desk, holder, least):
    """What the holder has at least in this way.  # MH-M14"""
    places = _places_of(s, desk, holder)
    for card in range(SQUARES):
        number = 0
        for source in range(s.memory_shuffles + 1):
            outside = desk.left[POOLS + source] - (places >> PLACES_BITS * source & PLACES_MASK)
            number += max(0, desk.left[SQUARES * source + card] - outside)
        least[holder, card] = min(number, least[holder, card])


@njit
def _places_of(s, desk, holder):
    """How many places of each shuffle the holder has, PLACES_BITS each."""
    if holder == s.players:
        return (int(s.deck_size) - int(s.deck_top)) << PLACES_BITS * int(s.memory_shuffles)
    places = 0
    for place in range(desk.size[holder]):
        places += 1 << PLACES_BITS * (desk.origin[holder] >> ORIGIN_BITS * place & ORIGIN_MASK)
    return places


@njit
def _is_settled(s, seat, least):
    """Whether no further way can change what is said: no card of a hand is sure, and the deck is empty, or not surely
    known, or known in all ways."""
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                if least[other, card] > 0:
                    return False
    sure_in_deck = 0
    for card in range(SQUARES):
        sure_in_deck += least[s.players, card]
    in_deck = int(s.deck_size) - int(s.deck_top)
    return in_deck == 0 or sure_in_deck < in_deck or not _has_drawn(s, seat)


@njit
def _has_drawn(s, seat):
    """Whether another seat has drawn a card since the last reshuffle; the first draw is that of the play before."""
    for i in range(s.memory_ends[s.memory_shuffles - 1] - 1, s.memory_size):
        if (int(s.memory_plays[i]) & PLAY_MASK) // SQUARES != seat:
            return True
    return False
