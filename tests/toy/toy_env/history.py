"""What a seat sees of the cards that a move moves.

The places: "box", "deck", "discards", "hand 0" .., and "marker" for the number of the start seat.
"""

from toy_env.actions import FIRST_SWAP, KEEP
from toy_env.components import VALUES


def seen(before, action, after, seat):
    if before is None:
        return _setup(after, seat)
    if action == KEEP:
        return []
    mover = int(before.seat)
    moves = [{"from": f"hand {mover}", "to": "discards", "cards": _faces([action - FIRST_SWAP])}]
    if after.shuffles != before.shuffles:
        order = _faces(after.deck[: after.deck_size])
        shuffle = {"from": "discards", "to": "deck", "cards": order}
        moves.append(shuffle if seat is None else {**shuffle, "cards": sorted(order), "shuffled": True})
    drawn = _faces([after.deck[after.deck_top - 1]])
    return [*moves, {"from": "deck", "to": f"hand {mover}", "cards": drawn if seat in (None, mover) else 1}]


def _setup(s, seat):
    """What lies where, of a game that was dealt and of a position. Discards were open when they were laid."""
    moves = [{"from": "box", "to": "marker", "cards": [str(int(s.start))]}]
    for p in range(s.players):
        hand = [str(value + 1) for value in range(VALUES) for _ in range(s.hands[p, value])]
        moves.append({"from": "box", "to": f"hand {p}", "cards": hand if seat in (None, p) else len(hand)})
    deck = _faces(s.deck[s.deck_top : s.deck_size])
    moves.append({"from": "box", "to": "deck", "cards": deck if seat is None else len(deck)})
    if s.discards_size:
        moves.append({"from": "box", "to": "discards", "cards": _faces(s.discards[: s.discards_size])})
    return moves


def _faces(cards):
    return [str(int(card) + 1) for card in cards]
