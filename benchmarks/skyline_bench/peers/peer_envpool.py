"""EnvPool's puzzles for one player: 1,024 in a batch, on one thread of EnvPool's pool."""

from __future__ import annotations

from functools import partial

import envpool
import numpy as np
from serve import Play, serve

GAMES = {"2048": "Jumanji/Game2048-v1", "sliding tiles": "Jumanji/SlidingTilePuzzle-v0",
         "minesweeper": "Jumanji/Minesweeper-v0"}  # fmt: skip
ROWS = 1024


def player(name: str) -> Play:
    envs, random = envpool.make_gymnasium(name, num_envs=ROWS, num_threads=1, seed=1), np.random.default_rng(1)
    observation, _ = envs.reset()
    held = [observation["action_mask"]]

    def play() -> tuple[int, int]:
        mask = held[0]
        chances = (random.random(mask.shape, np.float32) * mask).reshape(ROWS, -1)
        actions = chances.argmax(axis=1).astype(np.int32)
        if mask.ndim == 3:  # row and column
            actions = np.stack(np.unravel_index(actions, mask.shape[1:]), axis=1).astype(np.int32)
        observation, _, terminated, truncated, _ = envs.step(actions)
        held[0] = observation["action_mask"]
        return ROWS, int((terminated | truncated).sum())

    return play


if __name__ == "__main__":
    serve(
        {game: partial(player, name) for game, name in GAMES.items()},
        packages=("envpool", "numpy"),
        loop=f"{ROWS:,} puzzles a step(), a random legal action of each mask by NumPy, one thread",
    )
