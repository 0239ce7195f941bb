"""Policies that bring rare events for the watcher of Fifth Avenue, by the move texts."""

from __future__ import annotations

from tests.support.leaning import liking

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
