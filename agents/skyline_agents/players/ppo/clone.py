"""Beginning as a copy of the heuristic.

Whole games are played in which every seat follows the heuristic, but for a few moves by chance; at every decision with
a choice the policy learns the move that the heuristic would make there (also where chance moved), and the value
learns what the deciding seat's outcome was, less the potential if rewards are shaped. A block of games is played,
learnt once and forgotten, so nothing is learnt by heart and memory stays small. Agreement is measured on a block
before it is learnt: on games the network has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from skyline.core import engine
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT, Game
from skyline.rng import streams
from skyline.typing import Array
from skyline_agents.players.ppo.algorithm import falling
from skyline_agents.players.ppo.shaping import Potential
from skyline_agents.players.ppo.stopwatch import Stopwatch

GAMES = 256  # of a block
BATCH = 1024  # decisions of a gradient step
MEASURED = 4096  # decisions of a block that the agreement is measured on


@dataclass(frozen=True)
class Decisions:
    """n decisions of the heuristic."""

    observations: Array  # (n, N) float32
    masks: Array  # (n, A) bool
    actions: Array  # (n,) what the heuristic does
    values: Array  # (n,) float32, what the value network is to say

    def __len__(self) -> int:
        return len(self.actions)


class Teacher:
    """Plays blocks of games; block k begins with the seed `seed + k * GAMES`.

    `state` and `restore`: what the next block depends on, between two blocks.
    """

    def __init__(self, game: Game, players: int, features: str, noise: float, shaping: bool, seed: int) -> None:
        self._games = VectorGames(
            game, GAMES, players, features=features, obs_dtype="float32", auto_forced=True, autoreset="disabled"
        )
        self._choose = engine.kernels(game).choose_rows
        self._potential = Potential(game, players) if shaping else None
        self._policies, self._noise = np.full(GAMES, engine.HEURISTIC), noise
        self._seed, self._random = seed, np.random.default_rng(seed)
        self._streams = streams(GAMES, seed)

    def state(self) -> dict[str, Any]:
        """As data for a checkpoint."""
        return {"seed": self._seed, "random": self._random.bit_generator.state, "streams": self._streams["rng"].copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._seed, self._random.bit_generator.state = state["seed"], state["random"]
        self._streams["rng"] = np.asarray(state["streams"])

    def block(self) -> Decisions:
        """All decisions of the next games, played to their end."""
        games, parts = self._games, list[Any]()
        observations, _ = games.reset(seed=self._seed)
        self._seed += GAMES
        actions, earned = np.zeros(GAMES, np.int64), np.zeros((GAMES, games.players), np.float32)
        while True:
            running = np.flatnonzero(games.current_player != NO_SEAT)
            if len(running) == 0:
                return self._joined(parts, earned)
            self._choose(games.states, games.action_mask, self._policies, self._streams, actions)
            parts.append(
                (running, games.current_player[running], observations[running].copy(),
                 games.action_mask[running].astype(bool), actions[running])
            )  # fmt: skip
            observations, *_ = games.step(
                np.where(self._random.random(GAMES) < self._noise, self._any_legal(), actions)
            )
            earned += games.rewards_all

    def _any_legal(self) -> Array:
        mask = self._games.action_mask
        actions: Array = (self._random.random(mask.shape, np.float32) * mask).argmax(axis=1)
        return actions

    def _joined(self, parts: list[Any], earned: Array) -> Decisions:
        rows, seats, observations, masks, actions = (np.concatenate(part) for part in zip(*parts, strict=True))
        values = earned[rows, seats]
        if self._potential is not None:
            values = values - self._potential(observations)
        return Decisions(observations, masks, actions, values)


@dataclass(frozen=True)
class Cloned:
    """What came of it."""

    decisions: int
    agreement: float  # share of the heuristic's moves that are the policy's likeliest, on games not learnt yet
    value_error: float  # mean square


class Copying:
    """A teacher, and the optimiser of the policy that learns from it."""

    def __init__(self, policy: Any, teacher: Teacher) -> None:
        self.policy, self.teacher = policy, teacher
        self.optimizer = torch.optim.Adam(policy.parameters())  # the rate is set at every step

    def state(self) -> dict[str, Any]:
        """As data for a checkpoint, between two blocks."""
        return {"teacher": self.teacher.state(), "optimizer": self.optimizer.state_dict()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.teacher.restore(state["teacher"])
        self.optimizer.load_state_dict(state["optimizer"])


def clone(
    copying: Copying, learnt: int, decisions: int, rate: float, watch: Stopwatch, tell: Callable[[Cloned], bool]
) -> None:
    """Teach the policy decisions number `learnt` .. `decisions`; `tell` hears of each block and says if it goes on."""
    policy, going_on = copying.policy, True
    policy.set_training_mode(True)
    while learnt < decisions and going_on:
        with watch("cloning: games"):
            block = copying.teacher.block()
        with watch("cloning: update"):
            agreement, error = _agreement(policy, block)
            rates = [rate * falling((learnt + done) / decisions) for done in range(0, len(block), BATCH)]
            _learn(policy, copying.optimizer, block, rates)
        learnt += len(block)
        going_on = tell(Cloned(learnt, agreement, error))


def _agreement(policy: Any, block: Decisions) -> tuple[float, float]:
    some = np.linspace(0, len(block) - 1, min(MEASURED, len(block))).astype(int)
    with torch.no_grad():
        seen = torch.as_tensor(block.observations[some])
        likeliest, values, _ = policy(seen, deterministic=True, action_masks=block.masks[some])
        errors = values.flatten().numpy() - block.values[some]
    return float((likeliest.numpy() == block.actions[some]).mean()), float((errors**2).mean())


def _learn(policy: Any, optimizer: Any, block: Decisions, rates: Sequence[float]) -> None:
    """Every decision once."""
    order = torch.randperm(len(block)).numpy()
    for i, rate in enumerate(rates):
        rows = order[i * BATCH : (i + 1) * BATCH]
        optimizer.param_groups[0]["lr"] = rate
        values, log_probs, _ = policy.evaluate_actions(
            torch.as_tensor(block.observations[rows]), torch.as_tensor(block.actions[rows]),
            action_masks=block.masks[rows],
        )  # fmt: skip
        loss = -log_probs.mean() + torch.nn.functional.mse_loss(values.flatten(), torch.as_tensor(block.values[rows]))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
