"""fastcatan: games of Catan with four players in a batch, stepped by its C++ core on one thread.

Version 1 writes an observation of 1,084 float32; version 2 has none for a batch, and is fastest with a larger batch. An
offer to other seats is put together card by card, which is more than half of all steps of random play: `catan` is
played with offers, `no offers` without them, as Catanatron plays.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from serve import Play, on_one_core, serve, settled

OBSERVED = version("fastcatan").startswith("1.")
ROWS = 64 if OBSERVED else 1024
GAMES = {"catan": True, "no offers": False}  # may a seat offer cards to others?


def allowed(fastcatan: Any, offers: bool) -> np.ndarray[Any, Any]:
    """The actions that may be chosen, as words of 64 bits; the actions of an offer are the last ones."""
    count = fastcatan.NUM_ACTIONS if offers else fastcatan.action.TRADE_ADD_GIVE_BASE
    bits = np.zeros(64 * fastcatan.MASK_WORDS, np.uint8)
    bits[:count] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def player(offers: bool) -> Play:
    import fastcatan  # OpenMP counts the cores when it is loaded
    from picks import from_words

    games = fastcatan.BatchedEnv(ROWS, seed=1)
    games.reset()
    masks, actions = np.zeros((ROWS, fastcatan.MASK_WORDS), np.uint64), np.zeros(ROWS, np.uint32)
    rewards, over = np.zeros(ROWS, np.float32), np.zeros(ROWS, np.uint8)
    stream, may = np.ones(1, np.uint64), allowed(fastcatan, offers)
    nothing = np.uint32(2**32 - 1)  # SKIP_ACTION of version 1, NO_ACTION of version 2
    views = np.zeros((ROWS, fastcatan.OBS_SIZE if OBSERVED else 0), np.float32)

    def play() -> tuple[int, int]:
        games.write_masks(masks)
        if OBSERVED:
            games.write_obs(views)
        from_words(masks, may, stream, actions, nothing)
        if OBSERVED:
            games.step(actions, rewards, over)
        else:
            games.step_autoreset(actions, over)
        return ROWS, int(np.count_nonzero(over))

    return settled(play, ROWS)


if __name__ == "__main__":
    on_one_core()
    serve(
        {game: partial(player, offers) for game, offers in GAMES.items()},
        packages=("fastcatan", "numpy", "numba"),
        loop=f"{ROWS:,} games a step, a random legal action of each mask by a compiled function, one thread",
        rows=ROWS,
    )
