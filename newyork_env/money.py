# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Money: hands, market, deck, purchases. [RULES.md NY-10, NY-20 .. NY-22, NY-60, NY-61, section 6 MAIN and PAY]"""

from __future__ import annotations

import numpy as np

from newyork_env.actions import FIRST_BUY, FIRST_OVERPAY, FIRST_PAY
from newyork_env.components import (
    BANKS,
    BY_EQUALS,
    BY_VALUE,
    CARD_BANK,
    CARD_COPIES,
    CARD_KINDS,
    CARD_VALUE,
    MARKET_SETS,
    NO_CARD,
    NO_TILE,
    PRICE,
    SLOTS,
    VALUE_CAP,
    VALUES,
)
from newyork_env.memory import remember_draw, remember_reshuffle
from newyork_env.state import CLOCK_DISCARDS, CLOCK_PURCHASES, NO_SLOT, seats
from skyline.core.cards import add_cards
from skyline.core.jit import njit
from skyline.core.wide import bits_of, write_bits
from skyline.game import NO_SEAT
from skyline.rng import shuffle

REACH_BITS = (1 << 31) - 1  # sums above 13 + 9 (price and one card too many) are never asked for


# ---------------------------------------------------------------- hands


@njit
def gain_card(s, seat, card):
    """A card comes into the hand."""
    bank, value = CARD_BANK[card], CARD_VALUE[card]
    s.hands[seat, card] += 1
    s.held[seat] += 1
    s.money[seat, bank] += value
    s.reach[seat, bank] |= int(s.reach[seat, bank]) << value & REACH_BITS
    money_changed(s, seat, bank)


@njit
def lose_card(s, seat, card):
    """A card leaves the hand."""
    bank = CARD_BANK[card]
    s.hands[seat, card] -= 1
    s.held[seat] -= 1
    s.money[seat, bank] -= CARD_VALUE[card]
    s.reach[seat, bank] = sums_of(s, seat, bank)
    money_changed(s, seat, bank)


@njit
def money_changed(s, seat, bank):
    """Bring `exact` and `richest` up to date after a seat's cards of a bank changed."""
    refresh_exact(s, seat, bank)
    refresh_richest(s, bank)


@njit
def refresh_exact(s, seat, slot):
    """Recompute whether the hand pays the depot tile of a slot exactly.  # NY-03, NY-M13"""
    tile = s.depot[slot]
    s.exact[seat, slot] = tile != NO_TILE and int(s.reach[seat, slot]) >> PRICE[tile] & 1


@njit
def depot_changed(s, slot):
    """Bring `exact` up to date after a tile came into a slot or left it."""
    for seat in seats(s):
        refresh_exact(s, seat, slot)


@njit
def refresh_richest(s, bank):
    """Recompute the seat with the most money of a bank, NO_SEAT if several have it.  # NY-91, NY-R19"""
    best, richest = -1, NO_SEAT
    for seat in seats(s):
        money = int(s.money[seat, bank])
        if money == best:
            richest = NO_SEAT
        elif money > best:
            best, richest = money, seat
    s.richest[bank] = richest


@njit
def sums_of(s, seat, bank):
    """The sums that some cards of a bank in hand have: bit v for v."""
    sums = 1
    for level in range(VALUES):
        for _ in range(s.hands[seat, VALUES * bank + level]):
            sums |= sums << (level + 1) & REACH_BITS
    return sums


@njit
def survey_hand(s, seat):
    """Recompute the caches of a hand."""
    s.held[seat] = 0
    s.money[seat, :] = 0
    for card in range(CARD_KINDS):
        s.held[seat] += s.hands[seat, card]
        s.money[seat, CARD_BANK[card]] += CARD_VALUE[card] * int(s.hands[seat, card])
    for bank in range(BANKS):
        s.reach[seat, bank] = sums_of(s, seat, bank)
        refresh_exact(s, seat, bank)


# ---------------------------------------------------------------- taking money


@njit
def legal_take(s, mask):
    """One card, or several with a sum of 5 or less; equal cards from the lowest slots. True if any.  # NY-10, NY-R20"""
    a, b, c, d = int(s.market[0]), int(s.market[1]), int(s.market[2]), int(s.market[3])
    equal = (a == b) | (a == c) << 1 | (b == c) << 2 | (a == d) << 3 | (b == d) << 4 | (c == d) << 5  # as in PAIRS
    sets = BY_VALUE[_capped(a), _capped(b), _capped(c), _capped(d)] & BY_EQUALS[equal]
    write_bits(mask, 0, np.uint64(sets), MARKET_SETS)  # one too many: slot 0 of BUY is marked after it
    return sets != 0


