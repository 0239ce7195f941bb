"""Trainings that are killed and resumed, and compared with whole ones. They need the extra train."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.endurance.runs import Moments, Run

CHECKPOINT, MODEL, CURVE = "checkpoint.pt", "model.safetensors", "curve.jsonl"
RESULTS = "run"  # where in its folder a training writes
CLOCK = ("seconds", "sessions", "watch")  # parts of a checkpoint that differ from run to run
MOMENTS = Moments(at_any_time=0.2, beginning=8.0, midst=3.0)

SETTINGS = {
    "trunk": "64", "policy": "64", "value": "64", "groups": "2", "rows": "64", "steps": "32", "batch": "512",
    "pool": "4", "pool_every": "2", "heuristic": "0.3+0.3",
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A training: settings beside SETTINGS, and steps (times the size of the run)."""

    name: str
    settings: tuple[tuple[str, str], ...]
    steps: int

    def command(self, seed: int, size: float, resumes: bool) -> list[str]:
        steps = max(4096, round(self.steps * size))
        fixed = ["--players", "2", "--steps", str(steps), "--out", RESULTS, "--threads", "1"]
        measured = ["--deals", "4", "--final-deals", "8", "--every-steps", str(max(4096, steps // 30))]
        settings = [part for pair in {**SETTINGS, **dict(self.settings)}.items() for part in ("--set", "=".join(pair))]
        more = ["--resume"] if resumes else ["--seed", str(seed), *settings]
        return ["-m", "skyline", "train", "ppo", "manhattan", *fixed, *measured, *more]


KINDS = (
    Kind("copies first", (("clone_decisions", "30000"),), 60_000),
    Kind("from nothing", (("clone_decisions", "0"), ("features", "base"), ("precision", "float32")), 120_000),
)


def run(kind: Kind, folder: Path, env: dict[str, str], seed: int, size: float) -> Run:
    """A training in an empty folder."""
    path = folder / RESULTS / CHECKPOINT
    return Run(
        kind.name, folder, env, lambda: kind.command(seed, size, resumes=path.exists()), lambda: _changed(path),
        lambda: f"{_curve_length(folder)} evaluations", MOMENTS,
    )  # fmt: skip


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


def _curve_length(folder: Path) -> int:
    path = folder / RESULTS / CURVE
    return len(path.read_text().splitlines()) if path.exists() else 0


def differences(first: Path, second: Path) -> list[str]:
    """How the folders of two runs differ, apart from times."""
    from skyline_agents.players.ppo import checkpoint

    found = [] if (first / MODEL).read_bytes() == (second / MODEL).read_bytes() else [f"{MODEL} has other bytes"]
    if curve(first / CURVE) != curve(second / CURVE):
        found.append(f"{CURVE} has other values")
    found += unlike(*(without_clock(checkpoint.load(folder / CHECKPOINT)) for folder in (first, second)))
    names = [{path.name for path in folder.iterdir()} for folder in (first, second)]
    return found + [f"in one folder only: {name}" for name in sorted(names[0] ^ names[1])]


def curve(path: Path) -> list[dict[str, Any]]:
    """The rows of a curve without their seconds."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def without_clock(data: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint without the parts that differ from run to run."""
    rows = [{name: value for name, value in row.items() if name != "seconds"} for row in data["curve"]]
    return {**{name: value for name, value in data.items() if name not in CLOCK}, "curve": rows}


def unlike(one: Any, other: Any, place: str = CHECKPOINT) -> list[str]:
    """The places in which two checkpoints differ; arrays are compared bit by bit."""
    import torch

    if type(one) is not type(other):
        return [f"{place}: {type(one).__name__} and {type(other).__name__}"]
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return [f"{place}: keys {sorted(map(str, one.keys() ^ other.keys()))} in one only"]
        return [found for key in one for found in unlike(one[key], other[key], f"{place}.{key}")]
    if isinstance(one, (list, tuple)):
        if len(one) != len(other):
            return [f"{place}: {len(one)} and {len(other)} entries"]
        return [
            found for i, (a, b) in enumerate(zip(one, other, strict=True)) for found in unlike(a, b, f"{place}[{i}]")
        ]
    if isinstance(one, torch.Tensor):
        is_same = one.shape == other.shape and one.numpy().tobytes() == other.numpy().tobytes()
        return [] if is_same else [f"{place}: other numbers"]
    return [] if one == other else [f"{place}: {one!r} and {other!r}"]
