"""Ratings of agents from the places of their games, with intervals.

    from skyline_agents.ratings.fit import rate
    ratings = rate(agents, places, deals, names)        # arrays (n, P), (n, P), (n,); agents count in names
    for row in ratings.table():
        print(row["agent"], row["rating"], row["low"], row["high"])

The model is Plackett-Luce with ties and an effect of the seat (place_model.py), fitted to all games at once. The scale
is that of Elo: a difference of 400 points means odds of 10 to 1 that the stronger agent comes before the weaker one.
The anchor (random, if it plays) has the rating 0.

An interval holds 95 % of the fits to deals that are drawn with replacement from all deals (the bootstrap). The games of
a deal stay together, because they are not independent of each other.

If an agent always came before another, no difference of their ratings is too large for these games. Suppose A won all
40 games against B. The rating of A is the fit to these games and half an imaginary game that B wins. The interval of A
has no upper end. Its lower end is the fit with log(1 / 0.025) = 3.7 imaginary games that B wins: with a smaller
difference, more than about 97.5 % of all series of 40 games contain a win of B. An agent that no chain of games
connects with the anchor has no rating (NaN).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline.typing import Array
from skyline_agents.ratings.patterns import PatternCounts, check, count
from skyline_agents.ratings.place_model import NO_PULLS, PlaceModel, Pulls

ELO = 400 / np.log(10)  # points of the Elo scale for a strength of 1
REPLICATES = 1000  # of the bootstrap
TAIL = 0.025  # the share of the fits beyond either end of an interval
# Imaginary games that the weaker agent wins, where it won none:
FAINT_PULL = 1e-3  # in the fit of the effects of seats, about which such games say nothing
LIKELY_PULL = 0.5  # in the fit of the ratings
STRONG_PULL = -float(np.log(TAIL))  # in the fit of the closed end of an interval
SOLID = 40  # wins of which a redrawn tournament practically always has one
MOST_WORK, MOST_CELLS = 2e7, 3e5  # up to here every replicate has a fit of its own, beyond it one Newton step


@dataclass(frozen=True)
class Ratings:
    """The ratings of K agents and the effects of P seats in points, with B replicates of the bootstrap."""

    names: list[str]
    anchor: str
    games: Array  # (K,) int64: seats taken
    rating: Array  # (K,); NaN: no chain of games connects the agent with the anchor
    low: Array  # (K,) ends of the 95 % interval; infinite where the games set no limit
    high: Array
    seats: Array  # (P,) effects, mean 0; NaN if not estimated
    seats_low: Array
    seats_high: Array
    tie_odds: dict[int, float]  # size of a tied group -> delta of the model
    deals: int
    draws: Array  # (B, K) ratings of the replicates
    no_seats: str | None  # why there are no effects of seats; None if there are

    def order(self) -> list[int]:
        """The numbers of the agents, the best first, those without a rating last."""
        return sorted(range(len(self.names)), key=lambda k: (np.isnan(self.rating[k]), -self.rating[k]))

    def better(self) -> Array:
        """The share of replicates in which agent i is rated above agent j, (K, K)."""
        above = self.draws[:, :, np.newaxis] > self.draws[:, np.newaxis, :]
        share: Array = above.mean(axis=0)
        share[np.isnan(self.rating)], share[:, np.isnan(self.rating)] = np.nan, np.nan
        np.fill_diagonal(share, np.nan)
        return share

    def table(self) -> list[dict[str, Any]]:
        """One row an agent, the best first."""
        return [
            {
                "agent": self.names[k],
                "rating": float(self.rating[k]),
                "low": float(self.low[k]),
                "high": float(self.high[k]),
                "games": int(self.games[k]),
            }
            for k in self.order()
        ]


def rate(
    agents: Any,
    places: Any,
    deals: Any,
    names: Sequence[str],
    *,
    anchor: str | None = None,
    seat_effect: bool = True,
    replicates: int = REPLICATES,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Ratings:
    """Rate agents by n finished games of P players.

    Parameters
    ----------
    agents : (n, P) who sat at each seat, as an index into `names`.   places : (n, P) 1 = first, ties equal.
    deals : (n,) the number of the deal, the independent piece of the bootstrap.
    anchor : the agent with rating 0; default: random if it played, else the first that did.
    replicates : of the bootstrap, at least 40.   progress : called with the number of them that are done.
    """
    who, where, which = check(agents, places, deals, names)
    if replicates < 40:
        raise ValueError(f"an interval needs 40 replicates or more, not {replicates}")
    results = count(who, where, which, len(names))
    patterns = results.pattern_counts(results.type_counts)
    games = np.bincount(who.ravel(), minlength=len(names))
    zero = _anchor(names, games, anchor)
    limits, model = _limits(results.before(patterns), zero), PlaceModel(results)
    no_seats = _no_seats(model, patterns, limits) if seat_effect else "they were not asked for"
    if no_seats is not None:
        model = PlaceModel(results, seat_effect=False)
    beta = _fit(model, patterns, limits, LIKELY_PULL)
    rng = np.random.default_rng(seed)
    draws = _replicates(model, beta, limits, zero, replicates, rng, progress or (lambda done: None))
    K, P = results.agents, results.players
    unknown, unseated = np.where(limits.known, 0, np.nan), 0 if no_seats is None else np.nan
    relative = ELO * (draws.betas[:, :K] - draws.betas[:, zero : zero + 1])
    low, high = _ends(relative, draws.no_floor, draws.no_ceiling)
    seats_low, seats_high = _ends(ELO * draws.betas[:, K : K + P], draws.no_seats, draws.no_seats)
    return Ratings(
        names=list(names),
        anchor=names[zero],
        games=games,
        rating=ELO * (beta[:K] - beta[zero]) + unknown,
        low=low + unknown,
        high=high + unknown,
        seats=ELO * beta[K : K + P] + unseated,
        seats_low=seats_low + unseated,
        seats_high=seats_high + unseated,
        tie_odds=dict(zip(model.tie_sizes, np.exp(beta[K + P :]).tolist(), strict=True)),
        deals=len(results.deal_type),
        draws=relative,
        no_seats=no_seats,
    )


def _anchor(names: Sequence[str], games: Array, wanted: str | None) -> int:
    """The agent with rating 0."""
    played = [name for name, n in zip(names, games, strict=True) if n]
    if wanted is None:
        wanted = "random" if "random" in played else played[0]
    if wanted not in played:
        raise ValueError(f"the anchor {wanted!r} played no game; agents that did: {', '.join(played)}")
    return list(names).index(wanted)


def _no_seats(model: PlaceModel, patterns: Array, limits: _Limits) -> str | None:
    """Why the games say nothing about the effects of seats; None if they say something."""
    if model.seats_are_confounded(patterns):
        return "agents did not change seats, so what is the seat's cannot be told from what is the agent's"
    if not _level_met(model.results, patterns, limits):
        return "no two agents came before each other in turn, so the seat decided nothing"
    return None


# ---------------------------------------------------------------- where the games set no limit


@dataclass(frozen=True)
class _Limits:
    """Which differences of ratings the results limit, and which not."""

    known: Array  # (K,) bool: a chain of games connects the agent with the anchor
    no_floor: Array  # (K,) bool: the results do not limit the rating from below
    no_ceiling: Array  # (K,) bool: the results do not limit the rating from above
    level: Array  # (K, K) bool: chains of wins lead from i to j and from j to i
    edges: Array  # (K, K) where i always came before j: the share of (i, j) in the imaginary games, else 0

    def pulls(self, games: float) -> Pulls:
        """Imaginary games for all pairs of `edges`; those across one border are `games` games together."""
        ahead, behind = np.nonzero(self.edges)
        return Pulls(behind, ahead, games * self.edges[ahead, behind]) if len(ahead) else NO_PULLS


def _limits(before: Array, anchor: int) -> _Limits:
    """The limits that follow from `before` (K, K): how often agent i came before agent j."""
    reach = _reach(before > 0)
    known = _reach(before + before.T > 0)[anchor]
    return _Limits(known, ~reach[:, anchor], ~reach[anchor], reach & reach.T, _borders(before, reach))


def _reach(edges: Array) -> Array:
    """Whether a path leads from node i to node j, (K, K); every node reaches itself."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for k in range(len(edges)):
        reach |= reach[:, k : k + 1] & reach[k]
    return reach


