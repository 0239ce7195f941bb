# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Payments and raises: what a hand can pay, which component may be laid. [RULES.md PZ-20 .. PZ-23, PZ-R11 .. PZ-R16]

Components are laid in component order (T7 .. T2, single cards 7 .. 3, certificate). The largest total that a component
still allows is therefore a sum over the components behind it: `reach` below, which grows along that order backwards.
"""

from __future__ import annotations

from palazzo_env.components import (
    CARD_KINDS,
    CARD_VALUE,
    CERTIFICATE,
    CERTIFICATE_RANK,
    CERTIFICATE_VALUE,
    CURRENCIES,
    FIRST_GROUP,
    GROUP_CARDS,
    GROUP_VALUE,
    LOWEST_VALUE,
    MOST_SINGLE_CERTIFICATES,
    PRICE_BASE,
    RANKS,
    VALUES,
)
from palazzo_env.memory import laid, taken_back
from palazzo_env.purses import count_hand, groups_of, move_cards
from palazzo_env.state import NO_COMPONENT, NO_LOCK
from skyline.core.jit import njit


@njit
def best_currency(hand, lock):
    """The largest sum of the cards of one currency, or of the locked one.  # PZ-20, PZ-46"""
    best = 0
    for currency in range(CURRENCIES):
        if lock in (NO_LOCK, currency):
            worth = 0
            for i in range(VALUES):
                worth += (LOWEST_VALUE + i) * int(hand[1 + VALUES * currency + i])
            best = max(best, worth)
    return best


@njit
def price_of_one(s):
    """The price of one tile of the depot.  # PZ-31"""
    return max(0, PRICE_BASE - int(s.depot_size))


@njit
def legal_components(hand, total, lock, last, singles, goal, mask):
    """Mark the components that may be laid: mask[0 .. 21]. [section 6, test for `add c`]"""
    rank = RANKS[last] if last != NO_COMPONENT else 0
    certificates = int(hand[CERTIFICATE])
    left = min(MOST_SINGLE_CERTIFICATES - singles, certificates)  # PZ-R12
    mask[CERTIFICATE] = (left > 0) & (total + CERTIFICATE_VALUE * left >= goal)
    if rank == CERTIFICATE_RANK:
        return
    singles_worth = CERTIFICATE_VALUE * min(MOST_SINGLE_CERTIFICATES, certificates)
    for currency in range(CURRENCIES):
        if lock in (NO_LOCK, currency):  # PZ-R16
            first = 1 + VALUES * currency
            reach = total + singles_worth
            for i in range(VALUES):
                held = int(hand[first + i])
                reach += (LOWEST_VALUE + i) * held
                mask[first + i] = (held > 0) & (reach >= goal) & (RANKS[first + i] >= rank)
    if rank > RANKS[FIRST_GROUP]:
        return
    groups = certificates // GROUP_CARDS
    reach = total + best_currency(hand, lock) + GROUP_VALUE * groups + CERTIFICATE_VALUE * (certificates % GROUP_CARDS)
    mask[FIRST_GROUP] = (groups > 0) & (reach >= goal)
    for i in range(VALUES):
        groups = groups_of(hand, 1 + i)
        reach += (GROUP_VALUE - LOWEST_VALUE - i) * groups  # its own currency loses one card
        mask[FIRST_GROUP + 1 + i] = (groups > 0) & (reach >= goal) & (RANKS[FIRST_GROUP + 1 + i] >= rank)


@njit
def lay(s, seat, component):
    """The component's cards go from the hand to the table.  # PZ-21, PZ-22, PZ-45"""
    if component == FIRST_GROUP:
        _lay_cards(s, seat, CERTIFICATE, GROUP_CARDS)
    elif component > FIRST_GROUP:
        for currency in range(CURRENCIES):
            _lay_cards(s, seat, component - FIRST_GROUP + VALUES * currency, 1)
    else:
        _lay_cards(s, seat, component, 1)
    if component >= FIRST_GROUP:
        s.totals[seat] += GROUP_VALUE
    else:
        s.totals[seat] += CARD_VALUE[component]
        if component == CERTIFICATE:
            s.singles += 1
        else:
            s.locks[seat] = (component - 1) // VALUES
    s.last = component


@njit
def _lay_cards(s, seat, card, count):
    """Some copies of a card go from the hand to the table."""
    move_cards(s, seat, card, -count)
    s.table[seat, card] += count
    laid(s, seat, card, count)


@njit
def take_back(s, seat):
    """The seat's cards on the table return to its hand.  # PZ-48"""
    taken_back(s, seat)
    for card in range(CARD_KINDS):
        s.hands[seat, card] += s.table[seat, card]
        s.table[seat, card] = 0
    count_hand(s, seat)


@njit
def discard_table(s, seat):
    """The seat's cards on the table are spent.  # PZ-32, PZ-49"""
    for card in range(CARD_KINDS):
        s.discards[card] += s.table[seat, card]
        s.table[seat, card] = 0


@njit
def begin_laying(s):
    """Nothing is laid yet in this payment or raise."""
    s.last = NO_COMPONENT
    s.singles = 0


@njit
def clear_totals(s):
    """No auction and no payment is going on."""
    s.totals[:] = 0
    s.locks[:] = NO_LOCK
    s.passed[:] = 0
    s.standing = 0
    s.holder = 0
    begin_laying(s)
