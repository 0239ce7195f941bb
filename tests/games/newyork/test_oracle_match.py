"""Core against oracle in whole games.

More of them: `python -m tests.support.oracle_match new_york --games 10000`.
"""

from __future__ import annotations

from tests.games.newyork.match import POLICIES
from tests.support import oracle_match
from tests.support.rule_cases import sized


def test_core_and_oracle_agree_on_whole_games() -> None:
    games = sized(50, 5)
    counts = oracle_match.match("new_york", games, seed=1)
    assert counts["games"] == games
    assert counts["decisions"] > 100 * games
    if games >= 50:
        for event in ("shuffles", "swaps (NY-32)", "tiles removed (NY-31)", "placings with a cell refused by NY-43",
                      "exact purchases (NY-03)", "further cards (NY-23)", "tiles given to Dirk (NY-84)"):  # fmt: skip
            assert counts[event] > 0, event


def test_every_policy_is_played() -> None:
    names = {plan.policy for plan in oracle_match.plans("new_york", 400, seed=1)}
    assert names == {"uniform", *POLICIES}
