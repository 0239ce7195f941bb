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
    deal_by_weight    After a reshuffle with 3 or 4 players: the plays are followed from the deal on, and each card
                      shown is put on one of the places of that hand. A place knows only the shuffle that its card
                      comes from; a place is taken with the chance that it holds such a card. The weight gets the
                      expected number of such cards in the hand as a factor, and is divided by the actual number
                      when all places are filled. One of several such replays is taken by weight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from manhattan_env.components import HAND, MAX_PLAYERS, MOST_PLAYS, MOST_RESHUFFLES, SQUARES
from manhattan_env.memory import HELD_BITS, PLAY_BITS, PLAY_MASK, in_held, survey_memory
from skyline.core.cards import add_cards, cards_in, sort_cards
from skyline.core.jit import njit
from skyline.core.scratch import scratch
from skyline.rng import below, next_word, shuffle

EXACT_TRIES = 100_000  # real games need some tens; after them the weights are left out, for as many deals more
REPLAYS = 8  # of which one is taken by weight
MOST_REPLAYS = 20_000  # until one agrees at all
FRACTION = 1.0 / (1 << 53)
S11 = np.uint64(11)

SHUFFLES = MOST_RESHUFFLES + 1
CARD_BITS = 4  # of a card in a word of at most HAND cards
CARD_MASK = (1 << CARD_BITS) - 1


# ---------------------------------------------------------------- one unknown shuffle   [MH-M19]


@njit
def deal_exactly(s, seat, stream):
    """Deal other hands and deck anew, each deal that agrees with the same chance. The cards of the deck begin at 0."""
    left = int(s.deck_size)
    old, from_old = 0, 0
    if s.players == 2:
        old, from_old = _old_part(s, 1 - seat)
    n = _gather_newer(s, seat, old, left)
    sort_cards(s.deck, n, SQUARES)
    for attempt in range(2 * EXACT_TRIES):
        if _deal_newer(s, seat, old, from_old, n, stream, attempt < EXACT_TRIES):
            _take_up(s, seat, old, n)
            break
    else:
        _put_back(s, seat, old, n)
    shuffle(stream, s.deck, left)


@njit
def _first_play(s):
    """The first play after the last reshuffle."""
    return int(s.memory_ends[s.memory_shuffles - 1]) if s.memory_shuffles else 0


@njit
def _old_part(s, other):
    """What is left of the hand at the last reshuffle, packed like held hands, and the plays that came from it, as bits
    from `_first_play` on. A card shown that the old part holds comes from there. (2 players.)  # MH-M08, MH-M13"""
    first = _first_play(s)
    old, from_old = 0, 0
    if s.memory_shuffles:
        old = int(s.memory_held[s.memory_shuffles - 1, other])
        for i in range(first, s.memory_size):
            owner, card = divmod(int(s.memory_plays[i]) & PLAY_MASK, SQUARES)
            if owner == other and in_held(old, card):
                old -= 1 << HELD_BITS * card
                from_old |= 1 << (i - first)
    return old, from_old


@njit
def _gather_newer(s, seat, old, n):
    """Add the unknown cards of the other hands behind the n cards of the deck; the number of cards then."""
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                for _ in range(int(s.hands[other, card]) - in_held(old, card)):
                    s.deck[n] = card
                    n += 1
    return n


@njit
def _unknown_cards(s, other, old):
    """How many cards of the hand are unknown."""
    number = int(cards_in(s.hands[other]))
    for card in range(SQUARES):
        number -= in_held(old, card)
    return number


@njit
def _deal_newer(s, seat, old, from_old, n, stream, weighs):
    """Deal the last of the n gathered cards evenly to the other hands, as many as each lacks; whether to keep them."""
    for other in range(s.players):
        if other != seat:
            cards, number = 0, _unknown_cards(s, other, old)
            for i in range(number):
                j = below(stream, n)
                n -= 1
                s.deck[j], s.deck[n] = s.deck[n], s.deck[j]
                cards |= int(s.deck[n]) << CARD_BITS * i
            if not _is_kept(s, other, cards, number, from_old, stream, weighs):
                return False
    return True


@njit
def _is_kept(s, other, cards, number, from_old, stream, weighs):
    """Follow the unknown cards of a hand back to the last shuffle; whether the deal is kept.

    `cards` are `number` cards of CARD_BITS each. Without `weighs` every deal that agrees is kept.
    """
    first = _first_play(s)
    for i in range(s.memory_size - 1, first - 1, -1):
        play = int(s.memory_plays[i])
        owner, card = divmod(play & PLAY_MASK, SQUARES)
        if owner != other:
            continue
        number -= 1  # the card drawn then takes the place of the last one, and that one goes
        moved = cards >> CARD_BITS * number & CARD_MASK
        cards &= (1 << CARD_BITS * number) - 1
        drawn = below(stream, number + 1)
        if drawn < number:
            cards ^= (cards >> CARD_BITS * drawn & CARD_MASK ^ moved) << CARD_BITS * drawn
        if not from_old >> (i - first) & 1:
            cards |= card << CARD_BITS * number
            number += 1
            equal = _number_of(cards, number, card)
            if weighs and equal > 1 and below(stream, equal) > 0:
                return False
        if play >> PLAY_BITS and _has_any(cards, number, play >> PLAY_BITS & ~(1 << card)):
            return False  # MH-M10
    return True


