"""Fifth Avenue, version 0, as a PettingZoo environment: `fifth_avenue_v0.env(players=4, ...)`."""

from skyline.envs.aec import module_functions

env, raw_env, parallel_env = module_functions("fifth_avenue")

__all__ = ["env", "parallel_env", "raw_env"]
