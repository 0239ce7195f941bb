"""How it is measured: every run is repeated in turn with all others, so that noise of the machine hits all alike."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.core import Run

START_UP = """
import time
start = time.perf_counter()
import skyline
imported = time.perf_counter()
env = skyline.env({game!r}, {players})
env.reset(seed=1)
env.step(env.action_space(env.agent_selection).sample(env.last()[0]["action_mask"]))
print(imported - start, time.perf_counter() - start)
"""


@dataclass(frozen=True)
class Speed:
    """Steps a second of one layer over interleaved rounds."""

    best: float
    median: float
    rounds: int

    @property
    def nanoseconds(self) -> float:
        return 1e9 / self.best


def interleaved(runs: Mapping[str, Run], seconds: float, progress: Callable[[float], None]) -> dict[str, Speed]:
    """Measure all runs round by round for about `seconds` each; `progress` gets the done share 0 .. 1."""
    for run in runs.values():
        run()  # compiles, warms up
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    deadline = time.perf_counter() + seconds * len(runs)
    start = time.perf_counter()
    while not speeds or min(map(len, speeds.values())) < 3 or time.perf_counter() < deadline:
        for name, run in runs.items():
            before = time.perf_counter()
            steps = run()
            speeds[name].append(steps / (time.perf_counter() - before))
        progress(min(1.0, (time.perf_counter() - start) / (deadline - start)))
    return {name: Speed(max(rates), statistics.median(rates), len(rates)) for name, rates in speeds.items()}


def start_up(game: str, players: int) -> dict[str, float]:
    """Seconds of a fresh process: import, and start to first step, with an empty kernel cache and with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        program = START_UP.format(game=game, players=players)
        times = []
        for _ in range(4):
            shown = subprocess.run(
                [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
            )
            times.append([float(word) for word in shown.stdout.split()])
    warm = times[1:]
    return {
        "import": min(seconds[0] for seconds in warm),
        "first step, compiling": times[0][1],
        "first step, cached": min(seconds[1] for seconds in warm),
    }


def fingerprint() -> dict[str, Any]:
    """The machine, the versions and a calibration loop, so that figures can be told apart."""
    import gymnasium
    import numba
    import numpy
    import pettingzoo

    import skyline

    before = time.perf_counter()
    total = sum(i * i for i in range(1_000_000))
    calibration = time.perf_counter() - before
    return {
        "machine": platform.machine(),
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "versions": {
            package.__name__: package.__version__ for package in (skyline, numba, numpy, gymnasium, pettingzoo)
        },
        "python loop of 1,000,000 squares, seconds": round(calibration, 4) if total else 0.0,
    }


def _cpu_name() -> str:
    try:
        with open("/proc/cpuinfo") as file:  # noqa: PTH123 - a pseudo file
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def as_data(speeds: Mapping[str, Speed]) -> dict[str, dict[str, float]]:
    """The speeds for a JSON file."""
    return {name: {**asdict(speed), "nanoseconds": speed.nanoseconds} for name, speed in speeds.items()}
