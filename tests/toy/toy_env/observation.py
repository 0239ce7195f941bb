"""What a seat sees: everything but the other seats' hands and the order of the deck. Seats count from the viewer.

Of the discards the last one is open. A seat that remembers knows the others, too.
"""

from skyline.core.cards import add_cards, count_cards, sort_cards
from skyline.core.jit import njit
from skyline.core.seats import around
from skyline.core.wide import widen
from skyline.game import NO_SEAT, RECALL, ObservationTable, Slice
from skyline.rng import next_word, shuffle
from toy_env.components import CARDS, COPIES, LARGEST_HAND, ROUNDS, VALUES


def observation_table(players):
    base = (
        Slice("to_move", (players,), 0, 1, 1, "who decides"),
        Slice("kept", (players,), 0, 1, 1, "who has kept"),
        Slice("hand", (VALUES,), 0, COPIES, 2, "own cards by value", own_only=True),
        Slice("top", (1,), 0, VALUES, 9, "value of the open discard, 0 without one"),
        Slice("deck", (1,), 0, CARDS, 18, "cards in the deck"),
        Slice("turns_left", (1,), 0, ROUNDS * players, 16, "turns of all seats to come"),
        Slice("discards", (VALUES,), 0, COPIES, 2, "discards by value", recall=True),
    )
    return ObservationTable(base, (Slice("sum", (1,), 0, VALUES * LARGEST_HAND, 36, "sum of the own hand"),))


@njit
def observe(s, seat, out):
    players = int(s.players)
    hand = s.hands[seat]
    for j in range(players):
        other = around(seat, j, players)
        out[j] = s.seat != NO_SEAT and s.seat == other
        out[players + j] = s.toy_kept[other]
    at = 2 * players
    widen(out, at, hand, VALUES)
    at += VALUES
    out[at] = s.discards[s.discards_size - 1] + 1 if s.discards_size else 0
    at += 1
    out[at] = s.deck_size - s.deck_top
    out[at + 1] = ROUNDS * players - s.turn
    at += 2
    for value in range(VALUES):
        out[at + value] = s.memory_discards[value] if s.memory == RECALL else 0
    at += VALUES
    if out.shape[0] > at:
        out[at] = 0
        for value in range(VALUES):
            out[at] += hand[value] * (value + 1)
        at += 1
    return at


@njit
def determinize(s, seat, stream):
    """Deal the hands of the other seats and the deck anew, from sorted cards; drawn cards are set to 0.

    For a seat that does not remember, the discards below the open one are dealt anew, too: with them the memory, so
    that nothing can be read from the memory.
    """
    left = int(s.deck_size) - int(s.deck_top)
    for i in range(left):
        s.deck[i] = s.deck[s.deck_top + i]
    n = left
    for other in range(s.players):
        if other != seat:
            n = add_cards(s.deck, n, s.hands[other])
    forgotten = int(s.discards_size) - 1 if s.discards_size and s.memory != RECALL else 0
    for i in range(forgotten):
        s.deck[n + i] = s.discards[i]
    n += forgotten
    sort_cards(s.deck, n, VALUES)
    shuffle(stream, s.deck, n)
    for other in range(s.players):
        if other != seat:
            n -= s.hand_size
            count_cards(s.hands[other], s.deck, n, n + s.hand_size)
    n -= forgotten
    for i in range(forgotten):
        s.discards[i] = s.deck[n + i]
    count_cards(s.memory_discards, s.discards, 0, s.discards_size)
    s.deck[left:] = 0
    s.deck_top, s.deck_size = 0, left
    s.rng = next_word(stream)
