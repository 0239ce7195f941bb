"""The agents' part of a game's chance: a random stream and a seed for every seat, from which nobody finds the game's.

Both follow from the game's seed and salt by a one-way hash (`skyline.core.oneway`): the seat that draws from its stream
learns nothing of the cards, and nothing of the other seats' streams.
"""

from __future__ import annotations

import numpy as np

from skyline.core.oneway import OWN_SEEDS, STREAMS, hashed
from skyline.rng import STREAM
from skyline.typing import Array


def seat_streams(seeds: Array, salts: Array, players: int) -> Array:
    """The stream of every seat of every game, STREAM (n, P)."""
    rows = np.zeros((len(seeds), players), STREAM)
    rows["rng"] = hashed(seeds, salts, STREAMS, players)
    return rows


def own_seed(seed: int, salt: int, seat: int) -> int:
    """The seed that the agent at a seat is told when its game begins."""
    return int(hashed(np.array([seed], np.uint64), np.array([salt]), OWN_SEEDS, seat + 1)[0, seat])
