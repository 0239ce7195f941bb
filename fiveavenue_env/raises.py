# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""A begun raise: whether its bidder can finish it, and what that says of its hand. [RULES.md FA-D5, FA-M20]"""

from __future__ import annotations

from fiveavenue_env.chances import cell, choices, unit
from fiveavenue_env.components import CARD_KINDS, FIRST_BLACK
from fiveavenue_env.state import PHASE_BID
from skyline.core.jit import njit
from skyline.rng import below


@njit
def is_raising(s):
    """Whether the decider has laid a card in this BID turn: then it cannot pass.  # FA-D5"""
    return s.phase == PHASE_BID and (s.last_colour != 0 or s.last_black != 0)


@njit
def can_go_on(s):
    """Whether the decider has a legal move: after a begun raise it cannot pass and must be able to bid.  # FA-D5"""
    if not is_raising(s):
        return True
    reach = int(s.table_total[s.seat])
    for card in range(CARD_KINDS):
        reach += worth_in_raise(s, card) * int(s.hands[s.seat, card])
    return reach > s.standing


@njit
def worth_in_raise(s, card):
    """The value of a card for the begun raise, 0 if it can no longer be added."""
    value = 4 + card % 3
    if card >= FIRST_BLACK:
        return value if s.last_black == 0 or value <= s.last_black else 0
    return value if s.last_black == 0 and card // 3 == s.table_colour[s.seat] and value <= s.last_colour else 0


# ---------------------------------------------------------------- what the seat has not seen


@njit
def pool_of(s, seat, card):
    """Cards of a kind that the seat has not seen."""
    return int(s.memory_hidden[card]) - (int(s.hands[seat, card]) - int(s.memory_known[seat, card]))


@njit
def pools(s, seat, first):
    """The same of the three values of a colour."""
    return pool_of(s, seat, first), pool_of(s, seat, first + 1), pool_of(s, seat, first + 2)


@njit
def draw_evenly(n, fours, fives, sixes, stream):
    """How many of n cards of a pool are of each value."""
    a, b, c = 0, 0, 0
    for _ in range(n):
        at = below(stream, fours + fives + sixes - a - b - c)
        if at < fours - a:
            a += 1
        elif at < fours - a + fives - b:
            b += 1
        else:
            c += 1
    return a, b, c


# ---------------------------------------------------------------- the bidder's hand


@njit
def finish_raise(s, seat, table, p, size):
    """Multiply the table of the bidder by the chance of its coloured cards to make up what is missing.  # FA-M20"""
    if p != s.seat or not is_raising(s):
        return
    missing = int(s.standing) - _sure_reach(s)
    for a in range(size + 1):
        for b in range(size + 1 - a):
            black = worth_in_raise(s, FIRST_BLACK) * a + worth_in_raise(s, FIRST_BLACK + 1) * b
            black += worth_in_raise(s, FIRST_BLACK + 2) * (size - a - b)
            table[cell(a, b)] *= _coloured_ways(s, seat, missing - black)


@njit
def _sure_reach(s):
    """What the decider's cards on the table and its sure cards come to in the begun raise."""
    reach = int(s.table_total[s.seat])
    for card in range(FIRST_BLACK + 3):
        reach += worth_in_raise(s, card) * int(s.memory_known[s.seat, card])
    return reach


@njit
def _coloured_ways(s, seat, missing):
    """The chance that the decider's unseen cards of the colour of its bid come to more than what is missing."""
    if missing < 0:
        return 1.0
    colour = int(s.table_colour[s.seat])
    n = int(s.memory_unseen[s.seat, colour])
    if n == 0:
        return 0.0
    first, total = 3 * colour, 0.0
    fours, fives, sixes = pools(s, seat, first)
    for a in range(min(n, fours) + 1):
        for b in range(min(n - a, fives) + 1):
            if n - a - b <= sixes and _worth(s, first, a, b, n - a - b) > missing:
                total += choices(a, fours) * choices(b, fives) * choices(n - a - b, sixes)
    return total / choices(n, fours + fives + sixes)


@njit
def _worth(s, first, a, b, c):
    return worth_in_raise(s, first) * a + worth_in_raise(s, first + 1) * b + worth_in_raise(s, first + 2) * c


@njit
def draw_for_raise(s, first, n, fours, fives, sixes, stream):
    """The same for the bidder of a begun raise, who can finish it with the black cards that it has got.  # FA-M20"""
    missing = int(s.standing) - _sure_reach(s)
    for v in range(3):
        card = FIRST_BLACK + v
        missing -= worth_in_raise(s, card) * (int(s.hands[s.seat, card]) - int(s.memory_known[s.seat, card]))
    if missing < 0 or n == 0:
        return draw_evenly(n, fours, fives, sixes, stream)
    total, found_a, found_b = 0.0, 0, 0
    for a in range(min(n, fours) + 1):
        for b in range(min(n - a, fives) + 1):
            if n - a - b <= sixes and _worth(s, first, a, b, n - a - b) > missing:
                ways = choices(a, fours) * choices(b, fives) * choices(n - a - b, sixes)
                total += ways
                if unit(stream) * total < ways:
                    found_a, found_b = a, b
    return found_a, found_b, n - found_a - found_b
