"""A state as data, and the setup and shuffles of records."""

import numpy as np

from skyline.game import NO_SEAT, ensure, ensure_same
from skyline.reading import Value, check_counts
from toy_env.components import CARDS, COPIES, FEWEST_HAND, LARGEST_HAND, ROUNDS, USUAL_HAND, VALUES
from toy_env.rules import deal

FIELDS = ("players", "start", "turn", "hands", "kept", "deck", "discards", "shuffles", "scores")
NAMES = [f"the card {value}" for value in range(1, VALUES + 1)]


def prepare(s, options):
    s.hand_size = options["hand"]


def setup(s):
    return {"start": int(s.start), "deck": [int(card) + 1 for card in s.deck]}


def from_setup(s, data):
    given = Value(data, "setup").object("start", "deck", need=("start", "deck"))
    s.start = given["start"].whole(0, int(s.players) - 1)
    deck = _cards(given["deck"])
    if _copies(deck) != [COPIES] * VALUES:
        given["deck"].fault(f"each card stands {COPIES} times in the deck")
    s.deck[:] = deck
    deal(s)


def events(before, after):
    if before.shuffles == after.shuffles:
        return []
    return [{"deck": "cards", "order": [int(card) + 1 for card in after.deck[: after.deck_size]]}]


def preset(s, given):
    for event in Value(given, "shuffles").list(most=1):
        order = _cards(event.object("deck", "order", need=("deck", "order"))["order"])
        if s.deck_top != s.deck_size or len(order) != s.discards_size + 1:
            event.fault("no such shuffle can happen here")
        s.deck[: len(order)] = order
        s.order_given = 1


def position(s):
    players = int(s.players)
    return {
        "players": players,
        "start": int(s.start),
        "turn": int(s.turn),
        "hands": [[int(v) for v in np.repeat(range(1, VALUES + 1), s.hands[seat])] for seat in range(players)],
        "kept": [int(kept) for kept in s.toy_kept[:players]],
        "deck": [int(card) + 1 for card in s.deck[s.deck_top : s.deck_size]],
        "discards": [int(card) + 1 for card in s.discards[: s.discards_size]],
        "shuffles": int(s.shuffles),
        "scores": [int(score) for score in s.scores[:players]],
    }


def from_position(s, data):
    given = Value(data, "position").object(*FIELDS, need=FIELDS)
    players = int(s.players)
    s.start = given["start"].whole(0, players - 1)
    s.turn = given["turn"].whole(0, ROUNDS * players)
    s.shuffles = given["shuffles"].whole(0, 255)
    s.toy_kept[:players] = [kept.whole(0, 1) for kept in given["kept"].row(players)]
    s.scores[:players] = [score.whole(0, 36) for score in given["scores"].row(players)]
    hands = [_cards(hand) for hand in given["hands"].row(players)]
    deck, discards = _cards(given["deck"]), _cards(given["discards"])
    found = _copies([*deck, *discards, *(card for hand in hands for card in hand)])
    check_counts("position", found, [COPIES] * VALUES, NAMES)
    for seat, hand in enumerate(hands):
        s.hands[seat] = _copies(hand)
    s.deck_size, s.deck[: len(deck)] = len(deck), deck
    s.discards_size, s.discards[: len(discards)] = len(discards), discards
    s.memory_discards[:] = _copies(discards)
    s.seat = NO_SEAT if s.turn == ROUNDS * players else (s.start + s.turn) % players


def _cards(value):
    return [card.whole(1, VALUES) - 1 for card in value.list(most=CARDS)]


def _copies(cards):
    return [list(cards).count(value) for value in range(VALUES)]


def check(s):
    loose = np.concatenate([s.deck[s.deck_top : s.deck_size], s.discards[: s.discards_size]]).astype(int)
    copies = np.bincount(loose, minlength=VALUES) + s.hands.sum(axis=0)
    ensure_same("copies of the cards", copies.tolist(), [COPIES] * VALUES)
    ensure((s.hands[: s.players].sum(axis=1) == s.hand_size).all() and (s.hands >= 0).all(), "hands", s.hands)
    ensure_same("cards outside of the hands", len(loose), CARDS - s.players * s.hand_size)
    ensure(FEWEST_HAND <= USUAL_HAND <= LARGEST_HAND, "the sizes of hands")
    ensure_same("remembered discards", s.memory_discards.tolist(), _copies(s.discards[: s.discards_size]))
    ensure(not s.order_given, "a given order was not used")
