"""Bots that think too long, and cannot be stopped in the usual ways."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import numba
import numpy as np

from tests.zoo.kinds import Honest, Hostile, kind

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
    """Compiles for longer than its limit, as the first call of a game's `step` does."""

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
