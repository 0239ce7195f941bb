"""Ratings of agents from the places of their games, with intervals.

    from skyline_agents.ratings.fit import rate
    ratings = rate(agents, places, deals, names)        # arrays (n, P), (n, P), (n,); agents count in names
    for row in ratings.table():
        print(row["agent"], row["rating"], row["low"], row["high"])

The model is Plackett-Luce with ties and an effect of the seat (place_model.py), fitted to all games at once. The scale
is Elo's: 400 points are odds of 10 to 1 to come before rather than behind. The anchor (random, if it plays) has 0.
Intervals hold 95 % of the fits to deals drawn anew with replacement: games of a deal stay together, as they must when a
deal is played in every seat rotation.

Where one agent always came before another, the games set no upper limit to the difference. Its interval is open, and
its closed end is where 97.5 % of such series would have seen the other way round at least once; the rating itself is
that of half a game lost. Agents that no chain of games joins to the anchor have no rating (NaN).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline.typing import Array
from skyline_agents.ratings.patterns import PatternCounts, check, count
from skyline_agents.ratings.place_model import NO_PULLS, PlaceModel, Pulls

ELO = 400 / np.log(10)
REPLICATES = 1000
TAIL = 0.025  # of the fits lie beyond either end of an interval
FAINT_PULL = 1e-3  # for the effects of seats, about which a shutout says nothing
LIKELY_PULL = 0.5  # games the other way, where there were none: for the rating,
STRONG_PULL = -float(np.log(TAIL))  # and for the closed end of the interval
SOLID = 40  # results that a redrawn tournament does not lose altogether
MOST_WORK, MOST_ENTRIES = 2e7, 3e5  # up to here every replicate is fitted anew, beyond it by one step from the fit


@dataclass(frozen=True)
class Ratings:
    """K agents, P seats, B replicates of the bootstrap; points of the Elo scale."""

    names: list[str]
    anchor: str
    games: Array  # (K,) int64: seats taken
    rating: Array  # (K,); NaN: no chain of games joins the agent to the anchor
    low: Array  # (K,) ends of the 95 % interval; infinite where the games set no limit
    high: Array
    seats: Array  # (P,) effects, mean 0; NaN if not estimated
    seats_low: Array
    seats_high: Array
    tie_odds: dict[int, float]  # size of a tied group -> delta of the model
    deals: int
    draws: Array  # (B, K) ratings of the replicates
    no_seats: str | None  # why there are no effects of seats, if that is so

    def order(self) -> list[int]:
        """Agents, the best first, those without a rating last."""
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
    outcomes = count(who, where, which, len(names))
    patterns = outcomes.pattern_counts(outcomes.type_counts)
    games = np.bincount(who.ravel(), minlength=len(names))
    zero = _anchor(names, games, anchor)
    limits, model = _limits(outcomes.before(patterns), zero), PlaceModel(outcomes)
    no_seats = _no_seats(model, patterns, limits) if seat_effect else "they were not asked for"
    if no_seats is not None:
        model = PlaceModel(outcomes, seat_effect=False)
    beta = _fit(model, patterns, limits, LIKELY_PULL)
    rng = np.random.default_rng(seed)
    draws = _replicates(model, beta, limits, zero, replicates, rng, progress or (lambda done: None))
    K, P = outcomes.agents, outcomes.players
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
        deals=len(outcomes.deal_type),
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
    """Why the games tell nothing about seats, if that is so."""
    if model.seats_are_confounded(patterns):
        return "agents did not change seats, so what is the seat's cannot be told from what is the agent's"
    if not _level_met(model.outcomes, patterns, limits):
        return "no two agents came before each other in turn, so the seat decided nothing"
    return None


# ---------------------------------------------------------------- where the games set no limit


@dataclass(frozen=True)
class _Limits:
    """What results say about differences from the anchor at all."""

    known: Array  # (K,) some chain of games joins the agent to the anchor
    no_floor: Array  # (K,) nothing limits the rating from below
    no_ceiling: Array  # (K,) nor from above
    level: Array  # (K, K) chains of results lead from i to j and back
    edges: Array  # (K, K) share of the imaginary game in which j comes before i, where i always came before j

    def pulls(self, games: float) -> Pulls:
        """Imaginary games against every one-sided border."""
        ahead, behind = np.nonzero(self.edges)
        return Pulls(behind, ahead, games * self.edges[ahead, behind]) if len(ahead) else NO_PULLS


def _limits(before: Array, anchor: int) -> _Limits:
    """The limits that follow from how often i came before j, (K, K)."""
    reach = _reach(before > 0)
    known = _reach(before + before.T > 0)[anchor]
    return _Limits(known, ~reach[:, anchor], ~reach[anchor], reach & reach.T, _borders(before, reach))


def _reach(edges: Array) -> Array:
    """Which nodes paths lead to, (K, K); every node reaches itself."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for k in range(len(edges)):
        reach |= reach[:, k : k + 1] & reach[k]
    return reach


