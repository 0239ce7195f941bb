"""Ratings: against choix, against the likelihood written naively, and on simulated players of known strength."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from agents import ratings as rating
from agents.head_to_head import head_to_head
from agents.ratings import ELO, Ratings, rate

Array = np.ndarray[Any, Any]

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
