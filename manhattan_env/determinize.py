# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`determinize`: everything that a seat does not know is dealt anew. [RULES.md section 7]

With RECALL the deal agrees with everything the seat has seen (belief.py, replays.py). With TABLE hidden are the other
hands, the order of the draw deck and the lower cards of all played piles: their cards are gathered in the array of the
deck, sorted and shuffled, and dealt back to the same places; the deal remembers nothing.
"""

from __future__ import annotations

from manhattan_env.belief import deal_exactly
from manhattan_env.components import SQUARES
from manhattan_env.memory import begin_memory
from manhattan_env.replays import deal_by_weight
from skyline.core.cards import add_cards, cards_in, count_cards, sort_cards
from skyline.core.jit import njit
from skyline.game import RECALL
from skyline.rng import next_word, shuffle


@njit
def determinize(s, seat, stream):
    """Deal what the seat does not know anew; the counts of all places stay.

    The cards are sorted before they are shuffled, so that the deal depends on the stream and on what the seat knows
    alone. Drawn cards that the arrays of the deck and the piles still hold are wiped, because they would tell who drew
    which card.
    """
    left = int(s.deck_size) - int(s.deck_top)
    for i in range(left):
        s.deck[i] = s.deck[s.deck_top + i]
    s.deck_top, s.deck_size, s.order_given = 0, left, 0
    if s.memory == RECALL:
        if s.players == 2 or s.memory_shuffles == 0:
            deal_exactly(s, seat, stream)  # MH-M19
        else:
            deal_by_weight(s, seat, stream)  # MH-M21
    else:
        _deal_table(s, seat, stream)
    s.deck[left:] = 0
    s.played[s.played_size :] = 0
    if s.memory != RECALL:
        begin_memory(s)
    s.rng = next_word(stream)


@njit
def _deal_table(s, seat, stream):
    """All cards that do not lie open before the seat now, evenly."""
    hidden = _gather(s, seat, int(s.deck_size))
    sort_cards(s.deck, hidden, SQUARES)
    shuffle(stream, s.deck, hidden)
    _deal_out(s, seat, hidden)


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
