"""Asking an agent something, whatever it does: raise, leave, think for ever, or bring its process down."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass
class Guard:
    """For a process that an agent may bring down: who is being asked, and who must not be asked again.

    `asking` (3,) lies where another process can read it: the game's row, the seat and the move's number; the row is
    NOBODY between two questions, and SEVERAL when games are asked together.
    """

    asking: Array
    condemned: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)  # (row, seat) -> from move, reason

    NOBODY = -1
    SEVERAL = -2

    def check(self, row: int, seat: int, move: int) -> None:
        """Refused if this must not be asked."""
        first, reason = self.condemned.get((row, seat), (move + 1, ""))
        if move >= first:
            raise Refused(reason)

    @contextlib.contextmanager
    def ask(self, rows: Array, seat: int, move: int) -> Iterator[None]:
        """Around a question."""
        self.asking[:] = (rows[0] if len(rows) == 1 else self.SEVERAL, seat, move)
        try:
            yield
        finally:
            self.asking[0] = self.NOBODY


class Refused(Exception):  # noqa: N818 - not a fault of the program
    """An agent's game is lost; the message is the reason."""


class TimeUp(BaseException):
    """Raised inside an agent that thinks too long; no Exception, so that agents do not swallow it."""


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Stop what runs longer. Without signals (other threads, Windows) the time is only measured, by the caller."""
    can = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not can:
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _told(error: BaseException) -> str:
    """An error of an agent in one line, with the place it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if text else ''}{text}{place}"


def answer(
    question: Callable[[], Any], games: int, limit: float | None, forfeits: bool, asking: Any = None
) -> tuple[Any, float]:
    """An answer and the seconds it took a game; Refused if there is none and agents can forfeit, else what was raised.

    `limit` is the most seconds for each of the `games` games; `asking` is a context around the question.
    """
    total, begun = None if limit is None else limit * games, time.perf_counter()
    try:
        with asking or contextlib.nullcontext(), _alarm(total):
            given = question()
    except (Exception, SystemExit) as error:
        if not forfeits:
            raise
        raise Refused(_told(error)) from error
    except TimeUp:
        raise Refused(f"it was stopped at the limit of {limit:g} s") from None
    seconds = time.perf_counter() - begun
    if total is not None and seconds > total:
        raise Refused(f"it took {seconds / games:.3g} s, the limit is {limit:g} s")
    return given, seconds / games
