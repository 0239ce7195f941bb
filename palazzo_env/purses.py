# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Sums and groups of the cards of a hand, kept in two words of each seat wherever its cards move. [PZ-20 .. PZ-22]

byte       0 .. 2                        3              4                      5
`purses`   values of the cards A, B, C   cards in all   values of the certificates
`groups`   T2, T3, T4                    T5             T6                     T7
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    CARD_KINDS,
    CARD_VALUE,
    CERTIFICATE,
    CERTIFICATE_VALUE,
    CURRENCIES,
    GROUP_CARDS,
    GROUP_VALUE,
    LOWEST_VALUE,
    VALUES,
)
from skyline.core.jit import njit

BYTE, LOW_BYTE = 8, 255
CARDS_AT, CERTIFICATES_AT = 3 * BYTE, 4 * BYTE


def _of_card(card: int) -> int:
    """What a card adds to the purse."""
    place = CERTIFICATES_AT if card == CERTIFICATE else BYTE * ((card - 1) // VALUES)
    return (1 << CARDS_AT) + (int(CARD_VALUE[card]) << place)


OF_CARD = np.array([_of_card(card) for card in range(CARD_KINDS)])

# By card: its group T2 .. T7 as a number, and the first of the group's cards.
GROUP_OF = np.array([0] + [1 + i for i in range(VALUES)] * CURRENCIES)

# What a group adds to the cards it is made of, by byte: a group of certificates 15 less three times 2; another one 15
# less the value of the card that its own currency loses.
GROUP_GAINS = [GROUP_VALUE - GROUP_CARDS * CERTIFICATE_VALUE] + [GROUP_VALUE - LOWEST_VALUE - i for i in range(VALUES)]

# A product with this word has the sum of groups times gains in byte 5, where no carry comes from below. GAINS has the
# gains 9, 12, 11, 10, 9, 8 of T2 .. T7 in its bytes 5 .. 0; a hand with one T2 and two T3 has 1 and 2 in the bytes 0
# and 1 of `groups`. Byte 5 of the product: byte 0 times byte 5 and byte 1 times byte 4, 1 * 9 + 2 * 12 = 33.
GAINS_AT = np.uint64(BYTE * VALUES)
GAINS = np.uint64(sum(gain << BYTE * (VALUES - i) for i, gain in enumerate(GROUP_GAINS)))


@njit
def move_cards(s, seat, card, count):
    """`count` cards of the kind come to the hand, or leave it where `count` is negative."""
    s.hands[seat, card] += count
    s.purses[seat] += count * OF_CARD[card]
    shift = np.uint64(BYTE * GROUP_OF[card])
    groups = np.uint64(groups_of(s.hands[seat], GROUP_OF[card]))
    s.groups[seat] = s.groups[seat] & ~(np.uint64(LOW_BYTE) << shift) | groups << shift


@njit
def groups_of(hand, i):
    """How many groups T2 (0), T3, .. the hand holds.  # PZ-22"""
    step = VALUES if i else 0  # from a currency to the next one; the certificates are looked at three times
    least = min(int(hand[i]), int(hand[i + step]), int(hand[i + 2 * step]))
    return least if i else least // GROUP_CARDS


@njit
def count_hands(s):
    """Recompute purses and groups from the hands."""
    s.purses[:] = 0
    s.groups[:] = np.uint64(0)
    for seat in range(s.players):
        count_hand(s, seat)


@njit
def count_hand(s, seat):
    """Recompute the purse and the groups of a hand."""
    hand, purse, groups = s.hands[seat], 0, np.uint64(0)
    for card in range(CARD_KINDS):
        purse += int(hand[card]) * OF_CARD[card]
    for i in range(VALUES + 1):
        groups |= np.uint64(groups_of(hand, i)) << np.uint64(BYTE * i)
    s.purses[seat], s.groups[seat] = purse, groups


@njit
def hand_size(s, seat):
    """The number of cards in the seat's hand."""
    return s.purses[seat] >> CARDS_AT & LOW_BYTE


@njit
def most_of(s, seat):
    """The largest single payment of the seat's hand: all groups, then one currency.  # PZ-20 .. PZ-22, PZ-82"""
    purse = s.purses[seat]
    best = max(purse & LOW_BYTE, purse >> BYTE & LOW_BYTE, purse >> 2 * BYTE & LOW_BYTE)
    gains = np.int64(s.groups[seat] * GAINS >> GAINS_AT) & LOW_BYTE
    return best + (purse >> CERTIFICATES_AT) + gains
