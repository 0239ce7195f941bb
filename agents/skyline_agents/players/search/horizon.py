"""`cut=auto`: how far a simulation has to look before the scores say something about the end of the game.

In Manhattan every round pays for the same towers again, so the scores at the end of the next round say much about the
end. In Fifth Avenue points are bought with cards and buildings, so playouts must go on to the end of the game. The cut
is found from games of the heuristic, once for a game, a player count and its options: the shortest cut whose change of
the score differences correlates with the change up to the end, and also with the change from the cut to the end (the
first change is a part of the second, which alone would be a reason for a correlation).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import NO_SEAT, Game
from skyline.rng import streams
from skyline.typing import Array
from skyline_agents.players.search.kernels.layout import WHOLE_GAME

GAMES = 128
STARTS = (0.1, 0.3, 0.5, 0.7)  # moments of a game that a simulation may begin at, as shares of its length
CUTS = (5, 10, 15, 20, 30, 40, 60, 80, 120, 160)  # decisions
ENOUGH = 0.65  # the least mean correlation, over the starts, of the change up to the cut with that up to the end
ENOUGH_AFTER = 0.1  # the least mean correlation of the change up to the cut with that from the cut to the end


def auto_cut(game: Game, players: int, options: Mapping[str, Any]) -> int:
    """The shortest cut that is enough, or WHOLE_GAME."""
    return _auto_cut(game, players, json.dumps(dict(options), sort_keys=True, default=dict))


@lru_cache(None)
def _auto_cut(game: Game, players: int, options: str) -> int:
    """`options` are JSON, because objects and lists, which options may hold, are no keys of a cache."""
    scores, lengths = played_scores(game, players, json.loads(options))
    for cut in CUTS:
        if cut >= lengths.mean() / 2:
            break
        whole, after = correlations(scores, lengths, cut)
        if whole >= ENOUGH and after >= ENOUGH_AFTER:
            return cut
    return WHOLE_GAME


def played_scores(game: Game, players: int, options: dict[str, Any]) -> tuple[Array, Array]:
    """Games of the heuristic: scores after every decision (n, T + 1, P), the last ones repeated; lengths (n,)."""
    kernels, n = engine.kernels(game), GAMES
    states, mask = game.blank(players, options, n), engine.mask_array(game, players, n)
    rewards, random, rows = np.zeros((n, players), np.float32), streams(n, 0), np.arange(n)
    kernels.begin_rows(states, np.arange(n, dtype=np.uint64), rows, mask, rewards, False)
    scores, lengths = [states["scores"][:, :players].copy()], np.zeros(n, np.int64)
    while len(rows):
        actions, own = np.zeros(len(rows), np.int64), random[rows]
        kernels.choose_rows(states[rows], mask[rows], np.full(len(rows), engine.HEURISTIC), own, actions)
        random[rows] = own
        kernels.step_some(states, rows, actions, mask, rewards, engine.SCORE)
        lengths[rows] += 1
        scores.append(states["scores"][:, :players].copy())
        rows = np.flatnonzero(states["seat"] != NO_SEAT)
    return np.stack(scores, axis=1).astype(np.float64), lengths


def correlations(scores: Array, lengths: Array, cut: int) -> tuple[float, float]:
    """Mean correlations, over the starts, of the change up to the cut: with the change up to the end, and with the
    change from the cut to the end; -1 where nothing changes."""
    players = scores.shape[2]
    leads = scores - (scores.sum(axis=2, keepdims=True) - scores) / (players - 1)
    changed = (scores[:, 1:] != scores[:, :-1]).any(axis=2)
    found, rows = [], np.arange(len(lengths))
    for start in STARTS:
        begins = (start * lengths).astype(np.int64)
        ends = [_end(changed[i], begins[i] + cut, lengths[i]) for i in range(len(lengths))]
        near = leads[rows, ends] - leads[rows, begins]
        far = leads[rows, lengths] - leads[rows, begins]
        found.append((_correlation(near, far), _correlation(near, far - near)))
    whole, after = np.mean(found, axis=0)
    return float(whole), float(after)


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1]) if one.any() and other.any() else -1.0


def _end(changed: Array, first: int, length: int) -> int:
    """The first decision from `first` on that changes the scores, or the last one."""
    later = np.flatnonzero(changed[first - 1 : length])
    return int(first + later[0]) if first < length and len(later) else int(length)
