"""The functions of a game's PettingZoo module, `<game>_env/<game>_v<N>.py`:

    from typing import Never
    from skyline.envs.modules import module_functions
    from skyline.envs.settings import AecSettings

    env, raw_env, parallel_env = module_functions(__name__, AecSettings[Never])

`AecSettings[..]` says which type the values of the game's rule options have; Never: the game has no rule options. The
functions take the keywords of `AecSettings` but `game`: type checkers, editors and `help()` know the keywords, and no
game holds a list of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from skyline.envs.aec import TurnBasedEnv
from skyline.envs.settings import AecSettings, parameters_text

P = ParamSpec("P")

AEC = "{title} as an AEC environment. It checks every action, so `env` and `raw_env` are the same function."
PARALLEL = "{title} as a parallel environment: of the actions of all agents, that of the agent to move is played."


def module_functions(
    module: str, settings: Callable[Concatenate[str, P], AecSettings[Any]]
) -> tuple[Callable[P, TurnBasedEnv], Callable[P, TurnBasedEnv], Callable[P, ParallelEnv]]:
    """`env`, `raw_env` and `parallel_env` of the module of this name, such as "manhattan_env.manhattan_v1"."""
    version = module.rpartition(".")[2]
    make: Callable[..., TurnBasedEnv] = TurnBasedEnv

    def env(*arguments: P.args, **keywords: P.kwargs) -> TurnBasedEnv:
        return make(version, *arguments, **keywords)

    def parallel_env(*arguments: P.args, **keywords: P.kwargs) -> ParallelEnv:
        return turn_based_aec_to_parallel(make(version, *arguments, **keywords))

    title = version.rpartition("_v")[0].replace("_", " ").title()
    _describe(env, module, AEC.format(title=title))
    _describe(parallel_env, module, PARALLEL.format(title=title))
    return env, env, parallel_env


def _describe(function: Callable[..., Any], module: str, text: str) -> None:
    """What `help()`, editors that run the code, and pickles (which name a function by its module) are to know."""
    _, *keywords = inspect.signature(AecSettings, eval_str=True).parameters.values()
    returned = TurnBasedEnv if function.__name__ == "env" else ParallelEnv
    signature = inspect.Signature(keywords, return_annotation=returned)
    function.__signature__ = signature  # type: ignore[attr-defined] # read by inspect
    function.__doc__ = f"{text}\n\n{parameters_text(AecSettings, leave_out='game')}"
    function.__module__, function.__qualname__ = module, function.__name__
