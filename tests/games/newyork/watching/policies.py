"""Policies of New York for games beside watchers: they reach reshuffles, empty decks and the end of the bag."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.support.leaning import Legal, Policy, leaning


def many_cards(rng: random.Random, legal: Legal, _: Sequence[Any]) -> int:
    """The taking of the most cards, else any move: the deck runs out soon."""
    longest = max(legal, key=lambda move: (move[1].count(" ") if move[1].startswith("take") else 0, rng.random()))
    return longest[0] if longest[1].startswith("take") else rng.choice(legal)[0]


POLICIES: dict[str, Policy] = {
    "taker": many_cards,  # all cards come into hands: empty deck, then empty market
    "spender": leaning("overpay", "buy", "pay", "place", "dirk"),  # discards, reshuffles, the end of the bag
    "builder": leaning("remove", "use", "at"),  # long games with few purchases
}
