"""Processes that are started to be killed: by their whole group, or the parent alone, as a machine or a user would.

Every process begins a session of its own, so that all its descendants are found by the session's number, whoever their
parent has become.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

GONE_SECONDS = 30.0  # by when nothing of a killed process may be left
WAIT_SECONDS = 1200.0  # for progress, compiling on a busy machine included


@dataclass
class Killings:
    """How often processes were killed, by turns in two ways."""

    random: random.Random
    group: int = 0
    alone: int = 0
    left: list[str] = field(default_factory=list)  # what outlived its parent

    @property
    def total(self) -> int:
        return self.group + self.alone


class Victim:
    """A Python process in a folder; what it says goes to a file."""

    def __init__(self, arguments: list[str], folder: Path, env: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, *arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                stdout=said, stderr=said, start_new_session=True,
            )  # fmt: skip

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def wait_until(self, holds: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
        """Until something holds, or the process has ended, or the time is over."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.has_ended() and not holds():
            time.sleep(0.02)

    def finished(self) -> int:
        """Its exit code, when it has ended by itself."""
        try:
            return self.process.wait(WAIT_SECONDS)
        finally:
            self.end()

    def kill(self, killings: Killings) -> None:
        """Kill -9, unless it has ended; what has not gone with it is noted, and ended, too."""
        if self.has_ended():
            return
        by_group = killings.total % 2 == 0
        (os.killpg if by_group else os.kill)(self.process.pid, signal.SIGKILL)
        self.process.wait()
        killings.group, killings.alone = killings.group + by_group, killings.alone + (not by_group)
        deadline = time.monotonic() + GONE_SECONDS
        while (left := in_session(self.process.pid)) and time.monotonic() < deadline:
            time.sleep(0.02)
        if left:
            killings.left.append(f"processes {left} outlived {self.process.pid}")
        self.end()

    def end(self) -> None:
        """Nothing of it is left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def in_session(session: int) -> list[int]:
    """The living processes of a session; one that has ended and was not waited for yet lives no more."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, _, _, number = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                if int(number) == session and state not in "ZX":
                    found.append(int(entry.name))
    return found
