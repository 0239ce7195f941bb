"""Asking an agent one question, whatever it does: raise, exit, think for ever, lie, or bring its process down."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from skyline.typing import Array
from skyline_agents.match.answers import error_in_words
from skyline_agents.match.clock import SEVERAL, Clock, TimeUp, own_clock
from skyline_agents.match.process_state import ProcessState

SHORTEST = 0.01  # the least seconds between two looks at the clock of an agent
LINGER_SECONDS = 1.0  # for threads that a question left behind, before the next question; see Guard.careful


class Refused(Exception):  # noqa: N818 - not a fault of the program
    """The agent loses its game; the message is the reason."""


class Question(NamedTuple):
    """Which agent is asked about which games."""

    rows: Array  # the games, as rows of all games of the match or the piece of work
    seat: int
    move: int  # number of the move in its game, from 1; 0: to begin


@dataclass
class Guard:
    """For a process that an agent may bring down: the clock that says who is asked, the questions that must not be
    asked again, and the state of the process that the agents share."""

    clock: Clock
    # (row, seat) -> (move, reason): from this move on the seat is not asked in this game, for this reason.
    condemned: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    state: ProcessState | None = None
    careful: bool = False  # a process died over these games: wait for the threads that a question leaves behind
    _threads: set[threading.Thread] = field(default_factory=set)  # that ran before the question

    def check(self, question: Question) -> None:
        """Raise Refused if this question must not be asked."""
        if len(question.rows) == 1:
            first, reason = self.condemned.get((int(question.rows[0]), question.seat), (question.move + 1, ""))
            if question.move >= first:
                raise Refused(reason)

    def ask(self, question: Question, seconds: float | None) -> None:
        """Note the question in the clock, where another process can read it."""
        row = int(question.rows[0]) if len(question.rows) == 1 else SEVERAL
        self._threads = set(threading.enumerate()) if self.careful else set()
        self.clock.ask(row, question.seat, question.move, seconds)

    def answered(self) -> None:
        """Note that the question is over, with or without an answer."""
        if self.state is not None:
            self.state.end_forked_child()
        if self.careful:
            self._wait_for(set(threading.enumerate()) - self._threads)
        self.clock.answered()

    def _wait_for(self, threads: set[threading.Thread]) -> None:
        """Wait for an agent's threads, so that what they do to the process is noted as the doing of this agent."""
        self.clock.record["limit"] = 0
        for thread in threads:
            thread.join(LINGER_SECONDS / len(threads))

    def put_right(self) -> None:
        """Put right, after a question, what the agents share; if that cannot be done, end the process."""
        if self.state is not None and (damage := self.state.put_right()):
            self.state.end(self.clock.record, damage)


@contextlib.contextmanager
def _alarm(clock: Clock, seconds: float) -> Iterator[None]:
    """Raise TimeUp in code that takes longer than `seconds` without compiling.

    Without signals (in other threads, on Windows) nothing is raised; the process of a tournament then ends this one.
    """
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
    """The reason of a forfeit by an agent that thought too long."""
    return f"it was stopped at the limit of {seconds:g} s"


def answer(
    ask: Callable[[], Any], question: Question, limit: float | None, total: float | None, forfeits: bool,
    guard: Guard | None = None,
) -> tuple[Any, float]:  # fmt: skip
    """An agent's answer and the seconds that it took.

    An agent that raises or exceeds its time has no answer: Refused if `forfeits`, else its own exception. `limit` is
    the most seconds for each game of the question, `total` for all of its games together. With a limit or a guard, the
    seconds do not include compiling.
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
    if told is not None:  # raised here, outside of the except block, so that it does not hold the agent's exception
        raise Refused(told)
    if total is not None and limit is not None and taken > total:
        raise Refused(f"it took {taken / len(question.rows):.3g} s, the limit is {limit:g} s")
    return given, taken


def _given(ask: Callable[[], Any], forfeits: bool) -> tuple[Any, str | None]:
    """The answer and None, or None and the agent's error in words."""
    try:
        return ask(), None
    except BaseException as error:
        if not forfeits or type(error) is TimeUp:
            raise
        return None, error_in_words(error)


def _watched(
    ask: Callable[[], Any], question: Question, total: float | None, forfeits: bool, clock: Clock, guard: Guard | None
) -> tuple[Any, str | None, float]:
    """Like `_given`, with the seconds. The clock notes the question; an agent whose time is up is stopped."""
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
