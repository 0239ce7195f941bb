"""Intervals of ratings: what they depend on, and where the games set no limit."""

from __future__ import annotations

import numpy as np
import pytest

from skyline.typing import Array
from skyline_agents.ratings import fit as rating
from skyline_agents.ratings.fit import Ratings, rate
from tests.support.simulated_ratings import NAMES, tournament


def width(result: Ratings) -> float:
    return float((result.high - result.low)[1:].mean())


def test_games_of_a_deal_are_drawn_together() -> None:
    agents, places, deals = tournament(np.random.default_rng(1), 2, 150)
    twice = [np.concatenate([games, games]) for games in (agents, places)]
    once = rate(agents, places, deals, NAMES, replicates=400)
    same_deals = rate(*twice, np.concatenate([deals, deals]), NAMES, replicates=400)
    new_deals = rate(*twice, np.concatenate([deals, deals + 150]), NAMES, replicates=400)
    np.testing.assert_allclose(same_deals.rating, once.rating, atol=0.02)
    assert width(same_deals) == pytest.approx(width(once), rel=0.02)
    assert width(new_deals) == pytest.approx(width(once) / np.sqrt(2), rel=0.1)


def test_deals_with_different_numbers_of_the_same_games_are_told_apart() -> None:
    won, lost = [[1, 2]] * 3, [[2, 1]]
    places, deals = np.array([*won, *lost, *won[:1], *lost, *won, *lost]), np.array([0, 0, 0, 1, 2, 3, 4, 4, 4, 5])
    result = rate([[1, 0]] * 10, places, deals, ["random", "b"], replicates=60)
    assert result.rating[1] == pytest.approx(400 * np.log10(7 / 3), abs=0.01)


@pytest.mark.parametrize("P", [2, 4])
def test_one_step_from_the_fit_gives_nearly_the_intervals_of_new_fits(P: int, monkeypatch: pytest.MonkeyPatch) -> None:
    agents, places, deals = tournament(np.random.default_rng(2), P, 200)
    many = np.concatenate([deals + 200 * i for i in range(20)])
    games = np.tile(agents, (20, 1)), np.tile(places, (20, 1)), many
    anew = rate(*games, NAMES, replicates=300)
    monkeypatch.setattr(rating, "MOST_WORK", 0)
    step = rate(*games, NAMES, replicates=300)
    np.testing.assert_array_equal(step.rating, anew.rating)
    for ends in ("low", "high", "seats_low", "seats_high"):
        np.testing.assert_allclose(getattr(step, ends), getattr(anew, ends), atol=0.05 * width(anew))


def test_results_do_not_depend_on_the_order_of_games_or_the_numbers_of_deals() -> None:
    agents, places, deals = tournament(np.random.default_rng(3), 3, 60)
    result = rate(agents, places, deals, NAMES, replicates=60, seed=4)
    rows = np.random.default_rng(0).permutation(len(deals))
    again = rate(agents[rows], places[rows] * 7, deals[rows] - 10**9, NAMES, replicates=60, seed=4)
    np.testing.assert_allclose(again.rating, result.rating, atol=1e-6)
    np.testing.assert_allclose([again.low, again.high], [result.low, result.high], atol=1e-6)


