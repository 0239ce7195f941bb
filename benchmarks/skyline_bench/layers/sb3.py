"""stable-baselines3 on the single-seat environment (extra `train`): steps are decisions of the learning seat.

sb3-env-16       a DummyVecEnv of 16 `SingleSeat` with random legal moves: the cost of SB3's vector environment
sb3-collect-16   MaskablePPO collects on this vector environment, without updates: also network, buffer, callbacks
"""

from __future__ import annotations

import importlib.util
import time
from typing import Any

import numpy as np

from skyline.envs.single import SingleSeat
from skyline.game import Game
from skyline_bench.harness.layer import Layer, Makers, Measure, Run, Sample, repeated

ENVS, STEPS = 16, 32  # environments, and steps of each in a rollout


def dummy(game: Game, players: int) -> Any:
    """The vector environment, with random opponents."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    envs = DummyVecEnv(
        [lambda seat=seat: SingleSeat(game, players, seat=seat % players, obs_dtype="float32") for seat in range(ENVS)]
    )
    envs.seed(1)
    envs.reset()
    return envs


def stepping(game: Game, players: int) -> Run:
    """Random legal moves of the learning seats."""
    envs, random = dummy(game, players), np.random.default_rng(1)

    def run() -> int:
        for _ in range(STEPS):
            masks = np.stack(envs.env_method("action_masks"))
            envs.step((masks * random.random(masks.shape)).argmax(axis=1))
        return ENVS * STEPS

    return run


def collecting(game: Game, players: int, threads: int) -> Measure:
    """The time between the beginning and the end of MaskablePPO's rollouts."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    class Clock(BaseCallback):  # type: ignore[misc] # SB3 is not read by mypy
        """Adds up the seconds of the rollouts."""

        seconds = 0.0

        def _on_rollout_start(self) -> None:
            self.begun = time.perf_counter()

        def _on_rollout_end(self) -> None:
            self.seconds += time.perf_counter() - self.begun

        def _on_step(self) -> bool:
            return True

    settings: dict[str, Any] = {"n_steps": STEPS, "batch_size": ENVS * STEPS, "n_epochs": 1, "seed": 1}
    model = MaskablePPO("MlpPolicy", dummy(game, players), device="cpu", **settings)

    def measure(seconds: float) -> Sample:
        used = torch.get_num_threads()
        torch.set_num_threads(threads)
        clock, steps = Clock(), 0
        try:
            while not steps or clock.seconds < seconds:
                model.learn(ENVS * STEPS, callback=clock, reset_num_timesteps=False)
                steps += ENVS * STEPS
        finally:
            torch.set_num_threads(used)
        return Sample(steps, clock.seconds)

    return measure


def makers(game: Game, players: int, threads: int) -> Makers:
    """The layers of this group by name; ImportError without the extra."""
    if not all(map(importlib.util.find_spec, ("torch", "stable_baselines3", "sb3_contrib"))):
        raise ImportError("not installed: pip install 'skyline-envs[train]'")
    return {
        f"sb3-env-{ENVS}": lambda: Layer(repeated(stepping(game, players)), ""),
        f"sb3-collect-{ENVS}": lambda: Layer(collecting(game, players, threads), "", threads),
    }
