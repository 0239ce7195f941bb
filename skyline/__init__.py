"""skyline: four multi-player building games as reinforcement-learning environments. Unofficial, rules only.

    import skyline
    skyline.games()                                        # names of all games
    env = skyline.env("manhattan", players=4)              # PettingZoo AEC; also manhattan_env.manhattan_v0.env(...)
    games = skyline.vector("manhattan", 1024, players=4)   # gymnasium.vector: 1,024 games in one call
    seat = skyline.single("manhattan", opponents="heuristic")   # gymnasium.Env: one seat
    skyline.load("manhattan")                              # the game itself: action and observation tables, texts

Importing registers every game's ids with PettingZoo ("aec", "parallel") and Gymnasium: `skyline/manhattan-v0`, ...
Numba and the games load when the first environment is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from skyline import registry
from skyline.registry import load, names

if TYPE_CHECKING:
    from skyline.envs.aec import TurnBasedEnv
    from skyline.envs.single import SingleSeat
    from skyline.envs.vector import VectorGames
    from skyline.record import Recorder, replay, verify

__version__ = "0.1.0"

__all__ = [
    "Recorder",
    "SingleSeat",
    "TurnBasedEnv",
    "VectorGames",
    "env",
    "games",
    "load",
    "replay",
    "single",
    "vector",
    "verify",
]

_LATE = {
    "TurnBasedEnv": "skyline.envs.aec",
    "VectorGames": "skyline.envs.vector",
    "SingleSeat": "skyline.envs.single",
    "Recorder": "skyline.record",
    "replay": "skyline.record",
    "verify": "skyline.record",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'skyline' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LATE[name]), name)


def games() -> list[str]:
    """The names of all games."""
    return names()


def env(game: str, players: int | None = None, **settings: Any) -> TurnBasedEnv:
    """A game as a PettingZoo AEC environment; settings as for `skyline.envs.aec.TurnBasedEnv`."""
    from skyline.envs.aec import TurnBasedEnv

    return TurnBasedEnv(game, players, **settings)


def vector(game: str, num_envs: int, players: int | None = None, **settings: Any) -> VectorGames:
    """A batch of games as a Gymnasium vector environment; settings as for `skyline.envs.vector.VectorGames`."""
    from skyline.envs.vector import VectorGames

    return VectorGames(game, num_envs, players, **settings)


def single(game: str, players: int | None = None, **settings: Any) -> SingleSeat:
    """One seat of a game as a Gymnasium environment; settings as for `skyline.envs.single.SingleSeat`."""
    from skyline.envs.single import SingleSeat

    return SingleSeat(game, players, **settings)


def _register_ids() -> None:
    for found in registry.found().values():
        if hasattr(pettingzoo, "register") and found.id not in pettingzoo.aec_registry:  # PettingZoo >= 1.27
            pettingzoo.register("aec", found.id, f"{found.module}:env")
            pettingzoo.register("parallel", found.id, f"{found.module}:parallel_env")
        if found.id not in gymnasium.registry:
            gymnasium.register(
                found.id,
                entry_point="skyline.envs.single:SingleSeat",
                vector_entry_point="skyline.envs.vector:vector_env",
                kwargs={"game": found.name},
            )


_register_ids()
