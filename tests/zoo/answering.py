"""Bots whose answers are no actions."""

from __future__ import annotations

import fractions
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.zoo.kinds import Hostile, kind


def answers(name: str, reason: str, value: Callable[[], Any]) -> None:
    """A kind that answers with a value."""
    bot = type(name, (Hostile,), {"misbehave": lambda self, view: value(), "__module__": __name__})
    globals()[name] = kind(reason)(bot)


WHOLE = "its answer: an action is a whole number 0 .. "
answers("AnswersTrue", WHOLE, lambda: True)
answers("AnswersNumpyTrue", WHOLE, lambda: np.True_)
answers("AnswersFloat", WHOLE, lambda: 1.0)
answers("AnswersNumpyFloat", WHOLE, lambda: np.float64(1))
answers("AnswersNaN", WHOLE, lambda: float("nan"))
answers("AnswersText", WHOLE, lambda: "3")
answers("AnswersBytes", WHOLE, lambda: b"\x03")
answers("AnswersNothing", WHOLE, lambda: None)
answers("AnswersList", WHOLE, lambda: [1])
answers("AnswersArray", WHOLE, lambda: np.array(1))
answers("AnswersArrays", WHOLE, lambda: np.arange(3))
answers("AnswersComplex", WHOLE, lambda: 1 + 0j)
answers("AnswersFraction", WHOLE, lambda: fractions.Fraction(1))
answers("AnswersGenerator", WHOLE, lambda: (i for i in range(3)))
answers("AnswersHuge", "not a number of 16610 bits; legal: ", lambda: 10**5000)
answers("AnswersNegative", "action -1 is outside 0 .. ", lambda: -1)
answers("AnswersNumpyHuge", "action 18446744073709551615 is outside 0 .. ", lambda: np.uint64(2**64 - 1))


class Indexed:
    """No number, but an object with `__index__`."""

    def __index__(self) -> int:
        raise KeyboardInterrupt

    __int__ = __index__


class Ends:
    """Ends the process when a method of this object is called."""

    def __repr__(self) -> str:
        os._exit(9)

    __str__ = __index__ = __int__ = __bool__ = __len__ = __repr__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        os._exit(9)

    __hash__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__  # type: ignore[assignment]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        os._exit(9)


class Waits:
    def __repr__(self) -> str:
        time.sleep(10**6)
        return ""


class LyingText(str):
    def __repr__(self) -> str:
        raise SystemExit("repr")

    __str__ = __format__ = __index__ = __repr__  # type: ignore[assignment]


class LyingInt(int):
    """A number whose methods lie."""

    def __index__(self) -> int:
        return 0

    __int__ = __hash__ = __index__  # type: ignore[assignment]

    def __lt__(self, other: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __eq__ = __lt__  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise GeneratorExit


class LyingNumpy(np.int64):
    def __index__(self) -> int:
        raise KeyboardInterrupt

    __int__ = __repr__ = __str__ = __hash__ = __index__  # type: ignore[assignment]


class LyingKind(type):
    """The type of a type without a name, a hash and comparisons."""

    def __getattribute__(cls, name: str) -> Any:
        raise KeyboardInterrupt(name)

    def __hash__(cls) -> int:
        raise KeyboardInterrupt

    def __eq__(cls, other: object) -> bool:
        raise KeyboardInterrupt

    def __instancecheck__(cls, other: object) -> bool:
        return True


class OfLyingKind(metaclass=LyingKind):
    pass


answers("AnswersIndexed", WHOLE, Indexed)
answers("AnswersEnding", WHOLE, Ends)
answers("AnswersWaiting", WHOLE, Waits)
answers("AnswersLyingText", WHOLE, lambda: LyingText("3"))
answers("AnswersLyingInt", "action 1000000 is outside 0 .. ", lambda: LyingInt(10**6))
answers("AnswersLyingNumpy", WHOLE, lambda: LyingNumpy(1))
answers("AnswersLyingKind", WHOLE, OfLyingKind)


@kind("is not legal here; legal: ")
class AnswersIllegal(Hostile):
    def misbehave(self, view: Any) -> Any:
        return int(np.flatnonzero(view.action_mask == 0)[0])


@kind(None)
class AnswersHonestSubclass(Hostile):
    """A number of a subclass of int counts with its value."""

    def misbehave(self, view: Any) -> Any:
        return LyingInt(self.honest)


@kind(None)
class AnswersNumpy(Hostile):
    def misbehave(self, view: Any) -> Any:
        return np.uint8(self.honest) if self.honest < 256 else np.int32(self.honest)


@kind("is outside 0 .. ")
class ManyAnswersWrong(Hostile):
    """Chooses in many games at once, and is wrong in some."""

    def act_many(self, views: list[Any]) -> Any:
        return (10**6 if view.legal()[0] % 7 == 3 else view.legal()[0] for view in views)

    def act(self, view: Any) -> Any:
        return self.act_many([view])


@kind("act_many gave more than 1 actions for 1 views")
class ManyAnswersEndless(Hostile):
    def act_many(self, views: list[Any]) -> Any:
        while True:
            yield 0
