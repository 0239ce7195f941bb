# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What everybody remembers, kept by the rules wherever cards and tiles move. [RULES.md 7.2, PZ-M04 .. PZ-M15]

All of it is the same for all seats (PZ-M15). Each function is an event; the rules call it where the event happens:

    dealt         the cards of the setup, the stack            taken_back   a bidder passes
    taken         a card face up                               shuffled     the discards become the deck
    laid          a raise, a payment, a fee                    turned_up    a card of the deck
    drawn         an entry of the stack

`forget` makes the memory of a position that names none (PZ-M14).
"""

from __future__ import annotations

from palazzo_env.components import CARD_COPIES, CARD_KINDS, KNIGHT, STACK, TILE_COPIES, TILE_KINDS
from palazzo_env.state import NO_CARD
from skyline.core.cards import cards_in
from skyline.core.jit import njit


@njit
def clear_memory(s):
    """Nothing has been seen yet."""
    s.memory_sure[:] = 0
    s.memory_shown[:] = 0
    s.memory_starting[:] = 0
    s.memory_shuffled = 0
    s.memory_deck[:] = 0
    s.memory_stack[:] = 0
    s.memory_box[:] = 0


@njit
def dealt(s):
    """All cards in the hands are starting cards.  # PZ-M04"""
    for seat in range(s.players):
        s.memory_starting[seat] = cards_in(s.hands[seat])
    count_stack(s)


@njit
def count_stack(s):
    """The tiles left in the stack, and those that are neither there nor on the table.  # PZ-M13"""
    s.memory_stack[:] = 0
    for i in range(int(s.stack_top), STACK):
        if s.stack[i] != KNIGHT:
            s.memory_stack[s.stack[i]] += 1
    for tile in range(TILE_KINDS):
        s.memory_box[tile] = TILE_COPIES[tile] - s.visible[tile] - s.memory_stack[tile]


@njit
def forget(s):
    """No card shown, nothing shuffled; the first of two cards taken lies open in its hand.  # PZ-M14, PZ-M06"""
    clear_memory(s)
    dealt(s)
    if s.first_take != NO_CARD:
        taken(s, s.active, s.first_take)
        s.memory_starting[s.active] -= 1


@njit
def taken(s, seat, card):
    """The card is a sure one of its taker.  # PZ-M06"""
    s.memory_sure[seat, card] += 1


@njit
def laid(s, seat, card, count):
    """Sure cards are laid first; the others are starting cards, now shown.  # PZ-M07"""
    sure = min(int(count), int(s.memory_sure[seat, card]))
    s.memory_sure[seat, card] -= sure
    s.memory_shown[seat, card] += count - sure
    s.memory_starting[seat] -= count - sure


@njit
def taken_back(s, seat):
    """The cards that return from the table are sure ones.  # PZ-M08"""
    for card in range(CARD_KINDS):
        s.memory_sure[seat, card] += s.table[seat, card]


@njit
def shuffled(s):
    """The new deck is exactly the discards, which are still there.  # PZ-M10"""
    s.memory_shuffled = 1
    for card in range(CARD_KINDS):
        s.memory_deck[card] = s.discards[card]


@njit
def turned_up(s, card):
    """A card leaves the deck, of which the set is known after a shuffle.  # PZ-M10"""
    s.memory_deck[card] -= s.memory_shuffled


@njit
def drawn(s, entry):
    """An entry leaves the stack openly.  # PZ-M13"""
    if entry != KNIGHT:
        s.memory_stack[entry] -= 1


# ---------------------------------------------------------------- what a seat makes of this


@njit
def count_unseen(s, seat, card):
    """The cards of the kind that the seat has not seen: neither own nor open, nor sure in another hand, nor in a deck
    of which the set is known.
    """
    unseen = int(CARD_COPIES[card]) - int(s.hands[seat, card]) + int(s.memory_sure[seat, card])
    unseen -= int(s.discards[card]) + int(s.face_up[card]) + int(s.memory_deck[card])
    for other in range(s.players):
        unseen -= int(s.table[other, card]) + int(s.memory_sure[other, card])
    return unseen
