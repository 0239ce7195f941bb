"""Training by PPO (extra `train`): that it learns, and that it does not where something is wrong on purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")
pytest.importorskip("torch")

from skyline_agents.players.ppo.adaptor import SelfPlay
from skyline_agents.players.ppo.algorithm import algorithm
from skyline_agents.players.ppo.evaluation import strength
from skyline_agents.players.ppo.settings import settings_for
from skyline_agents.players.ppo.training import Training, TrainingPlan
from tests.support.playing import Array
from tests.support.ppo_training import FEW, GAME

LEARNING = settings_for(
    GAME,
    {"clone_decisions": "0", "trunk": "", "policy": "64", "value": "64", "groups": "2", "rows": "64", "steps": "32",
     "batch": "512", "epochs": "4", "learning_rate": "2e-3", "gae_lambda": "0.5", "entropy": "0.003", "target_kl": "1",
     "heuristic": "0+0", "random": "1+1"},
)  # fmt: skip
LEARNING_STEPS = 200_000
BAR = 0.9  # first places against random players


class WrongSeat(SelfPlay):
    """Rewards of the other seat, which are the learner's turned round."""

    def step_wait(self) -> Any:
        observations, rewards, dones, infos = super().step_wait()
        return observations, -rewards, dones, infos


class Unmasked(SelfPlay):
    """All actions are offered; an illegal one loses the game."""

    def step_wait(self) -> Any:
        said = super().step_wait()
        self.action_masks[:] = True
        return said

    def reset(self) -> Array:
        observations = super().reset()
        self.action_masks[:] = True
        return observations


def learnt(kind: type[SelfPlay], steps: int, folder: Path) -> float:
    """First places against random players after some steps."""
    run = Training(folder, TrainingPlan(GAME, FEW, 1, LEARNING, steps=steps, minutes=None, deals=4, every=1e9))
    settings = {"illegal": "lose"} if kind is Unmasked else {}
    run.env = kind(GAME, FEW, LEARNING.groups, LEARNING.rows, 1, **settings)
    run.model = algorithm(run.env, LEARNING, 1, run.watch)
    run.go(lambda news: None)
    return strength(run.current(), "random", 100).first


@pytest.mark.slow
def test_it_learns_to_beat_random_players(tmp_path: Path) -> None:
    assert learnt(SelfPlay, LEARNING_STEPS, tmp_path) > BAR


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "steps"), [(SelfPlay, 1), (WrongSeat, LEARNING_STEPS), (Unmasked, LEARNING_STEPS)])
def test_what_is_wrong_does_not(kind: type[SelfPlay], steps: int, tmp_path: Path) -> None:
    """Untrained, with another seat's rewards, without masks."""
    assert learnt(kind, steps, tmp_path) < BAR - 0.2
