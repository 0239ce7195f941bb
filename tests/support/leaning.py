"""Policies for games beside watchers, by the texts of the moves (tests/support/watch.py)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

Legal = list[tuple[int, str]]  # actions and their texts
Policy = Callable[[random.Random, Legal, Sequence[Any]], int]  # legal moves, the seats' watchers: an action


def leaning(*wanted: str, rate: float = 0.8) -> Policy:
    """Mostly a move that begins with the first of these texts that any legal move begins with, else any move."""

    def choose(rng: random.Random, legal: Legal, _: Sequence[Any]) -> int:
        if rng.random() < rate:
            for begin in wanted:
                if fitting := [action for action, text in legal if text.startswith(begin)]:
                    return rng.choice(fitting)
        return rng.choice(legal)[0]

    return choose


def liking(likes: Callable[[str], bool], rate: float) -> Policy:
    """Mostly a move that is liked, if there is one, else any move."""

    def choose(rng: random.Random, legal: Legal, _: Sequence[Any]) -> int:
        liked = [action for action, text in legal if likes(text)]
        return rng.choice(liked if liked and rng.random() < rate else [action for action, _ in legal])

    return choose