def _borders(before: Array, reach: Array) -> Array:
    """Pairs across neighbouring classes of which the upper always came before the lower, each with its share."""
    one_sided = reach & ~reach.T
    if not one_sided.any():
        return np.zeros(before.shape)
    between = one_sided.astype(np.int64) @ one_sided.astype(np.int64) > 0  # with a class in between
    cells = np.where(one_sided & ~between, before, 0)
    same = (reach & reach.T).astype(float)
    whole = same @ cells @ same  # games across the border of the two classes
    shares: Array = np.divide(cells, whole, out=np.zeros(before.shape), where=cells > 0)
    return shares


def _level_met(outcomes: PatternCounts, patterns: Array, limits: _Limits) -> bool:
    """Whether two agents that came before each other in turn, or one with itself, met in these games."""
    line_ups = outcomes.line_ups[patterns > 0]
    level = np.any(limits.level[line_ups[:, :, np.newaxis], line_ups[:, np.newaxis, :]], axis=0)
    return bool(np.triu(level, 1).any())


def _fit(model: PlaceModel, patterns: Array, limits: _Limits, pull: float, start: Array | None = None) -> Array:
    """The parameters: where there are shutouts, seats first, then strengths with imaginary games."""
    if not limits.edges.any():
        return model.fit(patterns, start=start)
    seats = model.fit(patterns, limits.pulls(FAINT_PULL), start)
    return model.fit(patterns, limits.pulls(pull), seats, seats_fixed=True)


# ---------------------------------------------------------------- bootstrap


@dataclass(frozen=True)
class _Draws:
    """The replicates: parameters (B, q), where nothing limits a rating (B, K), nor the effects of seats (B, 1)."""

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
    """Fits to deals drawn anew."""
    outcomes = model.outcomes
    patterns = outcomes.pattern_counts(outcomes.type_counts)
    start = _fit(model, patterns, limits, STRONG_PULL, beta)
    before = outcomes.before(patterns)
    solid = bool(_reach(before >= SOLID).all())
    anew = model.work <= MOST_WORK and len(outcomes.entry_type) <= MOST_ENTRIES
    curve = model.terms(start, patterns, limits.pulls(STRONG_PULL))[2]
    step = None if anew else model.solve(curve, model.scores(start).T)
    draws = _Draws(
        np.zeros((B, len(beta))), *(np.tile(ends, (B, 1)) for ends in (limits.no_floor, limits.no_ceiling, False))
    )
    for b in range(B):
        counts = _redrawn(outcomes, rng)
        if step is not None:
            draws.betas[b] = start + step @ (counts - outcomes.type_counts)
        else:
            patterns, new = outcomes.pattern_counts(counts), limits
            if not solid:
                new = _limits(outcomes.before(patterns), anchor)
                draws.no_floor[b], draws.no_ceiling[b] = new.no_floor, new.no_ceiling
                draws.no_seats[b] = not _level_met(outcomes, patterns, new)
            draws.betas[b] = _fit(model, patterns, new, STRONG_PULL, start)
        if b % 10 == 9 or b == B - 1:
            tell(b + 1)
    return draws


def _redrawn(outcomes: PatternCounts, rng: np.random.Generator) -> Array:
    """Deals of every type (T,) among as many deals drawn with replacement."""
    counts, deals = outcomes.type_counts, len(outcomes.deal_type)
    if 8 * len(counts) < deals:
        return rng.multinomial(deals, counts / deals)
    return np.bincount(outcomes.deal_type[rng.integers(deals, size=deals)], minlength=len(counts))


def _ends(values: Array, no_floor: Array | bool = False, no_ceiling: Array | bool = False) -> tuple[Array, Array]:
    """The ends of the interval that holds 95 % of the replicates (B, n)."""
    B = len(values)
    rank = max(int(TAIL * (B + 1)) - 1, 0)
    lower, upper = np.where(no_floor, -np.inf, values), np.where(no_ceiling, np.inf, values)
    return np.sort(lower, axis=0)[rank], np.sort(upper, axis=0)[B - 1 - rank]
