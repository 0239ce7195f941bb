"""Hostile bots, one class a kind. Each plays like `Honest` but for its third question in games with an odd own seed.

    @kind("ZeroDivisionError: no such number")      what the reason of its forfeits contains; None: nothing is forfeited
    class Raises(Hostile):
        def misbehave(self, view): ...

`KINDS` maps the names of the classes to what is expected of them. A bot is named `tests.zoo.bots:Raises` in a roster.
"""

from __future__ import annotations

import asyncio
import ctypes
import fractions
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

LCG = 6364136223846793005


@dataclass(frozen=True)
class Kind:
    """What is expected of a kind."""

    reason: str | None
    ends_process: bool = False  # some seconds a game: the long tests show most of them
    hangs: bool = False  # costs the limit of a move


KINDS: dict[str, Kind] = {}


def kind(reason: str | None, **settings: bool) -> Callable[[type], type]:
    def register(bot: type) -> type:
        KINDS[bot.__name__] = Kind(reason, **settings)
        return bot

    return register


class Honest:
    """Any legal action, from the agent's own seed."""

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        self.game, self.word, self.asked, self.naughty = game, seed, 0, seed % 2 == 1

    def act(self, view: Any) -> Any:
        self.word = (self.word * LCG + 1) % 2**64
        self.asked += 1
        legal = view.legal()
        return legal[(self.word >> 33) % len(legal)]


class Other(Honest):
    """Another name: an agent is in a roster once."""


class Hostile(Honest):
    def act(self, view: Any) -> Any:
        honest = super().act(view)
        self.honest = honest
        return self.misbehave(view) if self.naughty and self.asked == 3 else honest

    def misbehave(self, view: Any) -> Any:
        raise NotImplementedError


# ---------------------------------------------------------------- answers


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
    """No number, though it can say one."""

    def __index__(self) -> int:
        raise KeyboardInterrupt

    __int__ = __index__


class Ends:
    """Ends the process when anybody looks at it."""

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
    """A number that says of itself whatever is wanted."""

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
    """The type of a type that has no name, no hash, and nothing to compare it with."""

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
    """A number of a class of one's own counts with its value."""

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


# ---------------------------------------------------------------- exceptions


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


raises("RaisesError", "ZeroDivisionError: no such number (bots.py, line ", lambda: ZeroDivisionError("no such\nnumber"))
raises("RaisesInterrupt", "KeyboardInterrupt (bots.py, line ", KeyboardInterrupt)
raises("RaisesGeneratorExit", "GeneratorExit (bots.py, line ", GeneratorExit)
raises("RaisesSystemExit", "SystemExit: 3 (bots.py, line ", lambda: SystemExit(3))
raises("RaisesStopIteration", "StopIteration (bots.py, line ", StopIteration)
raises("RaisesCancelled", "CancelledError (bots.py, line ", asyncio.CancelledError)
raises("RaisesOwn", "Own: of its own (bots.py, line ", lambda: Own("of its own"))
raises("RaisesGroup", "BaseExceptionGroup: many", lambda: BaseExceptionGroup("many", [KeyboardInterrupt()]))
raises("RaisesLong", "ValueError: xxxxxxxx", lambda: ValueError("x" * 10**7))
raises("RaisesTextRaises", "TextRaises (bots.py, line ", TextRaises)
raises("RaisesTextIsNone", "TextIsNone (bots.py, line ", TextIsNone)
raises("RaisesTextWaits", "it was stopped at the limit of ", TextWaits, hangs=True)
raises("RaisesRecursion", "RecursionError: too deep (bots.py, line ", lambda: RecursionError("too deep"))
raises("RaisesMemory", "MemoryError (bots.py, line ", MemoryError)


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
    """Its methods go away."""

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


# ---------------------------------------------------------------- hangs

STOPPED = "it was stopped at the limit of "


@kind(STOPPED, hangs=True)
class HangsInPython(Hostile):
    def misbehave(self, view: Any) -> Any:
        while True:
            pass


@kind(STOPPED, hangs=True)
class HangsAndSwallows(Hostile):
    def misbehave(self, view: Any) -> Any:
        while True:
            try:
                time.sleep(0.01)
            except BaseException:
                continue


@kind(STOPPED, hangs=True)
class HangsInC(Hostile):
    def misbehave(self, view: Any) -> Any:
        return sum(range(10**14))


@kind(STOPPED, hangs=True)
class HangsInNumPy(Hostile):
    def misbehave(self, view: Any) -> Any:
        big = np.ones((3000, 3000))
        for _ in range(10**6):
            np.linalg.svd(big)


@kind(STOPPED, hangs=True)
class HangsDeafToSignals(Hostile):
    def misbehave(self, view: Any) -> Any:
        signal.pthread_sigmask(signal.SIG_BLOCK, set(range(1, 30)))
        while True:
            pass


@kind(STOPPED, hangs=True)
class HangsWithoutAlarm(Hostile):
    def misbehave(self, view: Any) -> Any:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        while True:
            pass


@kind(STOPPED, hangs=True)
class HangsOnLock(Hostile):
    def misbehave(self, view: Any) -> Any:
        lock = threading.Lock()
        lock.acquire()
        return lock.acquire()


@kind("beginning: " + STOPPED, hangs=True)
class BeginsForEver(Honest):
    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        super().begin(game, players, options, seed)
        if self.naughty:
            sum(range(10**14))


