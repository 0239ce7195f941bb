"""The players that the engine's kernels also know: random and heuristic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline_agents.protocol import View


class KernelAgent:
    """The Python form of a policy in the kernel: the same moves, chosen from a view.

    It looks at the deal that the view holds, in which the hidden cards lie somewhere else, so it cannot use them, and
    draws from the stream that the kernel draws from.
    """

    kernel_policy: int

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        self._choose = engine.kernels(game).choose_rows
        self._policies, self._actions = np.array([self.kernel_policy]), np.zeros(1, np.int64)

    def act(self, view: View) -> int:
        mask = view.action_mask[np.newaxis]
        self._choose(view._row, mask, self._policies, view.stream, self._actions)
        return int(self._actions[0])


class Random(KernelAgent):
    """Any legal action, each with the same chance."""

    kernel_policy = engine.RANDOM


class Heuristic(KernelAgent):
    """The game's own baseline player."""

    kernel_policy = engine.HEURISTIC


KERNEL_PLAYERS = (Random, Heuristic)
