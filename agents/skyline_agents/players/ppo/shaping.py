"""Rewards before the end of a game: the change F of a potential Phi between two decisions of the learner.

    F = Phi(s') - Phi(s),  Phi = 0.5 tanh(lead / worth_scale),  Phi(end) = 0

`lead` is the learner's worth less the best worth of another seat. The worth of a seat is the sum of the observation
slices that the game's table names in `worth`. These slices are public and begin with the viewer's own values, so one
matrix gives the worth of every seat in every row. Over a game the rewards F sum up to -Phi(start), which no move
changes: so the best play without these rewards is the best play with them.
"""

from __future__ import annotations

import numpy as np

from skyline.game import Game
from skyline.typing import Array

MOST = 0.5  # the bound of |Phi|


class Potential:
    """Called with float observations (n, N): Phi of each, (n,); 0 in games whose table names no worth."""

    def __init__(self, game: Game, players: int) -> None:
        table = game.observation(players)
        offsets, scale, self._unit = table.offsets(), table.per_value("scale"), float(table.worth_scale)
        self._columns = np.array(
            [at for name in table.worth for at in range(*offsets[name].indices(table.size()))], int
        )
        seats = [np.repeat(np.arange(players), _length(offsets[name]) // players) for name in table.worth]
        self._points = np.zeros((len(self._columns), players), np.float32)
        if len(self._columns):
            self._points[np.arange(len(self._columns)), np.concatenate(seats)] = scale[self._columns]

    def __call__(self, observations: Array) -> Array:
        if not len(self._columns):
            return np.zeros(len(observations), np.float32)
        worth = observations[:, self._columns] @ self._points
        lead: Array = MOST * np.tanh((worth[:, 0] - worth[:, 1:].max(axis=1)) / self._unit)
        return lead


def _length(part: slice) -> int:
    return int(part.stop - part.start)
