"""Policies of Palazzo for games beside watchers: they reach shuffles, begun actions and hands that are wholly known."""

from __future__ import annotations

from tests.support.leaning import Policy, leaning

POLICIES: dict[str, Policy] = {
    "hoarder": leaning("money", "pass", "auction"),  # all cards come into hands: the deck runs out
    "spender": leaning("buy", "tile", "add", "bid", "draw"),  # big payments: shuffles, starting cards shown
    "bidder": leaning("auction", "add 2", "add", "bid", rate=0.9),  # raises begun with the least card
    "grouper": leaning("auction", "add T", "add", "money", rate=0.9),  # groups, locks, long raises
    "rebuilder": leaning("rebuild", "money", "remove", "split", "build", rate=0.7),  # fees; no raise, no purchase
}
