"""Helpers for tests of training by PPO: a game, small settings, random moves. They need the extra `train`."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
torch = pytest.importorskip("torch")

from skyline_agents.players.ppo.adaptor import SelfPlay
from skyline_agents.players.ppo.settings import settings_for
from tests.support.playing import FEWEST, MOST, Array

torch.set_num_threads(1)
GAME, FEW = "manhattan", 2
both = pytest.mark.parametrize(("game", "players"), [*FEWEST, *MOST])

SMALL = settings_for(
    GAME,
    {"trunk": "32", "policy": "32", "value": "32", "groups": "2", "rows": "16", "steps": "16", "batch": "128",
     "clone_decisions": "0", "pool_every": "1", "features": "base"},
)  # fmt: skip


def by_chance(env: SelfPlay, rng: np.random.Generator) -> Array:
    return (rng.random(env.action_masks.shape) * env.action_masks).argmax(axis=1)
