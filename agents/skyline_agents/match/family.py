"""The family of a worker: the processes that a worker of a tournament, or an agent in it, has begun, and their end.

A worker carries a mark in its environment, which everything that it begins inherits. So no process outlives its worker,
and no worker outlives the tournament's process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

MARK = "SKYLINE_WORKER"  # the variable of the environment that holds the mark of a worker


def start_thread(parent: Any, to_the_end: bool) -> None:
    """Start a thread that ends this process when its parent ends; on Linux even while a call in C holds the
    interpreter.

    `to_the_end`: the thread of the parent that began this process lives as long as the parent. Linux ends a process
    with that thread, not with its parent.
    """
    if sys.platform == "linux" and to_the_end:
        import ctypes

        when_the_parent_dies = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(when_the_parent_dies, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=end_with_parent, args=(parent, os.environ[MARK]), daemon=True).start()


def end_with_parent(parent: Any, mark: str) -> None:
    """Wait until the parent process has ended, then end this process and all that it has begun."""
    parent.join()
    while hasattr(os, "fork") and os.getppid() == parent.pid:  # the parent lives: an agent has closed its sentinel
        time.sleep(1)
    kill_family(os.getpid(), mark)
    os._exit(1)


def kill_family(leader: int | None, mark: str) -> None:
    """Kill a worker with the processes of its group and, on Linux, all other processes that have its mark.

    `leader` is the process number of the worker; None if another process may have got this number.
    """
    if not hasattr(os, "killpg"):
        return
    for process in _marked(mark):
        if process != os.getpid():
            with contextlib.suppress(OSError):  # the process has ended
                os.kill(process, signal.SIGKILL)
    if leader is not None:  # the group comes last: this process may be in it
        with contextlib.suppress(OSError):  # the worker has ended, or has not made its group yet
            os.killpg(leader, signal.SIGKILL)


def _marked(mark: str) -> list[int]:
    """The processes that have the mark, also those in groups and sessions of their own."""
    found, variable = [], f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # the process has ended, or belongs to another user
            if variable in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
