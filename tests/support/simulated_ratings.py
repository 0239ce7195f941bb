"""Simulated players of known strength, for the tests of ratings."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from skyline.typing import Array

NAMES = ["random", "b", "c", "d"]
STRENGTHS = np.array([0.0, 0.8, 1.5, -0.7])
SEATS = {2: [0.3, -0.3], 3: [0.3, 0.0, -0.3], 4: [0.4, 0.1, -0.1, -0.4]}
TIES = {2: 0.2, 3: 0.1, 4: 0.05}


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
