"""Manhattan, version 1, as a PettingZoo environment: `manhattan_v1.env(players=4, ...)`."""

from typing import Never

from skyline.envs.modules import module_functions
from skyline.envs.settings import AecSettings

env, raw_env, parallel_env = module_functions(__name__, AecSettings[Never])  # Never: there are no rule options

__all__ = ["env", "parallel_env", "raw_env"]
