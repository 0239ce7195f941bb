# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`determinize`: everything that a seat does not see is dealt anew. [RULES.md section 7]

With RECALL only two orders are hidden, that of the deck, whose money cards are a known set, and that of the bag: both
are drawn from exactly the deals that agree with what was seen (NY-M16, NY-M17).

With TABLE the other hands are hidden, too, and which cards lie in the discards: these cards and the deck are gathered,
sorted, shuffled and dealt back, so that every place keeps its number of cards. Either way the deal depends on what the
seat knows and on the stream alone. Scoring cards that are still in the deck lie anywhere in what is left of their
piles.

With TABLE a purchase that another seat has begun proves that the seat can pay. Deals in which it could not pay are
thrown away; after TRIES deals, cards that help are exchanged into its hand until it can pay, which always comes to an
end.
"""

from __future__ import annotations

from newyork_env.components import BANKS, CARD_BANK, CARD_KINDS, CARD_VALUE, PRICE, SCORING_A, START, VALUES
from newyork_env.memory import survey_deck
from newyork_env.money import refresh_richest, survey_hand
from newyork_env.state import IN_BAG, NO_SLOT, seats
from skyline.core.cards import add_cards, count_cards
from skyline.core.jit import njit
from skyline.game import RECALL
from skyline.rng import below, next_word, shuffle

TRIES = 64


@njit
def determinize(s, seat, stream):
    """Deal everything that the seat does not see; the random word comes from the stream, too."""
    if s.memory == RECALL:
        _deal_deck(s, _remembered_deck(s, stream), stream)
    else:
        _deal_unseen(s, seat, stream)
    _deal_bag(s, stream)
    s.order_given = 0
    s.rng = next_word(stream)


@njit
def _remembered_deck(s, stream):
    """The known money cards of the deck, in a random order, at the beginning of the array; their number.  # NY-M10"""
    left = add_cards(s.deck, 0, s.memory_deck)
    shuffle(stream, s.deck, left)
    return left


@njit
def _deal_unseen(s, seat, stream):
    """Hands, discards and deck anew, as far as they do not lie open. [section 7.1]"""
    left = _money_left(s)
    _lift_laid(s, -1)
    n = _gather(s, seat)
    payer = s.slot != NO_SLOT and s.seat != seat
    for _ in range(TRIES):
        shuffle(stream, s.deck, n)
        _deal_hands(s, seat, left)
        if not payer or _missing(s) <= 0:
            break
    while payer and _missing(s) > 0:
        _exchange(s, seat, left, n, stream)
    count_cards(s.discards, s.deck, n - s.discards_size, n)
    _lift_laid(s, 1)
    _deal_deck(s, left, stream)
    for other in seats(s):
        if other != seat:
            survey_hand(s, other)
    for bank in range(BANKS):
        refresh_richest(s, bank)
    survey_deck(s)


@njit
def _money_left(s):
    """The number of money cards in the deck."""
    return int(s.deck_size) - int(s.deck_top) - (not s.scored & 1) - (not s.scored & 2)


@njit
def _lift_laid(s, sign):
    """Take the cards laid for the purchase, which everybody saw, out of the discards (-1), or put them back (1)."""
    if s.slot == NO_SLOT:
        return
    for value in range(1, VALUES + 1):
        s.discards[VALUES * s.slot + value - 1] += sign * s.laid[value]
        s.discards_size += sign * s.laid[value]


@njit
def _gather(s, seat):
    """Put all hidden cards into the deck array, sorted, so that nothing of the old deal is left; their number."""
    for i in range(s.deck_top, s.deck_size):
        if s.deck[i] < CARD_KINDS:
            s.discards[s.deck[i]] += 1
    for other in seats(s):
        if other != seat:
            for card in range(CARD_KINDS):
                s.discards[card] += s.hands[other, card]
    return add_cards(s.deck, 0, s.discards)


@njit
def _deal_hands(s, seat, n):
    """The gathered cards from place n on go to the hidden hands, to each as many as it had."""
    for other in seats(s):
        if other != seat:
            count_cards(s.hands[other], s.deck, n, n + s.held[other])
            n += s.held[other]


@njit
def _helps(s, card):
    """What a card is worth to the begun purchase: its value, 0 for another bank or above the card laid last."""
    return CARD_VALUE[card] if CARD_BANK[card] == s.slot and CARD_VALUE[card] <= s.laid_last else 0


@njit
def _missing(s):
    """Money that the payer's hand lacks to finish the purchase; 0 or less if it can."""
    missing = PRICE[s.depot[s.slot]] - int(s.laid_sum)
    for card in range(CARD_KINDS):
        missing -= int(s.hands[s.seat, card]) * _helps(s, card)
    return missing


@njit
def _exchange(s, seat, left, n, stream):
    """The least helpful card of the payer's hand changes places with a random card that helps more."""
    first = left
    for other in range(s.seat):
        if other != seat:
            first += s.held[other]
    least = first
    for i in range(first, first + s.held[s.seat]):
        if _helps(s, s.deck[i]) < _helps(s, s.deck[least]):
            least = i
    better = 0
    for i in range(n):
        if (i < first or i >= first + s.held[s.seat]) and _helps(s, s.deck[i]) > _helps(s, s.deck[least]):
            better += 1
    pick = below(stream, better)
    for i in range(n):
        if (i < first or i >= first + s.held[s.seat]) and _helps(s, s.deck[i]) > _helps(s, s.deck[least]):
            if pick == 0:
                s.deck[i], s.deck[least] = s.deck[least], s.deck[i]
                break
            pick -= 1
    _deal_hands(s, seat, left)


@njit
def _deal_deck(s, left, stream):
    """The first `left` cards are the deck again, SA and SB among them; what was drawn is wiped."""
    top, size = int(s.deck_top), int(s.deck_size)
    s.deck[left:] = 0
    places = _scoring_places(s, top, stream)
    i = left
    for at in range(size - 1, top - 1, -1):
        card = -1
        for number in range(2):
            if places[number] == at:
                card = SCORING_A + number
        if card < 0:
            i -= 1
            card = int(s.deck[i])
        s.deck[at] = card
    s.deck[:top] = 0


@njit
def _scoring_places(s, top, stream):
    """A place for SA and SB each, uniform over what is left of its range, SA above SB; -1 for one that is out.

    # NY-M08, NY-M17
    """
    while True:
        a = b = -1
        if not s.scored & 1:
            low = max(int(s.earliest[0]), top)
            a = low + below(stream, s.latest[0] - low + 1)
        if not s.scored & 2:
            low = max(int(s.earliest[1]), top)
            b = low + below(stream, s.latest[1] - low + 1)
        if a < b or b < 0:
            return a, b


@njit
def _deal_bag(s, stream):
    """The bag in a new order; the order of the tiles drawn is wiped."""
    left = 0
    for tile in range(1, START):
        if s.place[tile] == IN_BAG:
            s.bag[left] = tile
            left += 1
    shuffle(stream, s.bag, left)
    for i in range(left - 1, -1, -1):
        s.bag[s.bag_top + i] = s.bag[i]
    s.bag[: s.bag_top] = 0
