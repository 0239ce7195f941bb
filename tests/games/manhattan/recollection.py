"""What a state must remember, recomputed in plain Python from a playing: the rows and the actions between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.games.manhattan.cases import BOARD
from tests.games.manhattan.oracle_board import SIDES

SQUARES = 9
FIELDS = (
    "memory_size", "memory_plays", "memory_shuffles", "memory_ends", "memory_held", "memory_known", "memory_loose",
    "memory_shown",
)  # fmt: skip


def recollected(rows: Sequence[Any], actions: Sequence[int], texts: Sequence[str]) -> dict[str, Any]:
    """The memory fields of the last row of a game from its deal: `texts` are the moves of `actions`."""
    plays: list[int] = []
    ends: list[int] = []
    held: list[list[list[int]]] = []
    shown: list[list[int]] = [[], [], [], []]  # by seat, since the last shuffle
    for before, after, text in zip(rows[:-1], rows[1:], texts, strict=True):
        if text.startswith("take"):
            continue
        seat, card, bits = _play(before, text)
        plays.append(9 * seat + card + 64 * bits)
        shown[seat].append(card)
        if before["deck_top"] == before["deck_size"]:
            ends.append(len(plays))
            hands = [[card for card in range(SQUARES) for _ in range(n[card])] for n in after["hands"].tolist()]
            hands[seat].remove(int(after["deck"][0]))
            held.append(hands)
            shown = [[], [], [], []]
    return _fields(rows[-1], plays, ends, held, shown)


def _play(before: Any, text: str) -> tuple[int, int, int]:
    """Seat, card, and for a DISCARD the bits of the cards that could have been built with and of the card itself."""
    seat, words = int(before["seat"]), text.split()
    side = BOARD[SIDES[int(before["players"])][seat]]
    if words[0] == "build":
        return seat, side.index(int(words[2])), 0
    own = 2 if before["players"] == 2 else 1
    squares = 0
    for colour in range(own * seat, own * seat + own):
        for height in range(1, 5):
            if before["chosen"][colour][height - 1]:
                for site in range(54):
                    if before["need"][colour][site] <= height:
                        squares |= 1 << side.index(site % SQUARES)
    return seat, int(words[1]), squares | 1 << int(words[1])


def _fields(
    last: Any, plays: list[int], ends: list[int], held: list[list[list[int]]], shown: list[list[int]]
) -> dict[str, Any]:
    players = int(last["players"])
    fields: dict[str, Any] = {"memory_size": len(plays), "memory_shuffles": len(ends)}
    fields["memory_plays"] = np.array(plays + [0] * (96 - len(plays)))
    fields["memory_ends"] = np.array(ends + [0] * (3 - len(ends)))
    fields["memory_held"] = np.array([[sum(8**card for card in hand) for hand in hands] for hands in held]
                                     + [[0] * 4] * (3 - len(held)))  # fmt: skip
    open_cards = [card for cards in shown for card in cards]
    fields["memory_loose"] = sum((5 - open_cards.count(card)) << 7 * card for card in range(SQUARES))
    rows = np.zeros((4, 16), int)
    for seat in range(players):
        for card in shown[seat]:
            rows[seat][BOARD[SIDES[players][seat]][card]] += 1
    fields["memory_shown"] = rows
    known = [0] * 4
    for seat in range(players if held else 0):
        others = [card for other in range(players) if other != seat for card in held[-1][other]]
        for other in range(players):
            for card in shown[other] if other != seat else ():
                if card in others:
                    others.remove(card)
        known[seat] = sum(1 << 7 * card for card in others)
    fields["memory_known"] = np.array(known, np.uint64)
    return fields
