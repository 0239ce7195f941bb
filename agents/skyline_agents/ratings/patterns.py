"""Results of games as counts of what differs: what the rating model (place_model.py) needs of a million games.

A *pattern* is who sat where and who came in which place. Its order is made in stages: of the seats that are left, one
or several tied ones come next. So a pattern consists of *choices*: from a *choice set* (agents on seats, some seats
empty) some seats were chosen. Deals whose games show the same patterns are of one *type*; the bootstrap draws types.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline.game import MOST_SEATS
from skyline.typing import Array

_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class PatternCounts:
    """m patterns, e choices in them from F choice sets, D deals of T types; P seats, K agents."""

    agents: int  # K
    line_ups: Array  # (m, P) the agent of every seat
    ahead: Array  # (m, P) how many seats came before this one
    credit: Array  # (m, P) times chosen; of a tied group each has its part
    ties: Array  # (m, P) chosen groups of 1, 2, .. P seats
    sets: Array  # (F, P) agent of every seat of a choice set, K where the seat is not in it
    choice_pattern: Array  # (e,) the pattern of a choice
    choice_set: Array  # (e,) its choice set
    deal_type: Array  # (D,) the type of every deal
    type_counts: Array  # (T,) deals of every type
    entry_type: Array  # (c,) games of a type with a pattern: the type,
    entry_pattern: Array  # (c,) the pattern,
    entry_games: Array  # (c,) how many such games

    @property
    def players(self) -> int:
        return int(self.line_ups.shape[1])

    def pattern_counts(self, type_counts: Array) -> Array:
        """Games of every pattern (m,) if there are so many deals of every type (T,)."""
        games = type_counts[self.entry_type] * self.entry_games
        return np.bincount(self.entry_pattern, games, minlength=len(self.line_ups))

    def set_counts(self, patterns: Array) -> Array:
        """Choices from every choice set (F,) if there are so many games of every pattern (m,)."""
        return np.bincount(self.choice_set, patterns[self.choice_pattern], minlength=len(self.sets))

    def before(self, patterns: Array) -> Array:
        """How often agent i came before agent j, a tie counting half to both, (K, K)."""
        K, counts = self.agents, np.zeros((self.agents, self.agents))
        for a in range(self.players):
            for b in range(a + 1, self.players):
                first = 0.5 + 0.5 * np.sign(self.ahead[:, b] - self.ahead[:, a])
                pair = self.line_ups[:, a] * K + self.line_ups[:, b]
                won = np.bincount(pair, patterns * first, minlength=K * K).reshape(K, K)
                met = np.bincount(pair, patterns, minlength=K * K).reshape(K, K)
                counts += won + (met - won).T
        np.fill_diagonal(counts, 0)
        return counts


def check(agents: Any, places: Any, deals: Any, names: Sequence[str]) -> tuple[Array, Array, Array]:
    """The arrays of results as int64; ValueError if they are no results of games."""
    arrays = [np.asarray(given) for given in (agents, places, deals)]
    for array, what in zip(arrays, ("agents", "places", "deals"), strict=True):
        if not np.issubdtype(array.dtype, np.integer):
            raise ValueError(f"{what} must be whole numbers, not {array.dtype}")
    who, where, which = (array.astype(np.int64) for array in arrays)
    if who.ndim != 2 or where.shape != who.shape or which.shape != who.shape[:1]:
        raise ValueError(
            f"agents (n, P), places (n, P) and deals (n,) do not fit: {who.shape}, {where.shape}, {which.shape}"
        )
    if len(who) == 0:
        raise ValueError("there is no finished game to rate")
    if not 2 <= who.shape[1] <= MOST_SEATS:
        raise ValueError(f"games of 2 to {MOST_SEATS} players can be rated, not of {who.shape[1]}")
    if who.min() < 0 or who.max() >= len(names):
        raise ValueError(f"agents are numbered 0 .. {len(names) - 1}, not {who.min()} .. {who.max()}")
    return who, where, which


def count(agents: Array, places: Array, deals: Array, K: int) -> PatternCounts:
    """Checked results of n games of K agents, summed up."""
    ahead = (places[:, np.newaxis, :] < places[:, :, np.newaxis]).sum(axis=2)
    first, pattern = _patterns(agents, ahead, K)
    line_ups, ahead = agents[first], ahead[first]
    choices = _choices(line_ups, ahead, K)
    deal_type, type_counts, entries = _types(deals, pattern)
    return PatternCounts(K, line_ups, ahead, *choices, deal_type, type_counts, *entries)


def _number(columns: Array, base: int) -> Array:
    """Rows of small numbers as one number each."""
    numbers: Array = columns @ base ** np.arange(columns.shape[1], dtype=np.int64)
    return numbers


def _patterns(agents: Array, ahead: Array, K: int) -> tuple[Array, Array]:
    """A game of every pattern, and the pattern of every game."""
    P = agents.shape[1]
    if float(K + 1) ** P >= 2.0**63:
        raise ValueError(f"{K} agents are too many for games of {P} players")
    line_ups, line_up = np.unique(_number(agents, K), return_inverse=True)
    if float(len(line_ups)) * P**P >= 2.0**63:
        raise ValueError("there are too many different line-ups")
    _, first, pattern = np.unique(line_up * P**P + _number(ahead, P), return_index=True, return_inverse=True)
    return first, pattern


def _choices(line_ups: Array, ahead: Array, K: int) -> tuple[Array, Array, Array, Array, Array]:
    """credit, ties, sets, choice_pattern and choice_set of the patterns."""
    (m, P), bits = line_ups.shape, 1 << np.arange(line_ups.shape[1])
    credit, ties, patterns, keys = np.zeros((m, P)), np.zeros((m, P)), [], []
    agent_numbers = np.where(ahead[:, :, np.newaxis] <= ahead[:, np.newaxis, :], line_ups[:, np.newaxis, :], K)
    for seat in range(P):
        group = (ahead == ahead[:, seat : seat + 1]) @ bits
        chosen = (ahead == ahead[:, seat : seat + 1]).sum(axis=1)
        left = P - ahead[:, seat]
        real = left > 1  # the last seat is no choice
        credit[:, seat] = real / chosen
        leads = np.flatnonzero(real & ((group & (bits[seat] - 1)) == 0))
        ties[leads, chosen[leads] - 1] += 1
        patterns.append(leads)
        keys.append(_number(agent_numbers[leads, seat], K + 1))
    _, first, choice_set = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
    seats = np.repeat(np.arange(P), [len(part) for part in patterns])
    choice_pattern = np.concatenate(patterns)
    return credit, ties, agent_numbers[choice_pattern[first], seats[first]], choice_pattern, choice_set


def _types(deals: Array, pattern: Array) -> tuple[Array, Array, tuple[Array, Array, Array]]:
    """deal_type, type_counts and the entries of the types: two deals with the same patterns are of one type."""
    _, deal = np.unique(deals, return_inverse=True)
    cells, games = np.unique(deal * (int(pattern.max()) + 1) + pattern, return_counts=True)
    deal, pattern = np.divmod(cells, int(pattern.max()) + 1)
    starts = np.flatnonzero(np.diff(deal, prepend=-1))
    signatures = np.add.reduceat(_scrambled(pattern) * games.astype(np.uint64), starts)
    _, example, deal_type, type_counts = np.unique(
        signatures, return_index=True, return_inverse=True, return_counts=True
    )
    number = np.full(len(starts), -1)
    number[example] = np.arange(len(example))
    kept = number[deal] >= 0
    return deal_type, type_counts, (number[deal[kept]], pattern[kept], games[kept])


def _scrambled(numbers: Array) -> Array:
    """Numbers as words whose sums hardly ever meet (splitmix64)."""
    words = (numbers.astype(np.uint64) + np.uint64(1)) * _MIX
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    mixed: Array = words ^ (words >> np.uint64(31))
    return mixed
