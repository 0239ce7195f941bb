"""Core against oracle in whole games.

More of them: `python -m tests.support.oracle_match palazzo --games 10800`.
"""

from __future__ import annotations

import pytest

from tests.games.palazzo import match
from tests.support import oracle_match
from tests.support.oracle_match import Plan
from tests.support.rule_cases import sized


def test_core_and_oracle_agree_on_whole_games() -> None:
    games = sized(30, 3)
    counts = oracle_match.match("palazzo", games, seed=1)
    assert counts["games"] == games
    assert counts["decisions"] > 150 * games


@pytest.mark.parametrize(
    ("policy", "event"),
    [
        ("hoard", "turns at the quiet limit (PZ-R20)"),
        ("hoard", "turns without enough money cards (PZ-02)"),
        ("hoard", "auctions without a tile (PZ-41)"),
        ("bidder", "raises with a locked currency (PZ-46)"),
        ("grouper", "groups bid (PZ-22)"),
        ("rebuilder", "rebuildings: insert (PZ-71)"),
        ("buyer", "purchases at price 0 (PZ-R5)"),
        ("buyer", "purchases of two identical tiles (PZ-D4)"),
    ],
)
def test_every_policy_reaches_its_rare_events(policy: str, event: str) -> None:
    """What the policies are for: with them the comparison reaches what uniform play seldom does."""
    counts = oracle_match.match("palazzo", sized(5, 4) * len(match.OPTIONS), seed=50, players=[2], only=[policy])
    assert counts[event] > 0, counts


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An oracle that hides a move: the comparison says where and gives the record."""
    oracle = oracle_match.oracle_of("palazzo")
    legal = oracle.legal
    monkeypatch.setattr(oracle, "legal", lambda self: [row for row in legal(self) if row[1] != "auction"])
    with pytest.raises(oracle_match.Disagreement, match="legal moves: core"):
        oracle_match.play(Plan("palazzo", 2, 0, "uniform", 3))


def test_comparable_leaves_out_nothing_but_the_option_and_an_order() -> None:
    assert match.comparable({"quiet_limit": 1, "out": [2, 0], "depot": []}) == {"out": [0, 2], "depot": []}
