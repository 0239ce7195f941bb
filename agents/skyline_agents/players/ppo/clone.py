"""Beginning as a copy of the heuristic.

Whole games are played in which every seat follows the heuristic, but for a few random moves. At every decision with
more than one legal action the policy learns the move that the heuristic would make (also where the move was random),
and the value network learns the outcome of the deciding seat; if rewards are shaped, less the potential of the
position. A block of games is played, learnt once and dropped, so that the network learns no game by heart and memory
stays small. The agreement with the heuristic is measured on a block before it is learnt: on games that the network has
not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch

from skyline.core import engine
from skyline.envs.vector import VectorGames
from skyline.game import DEFAULT_MEMORY, NO_SEAT, Game
from skyline.rng import streams
from skyline.typing import Array, Features, Memory
from skyline_agents.players.ppo.algorithm import falling
from skyline_agents.players.ppo.shaping import Potential
from skyline_agents.players.ppo.stopwatch import Stopwatch

GAMES = 256  # of a block
BATCH = 1024  # decisions of a gradient step
MEASURED = 4096  # decisions of a block with which the agreement is measured


@dataclass(frozen=True)
class Decisions:
    """n decisions of heuristic players."""

    observations: Array  # (n, N) float32
    masks: Array  # (n, A) bool
    actions: Array  # (n,) what the heuristic does
    values: Array  # (n,) float32, what the value network is to answer

    def __len__(self) -> int:
        return len(self.actions)


class Teacher:
    """Plays blocks of games; the first game of block k has the seed `seed + k * GAMES`.

    `state` and `restore` save and load, between two blocks, all that the next block depends on.
    """

    def __init__(
        self, game: Game, players: int, features: str, noise: float, shaping: bool, seed: int,
        memory: Memory = DEFAULT_MEMORY,
    ) -> None:  # fmt: skip
        self._games = VectorGames(
            game,
            GAMES,
            players,
            features=cast(Features, features),
            obs_dtype="float32",
            memory=memory,
            auto_forced=True,
            autoreset="disabled",
            copy=False,
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
        """All decisions of the next GAMES games, which are played to their end."""
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
    """The result of the copying so far."""

    decisions: int
    agreement: float  # share of decisions in which the policy's likeliest action is the heuristic's
    value_error: float  # mean square error of the value network


class Copying:
    """A teacher, and the policy that learns from the teacher, with its optimiser."""

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
    """Teach the policy the decisions number `learnt` .. `decisions`.

    `tell` is called after every block and returns whether the copying goes on.
    """
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
    """Agreement and mean square error of the values, as in `Cloned`."""
    some = np.linspace(0, len(block) - 1, min(MEASURED, len(block))).astype(int)
    with torch.no_grad():
        seen = torch.as_tensor(block.observations[some])
        likeliest, values, _ = policy(seen, deterministic=True, action_masks=block.masks[some])
        errors = values.flatten().numpy() - block.values[some]
    return float((likeliest.numpy() == block.actions[some]).mean()), float((errors**2).mean())


def _learn(policy: Any, optimizer: Any, block: Decisions, rates: Sequence[float]) -> None:
    """Learn every decision of a block once; `rates` are the learning rates of the gradient steps."""
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
