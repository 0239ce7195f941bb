"""The rules of README.md."""

from skyline.core.jit import njit
from skyline.game import NO_SEAT
from skyline.rng import below, shuffle
from toy_env.actions import FIRST_SWAP, KEEP
from toy_env.components import CARDS, COPIES, ROUNDS, VALUES
from toy_env.memory import begin_memory, forget_discards, remember_discard


@njit
def reset(s):
    s.start = below(s, s.players)
    for card in range(CARDS):
        s.deck[card] = card // COPIES
    shuffle(s, s.deck, CARDS)
    deal(s)


@njit
def deal(s):
    """Deal the hands; start seat and order of the deck are set."""
    s.hands[:] = 0
    for seat in range(s.players):
        for i in range(s.hand_size):
            s.hands[seat, s.deck[s.hand_size * seat + i]] += 1
    s.deck_size, s.deck_top = CARDS, s.hand_size * s.players
    s.discards[:] = 0
    s.discards_size = 0
    s.toy_kept[:] = 0
    s.scores[:] = 0
    s.shuffles, s.order_given, s.turn = 0, 0, 0
    begin_memory(s)
    s.seat = s.start


@njit
def legal(s, mask):
    mask[KEEP] = 1
    if not s.toy_kept[s.seat]:
        for value in range(VALUES):
            mask[FIRST_SWAP + value] = s.hands[s.seat, value] > 0


@njit
def step(s, action):
    if action == KEEP:
        s.toy_kept[s.seat] = 1
    else:
        _swap(s, action - FIRST_SWAP)
    s.turn += 1
    s.seat = (s.start + s.turn) % s.players
    if s.turn == ROUNDS * s.players:
        _end(s)


@njit
def _swap(s, value):
    s.hands[s.seat, value] -= 1
    s.discards[s.discards_size] = value
    s.discards_size += 1
    remember_discard(s, value)
    if s.deck_top == s.deck_size:
        _make_deck(s)
    s.hands[s.seat, s.deck[s.deck_top]] += 1
    s.deck_top += 1


@njit
def _make_deck(s):
    if not s.order_given:
        for i in range(s.discards_size):
            s.deck[i] = s.discards[i]
        shuffle(s, s.deck, s.discards_size)
    s.order_given = 0
    s.deck_size, s.deck_top, s.discards_size = s.discards_size, 0, 0
    s.shuffles += 1
    forget_discards(s)


@njit
def _end(s):
    for seat in range(s.players):
        for value in range(VALUES):
            s.scores[seat] += s.hands[seat, value] * (value + 1)
    s.seat = NO_SEAT


@njit
def rank_key(s, seat):
    return int(s.scores[seat])
