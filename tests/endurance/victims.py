"""Processes that are started to be killed, alone or with their whole process group.

Every process begins a session of its own, so that all its descendants can be found by the number of the session, also
when their parent has ended.
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

GONE_SECONDS = 30.0  # the descendants of a killed process must have ended after that time
WAIT_SECONDS = 1200.0  # the longest time without progress: a busy machine may be compiling


@dataclass
class Killings:
    """The numbers of kills: the whole group, and the parent alone, in turn."""

    random: random.Random
    group: int = 0
    alone: int = 0
    left: list[str] = field(default_factory=list)  # processes that outlived their parent

    @property
    def total(self) -> int:
        return self.group + self.alone


class Victim:
    """A Python process in a folder; its output goes to a file."""

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
        """Wait until `holds` is true, or the process has ended, or the time is over."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.has_ended() and not holds():
            time.sleep(0.02)

    def finished(self) -> int:
        """Wait for the end of the process; its exit code."""
        try:
            return self.process.wait(WAIT_SECONDS)
        finally:
            self.end()

    def kill(self, killings: Killings) -> None:
        """Kill -9, unless the process has ended. Descendants that survive are noted and ended, too."""
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
        """End the process and its group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def in_session(session: int) -> list[int]:
    """The living processes of a session, without those that have ended and still wait for their parent."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, _, _, number = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                if int(number) == session and state not in "ZX":
                    found.append(int(entry.name))
    return found
