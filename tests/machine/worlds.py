"""The games of sequences: every registered game and the toy game, every player count, values of every option."""

from __future__ import annotations

import contextlib
import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from skyline import registry
from skyline.envs.aec import TurnBasedEnv
from skyline.game import Option
from tests.support.processes import TOY, declare

Options = dict[str, Any]
FEW_OPTIONS = 6  # combinations of option values for each game and player count
CANDIDATES = (0, 1, 2, 3, 4, 5, 6, 7, 12, 30, 100, True, "a text", None, 1.5)
DEPTHS = (0, 1, 2, 3, 5, 8, 13, 30)  # positions are taken that many decisions before the end


@contextlib.contextmanager
def toy_game() -> Iterator[None]:
    """The toy game is registered, as an installed package would be."""
    before = sys.path[:]
    with tempfile.TemporaryDirectory() as folder:
        declare(Path(folder), "skyline.games", {"toy": "toy_env"})
        sys.path[:0] = [folder, str(TOY.parent)]
        registry.versions.cache_clear()
        try:
            yield
        finally:
            sys.path[:] = before
            registry.versions.cache_clear()


@dataclass(frozen=True)
class World:
    """A game, a player count and options (JSON text, so that a world is hashable)."""

    game: str
    players: int
    options_json: str

    @property
    def options(self) -> Options:
        found: Options = json.loads(self.options_json)
        return found


def tables() -> list[tuple[str, int]]:
    return [(game, players) for game in registry.names() for players in registry.load(game).player_counts]


def allowed_values(option: Option, shown: Any) -> list[Any]:
    """Some values that the option's check accepts; `shown` is the form of an object in a position."""
    try:
        option.check("no such value")
        named: list[Any] = []
    except ValueError as error:
        named = [*re.findall(r"'([^']*)'", str(error)), *map(int, re.findall(r"\d+", str(error)))]
    found = []
    for value in (option.default, shown, *named, *CANDIDATES):
        with contextlib.suppress(ValueError):
            stored = option.check(value)
            if stored not in found:
                found.append(stored)
    return found


@lru_cache(None)
def worlds_of(game: str, players: int) -> tuple[World, ...]:
    """First the default options, then random combinations of values; short games are frequent."""
    loaded, rng = registry.load(game), random.Random(f"{game} {players}")
    usual = loaded.check_options({})
    shown = loaded.position(_begun(game, players, {})._states[0])
    values = {option.name: allowed_values(option, shown.get(option.name)) for option in loaded.options}
    found = [World(game, players, json.dumps(usual))]
    for _ in range(40):
        options = {name: rng.choice(some) for name, some in values.items()}
        with contextlib.suppress(ValueError):
            loaded.blank(players, options)
            world = World(game, players, json.dumps(options))
            if world not in found and len(found) < FEW_OPTIONS:
                found.append(world)
    return tuple(found)


def _begun(game: str, players: int, options: Options, seed: int = 1) -> TurnBasedEnv:
    env = TurnBasedEnv(game, players, **options)
    env.reset(seed=seed)
    return env


@lru_cache(None)
def positions(world: World) -> tuple[str, ...]:
    """Positions of a random game as JSON: its first, its last, and some shortly before the end."""
    moves, rng = list[int](), np.random.default_rng(7)
    env = _begun(world.game, world.players, world.options, 7)
    while (action := _any_legal(env, rng)) is not None and len(moves) < 3000:
        moves.append(action)
        env.step(action)
    wanted = {max(0, len(moves) - depth) for depth in DEPTHS} | {0, len(moves) // 2}
    env, found = _begun(world.game, world.players, world.options, 7), list[str]()
    for number, action in enumerate([*moves, None]):
        if number in wanted:
            found.append(json.dumps(env.position()))
        if action is not None:
            env.step(action)
    return tuple(found)


def _any_legal(env: TurnBasedEnv, rng: np.random.Generator) -> int | None:
    legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
    return int(rng.choice(legal)) if len(legal) else None


@lru_cache(None)
def setup(world: World) -> str:
    """The setup object of a fresh game, as JSON."""
    loaded = registry.load(world.game)
    return json.dumps(loaded.setup(_begun(world.game, world.players, world.options, 3)._states[0]))
