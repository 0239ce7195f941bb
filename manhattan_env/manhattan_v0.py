"""Manhattan, version 0, as a PettingZoo environment: `manhattan_v0.env(players=4, ...)`."""

from skyline.envs.aec import module_functions

env, raw_env, parallel_env = module_functions("manhattan")

__all__ = ["env", "parallel_env", "raw_env"]
