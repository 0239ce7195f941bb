# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Caches of the cards: how many of each colour a hand has and what they come to, what lies open, and the stacks.

The field `piles` is public: it follows from tables, stacks and Egon's cards, and a deal of what a seat does not see
leaves it as it is. `survey_cards` recomputes all caches; the other functions follow what happens to one hand or stack.
"""

from __future__ import annotations

from fiveavenue_env.components import BLACK, CARD_COPIES, CARD_KINDS, COLOURS, FIRST_BLACK, MAX_PLAYERS
from fiveavenue_env.state import BLACK_ABOVE, IN_HANDS, NOT_OPEN, STACK_SIZES, STACK_TOPS
from skyline.core.jit import njit


@njit
def survey_cards(s):
    """Recompute all caches of the cards from hands, stacks, tables and Egon's cards."""
    s.hand_colours[:] = 0
    s.hand_sums[:] = 0
    s.piles[:] = 0
    s.egon_kinds[:] = 0
    for i in range(s.egon_n):
        s.egon_kinds[s.egon[i] - 4] += 1
    for card in range(CARD_KINDS):
        left = CARD_COPIES[card]
        if card >= FIRST_BLACK:
            left -= s.egon_kinds[card - FIRST_BLACK]
        for p in range(MAX_PLAYERS):
            left -= s.table[p, card]
        s.piles[NOT_OPEN + card] = left
        s.piles[IN_HANDS + card // 3] += left
    survey_hands(s)
    for colour in range(COLOURS):
        see_top(s, colour)
    see_black(s)


@njit
def survey_hands(s):
    """The caches of all hands."""
    for p in range(s.players):
        survey_hand(s, p)


@njit
def survey_hand(s, p):
    """The caches of all colours of one hand."""
    for colour in range(COLOURS + 1):
        see_hand(s, p, colour)


@njit
def see_hand(s, p, colour):
    """The cards of one colour in a hand have changed."""
    first = 3 * colour
    fours, fives, sixes = int(s.hands[p, first]), int(s.hands[p, first + 1]), int(s.hands[p, first + 2])
    s.hand_colours[p, colour] = fours + fives + sixes
    s.hand_sums[p, first] = 4 * fours
    s.hand_sums[p, first + 1] = 4 * fours + 5 * fives
    s.hand_sums[p, first + 2] = 4 * fours + 5 * fives + 6 * sixes


@njit
def open_cards(s, card, number):
    """Cards of a kind come to lie open on a table, or no longer lie there (a negative number)."""
    s.piles[NOT_OPEN + card] -= number
    s.piles[IN_HANDS + card // 3] -= number


@njit
def cover_top(s, colour):
    """The open top card of a coloured stack is about to change."""
    if s.stack_end[colour] > s.stack_top[colour]:
        card = 3 * colour + s.stacks[colour, s.stack_top[colour]] - 4
        s.piles[NOT_OPEN + card] += 1
        s.piles[STACK_TOPS + card] = 0


@njit
def see_top(s, colour):
    """A coloured stack has changed; its top card lies open."""
    if s.stack_end[colour] > s.stack_top[colour]:
        card = 3 * colour + s.stacks[colour, s.stack_top[colour]] - 4
        s.piles[NOT_OPEN + card] -= 1
        s.piles[STACK_TOPS + card] = 1
    _resize(s, colour, s.stack_end[colour] - s.stack_top[colour])


@njit
def see_black(s):
    """The black stack has changed."""
    _resize(s, BLACK, s.black_end - s.black_top)
    s.piles[BLACK_ABOVE] = s.black_above


@njit
def _resize(s, colour, size):
    """What leaves a stack comes to a hand, if it does not come to lie open."""
    s.piles[IN_HANDS + colour] += s.piles[STACK_SIZES + colour] - size
    s.piles[STACK_SIZES + colour] = size
