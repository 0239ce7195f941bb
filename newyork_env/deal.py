# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The setup: bag, money and the deal; the empty table. [RULES.md section 2]"""

from __future__ import annotations

from newyork_env.components import (
    CARD_COPIES,
    CARD_KINDS,
    CARD_VALUE,
    DIRK_START,
    NO_CARD,
    NO_TILE,
    PILES,
    SCORING_A,
    SLOTS,
    STARTING_MONEY,
    TILES,
)
from newyork_env.memory import remember_all_cards
from newyork_env.money import begin_purchase, draw_card, gain_card, to_market
from newyork_env.scoring import refresh_clock, survey
from newyork_env.state import IN_BAG, IN_DEPOT, NO_SLOT, PHASE_MAIN, seats
from newyork_env.tiles import draw_tile, give_to_dirk
from skyline.core.jit import njit
from skyline.rng import below, shuffle


@njit
def reset(s):
    """A new game: section 2."""
    for i in range(TILES):
        s.bag[i] = i + 1
    shuffle(s, s.bag, TILES)  # step 2
    n = 0
    for card in range(CARD_KINDS):
        for _ in range(CARD_COPIES[s.players]):
            s.deck[n] = card
            n += 1
    shuffle(s, s.deck, n)  # step 4
    dealt = _cards_dealt(s)
    for i in range(2):  # step 7; SA is in before the place of SB is counted
        low, high = pile_places(i, n, dealt)
        _insert(s, n + i, low + below(s, high - low + 1), SCORING_A + i)
    deal(s)


@njit
def _cards_dealt(s):
    """The cards of steps 5 and 6: every seat's starting money and the market."""
    n = 0
    for _ in seats(s):
        total = 0
        while total < STARTING_MONEY:
            total += CARD_VALUE[s.deck[n]]
            n += 1
    return n + SLOTS


@njit
def pile_places(number, n, dealt):
    """First and last index in the list of n money cards (and SA, SB) of SA (0) or SB (1).  # section 2, step 7"""
    r = n - dealt
    size, more = r // PILES, r % PILES
    first = dealt
    for pile in range(1 + 2 * number):
        first += size + (pile < more)
    first += number
    return first, first + size + (1 + 2 * number < more)


@njit
def _insert(s, n, index, card):
    """Put a card into the first n cards of the deck."""
    for i in range(n, index, -1):
        s.deck[i] = s.deck[i - 1]
    s.deck[index] = card


@njit
def deal(s):
    """Everything that follows from the order of bag and money cards. [section 2]"""
    clear(s)
    for i in range(SLOTS):
        s.depot[i] = draw_tile(s, IN_DEPOT)  # step 2
    if s.players == 2:
        give_to_dirk(s, DIRK_START)  # step 3, NY-80
    n = int(CARD_COPIES[s.players]) * CARD_KINDS
    dealt = _cards_dealt(s)
    s.deck_size = n + 2
    s.deck[n + 2 :] = 0
    remember_all_cards(s)
    for seat in seats(s):  # step 5
        total = 0
        while total < STARTING_MONEY:
            card = draw_card(s)
            gain_card(s, seat, card)
            total += CARD_VALUE[card]
    for i in range(SLOTS):  # step 6
        to_market(s, i, draw_card(s))
    for i in range(2):
        s.earliest[i], s.latest[i] = pile_places(i, n, dealt)
    s.seat = _starting_seat(s)
    refresh_clock(s)


@njit
def clear(s):
    """An empty table: start tiles only."""
    s.phase, s.ending, s.turns, s.scored = PHASE_MAIN, 0, 0, 0
    s.scores[:] = 0
    s.market[:] = NO_CARD
    s.hands[:] = 0
    s.discards[:] = 0
    s.deck_size, s.deck_top, s.discards_size, s.order_given, s.reshuffles = 0, 0, 0, 0, 0
    s.earliest[:] = 0
    s.latest[:] = 0
    s.memory_deck[:] = 0
    begin_purchase(s, NO_SLOT)
    s.bag_top = 0
    s.depot[:] = NO_TILE
    s.chosen = NO_TILE
    s.place[:] = -1
    s.place[1 : TILES + 1] = IN_BAG
    s.x[:] = 0
    s.y[:] = 0
    s.ways[:] = 0
    survey(s)


@njit
def _starting_seat(s):
    """The fewest cards, then the smallest sum, then the lowest seat.  # section 2, step 8"""
    best, best_key = 0, 1 << 30
    for seat in seats(s):
        key = 1024 * int(s.held[seat])
        for bank in range(SLOTS):
            key += int(s.money[seat, bank])
        if key < best_key:
            best, best_key = seat, key
    return best
