"""Core against oracle in whole games.

More of them: `python -m tests.support.oracle_match fifth_avenue --games 10500`.
"""

from __future__ import annotations

import pytest

from tests.games.fiveavenue import match
from tests.support import oracle_match
from tests.support.oracle_match import Plan
from tests.support.rule_cases import sized


def test_core_and_oracle_agree_on_whole_games() -> None:
    """All player counts, both boards, uniform play."""
    games = sized(15, 2)
    counts = oracle_match.match("fifth_avenue", games, seed=1)
    assert counts["games"] == games
    assert counts["decisions"] > 60 * games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "players", "event"),
    [
        ("hoard", 4, "TAKE with an empty stack"),
        ("fight", 3, "closings by players"),
        ("auction", 2, "second auction rounds of a turn (FA-52)"),
        ("leave", 2, "districts Egon won with several best lots (FA-111)"),
        ("leave", 2, "closings by Egon (FA-112)"),
        ("close", 3, "ends by the second closing (FA-91)"),
    ],
)
def test_every_policy_reaches_its_rare_events(policy: str, players: int, event: str) -> None:
    """What the policies are for: with them the comparison reaches what uniform play seldom does."""
    games = 4 * len(match.OPTIONS)
    counts = oracle_match.match("fifth_avenue", games, seed=50, players=[players], only=[policy])
    assert counts[event] > 0, counts


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An oracle that hides a move: the comparison says where and gives the record."""
    oracle = oracle_match.oracle_of("fifth_avenue")
    legal = oracle.legal
    monkeypatch.setattr(oracle, "legal", lambda self: [row for row in legal(self) if row[1] != "C"])
    with pytest.raises(oracle_match.Disagreement, match="legal moves: core") as found:
        oracle_match.play(Plan("fifth_avenue", 2, 0, "uniform", 3))
    assert '{"record": 1, "game": "fifth_avenue", "players": 2' in str(found.value)


def test_comparable_leaves_out_orders_that_mean_nothing() -> None:
    state = {"closed": ["TS", "34W"], "row": [["jeweller", "boutique"]], "over": False, "auction": None, "action": "A"}
    compared = match.comparable({"state": state, "decision": None})
    assert compared == {
        "closed": ["34W", "TS"], "row": [["boutique", "jeweller"]], "over": False, "auction": None, "decision": None,
    }  # fmt: skip