@njit
def _number_of(cards, number, card):
    found = 0
    for i in range(number):
        found += cards >> CARD_BITS * i & CARD_MASK == card
    return found


@njit
def _has_any(cards, number, squares):
    for i in range(number):
        if squares >> (cards >> CARD_BITS * i & CARD_MASK) & 1:
            return True
    return False


@njit
def _take_up(s, seat, old, n):
    """The last of the n gathered cards become the unknown cards of the other hands."""
    for other in range(s.players):
        if other != seat:
            number = _unknown_cards(s, other, old)
            for card in range(SQUARES):
                s.hands[other, card] = in_held(old, card)
            for _ in range(number):
                n -= 1
                s.hands[other, s.deck[n]] += 1


@njit
def _put_back(s, seat, old, n):
    """No deal was kept: the hands stay, and their cards leave the gathered ones. (MH-M21: what this needs.)"""
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                for _ in range(int(s.hands[other, card]) - in_held(old, card)):
                    n -= 1
                    for i in range(n + 1):
                        if s.deck[i] == card:
                            s.deck[i], s.deck[n] = s.deck[n], s.deck[i]
                            break


# ---------------------------------------------------------------- replays with weights   [MH-M20, MH-M21]


class Desk(NamedTuple):
    """What a replay writes on; places are 4 * seat + number, shuffles are counted from the deal, 0."""

    pool: Any  # by shuffle and card: cards that the other seats drew, and those of the deck
    left: Any  # of these, not yet placed; behind them the sums by shuffle
    origin: Any  # by place: the shuffle of the card that lies there
    card: Any  # by place: that card
    path: Any  # by play: the number of the place that the card came from
    held: Any  # by reshuffle and seat: the hand, packed
    hands: Any  # by place: the cards at the end in the replay that is taken
    held_then: Any  # `held` in that replay


PLACES = HAND * MAX_PLAYERS
POOLS = SHUFFLES * SQUARES
POOLS_AND_SUMS = POOLS + SHUFFLES
HELD = MOST_RESHUFFLES * MAX_PLAYERS


@njit
def deal_by_weight(s, seat, stream):
    """Deal the other hands, their hands at the reshuffles and the deck anew: one of several replays."""
    pool, left = scratch(POOLS), scratch(POOLS_AND_SUMS)
    origin, card, path, held = scratch(PLACES), scratch(PLACES), scratch(MOST_PLAYS), scratch(HELD)
    hands, held_then = scratch(PLACES), scratch(HELD)
    desk = Desk(pool, left, origin, card, path, held, hands, held_then)
    _fill_pools(s, seat, desk)
    total, replay = 0.0, 0
    while replay < REPLAYS or (total == 0.0 and replay < MOST_REPLAYS):
        weight = _replay(s, seat, stream, desk)
        total += weight
        if weight > 0.0 and _fraction(stream) * total < weight:
            _copy(desk.hands, desk.card)
            _copy(desk.held_then, desk.held)
        replay += 1
    if total > 0.0:
        _take_replay(s, seat, desk)
    shuffle(stream, s.deck, s.deck_size)


@njit
def _copy(target, source):
    for i in range(source.shape[0]):
        target[i] = source[i]


@njit
def _fraction(stream):
    """A random number from 0 to 1, 1 never."""
    return (next_word(stream) >> S11) * FRACTION


@njit
def _fill_pools(s, seat, desk):
    """What the other seats drew of each shuffle is what they played or held at its end and not at its beginning; of the
    last one the deck is left, too.  # MH-M06, MH-M07, MH-M20"""
    desk.pool[:] = 0.0
    last = int(s.memory_shuffles)
    for other in range(s.players):
        if other != seat:
            for card in range(SQUARES):
                for number in range(last):
                    held = in_held(s.memory_held[number, other], card)
                    desk.pool[SQUARES * number + card] += held
                    desk.pool[SQUARES * number + SQUARES + card] -= held
                desk.pool[SQUARES * last + card] += s.hands[other, card]
    for i in range(s.deck_size):
        desk.pool[SQUARES * last + s.deck[i]] += 1.0
    number = 0
    for i in range(s.memory_size):
        owner, card = divmod(int(s.memory_plays[i]) & PLAY_MASK, SQUARES)
        while number < last and i >= s.memory_ends[number]:
            number += 1
        if owner != seat:
            desk.pool[SQUARES * number + card] += 1.0


