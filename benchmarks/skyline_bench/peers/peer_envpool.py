"""EnvPool's games for several players (its C++ ports of Pgx's games), and puzzles for one: 256 in a batch.

One thread of EnvPool's pool shares one core with the thread that calls it. EnvPool writes the observations of all seats
at every step. The step after the end of a game begins the next game: this step is no decision.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import envpool
import numpy as np
from picks import from_mask
from serve import Play, on_one_core, serve, settled

GAMES = {"connect_four": "ConnectFour-v1", "backgammon": "Backgammon-v1", "leduc_holdem": "LeducHoldem-v1",
         "sparrow_mahjong": "SparrowMahjong-v1", "go_9x9": "Go9x9-v1"}  # fmt: skip
PUZZLES = {"2048": "Jumanji/Game2048-v1", "sliding tiles": "Jumanji/SlidingTilePuzzle-v0",
           "minesweeper": "Jumanji/Minesweeper-v0"}  # fmt: skip
ROWS = 256


def mask_of(observation: Any, info: Any) -> Any:
    return info["legal_action_mask"] if "legal_action_mask" in info else observation["action_mask"]


def player(name: str) -> Play:
    games = envpool.make_gymnasium(name, num_envs=ROWS, num_threads=1, seed=1)
    held = [mask_of(*games.reset())]
    stream, actions = np.ones(1, np.uint64), np.zeros(ROWS, np.int32)

    def play() -> tuple[int, int]:
        mask = held[0]
        from_mask(mask.reshape(ROWS, -1), stream, actions, 0)
        chosen = actions
        if mask.ndim == 3:  # row and column
            chosen = np.stack(np.divmod(actions, mask.shape[2]), axis=1)
        observation, _, terminated, truncated, info = games.step(chosen)
        held[0] = mask_of(observation, info)
        over = (terminated | truncated).reshape(ROWS, -1)[:, 0]
        return int(np.count_nonzero(info["elapsed_step"])), int(over.sum())

    return settled(play, ROWS)


if __name__ == "__main__":
    on_one_core()
    serve(
        {game: partial(player, name) for game, name in {**GAMES, **PUZZLES}.items()},
        packages=("envpool", "numpy", "numba"),
        loop=f"{ROWS} games a step(), a random legal action of each mask by a compiled function, one thread",
        rows=ROWS,
    )
