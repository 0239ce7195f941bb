"""Core against oracle in whole games.

More of them: `python -m tests.support.oracle_match manhattan --games 20000`.
"""

from __future__ import annotations

import pytest

from tests.games.manhattan import oracle_board
from tests.support import oracle_match
from tests.support.oracle_match import Disagreement
from tests.support.rule_cases import sized


def test_core_and_oracle_agree_on_whole_games() -> None:
    """All policies and player counts; the policies reach what random games seldom reach."""
    counts = oracle_match.match("manhattan", sized(72, 9), seed=1)
    assert counts["games"] == sized(72, 9)
    assert counts["decisions"] == sized(24, 3) * (120 + 90 + 112)
    assert counts["shuffles"] == sized(24, 3) * (2 + 2 + 3)
    if counts["games"] == 72:
        assert counts["towers taken with equal floors (MH-11)"]
        assert counts["towers taken from the own second colour (MH-R11)"]
        assert counts["games with a tower of 32 floors"]
        assert counts["games with a shared place (MH-R14)"]


@pytest.mark.parametrize(("seed", "discards", "with_shuffle"), [(21, 1, 1), (27, 4, 0)])
def test_core_and_oracle_agree_on_games_with_discards(seed: int, discards: int, with_shuffle: int) -> None:
    """MH-17 in whole games, once with the reshuffle at the draw that follows."""
    counts = oracle_match.match("manhattan", 1, seed, players=[4], only=["wall"])
    assert (counts["discards (MH-17)"], counts["discards that reshuffle (MH-16)"]) == (discards, with_shuffle)
    assert counts["games with pieces left in stock (MH-R10)"] == 1


def test_a_disagreement_is_found_with_seed_and_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """An oracle that gives one point for a city differs at the end of the first round at the latest."""
    monkeypatch.setattr(oracle_board, "MAJORITY_POINTS", 1)
    with pytest.raises(Disagreement, match=r"seed=5.*after 20 moves: position: scores: core .*, oracle") as found:
        oracle_match.match("manhattan", 1, seed=5)
    assert '{"record": 1, "game": "manhattan", "players": 2' in str(found.value)
    assert str(found.value).count('"move"') == 20


def test_the_script_prints_what_agreed(capsys: pytest.CaptureFixture[str]) -> None:
    assert oracle_match.main(["manhattan", "--games", "2", "--players", "3", "--policy", "wall", "--seed", "9"]) == 0
    printed = capsys.readouterr().out
    assert "core and oracle agree on 2 whole games, seeds 9 .. 10" in printed
    assert "2  3 players, wall" in printed
    assert "180  decisions" in printed
