"""Reading functions of a game, on states in memory that the operating system protects against writing.

    python -m tests.support.read_only new_york    plays games; a write into a state that is only read ends the process

numba forgets that an array is read-only when it takes a record of the array, so that `flags.writeable` proves nothing.
A page without the permission to write does: the first write is a segmentation fault.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
import tempfile
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.game import Game
from skyline.rng import streams
from tests.support.rule_cases import Core

FEATURES = ("base", "rich")


class Sealed:
    """A row of a game that can be read but not written; `show` puts another state there."""

    def __init__(self, game: Game) -> None:
        size = game.state.itemsize
        with tempfile.TemporaryFile() as file:
            file.truncate(size)
            self._open = mmap.mmap(file.fileno(), size)
            self._sealed = mmap.mmap(file.fileno(), size, prot=mmap.PROT_READ)
        address = np.frombuffer(self._sealed, np.uint8).ctypes.data
        self.states = np.frombuffer((ctypes.c_char * size).from_address(address), game.state)

    def show(self, states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Put the state into the protected memory."""
        self._open[:] = states.tobytes()
        return self.states


class Looks:
    """All functions that only read a state: mask, the heuristic's action, every seat's observations, the places."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        self.kernels = engine.kernels(game)
        self.row = np.zeros(1, np.int64)
        self.mask = engine.mask_array(game, players)
        self.outs = {features: engine.observation_array(game, players, 1, features) for features in FEATURES}
        self.places, self.action = np.zeros((1, players), np.int64), np.zeros(1, np.int64)

    def at(self, states: np.ndarray[Any, Any], word: int) -> list[bytes]:
        """The results of all these functions; the heuristic's random stream is `word`."""
        self.kernels.fill_masks(states, self.mask)
        said = [self.mask.tobytes(), *self.observations(states)]
        self.kernels.places_rows(states, self.places)
        said.append(self.places.tobytes())
        if self.mask.any():
            self.kernels.choose_rows(states, self.mask, np.full(1, engine.HEURISTIC), streams(1, word), self.action)
            said.append(self.action.tobytes())
        return said

    def observations(self, states: np.ndarray[Any, Any]) -> list[bytes]:
        """Every seat's base and rich observation."""
        said = []
        for out in self.outs.values():
            for seat in range(self.players):
                self.kernels.observe_some(states, self.row, np.full(1, seat), out, engine.NO_SCALES)
                said.append(out.tobytes())
        return said


def check(name: str, games: int) -> int:
    """Call the functions on every state of some games in protected memory; the number of states. The heuristic plays
    half of the games."""
    game, looked = registry.load(name), 0
    for players in game.player_counts:
        looks, sealed = Looks(game, players), Sealed(game)
        for seed in range(games):
            core, rng = Core.deal(name, players, seed), np.random.default_rng(seed)
            while core.seat is not None:
                said = looks.at(core.states.copy(), seed)
                assert looks.at(sealed.show(core.states), seed) == said
                looked += 1
                guided = seed % 2 == 1 and rng.integers(2)
                core.step(int(looks.action[0]) if guided else int(rng.choice(core.actions())))
            looks.at(sealed.show(core.states), seed)
    return looked


if __name__ == "__main__":
    print(f"{check(sys.argv[1], int(sys.argv[2])):,} states were read and never written")
