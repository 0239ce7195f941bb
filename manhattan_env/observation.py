# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: `observe` fills the slices of observation_table.py. [RULES.md section 7]

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, colours begin with the viewer's own, the
hand is in board squares. Hidden are the other hands and the order of the draw deck, and with TABLE the lower cards of
all played piles; determinize.py deals them anew. With TABLE the slices of recall are zeros.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import (
    CARD,
    CARDS_PER_SQUARE,
    CITIES,
    COLOURS,
    COLOURS_IN_PLAY,
    HEIGHTS,
    MAX_PLAYERS,
    OWN_COLOURS,
    ROUNDS,
    ROW,
    SIDE,
    SITES,
    SQUARES,
    TURNS,
)
from manhattan_env.pieces import highest_chosen, least_chosen
from manhattan_env.piles import PACK_BITS, PACK_MASK, packed
from manhattan_env.scoring import POINT_BITS, POINT_MASK, seat_of
from manhattan_env.state import NO_COLOUR, NO_NEED, PHASE_SET, SHOWN_ROW
from manhattan_env.valuation import gain
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from, write_seats
from skyline.core.wide import LANES, bits_equal, unpack, widen, widen_from, write_bits
from skyline.game import NO_SEAT, RECALL

CHOICES = 16  # places for the choices of the clock: 3 P + 2 + own colours, at most 15
ALL_PIECES_SHOWN = COLOURS * HEIGHTS
ALL_CITIES_SHOWN = 32  # places for the cities of four colours and who has the tallest tower
PACK_SHIFT = np.full((len(CARD), SHOWN_ROW), 63, np.uint64)  # by side and board square; behind the last one nothing
PACK_SHIFT[:, :SQUARES] = PACK_BITS * CARD
POINT_SHIFT = POINT_BITS * np.arange(COLOURS, dtype=np.uint64)
ONE, ALL_BITS = np.uint64(1), np.uint64(2**64 - 1)
ALL_COPIES = np.uint64(sum(CARDS_PER_SQUARE << PACK_BITS * card for card in range(SQUARES)))


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    seat = int(seat)
    colours = int(COLOURS_IN_PLAY[s.players])
    at = _observe_clock(s, seat, out, 0)
    hand = packed(s.hands[seat])
    at = _observe_cards(s, seat, hand, out, at)
    at = _observe_pieces(s, seat, colours, out, at)
    at = _observe_towers(s, seat, colours, out, at)
    at = _observe_points(s, seat, colours, out, at)
    at = _observe_memory(s, seat, hand, out, at)
    if out.shape[0] > at:
        at = _observe_rich(s, seat, colours, out, at)
    return at


@njit
def first_colour(s, seat):
    return seat * int(OWN_COLOURS[s.players])


@njit
def _observe_clock(s, seat, out, at):
    """Five one-hot slices are written as the bits of one word; the bits behind the last slice are overwritten."""
    players, own, seat = int(s.players), int(OWN_COLOURS[s.players]), int(seat)
    marker = seen_from(seat, int(s.marker), players)
    ones = (1 << players + seat) | (1 << 2 * players + marker)
    rounds_left, turns_left, own_turns_left = 0, 0, 0
    if s.seat != NO_SEAT:
        ones |= (1 << seen_from(seat, int(s.seat), players)) | (1 << 3 * players + int(s.phase))
        taken = int(s.turn)
        if s.phase == PHASE_SET:
            ones |= 1 << 3 * players + 2 + taken % own
            taken = 0
        rounds_left = ROUNDS[players] - 1 - s.rounds_done
        turns_left = players * TURNS[players] - taken
        own_turns_left = TURNS[players] - _own_turns_taken(s, seat, taken)
    write_bits(out, at, np.uint64(ones), CHOICES)
    at += 3 * players + 2 + own
    out[at] = rounds_left
    out[at + 1] = turns_left
    out[at + 2] = own_turns_left
    at += 3
    write_seats(out, at, s.scores, seat, players)
    best = 0
    for other in range(MAX_PLAYERS):  # seats that are not there have no points
        best = max(best, int(s.scores[other]) if other != seat else 0)
    out[at + players] = s.scores[seat] - best
    return at + 1 + players


@njit
def _own_turns_taken(s, seat, taken):
    """The viewer's turns are t = offset, offset + n, ...; how many of them are below `taken`."""
    offset = seen_from(int(s.marker), seat, int(s.players))
    return np.uint32(taken - offset + int(s.players) - 1) // np.uint32(s.players)


