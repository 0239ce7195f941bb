"""Asking an agent something, whatever it does: raise, leave, think for ever, lie, or bring its process down."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from skyline.typing import Array
from skyline_agents.match.clock import SEVERAL, Clock, own_clock
from skyline_agents.match.process_state import ProcessState

SHORTEST = 0.01  # seconds between two looks at the clock of an agent whose time is up, or nearly
LINGER_SECONDS = 1.0  # how long threads that a question has left behind may go on before the next, after a death
LONGEST = 200  # characters of an exception's text, and of an answer's


class Refused(Exception):  # noqa: N818 - not a fault of the program
    """An agent's game is lost; the message is the reason."""


class TimeUp(BaseException):
    """Raised inside an agent that thinks too long; no Exception, so that agents do not swallow it."""


class Question(NamedTuple):
    """Whom a question is for."""

    rows: Array  # games, as rows of all that is played
    seat: int
    move: int  # number of the move in its game, from 1; 0: to begin


@dataclass
class Guard:
    """For a process that an agent may bring down: what is being asked, what must not be asked again, and what of the
    process the agents share."""

    clock: Clock
    condemned: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)  # (row, seat) -> from move, reason
    state: ProcessState | None = None
    careful: bool = False  # a process died over these games: wait for threads that a question leaves behind
    _threads: set[threading.Thread] = field(default_factory=set)  # before the question

    def check(self, question: Question) -> None:
        """Refused if this must not be asked."""
        if len(question.rows) == 1:
            first, reason = self.condemned.get((int(question.rows[0]), question.seat), (question.move + 1, ""))
            if question.move >= first:
                raise Refused(reason)

    def ask(self, question: Question, seconds: float | None) -> None:
        """A question is put: whoever watches can see it."""
        row = int(question.rows[0]) if len(question.rows) == 1 else SEVERAL
        self._threads = set(threading.enumerate()) if self.careful else set()
        self.clock.ask(row, question.seat, question.move, seconds)

    def answered(self) -> None:
        """The question is over, in whatever way."""
        if self.state is not None:
            self.state.end_forked_child()
        if self.careful:
            self._wait_for(set(threading.enumerate()) - self._threads)
        self.clock.answered()

    def _wait_for(self, threads: set[threading.Thread]) -> None:
        """What threads do to the process belongs to the agent that has begun them."""
        self.clock.record["limit"] = 0
        for thread in threads:
            thread.join(LINGER_SECONDS / len(threads))

    def put_right(self) -> None:
        """After a question: what agents share is as it was, or the process ends."""
        if self.state is not None and (damage := self.state.put_right()):
            self.state.end(self.clock.record, damage)


@contextlib.contextmanager
def _alarm(clock: Clock, seconds: float) -> Iterator[None]:
    """Stop what runs longer, compiling aside. Without signals (other threads, Windows) the time is only measured, and
    a tournament's own process ends this one."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    armed = True

    def look(*_: Any) -> None:
        if not armed:
            return
        left = seconds - clock.taken()
        signal.setitimer(signal.ITIMER_REAL, max(left, SHORTEST))
        if left <= 0 and not clock.compiling:
            raise TimeUp

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def stopped(seconds: float) -> str:
    """The reason of a game whose agent thought too long."""
    return f"it was stopped at the limit of {seconds:g} s"


def answer(
    ask: Callable[[], Any], question: Question, limit: float | None, total: float | None, forfeits: bool,
    guard: Guard | None = None,
) -> tuple[Any, float]:  # fmt: skip
    """An agent's answer and the seconds it took; Refused if there is none and agents can forfeit, else what was raised.

    `limit` is the most seconds for each game of the question, `total` for all of them together. Where somebody watches
    the clock, compiling is not among the seconds.
    """
    if guard is not None:
        guard.check(question)
    clock = guard.clock if guard is not None else None if total is None else own_clock()
    given, told, taken, begun = None, None, 0.0, time.perf_counter()
    try:
        if clock is None:
            given, told = _given(ask, forfeits)
            taken = time.perf_counter() - begun
        else:
            given, told, taken = _watched(ask, question, total, forfeits, clock, guard)
    except TimeUp:
        told = stopped(limit or 0)
    finally:
        if guard is not None:
            guard.put_right()
    if told is not None:  # raised here, where the error and what it holds are gone
        raise Refused(told)
    if total is not None and limit is not None and taken > total:
        raise Refused(f"it took {taken / len(question.rows):.3g} s, the limit is {limit:g} s")
    return given, taken


def _given(ask: Callable[[], Any], forfeits: bool) -> tuple[Any, str | None]:
    """An answer, or what is told of the error in place of it."""
    try:
        return ask(), None
    except BaseException as error:
        if not forfeits or type(error) is TimeUp:
            raise
        return None, _told(error)


def _watched(
    ask: Callable[[], Any], question: Question, total: float | None, forfeits: bool, clock: Clock, guard: Guard | None
) -> tuple[Any, str | None, float]:
    """The same and the seconds it took; the question is told to whoever watches, and stopped when its time is up."""
    if guard is None:
        clock.ask(0, question.seat, question.move, total)
    else:
        guard.ask(question, total)
    try:
        if total is None:
            given, told = _given(ask, forfeits)
        else:
            with _alarm(clock, total):
                given, told = _given(ask, forfeits)
        return given, told, clock.taken()
    finally:
        if guard is not None:
            guard.answered()


# ---------------------------------------------------------------- what agents say of themselves is not believed


def _told(error: BaseException) -> str:
    """An error of an agent in one line, with the place it comes from."""
    try:
        text = " ".join(str.__str__(str(error))[:LONGEST].split())
    except TimeUp:
        raise
    except BaseException:  # a text that cannot be had; the kind of error and the place say enough
        text = ""
    return f"{name_of_type(error)}{': ' if text else ''}{text}{_place(error.__traceback__)}"


def _place(traceback: TracebackType | None) -> str:
    """Where an error was raised; no file is read for it."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f" ({Path(traceback.tb_frame.f_code.co_filename).name}, line {traceback.tb_lineno})"


def name_of_type(value: Any) -> str:
    """The name of the type of an object, even if its metaclass has another one for it."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


_NUMPY_INTEGERS = tuple({np.dtype(code).type for code in np.typecodes["AllInteger"]})
_PLAIN = (bool, float, complex, str, bytes, type(None), np.bool_, np.float64, np.float32)


def whole_number(value: Any) -> int | None:
    """The value of an int or of one of NumPy's integers; None for all else, truth values too.

    What a subclass says of itself is not asked: the value is that of the int in it.
    """
    kind = type(value)
    if kind is int:
        number: int = value
        return number
    if kind is bool:
        return None
    if type.__subclasscheck__(int, kind):
        return int.__index__(value)
    return int(value) if any(kind is known for known in _NUMPY_INTEGERS) else None


class Shown:
    """An answer in a message: its text, if it is of a kind that cannot but say what it is."""

    def __init__(self, value: Any) -> None:
        if type(value) is int:  # too long to be written
            self._text = f"a number of {value.bit_length()} bits"
            return
        plain = any(type(value) is kind for kind in _PLAIN)
        self._text = repr(value)[:LONGEST] if plain else f"an object of the type {name_of_type(value)}"

    def __repr__(self) -> str:
        return self._text
