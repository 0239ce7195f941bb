"""Bots that write into the arrays that they are shown."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tests.zoo.kinds import Hostile, kind


@kind(None)
class RewritesStates(Hostile):
    def misbehave(self, view: Any) -> Any:
        for name in dir(view):
            value = getattr(view, name, None)
            for array in (value, getattr(value, "base", None)):
                if isinstance(array, np.ndarray) and array.dtype.names and "scores" in array.dtype.names:
                    array["scores"] = 400
                    array["seat"] = -1
        return self.honest


@kind(None)
class RewritesMask(Hostile):
    def misbehave(self, view: Any) -> Any:
        view.action_mask[:] = 1
        view._mask[:] = 1
        if view._mask.base is not None:
            view._mask.base[:] = 1
        return self.honest


@kind(None)
class RewritesOptions(Hostile):
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        self._rewrite(options)

    def misbehave(self, view: Any) -> Any:
        self._rewrite(view.options)
        return self.honest

    def _rewrite(self, options: Any) -> None:
        try:
            options["max_turns"] = 2
            options["no such"] = object()
        except TypeError:
            return


@kind(None)
class RewritesStream(Hostile):
    """Writes into its own stream and into the memory beside the stream."""

    def misbehave(self, view: Any) -> Any:
        array = view.stream
        while array is not None and isinstance(array, np.ndarray):
            array["rng"] = 7
            array = array.base
        return self.honest


@kind("it changed the form of its stream")
class ReshapesStream(Hostile):
    def misbehave(self, view: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            view.stream.dtype = np.int8
        return self.honest


@kind(None)
class ReplacesAttributes(Hostile):
    def misbehave(self, view: Any) -> Any:
        for name in ("stream", "options", "seat", "players", "_mask", "game"):
            setattr(view, name, None)
        return self.honest


@kind(None)
class RenamesFields(Hostile):
    def misbehave(self, view: Any) -> Any:
        for state in (view.game.state, view.stream.dtype, view.determinized().dtype):
            state.names = tuple(f"no_{name}" for name in state.names)
        return self.honest


@kind(None)
class RewritesGame(Hostile):
    def misbehave(self, view: Any) -> Any:
        for part in (view.game, view.game.actions(view.players), *view.game.options):
            try:
                vars(part).clear()
            except TypeError:
                continue
        return self.honest