def _borders(before: Array, reach: Array) -> Array:
    """The field `edges` of `_Limits`.

    Agents with chains of wins in both directions form a class. Between two neighbouring classes there is a border:
    whenever their agents met, the agent of the upper class came first. Pairs share a border by their games.
    """
    one_sided = reach & ~reach.T
    if not one_sided.any():
        return np.zeros(before.shape)
    # Whether another class lies between two classes, which are then no neighbours.
    between = one_sided.astype(np.int64) @ one_sided.astype(np.int64) > 0
    cells = np.where(one_sided & ~between, before, 0)
    same = (reach & reach.T).astype(float)
    whole = same @ cells @ same  # games across the border of the two classes
    shares: Array = np.divide(cells, whole, out=np.zeros(before.shape), where=cells > 0)
    return shares


def _level_met(results: PatternCounts, patterns: Array, limits: _Limits) -> bool:
    """Whether two agents of one class, or two copies of one agent, met in these games."""
    line_ups = results.line_ups[patterns > 0]
    level = np.any(limits.level[line_ups[:, :, np.newaxis], line_ups[:, np.newaxis, :]], axis=0)
    return bool(np.triu(level, 1).any())


def _fit(model: PlaceModel, patterns: Array, limits: _Limits, pull: float, start: Array | None = None) -> Array:
    """The most likely parameters. With one-sided results the seats are fitted first, then strengths with imaginary
    games."""
    if not limits.edges.any():
        return model.fit(patterns, start=start)
    seats = model.fit(patterns, limits.pulls(FAINT_PULL), start)
    return model.fit(patterns, limits.pulls(pull), seats, seats_fixed=True)


