"""Who came before whom: a matrix of all pairs of agents, over every game in which both sat.

from skyline_agents.ratings.head_to_head import head_to_head
pairs = head_to_head(agents, places, deals, names)      # arrays as for skyline_agents.ratings.fit.rate
pairs.score[i, j], pairs.margin[i, j]                   # 0.71 of the points for i, with a margin of 0.03
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline.typing import Array
from skyline_agents.ratings.patterns import check
from skyline_agents.results import CONFIDENCE


@dataclass(frozen=True)
class HeadToHead:
    """Row i against column j of K agents. Agents with several seats in a game meet several times in this game."""

    names: list[str]
    before: Array  # (K, K) int64: i came before j
    ties: Array  # (K, K) int64: i and j shared a place
    margin: Array  # (K, K) half the 95 % interval of the score, deals taken as wholes; NaN with a single deal

    @property
    def games(self) -> Array:
        """How often they met, (K, K)."""
        return np.asarray(self.before + self.before.T + self.ties)

    @property
    def score(self) -> Array:
        """The share of meetings that i won, a tie counting half, (K, K); NaN for agents that never met."""
        games = self.games
        shares: Array = np.divide(self.before + self.ties / 2, games, out=np.full(games.shape, np.nan), where=games > 0)
        return shares


def head_to_head(agents: Any, places: Any, deals: Any, names: Sequence[str]) -> HeadToHead:
    """Compare every agent with every other."""
    who, where, which = check(agents, places, deals, names)
    (_, P), K = who.shape, len(names)
    _, deal = np.unique(which, return_inverse=True)
    pairs, points, rows = [], [], []
    for a in range(P):
        for b in range(P):
            met = np.flatnonzero(who[:, a] < who[:, b])
            pairs.append(who[met, a] * K + who[met, b])
            points.append(0.5 + 0.5 * np.sign(where[met, b] - where[met, a]))
            rows.append(deal[met])
    return _summed(list(names), np.concatenate(pairs), np.concatenate(points), np.concatenate(rows))


def _summed(names: list[str], pair: Array, points: Array, deal: Array) -> HeadToHead:
    """The sums of meetings of agents i < j, each given by pair = i * K + j, the points of i and the deal."""
    K = len(names)
    before, ties, margin = np.zeros((K, K), np.int64), np.zeros((K, K), np.int64), np.full((K, K), np.nan)
    order = np.argsort(pair, kind="stable")
    numbers, starts = np.unique(pair[order], return_index=True)
    for number, rows in zip(numbers, np.split(order, starts[1:]), strict=True):
        i, j = divmod(int(number), K)
        won = points[rows]
        before[i, j], before[j, i] = (won == 1).sum(), (won == 0).sum()
        ties[i, j] = ties[j, i] = (won == 0.5).sum()
        margin[i, j] = margin[j, i] = margin_of(won, deal[rows])
    return HeadToHead(names, before, ties, margin)


def margin_of(points: Array, deal: Array) -> float:
    """Half the 95 % interval of the mean of points, with deals as the independent pieces; NaN with a single deal."""
    _, deal = np.unique(deal, return_inverse=True)
    sums = np.bincount(deal, points - points.mean())
    D = len(sums)
    return CONFIDENCE * float(np.sqrt((sums**2).sum() * D / (D - 1))) / len(points) if D > 1 else float("nan")
