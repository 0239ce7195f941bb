"""Policies that bring rare events for the watcher of Manhattan; they read the watcher's board."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.games.manhattan.watching.watcher import Watcher
from tests.support.leaning import Legal


def wall(rng: random.Random, legal: Legal, watchers: Sequence[Watcher]) -> int:
    """Wide and high: high pieces, the others' low towers first. Who has only low pieces left at the end of a round
    finds no site: DISCARDs (MH-17)."""
    board = watchers[0].board

    def worth(text: str) -> float:
        words = text.split()
        if words[0] == "take":
            return sum(int(word) for word in words if word.isdecimal())
        if words[0] == "discard":
            return 0.0
        site = int(words[1]), int(words[2])
        floors = sum(board.floors.get(site, [0]))
        return (100 if floors == 0 else 50 - floors) + int(words[3])

    best = max(worth(text) for _, text in legal)
    return rng.choice([action for action, text in legal if worth(text) == best])


def low(rng: random.Random, legal: Legal, watchers: Sequence[Watcher]) -> int:
    """Sets of low pieces, onto the own towers: a victim of `wall`."""
    takes = [legal[0]] if legal[0][1].startswith("take") else legal
    return rng.choice(takes)[0]


POLICIES = {"wall": wall, "low": low}
