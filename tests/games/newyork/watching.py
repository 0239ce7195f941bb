"""Policies of New York for games beside watchers: they reach reshuffles, empty decks and the end of the bag."""

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


def many_cards(rng: random.Random, legal: Legal, _: Sequence[Any]) -> int:
    """The taking of the most cards, else any move: the deck runs out soon."""
    longest = max(legal, key=lambda move: (move[1].count(" ") if move[1].startswith("take") else 0, rng.random()))
    return longest[0] if longest[1].startswith("take") else rng.choice(legal)[0]


POLICIES: dict[str, Policy] = {
    "taker": many_cards,  # all cards come into hands: empty deck, then empty market
    "spender": leaning("overpay", "buy", "pay", "place", "dirk"),  # discards, reshuffles, the end of the bag
    "builder": leaning("remove", "use", "at"),  # long games with few purchases
}
