"""The rating model: Plackett-Luce with seats and ties (Davidson-Luce), fitted by Newton's method.

A game is decided from the top: of the seats that are left, a group S of d seats comes next with a probability in
proportion to

    delta_d * exp(mean of (strength of the agent + effect of the seat) over S),        delta_1 = 1.

Without ties this is Plackett-Luce, with two players Bradley-Terry (ties: Davidson 1970; Firth, Kosmidis and Turner
2019). The strengths of two agents differ by the logarithm of the odds that one comes before the other. The
log-likelihood is concave, and the results of games enter it only as counts of choices (patterns.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from skyline.typing import Array
from skyline_agents.ratings.patterns import PatternCounts

# Precisions of normal priors around 0, all weaker than one game: they fix parameters about which the games say nothing.
STRENGTH_PRIOR, SEAT_PRIOR, TIE_PRIOR = 1e-6, 1e-3, 1e-3
MOST_STEPS = 100  # of Newton's method
ENOUGH = 1e-9  # the fit ends when twice the expected gain of the next step is smaller
ROUNDING = 1e-12  # the relative rounding error of the log-likelihood
BLOCK = 4_000_000  # numbers in the features of a block of choice sets


@dataclass(frozen=True)
class Pulls:
    """Imaginary games on neutral seats, which pull two strengths together: in `games` games `behind` comes before
    `ahead`."""

    behind: Array  # (k,) agents
    ahead: Array  # (k,)
    games: Array  # (k,) float


NO_PULLS = Pulls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


class PlaceModel:
    """The log-likelihood of results. Its parameters (q,): K strengths, P seat effects, log delta of every tie size."""

    def __init__(self, results: PatternCounts, seat_effect: bool = True) -> None:
        self.results, K, P = results, results.agents, results.players
        self.tie_sizes = [d for d in range(2, P + 1) if results.ties[:, d - 1].any()]
        self.size = K + P + len(self.tie_sizes)
        groups = (np.arange(1, 1 << P)[:, np.newaxis] >> np.arange(P)) & 1  # (S, P) which seats are in a group
        self._groups = groups[np.isin(groups.sum(axis=1), [1, *self.tie_sizes])]
        sizes = self._groups.sum(axis=1, keepdims=True)
        self._features = np.concatenate([self._groups / sizes, sizes == np.array(self.tie_sizes, np.int64)], axis=1)
        parts = (STRENGTH_PRIOR, K), (SEAT_PRIOR, P), (TIE_PRIOR, len(self.tie_sizes))
        self._prior = np.diag(np.concatenate([np.full(n, precision) for precision, n in parts]))
        for part in (slice(0, K), slice(K, K + P)):  # only differences count: the priors hold the sums at 0
            self._prior[part, part] += 1.0
        self._no_seats = np.r_[0:K, K + P : self.size]
        self._free = np.arange(self.size) if seat_effect else self._no_seats
        rows = max(1, BLOCK // (len(self._groups) * self.size))
        self._parts = [np.arange(i, min(i + rows, len(results.sets))) for i in range(0, len(results.sets), rows)]
        self._only = self._block(self._parts[0]) if len(self._parts) == 1 else None

    @property
    def work(self) -> int:
        """The number of multiplications in a step of Newton's method."""
        return len(self.results.sets) * len(self._groups) * self.size**2

    def fit(
        self, patterns: Array, pulls: Pulls = NO_PULLS, start: Array | None = None, seats_fixed: bool = False
    ) -> Array:
        """The most likely parameters for the games of every pattern (m,); with `seats_fixed` the seats are those of
        `start`."""
        free = self._no_seats if seats_fixed else self._free
        beta = np.zeros(self.size) if start is None else start
        counted = self.results.set_counts(patterns), self._linear(patterns)
        value, slope, curve = self._terms(beta, *counted, pulls)
        for _ in range(MOST_STEPS):
            step = _solved(curve, slope, free)
            if slope @ step < ENOUGH:
                break
            new, length = self._terms(beta + step, *counted, pulls), 1.0
            while new[0] < value - ROUNDING * abs(value) and length > 1e-6:
                length /= 2
                new = self._terms(beta + length * step, *counted, pulls)
            beta = beta + length * step
            value, slope, curve = new
        return beta

    def solve(self, curve: Array, slope: Array) -> Array:
        """The step of Newton's method; `slope` (q,) or (q, n)."""
        return _solved(curve, slope, self._free)

    def terms(self, beta: Array, patterns: Array, pulls: Pulls = NO_PULLS) -> tuple[float, Array, Array]:
        """Log-likelihood with priors, its slope (q,) and minus its curvature (q, q)."""
        return self._terms(beta, self.results.set_counts(patterns), self._linear(patterns), pulls)

    def _terms(self, beta: Array, counts: Array, linear: Array, pulls: Pulls) -> tuple[float, Array, Array]:
        """The terms, from the number of choices from every choice set and from `_linear`."""
        value = float(linear @ beta - 0.5 * beta @ self._prior @ beta)
        slope, curve = linear - self._prior @ beta, self._prior.copy()
        for rows, features, barred in self._blocks():
            weights = counts[rows]
            chances, sizes = _chances(features @ beta + barred)
            mean = (chances[:, np.newaxis, :] @ features)[:, 0]
            flat = features.reshape(-1, self.size)
            value -= float(weights @ sizes)
            slope -= weights @ mean
            curve += (flat * (weights[:, np.newaxis] * chances).reshape(-1, 1)).T @ flat
            curve -= (mean * weights[:, np.newaxis]).T @ mean
        return _pulled(beta, pulls, value, slope, curve)

    def seats_are_confounded(self, patterns: Array) -> bool:
        """Whether the effects of seats and agents cannot be told apart: some mix of both changes no game."""
        K, P = self.results.agents, self.results.players
        curve = (self.terms(np.zeros(self.size), patterns)[2] - self._prior)[: K + P, : K + P]
        return _nullity(curve) > _nullity(curve[:K, :K]) + 1

    def scores(self, beta: Array) -> Array:
        """The slope of the log-likelihood of a single deal of every type, (T, q); no priors."""
        results, K, P = self.results, self.results.agents, self.results.players
        expected = np.zeros((len(results.sets), self._features.shape[1]))
        for rows, features, barred in self._blocks():
            expected[rows] = _chances(features @ beta + barred)[0] @ self._features
        rest = np.concatenate([results.credit, results.ties[:, [d - 1 for d in self.tie_sizes]]], axis=1)
        for column, means in zip(rest.T, expected.T, strict=True):
            column -= np.bincount(results.choice_pattern, means[results.choice_set], minlength=len(rest))
        rest = rest[results.cell_pattern] * results.cell_games[:, np.newaxis]
        types, T = results.cell_type, len(results.type_counts)
        scores = np.zeros((T, self.size))
        for c, column in enumerate(rest.T):
            scores[:, K + c] = np.bincount(types, column, minlength=T)
        for seat in range(P):
            cells = types * K + results.line_ups[results.cell_pattern, seat]
            scores[:, :K] += np.bincount(cells, rest[:, seat], minlength=T * K).reshape(T, K)
        return scores

    def _linear(self, patterns: Array) -> Array:
        """The slope of the part of the log-likelihood that is linear in the parameters, (q,)."""
        credit = self.results.credit * patterns[:, np.newaxis]
        strengths = np.bincount(self.results.line_ups.ravel(), credit.ravel(), minlength=self.results.agents)
        ties = patterns @ self.results.ties[:, [d - 1 for d in self.tie_sizes]]
        return np.concatenate([strengths, credit.sum(axis=0), ties])

    def _blocks(self) -> Iterator[tuple[Array, Array, Array]]:
        yield from (self._block(part) for part in self._parts) if self._only is None else [self._only]

    def _block(self, rows: Array) -> tuple[Array, Array, Array]:
        """Rows of choice sets, their features (n, S, q), and (n, S) -inf for groups with a seat that is not in the
        set."""
        sets, K = self.results.sets[rows], self.results.agents
        features = np.zeros((len(rows), len(self._groups), self.size + 1))
        features[:, :, K:-1] = self._features
        number, group = np.arange(len(rows))[:, np.newaxis], np.arange(len(self._groups))
        for seat in range(self.results.players):
            column = np.where(sets[:, seat] < K, sets[:, seat], self.size)[:, np.newaxis]
            features[number, group, column] += self._features[:, seat]
        barred = np.where((sets == K).astype(np.int64) @ self._groups.T > 0, -np.inf, 0.0)
        return rows, np.ascontiguousarray(features[:, :, :-1]), barred