@njit
def _capped(card):
    """A card's value up to VALUE_CAP, 0 for an empty slot."""
    return min(CARD_VALUE[card], VALUE_CAP) if card != NO_CARD else 0


@njit
def apply_take(s, slots):
    """The cards of a set of slots come into the hand.  # NY-10"""
    for i in range(SLOTS):
        if slots >> i & 1:
            gain_card(s, s.seat, s.market[i])
            s.covered[s.market[i]] += 1
            s.market[i] = NO_CARD


# ---------------------------------------------------------------- buying


@njit
def legal_buy(s, mask):
    """Slots with a tile that the hand's cards of its bank pay for. True if any.  # NY-20"""
    found = False
    for i in range(SLOTS):
        if s.depot[i] != NO_TILE and s.money[s.seat, i] >= PRICE[s.depot[i]]:
            mask[FIRST_BUY + i] = 1
            found = True
    return found


@njit
def begin_purchase(s, slot):
    """Nothing is laid yet for the tile in this slot.  # NY-20"""
    s.slot, s.paid_slot = slot, NO_SLOT
    s.laid[:] = 0
    s.laid_sum = 0
    s.laid_last = VALUES


@njit
def legal_pay(s, mask):
    """Values from high to low with which the price is still reached.  # NY-21, section 6 PAY"""
    missing = PRICE[s.depot[s.slot]] - int(s.laid_sum)
    lower = 0
    for value in range(1, s.laid_last + 1):  # (b)
        copies = int(s.hands[s.seat, VALUES * s.slot + value - 1])
        lower += copies * value
        if copies and lower >= missing:  # (a), (c)
            mask[FIRST_PAY + value - 1] = 1


@njit
def legal_overpay(s, mask):
    """After an exact payment any further card of the bank.  # NY-23"""
    if s.paid_slot != NO_SLOT:
        cards = bits_of(s.hands[s.seat], VALUES * int(s.paid_slot), VALUES)
        write_bits(mask, FIRST_OVERPAY, cards, VALUES)


@njit
def discard(s, card):
    """A card of the deciding seat is paid.  # NY-22"""
    lose_card(s, s.seat, card)
    s.discards[card] += 1
    s.discards_size += 1
    s.clock[CLOCK_DISCARDS] += 1


@njit
def lay_card(s, value):
    """Lay a card for the purchase; the money still missing: 0 if paid exactly, negative if too much.  # NY-22"""
    card = VALUES * int(s.slot) + value - 1
    discard(s, card)
    s.covered[card] -= 1
    s.laid[value] += 1
    s.laid_sum += value
    s.laid_last = value
    return PRICE[s.depot[s.slot]] - int(s.laid_sum)


@njit
def complete_purchase(s):
    """The tile leaves the depot; returns the tile."""
    slot = int(s.slot)
    tile = int(s.depot[slot])
    s.depot[slot] = NO_TILE
    depot_changed(s, slot)
    for value in range(1, VALUES + 1):
        s.covered[VALUES * slot + value - 1] += s.laid[value]
    begin_purchase(s, NO_SLOT)
    s.clock[CLOCK_PURCHASES] += 1
    return tile


# ---------------------------------------------------------------- the deck


@njit
def to_market(s, slot, card):
    """A card comes into an empty slot of the market; NO_CARD leaves it empty."""
    s.market[slot] = card
    if card != NO_CARD:
        s.covered[card] -= 1


@njit
def survey_covered(s):
    """Recompute how many copies of each card lie neither in the market nor laid."""
    s.covered[:] = CARD_COPIES[s.players]
    for i in range(SLOTS):
        if s.market[i] != NO_CARD:
            s.covered[s.market[i]] -= 1
    if s.slot != NO_SLOT:
        for value in range(1, VALUES + 1):
            s.covered[VALUES * int(s.slot) + value - 1] -= s.laid[value]


@njit
def draw_card(s):
    """The top card of the deck, the discards being shuffled if it is empty; NO_CARD if they are too.  # NY-61"""
    if s.deck_top == s.deck_size:
        reshuffle(s)
    if s.deck_top == s.deck_size:
        return NO_CARD
    card = int(s.deck[s.deck_top])
    s.deck_top += 1
    remember_draw(s, card)
    return card


@njit
def reshuffle(s):
    """All discards become the deck.  # NY-61, NY-R21"""
    n = int(s.discards_size)
    if n == 0:
        return
    if s.order_given:
        for i in range(n):
            s.deck[i] = s.deck[s.deck_size + i]
    else:
        add_cards(s.deck, 0, s.discards)
        shuffle(s, s.deck, n)
    remember_reshuffle(s)
    s.deck[n:] = 0
    s.order_given = 0
    s.deck_size, s.deck_top = n, 0
    s.discards[:] = 0
    s.discards_size = 0
    s.reshuffles += 1