@njit
def _observe_cards(s, seat, hand, out, at):
    """`hand` is the seat's hand, packed. Rows of 16 and of 64 are written; the next slices overwrite the rest."""
    players = int(s.players)
    unpack(out, at, hand, PACK_SHIFT[SIDE[players, seat]], PACK_MASK, SHOWN_ROW)
    at += SQUARES
    unseen = ALL_COPIES - hand - s.open_cards
    for j in range(1, players):
        side = SIDE[players, around(seat, j, players)]
        unpack(out, at, unseen, PACK_SHIFT[side], PACK_MASK, SHOWN_ROW)
        at += SQUARES
    write_bits(out, at, turned(s.tops, SQUARES * seat, SQUARES * players), LANES)
    at += SQUARES * players
    out[at] = s.deck_size - s.deck_top
    for j in range(players):
        out[at + 1 + j] = s.pile_size[around(seat, j, players)]
    return at + 1 + players


@njit
def turned(word, first, size):
    """The bits of a ring of `size` bits, from the bit `first` on; what lies above `size` bits has no meaning."""
    return word >> np.uint64(first) | word << np.uint64(size - first & 63)


@njit
def _observe_pieces(s, seat, colours, out, at):
    """Rings of four pieces a colour: from the own colours on, then those before them."""
    first, length = HEIGHTS * first_colour(s, seat), HEIGHTS * colours
    widen_from(out, at, s.chosen, first, ALL_PIECES_SHOWN)
    widen_from(out, at + length - first, s.chosen, 0, ALL_PIECES_SHOWN)
    at += length
    widen_from(out, at, s.stock, first, ALL_PIECES_SHOWN)
    widen_from(out, at + length - first, s.stock, 0, ALL_PIECES_SHOWN)
    return at + length


@njit
def _observe_towers(s, seat, colours, out, at):
    """Whole rows of 64 are copied; the ten values behind the last site are overwritten by the next slice.

    The loops run over slices: a loop of known length would be unrolled and then not vectorised.
    """
    first = first_colour(s, seat)
    for j in range(colours):
        widen(out, at, s.floors[around(first, j, colours)], ROW)
        at += SITES
    for j in range(colours):
        write_bits(out, at, bits_equal(s.owner, around(first, j, colours), ROW), ROW)
        at += SITES
    for c in range(OWN_COLOURS[s.players]):
        widen(out, at, s.need[first + c], SITES)
        at += SITES
    return at


@njit
def _observe_points(s, seat, colours, out, at):
    """Rings again; city_won and tallest are the bits of one word."""
    first, length = first_colour(s, seat), CITIES * colours
    won = at + length
    best = won + length + colours + 1
    now = best + colours
    widen_from(out, at, s.towers, CITIES * first, ALL_CITIES_SHOWN)
    widen_from(out, won - CITIES * first, s.towers, 0, ALL_CITIES_SHOWN)
    cities = turned(s.won, CITIES * first, length) & ~(ALL_BITS << np.uint64(length))
    if s.top_owner != NO_COLOUR:
        cities |= ONE << np.uint64(length + seen_from(first, int(s.top_owner), colours))
    write_bits(out, won, cities, ALL_CITIES_SHOWN)
    out[best - 1] = s.top_height
    widen_from(out, best, s.colour_best, first, COLOURS)
    widen_from(out, now - first, s.colour_best, 0, COLOURS)
    points = turned(s.points_now, POINT_BITS * first, POINT_BITS * colours)
    unpack(out, now, points, POINT_SHIFT, POINT_MASK, COLOURS)
    return now + colours


@njit
def _observe_memory(s, seat, hand, out, at):
    """Rows of 16 are copied; the seven values behind the last square are overwritten by the next row or slice.

    What every onlooker remembers is written for all, `unseen` and `known` for the viewer.  # MH-M05, MH-M09, MH-M17
    """
    players = int(s.players)
    end = at + SQUARES * (players + 2) + 1
    if s.memory != RECALL:
        out[at:end] = 0
        return end
    for j in range(players):
        widen(out, at, s.memory_shown[around(seat, j, players)], SHOWN_ROW)
        at += SQUARES
    shifts = PACK_SHIFT[SIDE[players, seat]]
    unpack(out, at, s.memory_loose - hand, shifts, PACK_MASK, SQUARES)
    unpack(out, at + SQUARES, s.memory_known[seat], shifts, PACK_MASK, SQUARES)
    out[at + 2 * SQUARES] = s.memory_shuffles
    return end


@njit
def _observe_rich(s, seat, colours, out, at):
    own = int(OWN_COLOURS[s.players])
    first = first_colour(s, seat)
    for c in range(own):
        for site in range(SITES):
            height = least_chosen(s, first + c, site)
            share = 1.0 / (s.players - 1.0)
            out[at + site] = round(4 * gain(s, first + c, site, height, share)) if height != NO_NEED else 0
        at += SITES
    for site in range(SITES):
        out[at + site] = seat_of(s.owner[site], own) == seat and not _can_be_taken(s, site, colours)
    return at + SITES


@njit
def _can_be_taken(s, site, colours):
    """Whether a chosen piece of a colour other than the owner's is high enough for the tower."""
    for colour in range(colours):
        if colour != s.owner[site] and s.need[colour, site] <= highest_chosen(s, colour):
            return True
    return False
