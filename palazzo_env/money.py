# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The deck of money and the decision MONEY. [RULES.md PZ-02 .. PZ-06, PZ-R2, PZ-R3]"""

from __future__ import annotations

from palazzo_env.actions import TAKE
from palazzo_env.components import CARD_KINDS
from palazzo_env.memory import shuffled, taken, turned_up
from palazzo_env.purses import move_cards
from palazzo_env.state import NO_CARD, PHASE_MONEY
from palazzo_env.turn import end_turn, left_of
from skyline.core.cards import add_cards, cards_in
from skyline.core.jit import njit
from skyline.core.wide import sum_of
from skyline.rng import shuffle


@njit
def is_money_left(s):
    """Deck and discards hold enough for everybody.  # PZ-02"""
    return int(s.deck_size) - int(s.deck_top) + sum_of(s.discards, CARD_KINDS) > s.players


@njit
def apply_money(s):
    """n + 1 cards are turned up.  # PZ-03"""
    for _ in range(int(s.players) + 1):
        if s.deck_top == s.deck_size:
            _reshuffle(s)
        card = int(s.deck[s.deck_top])
        s.face_up[card] += 1
        s.deck_top += 1
        turned_up(s, card)
    s.first_take = NO_CARD
    s.phase = PHASE_MONEY


@njit
def _reshuffle(s):
    """The discards become the deck.  # PZ-05"""
    size = cards_in(s.discards)
    if not s.order_given:
        add_cards(s.deck, 0, s.discards)
        shuffle(s, s.deck, size)
    s.deck[size:] = 0
    s.deck_size = size
    s.deck_top = 0
    s.order_given = 0
    shuffled(s)
    s.discards[:] = 0


@njit
def legal_take(s, mask):
    """Every kind face up, within the order of the active player's two cards.  # PZ-04, PZ-D2"""
    face_up = s.face_up
    for card in range(CARD_KINDS):
        mask[TAKE + card] = face_up[card] > 0
    if s.seat != s.active:
        return
    if s.first_take == NO_CARD:
        highest = CARD_KINDS - 1
        while face_up[highest] == 0:
            highest -= 1
        mask[TAKE + highest] = face_up[highest] > 1  # nothing as high would be left for the second card
    else:
        mask[TAKE : TAKE + int(s.first_take)] = 0


@njit
def apply_take(s, card):
    """The active player takes two, then each other one clockwise.  # PZ-04"""
    s.face_up[card] -= 1
    move_cards(s, s.seat, card, 1)
    taken(s, s.seat, card)
    if s.seat == s.active:
        if s.first_take == NO_CARD:
            s.first_take = card
            return
        s.first_take = NO_CARD
    s.seat = left_of(s, s.seat)
    if s.seat == s.active:
        end_turn(s, False)
