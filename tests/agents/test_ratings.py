"""Ratings: against choix, against the likelihood written naively, and on simulated players of known strength."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from skyline.typing import Array
from skyline_agents.ratings import fit as rating
from skyline_agents.ratings.fit import ELO, Ratings, rate
from skyline_agents.ratings.head_to_head import head_to_head

NAMES = ["random", "b", "c", "d"]
STRENGTHS = np.array([0.0, 0.8, 1.5, -0.7])
SEATS = {2: [0.3, -0.3], 3: [0.3, 0.0, -0.3], 4: [0.4, 0.1, -0.1, -0.4]}
TIES = {2: 0.2, 3: 0.1, 4: 0.05}


# ---------------------------------------------------------------- simulated players


def chances(worth: Sequence[float], ties: Mapping[int, float]) -> dict[tuple[int, ...], float]:
    """Who comes next among players of this worth: every group with its chance, as place_model.py defines it."""
    groups = {
        group: (1.0 if len(group) == 1 else ties[len(group)]) * np.exp(np.mean([worth[i] for i in group]))
        for size in range(1, len(worth) + 1)
        for group in itertools.combinations(range(len(worth)), size)
        if size == 1 or size in ties
    }
    total = sum(groups.values())
    return {group: float(weight / total) for group, weight in groups.items()}


def ended(worth: Sequence[float], ties: Mapping[int, float], luck: Sequence[float]) -> list[int]:
    """The places of one game; `luck` (P,) in 0 .. 1 decides the stages."""
    places, left, place = [0] * len(worth), list(range(len(worth))), 1
    for u in luck:
        if not left:
            break
        options = chances([worth[i] for i in left], ties)
        edges = np.cumsum(list(options.values()))
        chosen = list(options)[min(int(np.searchsorted(edges, u)), len(options) - 1)]
        for i in chosen:
            places[left[i]] = place
        place += len(chosen)
        left = [seat for i, seat in enumerate(left) if i not in chosen]
    return places


def correlated(rng: np.random.Generator, games: int, P: int, share: float) -> Array:
    """Luck (games, P) that the games of a deal have in common, more or less, each evenly spread over 0 .. 1."""
    from scipy.special import ndtr

    common, own = rng.normal(size=(1, P)), rng.normal(size=(games, P))
    return np.asarray(ndtr(np.sqrt(share) * common + np.sqrt(1 - share) * own))


def tournament(
    rng: np.random.Generator, P: int, deals: int, ties: Mapping[int, float] = TIES, share: float = 0.7
) -> tuple[Array, Array, Array]:
    """Every deal is played by a mixed table in all seat rotations: agents, places, deals."""
    tables = list(itertools.combinations(range(len(NAMES)), P))
    agents, places = [], []
    for deal in range(deals):
        table = rng.permutation(tables[deal % len(tables)])
        for i, luck in enumerate(correlated(rng, P, P, share)):
            seats = np.roll(table, i)
            agents.append(seats)
            places.append(ended(STRENGTHS[seats] + SEATS[P], ties, luck))
    return np.array(agents), np.array(places), np.repeat(np.arange(deals), P)


def covered(result: Ratings, P: int) -> list[bool]:
    """For the agents but the anchor, and the seats: does the truth lie in the interval?"""
    truth, seats = ELO * (STRENGTHS - STRENGTHS[0]), ELO * np.array(SEATS[P])
    inside = (result.low <= truth) & (truth <= result.high)
    return [*inside[1:].tolist(), *((result.seats_low <= seats) & (seats <= result.seats_high)).tolist()]


def coverage(simulations: int, P: int, deals: int, replicates: int) -> Array:
    """The share of simulations whose interval holds the truth, for agents and seats."""
    hits = []
    for seed in range(simulations):
        games = tournament(np.random.default_rng([P, seed]), P, deals)
        hits.append(covered(rate(*games, NAMES, replicates=replicates, seed=seed), P))
    return np.mean(hits, axis=0)


def test_the_true_strengths_lie_in_most_intervals() -> None:
    shares = coverage(40, 2, 120, 200)
    assert 0.90 <= shares.mean() <= 0.99, shares


@pytest.mark.slow
@pytest.mark.parametrize("P", [2, 3, 4])
def test_the_true_strengths_lie_in_95_of_100_intervals(P: int) -> None:
    shares = coverage(200, P, 240, 400)
    print(P, shares.round(3), shares.mean().round(4))
    assert 0.93 <= shares[: len(NAMES) - 1].mean() <= 0.97, shares
    assert 0.93 <= shares[len(NAMES) - 1 :].mean() <= 0.97, shares


# ---------------------------------------------------------------- against others' fits


def orders(rng: np.random.Generator, games: int, P: int) -> tuple[Array, Array]:
    """Games without ties of players of known strength: agents (n, P), places (n, P)."""
    agents = np.array([rng.permutation(len(NAMES))[:P] for _ in range(games)])
    worth = STRENGTHS[agents] + rng.gumbel(size=agents.shape)
    return agents, 1 + np.argsort(np.argsort(-worth, axis=1), axis=1)


@pytest.mark.parametrize("P", [2, 3, 4])
def test_without_ties_and_seats_the_fit_is_that_of_choix(P: int) -> None:
    agents, places = orders(np.random.default_rng(P), 150, P)
    result = rate(agents, places, np.arange(150), NAMES, seat_effect=False, replicates=40)
    rankings = [tuple(a[np.argsort(p)].tolist()) for a, p in zip(agents, places, strict=True)]
    theirs = choix.opt_rankings(len(NAMES), rankings, tol=1e-10)
    np.testing.assert_allclose(result.rating / ELO, theirs - theirs[0], atol=1e-5)


def test_two_players_are_rated_as_choix_rates_pairs() -> None:
    agents, places = orders(np.random.default_rng(7), 400, 2)
    result = rate(agents, places, np.arange(400), NAMES, seat_effect=False, replicates=40)
    won = places[:, 0] < places[:, 1]
    pairs = [(int(a), int(b)) if first else (int(b), int(a)) for (a, b), first in zip(agents, won, strict=True)]
    theirs = choix.ilsr_pairwise(len(NAMES), pairs, alpha=0, tol=1e-10)
    np.testing.assert_allclose(result.rating / ELO, theirs - theirs[0], atol=1e-5)


def likelihood(agents: Array, places: Array, strengths: Array, seats: Array, ties: Mapping[int, float]) -> float:
    """The logarithm of the chance of all results, written from the model's definition."""
    total = 0.0
    for row, place in zip(agents, places, strict=True):
        left = list(range(len(row)))
        while left:
            best = min(place[seat] for seat in left)
            options = chances([strengths[row[seat]] + seats[seat] for seat in left], ties)
            total += np.log(options[tuple(i for i, seat in enumerate(left) if place[seat] == best)])
            left = [seat for seat in left if place[seat] != best]
    return float(total)


