"""A process that runs inputs of one target. The parent (`driver.py`) starts it and reads what it reports.

    python -m tests.fuzz.worker --target records --folder F --report FD --seed 1 --first 0 --step 2
    python -m tests.fuzz.worker --target records --folder F --report FD --seed 1 --first 17 --count 1
    python -m tests.fuzz.worker --target records --folder F --report FD FILE ..

Input i is made by the random generator of "seed:target:i", so that every process makes the same input of a seed and
a number. Before an input runs, the file `current` in the folder holds the number and the input: the parent knows the
input even if this process dies. A report is a line of JSON on the descriptor FD.
"""

from __future__ import annotations

import argparse
import faulthandler
import itertools
import json
import os
import random
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fuzz.judgement import FINDING, Judgement, judged
from tests.fuzz.targets import target
from tests.fuzz.targets.base import Target

TELL_SECONDS = 0.3
LOG = 2**20  # bytes: a longer log of the process's own output is emptied


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, kind in (
        ("target", str),
        ("folder", Path),
        ("report", int),
        ("seed", int),
        ("first", int),
        ("step", int),
        ("count", int),  # inputs in all; 0: until the parent ends this process
    ):
        parser.add_argument(f"--{name}", type=kind, default=0)
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    report = os.fdopen(given.report, "w", buffering=1)
    files = [path.resolve() for path in given.files]
    running = made(given.target, given.folder, gathers=not given.files)
    report.write(json.dumps({"ready": os.getpid()}) + "\n")
    inputs = ((i, path.read_bytes()) for i, path in enumerate(files)) if files else _made_inputs(running, given)
    current = given.folder / "current"
    Tally(report, single=bool(files or given.count)).count(_outcomes(running, inputs, current))
    current.unlink(missing_ok=True)


def made(name: str, folder: Path, gathers: bool) -> Target:
    """The target, prepared. This process gets the target's limits, and all its output goes to a log."""
    folder.mkdir(parents=True, exist_ok=True)
    log = os.open(folder / "log", os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_APPEND)
    for descriptor in (1, 2):
        os.dup2(log, descriptor)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    os.chdir(scratch)
    running = target(name)(scratch)
    running.prepare()
    if gathers:
        running.gather()
    limit = _size() + running.memory
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return running


def _size() -> int:
    """The bytes of address space that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _made_inputs(running: Target, given: Any) -> Iterator[tuple[int, bytes]]:
    numbers = itertools.count(given.first, given.step)
    for number in itertools.islice(numbers, given.count or None):
        yield number, running.make(random.Random(f"{given.seed}:{given.target}:{number}"))


def _outcomes(
    running: Target, inputs: Iterator[tuple[int, bytes]], current: Path
) -> Iterator[tuple[int, bytes, Judgement]]:
    for number, data in inputs:
        current.write_bytes(f"{number}\n".encode() + data)
        if os.fstat(1).st_size > LOG:
            os.ftruncate(1, 0)
        yield number, data, judged(running, data)


class Tally:
    """Counts outcomes and reports to the parent: findings at once, counts at intervals; with `single` every outcome."""

    def __init__(self, report: Any, single: bool) -> None:
        self._report, self._single = report, single
        self._counts: Counter[str] = Counter()
        self._told = time.monotonic()
        self._keys: Counter[str] = Counter()

    def count(self, outcomes: Iterator[tuple[int, bytes, Judgement]]) -> None:
        for number, data, outcome in outcomes:
            self._counts[outcome.kind] += 1
            if self._single or (outcome.kind == FINDING and self._is_news(outcome.key)):
                self._tell({"number": number, "outcome": outcome.as_data(), "data": data.hex()})
            if time.monotonic() - self._told > TELL_SECONDS:
                self._tell_counts()
        self._tell_counts()

    def _is_news(self, key: str) -> bool:
        """Whether the parent needs the input: only the first five inputs of each kind of finding are reported whole."""
        self._keys[key] += 1
        if self._keys[key] <= 5:
            return True
        self._counts[f"again {key}"] += 1
        return False

    def _tell_counts(self) -> None:
        self._tell({"counts": dict(self._counts)})
        self._counts.clear()
        self._told = time.monotonic()

    def _tell(self, message: dict[str, Any]) -> None:
        self._report.write(json.dumps(message) + "\n")


if __name__ == "__main__":
    sys.exit(main())
