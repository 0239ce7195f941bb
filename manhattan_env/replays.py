# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Deals by replays with weights, after a reshuffle with 3 or 4 players. [RULES.md 7.2: MH-M18, MH-M20, MH-M21]

The plays are followed from the deal on, and each card shown is put on one of the places of that hand. A place knows
only the shuffle that its card comes from; a place is taken with the chance that it holds such a card. The weight gets
the expected number of such cards in the hand as a factor, and is divided by the actual number when all places are
filled (belief.py says why). One of several such replays is taken by weight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manhattan_env.belief import CARD_BITS, CARD_MASK, deal_exactly, has_any, number_of
from manhattan_env.components import CARDS, MAX_PLAYERS, MOST_PLAYS, MOST_RESHUFFLES, SQUARES
from manhattan_env.memory import HELD_BITS, PLAY_BITS, PLAY_MASK, begin_memory, in_held, survey_memory
from skyline.core.cards import add_cards, cards_in
from skyline.core.jit import njit
from skyline.core.scratch import scratch
from skyline.rng import below, next_word, shuffle

REPLAYS = 8  # of which one is taken by weight
MOST_REPLAYS = 20_000  # until one agrees at all [MH-M22]
FRACTION = 1.0 / (1 << 53)
S11 = np.uint64(11)
SHUFFLES = MOST_RESHUFFLES + 1


class Desk(NamedTuple):
    """What a replay writes on, as whole numbers; shuffles are counted from the deal, 0."""

    pool: (
        Any  # by shuffle and card: cards that the other seats drew, and those of the deck; behind them sums by shuffle
    )
    left: Any  # of these, not yet placed
    size: Any  # by seat: cards of its hand, 0 for the viewer
    origin: Any  # by seat: the shuffles of the cards on its places, ORIGIN_BITS each
    cards: Any  # by seat: the cards themselves, CARD_BITS each
    path: Any  # by play: the number of the place that the card came from
    held: Any  # by reshuffle and seat: the hand, packed
    taken: Any  # by seat: the cards at the end in the replay that is taken
    held_then: Any  # `held` in that replay


POOLS = SHUFFLES * SQUARES
POOLS_AND_SUMS = POOLS + SHUFFLES
HELD = MOST_RESHUFFLES * MAX_PLAYERS
ORIGIN_BITS, ORIGIN_MASK = 2, 3
INVERSE = np.array([0.0, *(1.0 / np.arange(1, 2 * CARDS))])  # 1 / n


@njit
def deal_by_weight(s, seat, stream):
    """Deal the other hands, their hands at the reshuffles and the deck anew: one of several replays."""
    deal_in_replays(s, seat, stream, MOST_REPLAYS)


@njit
def deal_in_replays(s, seat, stream, most):
    """The same with at most so many replays; if none of them agrees, the memory begins anew.  # MH-M22"""
    pool, left, size, origin = (
        scratch(POOLS_AND_SUMS),
        scratch(POOLS_AND_SUMS),
        scratch(MAX_PLAYERS),
        scratch(MAX_PLAYERS),
    )
    cards, path, held = scratch(MAX_PLAYERS), scratch(MOST_PLAYS), scratch(HELD)
    taken, held_then = scratch(MAX_PLAYERS), scratch(HELD)
    desk = Desk(
        pool.view(np.int64), left.view(np.int64), size.view(np.int64), origin.view(np.int64), cards.view(np.int64),
        path.view(np.int64), held.view(np.int64), taken.view(np.int64), held_then.view(np.int64),
    )  # fmt: skip
    fill_pools(s, seat, desk)
    total, replay = 0.0, 0
    while replay < most and (replay < REPLAYS or total == 0.0):
        weight = _replay(s, seat, stream, desk)
        total += weight
        if weight > 0.0 and _fraction(stream) * total < weight:
            _copy(desk.taken, desk.cards)
            _copy(desk.held_then, desk.held)
        replay += 1
    if total > 0.0:
        _take_replay(s, seat, desk)
        shuffle(stream, s.deck, s.deck_size)
    else:
        begin_memory(s)
        deal_exactly(s, seat, stream)


@njit
def _copy(target, source):
    for i in range(source.shape[0]):
        target[i] = source[i]


@njit
def _fraction(stream):
    """A random number from 0 to 1, 1 never."""
    return (next_word(stream) >> S11) * FRACTION


@njit
def fill_pools(s, seat, desk):
    """What the other seats drew of each shuffle is what they played or held at its end and not at its beginning; of the
    last one the deck is left, too.  # MH-M06, MH-M07, MH-M20"""
    desk.pool[:] = 0
    desk.held[:] = 0
    desk.cards[:] = 0
    last = int(s.memory_shuffles)
    for other in range(s.players):
        desk.size[other] = cards_in(s.hands[other]) if other != seat else 0
        if other != seat:
            for card in range(SQUARES):
                for number in range(last):
                    held = in_held(s.memory_held[number, other], card)
                    desk.pool[SQUARES * number + card] += held
                    desk.pool[SQUARES * number + SQUARES + card] -= held
                desk.pool[SQUARES * last + card] += s.hands[other, card]
    for i in range(s.deck_top, s.deck_size):
        desk.pool[SQUARES * last + s.deck[i]] += 1
    number = 0
    for i in range(s.memory_size):
        owner, card = divmod(int(s.memory_plays[i]) & PLAY_MASK, SQUARES)
        while number < last and i >= s.memory_ends[number]:
            number += 1
        if owner != seat:
            desk.pool[SQUARES * number + card] += 1
    for number in range(SHUFFLES):
        for card in range(SQUARES):
            desk.pool[POOLS + number] += desk.pool[SQUARES * number + card]


