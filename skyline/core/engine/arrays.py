"""The arrays that every caller of the kernels needs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from skyline.core.engine.compiled import kernels
from skyline.game import Game

NO_SCALES = np.zeros(0, np.float32)


def mask_array(game: Game, players: int, n: int = 1) -> np.ndarray[Any, Any]:
    return np.zeros((n, game.actions(players).size), np.int8)


def observation_array(game: Game, players: int, n: int = 1, features: str = "base", dtype: Any = np.int16) -> Any:
    return np.zeros((n, game.observation(players).size(features)), dtype)


@lru_cache(None)
def scales(game: Game, players: int, features: str, dtype: str) -> np.ndarray[Any, Any]:
    """What `observe_some` divides by: a divisor for each value of a float32 observation, nothing for int16."""
    if dtype == "int16":
        return NO_SCALES
    return game.observation(players).per_value("scale", features).astype(np.float32)


def legal_actions(game: Game, s: Any) -> list[int]:
    """The legal action ids of a row, ascending; [] at the end. `s` is a length-1 array or a row of one."""
    states = as_rows(s)
    mask = mask_array(game, int(states["players"][0]))
    kernels(game).fill_masks(states, mask)
    return [int(a) for a in np.flatnonzero(mask[0])]


def as_rows(s: Any) -> np.ndarray[Any, Any]:
    """A row as a length-1 array that shares its memory; arrays pass."""
    return np.asarray(s).reshape(-1)
