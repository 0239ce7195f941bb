"""The clock of a question. It stands still while numba compiles, and another process can read it.

An agent that calls `view.game.step` for the first time waits half a minute for the compiler. The clock does not count
this time as thinking. It knows the time from the events "numba:compile" of numba (a function is compiled) and COMPILING
of `skyline.core.cache.locked` (a kernel is compiled or loaded, here or by another process that holds the lock).

A clock writes what it knows into one record of ASKED. The record may lie in memory that processes share: the
tournament's process reads it and ends a process that has exceeded its time (`skyline_agents.tournament.processes`).
"""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from typing import Any

import numpy as np
from numba.core import event

from skyline.core.cache import COMPILING
from skyline.typing import Array

# In place of a row: no agent was asked yet; an agent is asked about several games; the agents are made.
NOBODY, SEVERAL, MAKING = -1, -2, -3

ASKED = np.dtype(
    [
        ("number", np.int64),  # of the question, from 1: two reads with one number are of the same question
        ("open", np.int64),  # 1: the agent has not answered yet
        ("row", np.int64),  # the game, as a row of the piece of work; NOBODY, SEVERAL, MAKING
        ("seat", np.int64),
        ("move", np.int64),  # number of the move in its game, from 1; 0: to begin
        ("since", np.int64),  # time.monotonic_ns of the question
        ("limit", np.int64),  # the most nanoseconds of the question, 0: no limit
        ("compiled", np.int64),  # nanoseconds of all compiling since the question that has ended
        ("compiling", np.int64),  # time.monotonic_ns at which the compiling that goes on began; 0: none goes on
        ("damage", np.int64),  # why the process ended itself: a number of DAMAGES; 0: it did not
    ]
)


class TimeUp(BaseException):
    """Raised inside an agent that thinks too long. It is no Exception, so that agents do not catch it by mistake."""


def blank() -> Array:
    """A record of ASKED, (1,), before the first question."""
    record = np.zeros(1, ASKED)
    record["row"] = NOBODY
    return record


def compiled_and_taken(record: Array, now: int) -> tuple[int, int]:
    """Nanoseconds since the question of a record: those of compiling, and all others."""
    began = int(record["compiling"][0])
    compiled = int(record["compiled"][0]) + (now - max(began, int(record["since"][0])) if began else 0)
    return compiled, now - int(record["since"][0]) - compiled


class Clock(event.Listener):  # type: ignore[misc] # numba is not read by mypy
    """Writes into a record of ASKED who is asked, and how much of the time is compiling."""

    def __init__(self, record: Array) -> None:
        self.record = record
        self._depth, self._lock = 0, threading.RLock()  # an agent's threads may compile at the same time
        for kind in ("numba:compile", COMPILING):
            event.register(kind, self)

    def ask(self, row: int, seat: int, move: int, seconds: float | None) -> None:
        """Note that a question is asked; None seconds: no limit."""
        record, now = self.record, time.monotonic_ns()
        record["open"] = 0
        record["number"] += 1
        record["row"], record["seat"], record["move"] = row, seat, move
        record["compiled"], record["since"] = 0, now
        record["limit"] = 0 if seconds is None else max(1, int(seconds * 1e9))
        record["open"] = 1

    def answered(self) -> None:
        """Note that the question is over; the agent that was asked last stays in the record."""
        self.record["open"] = 0

    def forget(self) -> None:
        """Note that no agent of the present work has been asked."""
        self.record["open"], self.record["row"] = 0, NOBODY

    def taken(self) -> float:
        """Seconds of the question so far, without compiling."""
        return compiled_and_taken(self.record, time.monotonic_ns())[1] / 1e9

    @property
    def compiling(self) -> bool:
        """Whether something is compiled at this moment."""
        return self._depth > 0

    def on_start(self, event: Any) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self.record["compiling"] = time.monotonic_ns()

    def on_end(self, event: Any) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                began = max(int(self.record["compiling"][0]), int(self.record["since"][0]))
                self.record["compiled"] += time.monotonic_ns() - began
                self.record["compiling"] = 0


@lru_cache(None)
def own_clock() -> Clock:
    """The clock of questions in this process that no other process watches."""
    return Clock(blank())
