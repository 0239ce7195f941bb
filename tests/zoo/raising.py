"""Bots that raise exceptions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from tests.zoo.kinds import Honest, Hostile, kind


class Own(BaseException):
    pass


class TextRaises(Exception):
    def __str__(self) -> str:
        raise KeyboardInterrupt

    __repr__ = __str__


class TextWaits(Exception):
    def __str__(self) -> str:
        time.sleep(10**6)
        return ""


class TextIsNone(Exception):
    def __str__(self) -> Any:
        return None


def raises(name: str, reason: str, error: Callable[[], BaseException], **settings: bool) -> None:
    """A kind that raises an exception."""

    def misbehave(self: Any, view: Any) -> Any:
        raise error()

    bot = type(name, (Hostile,), {"misbehave": misbehave, "__module__": __name__})
    globals()[name] = kind(reason, **settings)(bot)


raises(
    "RaisesError", "ZeroDivisionError: no such number (raising.py, line ", lambda: ZeroDivisionError("no such\nnumber")
)
raises("RaisesInterrupt", "KeyboardInterrupt (raising.py, line ", KeyboardInterrupt)
raises("RaisesGeneratorExit", "GeneratorExit (raising.py, line ", GeneratorExit)
raises("RaisesSystemExit", "SystemExit: 3 (raising.py, line ", lambda: SystemExit(3))
raises("RaisesStopIteration", "StopIteration (raising.py, line ", StopIteration)
raises("RaisesCancelled", "CancelledError (raising.py, line ", asyncio.CancelledError)
raises("RaisesOwn", "Own: of its own (raising.py, line ", lambda: Own("of its own"))
raises("RaisesGroup", "BaseExceptionGroup: many", lambda: BaseExceptionGroup("many", [KeyboardInterrupt()]))
raises("RaisesLong", "ValueError: xxxxxxxx", lambda: ValueError("x" * 10**7))
raises("RaisesTextRaises", "TextRaises (raising.py, line ", TextRaises)
raises("RaisesTextIsNone", "TextIsNone (raising.py, line ", TextIsNone)
raises("RaisesTextWaits", "it was stopped at the limit of ", TextWaits, hangs=True)
raises("RaisesRecursion", "RecursionError: too deep (raising.py, line ", lambda: RecursionError("too deep"))
raises("RaisesMemory", "MemoryError (raising.py, line ", MemoryError)


@kind("RecursionError: maximum recursion depth exceeded")
class RecursesDeep(Hostile):
    def misbehave(self, view: Any) -> Any:
        return self.misbehave(view)


@kind("MemoryError")
class WantsMemory(Hostile):
    def misbehave(self, view: Any) -> Any:
        return bytearray(2**62)


@kind("AttributeError: act is gone")
class HasNoAct(Honest):
    """Deletes its own methods."""

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__(self, "__dict__")
        if name == "act" and own.get("naughty") and own["asked"] == 3:
            raise AttributeError("act is gone")
        return object.__getattribute__(self, name)


@kind("beginning: KeyboardInterrupt")
class BeginsWithInterrupt(Honest):
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        if self.naughty:
            raise KeyboardInterrupt


@kind("beginning: ValueError: no model")
class BeginsWithError(Honest):
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        if self.naughty:
            raise ValueError("no model")
