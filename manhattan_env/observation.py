# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: `observe` fills the slices of observation_table.py. [RULES.md section 7]

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, colours begin with the viewer's own, the
hand is in board squares. Hidden are the other hands and the order of the draw deck, and with TABLE the lower cards of
all played piles; determinize.py deals them anew. With TABLE the slices of recall are zeros.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import (
    BOARD,
    CARD,
    CARDS_PER_SQUARE,
    CITIES,
    CITY_POINTS,
    COLOURS_IN_PLAY,
    HEIGHTS,
    MAX_PLAYERS,
    OWN_COLOURS,
    ROUNDS,
    ROW,
    SIDE,
    SITES,
    SQUARES,
    TALLEST_POINTS,
    TOWER_POINTS,
    TURNS,
)
from manhattan_env.memory import PACK_BITS, PACK_MASK, packed
from manhattan_env.scoring import seat_of
from manhattan_env.state import NO_CARD, NO_NEED, PHASE_SET, SHOWN_ROW
from manhattan_env.valuation import gain, highest_chosen, least_chosen
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from
from skyline.core.wide import bits_equal, ones_in, unpack, widen, write_bits
from skyline.game import NO_SEAT, RECALL

CHOICES = 16  # places for the choices of the clock: 3 P + 2 + own colours, at most 15
ALL_TOPS = SQUARES * MAX_PLAYERS  # places for the top cards of four piles
PACK_SHIFT = (PACK_BITS * CARD).astype(np.uint64)  # by side and board square
ALL_COPIES = np.uint64(sum(CARDS_PER_SQUARE << PACK_BITS * card for card in range(SQUARES)))


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
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
    best = -1
    for j in range(1, players):
        score = int(s.scores[around(seat, j, players)])
        out[at + j] = score
        best = max(best, score)
    out[at] = s.scores[seat]
    out[at + players] = s.scores[seat] - best
    return at + 1 + players


@njit
def _own_turns_taken(s, seat, taken):
    """The viewer's turns are t = offset, offset + n, ...; how many of them are below `taken`."""
    offset = seen_from(int(s.marker), seat, int(s.players))
    return np.uint32(taken - offset + int(s.players) - 1) // np.uint32(s.players)


@njit
def _observe_cards(s, seat, hand, out, at):
    """`hand` is the seat's hand, packed."""
    players = int(s.players)
    unpack(out, at, hand, PACK_SHIFT[SIDE[players, seat]], PACK_MASK, SQUARES)
    at += SQUARES
    unseen = ALL_COPIES - hand
    for p in range(MAX_PLAYERS):
        top = int(s.pile_top[p])
        unseen -= np.uint64(top != NO_CARD) << np.uint64(PACK_BITS * max(top, 0))
    for j in range(1, players):
        side = SIDE[players, around(seat, j, players)]
        unpack(out, at, unseen, PACK_SHIFT[side], PACK_MASK, SQUARES)
        at += SQUARES
    tops = np.uint64(0)
    for j in range(players):
        other = around(seat, j, players)
        top = int(s.pile_top[other])
        if top != NO_CARD:
            tops |= np.uint64(1) << np.uint64(SQUARES * j + BOARD[SIDE[players, other], top])
    write_bits(out, at, tops, ALL_TOPS)
    at += SQUARES * players
    out[at] = s.deck_size - s.deck_top
    for j in range(players):
        out[at + 1 + j] = s.pile_size[around(seat, j, players)]
    return at + 1 + players


@njit
def _observe_pieces(s, seat, colours, out, at):
    first, stock = first_colour(s, seat), at + HEIGHTS * colours
    for j in range(colours):
        colour = around(first, j, colours)
        widen(out, at + HEIGHTS * j, s.chosen[colour], HEIGHTS)
        widen(out, stock + HEIGHTS * j, s.stock[colour], HEIGHTS)
    return stock + HEIGHTS * colours


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
    first, won = first_colour(s, seat), at + CITIES * colours
    tallest = won + CITIES * colours
    best, now = tallest + colours + 1, tallest + 2 * colours + 1
    out[tallest + colours] = s.top_height
    for j in range(colours):
        colour = around(first, j, colours)
        cities = bits_equal(s.majority, colour, CITIES)
        towers = ones_in(bits_equal(s.owner, colour, ROW))
        is_tallest = s.top_owner == colour
        widen(out, at + CITIES * j, s.towers[colour], CITIES)
        write_bits(out, won + CITIES * j, cities, CITIES)
        out[tallest + j] = is_tallest
        out[best + j] = s.colour_best[colour]
        out[now + j] = TOWER_POINTS * towers + CITY_POINTS * ones_in(cities) + TALLEST_POINTS * is_tallest
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