# ---------------------------------------------------------------- bootstrap


@dataclass(frozen=True)
class _Draws:
    """The B replicates: parameters (B, q); ratings without limits (B, K); whether seats have no effects (B, 1)."""

    betas: Array
    no_floor: Array
    no_ceiling: Array
    no_seats: Array


def _replicates(
    model: PlaceModel,
    beta: Array,
    limits: _Limits,
    anchor: int,
    B: int,
    rng: np.random.Generator,
    tell: Callable[[int], None],
) -> _Draws:
    """The fits to deals that are drawn with replacement."""
    results = model.results
    patterns = results.pattern_counts(results.type_counts)
    start = _fit(model, patterns, limits, STRONG_PULL, beta)
    before = results.before(patterns)
    solid = bool(_reach(before >= SOLID).all())
    anew = model.work <= MOST_WORK and len(results.cell_type) <= MOST_CELLS
    curve = model.terms(start, patterns, limits.pulls(STRONG_PULL))[2]
    step = None if anew else model.solve(curve, model.scores(start).T)
    draws = _Draws(
        np.zeros((B, len(beta))), *(np.tile(ends, (B, 1)) for ends in (limits.no_floor, limits.no_ceiling, False))
    )
    for b in range(B):
        counts = _redrawn(results, rng)
        if step is not None:
            draws.betas[b] = start + step @ (counts - results.type_counts)
        else:
            patterns, new = results.pattern_counts(counts), limits
            if not solid:
                new = _limits(results.before(patterns), anchor)
                draws.no_floor[b], draws.no_ceiling[b] = new.no_floor, new.no_ceiling
                draws.no_seats[b] = not _level_met(results, patterns, new)
            draws.betas[b] = _fit(model, patterns, new, STRONG_PULL, start)
        if b % 10 == 9 or b == B - 1:
            tell(b + 1)
    return draws


def _redrawn(results: PatternCounts, rng: np.random.Generator) -> Array:
    """The number of deals of every type (T,) among deals that are drawn with replacement."""
    counts, deals = results.type_counts, len(results.deal_type)
    if 8 * len(counts) < deals:
        return rng.multinomial(deals, counts / deals)
    return np.bincount(results.deal_type[rng.integers(deals, size=deals)], minlength=len(counts))


def _ends(values: Array, no_floor: Array | bool = False, no_ceiling: Array | bool = False) -> tuple[Array, Array]:
    """The ends of the interval that holds 95 % of the replicates (B, n)."""
    B = len(values)
    rank = max(int(TAIL * (B + 1)) - 1, 0)
    lower, upper = np.where(no_floor, -np.inf, values), np.where(no_ceiling, np.inf, values)
    return np.sort(lower, axis=0)[rank], np.sort(upper, axis=0)[B - 1 - rank]
