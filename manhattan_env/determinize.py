# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`determinize`: everything that a seat does not see is dealt anew. [RULES.md section 7]

Hidden are the other hands, the order of the draw deck and the lower cards of all played piles. Their cards are
gathered in the array of the deck, sorted and shuffled, and dealt back to the same places.
"""

from __future__ import annotations

from manhattan_env.components import SQUARES
from skyline.core.cards import add_cards, cards_in, count_cards, sort_cards
from skyline.core.jit import njit
from skyline.rng import next_word, shuffle


@njit
def determinize(s, seat, stream):
    """Deal the cards that the seat cannot see anew: the other hands, the deck, the lower cards of every pile.

    The cards taken from those places are dealt back to them, so that all counts stay. The cards are sorted before they
    are shuffled, so that the deal depends on the stream and on what the seat sees alone. Drawn cards that the arrays
    of the deck and the piles still hold are wiped, because they would tell who drew which card.
    """
    left = int(s.deck_size) - int(s.deck_top)
    for i in range(left):
        s.deck[i] = s.deck[s.deck_top + i]
    hidden = _gather(s, seat, left)
    sort_cards(s.deck, hidden, SQUARES)
    shuffle(stream, s.deck, hidden)
    _deal_out(s, seat, hidden)
    s.deck[left:] = 0
    s.played[s.played_size :] = 0
    s.deck_top, s.deck_size, s.order_given = 0, left, 0
    s.rng = next_word(stream)


@njit
def _gather(s, seat, n):
    """Put the hidden hands and lower pile cards behind the n cards of the deck; the number of cards then."""
    for other in range(s.players):
        if other != seat:
            n = add_cards(s.deck, n, s.hands[other])
    tops = 0
    for i in range(s.played_size - 1, -1, -1):
        owner = s.played[i] // SQUARES
        if tops >> owner & 1:
            s.deck[n] = s.played[i] % SQUARES
            n += 1
        tops |= 1 << owner
    return n


@njit
def _deal_out(s, seat, n):
    """Deal the last of the n gathered cards back to hands and piles, as many as each had."""
    for other in range(s.players):
        if other != seat:
            held = cards_in(s.hands[other])
            n -= held
            count_cards(s.hands[other], s.deck, n, n + held)
    tops = 0
    for i in range(s.played_size - 1, -1, -1):
        owner = s.played[i] // SQUARES
        if tops >> owner & 1:
            n -= 1
            s.played[i] = SQUARES * owner + s.deck[n]
        tops |= 1 << owner
