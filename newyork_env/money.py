# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Money: hands, market, deck, purchases. [RULES.md NY-10, NY-20 .. NY-22, NY-60, NY-61, section 6 MAIN and PAY]"""

from __future__ import annotations

import numpy as np

from newyork_env.actions import FIRST_PAY
from newyork_env.components import (
    ASKED,
    BANKS,
    BY_EQUALS,
    BY_VALUE,
    CAPPED,
    CARD_BANK,
    CARD_COPIES,
    CARD_KINDS,
    CARD_VALUE,
    NO_CARD,
    NO_TILE,
    PRICE,
    SLOTS,
    VALUES,
)
from newyork_env.memory import remember_draw, remember_reshuffle
from newyork_env.state import AFFORD_EXACT, AFFORD_OVER, AFFORD_PAYS, CLOCK_DISCARDS, CLOCK_PURCHASES, NO_SLOT, seats
from skyline.core.cards import add_cards
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.core.wide import bits_of, write_bits
from skyline.game import NO_SEAT
from skyline.rng import shuffle

REACH_BITS = (1 << 31) - 1  # sums above 13 + 9 (price and one card too many) are never asked for
NEVER_PLACE = 40  # stands for a sum that no cards have
NEVER = 1 << NEVER_PLACE
MAX_SEATS = 8  # a power of two above every seat
FEW_ACTIONS = 16  # written where there are up to nine actions; the others, which are not legal here, stay 0


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
    """Bring `afford` and `richest` up to date after a seat's cards of a bank changed."""
    refresh_afford(s, seat, bank)
    refresh_richest(s, bank)


@njit
def refresh_afford(s, seat, slot):
    """Recompute whether the hand pays the depot tile of a slot, whether exactly, and how closely.  # NY-03, NY-20"""
    sums = int(s.reach[seat, slot]) >> ASKED[s.depot[slot]]
    pays, exact = int(sums != 0), sums & 1
    s.afford[seat, slot, AFFORD_PAYS] = pays
    s.afford[seat, slot, AFFORD_EXACT] = exact
    s.afford[seat, slot, AFFORD_OVER] = lowest(sums | NEVER) - (1 - pays) * (NEVER_PLACE + 1)


@njit
def depot_changed(s, slot):
    """Bring `afford` up to date after a tile came into a slot or left it."""
    for seat in seats(s):
        refresh_afford(s, seat, slot)


@njit
def refresh_richest(s, bank):
    """Recompute the seat with the most money of a bank, NO_SEAT if several have it.  # NY-91, NY-R19"""
    first, second = 0, 0  # the largest and the next largest amount, each with the number of its seat
    for seat in seats(s):
        money = MAX_SEATS * int(s.money[seat, bank]) + seat
        second = max(second, min(first, money))
        first = max(first, money)
    s.richest[bank] = first % MAX_SEATS if first // MAX_SEATS > second // MAX_SEATS else NO_SEAT


@njit
def sums_of(s, seat, bank):
    """The sums that some cards of a bank in hand have: bit v for v."""
    sums, first = 1, VALUES * bank
    cards = np.int64(bits_of(s.hands[seat], first, VALUES))
    while cards:
        value = lowest(cards) + 1
        copies = int(s.hands[seat, first + value - 1])
        sums |= sums << value
        sums |= sums << value * (copies > 1)
        sums = (sums | sums << value * (copies > 2)) & REACH_BITS
        cards &= cards - 1
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
        refresh_afford(s, seat, bank)


# ---------------------------------------------------------------- taking money


@njit
def legal_take(s):
    """One card, or several with a sum of 5 or less; equal cards from the lowest slots: a word.  # NY-10, NY-R20"""
    a, b, c, d = int(s.market[0]), int(s.market[1]), int(s.market[2]), int(s.market[3])
    equal = (a == b) | (a == c) << 1 | (b == c) << 2 | (a == d) << 3 | (b == d) << 4 | (c == d) << 5  # as in PAIRS
    return int(BY_VALUE[CAPPED[a + 1], CAPPED[b + 1], CAPPED[c + 1], CAPPED[d + 1]]) & int(BY_EQUALS[equal])


@njit
def apply_take(s, slots):
    """The cards of a set of slots come into the hand.  # NY-10"""
    while slots:
        i = lowest(slots)
        gain_card(s, s.seat, s.market[i])
        s.covered[s.market[i]] += 1
        s.market[i] = NO_CARD
        slots &= slots - 1


# ---------------------------------------------------------------- buying


@njit
def legal_buy(s):
    """Slots with a tile that the hand's cards of its bank pay for: a word.  # NY-20"""
    pays = 0
    for slot in range(SLOTS):
        pays |= int(s.afford[s.seat, slot, AFFORD_PAYS]) << slot
    return pays


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
    first, missing = VALUES * int(s.slot), PRICE[s.depot[s.slot]] - int(s.laid_sum)
    lower, reached = 0, 0
    for value in range(1, VALUES + 1):
        lower += int(s.hands[s.seat, first + value - 1]) * value
        reached |= int(lower >= missing) << (value - 1)  # (c)
    values = bits_of(s.hands[s.seat], first, VALUES)  # (a)
    values &= np.uint64(reached & (1 << int(s.laid_last)) - 1)  # (b)
    write_bits(mask, FIRST_PAY, values, FEW_ACTIONS)


@njit
def legal_overpay(s):
    """After an exact payment any further card of the bank: a word.  # NY-23"""
    if s.paid_slot == NO_SLOT:
        return np.uint64(0)
    return bits_of(s.hands[s.seat], VALUES * int(s.paid_slot), VALUES)


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
