"""sb3-contrib's MaskablePPO over the arrays of `SelfPlay`: the same learning, without Python work per row.

A rollout is stepped with whole arrays, while MaskablePPO looks at the info of every row. A mask takes one byte an
action, while MaskablePPO's takes four. The networks are in policy.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from skyline.typing import Array
from skyline_agents.players.ppo.adaptor import SelfPlay
from skyline_agents.players.ppo.policy import ACTIVATIONS, Policy, Trunk
from skyline_agents.players.ppo.settings import TrainingSettings
from skyline_agents.players.ppo.stopwatch import Stopwatch

END_RATE = 0.1  # of what falls during a run: its value at the end as a part of its value at the beginning


class Buffer(MaskableRolloutBuffer):  # type: ignore[misc] # SB3 is not read by mypy
    """A rollout buffer whose masks take a byte an action."""

    def reset(self) -> None:
        super().reset()
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), bool)


class Algorithm(MaskablePPO):  # type: ignore[misc] # SB3 is not read by mypy
    """MaskablePPO whose stopwatch `watch` knows where the time goes."""

    watch: Stopwatch
    _last_obs: Array
    _last_episode_starts: Array
    outcomes: list[Array]  # of the games that ended in the last rollout

    def collect_rollouts(
        self, env: SelfPlay, callback: Any, rollout_buffer: Buffer, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Fill the buffer. After an observation comes the next decision of the same row, or the first of a new game."""
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        self.outcomes = []
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            masks = env.action_masks if use_masking else None
            with self.watch("network"), torch.no_grad():
                actions, values, log_probs = self.policy(torch.as_tensor(self._last_obs), action_masks=masks)
            chosen = actions.numpy()
            with self.watch("environment"):
                observations, rewards, dones, infos = env.step(chosen)
            self.num_timesteps += env.num_envs
            self.outcomes.append(env.outcomes[env.finished])
            callback.update_locals(locals())
            if not callback.on_step():
                return False
            with self.watch("buffer"):
                rollout_buffer.add(
                    self._last_obs, chosen[:, np.newaxis], rewards, self._last_episode_starts, values, log_probs,
                    action_masks=masks,
                )  # fmt: skip
            self._last_obs, self._last_episode_starts = observations, dones
        with self.watch("network"), torch.no_grad():
            values = self.policy.predict_values(torch.as_tensor(self._last_obs))
        rollout_buffer.compute_returns_and_advantage(last_values=values, dones=dones)
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        with self.watch("update"):
            super().train()


def algorithm(env: SelfPlay, settings: TrainingSettings, seed: int, watch: Stopwatch) -> Algorithm:
    """A fresh learner."""
    activation = ACTIVATIONS[settings.activation]
    policy: dict[str, Any] = {
        "net_arch": {"pi": list(settings.policy), "vf": list(settings.value)},
        "activation_fn": activation,
        "half": settings.precision == "bfloat16",
    }
    if settings.trunk:
        policy["features_extractor_class"] = Trunk
        policy["features_extractor_kwargs"] = {"widths": settings.trunk, "activation": activation}
    model = Algorithm(
        Policy, env, policy_kwargs=policy, rollout_buffer_class=Buffer, gamma=1.0, seed=seed, device="cpu",
        n_steps=settings.steps, batch_size=settings.batch, n_epochs=settings.epochs, gae_lambda=settings.gae_lambda,
        learning_rate=lambda left: settings.learning_rate * falling(1 - left), clip_range=settings.clip,
        ent_coef=settings.entropy, vf_coef=settings.value_weight, target_kl=settings.target_kl,
    )  # fmt: skip
    model.watch = watch
    return model


def falling(progress: float) -> float:
    """A factor that falls linearly from 1 at the beginning of a run to END_RATE at its end."""
    return 1 + (END_RATE - 1) * min(progress, 1.0)
