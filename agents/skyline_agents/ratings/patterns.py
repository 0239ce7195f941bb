"""The results of a million games as a few counts, which is all that the rating model (place_model.py) needs.

A *pattern* is one possible result of a game: who sat where, and who came in which place. In games of two agents, A and
B, without ties there are four patterns: A first or B first, with A on seat 0 or on seat 1.

The model explains the order of a pattern from the top. With three seats A, B, C and the result B, A, C it asks two
questions: why B from {A, B, C}, and why A from {A, C}? Each answer is a *choice* of a seat, or of several tied seats,
from a *choice set*. A choice set is the agents of the seats that are left; the other seats are empty.

Two deals are of one *type* if their games show the same patterns the same number of times. The bootstrap
(`skyline_agents.ratings.fit`) draws deals; it needs to know only how many of every type it has drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline.game import MOST_SEATS
from skyline.typing import Array

_MIX = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64


@dataclass(frozen=True)
class PatternCounts:
    """m patterns with e choices from F choice sets, and D deals of T types, in games of P seats and K agents.

    A *cell* is a pattern that games of a type show; c is the number of cells.
    """

    agents: int  # K
    line_ups: Array  # (m, P) the agent of every seat
    ahead: Array  # (m, P) how many seats came before this one
    credit: Array  # (m, P) choices of this seat; each of d tied seats has 1 / d of a choice
    ties: Array  # (m, P) numbers of choices of 1, 2, .. P seats
    sets: Array  # (F, P) the agent of every seat of a choice set, K for an empty seat
    choice_pattern: Array  # (e,) the pattern of a choice
    choice_set: Array  # (e,) the choice set of a choice
    deal_type: Array  # (D,) the type of every deal
    type_counts: Array  # (T,) deals of every type
    cell_type: Array  # (c,) the type of a cell
    cell_pattern: Array  # (c,) the pattern of a cell
    cell_games: Array  # (c,) games with this pattern in a deal of this type

    @property
    def players(self) -> int:
        return int(self.line_ups.shape[1])

    def pattern_counts(self, type_counts: Array) -> Array:
        """Games of every pattern (m,), from the number of deals of every type (T,)."""
        games = type_counts[self.cell_type] * self.cell_games
        return np.bincount(self.cell_pattern, games, minlength=len(self.line_ups))

    def set_counts(self, patterns: Array) -> Array:
        """Choices from every choice set (F,), from the number of games of every pattern (m,)."""
        return np.bincount(self.choice_set, patterns[self.choice_pattern], minlength=len(self.sets))

    def before(self, patterns: Array) -> Array:
        """How often agent i came before agent j, (K, K); a tie counts half for both."""
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
    """The arrays of results as int64; ValueError if they cannot be results of games."""
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
    """The counts of checked results of n games of K agents."""
    ahead = (places[:, np.newaxis, :] < places[:, :, np.newaxis]).sum(axis=2)
    first, pattern = _patterns(agents, ahead, K)
    line_ups, ahead = agents[first], ahead[first]
    choices = _choices(line_ups, ahead, K)
    deal_type, type_counts, cells = _types(deals, pattern)
    return PatternCounts(K, line_ups, ahead, *choices, deal_type, type_counts, *cells)


def _number(columns: Array, base: int) -> Array:
    """Rows of numbers below `base`, each as one number."""
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
    """The fields credit, ties, sets, choice_pattern and choice_set of `PatternCounts`."""
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
    """The fields deal_type and type_counts of `PatternCounts`, and the three fields of the cells."""
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
    """Numbers as words (splitmix64). Two different sums of words are hardly ever equal."""
    words = (numbers.astype(np.uint64) + np.uint64(1)) * _MIX
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    mixed: Array = words ^ (words >> np.uint64(31))
    return mixed