@pytest.mark.parametrize("P", [2, 3])
def test_with_ties_and_seats_the_fit_is_the_top_of_the_likelihood(P: int) -> None:
    agents, places, deals = tournament(np.random.default_rng(P), P, 16)
    result = rate(agents, places, deals, NAMES, replicates=40)
    sizes = sorted(result.tie_odds)

    def unlikely(x: Array) -> float:
        strengths, seats = np.append(0.0, x[:3]), np.append(x[3 : 2 + P], -x[3 : 2 + P].sum())
        return -likelihood(agents, places, strengths, seats, dict(zip(sizes, np.exp(x[2 + P :]), strict=True)))

    found = minimize(unlikely, np.zeros(2 + P + len(sizes)), tol=1e-8).x
    np.testing.assert_allclose(result.rating[1:] / ELO, found[:3], atol=2e-3)
    np.testing.assert_allclose(result.seats[:-1] / ELO, found[3 : 2 + P], atol=2e-3)
    np.testing.assert_allclose(np.log(list(result.tie_odds.values())), found[2 + P :], atol=2e-2)


# ---------------------------------------------------------------- intervals


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


# ---------------------------------------------------------------- where the games set no limit


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


# ---------------------------------------------------------------- input and output


def test_the_anchor_has_rating_0_and_no_interval() -> None:
    games = tournament(np.random.default_rng(1), 2, 40)
    for anchor, zero in ((None, "random"), ("c", "c")):
        result = rate(*games, NAMES, anchor=anchor, replicates=60)
        k = NAMES.index(zero)
        assert (result.anchor, result.rating[k], result.low[k], result.high[k]) == (zero, 0, 0, 0)
    assert rate(*games, ["a", "b", "c", "d"], replicates=60).anchor == "a"


