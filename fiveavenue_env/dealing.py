# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Dealing what a seat does not know by all that it remembers. [RULES.md FA-M12, FA-M20, FA-M23]

The unseen black cards of the other hands come first (belief.py), then the coloured cards, then the rest of each stack.
"""

from __future__ import annotations

from fiveavenue_env.belief import CHOSEN, DESK, draw_black_hands
from fiveavenue_env.components import COLOURS, FIRST_BLACK
from fiveavenue_env.raises import draw_evenly, draw_for_raise, is_raising, pools
from skyline.core.jit import njit
from skyline.core.scratch import scratch
from skyline.core.seats import around
from skyline.rng import shuffle


@njit
def deal_remembered(s, seat, stream):
    """Deal what the seat does not know to hands and stacks; the stacks begin at the start of their arrays."""
    desk = scratch(DESK)
    draw_black_hands(s, seat, desk, stream)
    _deal_black(s, seat, desk, stream)
    for colour in range(COLOURS):
        _deal_coloured(s, seat, colour, stream)


@njit
def _deal_black(s, seat, desk, stream):
    """Hands as chosen, the unknown part from what is left in any order; the hands of the shuffles.  # FA-M23"""
    fours, fives, sixes = pools(s, seat, FIRST_BLACK)
    now = int(s.memory_shuffles)
    for k in range(s.players - 1):
        p = around(seat, k + 1, int(s.players))
        at = CHOSEN + 9 * now + 3 * k
        for v in range(3):
            s.hands[p, FIRST_BLACK + v] = s.memory_known[p, FIRST_BLACK + v] + int(desk[at + v])
            if s.players > 2:
                for span in range(now):
                    s.memory_held[span, p, v] = int(desk[CHOSEN + 9 * span + 3 * k + v])
                if now > 0:
                    s.memory_old[p, v] = s.memory_held[now - 1, p, v]
        fours, fives, sixes = fours - int(desk[at]), fives - int(desk[at + 1]), sixes - int(desk[at + 2])
    _lay(s.black, 0, fours, fives, sixes, stream)


@njit
def _lay(stack, start, fours, fives, sixes, stream):
    """Cards of the three values in random order from a place of the stack on."""
    n = fours + fives + sixes
    part = stack[start : start + n]
    for i in range(n):
        part[i] = 4 if i < fours else 5 if i < fours + fives else 6
    shuffle(stream, part, n)


@njit
def _deal_coloured(s, seat, colour, stream):
    """The unseen cards of a colour: to the places in the hands, and to the first part below its top.  # FA-M12"""
    first = 3 * colour
    fours, fives, sixes = pools(s, seat, first)
    bidder = int(s.seat) if is_raising(s) and s.seat != seat and s.table_colour[s.seat] == colour else -1
    for k in range(s.players):
        p = bidder if k == 0 else around(seat, k, int(s.players))
        if p < 0 or (k > 0 and p == bidder):
            continue
        n = int(s.memory_unseen[p, colour])
        if p == bidder:
            a, b, c = draw_for_raise(s, first, n, fours, fives, sixes, stream)
        else:
            a, b, c = draw_evenly(n, fours, fives, sixes, stream)
        s.hands[p, first] = s.memory_known[p, first] + a
        s.hands[p, first + 1] = s.memory_known[p, first + 1] + b
        s.hands[p, first + 2] = s.memory_known[p, first + 2] + c
        fours, fives, sixes = fours - a, fives - b, sixes - c
    _lay(s.stacks[colour], 1, fours, fives, sixes, stream)