def test_the_seed_decides_the_intervals_alone() -> None:
    games = tournament(np.random.default_rng(3), 2, 40)
    first, same, other = (rate(*games, NAMES, replicates=60, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.draws, same.draws)
    np.testing.assert_array_equal(first.rating, other.rating)
    assert (first.draws != other.draws).any()


def test_progress_ends_at_the_number_of_replicates() -> None:
    told: list[int] = []
    rate(*tournament(np.random.default_rng(3), 2, 10), NAMES, replicates=45, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 45


def series(*results: tuple[int, int, int, int]) -> tuple[Array, Array, Array]:
    """Two-player games (a, b, wins of a, wins of b), every other one with seats changed; each its own deal."""
    agents, places = [], []
    for a, b, won, lost in results:
        for i in range(won + lost):
            flip = 1 if i % 2 else -1
            agents.append([a, b][::flip])
            places.append(([1, 2] if i < won else [2, 1])[::flip])
    return np.array(agents), np.array(places), np.arange(len(agents))


def test_an_agent_that_never_lost_has_an_open_interval() -> None:
    result = rate(*series((1, 0, 400, 0)), ["random", "b"], seat_effect=False, replicates=100)
    assert result.rating[1] == pytest.approx(400 * np.log10(400 / 0.5), abs=0.01)
    assert result.low[1] == pytest.approx(400 * np.log10(400 / -np.log(0.025)), abs=0.01)
    assert result.high[1] == np.inf
    behind = rate(*series((1, 0, 400, 0)), ["random", "b"], anchor="b", seat_effect=False, replicates=100)
    assert (behind.low[0], behind.rating[0]) == (-np.inf, pytest.approx(-result.rating[1], abs=0.01))
    assert behind.high[0] == pytest.approx(-result.low[1], abs=0.01)


def test_the_closed_end_is_where_such_a_series_becomes_unlikely() -> None:
    lowest = rate(*series((1, 0, 400, 0)), ["random", "b"], seat_effect=False, replicates=100).low[1] / 400
    assert (10**lowest / (1 + 10**lowest)) ** 400 == pytest.approx(0.025, rel=0.02)


def test_beyond_an_open_border_differences_are_those_of_the_games() -> None:
    games = series((1, 0, 100, 0), (2, 0, 100, 0), (1, 2, 60, 40))
    result = rate(*games, NAMES[:3], seat_effect=False, replicates=100)
    assert result.rating[1] - result.rating[2] == pytest.approx(400 * np.log10(60 / 40), abs=3)
    assert np.isinf(result.high[1:]).all()
    assert (result.draws[:, 1] > result.draws[:, 2]).mean() == result.better()[1, 2] > 0.9


def test_a_direct_shutout_does_not_bear_on_a_chain_of_close_results() -> None:
    chain = (1, 0, 90, 10), (2, 1, 90, 10)
    result = rate(*series(*chain, (2, 0, 20, 0)), NAMES[:3], seat_effect=False, replicates=100)
    assert 600 < result.rating[2] < 900
    assert np.isfinite(result.low).all()


def test_shutouts_in_a_chain_add_up_whatever_the_ends_did_to_each_other() -> None:
    chain = (1, 0, 100, 0), (2, 1, 100, 0)
    alone = rate(*series(*chain), NAMES[:3], seat_effect=False, replicates=100)
    direct = rate(*series(*chain, (2, 0, 100, 0)), NAMES[:3], seat_effect=False, replicates=100)
    assert alone.rating[2] == pytest.approx(2 * 400 * np.log10(200), abs=0.05)
    np.testing.assert_allclose(direct.rating, alone.rating, rtol=0.02)


def test_an_interval_is_open_if_few_lost_games_decide_about_it() -> None:
    result = rate(*series((1, 0, 300, 1)), ["random", "b"], seat_effect=False, replicates=400)
    assert result.rating[1] == pytest.approx(400 * np.log10(300), abs=0.01)
    assert result.high[1] == np.inf
    assert 600 < result.low[1] < result.rating[1]


def test_agents_that_no_game_joins_to_the_anchor_have_no_rating() -> None:
    result = rate(*series((1, 0, 30, 20), (2, 3, 30, 20)), [*NAMES, "idle"], replicates=60)
    assert np.isnan(result.rating).tolist() == [False, False, True, True, True]
    assert np.isnan([result.low, result.high])[:, 2:].all()
    assert result.order()[:2] == [1, 0]
    assert np.isnan(result.better()[2]).all()
    joined = rate(*series((1, 0, 30, 20), (2, 3, 30, 20), (1, 2, 5, 5)), NAMES, replicates=60)
    assert np.isfinite(joined.rating).all()


def test_seats_that_nobody_changed_are_not_estimated() -> None:
    agents, places, deals = tournament(np.random.default_rng(1), 2, 60)
    fixed = np.sort(agents, axis=1)
    rows = (fixed == [0, 1]).all(axis=1)
    result = rate(fixed[rows], places[rows], deals[rows], NAMES, replicates=60)
    assert "did not change seats" in str(result.no_seats)
    assert np.isnan([result.seats, result.seats_low, result.seats_high]).all()
    assert np.isfinite(result.rating[:2]).all()
    assert rate(agents, places, deals, NAMES, replicates=60).no_seats is None


def test_shutouts_tell_nothing_about_seats() -> None:
    result = rate(*series((1, 0, 100, 0)), ["random", "b"], replicates=60)
    assert "came before each other" in str(result.no_seats)
    assert np.isnan([result.seats, result.seats_low, result.seats_high]).all()
    assert rate(*series((1, 0, 99, 1)), ["random", "b"], replicates=60).no_seats is None


def test_a_single_lost_game_leaves_the_effects_of_seats_open() -> None:
    result = rate(*series((1, 0, 59, 1)), ["random", "b"], replicates=100)
    assert result.seats_low.tolist() == [-np.inf, -np.inf]
    assert result.seats_high.tolist() == [np.inf, np.inf]


def test_shutouts_of_others_do_not_change_the_effects_of_seats() -> None:
    agents, places, deals = tournament(np.random.default_rng(8), 2, 120)
    alone = rate(agents, places, deals, [*NAMES, "weak"], replicates=100)
    more, lost, late = series((0, 4, 30, 0), (1, 4, 30, 0))
    games = [np.concatenate(pair) for pair in ((agents, more), (places, lost), (deals, late + 120))]
    both = rate(*games, [*NAMES, "weak"], replicates=100)
    np.testing.assert_allclose(both.seats, alone.seats, atol=0.2)
    assert (both.low[4], both.high[4] < 0) == (-np.inf, True)
    assert ((both.seats_low <= both.seats) & (both.seats <= both.seats_high)).all()


def test_games_of_an_agent_with_itself_tell_about_seats_only() -> None:
    places = np.where(np.arange(100)[:, np.newaxis] % 4 == 0, [2, 1], [1, 2])
    result = rate(np.zeros((100, 2), int), places, np.arange(100), ["random"], replicates=60)
    assert result.rating.tolist() == [0.0]
    assert result.seats.sum() == pytest.approx(0, abs=1e-6)
    assert result.seats[0] - result.seats[1] == pytest.approx(400 * np.log10(3), abs=0.1)
