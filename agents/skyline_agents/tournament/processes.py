"""The local backend: processes on this machine, each of which plays one piece of work at a time.

Agents are other people's programs, so a process may die. A new process plays its games again. If the new process dies,
too, while it asks the same agent in the same game, the agent forfeits that game and the other games are played.

An agent may also hold its process up, by a call inside C or by swallowing every signal. So every process writes into
shared memory whom it asks and since when (`skyline_agents.match.clock`). The tournament's process reads that record,
kills a process a moment after the limit, with all other processes that it has begun, and the agent forfeits that game.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from skyline.typing import Array
from skyline_agents.match.clock import ASKED, MAKING, NOBODY, SEVERAL, Clock, blank, compiled_and_taken
from skyline_agents.match.family import MARK, kill_family, start_thread
from skyline_agents.match.process_state import DAMAGES, MEMORY, ProcessState
from skyline_agents.match.questions import Guard, stopped
from skyline_agents.tournament.work import Done, Work, carry_out

DEATHS = 20  # deaths of processes over one piece of work, while no agent was asked, before the tournament is given up
MAKING_DEATHS = 3  # deaths while the agents of a piece of work were made, before the tournament is given up
LOOK_SECONDS = 0.2  # between two looks at what the processes ask
GRACE_SECONDS = 0.5  # after the limit of a question; in this time the process may stop its agent itself
COMPILE_SECONDS = 1800.0  # the most seconds of compiling during one question


def cores() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Task:
    """A piece of work, and what is known about the processes that died over it."""

    work: Work
    width: int | None = None
    condemned: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)  # as in Guard
    suspects: set[tuple[int, int]] = field(default_factory=set)  # (row, seat) that were asked when a process died
    deaths: int = 0  # of processes, while no agent was asked
    careful: bool = False  # a process has died

    def limit(self, move: int) -> float:
        """The most seconds of a move, or of the beginning of a game (move 0)."""
        conditions = self.work.conditions
        return (conditions.begin_seconds if move == 0 else conditions.move_seconds) or 0.0


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Ctrl-C in this context acts at the end of the context.

    A process that is started in this context begins with Ctrl-C held back, too, if the system allows that.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    noted: list[int] = []
    # The system may give the signal to another thread; then it is noted here.
    before = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        with _held_back():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """The system holds Ctrl-C back for this thread, and for the processes that the thread starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _ignore_interrupts() -> None:
    """For a process that was started in `_interrupts_wait`: Ctrl-C never acts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


@contextlib.contextmanager
def _marked(mark: str) -> Iterator[None]:
    """Processes that are started in this context carry a mark in their environment.

    The resource tracker of multiprocessing, which all processes share, is started before and carries none.
    """
    if sys.platform != "win32":
        resource_tracker.ensure_running()
    os.environ[MARK] = mark
    try:
        yield
    finally:
        del os.environ[MARK]


class _Worker:
    """A process, the pipe to it, and the record in which the process says whom it asks."""

    def __init__(self, context: Any) -> None:
        self.pipe, theirs = context.Pipe()
        shared = context.RawArray("b", ASKED.itemsize)
        self.asked: Array = np.frombuffer(shared, ASKED)
        self.asked[:] = blank()
        to_the_end = threading.current_thread() is threading.main_thread()
        self.process = context.Process(target=_serve, args=(theirs, shared, to_the_end), daemon=True)
        self._mark, self._cleared = uuid.uuid4().hex, False
        # The process does not hear Ctrl-C from its first moment on: the tournament's process ends the tournament.
        with _marked(self._mark), _interrupts_wait():
            self.process.start()
        theirs.close()
        self.task: _Task | None = None

    def give(self, task: _Task) -> None:
        self.task = task
        self.asked[:] = blank()
        with contextlib.suppress(OSError):  # the process has just died: `wait` finds out
            self.pipe.send((task.work, task.condemned, task.width, task.careful))

    def has_ended(self, seconds: float = 0.0) -> bool:
        """Whether the process is over; waits at most `seconds` for that. (Its files may be closed while it lives.)"""
        deadline = time.monotonic() + seconds
        while not (ended := self._is_over()) and time.monotonic() < deadline:
            time.sleep(0.01)
        return ended

    def _is_over(self) -> bool:
        """Whether the process is over. It is not cleared away if the system allows that, so that no other process gets
        its number before `end`."""
        if not hasattr(os, "waitid") or self.process.pid is None:
            return not self.process.is_alive()
        try:
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # multiprocessing has cleared it away when another process was started
            self._cleared = True
            return True

    def end(self) -> None:
        """Kill the process and all processes that it has begun, and clear it away."""
        self._is_over()
        kill_family(None if self._cleared else self.process.pid, self._mark)
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """A backend of `jobs` processes; every process makes agents of its own."""

    def __init__(self, jobs: int) -> None:
        if jobs < 1:
            raise ValueError(f"the number of processes is at least 1, not {jobs}")
        self._context = multiprocessing.get_context("spawn")
        self._workers = [_Worker(self._context) for _ in range(jobs)]

    def free(self) -> int:
        return sum(worker.task is None for worker in self._workers)

    def submit(self, work: Work) -> None:
        free = next(worker for worker in self._workers if worker.task is None)
        if free.has_ended():  # something that an agent of earlier work left behind has ended the process
            free = self._exchanged(free)
        free.give(_Task(work))

    def wait(self) -> list[Done]:
        busy = [worker for worker in self._workers if worker.task is not None]
        done: list[Done] = []
        while busy and not done:
            handles = {worker.pipe: worker for worker in busy} | {worker.process.sentinel: worker for worker in busy}
            ready = {id(worker): worker for worker in (handles[h] for h in wait(list(handles), LOOK_SECONDS))}
            for worker in busy:
                done += self._look(worker) if id(worker) in ready else self._watch(worker)
            busy = [worker for worker in self._workers if worker.task is not None]
        return done

    def _look(self, worker: _Worker) -> list[Done]:
        """The work that a worker has finished; a worker that has died is replaced."""
        task = worker.task
        assert task is not None
        try:
            if worker.pipe.poll():
                answer = worker.pipe.recv()
                worker.task = None
                if task.careful:  # what killed an earlier process may still go on in this one
                    self._exchanged(worker)
                if isinstance(answer, BaseException):
                    raise answer
                return [Done(task.work.number, answer)]
        except (EOFError, ConnectionError):
            pass  # the process sends nothing any more
        worker.has_ended(GRACE_SECONDS)
        self._replace(worker, task)
        return []

    def _watch(self, worker: _Worker) -> list[Done]:
        """Replace a worker whose agent takes too long."""
        task = worker.task
        assert task is not None
        if (reason := overstayed(worker.asked, task)) is not None:
            self._replace(worker, task, reason)
        return []

    def _replace(self, worker: _Worker, task: _Task, reason: str | None = None) -> None:
        """Give the task of a worker that has died, or that is killed for a reason, to a new worker."""
        record = worker.asked.copy()
        new = self._exchanged(worker)
        if reason is None and (damage := int(record["damage"][0])):
            reason = DAMAGES[damage] if damage != MEMORY else None
        _blame(task, record, worker.process.exitcode, reason)
        task.careful = True
        new.give(task)

    def _exchanged(self, worker: _Worker) -> _Worker:
        """End a worker; the new worker in its place."""
        worker.end()
        new = _Worker(self._context)
        self._workers[self._workers.index(worker)] = new
        return new

    def close(self) -> None:
        for worker in self._workers:
            worker.end()


def overstayed(record: Array, task: _Task) -> str | None:
    """The reason why the agent that is asked must be stopped from outside; None if there is none."""
    number, seen = int(record["number"][0]), record.copy()
    if not seen["open"][0]:
        return None
    compiled, taken = compiled_and_taken(seen, time.monotonic_ns())
    limit = int(seen["limit"][0])
    reason = None
    if limit and taken > limit + GRACE_SECONDS * 1e9:
        reason = stopped(task.limit(int(seen["move"][0])))
    elif compiled > COMPILE_SECONDS * 1e9:
        reason = f"it was stopped after compiling for {COMPILE_SECONDS:g} s"
    return reason if int(record["number"][0]) == number and record["open"][0] else None


def _blame(task: _Task, record: Array, code: int | None, reason: str | None) -> None:
    """Decide what the death of a process over this task means for the next try.

    Suspected is the agent that was asked, or was asked last. It forfeits its game if there is a reason, or if it is
    suspected for the second time.
    """
    row, seat, move = (int(record[name][0]) for name in ("row", "seat", "move"))
    if row in (NOBODY, MAKING):
        _count(task, row)
    elif row == SEVERAL:
        task.width = 1
    elif reason is not None:
        task.condemned[row, seat] = (move, reason)
    elif (row, seat) in task.suspects:
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        how = DAMAGES[MEMORY] if int(record["damage"][0]) == MEMORY else f"its process ended ({how})"
        task.condemned[row, seat] = (move, f"{how}, twice")
    task.suspects.add((row, seat))


def _count(task: _Task, row: int) -> None:
    """Count a death during which no agent was asked; RuntimeError if there were too many."""
    task.deaths += 1
    event = task.work.event
    if row == MAKING and task.deaths >= MAKING_DEATHS:
        who = ", ".join(event.roster)
        raise RuntimeError(f"{task.deaths} processes ended while they made the agents {who} of {event.game}")
    if task.deaths > DEATHS:
        raise RuntimeError(f"{DEATHS} processes died over the same games of {event.game}: out of memory?")


# ---------------------------------------------------------------- in the process


def _serve(pipe: Connection, shared: Any, to_the_end: bool) -> None:
    """Play what comes through the pipe until it is closed or the tournament's process is gone."""
    _ignore_interrupts()
    os.dup2(2, 1)  # what agents print goes to stderr: stdout is for the results of the tournament
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # nothing is lost where the process is ended
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # a group of its own, which can be killed with all processes that agents begin
    parent = multiprocessing.parent_process()
    if parent is not None:
        start_thread(parent, to_the_end)
    clock, state = Clock(np.frombuffer(shared, ASKED)), ProcessState([1, 2, pipe.fileno()])
    while True:
        try:
            work, condemned, width, careful = pipe.recv()
        except EOFError:
            return
        try:
            answer: Any = carry_out(work, Guard(clock, condemned, state, careful), width)
        except MemoryError:  # the agent that was asked last has left no memory
            state.end(clock.record, MEMORY)
        except Exception as error:  # the tournament's process raises it
            answer = _portable(error)
        pipe.send(answer)


def _portable(error: Exception) -> Exception:
    """The error in a form that can be sent through the pipe."""
    if type(error) in (ValueError, OSError, ImportError, RuntimeError):
        return error
    import traceback

    return RuntimeError("".join(traceback.format_exception(error)))
