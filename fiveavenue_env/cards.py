# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The stacks: draws, discards, the black stack's shuffles. [RULES.md FA-8, FA-63, FA-64, FA-105, FA-R8 .. FA-R10]"""

from __future__ import annotations

from fiveavenue_env.components import BLACK, CARD_VALUE, COLOURS, FIRST_BLACK
from fiveavenue_env.memory import (
    look_at_black,
    look_below,
    remember_back,
    remember_drawn,
    remember_laid,
    remember_put_under,
    remember_shuffled,
    remember_taken,
    remember_turned_up,
)
from fiveavenue_env.piles import cover_top, open_cards, see_black, see_hand, see_top
from fiveavenue_env.state import FACE_UP, NO_COLOUR
from skyline.core.jit import njit
from skyline.rng import shuffle

# ---------------------------------------------------------------- coloured stacks


@njit
def stack_size(s, colour):
    return int(s.stack_end[colour]) - int(s.stack_top[colour])


@njit
def nonempty_stacks(s):
    """Bit c: the stack of colour c has cards."""
    bits = 0
    for colour in range(COLOURS):
        bits |= (s.stack_end[colour] > s.stack_top[colour]) << colour
    return bits


@njit
def take_top(s, p, colour):
    """The top card of a coloured stack comes to a hand.  # FA-8"""
    value = s.stacks[colour, s.stack_top[colour]]
    card = 3 * colour + value - 4
    cover_top(s, colour)
    s.stack_top[colour] += 1
    s.hands[p, card] += 1
    s.hand_size[p] += 1
    see_hand(s, p, colour)
    see_top(s, colour)
    remember_taken(s, p, card)


@njit
def discarded(s, i):
    """The i-th value of discards, falling or by an option rising.  # FA-R8"""
    return 4 + i if s.discards_rise else 6 - i


@njit
def _put_under_coloured(s, colour, p):
    """The cards of the colour on the table go under its stack, the highest first.  # FA-63"""
    top, size = int(s.stack_top[colour]), stack_size(s, colour)
    cover_top(s, colour)
    for i in range(size):
        s.stacks[colour, i] = s.stacks[colour, top + i]
    for i in range(3):
        value = discarded(s, i)
        card = 3 * colour + value - 4
        for _ in range(s.table[p, card]):
            s.stacks[colour, size] = value
            remember_put_under(s, card, size == 0)
            size += 1
    s.stack_top[colour], s.stack_end[colour] = 0, size
    see_top(s, colour)
    look_below(s, colour)


# ---------------------------------------------------------------- the black stack


@njit
def black_size(s):
    return int(s.black_end) - int(s.black_top)


@njit
def _lift_top(s):
    """The top black card as a kind of card, -1 if there is none; whoever gets it lets the stack be checked."""
    if s.black_top == s.black_end:
        return -1
    card = FIRST_BLACK + int(s.black[s.black_top]) - 4
    s.black_top += 1
    s.black_above -= 1
    return card


@njit
def draw_to_hand(s, p):
    """A black card, if there is one, comes to a hand; a face-up card on top is not left.  # FA-5, FA-9, FA-R9"""
    card = _lift_top(s)
    if card >= 0:
        s.hands[p, card] += 1
        s.hand_size[p] += 1
        see_hand(s, p, BLACK)
        remember_drawn(s, p, card)
        _check_top(s)


@njit
def draw_for_egon(s):
    """The value of the card that Egon turns up, 0 if there is none.  # FA-101, FA-R9, FA-R10"""
    card = _lift_top(s)
    if card < 0:
        return 0
    s.egon[s.egon_n] = 4 + card - FIRST_BLACK
    s.egon_n += 1
    s.egon_kinds[card - FIRST_BLACK] += 1
    open_cards(s, card, 1)
    remember_turned_up(s, card)
    _check_top(s)
    return 4 + card - FIRST_BLACK


@njit
def _check_top(s):
    """A face-up card on top: the whole stack is shuffled and turned face-down.  # FA-64"""
    if s.black_above > 0 or s.black_top == s.black_end:
        see_black(s)
        return
    size = black_size(s)
    for i in range(size):
        s.black[i] = s.black[s.black_top + i] & ~FACE_UP
    s.black_top, s.black_end, s.black_above = 0, size, size
    see_black(s)
    order = s.orders[s.shuffles]
    if s.shuffles < s.given:
        for i in range(size):
            s.black[i] = order[i]
    else:
        shuffle(s, s.black, size)
        for i in range(size):
            order[i] = s.black[i]
    s.order_n[s.shuffles] = size
    s.shuffles += 1
    remember_shuffled(s)


