"""What a seat saw of a move: `seen`, the movements of cards. [RULES.md section 7]

Pieces are open to everybody, and the move texts name them, so only cards and the round marker are told.
"""

from __future__ import annotations

from typing import Any

from manhattan_env import components as box
from manhattan_env.position import events, pile_of
from manhattan_env.state import PHASE_TURN
from manhattan_env.words import played_card

Movement = dict[str, Any]


def seen(before: Any, action: int, after: Any, seat: int | None = None) -> list[Movement]:
    """The movements of cards by a move, as `seat` saw them (None: everything); `before` None: what lies where.

    Places: "box", "marker" (its card is the seat that holds it), "hand S", "pile S" and "deck"; cards are printed
    squares. At a reshuffle the piles go to the deck, `"shuffled": true`.
    """
    if before is None:
        return _beginning(after, seat)
    if before.phase != PHASE_TURN:
        return []
    mover = int(before.seat)
    played = played_card(before, action)
    moved: list[Movement] = [{"from": f"hand {mover}", "to": f"pile {mover}", "cards": [played]}]
    if events(before, after):
        for other in range(before.players):
            pile = [*pile_of(before, other), *([played] if other == mover else [])]
            if pile:
                moved.append({"from": f"pile {other}", "to": "deck", "cards": pile, "shuffled": True})
    drawn = [int(after.deck[after.deck_top - 1])] if seat in (None, mover) else 1
    return [*moved, {"from": "deck", "to": f"hand {mover}", "cards": drawn}]


def _beginning(s: Any, seat: int | None) -> list[Movement]:
    """Everything from the box to its place."""
    places: list[tuple[str, Any]] = [("marker", [str(int(s.marker))])]
    for other in range(s.players):
        hand = [card for card in range(box.SQUARES) for _ in range(s.hands[other, card])]
        places.append((f"hand {other}", hand if seat in (None, other) else len(hand)))
    places += [(f"pile {other}", pile_of(s, other)) for other in range(s.players)]
    deck = [int(card) for card in s.deck[s.deck_top : s.deck_size]]
    places.append(("deck", deck if seat is None else len(deck)))
    return [{"from": "box", "to": place, "cards": cards} for place, cards in places if cards]
