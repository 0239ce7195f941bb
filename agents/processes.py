"""The local engine: processes on this machine, each of which plays one piece of work at a time.

Agents are other people's programs, so a process may die. Its games are played again by a new one. If that dies, too,
while it asks the same agent in the same game, the agent forfeits that game and the rest is played.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from agents import work as pieces
from agents.questions import Guard
from agents.work import Done, Work

DEATHS = 20  # over one piece of work while nobody was asked, before the tournament is given up


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Task:
    """A piece of work and what is known about processes that died over it."""

    work: Work
    width: int | None = None
    condemned: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)  # as in Guard
    suspects: set[tuple[int, int]] = field(default_factory=set)  # (row, seat) that was asked at a death
    deaths: int = 0  # while nobody was asked


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Worker:
    """A process with a pipe, and the words in which it says whom it is asking."""

    def __init__(self, context: Any) -> None:
        self.pipe, theirs = context.Pipe()
        shared = context.RawArray("q", 3)
        self.asking = np.frombuffer(shared, np.int64)
        self.asking[0] = Guard.NOBODY
        self.process = context.Process(target=_serve, args=(theirs, shared), daemon=True)
        with _deaf_to_interrupts():  # the process is so from its first moment on: Ctrl-C is the tournament's business
            self.process.start()
        theirs.close()
        self.task: _Task | None = None

    def give(self, task: _Task) -> None:
        self.task = task
        self.asking[0] = Guard.NOBODY
        with contextlib.suppress(OSError):  # it has just died: `wait` finds out
            self.pipe.send((task.work, task.condemned, task.width))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Processes:
    """`jobs` processes; agents are made anew in each of them."""

    def __init__(self, jobs: int) -> None:
        if jobs < 1:
            raise ValueError(f"the number of processes is at least 1, not {jobs}")
        self._context = multiprocessing.get_context("spawn")
        self._workers = [_Worker(self._context) for _ in range(jobs)]

    def free(self) -> int:
        return sum(worker.task is None for worker in self._workers)

    def submit(self, work: Work) -> None:
        next(worker for worker in self._workers if worker.task is None).give(_Task(work))

    def wait(self) -> list[Done]:
        busy = [worker for worker in self._workers if worker.task is not None]
        done: list[Done] = []
        while busy and not done:
            handles = {worker.pipe: worker for worker in busy} | {worker.process.sentinel: worker for worker in busy}
            ready = {id(worker): worker for worker in (handles[handle] for handle in wait(list(handles)))}
            for worker in ready.values():
                done += self._look(worker)
            busy = [worker for worker in self._workers if worker.task is not None]
        return done

    def _look(self, worker: _Worker) -> list[Done]:
        """What a worker has finished; a dead one is replaced."""
        task = worker.task
        assert task is not None
        try:
            if worker.pipe.poll():
                answer = worker.pipe.recv()
                worker.task = None
                if isinstance(answer, BaseException):
                    raise answer
                return [Done(task.work.number, answer)]
        except (EOFError, ConnectionError):
            worker.process.join()
        if not worker.process.is_alive():
            self._replace(worker, task)
        return []

    def _replace(self, worker: _Worker, task: _Task) -> None:
        row, seat, move = (int(word) for word in worker.asking)
        worker.end()
        _blame(task, row, seat, move, worker.process.exitcode)
        new = _Worker(self._context)
        self._workers[self._workers.index(worker)] = new
        new.give(task)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()


def _blame(task: _Task, row: int, seat: int, move: int, code: int | None) -> None:
    """A process has died over this task: who is to be asked differently, or no more, the next time?"""
    if row == Guard.NOBODY:
        task.deaths += 1
        if task.deaths > DEATHS:
            raise RuntimeError(f"{DEATHS} processes died over the same games of {task.work.event.game}: out of memory?")
    elif row == Guard.SEVERAL:
        task.width = 1
    elif (row, seat) in task.suspects:
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        task.condemned[row, seat] = (move, f"its process ended ({how}), twice")
    task.suspects.add((row, seat))


# ---------------------------------------------------------------- in the process


def _serve(pipe: Connection, shared: Any) -> None:
    """Play what comes through the pipe until it is closed or the tournament's process is gone."""
    os.dup2(2, 1)  # what agents print is no result of the tournament
    threading.Thread(target=_end_with_parent, daemon=True).start()
    asking = np.frombuffer(shared, np.int64)
    while True:
        try:
            work, condemned, width = pipe.recv()
        except EOFError:
            return
        try:
            answer: Any = pieces.play(work, Guard(asking, condemned), width)
        except Exception as error:  # told by the tournament's process
            answer = _portable(error)
        pipe.send(answer)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _portable(error: Exception) -> Exception:
    """The error in a form that survives the pipe."""
    if type(error) in (ValueError, OSError, ImportError, RuntimeError):
        return error
    import traceback

    return RuntimeError("".join(traceback.format_exception(error)))
