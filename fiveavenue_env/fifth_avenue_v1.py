"""Fifth Avenue, version 1, as a PettingZoo environment: `fifth_avenue_v1.env(players=4, ...)`."""

from collections.abc import Mapping, Sequence

from skyline.envs.modules import module_functions
from skyline.envs.settings import AecSettings

OptionValue = int | str | Mapping[str, Sequence[str]]  # of board, max_turns, rings and the others

env, raw_env, parallel_env = module_functions(__name__, AecSettings[OptionValue])

__all__ = ["env", "parallel_env", "raw_env"]
