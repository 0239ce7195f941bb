# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The contract's jitted functions as numba overloads: the way the engine calls a game it does not know.

Each function here is a stub. Compiled with a game's record type, numba asks `resolve` for an implementation and gets
the game's own function: the same machine code as a direct call, and cacheable (a dispatcher passed as an argument, or
a closure, is not). Without numba (NUMBA_DISABLE_JIT=1) the stub looks the game up by the row's dtype.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
from numba.extending import overload

from skyline.core.cache import package_folder
from skyline.game import Game

_GAME_OF_TYPE: dict[Any, Game] = {}


def _game_of_row(s: Any) -> Game:
    """The game of a row, when the code runs without numba (NUMBA_DISABLE_JIT=1)."""
    return _GAME_OF_TYPE[s.dtype]


def plain(game: Game, name: str) -> Any:
    function = getattr(game, name)
    return getattr(function, "py_func", function)


def register(game: Game) -> None:
    for key in (game.state, numba.from_dtype(game.state)):
        other = _GAME_OF_TYPE.setdefault(key, game)
        if other is not game:
            raise TypeError(f"{game.name} and {other.name} have the same state layout: give one field another name")


def known_games() -> Iterable[Game]:
    """The games that have been registered."""
    return _GAME_OF_TYPE.values()


def reset(s):
    return _game_of_row(s).reset(s)


def legal(s, mask):
    return _game_of_row(s).legal(s, mask)


def step(s, action):
    return _game_of_row(s).step(s, action)


def observe(s, seat, out):
    return _game_of_row(s).observe(s, seat, out)


def determinize(s, seat, stream):
    return _game_of_row(s).determinize(s, seat, stream)


def rank_key(s, seat):
    return _game_of_row(s).rank_key(s, seat)


def heuristic(s, mask, stream):
    return _game_of_row(s).heuristic(s, mask, stream)


STUBS = (reset, legal, step, observe, determinize, rank_key, heuristic)


def _declare(stub: Callable[..., Any]) -> None:
    def resolve(s, *rest):  # numba calls it with the argument types
        return plain(_GAME_OF_TYPE[s], stub.__name__)

    resolve.__signature__ = inspect.signature(stub)  # type: ignore[attr-defined] # read by numba
    overload(stub, strict=False)(resolve)


for _stub in STUBS:
    _declare(_stub)


def source_folder(game: Game) -> Path:
    """The folder of the package that the game's rules belong to."""
    return package_folder(plain(game, "step"))
