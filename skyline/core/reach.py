"""Which functions a kernel is made of, found without compiling anything: how much work the compiler has."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from numba.core.registry import CPUDispatcher

from skyline.core import overloads
from skyline.game import Game

Function = Callable[..., Any]


def reached(function: Function, game: Game | None = None) -> set[Function]:
    """The jitted functions, as plain ones, that a function calls, and those that these call; of the functions of the
    contract (`skyline.core.overloads`) the game's own.

    The names in the code are looked up in the globals of the function, in the way in which numba does.
    """
    found: set[Function] = set()
    waiting = [function]
    while waiting:
        caller = waiting.pop()
        for value in _named(caller.__code__, caller.__globals__):
            called = _jitted(value, game)
            if called is not None and called not in found:
                found.add(called)
                waiting.append(called)
    return found


def _named(code: CodeType, names: Mapping[str, Any]) -> Iterator[Any]:
    """The values of all global names that a code and the codes within it read."""
    globals_read = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    yield from (names[name] for name in sorted(globals_read) if name in names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _named(constant, names)


def _jitted(value: Any, game: Game | None) -> Function | None:
    """The plain function behind a jitted one, or behind a function of the contract; None for everything else."""
    if isinstance(value, FunctionType) and value in overloads.STUBS and game is not None:
        value = getattr(game, value.__name__)
    return value.py_func if isinstance(value, CPUDispatcher) else None


def title_of(package: str) -> str:
    """The title of the game in a package, if kernels of the game have been asked for; else the name of the package."""
    games = (game for game in overloads.known_games() if isinstance(game, Game))
    return next((game.title for game in games if overloads.source_folder(game).name == package), package)
