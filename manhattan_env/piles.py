# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The played piles: caches of their sizes and top cards, which everybody sees, and counts of cards in a word.

`played` holds the cards of all piles, oldest first. `survey_piles` recomputes every cache of the piles from it; `cover`
brings the caches up to date after one card. Counts of cards by printed square are packed into one word, PACK_BITS a
card as the observation writes them.
"""

from __future__ import annotations

import numpy as np

from manhattan_env.components import BOARD, SIDE, SQUARES
from manhattan_env.state import NO_CARD
from skyline.core.jit import njit

PACK_BITS = 7
PACK_MASK = np.uint64((1 << PACK_BITS) - 1)
ALL_SQUARES = np.uint64((1 << SQUARES) - 1)
CARD_IN_WORD = np.array([*(1 << PACK_BITS * card for card in range(SQUARES)), 0], np.uint64)  # the last for NO_CARD
SQUARE_BIT = 1 << BOARD.astype(np.uint64)  # by side and card


@njit
def packed(cards):
    """Counts by printed square in one word, PACK_BITS each."""
    word = np.uint64(0)
    for card in range(SQUARES):
        word |= np.uint64(cards[card]) << np.uint64(PACK_BITS * card)
    return word


@njit
def clear_piles(s):
    """No cards are played: a new game, or they have become the draw deck."""
    s.played_size = 0
    survey_piles(s)


@njit
def cover(s, seat, card):
    """A card is the top card of the seat's pile now."""
    s.open_cards += CARD_IN_WORD[card] - CARD_IN_WORD[s.pile_top[seat]]
    shift = np.uint64(SQUARES * seat)
    s.tops = s.tops & ~(ALL_SQUARES << shift) | SQUARE_BIT[SIDE[s.players, seat], card] << shift
    s.pile_top[seat] = card
    s.pile_size[seat] += 1


@njit
def survey_piles(s):
    """Recompute every cache of the piles."""
    s.pile_size[:] = 0
    s.pile_top[:] = NO_CARD
    s.open_cards = np.uint64(0)
    s.tops = np.uint64(0)
    for i in range(s.played_size):
        seat, card = divmod(int(s.played[i]), SQUARES)
        cover(s, seat, card)
