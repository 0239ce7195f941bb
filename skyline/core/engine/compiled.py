"""The kernels of a game, compiled when they are first called and kept in the game's stamped cache folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core.errors import NumbaError

from skyline.core import jit
from skyline.core.cache import cache_folder, locked, stamp
from skyline.core.engine import batch, desk, learner, rollouts
from skyline.core.overloads import register, source_folder
from skyline.game import Game

KERNELS: dict[str, Callable[..., Any]] = {
    kernel.__name__: kernel
    for kernel in (
        desk.step_one,
        batch.begin_rows, batch.step_rows, batch.step_some, batch.observe_some, batch.first_illegal, batch.choose_rows,
        batch.fill_masks, batch.determinize_rows, batch.places_rows,
        learner.step_learners, learner.seat_opponents, learner.show_learners,
        rollouts.rollout, rollouts.step_only, rollouts.whole_games,
    )
}  # fmt: skip


class ContractError(TypeError):
    """A jitted function of a game does not fulfil the contract of `skyline.game`."""


class Kernels:
    """Compiled kernels of one game, as attributes; each is compiled (or loaded from the cache) on first use.

    Other packages make their own with `functions` and the folders of their sources.
    """

    def __init__(
        self,
        game: Game,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        label: str = "",
        sources: Sequence[Path] = (),
    ) -> None:
        register(game)
        self._game, self._label = game, label
        self._functions = KERNELS if functions is None else functions
        self._sources = [source_folder(game), *sources]

    @cached_property
    def stamp(self) -> str:
        """What all sources of the kernels hash to."""
        return stamp(self._sources)

    @cached_property
    def folder(self) -> Path | None:
        """The stamped cache folder; None where kernels cannot be kept."""
        return cache_folder(f"{self._game.name}{self._label}", self._sources)

    def __getattr__(self, name: str) -> Any:
        functions = self.__dict__.get("_functions", {})
        if name not in functions:
            raise AttributeError(name)
        kernel = self._ready(functions[name])
        setattr(self, name, kernel)
        return kernel

    def entry(self, name: str, arguments: Sequence[Any]) -> Callable[..., Any]:
        """The machine code of a kernel for arguments of these types, compiled if it has to be.

        numba looks at the types of all arguments at every call, which takes three quarters of a short one. This
        function does not: whoever calls it answers for the types.
        """
        kernel = getattr(self, name)
        code: Callable[..., Any] = kernel
        if not numba.config.DISABLE_JIT:
            types = tuple(map(numba.typeof, arguments))
            if isinstance(kernel, _FirstCall):
                kernel = kernel.compiled(types)
            kernel.compile(types)
            code = kernel.get_overload(types)
        return code

    def _ready(self, function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        kernel = jit.cached_kernel(function, self.folder)
        kernel.belongs_to = self._game  # told while the kernel is compiled (skyline/core/announce.py)
        return _FirstCall(self, function.__name__, kernel)


class _FirstCall:
    """A kernel before its first call: compiles under the folder's lock, then steps out of the way."""

    def __init__(self, owner: Kernels, name: str, dispatcher: Any) -> None:
        self.owner, self.name, self.dispatcher = owner, name, dispatcher

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(tuple(map(numba.typeof, arguments)))(*arguments)

    def compiled(self, types: tuple[Any, ...]) -> Any:
        """The kernel, which has been compiled for these types."""
        try:
            with locked(self.owner.folder):
                self.dispatcher.compile(types)
        except (NumbaError, KeyError) as error:  # KeyError: numba's way to say that a record has no such field
            from skyline.core.diagnosis import explain

            raise ContractError(explain(self.owner._game, self.name, error)) from error
        setattr(self.owner, self.name, self.dispatcher)
        return self.dispatcher


@lru_cache(None)
def kernels(game: Game) -> Kernels:
    """The kernels of a game."""
    return Kernels(game)
