"""New York, version 1, as a PettingZoo environment: `new_york_v1.env(players=4, ...)`."""

from skyline.envs.modules import module_functions
from skyline.envs.settings import AecSettings

env, raw_env, parallel_env = module_functions(__name__, AecSettings[int | bool])  # of max_turns and overpay

__all__ = ["env", "parallel_env", "raw_env"]
