"""Whom the learner meets: the heuristic, random players, and past selves of the learner.

A `Mix` holds the shares of heuristic and random players at the beginning and at the end of a run; in between the shares
change linearly. All other opponents are past selves: half of them the newest of the pool, half of them drawn from the
whole pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skyline.typing import Array, Opponent
from skyline_agents.players.ppo.network import Network
from skyline_agents.players.ppo.player import Snapshot
from skyline_agents.players.ppo.stopwatch import Stopwatch

Forward = Callable[[Network], Callable[[Array], Array]]

NEWEST = 0.5  # the probability that a past self is the newest of the pool


@dataclass(frozen=True)
class Mix:
    """Shares of heuristic and random players, at the beginning and at the end of a run."""

    heuristic: tuple[float, float] = (0.5, 0.5)
    random: tuple[float, float] = (0.1, 0.0)

    def at(self, progress: float) -> tuple[float, float]:
        """The shares of heuristic and random players at a progress of 0 .. 1."""
        return _between(self.heuristic, progress), _between(self.random, progress)


def _between(ends: tuple[float, float], progress: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * progress


class Timed:
    """A past self; the stopwatch counts its time as `opponents`, not as `environment`."""

    def __init__(self, player: Snapshot, watch: Stopwatch) -> None:
        self._player, self._watch = player, watch

    def __call__(self, observations: Array, masks: Array, seats: Array) -> Array:
        with self._watch("opponents"):
            return self._player(observations, masks, seats)


class Pool:
    """At most `size` past selves. When a full pool gets a new one, a random one of the others but the oldest is
    dropped.

    `forward` makes the forward pass of a network; without it the network's own is used, which is slower.
    """

    def __init__(self, size: int, mix: Mix, seed: int, watch: Stopwatch, forward: Forward | None = None) -> None:
        self.networks: list[Network] = []
        self.size, self.mix, self.random = size, mix, np.random.default_rng(seed)
        self._watch, self._forward = watch, forward

    def add(self, network: Network) -> None:
        """Add the newest past self."""
        self.networks.append(network)
        if len(self.networks) > self.size:
            del self.networks[int(self.random.integers(1, self.size))]

    def draw(self, progress: float, count: int) -> list[Opponent]:
        """Opponents for `count` seats."""
        return [self._one(progress) for _ in range(count)]

    def _one(self, progress: float) -> Opponent:
        heuristic, chance = self.mix.at(progress)
        u = float(self.random.random())
        if u < heuristic or not self.networks:
            return "heuristic"
        if u < heuristic + chance:
            return "random"
        network, seed = self._past_self(), int(self.random.integers(2**62))
        return Timed(Snapshot(self._forward(network) if self._forward else network, seed), self._watch)

    def _past_self(self) -> Network:
        newest = self.random.random() < NEWEST
        return self.networks[-1 if newest else int(self.random.integers(len(self.networks)))]

    def state(self) -> dict[str, Any]:
        """The pool as data for a checkpoint."""
        return {"random": self.random.bit_generator.state, "networks": [n.layers for n in self.networks]}

    def restore(self, state: dict[str, Any], activation: str) -> None:
        """Be the pool of a checkpoint's data."""
        self.random.bit_generator.state = state["random"]
        self.networks = [Network(_arrays(layers), activation) for layers in state["networks"]]


def _arrays(layers: Sequence[Any]) -> tuple[tuple[Array, Array], ...]:
    return tuple((np.asarray(weight), np.asarray(bias)) for weight, bias in layers)
