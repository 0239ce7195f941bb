"""A game's jitted functions under watch: nothing is written behind an array, every value is written, states stay."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.core.overloads import observe
from skyline.game import Game
from skyline.rng import streams
from skyline.testing.promises import holds, same, same_bytes
from skyline.typing import Array

GUARD = 64  # values behind an array that nobody may write
FILLS = (-21846, 21845)  # what arrays hold before they are written: a value that stays from before shows


def see_rows(S, seats, out, written):  # type: ignore[no-untyped-def] # jitted
    """What seats[i] sees in row i and how many values that were; last row first, so that a row that writes beyond
    its end spoils one that is there already."""
    for i in range(S.shape[0] - 1, -1, -1):
        written[i] = observe(S[i], seats[i], out[i])  # type: ignore[no-untyped-call] # jitted


@lru_cache(None)
def _own_kernels(game: Game) -> engine.Kernels:
    return engine.Kernels(game, {"see_rows": see_rows}, "-testing")


class Probe:
    """The jitted functions of a game, called on rows of states with something to see when they write elsewhere."""

    def __init__(self, game: Game, players: int, seed: int) -> None:
        self.game, self.players, self.seed = game, players, seed
        self.kernels = engine.kernels(game)
        self.table = game.observation(players)
        self.sizes = {features: self.table.size(features) for features in ("base", "rich")}

    def step(self, states: Array, action: int) -> Array:
        """The action in every row; the masks then."""
        n = len(states)
        masks, rewards = self.masks(states), np.zeros((n, self.players), np.float32)
        self.kernels.step_some(states, np.arange(n), np.full(n, action), masks, rewards, engine.SCORE)
        return masks

    def masks(self, states: Array) -> Array:
        """The mask of every row, (n, A); nothing behind it is written."""
        n, size = len(states), self.game.actions(self.players).size
        memory = np.full(n * size + GUARD, 85, np.int8)
        masks = memory[: n * size].reshape(n, size)
        self.kernels.fill_masks(states, masks)
        holds((memory[n * size :] == 85).all(), "legal() writes nothing behind the mask")
        holds(((masks == 0) | (masks == 1)).all(), "a mask holds zeros and ones")
        return masks

    def views(self, states: Array, features: str = "rich") -> Array:
        """What every seat sees in every row, (n, P, N): every value is written, and nothing behind the last."""
        n, size = len(states) * self.players, self.sizes[features]
        rows, seats = np.repeat(states, self.players), np.tile(np.arange(self.players), len(states))
        seen, written = list[Array](), np.zeros(n, np.int64)
        for fill in FILLS:
            memory = np.full(n * size + GUARD, fill, np.int16)
            _own_kernels(self.game).see_rows(rows, seats, memory[: n * size].reshape(n, size), written)
            holds((memory[n * size :] == fill).all(), "observe() writes nothing behind the observation")
            seen.append(memory[: n * size].reshape(n, size))
        same_bytes(rows, np.repeat(states, self.players), "the state before and after observe()")
        same(set(written.tolist()), {size}, f"what observe() returns is the size of the {features} table")
        if (different := np.flatnonzero((seen[0] != seen[1]).any(axis=0))).size:
            raise AssertionError(f"observe() does not write {self.slice_at(different[0])}")
        return seen[0].reshape(len(states), self.players, size)

    def slice_at(self, value: Any) -> str:
        """The name and place of a value of the rich observation."""
        offsets = self.table.offsets("rich").items()
        return next(f"{name}[{value - part.start}]" for name, part in offsets if part.start <= value < part.stop)

    def ask(self, states: Array, moves: int) -> int:
        """The heuristic's action, the same in every row: the stream of all rows follows from the number of moves."""
        n, before = len(states), states.copy()
        actions, luck = np.zeros(n, np.int64), np.repeat(streams(1, self.seed + moves), n)
        self.kernels.choose_rows(states, self.masks(states), np.full(n, engine.HEURISTIC), luck, actions)
        same_bytes(before, states, "the state before and after heuristic()")
        same(len(set(actions.tolist())), 1, "different choices of the heuristic for the same view")
        return int(actions[0])
