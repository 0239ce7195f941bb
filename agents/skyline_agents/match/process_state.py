"""What the agents of one process share with each other and with the tournament, and could spoil.

The folder, signal handlers, limits, output, environment and so on are put back after every question. What cannot be put
back (files that are closed, limits lowered for good) ends the process: a new one plays the games again, and the agent
that has done it forfeits its game.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

from skyline.typing import Array

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

FILES, LIMITS, MEMORY = 1, 2, 3
DAMAGES = {
    FILES: "it closed or replaced files of its process",
    LIMITS: "it lowered a limit of its process for good",
    MEMORY: "it left its process without memory",
}
ENDED = 70  # exit code of a process that could not go on

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name)]
_LIMITS = [getattr(resource, f"RLIMIT_{name}", None) for name in ("AS", "DATA", "NOFILE", "FSIZE", "CPU")]
LIMITED = [limit for limit in _LIMITS if limit is not None]


class ProcessState:
    """The state of this process now, to come back to. For the main thread."""

    def __init__(self, files: Sequence[int]) -> None:
        """`files` are the descriptors that the process needs."""
        self._process = os.getpid()
        self._files = {number: self._file(number) for number in files}
        self._folder = self._current_folder()
        self._handlers = {number: signal.getsignal(number) for number in _SIGNALS}
        self._blocked = signal.pthread_sigmask(signal.SIG_BLOCK, []) if hasattr(signal, "pthread_sigmask") else None
        self._recursion, self._arithmetic = sys.getrecursionlimit(), np.geterr()
        self._environment = dict(os.environ)
        self._raw = dict(_raw_environment())
        self._limits = {limit: resource.getrlimit(limit) for limit in LIMITED}
        self._output = sys.stdout, sys.stderr
        self._filters = list(warnings.filters)
        self._tracing = sys.gettrace(), sys.getprofile()

    @staticmethod
    def _file(number: int) -> tuple[int, int] | None:
        """What a descriptor stands for; None if it is closed."""
        try:
            found = os.fstat(number)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @staticmethod
    def _current_folder() -> str | None:
        """The current folder; None if it has been removed."""
        try:
            return os.getcwd()  # noqa: PTH109 - half the time of Path.cwd, and this is asked after every question
        except OSError:
            return None

    def end_forked_child(self) -> None:
        """An agent's copy of this process must not play on: it ends here."""
        if os.getpid() != self._process:
            os._exit(0)

    def end(self, record: Array, damage: int) -> NoReturn:
        """End the process, and leave word why (`record` is one of `clock.ASKED`)."""
        self.end_forked_child()
        record["damage"] = damage
        os._exit(ENDED)

    def put_right(self) -> int:
        """Put back what can be put back; what else is broken as a number of DAMAGES, 0 for nothing."""
        if not self._put_back_limits():
            return LIMITS
        if any(self._file(number) != found for number, found in self._files.items()):
            return FILES
        self._put_back_interpreter()
        self._put_back_signals()
        if self._current_folder() != self._folder and self._folder is not None:
            with contextlib.suppress(OSError):  # the folder is gone: nothing of ours needs it
                os.chdir(self._folder)
        if _raw_environment() != self._raw:
            os.environ.clear()
            os.environ.update(self._environment)
        return 0

    def _put_back_limits(self) -> bool:
        """Whether the limits of the process are what they were."""
        for limit, kept in self._limits.items():
            if resource.getrlimit(limit) != kept:
                try:
                    resource.setrlimit(limit, kept)
                except (OSError, ValueError):
                    return False
        return True

    def _put_back_signals(self) -> None:
        for number, handler in self._handlers.items():
            if signal.getsignal(number) is not handler:
                signal.signal(number, handler)
        if hasattr(signal, "setitimer") and signal.getitimer(signal.ITIMER_REAL)[0]:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self._blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._blocked)

    def _put_back_interpreter(self) -> None:
        if sys.gettrace() is not self._tracing[0]:
            sys.settrace(self._tracing[0])
        if sys.getprofile() is not self._tracing[1]:
            sys.setprofile(self._tracing[1])
        if sys.getrecursionlimit() < self._recursion:
            sys.setrecursionlimit(self._recursion)
        if np.geterr() != self._arithmetic:
            np.seterr(**self._arithmetic)
        if warnings.filters != self._filters:
            warnings.resetwarnings()
            cast(list[Any], warnings.filters).extend(self._filters)
        if not gc.isenabled():
            gc.enable()
        if (sys.stdout, sys.stderr) != self._output or self._output[0].closed or self._output[1].closed:
            self._put_back_output()

    def _put_back_output(self) -> None:
        """Python's own output, on the descriptors that are still open."""
        sys.stdout, sys.stderr = self._output
        if sys.stdout.closed:
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        if sys.stderr.closed:
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        self._output = sys.stdout, sys.stderr


def _raw_environment() -> Any:
    """The dict below os.environ: comparing that one costs a twentieth."""
    return vars(os.environ)["_data"]


def end_with_parent(parent: Any, mark: str) -> None:
    """Wait until the parent process is gone, then end this process with all that it has begun."""
    parent.join()
    while hasattr(os, "fork") and os.getppid() == parent.pid:  # it lives: an agent has closed what tells of its end
        time.sleep(1)
    kill_family(os.getpid(), mark)
    os._exit(1)


def start_thread(parent: Any, to_the_end: bool) -> None:
    """End this process when its parent does; on Linux even while a call in C holds the interpreter.

    `to_the_end`: the parent's thread that has begun this process lives as long as the parent: Linux looks at threads.
    """
    if sys.platform == "linux" and to_the_end:
        import ctypes

        when_the_parent_dies = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(when_the_parent_dies, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=end_with_parent, args=(parent, os.environ[MARK]), daemon=True).start()


# ---------------------------------------------------------------- ending a process and what it has begun


MARK = "SKYLINE_WORKER"  # a variable of a worker's environment; what the worker begins inherits it


def kill_family(leader: int | None, mark: str) -> None:
    """Kill a worker with the processes of its group and, on Linux, all others that have its mark.

    `leader` is the number of the worker; None where it may be that of another process by now.
    """
    if not hasattr(os, "killpg"):
        return
    for process in _marked(mark):
        if process != os.getpid():
            with contextlib.suppress(OSError):  # it has ended
                os.kill(process, signal.SIGKILL)
    if leader is not None:  # the last, as this process may be among them
        with contextlib.suppress(OSError):  # it has ended, or has not made its group yet
            os.killpg(leader, signal.SIGKILL)


def _marked(mark: str) -> list[int]:
    """Processes that a worker, or what it began, has begun: in groups and sessions of their own, too."""
    found, variable = [], f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            if variable in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
