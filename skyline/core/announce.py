"""One line on stderr before the compiler takes a noticeable time.

    skyline: compiling the kernels of manhattan for this machine, once; this may take half a minute ..

Kernels are compiled when they are first called and kept in the cache, so the line is seen once for each game and each
version of its sources. A process that finds its kernels in the cache says nothing. The line goes through the logger
`skyline.compiling` of Python's `logging`, by default to stderr. Nothing is said

* where the environment variable `SKYLINE_QUIET` is set to anything but 0,
* where the logger is silenced: `logging.getLogger("skyline.compiling").disabled = True`,
* in the worker processes of `multiprocessing`: the process that started them speaks (`before_workers`).

numba tells its listeners when the compiler of a function begins and ends ("numba:compile"), and
`skyline.core.cache.locked` tells when kernels of this library are made ready (COMPILING). A function that is compiled
between the two is one of ours; what a user compiles with numba elsewhere is not spoken of.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import threading
import time
from pathlib import Path
from typing import Any

from numba.core import event

from skyline.core.cache import COMPILING

NOTICEABLE = 1.0  # seconds of compiling after which the line is said: the kernels of a game take many more
LONG = 10.0  # the same for a single function of a package, which takes a second, and more on a busy machine
STAMP = re.compile(r"-[0-9a-f]{16}$")  # ends the name of a kernel folder
QUIET = "SKYLINE_QUIET"

log = logging.getLogger("skyline.compiling")


def is_quiet() -> bool:
    """Whether this process says nothing: the user wishes so, or another process speaks for this one."""
    return os.environ.get(QUIET, "0") not in ("", "0") or multiprocessing.parent_process() is not None


class Announcer(event.Listener):  # type: ignore[misc] # numba is not read by mypy
    """Says once for each kernel folder that its kernels are being compiled."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._spent: dict[str, float] = {}  # seconds of compiling by the name of the kernels
        self._thread = threading.local()  # how deep the thread is in functions that are compiled within others

    def on_start(self, event: Any) -> None:
        here = self._thread.__dict__
        if event.kind == COMPILING:
            here["ready"] = here.get("ready", 0) + 1
        elif here.get("ready", 0):
            if not here.get("depth", 0):
                here["began"] = time.perf_counter()
                here["name"], here["patience"] = kernels_of(event.data["dispatcher"])
            here["depth"] = here.get("depth", 0) + 1
            name = here["name"]
            if self._spent.get(name, 0.0) + time.perf_counter() - here["began"] >= here["patience"]:
                self.say(name)

    def on_end(self, event: Any) -> None:
        here = self._thread.__dict__
        if event.kind == COMPILING:
            here["ready"] = here.get("ready", 0) - 1
        elif here.get("depth", 0):
            here["depth"] -= 1
            if not here["depth"]:
                name = here["name"]
                self._spent[name] = self._spent.get(name, 0.0) + time.perf_counter() - here["began"]

    def say(self, name: str) -> None:
        """Say the line, unless it was said or the process is quiet."""
        if name not in self._said and not is_quiet():
            what = f"the kernels of {name} for this machine, once" if name else "kernels, which cannot be kept"
            log.warning("skyline: compiling %s; this may take half a minute ..", what)
        self._said.add(name)


def kernels_of(dispatcher: Any) -> tuple[str, float]:
    """The name of the kernels that a function of numba belongs to, and the seconds that they may take unannounced.

    The name is that of the cache folder without the stamp, and without the name of a function that has a folder of its
    own (`skyline.core.jit.FromPython`); "" for a function that is not kept.
    """
    folder = getattr(getattr(dispatcher, "_cache", None), "cache_path", None)
    kernels = STAMP.sub("", Path(folder).name) if folder else ""
    name = kernels.removesuffix(f"-{dispatcher.py_func.__name__}")
    return name, NOTICEABLE if name == kernels else LONG


def before_workers(name: str, folder: Path | None) -> None:
    """Say the line for worker processes that will find no kernel in this folder; they say nothing themselves."""
    if folder is not None and not any(folder.glob("*.nbc")):
        ANNOUNCER.say(name)


ANNOUNCER = Announcer()
for _kind in ("numba:compile", COMPILING):
    event.register(_kind, ANNOUNCER)
