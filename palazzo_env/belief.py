# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Deals for a seat with a perfect memory, each with exactly its chance. [RULES.md PZ-M16, PZ-M17]

While cards are dealt, all that the seat has not seen lies in `deck`:

    0 .. left-1       the deck: before the first shuffle unseen cards, then a set that everybody knows
    left .. end-1     the starting cards unseen in the other hands, hand after hand, those of the deciding seat last

Deals are drawn evenly until one is kept. A deciding seat that has begun something (PZ-M12) may be able to finish it in
few deals only: after TRIES vain ones its cards are drawn from the chances of all hands that can, the others' evenly.
"""

from __future__ import annotations

import numpy as np

from palazzo_env.begun import needed, still_to_come
from palazzo_env.components import BELOW_PILE_1, BELOW_PILE_2, CARD_KINDS, KNIGHT, STACK, START_HAND
from palazzo_env.memory import count_unseen
from skyline.core.cards import add_cards
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.rng import below, next_word, shuffle

TRIES = 64  # even deals before the cards of a seat that has begun something are drawn by their chances
DEALS = 20_000  # the most deals; only positions that no game reaches take all of them
EXCHANGES = 200  # the most cards exchanged there, so that the deciding seat can finish

UNIT = 2.0**-53  # of the random numbers 0 .. 1
S11 = np.uint64(11)
NONE, ONE = np.uint64(0), np.uint64(1)


# ---------------------------------------------------------------- money


@njit
def deal_unseen(s, seat, stream):
    """The unseen cards of the other hands and the order of the deck, before the first shuffle its cards, too."""
    left = int(s.deck_size) - int(s.deck_top)
    first, end = _gather(s, seat)
    begun = needed(s) if s.seat != seat else 0
    held = int(s.memory_starting[s.seat]) if begun > 0 else 0
    begun = begun if held > 0 else 0
    drawn = False  # the cards of the deciding seat lie at their place already
    for deal in range(DEALS):
        if deal >= TRIES and begun > 0 and held <= START_HAND:
            drawn = _draw_hand(s, seat, begun, first, end, stream)
            begun = begun if drawn else 0
        for i in range(end - 1 - held * drawn, left - 1, -1):  # as `shuffle` begins
            j = first + below(stream, i - first + 1)
            s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
        if _is_kept(s, seat, left, begun, drawn, stream):
            break
        if deal == DEALS - 1 and begun > 0:
            _exchange(s, begun, first, end, stream)
    _hand_out(s, seat, left)
    shuffle(stream, s.deck, left)
    s.deck[left:] = 0
    s.deck_top, s.deck_size = 0, left


@njit
def _gather(s, seat):
    """Put all that the seat has not seen into `deck`, in card order; (first, end) of the cards that hands may get."""
    first = end = add_cards(s.deck, 0, s.memory_deck)
    for card in range(CARD_KINDS):
        for _ in range(count_unseen(s, seat, card)):
            s.deck[end] = card
            end += 1
    return first, end


@njit
def _after_decider(s, step):
    """The seats in the order in which they are dealt, the deciding seat last."""
    seat = int(s.seat) + 1 + step
    return seat if seat < s.players else seat - int(s.players)


@njit
def _is_kept(s, seat, left, begun, drawn, stream):
    """Whether the deal is kept: with the chance of PZ-M17, and only if the deciding seat can finish.  # PZ-M12"""
    chance, at = 1.0, left
    for step in range(s.players):
        other = _after_decider(s, step)
        if other != seat:
            held = int(s.memory_starting[other])
            if not drawn or other != s.seat:
                chance *= _share(s, other, at, at + held)
            if begun > 0 and not drawn and other == s.seat and not _can_finish(s, at, at + held, begun):
                return False
            at += held
    return chance == 1.0 or np.float64(next_word(stream) >> S11) * UNIT < chance


@njit
def _share(s, other, first, end):
    """The product of 1 / C(s + r, r) for a hand: s cards of a kind were shown, r are dealt now.  # PZ-M17"""
    shown, chance = s.memory_shown[other], 1.0
    for i in range(first, end):
        before = int(shown[s.deck[i]])
        if before:
            copy = 1 + _equal_before(s, first, i)
            chance *= copy / (before + copy)
    return chance


@njit
def _equal_before(s, first, i):
    """How many cards equal to card i lie from `first` on before it."""
    equal = 0
    for j in range(first, i):
        equal += s.deck[j] == s.deck[i]
    return equal


@njit
def _can_finish(s, first, end, begun):
    """Whether the deciding seat can finish with its sure cards and these.  # PZ-M12"""
    hand = s.hands[s.seat]
    _fill(s, s.seat, first, end)
    return still_to_come(s, hand) >= begun


