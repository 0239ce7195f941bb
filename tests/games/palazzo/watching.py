"""Policies of Palazzo for games beside watchers: they reach shuffles, begun actions and hands that are wholly known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

Legal = list[tuple[int, str]]
Policy = Callable[[random.Random, Legal, Sequence[Any]], int]


def leaning(*wanted: str, rate: float = 0.8) -> Policy:
    """Mostly a move that begins with the first of these texts that any legal move begins with, else any move."""

    def choose(rng: random.Random, legal: Legal, _: Sequence[Any]) -> int:
        if rng.random() < rate:
            for begin in wanted:
                if fitting := [action for action, text in legal if text.startswith(begin)]:
                    return rng.choice(fitting)
        return rng.choice(legal)[0]

    return choose


POLICIES: dict[str, Policy] = {
    "hoarder": leaning("money", "pass", "auction"),  # all cards come into hands: the deck runs out
    "spender": leaning("buy", "tile", "add", "bid", "draw"),  # big payments: shuffles, starting cards shown
    "bidder": leaning("auction", "add 2", "add", "bid", rate=0.9),  # raises begun with the least card
    "grouper": leaning("auction", "add T", "add", "money", rate=0.9),  # groups, locks, long raises
    "rebuilder": leaning("rebuild", "money", "remove", "split", "build", rate=0.7),  # fees; no raise, no purchase
}
