"""skyline: four multi-player building games as reinforcement-learning environments. Unofficial, rules only.

    import skyline
    skyline.games()                                        # names of all games
    env = skyline.env("manhattan", players=4)              # PettingZoo AEC; also manhattan_env.manhattan_v1.env(...)
    games = skyline.vector("manhattan", 1024, players=4)   # gymnasium.vector: 1,024 games in one call
    seat = skyline.single("manhattan", opponents="heuristic")   # gymnasium.Env: one seat
    skyline.load("manhattan")                              # the game itself: action and observation tables, texts

`env`, `vector` and `single` are short names of the classes `TurnBasedEnv`, `VectorGames` and `SingleSeat`. A game is
asked for by its name or its id: "manhattan", "manhattan-v1" and "skyline/manhattan-v1" mean the same environment.

Importing registers the ids of all games with PettingZoo ("aec", "parallel") and Gymnasium: `skyline/manhattan-v1`, ...
Without the import, `gymnasium.make("skyline:skyline/manhattan-v1")` imports skyline by itself. Numba and the games load
when the first environment is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from skyline import registry
from skyline.game import Game, IllegalMove
from skyline.registry import load, names

if TYPE_CHECKING:
    from skyline.core.engine import ContractError
    from skyline.envs.aec import TurnBasedEnv
    from skyline.envs.single import SingleSeat
    from skyline.envs.vector import VectorGames
    from skyline.packed import unpack_ids, unpack_mask
    from skyline.record import Recorder, RecordError, replay, verify

    env = TurnBasedEnv
    vector = VectorGames
    single = SingleSeat

__version__ = "0.1.0"

__all__ = [
    "ContractError",
    "Game",
    "IllegalMove",
    "RecordError",
    "Recorder",
    "SingleSeat",
    "TurnBasedEnv",
    "VectorGames",
    "env",
    "games",
    "load",
    "replay",
    "single",
    "unpack_ids",
    "unpack_mask",
    "vector",
    "verify",
]

_LATE = {  # what is imported when it is first asked for: its module and its name there
    "ContractError": ("skyline.core.engine", "ContractError"),
    "RecordError": ("skyline.record", "RecordError"),
    "Recorder": ("skyline.record", "Recorder"),
    "SingleSeat": ("skyline.envs.single", "SingleSeat"),
    "TurnBasedEnv": ("skyline.envs.aec", "TurnBasedEnv"),
    "VectorGames": ("skyline.envs.vector", "VectorGames"),
    "env": ("skyline.envs.aec", "TurnBasedEnv"),
    "replay": ("skyline.record", "replay"),
    "single": ("skyline.envs.single", "SingleSeat"),
    "unpack_ids": ("skyline.packed", "unpack_ids"),
    "unpack_mask": ("skyline.packed", "unpack_mask"),
    "vector": ("skyline.envs.vector", "VectorGames"),
    "verify": ("skyline.record", "verify"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'skyline' has no attribute {name!r}")
    import importlib

    module, attribute = _LATE[name]
    return getattr(importlib.import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})


def games() -> list[str]:
    """The names of all games."""
    return names()


def _register_ids() -> None:
    """Every version of every game, with PettingZoo (from 1.27 on) and Gymnasium."""
    for found in registry.versions().values():
        if hasattr(pettingzoo, "register") and found.id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", found.id, f"{found.module}:env")
            pettingzoo.register("parallel", found.id, f"{found.module}:parallel_env")
        if found.id not in gymnasium.registry:
            gymnasium.register(
                found.id,
                entry_point="skyline.envs.single:SingleSeat",
                vector_entry_point="skyline.envs.vector:vector_env",
                kwargs={"game": found.key},
            )


_register_ids()
