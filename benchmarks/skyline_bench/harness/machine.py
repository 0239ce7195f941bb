"""The machine of a run, and the start-up times of a process."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PACKAGES = ("skyline-envs", "numba", "llvmlite", "numpy", "gymnasium", "pettingzoo", "torch", "stable-baselines3",
            "sb3-contrib")  # fmt: skip

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


def start_up(game: str, players: int) -> dict[str, float]:
    """Seconds of a new process for the import and until the first step, with an empty and a full kernel cache."""
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


def calibration() -> float:
    """Seconds of a plain Python loop of 1,000,000 squares, the best of three: a measure of the machine's speed now."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        sum(i * i for i in range(1_000_000))
        times.append(time.perf_counter() - begun)
    return round(min(times), 5)


def load() -> list[float] | None:
    """The load averages, where the system has them."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None


def fingerprint() -> dict[str, Any]:
    """The machine, the versions, the commit and a calibration loop: all that figures may depend on."""
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "machine": platform.machine(),
        "system": platform.platform(),
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "load": load(),
        "python": platform.python_version(),
        "versions": versions(),
        "commit": commit(Path(__file__).parent),
        "calibration": calibration(),
    }


def versions() -> dict[str, str]:
    """The versions of the packages that speed depends on, as far as they are installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def commit(folder: Path) -> str | None:
    """The commit of a checkout, with `+` if files differ from it; None where there is none."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def cpu_name() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"
