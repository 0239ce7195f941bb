"""The agent `ppo`: a trained network plays. NumPy is enough for that; torch is not imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from skyline.game import Game
from skyline.rng import next_word
from skyline.typing import Array
from skyline_agents.players.ppo import shelf
from skyline_agents.players.ppo.network import TrainedModel, best, load, sampled
from skyline_agents.players.texts import SWITCH, choice
from skyline_agents.protocol import View, action_masks, observations

UNIFORM = 2.0**-53  # the distance of two numbers that `_uniforms` can give


class Networked:
    """Plays the actions of a model: always the likeliest, or (`samples`) each with its probability."""

    def __init__(self, model: TrainedModel | None, samples: bool = False) -> None:
        self.model, self.samples = model, samples

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """ValueError if the model was trained for another game or player count."""
        assert self.model is not None
        self.model.check_fits(game, players)

    def act(self, view: View) -> int:
        return self.act_many([view])[0]

    def act_many(self, views: Sequence[View]) -> list[int]:
        """One forward pass gives the actions in all views."""
        assert self.model is not None
        seen = observations(views, self.model.features, "float32", forgetful=self.model.memory == "table")
        logits, masks = self.model.network(seen), action_masks(views)
        actions = sampled(logits, masks, _uniforms(views)) if self.samples else best(logits, masks)
        return [int(action) for action in actions]


class Ppo(Networked):
    """A network trained by `skyline train ppo`.

    value      a file model.safetensors; by default the user's model of the game and player count, else the shipped one
    sample     yes: every action is played with its probability; no: always the likeliest action
    """

    def __init__(self, value: str = "", sample: str = "no") -> None:
        self._path = Path(value) if value else None
        super().__init__(_loaded(self._path) if self._path else None, bool(choice("sample", sample, SWITCH)))

    def begin(self, game: Game, players: int, options: Mapping[str, Any], seed: int) -> None:
        """Load the model for this game; ValueError if it does not fit the game."""
        path = self._path or shelf.find(game, players)
        self.model = _loaded(path)
        try:
            super().begin(game, players, options, seed)
        except ValueError as reason:
            own = self._path is None and path.parent != shelf.SHIPPED
            remedy = "; move this file away to play with the shipped model" if own else ""
            raise ValueError(f"{path}: {reason}{remedy}") from None


class Snapshot:
    """A network as an opponent of `skyline.vector`: plays every action with its probability.

    `logits` is the network's forward pass; `seed` begins the opponent's own random numbers.
    """

    def __init__(self, logits: Callable[[Array], Array], seed: int) -> None:
        self._logits, self._random = logits, np.random.default_rng(seed)

    def __call__(self, observations: Array, masks: Array, seats: Array) -> Array:
        return sampled(self._logits(observations), masks, self._random.random(len(masks)))


def _loaded(path: Path) -> TrainedModel:
    """The model of a file, which is read again only if the file has changed."""
    status = path.stat()
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(8)
def _read(path: Path, changed: int, size: int) -> TrainedModel:
    return load(path)


def _uniforms(views: Sequence[View]) -> Array:
    """A number 0 <= u < 1 from every view's stream."""
    words = np.array([next_word(view.stream[0]) for view in views], np.uint64)
    return (words >> np.uint64(11)) * UNIFORM
