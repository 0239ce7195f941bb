# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`determinize`: everything a seat does not know is dealt anew. [RULES.md section 7]

With the memory RECALL dealing.py draws a deal that agrees with all the seat has seen. With TABLE (7.1) the seat knows
how many cards of each colour the other hands hold together: what is neither in its hand nor open nor in the stack of
that colour. So the hidden cards of each colour are shared out between these hands and the places below
the stack's top, then the cards for the hands are dealt over the hands. Cards alike are counted, not told apart: a draw
takes a kind with the chance of its copies. One of the hidden hands serves as the pool.
"""

from __future__ import annotations

from fiveavenue_env.components import (
    BLACK_STACK,
    CARD_KINDS,
    COLOURS,
    FIRST_BLACK,
    KINDS,
    SHOPS,
    STACK,
    TILES_OUT,
)
from fiveavenue_env.dealing import deal_remembered
from fiveavenue_env.memory import forget
from fiveavenue_env.piles import survey_hands
from fiveavenue_env.raises import can_go_on, worth_in_raise
from fiveavenue_env.rules import forget_chance
from fiveavenue_env.state import FACE_UP
from skyline.core.cards import sort_cards
from skyline.core.jit import njit
from skyline.game import RECALL
from skyline.rng import below, next_word, shuffle

TRIES = 64


@njit
def determinize(s, seat, stream):
    """Deal what the seat does not know: other hands, stacks, tiles out, the random word.  # FA-M23"""
    _lift_stacks(s)
    if s.memory == RECALL:
        deal_remembered(s, seat, stream)
    else:
        _deal_unseen(s, seat, stream)
    survey_hands(s)
    if s.memory != RECALL:
        forget(s)
    out = s.tiles[SHOPS - TILES_OUT :]
    sort_cards(out, TILES_OUT, KINDS)
    shuffle(stream, out, TILES_OUT)
    forget_chance(s)
    s.rng = next_word(stream)


@njit
def _deal_unseen(s, seat, stream):
    """Deal what lies hidden on the table: other hands, cards below the tops, the black stack.

    A raise that another seat has begun can be finished in the new deal too: it is dealt again until that holds, and
    after 64 tries that seat gets the cards it needs.
    """
    for _ in range(TRIES):
        _deal_hidden(s, seat, stream)
        if s.seat == seat or can_go_on(s):
            break
    if s.seat != seat and not can_go_on(s):
        _help_raise(s, seat)


@njit
def _lift_stacks(s):
    """Move the stacks to the start of their arrays and wipe the rest: drawn cards would tell who holds which card."""
    for colour in range(COLOURS):
        top, size = int(s.stack_top[colour]), int(s.stack_end[colour]) - int(s.stack_top[colour])
        for i in range(STACK):
            s.stacks[colour, i] = s.stacks[colour, top + i] if i < size else 0
        s.stack_top[colour], s.stack_end[colour] = 0, size
    top, size = int(s.black_top), int(s.black_end) - int(s.black_top)
    for i in range(BLACK_STACK):
        s.black[i] = s.black[top + i] if i < size else 0
    s.black_top, s.black_end = 0, size


@njit
def _deal_hidden(s, seat, stream):
    """One deal of all hidden cards; hand sizes, colours of the hands together and face-up places stay."""
    first = 0 if seat != 0 else 1
    pool = s.hands[first]
    for p in range(first + 1, s.players):
        if p != seat:
            for card in range(CARD_KINDS):
                pool[card] += s.hands[p, card]
                s.hands[p, card] = 0
    for colour in range(COLOURS):
        _deal_stack(pool, s.stacks[colour], 3 * colour, 1, int(s.stack_end[colour]), stream)
    _deal_stack(pool, s.black, FIRST_BLACK, 0, int(s.black_end), stream)
    for p in range(first + 1, s.players):
        if p != seat:
            for _ in range(s.hand_size[p]):
                s.hands[p, _draw(pool, 0, CARD_KINDS, stream)] += 1


@njit
def _deal_stack(pool, stack, first, start, end, stream):
    """Shuffle the cards of one colour in `pool` with those at start .. end - 1 of its stack; flags stay in place."""
    for i in range(start, end):
        pool[first + (stack[i] & ~FACE_UP) - 4] += 1
    for i in range(start, end):
        stack[i] = 4 + _draw(pool, first, 3, stream) - first + (stack[i] & FACE_UP)


@njit
def _draw(pool, first, kinds, stream):
    """Take a random card of `kinds` neighbouring kinds out of the pool."""
    total = 0
    for card in range(first, first + kinds):
        total += pool[card]
    at = below(stream, total)
    for card in range(first, first + kinds):
        at -= pool[card]
        if at < 0:
            pool[card] -= 1
            return card
    return -1


# ---------------------------------------------------------------- a begun raise


@njit
def _least_worth(s, p, first, kinds):
    """The card among neighbouring kinds in a hand that helps the raise least, -1 if there is none."""
    least = -1
    for card in range(first, first + kinds):
        if s.hands[p, card] > 0 and (least < 0 or worth_in_raise(s, card) < worth_in_raise(s, least)):
            least = card
    return least


@njit
def _help_raise(s, seat):
    """Better cards for the decider until it can finish: from the stacks to the hidden hands, from these to it."""
    colour = int(s.table_colour[s.seat])
    for i in range(1, s.stack_end[colour]):
        _help_from_stack(s, seat, s.stacks[colour], i, 3 * colour)
    for i in range(s.black_end):
        _help_from_stack(s, seat, s.black, i, FIRST_BLACK)
    for p in range(s.players):
        if p != seat and p != s.seat:
            for card in range(CARD_KINDS):
                _help_from_hand(s, p, card)


@njit
def _help_from_stack(s, seat, stack, i, first):
    """A card of the stack changes places with a worse one of the same colour in every hidden hand in turn."""
    for p in range(s.players):
        if p == seat or can_go_on(s):
            continue
        card, worst = first + (stack[i] & ~FACE_UP) - 4, _least_worth(s, p, first, 3)
        if worst >= 0 and worth_in_raise(s, worst) < worth_in_raise(s, card):
            s.hands[p, worst] -= 1
            s.hands[p, card] += 1
            stack[i] = 4 + worst - first + (stack[i] & FACE_UP)


@njit
def _help_from_hand(s, p, card):
    """Cards of a kind in another hidden hand change places with worse ones of the decider, one by one."""
    while s.hands[p, card] > 0 and not can_go_on(s):
        worst = _least_worth(s, s.seat, 0, CARD_KINDS)
        if worst < 0 or worth_in_raise(s, worst) >= worth_in_raise(s, card):
            return
        s.hands[p, card] -= 1
        s.hands[p, worst] += 1
        s.hands[s.seat, worst] -= 1
        s.hands[s.seat, card] += 1