@njit
def _lift_black(s):
    """Move the stack to the start of its array, so that cards can be put under it."""
    top, size = int(s.black_top), black_size(s)
    if top > 0:
        for i in range(size):
            s.black[i] = s.black[top + i]
        s.black_top, s.black_end = 0, size


@njit
def find_face_up(s):
    """Cards above the topmost face-up one, all if there is none."""
    above = 0
    for i in range(s.black_top, s.black_end):
        if s.black[i] & FACE_UP:
            break
        above += 1
    return above


# ---------------------------------------------------------------- the cards of an auction


@njit
def add_card(s, p, card):
    """A card goes from the hand to the table.  # FA-57"""
    colour = card // 3
    s.hands[p, card] -= 1
    s.hand_size[p] -= 1
    see_hand(s, p, colour)
    s.table[p, card] += 1
    open_cards(s, card, 1)
    s.table_total[p] += CARD_VALUE[card]
    if colour < BLACK:
        s.table_colour[p] = colour
        s.allowed[p] = 1 << colour
    remember_laid(s, p, card)


@njit
def take_cards_back(s, p):
    """All cards on the table come back into the hand.  # FA-60"""
    if s.table_total[p] == 0:
        return
    _take_colour_back(s, p, s.table_colour[p])
    _take_colour_back(s, p, BLACK)
    clear_table(s, p)


@njit
def _take_colour_back(s, p, colour):
    for card in range(3 * colour, 3 * colour + 3):
        number = int(s.table[p, card])
        s.hands[p, card] += number
        s.hand_size[p] += number
        remember_back(s, p, card, number)
    see_hand(s, p, colour)


@njit
def clear_table(s, p):
    """The seat, which has bid, has no card on the table."""
    _clear_colour(s, p, s.table_colour[p])
    _clear_colour(s, p, BLACK)
    s.table_total[p] = 0
    s.table_colour[p] = NO_COLOUR


@njit
def _clear_colour(s, p, colour):
    for card in range(3 * colour, 3 * colour + 3):
        open_cards(s, card, -s.table[p, card])
        s.table[p, card] = 0


@njit
def clear_tables(s):
    """No card lies on any table, whatever the fields held before."""
    s.table[:] = 0
    s.table_total[:] = 0
    s.table_colour[:] = NO_COLOUR
    s.egon[:] = 0
    s.egon_kinds[:] = 0
    s.egon_n, s.egon_drawn = 0, 0


@njit
def discard(s, winner):
    """The winner's cards (none if nobody or Egon won) and Egon's go under their stacks.  # FA-63, FA-105, FA-R10"""
    _lift_black(s)
    size = int(s.black_end)
    if winner >= 0:
        _put_under_coloured(s, int(s.table_colour[winner]), winner)
        for i in range(3):
            value = discarded(s, i)
            card = FIRST_BLACK + value - 4
            for _ in range(s.table[winner, card]):
                s.black[size] = value + FACE_UP
                remember_put_under(s, card, False)
                size += 1
        clear_table(s, winner)
    for i in range(s.egon_n):
        s.black[size] = s.egon[i]
        remember_put_under(s, FIRST_BLACK + s.egon[i] - 4, False)
        size += 1
    s.black_end = size
    s.black_above = find_face_up(s)
    look_at_black(s)
    clear_egon(s)
    _check_top(s)


@njit
def clear_egon(s):
    """Egon has not drawn."""
    for i in range(s.egon_n):
        open_cards(s, FIRST_BLACK + s.egon[i] - 4, -1)
    s.egon[:] = 0
    s.egon_kinds[:] = 0
    s.egon_n = 0
    s.egon_drawn = 0


@njit
def highest_laid(s, p):
    """The highest value among the cards on the table.  # FA-65"""
    first = 3 * s.table_colour[p]
    for i in range(2, 0, -1):
        if s.table[p, first + i] > 0 or s.table[p, FIRST_BLACK + i] > 0:
            return 4 + i
    return 4