def _solved(curve: Array, slope: Array, free: Array) -> Array:
    """The step of Newton's method in the free parameters."""
    step = np.zeros_like(slope)
    step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
    return step


def _chances(worth: Array) -> tuple[Array, Array]:
    """The probability of every group (n, S), and the logarithm of the sum of all weights (n,)."""
    top = worth.max(axis=1, keepdims=True)
    chances = np.exp(worth - top)
    total = chances.sum(axis=1, keepdims=True)
    return chances / total, (top + np.log(total))[:, 0]


def _pulled(beta: Array, pulls: Pulls, value: float, slope: Array, curve: Array) -> tuple[float, Array, Array]:
    """The terms with the imaginary games added."""
    for behind, ahead, games in zip(pulls.behind, pulls.ahead, pulls.games, strict=True):
        gap = float(beta[ahead] - beta[behind])
        chance = float(np.exp(-np.logaddexp(0, -gap)))  # of the result that the imaginary games do not have
        value -= games * float(np.logaddexp(0, gap))
        slope[behind] += games * chance
        slope[ahead] -= games * chance
        pair = np.ix_([behind, ahead], [behind, ahead])
        curve[pair] += games * chance * (1 - chance) * np.array([[1, -1], [-1, 1]])
    return value, slope, curve


def _nullity(matrix: Array) -> int:
    """The dimension of the space that a positive semidefinite matrix maps to 0."""
    values = np.linalg.eigvalsh(matrix)
    return int((values < 1e-9 * max(values.max(), 1e-300)).sum())
