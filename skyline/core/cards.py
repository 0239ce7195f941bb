# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Cards as lists and as counts: a deck names its cards one by one, a hand says how many there are of each kind.

`determinize` gathers the cards that a seat does not see in one list, in rising order, shuffles the list, and deals the
places their number of cards again:

    n = add_cards(s.deck, n, s.hands[other])            gather a hand behind the n cards of the list
    sort_cards(s.deck, n, KINDS)                        the deal must not depend on the order in which they lay
    shuffle(stream, s.deck, n)
    count_cards(s.hands[other], s.deck, first, end)     the cards first .. end - 1 are the hand
"""

from __future__ import annotations

from skyline.core.jit import njit


@njit
def cards_in(counts):
    """The number of cards of all kinds."""
    total = 0
    for card in range(counts.shape[0]):
        total += counts[card]
    return total


@njit
def add_cards(cards, n, counts):
    """Write the counted cards behind the first n of the list, in rising order; the number of cards then."""
    for card in range(counts.shape[0]):
        for _ in range(counts[card]):
            cards[n] = card
            n += 1
    return n


@njit
def count_cards(counts, cards, first, end):
    """Make `counts` those of the cards first .. end - 1 of the list."""
    counts[:] = 0
    for i in range(first, end):
        counts[cards[i]] += 1


@njit
def sort_cards(cards, n, kinds):
    """The first n cards of the list in rising order; the cards are numbers below `kinds`."""
    at = 0
    for card in range(kinds):
        for i in range(at, n):
            if cards[i] == card:
                cards[i], cards[at] = cards[at], cards[i]
                at += 1
