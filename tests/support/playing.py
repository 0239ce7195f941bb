"""Random games for tests of all games: the games and player counts, and moves from a generator with a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import skyline
from skyline import registry
from skyline.envs.aec import TurnBasedEnv
from skyline.record import Recorder
from skyline.typing import Array

NAMES = registry.names()
TABLES = [(name, players) for name in NAMES for players in registry.load(name).player_counts]
FEWEST = [(name, registry.load(name).player_counts[0]) for name in NAMES]
MOST = [(name, registry.load(name).player_counts[-1]) for name in NAMES]

tables = pytest.mark.parametrize(("game", "players"), TABLES)
fewest = pytest.mark.parametrize(("game", "players"), FEWEST)
most = pytest.mark.parametrize(("game", "players"), MOST)
names = pytest.mark.parametrize("game", NAMES)

GAME = "manhattan"  # for tests that need any game: its kernels compile in the shortest time
FEW, MANY = registry.load(GAME).player_counts[0], registry.load(GAME).player_counts[-1]


def others_slow(tables: Sequence[tuple[str, int]]) -> list[Any]:
    """As parameters: the short tests play GAME, the long tests play the other games, too."""
    return [pytest.param(*table, marks=() if table[0] == GAME else pytest.mark.slow) for table in tables]


def most_decisions(game: str, players: int) -> int:
    """The most decisions of a game with its default options."""
    loaded = registry.load(game)
    return loaded.max_decisions(players, loaded.check_options({}))


def aec(game: str, players: int, seed: int | None = None, **settings: Any) -> TurnBasedEnv:
    """An environment, reset if a seed is given."""
    env = skyline.env(game, players, **settings)
    if seed is not None:
        env.reset(seed=seed)
    return env


def pick(mask: Array, rng: np.random.Generator) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def decisions(env: TurnBasedEnv, rng: np.random.Generator, most: int = 10**9) -> Iterator[tuple[str, Any, float, int]]:
    """Play at most that many moves; yields (agent, observation, reward, action) before each move."""
    for _ in range(most):
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        action = pick(observation["action_mask"], rng)
        yield env.agent_selection, observation, reward, action
        env.step(action)


def advance(env: TurnBasedEnv, moves: int, seed: int = 0) -> list[int]:
    """Play that many random moves; the actions."""
    return [action for *_, action in decisions(env, np.random.default_rng(seed), moves)]


def finish(env: TurnBasedEnv) -> dict[str, float]:
    """Make the steps of the ended agents; the last reward of each."""
    rewards = {}
    while env.agents:
        rewards[env.agent_selection] = env.last()[1]
        env.step(None)
    return rewards


def raw(env: TurnBasedEnv) -> bytes:
    """The bytes of the environment's state."""
    return env._states.tobytes()


def recorded(env: TurnBasedEnv) -> Recorder:
    """A recorder at the beginning of the environment's game."""
    return Recorder(env.game, env.players, env.game_seed, env.options)


def outcomes(places: Sequence[int]) -> list[float]:
    """The rewards of the places, by hand: evenly spaced from 1 to -1; seats that share places share the rewards."""
    spaced = np.linspace(1, -1, len(places))
    shares = [places.count(place) for place in places]
    return [float(spaced[place - 1 : place - 1 + share].mean()) for place, share in zip(places, shares, strict=True)]


def margins(scores: Sequence[int]) -> list[int]:
    """Own score minus the best other score, computed by hand."""
    return [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(list(scores))]


def result(env: TurnBasedEnv) -> dict[str, Any]:
    """Scores and places of the state as it is."""
    return {
        "scores": [int(score) for score in env._states["scores"][0][: env.players]],
        "places": env.game.places(env._states[0]),
    }
