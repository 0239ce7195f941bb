"""Rewards before the end: the change of what a position is worth, which adds up to nothing that play could change.

    F = Phi(s') - Phi(s),  Phi = 0.5 tanh(lead / worth_scale),  Phi(end) = 0

`lead` is the learner's worth less the best other's; the worth of a seat is the sum of the observation slices that the
game's table names in `worth`. They are public, and own values come first, so one matrix serves every row and seat.
Over a game the F add up to -Phi(start): the best play stays the best play.
"""

from __future__ import annotations

import numpy as np

from skyline.game import Game
from skyline.typing import Array

MOST = 0.5  # |Phi| stays below


class Potential:
    """Phi of float observations (n, N); 0 for games whose table names no worth."""

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
