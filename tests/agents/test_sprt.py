"""The sequential test: its ratio is the best there is, its errors are as rare as it says, its end does not waver."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline_agents.database import store
from skyline_agents.tournament import pieces as tournament_pieces
from skyline_agents.tournament import sprt
from skyline_agents.tournament.settings import TournamentSettings, event
from skyline_agents.tournament.sprt import Sprt, deal_scores, elo_of, expected_score
from tests.support.played_tournaments import Here, held, table
from tests.support.playing import FEW, GAME


def drawn(elo: float, deals: int, seed: int) -> Any:
    """Deals of two games in which the first agent is stronger by so much; some games are drawn."""
    rng, draws = np.random.default_rng(seed), 0.2
    wins = expected_score(elo) - draws / 2
    games = rng.choice([1.0, 0.5, 0.0], (deals, 2), p=[wins, draws, 1 - draws - wins])
    return games.mean(axis=1)


def test_elo_differences_and_scores() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    for elo in (-120.0, 3.0, 250.0):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


@pytest.mark.parametrize("counts", [(30, 20, 50), (5, 80, 15), (50, 5, 45)])
def test_the_ratio_is_that_of_the_most_likely_distributions_found_by_trying_all(counts: tuple[int, ...]) -> None:
    """With three values a distribution of a given mean has one free number."""
    values, observed = np.array([0.0, 0.5, 1.0]), np.array(counts, float)

    def best(mean: float) -> float:
        full = np.linspace(0, 1, 400_001)[1:-1]
        half = 2 * (mean - full)
        none = 1 - full - half
        right = (half > 0) & (none > 0)
        chances = np.stack([none, half, full])[:, right]
        return float(np.max(observed @ np.log(chances)))

    test = Sprt(-10, 35)
    expected = best(expected_score(35)) - best(expected_score(-10))
    assert test.llr(values, observed) == pytest.approx(expected, abs=1e-6)


def test_close_hypotheses_give_the_normal_ratio() -> None:
    test, scores = Sprt(0, 2), drawn(5, 4000, 1)
    values, counts = np.unique(scores, return_counts=True)
    low, high = expected_score(0), expected_score(2)
    normal = len(scores) * (high - low) * (2 * scores.mean() - low - high) / (2 * scores.var())
    assert test.llr(values, counts.astype(float)) == pytest.approx(normal, rel=0.02)


def test_the_bounds_are_walds() -> None:
    low, high = Sprt(0, 10, alpha=0.05, beta=0.1).bounds
    assert (low, high) == (pytest.approx(math.log(0.1 / 0.95)), pytest.approx(math.log(0.9 / 0.05)))


@pytest.mark.parametrize(("elo", "wrong"), [(0, "elo1"), (60, "elo0")])
def test_errors_are_as_rare_as_promised_and_the_test_is_short(elo: float, wrong: str) -> None:
    test, n = Sprt(0, 60, alpha=0.1, beta=0.1), 200
    verdicts = [test.verdict(drawn(elo, 3000, seed)) for seed in range(n)]
    assert all(verdict.stopped for verdict in verdicts)
    share = np.mean([verdict.accepted == wrong for verdict in verdicts])
    assert share < 0.1 + 1.96 * math.sqrt(0.1 * 0.9 / n)
    variance = drawn(elo, 10_000, 1).var()
    fixed = (2 * 1.2816 * math.sqrt(variance) / (expected_score(60) - 0.5)) ** 2  # a test of a fixed length
    assert np.mean([verdict.deals for verdict in verdicts]) < 0.75 * fixed


def test_deals_of_one_value_only_end_the_test() -> None:
    assert Sprt(0, 20).verdict(np.ones(200)).accepted == "elo1"
    assert Sprt(0, 20).verdict(np.zeros(200)).accepted == "elo0"
    assert not Sprt(0, 20).verdict(np.full(10, 0.5)).stopped
    assert not Sprt(0, 20).verdict(np.zeros(0)).stopped


def test_the_verdict_is_the_same_however_the_deals_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sprt, "ALWAYS", 32)
    test, scores = Sprt(0, 12), drawn(7, 5000, 3)
    whole = test.verdict(scores)
    assert whole.stopped
    assert 64 < whole.deals < 5000
    assert sprt.looks_after(whole.deals)
    for step in (1, 7, 100):
        known = 0
        while True:
            verdict = test.verdict(scores[: known + step], known)
            known += step
            if verdict.stopped or known >= len(scores):
                break
        assert verdict == whole
    looks = [n for n in range(1, 300) if sprt.looks_after(n)]
    assert looks == [*range(1, 33), *range(34, 64, 2), *range(64, 128, 4), *range(128, 256, 8), *range(256, 300, 16)]


@pytest.mark.parametrize("wrong", [{"elo0": 5, "elo1": 5}, {"alpha": 0.0}, {"beta": 0.5}])
def test_wrong_tests_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"elo0 < elo1|a chance between"):
        Sprt(**{"elo0": 0, "elo1": 5, **wrong})


def test_a_deals_score_is_the_mean_over_all_pairs_of_seats() -> None:
    deals = np.array([0, 0, 1, 1])
    agents = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 1], [0, 1, 0]])
    places = np.array([[1, 2, 3], [1, 1, 3], [1, 2, 2], [2, 2, 1]])
    # deal 0: 0 beats 1 and 1; level with and below 1.  deal 1: below and level; level with and above
    assert deal_scores(deals, agents, places, 0).tolist() == [2.5 / 4, 2.0 / 4]


# ---------------------------------------------------------------- in a tournament


def a_test(elo0: float, elo1: float, deals: int, agents: list[str]) -> TournamentSettings:
    return TournamentSettings([event(GAME, agents, FEW, deals=deals)], Sprt(elo0, elo1))


@pytest.mark.parametrize(
    ("agents", "accepted"), [(["heuristic", "random"], "elo1"), (["own:Mixed", "random"], "elo0")], ids=["elo1", "elo0"]
)
def test_a_tournament_stops_when_the_test_does_and_always_at_the_same_deal(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    agents: list[str],
    accepted: str,
) -> None:
    settings = a_test(0, 150, 500, agents)
    whole = held(here / "a.db", settings)
    assert whole.verdict is not None
    assert whole.verdict.accepted == accepted
    assert whole.finished < whole.planned / 2
    games = store.games("a.db", store.events("a.db")[0])
    assert games.deals.max() + 1 == whole.verdict.deals
    monkeypatch.setattr(tournament_pieces, "PIECE_SECONDS", 1e-9)
    for i in range(200):
        outcome = held(here / "b.db", settings, Here(room=3, stop_after=5, seed=i))
        if not outcome.interrupted:
            break
    assert i > 0
    assert outcome.verdict == whole.verdict
    assert table(here / "a.db") == table(here / "b.db")
    again = held(here / "b.db", settings)
    assert (again.played, again.verdict) == (0, whole.verdict)


def test_a_test_that_does_not_end_plays_all_and_says_so(tmp_path: Path) -> None:
    outcome = held(tmp_path / "a.db", a_test(0, 1, 5, ["heuristic", "random"]))
    assert outcome.finished == outcome.planned
    assert outcome.verdict is not None
    assert (outcome.verdict.stopped, outcome.verdict.deals) == (False, 5)


def test_a_test_is_between_two_agents_at_one_kind_of_table() -> None:
    one, two = event(GAME, ["random"], FEW, deals=1), event(GAME, ["random", "heuristic"], FEW, deals=1)
    for events in ([one], [two, two], []):
        with pytest.raises(ValueError, match="between two agents"):
            TournamentSettings(events, Sprt(0, 10))
