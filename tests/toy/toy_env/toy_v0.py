"""The toy game, version 0, as a PettingZoo environment."""

from skyline.envs.aec import module_functions

env, raw_env, parallel_env = module_functions("toy")

__all__ = ["env", "parallel_env", "raw_env"]
