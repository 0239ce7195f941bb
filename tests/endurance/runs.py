"""A command that runs once without interruption, or is killed and started again until it ends by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.endurance.victims import Killings, Victim

LOG = "said.txt"


@dataclass(frozen=True)
class Moments:
    """When a run is killed."""

    at_any_time: float  # the share of the kills that come while a process starts, loads or compiles
    beginning: float  # such a kill comes within the first seconds, that many
    midst: float  # every other kill comes within that many seconds after a new result


@dataclass(frozen=True)
class Run:
    """One run in a folder of its own."""

    name: str
    folder: Path
    env: dict[str, str]
    command: Callable[[], list[str]]  # the arguments of Python; a command that goes on may differ from the first
    results: Callable[[], Any]  # differs from the value before as soon as there is a new result
    shown: Callable[[], str]  # the results in words
    moments: Moments

    def whole(self) -> float:
        """Run without interruption; the seconds."""
        begun, victim = time.monotonic(), self._victim()
        try:
            self._check(victim.finished())
        finally:
            victim.end()
        return time.monotonic() - begun

    def killed(self, most: int, killings: Killings, tell: Callable[[str], None]) -> int:
        """Run in spite of up to `most` kills; how often the command was started. RuntimeError if it fails."""
        starts, before, code = 0, killings.total, -1
        while code != 0:
            starts += 1
            victim = self._victim()
            try:
                if killings.total - before >= most:
                    code = victim.finished()
                else:
                    self._let_live(victim, killings)
                    victim.kill(killings)
                    tell(f"{self.name}: {killings.total - before} kills, {self.shown()}")
                    code = victim.process.returncode
            finally:
                victim.end()
            self._check(max(code, 0))  # a negative code: the process was killed
        return starts

    def _victim(self) -> Victim:
        return Victim(self.command(), self.folder, self.env, self.folder / LOG)

    def _check(self, code: int) -> None:
        if code != 0:
            raise RuntimeError(f"{self.name}: exit code {code}: {(self.folder / LOG).read_text()[-2000:]}")

    def _let_live(self, victim: Victim, killings: Killings) -> None:
        """Wait for a random time: within the beginning of the process, or after its next result."""
        if killings.random.random() < self.moments.at_any_time:
            victim.wait_until(lambda: False, killings.random.uniform(0, self.moments.beginning))
            return
        there = self.results()
        victim.wait_until(lambda: bool(self.results() != there))
        victim.wait_until(lambda: False, killings.random.uniform(0, self.moments.midst))
