"""What is measured: one function a layer, each giving a callable that does some steps and says how many.

rollout    core: step + mask + observation at every decision, random legal play, one compiled call
core       the same without observations
heuristic  core: the baseline player in every seat
vector     `VectorGames.step` from Python, actions picked by a jitted picker
aec        the checked AEC environment driven by `last()` / `step()`, jitted picker
aec-sample the same with `action_space.sample(mask)`
search     the search agent, in simulations (benchmarks/search.py)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import search
from skyline import engine
from skyline.aec import TurnBasedEnv
from skyline.batch import VectorGames
from skyline.game import Game
from skyline.jit import njit
from skyline.masks import random_legal
from skyline.rng import streams

Run = Callable[[], int]  # does some steps, returns how many

ROLLOUT_ROWS, ROLLOUT_STEPS = 64, 500
AEC_STEPS = 4000


@njit
def pick_one(mask: Any, stream: Any) -> Any:
    """A random legal action of one mask."""
    return random_legal(mask, stream[0])


@njit
def pick_rows(mask: Any, stream: Any, actions: Any) -> None:
    """A random legal action of every row."""
    for i in range(mask.shape[0]):
        actions[i] = random_legal(mask[i], stream[i])


def rollout(game: Game, players: int, policy: int = engine.RANDOM, observe: bool = True) -> Run:
    """Whole games inside one compiled call."""
    n = ROLLOUT_ROWS
    states, mask = game.blank(players, n=n), engine.mask_array(game, players, n)
    out = engine.observation_array(game, players, n) if observe else np.zeros((n, 0), np.int16)
    rewards, games, scores = np.zeros((n, players), np.float32), np.zeros(n, np.int64), np.zeros((n, players), np.int64)
    kernels, words = engine.kernels(game), np.arange(1, n + 1, dtype=np.uint64)
    kernels.begin_rows(states, words, np.arange(n), mask, rewards, False)
    policies, random = np.full(players, policy), streams(n, 1)

    def run() -> int:
        kernels.rollout(states, mask, out, policies, random, ROLLOUT_STEPS, games, scores)
        return n * ROLLOUT_STEPS

    return run


def vector(game: Game, players: int, n: int, threads: int = 1) -> Run:
    """Batched steps from Python: pick in a jitted loop, then one `step`."""
    games = VectorGames(game, n, players, threads=threads)
    games.reset(seed=1)
    actions, random = np.zeros(n, np.int64), streams(n, 1)
    rounds = max(1, 16_384 // n)

    def run() -> int:
        for _ in range(rounds):
            pick_rows(games.action_mask, random, actions)
            games.step(actions)
        return rounds * n

    return run


def drive_aec(env: Any, choose: Callable[[str, Any], int], steps: int) -> int:
    """The usual loop over an AEC environment, game after game."""
    done = 0
    while done < steps:
        env.reset(seed=done)
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            action = None if termination or truncation else choose(agent, observation["action_mask"])
            env.step(action)
            done += 1
    return done


def aec(env: Any, jitted: bool = True) -> Run:
    """An AEC environment, ours or another, with the jitted picker or the space's own masked sample."""
    random = streams(1, 1)
    env.reset(seed=0)

    def choose(agent: str, mask: Any) -> int:
        return int(pick_one(mask, random)) if jitted else int(env.action_space(agent).sample(mask))

    return lambda: drive_aec(env, choose, AEC_STEPS)


def layers(game: Game, players: int, wanted: tuple[str, ...]) -> dict[str, Run]:
    """The runs of the wanted layers of one game."""
    known: dict[str, Callable[[], Run]] = {
        "rollout": lambda: rollout(game, players),
        "core": lambda: rollout(game, players, observe=False),
        "heuristic": lambda: rollout(game, players, engine.HEURISTIC),
        "vector-16": lambda: vector(game, players, 16),
        "vector-1024": lambda: vector(game, players, 1024),
        "aec": lambda: aec(TurnBasedEnv(game, players)),
        "aec-sample": lambda: aec(TurnBasedEnv(game, players), jitted=False),
        **search.layers(game, players),
    }
    return {name: make() for name, make in known.items() if any(name.startswith(word) for word in wanted)}


LAYERS = ("rollout", "core", "heuristic", "vector", "aec", "search")
