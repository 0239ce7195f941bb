"""Ratings: against choix, against the likelihood written naively, and on simulated players of known strength."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from skyline.typing import Array
from skyline_agents.ratings.fit import ELO, Ratings, rate
from tests.support.simulated_ratings import NAMES, SEATS, STRENGTHS, chances, tournament


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
