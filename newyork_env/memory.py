# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat with perfect memory knows, kept by the rules where cards move. [RULES.md section 7.2]

Every hand and every discarded card was open when it came there, so both stand in the state as they are. Remembered
beside them is the set of money cards in the deck (`memory_deck`). All seats remember the same (NY-M15).

The places of the deck where SA and SB can lie (`earliest`, `latest`) follow from the setup and the number of cards
drawn. A seat knows them with TABLE, too, so the names of these fields do not begin with `memory_`.
"""

from __future__ import annotations

from newyork_env.components import CARD_COPIES, CARD_KINDS, SCORING_A
from skyline.core.jit import njit


@njit
def remember_all_cards(s):
    """Before the deal every money card is in the deck.  # NY-M04"""
    s.memory_deck[:] = CARD_COPIES[s.players]


@njit
def remember_draw(s, card):
    """A card leaves the deck openly; the ranges, being places of the array, stay.  # NY-M04, NY-M07, NY-M08, NY-M09"""
    if card < SCORING_A:
        s.memory_deck[card] -= 1


@njit
def remember_reshuffle(s):
    """The new deck is exactly the discards; to be called while they lie there.  # NY-M11"""
    for card in range(CARD_KINDS):
        s.memory_deck[card] = s.discards[card]


@njit
def scoring_range(s, number):
    """First and last place of the deck, 0 being the top card, where SA (0) or SB (1) can lie.  # NY-M08"""
    top = int(s.deck_top)
    return max(int(s.earliest[number]) - top, 0), int(s.latest[number]) - top


@njit
def survey_deck(s):
    """Recompute the set of money cards in the deck from its cards."""
    s.memory_deck[:] = 0
    for i in range(s.deck_top, s.deck_size):
        if s.deck[i] < CARD_KINDS:
            s.memory_deck[s.deck[i]] += 1
