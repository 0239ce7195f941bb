# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Deals that agree with everything a seat has seen. [RULES.md 7.2: MH-M18 .. MH-M21]

Both ways rest on one fact: if copies of a card are told apart, so that it is known which of them was played, every
distribution of the unseen cards that fits is equally likely ("even dealing"). A deal is then counted once for every
choice of equal cards among those that the hand held when it showed one: the product, over the plays, of the number of
such cards in the hand. Each deal must count once, so it gets the weight 1 / that product.

    deal_exactly      With one unknown shuffle: the other hands are dealt evenly, then every hand is followed back
                      through its plays. At a play the card drawn afterwards leaves the hand, evenly one of those that
                      may have been drawn, and the card shown enters. The deal is kept with the chance that is its
                      weight, else dealt again.
    deal_by_weight    replays.py, after a reshuffle with 3 or 4 players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manhattan_env.components import MAX_PLAYERS, MOST_PLAYS, SQUARES
from manhattan_env.memory import HELD_BITS, PLAY_BITS, PLAY_MASK, forget_discards, in_held
from skyline.core.cards import add_cards
from skyline.core.jit import njit
from skyline.core.scratch import scratch
from skyline.rng import below, shuffle

EXACT_TRIES = 100_000  # games need some tens; after these the weights are left out, for as many deals more [MH-M22]

CARD_BITS = 4  # of a card in a word of at most HAND cards
CARD_MASK = (1 << CARD_BITS) - 1
FROM_OLD = 1 << 15  # of a play in `Walk.plays`: the card comes from the old part of the hand
FIRST_SEATS = MAX_PLAYERS + 1  # of `Walk.first`


# ---------------------------------------------------------------- one unknown shuffle   [MH-M19]


class Walk(NamedTuple):
    """The plays since the last shuffle, seat by seat, as whole numbers."""

    plays: Any  # as in memory_plays, with FROM_OLD
    first: Any  # by seat: where its plays begin; behind the last seat: their number
    unknown: Any  # by seat: how many cards of its hand are unknown, 0 for the viewer


@njit
def deal_exactly(s, seat, stream):
    """Deal other hands and deck anew, each deal that agrees with the same chance. The cards of the deck begin at 0."""
    deal_in_tries(s, seat, stream, EXACT_TRIES)


@njit
def deal_in_tries(s, seat, stream, tries):
    """The same with so many tries with weights, and as many without; after them the DISCARDs say nothing.  # MH-M22"""
    left = int(s.deck_size)
    plays, first, unknown = scratch(MOST_PLAYS), scratch(FIRST_SEATS), scratch(MAX_PLAYERS)
    walk = Walk(plays.view(np.int64), first.view(np.int64), unknown.view(np.int64))
    old = _list_plays(s, seat, walk)
    n = _gather_newer(s, seat, old, walk, left)
    attempt = 0
    while attempt < 2 * tries and not _deal_newer(s, seat, walk, n, stream, attempt < tries):
        attempt += 1
    if attempt == 2 * tries:
        forget_discards(s)
        _list_plays(s, seat, walk)
        _deal_newer(s, seat, walk, n, stream, False)
    _take_up(s, seat, old, walk, n)
    shuffle(stream, s.deck, left)


@njit
def _list_plays(s, seat, walk):
    """Write `plays` and `first`; what is left of the other hand at the last reshuffle, packed like held hands.

    A card shown that the old part of the hand holds comes from there. (After a reshuffle with 2 players; else 0.)
    """  # MH-M08, MH-M13
    begin, old, n = 0, 0, 0
    if s.memory_shuffles:
        begin = int(s.memory_ends[s.memory_shuffles - 1])
        old = int(s.memory_held[s.memory_shuffles - 1, 1 - seat])
    for other in range(s.players):
        walk.first[other] = n
        if other != seat:
            for i in range(begin, s.memory_size):
                play = int(s.memory_plays[i])
                owner, card = divmod(play & PLAY_MASK, SQUARES)
                if owner == other:
                    is_old = in_held(old, card) > 0
                    old -= int(is_old) << HELD_BITS * card
                    walk.plays[n] = play + FROM_OLD * is_old
                    n += 1
    walk.first[s.players] = n
    return old


@njit
def _gather_newer(s, seat, old, walk, n):
    """The n cards of the deck and the unknown cards of the other hands as the first cards of the array of the deck, in
    rising order; their number. Write `unknown`."""
    counts = scratch(SQUARES).view(np.int64)
    counts[:] = 0
    for i in range(n):
        counts[s.deck[i]] += 1
    for other in range(s.players):
        walk.unknown[other] = 0
        if other != seat:
            for card in range(SQUARES):
                newer = int(s.hands[other, card]) - in_held(old, card)
                counts[card] += newer
                walk.unknown[other] += newer
    return add_cards(s.deck, 0, counts)


@njit
def _deal_newer(s, seat, walk, n, stream, weighs):
    """Deal the last of the n gathered cards evenly to the other hands, as many as each lacks; whether to keep them."""
    for other in range(s.players):
        if other != seat:
            cards, number = 0, walk.unknown[other]
            for i in range(number):
                j = below(stream, n)
                n -= 1
                s.deck[j], s.deck[n] = s.deck[n], s.deck[j]
                cards |= int(s.deck[n]) << CARD_BITS * i
            if not _is_kept(walk, other, cards, number, stream, weighs):
                return False
    return True


@njit
def _is_kept(walk, other, cards, number, stream, weighs):
    """Follow the unknown cards of a hand back to the last shuffle; whether the deal is kept.

    `cards` are `number` cards of CARD_BITS each. Without `weighs` every deal that agrees is kept.
    """
    for i in range(walk.first[other + 1] - 1, walk.first[other] - 1, -1):
        play = walk.plays[i]
        card = (play & PLAY_MASK) - SQUARES * other
        number -= 1  # one of the cards was drawn then: the last one takes its place
        moved = cards >> CARD_BITS * number & CARD_MASK
        cards &= (1 << CARD_BITS * number) - 1
        drawn = below(stream, number + 1)
        if drawn < number:
            cards ^= (cards >> CARD_BITS * drawn & CARD_MASK ^ moved) << CARD_BITS * drawn
        if play < FROM_OLD:
            cards |= card << CARD_BITS * number
            number += 1
            equal = number_of(cards, number, card)
            if weighs and equal > 1 and below(stream, equal) > 0:
                return False
        squares = (play & FROM_OLD - 1) >> PLAY_BITS
        if squares and has_any(cards, number, squares & ~(1 << card)):
            return False  # MH-M10
    return True


@njit
def number_of(cards, number, card):
    found = 0
    for i in range(number):
        found += cards >> CARD_BITS * i & CARD_MASK == card
    return found


@njit
def has_any(cards, number, squares):
    found = 0
    for i in range(number):
        found |= squares >> (cards >> CARD_BITS * i & CARD_MASK) & 1
    return found > 0


@njit
def _take_up(s, seat, old, walk, n):
    """The last of the n gathered cards become the unknown cards of the other hands."""
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                s.hands[other, card] = in_held(old, card)
            for _ in range(walk.unknown[other]):
                n -= 1
                s.hands[other, s.deck[n]] += 1