@njit
def _replay(s, seat, stream, desk):
    """Fill all places that the other seats ever had; the weight of the deal, 0 if it does not agree."""
    _copy(desk.left, desk.pool)
    for number in range(SHUFFLES):
        total = 0.0
        for card in range(SQUARES):
            total += desk.pool[SQUARES * number + card]
        desk.left[POOLS + number] = total
    desk.origin[:] = 0.0
    weight = _place_plays(s, seat, stream, desk)
    if weight > 0.0:
        _place_rest(s, seat, stream, desk)
        weight *= _weight_of_equals(s, seat, desk)
    return weight


@njit
def _place_plays(s, seat, stream, desk):
    """Put each card shown on a place of its hand; the product of the expected numbers of such cards."""
    weight, number = 1.0, 0
    for i in range(s.memory_size):
        owner, card = divmod(int(s.memory_plays[i]) & PLAY_MASK, SQUARES)
        reshuffles = number < s.memory_shuffles and i == s.memory_ends[number] - 1
        if owner != seat:
            size, expected = int(cards_in(s.hands[owner])), 0.0
            for place in range(HAND * owner, HAND * owner + size):
                expected += _chance(desk, int(desk.origin[place]), card)
            if expected <= 0.0:
                return 0.0
            rest, place = _fraction(stream) * expected, HAND * owner
            for further in range(HAND * owner, HAND * owner + size):
                chance = _chance(desk, int(desk.origin[further]), card)
                if chance > 0.0:
                    place = further
                    if rest < chance:
                        break
                    rest -= chance
            _place_card(desk, int(desk.origin[place]), card)
            desk.path[i] = place
            desk.origin[place] = number + reshuffles
            weight *= expected
        number += reshuffles
    return weight


@njit
def _chance(desk, number, card):
    """The chance that a card of this shuffle, not yet placed, is such a card."""
    return desk.left[SQUARES * number + card] / max(desk.left[POOLS + number], 1.0)


@njit
def _place_card(desk, number, card):
    desk.left[SQUARES * number + card] -= 1.0
    desk.left[POOLS + number] -= 1.0


@njit
def _place_rest(s, seat, stream, desk):
    """Fill the places of the present hands evenly from the cards that are left of their shuffles."""
    for owner in range(s.players):
        if owner != seat:
            for place in range(HAND * owner, HAND * owner + int(cards_in(s.hands[owner]))):
                number, card = int(desk.origin[place]), 0
                rest = below(stream, int(desk.left[POOLS + number]))
                while card < SQUARES - 1 and rest >= desk.left[SQUARES * number + card]:
                    rest -= int(desk.left[SQUARES * number + card])
                    card += 1
                _place_card(desk, number, card)
                desk.card[place] = card


@njit
def _weight_of_equals(s, seat, desk):
    """1 / the product of the numbers of equal cards in the hands that showed one, 0 if a DISCARD forbids the deal.

    The plays are taken back from the last one on, so that every hand is known at every play, and the hands at the
    reshuffles are written down; `card` is left at the present hands.
    """
    now = scratch(PLACES)
    _copy(now, desk.card)
    weight, number = 1.0, int(s.memory_shuffles)
    for i in range(s.memory_size - 1, -1, -1):
        play = int(s.memory_plays[i])
        owner, card = divmod(play & PLAY_MASK, SQUARES)
        if number > 0 and i == s.memory_ends[number - 1] - 1:
            number -= 1
            _write_held(s, seat, desk, now, number, int(desk.path[i]) if owner != seat else -1)
        if owner != seat:
            now[int(desk.path[i])] = card
            equal = 0.0
            for place in range(HAND * owner, HAND * owner + int(cards_in(s.hands[owner]))):
                equal += now[place] == card
                if play >> PLAY_BITS & ~(1 << card) & 1 << int(now[place]):
                    return 0.0  # MH-M10
            weight /= equal
    return weight


@njit
def _write_held(s, seat, desk, now, number, drawn):
    """The other hands at a reshuffle, without the place of the card that was drawn from the new deck."""
    for owner in range(s.players):
        if owner != seat:
            held = 0
            for place in range(HAND * owner, HAND * owner + int(cards_in(s.hands[owner]))):
                if place != drawn:
                    held += 1 << HELD_BITS * int(now[place])
            desk.held[MAX_PLAYERS * number + owner] = held


@njit
def _take_replay(s, seat, desk):
    """The hands and held hands of the replay become those of the state, the other cards the deck."""
    n = int(s.deck_size)
    for other in range(s.players):
        if other != seat:
            n = add_cards(s.deck, n, s.hands[other])
    counts = scratch(SQUARES)
    counts[:] = 0.0
    for i in range(n):
        counts[s.deck[i]] += 1.0
    for other in range(s.players):
        if other != seat:
            size = int(cards_in(s.hands[other]))
            s.hands[other, :] = 0
            for place in range(HAND * other, HAND * other + size):
                card = int(desk.hands[place])
                s.hands[other, card] += 1
                counts[card] -= 1.0
            for number in range(s.memory_shuffles):
                s.memory_held[number, other] = int(desk.held_then[MAX_PLAYERS * number + other])
    n = 0
    for card in range(SQUARES):
        for _ in range(int(counts[card])):
            s.deck[n] = card
            n += 1
    survey_memory(s)
