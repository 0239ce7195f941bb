"""The clock of a question. It stands while numba compiles, and another process can read it.

Whoever calls `view.game.step` for the first time waits half a minute for the compiler. That is no thinking: the time
is told apart, by numba's own events ("numba:compile": a dispatcher compiles; docs: Event API) and by that of
`skyline.core.cache.locked` (kernels are compiled, loaded, or another process compiles them).

A clock writes what it knows into one record of ASKED, which may lie in memory that processes share: the tournament's
process reads it and ends a process that has overstayed, whatever that one does (`skyline_agents.tournament.processes`).
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

NOBODY, SEVERAL, MAKING = -1, -2, -3  # in place of a row: nobody was asked yet, games together, agents are being made

ASKED = np.dtype(
    [
        (
            "number",
            np.int64,
        ),  # of the question, counted from 1: whoever reads the record twice sees that it has changed
        ("open", np.int64),  # 1: the agent has not answered yet
        ("row", np.int64),  # the game, a row of the piece of work; NOBODY, SEVERAL, MAKING
        ("seat", np.int64),
        ("move", np.int64),  # number of the move in its game, from 1; 0: to begin
        ("since", np.int64),  # nanoseconds of time.monotonic_ns, when it was asked
        ("limit", np.int64),  # nanoseconds that it may take, 0: any time
        ("compiled", np.int64),  # nanoseconds in which something was compiled since then, but for what is going on
        ("compiling", np.int64),  # nanoseconds of the clock, when what is going on began; 0: nothing is compiled
        ("damage", np.int64),  # what the process has seen to be broken before it ended: a number of DAMAGES, 0: nothing
    ]
)


def blank() -> Array:
    """A record, nobody asked."""
    record = np.zeros(1, ASKED)
    record["row"] = NOBODY
    return record


def compiled_and_taken(record: Array, now: int) -> tuple[int, int]:
    """Nanoseconds of compiling and of all else since the question of a record was asked."""
    began = int(record["compiling"][0])
    compiled = int(record["compiled"][0]) + (now - max(began, int(record["since"][0])) if began else 0)
    return compiled, now - int(record["since"][0]) - compiled


class Clock(event.Listener):  # type: ignore[misc] # numba is not read by mypy
    """Writes into a record of ASKED what is asked and what of the time is compiling."""

    def __init__(self, record: Array) -> None:
        self.record = record
        self._depth, self._lock = 0, threading.RLock()  # threads of an agent may compile, too
        for kind in ("numba:compile", COMPILING):
            event.register(kind, self)

    def ask(self, row: int, seat: int, move: int, seconds: float | None) -> None:
        """A question is put."""
        record, now = self.record, time.monotonic_ns()
        record["open"] = 0
        record["number"] += 1
        record["row"], record["seat"], record["move"] = row, seat, move
        record["compiled"], record["since"] = 0, now
        record["limit"] = 0 if seconds is None else max(1, int(seconds * 1e9))
        record["open"] = 1

    def answered(self) -> None:
        """The question is over; who was asked last stays in the record."""
        self.record["open"] = 0

    def forget(self) -> None:
        """New work: nobody has been asked."""
        self.record["open"], self.record["row"] = 0, NOBODY

    def taken(self) -> float:
        """Seconds that the question has taken so far, without compiling."""
        return compiled_and_taken(self.record, time.monotonic_ns())[1] / 1e9

    @property
    def compiling(self) -> bool:
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
    """That of questions in this process which no other process watches."""
    return Clock(blank())
