"""The players that the kernels of the engine also know: random and heuristic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline_agents.protocol import View


class KernelAgent:
    """A policy of the kernel as an agent: the same moves, chosen from a view.

    The agent sees the deal that the view holds, in which hidden cards lie elsewhere, and draws random numbers from the
    same stream as the kernel.
    """

    kernel_policy: int  # the policy number of the engine

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        self._choose = engine.kernels(game).choose_rows
        self._policies, self._actions = np.array([self.kernel_policy]), np.zeros(1, np.int64)

    def act(self, view: View) -> int:
        mask = view.action_mask[np.newaxis]
        self._choose(view._row, mask, self._policies, view.stream, self._actions)
        return int(self._actions[0])


class Random(KernelAgent):
    """Plays every legal action with the same probability."""

    kernel_policy = engine.RANDOM


class Heuristic(KernelAgent):
    """Plays the moves of the game's heuristic."""

    kernel_policy = engine.HEURISTIC


KERNEL_PLAYERS = (Random, Heuristic)
