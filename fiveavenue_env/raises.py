# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""A begun raise: whether its bidder can finish it. [RULES.md FA-D5, FA-M20]"""

from __future__ import annotations

from fiveavenue_env.components import CARD_KINDS, FIRST_BLACK
from fiveavenue_env.state import PHASE_BID
from skyline.core.jit import njit


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
