"""Measured processes that take turns: the peers, the two sides of the gate, the batch sizes of the scaling curve.

Each process is started once and made ready; afterwards it plays only when it is asked to (peers/serve.py). So in every
round all processes are measured within a short time.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skyline_bench.harness.layer import Sample
from skyline_bench.peers.serve import MARK

# The most seconds for imports and compiling, and for an answer beyond the seconds of the run.
READY_SECONDS, ANSWER_SECONDS = 600.0, 300.0


class WorkerError(RuntimeError):
    """A measured process does not answer; the message ends with the last line of its output."""


class Worker:
    """A process that serves games to be measured."""

    def __init__(self, command: Sequence[str | Path], title: str, env: Mapping[str, str] | None = None,
                 cwd: Path | None = None) -> None:  # fmt: skip
        self.title = title
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - closed below
        self._process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            text=True, encoding="utf-8", env={**os.environ, **(env or {})}, cwd=cwd, start_new_session=True,
        )  # fmt: skip
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.ready: dict[str, Any] = {}
        self.memory: dict[str, int] = {}  # the most bytes held after each game's last run
        self.steps: dict[str, int] = {}  # steps in all runs of a game
        self.games: dict[str, int] = {}  # games that ended in all runs of a game

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            _, mark, answer = line.partition(MARK)
            if mark:
                self._lines.put(answer)
        self._lines.put("")

    def wait(self) -> None:
        """Wait until the process is ready."""
        self.ready = self._answer(READY_SECONDS)["ready"]

    def measure(self, game: str, seconds: float) -> Sample:
        """One run of a game."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"game": game, "seconds": seconds}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._failure("has ended") from None
        answer = self._answer(ANSWER_SECONDS + seconds)
        if "error" in answer:
            raise WorkerError(f"{self.title}, {game}: {answer['error']}")
        self.memory[game] = answer["memory"]
        self.steps[game] = self.steps.get(game, 0) + answer["steps"]
        self.games[game] = self.games.get(game, 0) + answer["games"]
        return Sample(answer["steps"], answer["seconds"])

    def _answer(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise self._failure(f"does not answer for {seconds:.0f} s") from None
        if not line:
            raise self._failure("has ended")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _failure(self, what: str) -> WorkerError:
        self._errors.seek(0)
        last = [line.strip() for line in self._errors.read().splitlines() if line.strip()][-1:]
        return WorkerError(": ".join([f"{self.title} {what}", *last]))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            if file is not None:
                file.close()
