"""What the agents of one process share with each other and with the tournament, and could spoil.

The current folder, signal handlers, limits, output, environment and so on are put right after every question. Some
damage cannot be put right: files that are closed, limits that are lowered for good. Such damage ends the process. A new
process plays the games again, and the agent that did the damage forfeits its game.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, cast

import numpy as np

from skyline.typing import Array

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

FILES, LIMITS, MEMORY = 1, 2, 3  # kinds of damage
DAMAGES = {
    FILES: "it closed or replaced files of its process",
    LIMITS: "it lowered a limit of its process for good",
    MEMORY: "it left its process without memory",
}
ENDED = 70  # the exit code of a process that ended itself because of damage

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, name)]
_LIMITS = [getattr(resource, f"RLIMIT_{name}", None) for name in ("AS", "DATA", "NOFILE", "FSIZE", "CPU")]
LIMITED = [limit for limit in _LIMITS if limit is not None]


class ProcessState:
    """The state of this process when the object is made, to which `put_right` returns. For the main thread."""

    def __init__(self, files: Sequence[int]) -> None:
        """`files` are the file descriptors that the process needs."""
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
        """Device and number of the file of a descriptor; None if the descriptor is closed."""
        try:
            found = os.fstat(number)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @staticmethod
    def _current_folder() -> str | None:
        """The current folder; None if it has been removed."""
        try:
            return os.getcwd()  # noqa: PTH109 - half the time of Path.cwd, after every question
        except OSError:
            return None

    def end_forked_child(self) -> None:
        """End a copy of this process that an agent has forked: only the original plays on."""
        if os.getpid() != self._process:
            os._exit(0)

    def end(self, record: Array, damage: int) -> NoReturn:
        """Note the damage in `record`, one of `clock.ASKED`, and end the process."""
        self.end_forked_child()
        record["damage"] = damage
        os._exit(ENDED)

    def put_right(self) -> int:
        """Put right what can be put right; the number of a damage in DAMAGES that cannot, 0 for none."""
        if not self._put_back_limits():
            return LIMITS
        if any(self._file(number) != found for number, found in self._files.items()):
            return FILES
        self._put_back_interpreter()
        self._put_back_signals()
        if self._current_folder() != self._folder and self._folder is not None:
            with contextlib.suppress(OSError):  # the folder was removed: nothing of ours needs the folder
                os.chdir(self._folder)
        if _raw_environment() != self._raw:
            os.environ.clear()
            os.environ.update(self._environment)
        return 0

    def _put_back_limits(self) -> bool:
        """Set the limits of the process to what they were; False if that is not allowed."""
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
        """Set sys.stdout and sys.stderr to what they were; a closed one is opened again on its descriptor."""
        sys.stdout, sys.stderr = self._output
        if sys.stdout.closed:
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        if sys.stderr.closed:
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        self._output = sys.stdout, sys.stderr


def _raw_environment() -> Any:
    """The dict of bytes below os.environ: comparing it takes a twentieth of the time."""
    return vars(os.environ)["_data"]
