"""Palazzo, version 1, as a PettingZoo environment: `palazzo_v1.env(players=4, ...)`."""

from skyline.envs.modules import module_functions
from skyline.envs.settings import AecSettings

env, raw_env, parallel_env = module_functions(__name__, AecSettings[int | str])  # the values of its options

__all__ = ["env", "parallel_env", "raw_env"]
