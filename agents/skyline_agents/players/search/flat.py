"""Flat Monte Carlo without a tree: what its rounds work on, and its compiled rounds."""

from __future__ import annotations

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.typing import Array
from skyline_agents.players.search.kernels.layout import COUNTERS, FlatWorkspace
from skyline_agents.players.search.tree import search_kernels


class FlatRounds:
    """The rounds of one move; `totals` (A,) are the summed values of every action so far."""

    def __init__(self, game: Game, root: Array, parameters: Array, stream: Array) -> None:
        """`root` (1,) is the position, dealt anew; `stream` (1,) is drawn from and advanced."""
        players = int(root["players"][0])
        self._kernels, self._parameters = search_kernels(game), parameters
        self._work = FlatWorkspace(
            root=root,
            deal=root.copy(),
            playout=root.copy(),
            choices=engine.mask_array(game, players)[0],
            legal=engine.mask_array(game, players)[0],
            values=np.zeros(players),
            totals=np.zeros(game.actions(players).size),
            counters=np.zeros(1, COUNTERS),
            stream=stream,
        )
        self.totals = self._work.totals

    def play_out(self, rounds: int) -> None:
        """Make rounds: in each of them every legal action is played out once, in the same deal."""
        self._kernels.flat_rounds(self._work, self._parameters, rounds)
