# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""A purchase, payment or raise that is begun: what the deciding hand must be able to add. [RULES.md PZ-D4 .. PZ-D6,
PZ-M12]
"""

from __future__ import annotations

from palazzo_env.components import (
    CERTIFICATE,
    CERTIFICATE_RANK,
    CERTIFICATE_VALUE,
    FIRST_GROUP,
    GROUP_CARDS,
    GROUP_VALUE,
    LOWEST_VALUE,
    MOST_SINGLE_CERTIFICATES,
    RANKS,
    VALUES,
)
from palazzo_env.market import goal_of_payment
from palazzo_env.payment import best_currency, price_of_one
from palazzo_env.purses import groups_of
from palazzo_env.state import NO_COMPONENT, PHASE_BID, PHASE_BUY, PHASE_PAY
from skyline.core.jit import njit
from skyline.game import NO_SEAT


@njit
def needed(s):
    """The total that the deciding seat has shown it can reach, less what is laid; 0 if nothing is begun."""
    if s.seat == NO_SEAT:
        return 0
    if s.phase == PHASE_BUY:
        return price_of_one(s)
    if s.phase == PHASE_PAY:
        return goal_of_payment(s) - int(s.totals[s.seat])
    if s.phase == PHASE_BID and s.last != NO_COMPONENT:
        return int(s.standing) + 1 - int(s.totals[s.seat])
    return 0


@njit
def still_to_come(s, hand):
    """The most the hand can add to the payment or raise that is begun. [section 6, `left`]"""
    rank = RANKS[s.last] if s.last != NO_COMPONENT else 0
    certificates = int(hand[CERTIFICATE])
    if rank == CERTIFICATE_RANK:
        return CERTIFICATE_VALUE * min(MOST_SINGLE_CERTIFICATES - int(s.singles), certificates)
    lock = int(s.locks[s.seat])
    if rank > RANKS[FIRST_GROUP]:
        most = CERTIFICATE_VALUE * min(MOST_SINGLE_CERTIFICATES, certificates)
        for i in range(VALUES):
            card = 1 + VALUES * lock + i
            if RANKS[card] >= rank:
                most += (LOWEST_VALUE + i) * int(hand[card])
        return most
    most = best_currency(hand, lock)
    most += GROUP_VALUE * (certificates // GROUP_CARDS) + CERTIFICATE_VALUE * (certificates % GROUP_CARDS)
    for i in range(VALUES):
        if RANKS[FIRST_GROUP + 1 + i] >= rank:
            most += (GROUP_VALUE - LOWEST_VALUE - i) * groups_of(hand, 1 + i)
    return most
