# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a perfect memory keeps of a game: one function for each event, called by the rules. [RULES.md 7.2, MH-M16]

A play in `memory_plays`, 15 bits:   0..5  9 * seat + card      6..14  bits of cards, 0 for a BUILD

For a DISCARD these are the cards for which the board and the chosen pieces allowed a BUILD, and the card discarded,
which is never one of them: so the bits are 0 for a BUILD alone. [MH-M10]

Counts of cards are packed into one word as in piles.py; in the hands at the reshuffles a card has HELD_BITS.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import BOARD, CITIES, MOST_RESHUFFLES, OWN_COLOURS, SIDE, SQUARES
from manhattan_env.pieces import highest_chosen
from manhattan_env.piles import PACK_BITS, PACK_MASK, packed
from skyline.core.jit import njit

HELD_BITS = 3
HELD_MASK = (1 << HELD_BITS) - 1
ONE = np.uint64(1)
PLAY_BITS = 6
PLAY_MASK = (1 << PLAY_BITS) - 1


# ---------------------------------------------------------------- held hands


@njit
def packed_held(cards):
    """A hand in one word, HELD_BITS each."""
    word = 0
    for card in range(SQUARES):
        word |= int(cards[card]) << HELD_BITS * card
    return word


@njit
def in_held(word, card):
    """How many such cards a packed hand has."""
    return int(word) >> HELD_BITS * card & HELD_MASK


# ---------------------------------------------------------------- the events


@njit
def begin_memory(s):
    """Nothing is remembered: hands and deck come from one shuffle, the piles are known.  # MH-M04, MH-M16"""
    s.memory_size = 0
    s.memory_plays[:] = 0
    s.memory_shuffles = 0
    s.memory_ends[:] = 0
    s.memory_held[:] = 0
    s.memory_known[:] = 0
    survey_memory(s)


@njit
def remember_play(s, card):
    """Everybody sees who plays which card.  # MH-M05"""
    seat = int(s.seat)
    s.memory_plays[s.memory_size] = SQUARES * seat + card
    s.memory_size += 1
    shift = np.uint64(PACK_BITS * card)
    s.memory_loose -= ONE << shift
    s.memory_shown[seat, BOARD[SIDE[s.players, seat], card]] += 1
    for onlooker in range(s.players):
        known = s.memory_known[onlooker]
        is_known = (onlooker != seat) & ((known >> shift & PACK_MASK) != np.uint64(0))
        s.memory_known[onlooker] = known - (np.uint64(is_known) << shift)


@njit
def remember_discard(s, card, squares):
    """The card just remembered was discarded: the hand had none of these.  # MH-M10"""
    s.memory_plays[s.memory_size - 1] = SQUARES * int(s.seat) + card + ((squares | 1 << card) << PLAY_BITS)


@njit
def forget_discards(s):
    """The cards discarded are remembered like cards built with.  # MH-M22"""
    for i in range(s.memory_size):
        s.memory_plays[i] &= PLAY_MASK


@njit
def buildable(s):
    """The cards with which the deciding seat could build, if it had them, as bits.  # MH-07, MH-11, MH-M10"""
    own, squares = int(OWN_COLOURS[s.players]), 0
    for c in range(own):
        colour = s.seat * own + c
        highest = highest_chosen(s, colour)
        for card in range(SQUARES):
            square = BOARD[SIDE[s.players, s.seat], card]
            for city in range(CITIES):
                squares |= (s.need[colour, SQUARES * city + square] <= highest) << card
    return squares


@njit
def remember_reshuffle(s):
    """Everybody knows the new deck and who held how many cards, each seat its own hand.  # MH-M07, MH-M08, MH-M09

    A made-up position with few cards may shuffle more often than a game does: then the memory begins anew (MH-M16).
    """
    if s.memory_shuffles == MOST_RESHUFFLES:
        begin_memory(s)
        return
    number = int(s.memory_shuffles)
    s.memory_ends[number] = s.memory_size
    for seat in range(s.players):
        s.memory_held[number, seat] = packed_held(s.hands[seat])
    s.memory_shuffles += 1
    survey_memory(s)


# ---------------------------------------------------------------- what follows from the rest


@njit
def survey_memory(s):
    """Recompute what follows from the places of the cards, and `memory_known` from plays."""
    loose = np.uint64(0)
    for seat in range(s.players):
        loose += packed(s.hands[seat])
    for i in range(s.deck_top, s.deck_size):
        loose += ONE << np.uint64(PACK_BITS * s.deck[i])
    s.memory_loose = loose
    s.memory_shown[:] = 0
    for i in range(s.played_size):
        seat, card = divmod(int(s.played[i]), SQUARES)
        s.memory_shown[seat, BOARD[SIDE[s.players, seat], card]] += 1
    for seat in range(s.players):
        s.memory_known[seat] = _known_to(s, seat)


@njit
def _known_to(s, onlooker):
    """The cards of the other hands at the last reshuffle, less one for each such card shown since.  # MH-M09"""
    known = np.uint64(0)
    if s.memory_shuffles == 0:
        return known
    last = int(s.memory_shuffles) - 1
    for seat in range(s.players):
        if seat != onlooker:
            for card in range(SQUARES):
                known += np.uint64(in_held(s.memory_held[last, seat], card)) << np.uint64(PACK_BITS * card)
    for i in range(s.memory_ends[last], s.memory_size):
        seat, card = divmod(int(s.memory_plays[i]) & PLAY_MASK, SQUARES)
        shift = np.uint64(PACK_BITS * card)
        if seat != onlooker and known >> shift & PACK_MASK:
            known -= ONE << shift
    return known
