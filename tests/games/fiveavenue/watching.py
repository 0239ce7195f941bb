"""Policies that bring rare events for the watcher of Fifth Avenue, by the move texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

Legal = list[tuple[int, str]]


def liking(likes: Callable[[str], bool], chance: float) -> Callable[[random.Random, Legal, Sequence[Any]], int]:
    """A policy that mostly takes a move that it likes, if there is one; else any."""

    def choose(rng: random.Random, legal: Legal, watchers: Sequence[Any]) -> int:
        liked = [action for action, text in legal if likes(text)]
        return rng.choice(liked if liked and rng.random() < chance else [action for action, _ in legal])

    return choose


POLICIES = {
    # long games, big hands, short black stacks
    "hoard": liking(lambda text: text == "pass" or text[0] in "CD", 0.9),
    # long auctions with high bids: many black cards shown, taken back and put under the stack
    "fight": liking(lambda text: text.startswith(("add", "move", "C", "build 0")), 0.9),
    # black cards laid and lost: many black shuffles
    "blacks": liking(
        lambda text: text in ("C", "bid", "build 0") or "black" in text or text[-5:] in ("START", "te CP"), 0.9
    ),
    # everybody passes and moves on: Egon bids, stacks run empty
    "leave": liking(lambda text: text in ("pass", "A", "C") or text.endswith("START"), 0.97),
}
