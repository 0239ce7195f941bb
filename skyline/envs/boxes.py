"""What is handed out, as spaces of Gymnasium."""

from __future__ import annotations

import copy

import numpy as np
from gymnasium import spaces

from skyline.core import engine
from skyline.game import Game
from skyline.packed import pack_mask


def observation_box(game: Game, players: int, features: str, obs_dtype: str) -> spaces.Box:
    """The exact range of every value of an observation, in the type in which it is handed out."""
    table = game.observation(players)
    low, high = table.per_value("low", features), table.per_value("high", features)
    if obs_dtype == "float32":
        scales = engine.scales(game, players, features, obs_dtype)
        low, high = low / scales, high / scales
    dtype = np.dtype(obs_dtype).type
    return spaces.Box(low.astype(dtype), high.astype(dtype), dtype=dtype)


def observation_space(box: spaces.Box, actions: int) -> spaces.Dict:
    """The space of one agent of PettingZoo: the observation, and the mask of the legal actions."""
    return spaces.Dict(observation=copy.deepcopy(box), action_mask=spaces.Box(0, 1, (actions,), np.int8))


def mask_space(actions: int, mask_dtype: str) -> spaces.Box:
    """A mask as a batch hands it out: a value for each action, or their bits."""
    if mask_dtype == "int8":
        return spaces.Box(0, 1, (actions,), np.int8)
    return spaces.Box(np.uint8(0), pack_mask(np.ones(actions, bool)), dtype=np.uint8)


def state_space(box: spaces.Box, players: int) -> spaces.Box:
    """The observations of all seats, one under the other."""
    low, high = (np.tile(bound, (players, 1)) for bound in (box.low, box.high))
    return spaces.Box(low, high, dtype=box.dtype.type)