@njit
def _replay(s, seat, stream, desk):
    """Fill all places that the other seats ever had; the weight of the deal, 0 if it does not agree."""
    weight = place_plays(s, seat, stream, desk)
    if weight > 0.0:
        _place_rest(s, seat, stream, desk)
        weight *= _weight_of_equals(s, seat, desk)
    return weight


@njit
def place_plays(s, seat, stream, desk):
    """Put each card shown on a place of its hand; the product of the expected numbers of such cards in the hand.

    Before the first reshuffle all places are alike, and the product is the same in every replay: 1 stands for it.
    """
    _copy(desk.left, desk.pool)
    desk.origin[:] = 0
    weight, number = 1.0, 0
    for i in range(s.memory_size):
        owner, card = divmod(int(s.memory_plays[i]) & PLAY_MASK, SQUARES)
        reshuffles = number < s.memory_shuffles and i == s.memory_ends[number] - 1
        if owner != seat:
            if number == 0:
                place, origin = below(stream, desk.size[owner]), 0
            else:
                place, expected = _choose_place(desk, owner, card, stream)
                if place < 0:
                    return 0.0
                weight *= expected
                origin = desk.origin[owner] >> ORIGIN_BITS * place & ORIGIN_MASK
            _place_card(desk, origin, card)
            desk.path[i] = place
            desk.origin[owner] ^= (origin ^ (number + reshuffles)) << ORIGIN_BITS * place
        number += reshuffles
    return weight


@njit
def _choose_place(desk, owner, card, stream):
    """A place of the hand, by the chance that it holds the card, and the sum of these chances; -1 if there is none."""
    origins, expected = desk.origin[owner], 0.0
    for place in range(desk.size[owner]):
        expected += _chance(desk, origins >> ORIGIN_BITS * place & ORIGIN_MASK, card)
    rest, chosen = _fraction(stream) * expected, -1
    for place in range(desk.size[owner]):
        chance = _chance(desk, origins >> ORIGIN_BITS * place & ORIGIN_MASK, card)
        if chance > 0.0:
            chosen = place
            if rest < chance:
                break
            rest -= chance
    return chosen, expected


@njit
def _chance(desk, number, card):
    """The chance that a card of this shuffle, not yet placed, is such a card."""
    return desk.left[SQUARES * number + card] * INVERSE[desk.left[POOLS + number]]


@njit
def _place_card(desk, number, card):
    desk.left[SQUARES * number + card] -= 1
    desk.left[POOLS + number] -= 1


@njit
def _place_rest(s, seat, stream, desk):
    """Fill the places of the present hands evenly from the cards that are left of their shuffles."""
    for owner in range(s.players):
        cards = 0
        for place in range(desk.size[owner]):
            number, card = desk.origin[owner] >> ORIGIN_BITS * place & ORIGIN_MASK, 0
            rest = below(stream, desk.left[POOLS + number]) - desk.left[SQUARES * number]
            while rest >= 0 and card < SQUARES - 1:
                card += 1
                rest -= desk.left[SQUARES * number + card]
            _place_card(desk, number, card)
            cards |= card << CARD_BITS * place
        desk.cards[owner] = cards


@njit
def _weight_of_equals(s, seat, desk):
    """1 / the product of the numbers of equal cards in the hands that showed one, 0 if a DISCARD forbids the deal.

    The plays are taken back from the last one on, so that every hand is known at every play, and the hands at the
    reshuffles are written down; `cards` stays as it is.
    """
    now = scratch(MAX_PLAYERS).view(np.int64)
    _copy(now, desk.cards)
    product, number = 1.0, int(s.memory_shuffles)
    for i in range(s.memory_size - 1, -1, -1):
        play = int(s.memory_plays[i])
        owner, card = divmod(play & PLAY_MASK, SQUARES)
        if number > 0 and i == s.memory_ends[number - 1] - 1:
            number -= 1
            _write_held(s, desk, now, number, owner, desk.path[i])
        if owner != seat:
            shift, size = CARD_BITS * desk.path[i], desk.size[owner]
            now[owner] ^= (now[owner] >> shift & CARD_MASK ^ card) << shift
            product *= number_of(now[owner], size, card)
            if play >> PLAY_BITS and has_any(now[owner], size, play >> PLAY_BITS & ~(1 << card)):
                return 0.0  # MH-M10
    return 1.0 / product


@njit
def _write_held(s, desk, now, number, drawer, drawn):
    """The other hands at a reshuffle, the drawer's without the place of the card that it drew from the new deck."""
    for owner in range(s.players):
        held = 0
        for place in range(desk.size[owner]):
            if place != drawn or owner != drawer:
                held += 1 << HELD_BITS * (now[owner] >> CARD_BITS * place & CARD_MASK)
        desk.held[MAX_PLAYERS * number + owner] = held


@njit
def _take_replay(s, seat, desk):
    """The hands and held hands of the replay become those of the state, the other cards the deck."""
    counts = scratch(SQUARES).view(np.int64)
    counts[:] = 0
    for i in range(s.deck_size):
        counts[s.deck[i]] += 1
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                counts[card] += s.hands[other, card]
            s.hands[other, :] = 0
            for place in range(desk.size[other]):
                card = desk.taken[other] >> CARD_BITS * place & CARD_MASK
                s.hands[other, card] += 1
                counts[card] -= 1
            for number in range(s.memory_shuffles):
                s.memory_held[number, other] = desk.held_then[MAX_PLAYERS * number + other]
    add_cards(s.deck, 0, counts)
    survey_memory(s)