def test_the_table_is_in_the_order_of_the_ratings() -> None:
    result = rate(*tournament(np.random.default_rng(1), 2, 100), NAMES, replicates=60)
    table = result.table()
    assert [row["agent"] for row in table] == ["c", "b", "random", "d"]
    assert [row["rating"] for row in table] == sorted((row["rating"] for row in table), reverse=True)
    assert sum(row["games"] for row in table) == 400


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"agents": [[0, 1]]}, "do not fit"),
        ({"agents": [[0, 4], [1, 0]]}, r"numbered 0 \.\. 3, not 0 \.\. 4"),
        ({"agents": [[0.0, 1.0], [1.0, 0.0]]}, "agents must be whole numbers"),
        ({"agents": [[0], [1]], "places": [[1], [1]]}, "2 to 8 players"),
        ({"agents": np.zeros((0, 2), int), "places": np.zeros((0, 2), int), "deals": np.zeros(0, int)}, "no finished"),
        ({"anchor": "d"}, "anchor 'd' played no game; agents that did: random, b"),
        ({"replicates": 39}, "40 replicates or more, not 39"),
    ],
)
def test_what_are_no_results_is_refused(changed: dict[str, Any], says: str) -> None:
    given: dict[str, Any] = {"agents": [[0, 1], [1, 0]], "places": [[1, 2], [2, 1]], "deals": [0, 0]}
    given |= {"names": NAMES, **changed}
    with pytest.raises(ValueError, match=says):
        rate(**given)


# ---------------------------------------------------------------- head to head


def test_pairs_counted_by_hand() -> None:
    agents = [[0, 1, 2], [1, 2, 0], [0, 0, 1]]
    places = [[1, 2, 2], [3, 1, 1], [2, 1, 2]]
    pairs = head_to_head(agents, places, [5, 5, 6], NAMES[:3])
    assert pairs.before.tolist() == [[0, 3, 1], [0, 0, 0], [0, 1, 0]]
    assert pairs.ties.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert pairs.games.tolist() == [[0, 4, 2], [4, 0, 2], [2, 2, 0]]
    np.testing.assert_array_equal(pairs.score[0], [np.nan, 3.5 / 4, 1.5 / 2])
    assert pairs.score[1, 0] == 0.5 / 4


def test_the_margin_takes_deals_as_wholes() -> None:
    agents, places, deals = tournament(np.random.default_rng(6), 2, 400)
    single = head_to_head(agents, places, np.arange(len(deals)), NAMES)
    share, n = single.score[0, 1], single.games[0, 1]
    assert single.margin[0, 1] == pytest.approx(1.96 * np.sqrt(share * (1 - share) / n), rel=0.1)
    twice = [np.concatenate([part, part]) for part in (agents, places, deals)]
    once, again = head_to_head(agents, places, deals, NAMES), head_to_head(*twice, NAMES)
    np.testing.assert_allclose(again.margin, once.margin, equal_nan=True)
    assert np.isnan(head_to_head(agents[:2], places[:2], deals[:2], NAMES).margin).all()