@njit
def _hand_out(s, seat, left):
    """Every other hand gets its sure cards and those dealt to it."""
    at = left
    for step in range(s.players):
        other = _after_decider(s, step)
        if other != seat:
            held = int(s.memory_starting[other])
            _fill(s, other, at, at + held)
            at += held


@njit
def _fill(s, other, first, end):
    """The hand is its sure cards and these."""
    for card in range(CARD_KINDS):
        s.hands[other, card] = s.memory_sure[other, card]
    for i in range(first, end):
        s.hands[other, s.deck[i]] += 1


# ---------------------------------------------------------------- a hand that has begun something


@njit
def _draw_hand(s, seat, begun, first, end, stream):
    """Draw the unseen cards of the deciding seat, which are the last ones, by the chances of all its possible hands.

    A hand with r cards of a kind, x of which are unseen and s shown, has the weight C(x, r) / C(s + r, r): the even
    deals that lead to the hand, as far as they are kept. False if no hand can finish.
    """
    held = int(s.memory_starting[s.seat])
    total = _walk(s, seat, begun, end - held, end, np.inf)
    if total > 0:
        _walk(s, seat, begun, end - held, end, total * np.float64(next_word(stream) >> S11) * UNIT)
    _sort_out(s, seat, first, end, total > 0)
    return total > 0


@njit
def _walk(s, seat, begun, first, end, goal):
    """Go through the hands in the order of their cards until the sum of their weights is above `goal`; the sum.

    The hand at which it ends is that of the deciding seat then.
    """
    s.deck[first:end] = 0
    total = 0.0
    while True:
        total += _weight(s, seat, begun, first, end)
        if total > goal or not _next_hand(s, first, end):
            return total


@njit
def _next_hand(s, first, end):
    """The next rising row of cards; False after the last one."""
    i = end - 1
    while i >= first and s.deck[i] == CARD_KINDS - 1:
        i -= 1
    if i < first:
        return False
    s.deck[i:end] = s.deck[i] + 1
    return True


@njit
def _weight(s, seat, begun, first, end):
    """The weight of the hand that lies from `first` on; 0 if the deciding seat cannot finish with it."""
    shown, weight = s.memory_shown[s.seat], 1.0
    for i in range(first, end):
        copy = 1 + _equal_before(s, first, i)
        weight *= max(0, count_unseen(s, seat, s.deck[i]) + 1 - copy) / (int(shown[s.deck[i]]) + copy)
    return weight if weight > 0 and _can_finish(s, first, end, begun) else 0.0


@njit
def _sort_out(s, seat, first, end, chosen):
    """All cards that hands may get in card order again; those of the hand that was drawn lie behind the others."""
    n = first
    hand, sure = s.hands[s.seat], s.memory_sure[s.seat]
    for last in range(2):
        for card in range(CARD_KINDS):
            of_hand = int(hand[card]) - int(sure[card]) if chosen else 0
            for _ in range(of_hand if last else count_unseen(s, seat, card) - of_hand):
                s.deck[n] = card
                n += 1


@njit
def _exchange(s, begun, first, end, stream):
    """Positions that no game reaches: random cards change places unless the deciding hand gets worse, until it can
    finish.
    """
    begin = end - int(s.memory_starting[s.seat])
    hand = s.hands[s.seat]
    _can_finish(s, begin, end, begun)
    reached = still_to_come(s, hand)
    for _ in range(EXCHANGES):
        if reached >= begun:
            return
        i, j = begin + below(stream, end - begin), first + below(stream, end - first)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
        _can_finish(s, begin, end, begun)
        now = still_to_come(s, hand)
        if now < reached:
            s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
        else:
            reached = now


# ---------------------------------------------------------------- the stack

KNIGHT_BIT = ONE << np.uint64(KNIGHT)


@njit
def shuffle_piles(s, stream):
    """The order of what is left of each pile; everybody knows the sets.  # PZ-M13, PZ-M16"""
    top = int(s.stack_top)
    second, third = max(top, STACK - BELOW_PILE_1), max(top, STACK - BELOW_PILE_2)
    s.stack[:top] = 0
    _shuffle_pile(s, top, second, stream)
    _shuffle_pile(s, second, third, stream)
    _shuffle_pile(s, third, STACK, stream)


@njit
def _shuffle_pile(s, first, end, stream):
    """Sort the entries, so that the order depends on the stream alone, and shuffle them."""
    once = twice = NONE
    knights = 0
    for i in range(first, end):
        bit = ONE << np.uint64(s.stack[i])
        twice |= once & bit
        once |= bit
        knights += s.stack[i] == KNIGHT
    once &= ~KNIGHT_BIT
    at = first
    while once != NONE:
        tile = lowest(once)
        s.stack[at] = tile
        at += 1
        if twice >> np.uint64(tile) & ONE:
            s.stack[at] = tile
            at += 1
        once &= once - ONE
    s.stack[at : at + knights] = KNIGHT
    shuffle(stream, s.stack[first:end], end - first)
