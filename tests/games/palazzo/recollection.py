"""The memory of RULES.md 7.2 recomputed from a playing: what left a hand, what came to it, what was shuffled.

Nothing here knows the moves: the positions before and after each of them say which cards went where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from palazzo_env import components as box
from skyline import registry
from tests.support.rule_cases import Json

PALAZZO = registry.load("palazzo")
START_HAND = 4


class Recollection:
    """The memory of a game from its setup."""

    def __init__(self, first: Any) -> None:
        players = int(first.players)
        self.known: list[Counter[str]] = [Counter() for _ in range(players)]
        self.shown: list[Counter[str]] = [Counter() for _ in range(players)]
        self.deck: Counter[str] | None = None
        self.last = PALAZZO.position(first)

    def after(self, row: Any) -> None:
        """Take over the next row of the playing."""
        before, self.last = self.last, PALAZZO.position(row)
        for seat, (old, new) in enumerate(zip(before["hands"], self.last["hands"], strict=True)):
            for card in (Counter(old) - Counter(new)).elements():  # PZ-M07
                books = self.known if self.known[seat][card] else self.shown
                books[seat][card] += 1 if books is self.shown else -1
            self.known[seat] += Counter(new) - Counter(old)  # PZ-M06, PZ-M08
        turned_up = Counter(self.last["face_up"]) - Counter(before["face_up"])
        if before["decision"] == "MAIN" and self.last["decision"] == "MONEY":
            if self.last["discard"] != before["discard"]:  # PZ-M10
                turned_up -= Counter(before["deck"])
                self.deck = Counter(before["discard"])
            if self.deck is not None:
                self.deck -= turned_up

    def fields(self) -> Json:
        """The fields of a state that hold the past."""
        hands, stack = self.last["hands"], [entry for entry in self.last["stack"] if entry != "K"]
        return {
            "memory_sure": [_cards(known) for known in self.known],
            "memory_shown": [_cards(shown) for shown in self.shown],
            "memory_starting": [START_HAND - shown.total() for shown in self.shown],
            "memory_shuffled": int(self.deck is not None),
            "memory_deck": _cards(self.deck or Counter()),
            "memory_stack": np.bincount([box.TILE_TEXTS.index(t) for t in stack], minlength=box.TILE_KINDS).tolist(),
            "sizes": [sum(hand.values()) for hand in hands],
        }


def _cards(counts: Counter[str]) -> list[int]:
    return [counts[card] for card in box.CARD_TEXTS]


def kept(row: Any) -> Json:
    """The same fields of a state."""
    players = int(row.players)
    return {
        **{name: row[name][:players].tolist() for name in ("memory_sure", "memory_shown", "memory_starting")},
        "memory_shuffled": int(row.memory_shuffled),
        "memory_deck": row.memory_deck.tolist(),
        "memory_stack": row.memory_stack.tolist(),
        "sizes": (row.memory_sure.sum(axis=1) + row.memory_starting)[:players].tolist(),
    }


def recollected(first: Any, rows: Sequence[Any]) -> Json:
    """The fields at the end of a playing."""
    memory = Recollection(first)
    for row in rows:
        memory.after(row)
    return memory.fields()
