"""Networks and models with random numbers, and views for their decisions."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

import skyline
from skyline import registry
from skyline.rng import streams
from skyline_agents.players.ppo import network
from skyline_agents.players.ppo.network import Network, TrainedModel, model_of
from skyline_agents.protocol import View, views_of
from tests.support.playing import FEWEST

GAME, FEW = FEWEST[0]


def random_network(game: str, players: int, features: str = "rich", activation: str = "relu", seed: int = 0) -> Network:
    loaded, rng = registry.load(game), np.random.default_rng(seed)
    sizes = [loaded.observation(players).size(features), 24, 16, loaded.actions(players).size]
    layers = [
        (rng.normal(0, 0.3, (b, a)).astype(np.float32), rng.normal(0, 0.1, b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]
    return Network(tuple(layers), activation)


def model(game: str = GAME, players: int = FEW, **given: Any) -> TrainedModel:
    network = random_network(game, players, **given)
    return model_of(network, registry.load(game), players, given.get("features", "rich"), {"steps": "7"})


def saved(folder: Path, game: str = GAME, players: int = FEW, half: bool = False, **given: Any) -> Path:
    path = folder / "model.safetensors"
    network.save(model(game, players, **given), path, half)
    return path


def views(game: str, players: int, n: int = 5) -> tuple[list[View], Any]:
    """Views of games after some moves, and these games."""
    games = skyline.vector(game, n, players)
    games.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(12):
        games.step((games.action_mask * rng.random(games.action_mask.shape)).argmax(axis=1))
    stream = streams(n, 5)
    return views_of(games.game, games.states.copy(), games.action_mask.copy(), stream, {}), games
