"""Options and settings of environments: every name with odd values, through every way to give them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import skyline
from skyline import registry
from tests.fuzz import played_games
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import SCALARS, as_json, from_json, mutated
from tests.fuzz.targets.base import Target

# Objects that JSON cannot hold; inputs give their names.
OBJECTS: dict[str, Callable[[], Any]] = {
    "nan": lambda: float("nan"), "bytes": lambda: b"1", "set": lambda: {1}, "tuple": lambda: (1, 2),
    "int8": lambda: np.int8(1),
    "int64": lambda: np.int64(2), "float32": lambda: np.float32(1), "float32 type": lambda: np.float32,
    "array": lambda: np.arange(3),
    "empty array": lambda: np.zeros(0), "bool_": lambda: np.bool_(True), "str_": lambda: np.str_("outcome"),
    "object": object,
    "class": lambda: int, "function": lambda: len, "complex": lambda: 1j, "ellipsis": lambda: ...,
    "range": lambda: range(3),
}  # fmt: skip
WAYS = ("env", "vector", "single", "check_options", "blank")
WORDS: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4), "reward": ("outcome", "score", "margin"), "illegal": ("raise", "lose"), "features": ("base",
    "rich"),
    "obs_dtype": ("int16", "float32"), "auto_forced": (True, False), "copy": (True, False), "max_cycles": (None, 1, 30),
    "render_mode": (None, "ansi", "svg"), "num_envs": (1, 2, 5), "seat": (None, 0, 1, "rotate"), "threads": (1, 2),
    "opponents": ("random", "heuristic", ["random"]), "autoreset": ("same_step", "next_step", "disabled"),
    "seed": (None, 0, 7, 2**64 - 1), "memory": ("recall", "table"),
    "mask_dtype": ("int8", "bits"), "history": (True, False),
}  # fmt: skip
TYPES: dict[str, tuple[type, ...]] = {  # the types of accepted values
    "players": (int, np.integer, type(None)), "reward": (str,), "illegal": (str,), "features": (str,),
    "obs_dtype": (str, type, np.dtype),
    "auto_forced": (bool, np.bool_), "copy": (bool, np.bool_), "max_cycles": (int, np.integer, type(None)),
    "num_envs": (int, np.integer),
    "seat": (int, np.integer, str, type(None)), "threads": (int, np.integer), "autoreset": (str,),
    "mask_dtype": (str, type, np.dtype),
    "render_mode": (str, type(None)), "memory": (str,), "history": (bool, np.bool_),
}  # fmt: skip
NUMBERS = ("players", "max_cycles", "num_envs", "threads", "seat")  # true is no number
HUGE = 5_000  # more games, threads or moves than a test can make


class Options(Target):
    name = "options"
    meaning = "rule options and settings with odd values through env, vector, single, check_options and blank"
    deliberate = (TypeError,)  # a value of a wrong type in Python

    @staticmethod
    def _names() -> list[str]:
        return [game.name for game in played_games.games()]

    def gather(self) -> None:
        for name in self._names():
            for way in WAYS:
                for settings in ({}, {"obs_dtype": "float32", "reward": "score"}):
                    self.run(as_json({"way": way, "game": name, "settings": settings, "seed": 1}).encode())

    def make(self, chance: random.Random) -> bytes:
        game = registry.load(chance.choice(self._names()))
        options = dict(chance.choice(played_games.option_values(game)))
        settings = {
            name: chance.choice(values) for name, values in WORDS.items() if chance.random() < 0.2 and name != "seed"
        }
        settings |= {name: value for name, value in options.items() if chance.random() < 0.5}
        names = [*WORDS, *options, *options, *options]
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            name = (
                chance.choice(names)
                if chance.random() < 0.93
                else chance.choice(("", "rewards", "max turns", "self", "game", "x" * 200))
            )
            old = settings.get(name, options.get(name, chance.choice(WORDS.get(name, (0,)))))
            settings[name] = _odd(chance, old)
        seed = settings.pop("seed", 1)
        return as_json({"way": chance.choice(WAYS), "game": game.name, "settings": settings, "seed": seed}).encode()

    def run(self, data: bytes) -> bool:
        case = from_json(data)
        game, way = case["game"], case["way"]
        settings = {name: _object(value) for name, value in case["settings"].items()}
        if any(_too_large(value) for value in settings.values()):
            return False
        names = "|".join(
            sorted([*WORDS, *(option.name for option in registry.load(game).options), "option", "argument", "setting"])
        )
        self.place = f"(?i){names}|agents|opponent"
        given = dict(settings)
        try:
            made = _made(game, way, settings, _object(case["seed"]))
        except TypeError as error:  # Python's own refusal names the setting
            if " argument" not in str(error):
                raise
            raise ValueError(str(error)) from None
        if list(settings) != list(given) or any(settings[name] is not given[name] for name in given):
            raise Finding("the caller's settings were changed")
        for name, value in given.items():
            _check_type(way, name, value)
        return made


def _odd(chance: random.Random, old: Any) -> Any:
    if chance.random() < 0.3:
        return {"object": chance.choice(list(OBJECTS))}
    if chance.random() < 0.5:
        return chance.choice(SCALARS)
    return mutated(chance, old)


def _object(value: Any) -> Any:
    """The value, or the object of the name that {"object": name} gives."""
    if isinstance(value, dict) and list(value) == ["object"] and str(value["object"]) in OBJECTS:
        return OBJECTS[str(value["object"])]()
    return value


def _too_large(value: Any) -> bool:
    """A number that is allowed, but needs more memory or time than a test has."""
    return type(value) is int and HUGE < value < 2**62


def _made(game: str, way: str, settings: dict[str, Any], seed: Any) -> bool:
    """An environment with the settings, played a little; or the options alone."""
    loaded = registry.load(game)
    if way in ("check_options", "blank"):
        options = {name: value for name, value in settings.items() if name not in WORDS}
        before = json.dumps(sorted(options))
        checked = loaded.check_options(options)
        assert json.dumps(sorted(options)) == before
        if way == "blank":
            memory = settings.get("memory", "recall")
            loaded.blank(settings.get("players", loaded.player_counts[0]), options, memory=memory)
        elif loaded.check_options(checked) != checked:
            raise Finding("checked options are other ones when they are checked again")
        return False
    if way == "env":
        env = skyline.env(game, **settings)
        env.reset(seed=seed)
        for agent in env.agent_iter(12):
            observation, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else int(np.flatnonzero(observation["action_mask"])[-1]))
            assert agent in env.possible_agents
        return True
    if way == "single":
        seat = skyline.single(game, **settings)
        seat.reset(seed=seed)
        for _ in range(4):
            *_, ended, cut, _ = seat.step(int(np.flatnonzero(seat.action_masks())[-1]))
            if ended or cut:
                break
        return True
    batch = skyline.vector(game, **{"num_envs": 2, **settings})
    batch.reset(seed=seed)
    for _ in range(4):
        masks = batch.action_mask
        if batch.mask_dtype == "bits":
            masks = skyline.unpack_mask(masks, int(batch.single_action_space.n))
        batch.step(masks.argmax(axis=1))
    batch.close()
    return True


def _check_type(way: str, name: str, value: Any) -> None:
    """Check that an accepted setting has a type that the documentation names, and that no number is a truth value."""
    if way in ("check_options", "blank") or name not in TYPES:
        return
    if not isinstance(value, TYPES[name]) or (name in NUMBERS and isinstance(value, bool)):
        raise Finding(
            f"{way} accepts {name} = {value!r}"[:300], f"{way} accepts a {name} of the type {type(value).__name__}"
        )
    if name in ("threads", "num_envs", "max_cycles") and value is not None and value < 1:
        raise Finding(f"{way} accepts {name} = {value!r}", f"{way} accepts a {name} below 1")
