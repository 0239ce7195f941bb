# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""`determinize`: everything that a seat does not see is dealt anew. [RULES.md section 7]

With RECALL belief.py deals. With TABLE the past is forgotten, and the functions below deal:

hands, deck    the cards that lie neither in the own hand nor open are shuffled and dealt back
stack          each pile keeps its number of entries, of the tiles of that pile that can still be in the stack
the decision   a seat that has begun to buy, to pay or to raise gets a hand with which it can finish
"""

from __future__ import annotations

from palazzo_env.begun import needed, still_to_come
from palazzo_env.belief import deal_unseen, shuffle_piles
from palazzo_env.components import (
    CARD_COPIES,
    CARD_KINDS,
    KNIGHT,
    KNIGHTS,
    PILE_1,
    PILE_2,
    PILE_3,
    STACK,
    TILE_COPIES,
    TILE_KINDS,
)
from palazzo_env.memory import forget
from palazzo_env.purses import count_hands
from palazzo_env.state import NO_CARD, PILES_AT
from skyline.core.cards import cards_in, count_cards
from skyline.core.jit import njit
from skyline.game import RECALL
from skyline.rng import below, next_word, shuffle

TRIES = 64  # deals that are tried before cards are exchanged
EXCHANGES = 200  # the most cards exchanged in one deal
DEALS = 2000  # the most deals; only a position without a legal move takes all of them


@njit
def determinize(s, seat, stream):
    """Deal hands, deck and stack as `seat` may expect them; the random word comes from the stream, too."""
    if s.memory == RECALL:
        deal_unseen(s, seat, stream)
        shuffle_piles(s, stream)
    else:
        _deal_money(s, seat, stream)
        _deal_stack(s, stream)
        forget(s)
    count_hands(s)
    s.order_given = 0
    s.rng = next_word(stream)


# ---------------------------------------------------------------- money


@njit
def _deal_money(s, seat, stream):
    """All hidden cards lie in `deck` while they are dealt: the cards of the deck first, then those of each hidden hand.

    They are gathered in card order, so that the deal depends on what the seat sees and on the stream alone.
    """
    left = int(s.deck_size) - int(s.deck_top)
    taken = s.first_take != NO_CARD and s.active != seat  # everybody sees this card: it stays in its hand
    if taken:
        s.hands[s.active, s.first_take] -= 1
    hidden = _gather(s, seat, taken)
    first, held = _part_of_decider(s, seat, left)
    begun = needed(s)
    for deal in range(DEALS):
        shuffle(stream, s.deck, hidden)
        if held == 0 or _can_finish(s, first, held, hidden, begun, deal >= TRIES, stream):
            break
    at = left
    for other in range(s.players):
        if other != seat:
            size = cards_in(s.hands[other])
            count_cards(s.hands[other], s.deck, at, at + size)
            at += size
    if taken:
        s.hands[s.active, s.first_take] += 1
    s.deck[left:] = 0
    s.deck_top, s.deck_size = 0, left


@njit
def _gather(s, seat, taken):
    """Put all cards that the seat does not see into `deck`; returns their number."""
    n = 0
    for card in range(CARD_KINDS):
        unseen = int(CARD_COPIES[card]) - int(s.hands[seat, card]) - int(s.discards[card]) - int(s.face_up[card])
        for other in range(s.players):
            unseen -= int(s.table[other, card])
        if taken and s.first_take == card:
            unseen -= 1
        for _ in range(unseen):
            s.deck[n] = card
            n += 1
    return n


@njit
def _part_of_decider(s, seat, left):
    """Where the cards of the deciding seat begin among the hidden ones, and their number. The number is 0 unless the
    hand is hidden and the seat has begun something that it must finish.
    """
    if s.seat == seat or needed(s) <= 0:
        return 0, 0
    first = left
    for other in range(s.seat):
        if other != seat:
            first += cards_in(s.hands[other])
    return first, cards_in(s.hands[s.seat])


@njit
def _can_finish(s, first, held, hidden, begun, exchange, stream):
    """Whether the cards of the deciding seat are enough to finish what it has begun.

    With `exchange`, cards of the hand change places with random hidden cards unless the hand gets worse, until it is
    enough. Such a deal is not drawn evenly from all possible ones; TRIES even ones are tried before.
    """
    hand = s.hands[s.seat]
    count_cards(hand, s.deck, first, first + held)
    reached = still_to_come(s, hand)
    if not exchange:
        return reached >= begun
    for _ in range(EXCHANGES):
        if reached >= begun:
            return True
        i, j = first + below(stream, held), below(stream, hidden)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
        count_cards(hand, s.deck, first, first + held)
        now = still_to_come(s, hand)
        if now < reached:
            s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
            count_cards(hand, s.deck, first, first + held)
        else:
            reached = now
    return False


# ---------------------------------------------------------------- the stack


@njit
def _deal_stack(s, stream):
    """Each pile keeps the number of its entries; the knights not yet drawn are in pile III."""
    in_first, in_second = int(s.supply[PILES_AT]), int(s.supply[PILES_AT + 1])
    knights = KNIGHTS - int(s.knights)
    s.stack[:] = 0
    end = _deal_pile(s, int(s.stack_top), in_first, PILE_1, 1, stream)
    end = _deal_pile(s, end, in_second, PILE_2, 1, stream)
    for i in range(STACK - knights, STACK):
        s.stack[i] = KNIGHT
    first = end
    end = _deal_pile(s, end, STACK - knights - first, PILE_3, 2, stream)
    shuffle(stream, s.stack[first:], STACK - first)


@njit
def _deal_pile(s, first, size, pile, seen, stream):
    """Deal `size` tiles of the pile to the places from `first` on, every tile with the same chance; returns the end.

    A tile can be there unless `seen` copies of it are visible. Tiles that exist twice lie once in pile II and once in
    pile III: the first visible copy is taken for that of pile II, so that the second one excludes pile III.
    """
    possible = 0
    for i in range(pile.shape[0]):
        possible += _can_be_there(s, pile[i], seen)
    at, left = first, size
    for i in range(pile.shape[0]):
        if _can_be_there(s, pile[i], seen):
            if below(stream, possible) < left:
                s.stack[at] = pile[i]
                at, left = at + 1, left - 1
            possible -= 1
    if left > 0:
        _deal_any(s, at, left)
    shuffle(stream, s.stack[first : first + size], size)
    return first + size


@njit
def _can_be_there(s, tile, seen):
    """Whether fewer than `seen` copies of the tile, or than all of them, are visible."""
    return s.visible[tile] < min(seen, int(TILE_COPIES[tile]))


@njit
def _deal_any(s, at, left):
    """A loaded position may leave a pile fewer possible tiles than entries: take other tiles that are not visible."""
    end = at + left
    for tile in range(TILE_KINDS):
        copies = int(TILE_COPIES[tile]) - int(s.visible[tile])
        for i in range(s.stack_top, at):
            copies -= s.stack[i] == tile
        while copies > 0 and at < end:
            s.stack[at] = tile
            at, copies = at + 1, copies - 1
