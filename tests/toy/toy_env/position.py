"""A state as data, and the setup and shuffles of records."""

import numpy as np

from skyline.game import NO_SEAT
from toy_env.components import CARDS, COPIES, FEWEST_HAND, LARGEST_HAND, ROUNDS, USUAL_HAND, VALUES
from toy_env.rules import deal

FIELDS = {"players", "start", "turn", "hands", "kept", "deck", "discards", "shuffles", "scores"}


def prepare(s, options):
    s.hand_size = options["hand"]


def setup(s):
    return {"start": int(s.start), "deck": [int(card) + 1 for card in s.deck]}


def from_setup(s, data):
    if set(data) != {"start", "deck"}:
        raise ValueError("setup needs exactly start and deck")
    s.start = _whole("start", data["start"], 0, s.players - 1)
    s.deck[:] = _cards("deck", data["deck"])
    deal(s)


def events(before, after):
    if before.shuffles == after.shuffles:
        return []
    return [{"deck": "cards", "order": [int(card) + 1 for card in after.deck[: after.deck_size]]}]


def preset(s, given):
    for event in given:
        order = _cards("order", event["order"])
        if s.deck_top != s.deck_size or len(order) != s.discards_size + 1:
            raise ValueError("no such shuffle can happen here")
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
    if unknown := set(data) - FIELDS:
        raise ValueError(f"a position has no field {', '.join(sorted(unknown))}")
    players = int(s.players)
    s.start = _whole("start", data["start"], 0, players - 1)
    s.turn = _whole("turn", data["turn"], 0, ROUNDS * players)
    s.shuffles = _whole("shuffles", data["shuffles"], 0, 255)
    s.toy_kept[:players] = [_whole("kept", kept, 0, 1) for kept in _row("kept", data["kept"], players)]
    s.scores[:players] = [_whole("scores", n, 0, 36) for n in _row("scores", data["scores"], players)]
    for seat, hand in enumerate(_row("hands", data["hands"], players)):
        s.hands[seat] = np.bincount(_cards("hands", hand), minlength=VALUES)
    deck, discards = _cards("deck", data["deck"]), _cards("discards", data["discards"])
    s.deck_size, s.deck[: len(deck)] = len(deck), deck
    s.discards_size, s.discards[: len(discards)] = len(discards), discards
    s.seat = NO_SEAT if s.turn == ROUNDS * players else (s.start + s.turn) % players


def _whole(what, value, low, high):
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{what}: a whole number {low} .. {high}, not {value!r}")
    return value


def _row(what, value, length):
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"{what}: a list of {length}, not {value!r}")
    return value


def _cards(what, values):
    return np.array([_whole(what, value, 1, VALUES) - 1 for value in values], int)


def check(s):
    loose = np.concatenate([s.deck[s.deck_top : s.deck_size], s.discards[: s.discards_size]]).astype(int)
    copies = np.bincount(loose, minlength=VALUES) + s.hands.sum(axis=0)
    assert copies.tolist() == [COPIES] * VALUES, f"copies of the cards: {copies.tolist()}"
    assert (s.hands[: s.players].sum(axis=1) == s.hand_size).all()
    assert (s.hands >= 0).all()
    assert len(loose) == CARDS - s.players * s.hand_size
    assert FEWEST_HAND <= USUAL_HAND <= LARGEST_HAND
    assert not s.order_given
