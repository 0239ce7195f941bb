"""A line on stderr while the compiler takes a noticeable time.

On a terminal it is rewritten as the work goes on, and removed at the end:

    skyline: compiling New York for this machine, once: 57 of 86 functions

Elsewhere one line is said before:

    skyline: compiling the kernels of new_york for this machine, once; this may take half a minute ..

A kernel is made of many functions. Those that the kernel reaches are counted before (`skyline.core.reach`), without
those that an earlier kernel of the process has compiled; when all of them are compiled, the kernel is optimised as a
whole. Kernels are compiled when they are first called and kept in the cache: a process that finds its kernels in the
cache says nothing. The line that stays goes through the logger `skyline.compiling` of Python's `logging`, by default to
stderr; where the logger has a handler, this line is said on a terminal, too, and none is rewritten. Nothing is said

* where the environment variable `SKYLINE_QUIET` is set to anything but 0,
* where the logger is silenced: `logging.getLogger("skyline.compiling").disabled = True`,
* in the worker processes of `multiprocessing`: the process that started them speaks (`before_workers`).

numba tells its listeners when the compiler of a function begins and ends ("numba:compile"). Kernels of this library
have an attribute `belongs_to`, the game or the name of a package; what a user compiles with numba elsewhere is not
spoken of.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numba.core import event

from skyline import status

NOTICEABLE = 1.0  # seconds of compiling after which the line is said: the kernels of a game take many more
LONG = 10.0  # the same for a single function of a package, which takes a second, and more on a busy machine
STAMP = re.compile(r"-[0-9a-f]{16}$")  # ends the name of a kernel folder
QUIET = "SKYLINE_QUIET"
BETWEEN = 0.1  # seconds between two texts on a terminal

Function = Callable[..., Any]

log = logging.getLogger("skyline.compiling")


def is_quiet() -> bool:
    """Whether this process says nothing: the user wishes so, or another process speaks for this one."""
    return os.environ.get(QUIET, "0") not in ("", "0") or multiprocessing.parent_process() is not None


@dataclass(eq=False)
class Work:
    """A kernel that is being compiled."""

    title: str  # of the game
    name: str  # of the kernels that are kept together
    patience: float  # seconds of compiling such kernels before anything is said
    functions: frozenset[Function]  # that are to be compiled for this kernel
    began: float
    shown: float = 0.0  # when a text was shown last
    text: str = ""


@dataclass(eq=False)
class Count:
    """How many kernels have been begun."""

    done: int = 0


class Announcer(event.Listener):  # type: ignore[misc] # numba is not read by mypy
    """Tells of the kernels that are compiled: on a terminal how far they are, elsewhere once for each kernel folder."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._spent: dict[str, float] = {}  # seconds of compiling by the name of the kernels
        self._compiled: set[Function] = set()  # functions that our kernels call, compiled in this process
        self._thread = threading.local()  # how deep the thread is in functions that are compiled within others
        self._count: Count | None = None

    def on_start(self, event: Any) -> None:
        here = self._thread.__dict__
        here["depth"] = here.get("depth", 0) + 1
        if here["depth"] == 1:
            here["work"] = self._begun(event.data["dispatcher"])
        if here["work"] is not None:
            self._tell(here["work"])

    def on_end(self, event: Any) -> None:
        here = self._thread.__dict__
        here["depth"] -= 1
        work = here["work"]
        if work is None:
            return
        if here["depth"]:
            self._compiled |= work.functions & {event.data["dispatcher"].py_func}
            self._tell(work)
            return
        self._spent[work.name] = self._spent.get(work.name, 0.0) + time.perf_counter() - work.began
        if work.text:
            status.clear()

    def _begun(self, dispatcher: Any) -> Work | None:
        """The work on a kernel of ours; None for what others compile with numba."""
        owner = getattr(dispatcher, "belongs_to", None)
        if owner is None:
            return None
        if self._count is not None:
            self._count.done += 1
        from skyline.core.reach import reached, title_of  # they import the contract, which needs this room

        game = None if isinstance(owner, str) else owner
        functions = reached(dispatcher.py_func, game) - self._compiled
        title = title_of(owner) if game is None else game.title
        name, patience = kernels_of(dispatcher)
        return Work(title, name, patience, frozenset(functions), time.perf_counter())

    def _tell(self, work: Work) -> None:
        """Show how far the work is, once the compiler has taken a noticeable time."""
        now = time.perf_counter()
        if self._spent.get(work.name, 0.0) + now - work.began < work.patience:
            return
        if is_quiet() or not status.is_shown() or log.hasHandlers():
            self.say(work.name)
            return
        left = len(work.functions - self._compiled)
        text = self._text(work, left)
        if text == work.text or (left and now - work.shown < BETWEEN) or not log.isEnabledFor(logging.WARNING):
            return
        work.shown, work.text = now, text
        status.show(text)

    def _text(self, work: Work, left: int) -> str:
        """compiling New York for this machine, once: 57 of 86 functions"""
        whole = len(work.functions)
        done = f": {whole - left} of {whole} functions" if left else ": optimising" if whole else ""
        if self._count is None:
            return f"compiling {work.title} for this machine, once{done}"
        return f"compiling {work.title}, kernel {self._count.done}{done}"

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        """Count the kernels that are compiled from now on."""
        self._count = Count()
        try:
            yield
        finally:
            self._count = None

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
event.register("numba:compile", ANNOUNCER)