@kind(None, hangs=True)
class Compiles(Hostile):
    """Compiles for longer than its limit, as whoever calls a game's `step` for the first time."""

    def misbehave(self, view: Any) -> Any:
        begun, number = time.perf_counter(), 0
        while time.perf_counter() - begun < 3:
            number += 1
            lines = "".join(f"    x = x * {i + number} + (x >> {i % 7})\n" for i in range(100))
            made: dict[str, Any] = {}
            exec(f"def f(x):\n{lines}    return x", made)
            numba.njit(made["f"])(number)
        return self.honest


@kind(STOPPED, hangs=True)
class HangsInMany(Hostile):
    def act_many(self, views: list[Any]) -> list[int]:
        if any(len(view.legal()) % 5 == 1 for view in views):
            sum(range(10**14))
        return [view.legal()[0] for view in views]

    def act(self, view: Any) -> Any:
        return self.act_many([view])[0]


# ---------------------------------------------------------------- the process


@kind("its process ended (exit code 7), twice", ends_process=True)
class Exits(Hostile):
    def misbehave(self, view: Any) -> Any:
        os._exit(7)


@kind("its process ended (signal 9), twice", ends_process=True)
class KillsItself(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(100)


@kind("its process ended (signal 11), twice", ends_process=True)
class ReadsNowhere(Hostile):
    def misbehave(self, view: Any) -> Any:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        ctypes.string_at(0)


@kind("its process ended (signal 6), twice", ends_process=True)
class Aborts(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.abort()


@kind("its process ended (signal 15), twice", ends_process=True)
class KillsItsGroup(Hostile):
    def misbehave(self, view: Any) -> Any:
        if os.getpgrp() != os.getpid():
            raise AssertionError("the group is that of the tournament")
        os.killpg(0, signal.SIGTERM)
        time.sleep(100)


@kind("its process ended (exit code 5), twice", ends_process=True)
class ExitsAfterItsAnswer(Hostile):
    def misbehave(self, view: Any) -> Any:
        threading.Thread(target=self._end).start()
        return self.honest

    def _end(self) -> None:
        time.sleep(0.05)
        os._exit(5)


@kind("it closed or replaced files of its process", ends_process=True)
class ClosesFiles(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.closerange(0, 1000)
        return self.honest


@kind("it closed or replaced files of its process", ends_process=True)
class ReplacesFiles(Hostile):
    def misbehave(self, view: Any) -> Any:
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3, 40):
            if number != null:
                os.dup2(null, number)
        return self.honest


@kind("it lowered a limit of its process for good", ends_process=True)
class LowersLimits(Hostile):
    def misbehave(self, view: Any) -> Any:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**20, used + 2**20))
        return self.honest


@kind("MemoryError")
class LowersMemory(Hostile):
    """A soft limit, and then more than that."""

    def misbehave(self, view: Any) -> Any:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**22, resource.getrlimit(resource.RLIMIT_AS)[1]))
        self.hoard = [bytearray(2**16) for _ in range(10**6)]


@kind(None)
class LowersFiles(Hostile):
    def misbehave(self, view: Any) -> Any:
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (0, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        return self.honest


@kind(None)
class ForksTwice(Hostile):
    """Both processes answer."""

    def misbehave(self, view: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.fork()
        return self.honest


@kind(None)
class ForksAndRaises(Hostile):
    def misbehave(self, view: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if os.fork() == 0:
                raise SystemExit(1)
        return self.honest


@kind(None)
class LeavesChild(Hostile):
    def misbehave(self, view: Any) -> Any:
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(10**6)"])
        return self.honest


@kind(None)
class LeavesSession(Hostile):
    """A child in a session of its own."""

    def misbehave(self, view: Any) -> Any:
        command = [sys.executable, "-S", "-c", "import time; time.sleep(10**6)"]
        self.child = subprocess.Popen(command, start_new_session=True)
        return self.honest


@kind(None)
class LeavesThread(Hostile):
    def misbehave(self, view: Any) -> Any:
        threading.Thread(target=time.sleep, args=(10**6,)).start()
        return self.honest


@kind(None)
class Floods(Hostile):
    def misbehave(self, view: Any) -> Any:
        for _ in range(200):
            print("x" * 1000)
            sys.stderr.write("y" * 1000)
        return self.honest


@kind(None)
class ClosesOutput(Hostile):
    def misbehave(self, view: Any) -> Any:
        sys.stderr.close()
        sys.stdout = None  # type: ignore[assignment]
        return self.honest


@kind(None)
class ChangesFolder(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.chdir("/")
        return self.honest


@kind(None)
class ChangesSignals(Hostile):
    def misbehave(self, view: Any) -> Any:
        for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: os._exit(3))
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
        return self.honest


@kind(None)
class ChangesRecursion(Hostile):
    def misbehave(self, view: Any) -> Any:
        sys.setrecursionlimit(60)
        return self.honest


@kind(None)
class ChangesEnvironment(Hostile):
    def misbehave(self, view: Any) -> Any:
        os.environ.clear()
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        return self.honest


@kind(None)
class ChangesArithmetic(Hostile):
    def misbehave(self, view: Any) -> Any:
        np.seterr(all="raise")
        warnings.simplefilter("error")
        gc.disable()
        return self.honest


@kind("KeyboardInterrupt (bots.py, line ")
class Traces(Hostile):
    def misbehave(self, view: Any) -> Any:
        def trace(*_: Any) -> Any:
            raise KeyboardInterrupt

        sys.setprofile(trace)
        return self.honest


# ---------------------------------------------------------------- what it is shown


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
    """Its own stream, and whatever memory lies beside it."""

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
