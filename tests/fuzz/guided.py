"""The targets under atheris (libFuzzer): inputs that reach new code are kept and changed further.

    python -m tests.fuzz --engine atheris --target records positions --seconds 120

Plain functions of `skyline.reading`, `skyline.record` and the games' modules report which lines run; jitted functions
do not. The targets make the changes (`mutate`), so that a changed record is nearly a record. Findings go to the same
folder as those of the other engine; `--repeat` runs them again.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from tests.fuzz import targets
from tests.fuzz.judgement import FINDING, ROOT, judged

GUIDED = ("records", "positions", "setups", "toml", "models")  # the other targets start processes or read no data
SEEDS = 200
BYTES = 1 << 17
SHARED = (
    "skyline.reading",
    "skyline.record.parsing",
    "skyline.record.positions",
    "skyline.record.replaying",
    "skyline.record.writing",
    "skyline_agents.tournament.config",
    "skyline_agents.players.safetensors",
    "skyline_agents.players.ppo.network",
)


def run(names: Sequence[str], seconds: float, seed: int, out: Path) -> int:
    """Each target in a process of its own, the time shared: libFuzzer ends its process."""
    if importlib.util.find_spec("atheris") is None:
        raise ValueError("the engine atheris is not installed: pip install 'skyline-envs[fuzz]'")
    chosen = [name for name in names if name in GUIDED]
    if not chosen:
        raise ValueError(f"atheris is for the targets {', '.join(GUIDED)}")
    out.mkdir(parents=True, exist_ok=True)
    found = 0
    for name in chosen:
        arguments = ["--target", name, "--seconds", str(seconds / len(chosen)), "--seed", str(seed), "--out", str(out)]
        subprocess.run(
            [sys.executable, "-m", "tests.fuzz.guided", *arguments], cwd=ROOT,
            env={**os.environ, **targets.target(name).variables()}, check=False,
        )  # fmt: skip
        tally = json.loads((out / f"{name}.guided.json").read_text())
        crashes = sorted(out.glob(f"{name}-crash-*")) + sorted(out.glob(f"{name}-timeout-*"))
        print(
            f"{name}: {tally['inputs']:,} inputs in {tally['seconds']:.0f} s, {tally['kinds']}, crashes: {len(crashes)}"
        )
        for key, times in tally["findings"].items():
            print(f"{name}: {times:,} times: {key}")
        found += len(tally["findings"]) + len(crashes)
    return 1 if found else 0


class Guided:
    """One target with its inputs, changes and findings; libFuzzer calls the methods."""

    def __init__(self, name: str, seed: int, out: Path, scratch: Path) -> None:
        self.name, self.out, self.seed = name, out, seed
        scratch.mkdir(parents=True, exist_ok=True)
        self.target = targets.target(name)(scratch)
        self.target.prepare()
        self.target.gather()
        self.kinds: Counter[str] = Counter()
        self.findings: Counter[str] = Counter()
        self.begun = self.told = time.monotonic()

    def corpus(self, folder: Path) -> None:
        """Write the first inputs."""
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(SEEDS):
            (folder / str(number)).write_bytes(self.target.make(random.Random(f"{self.seed}:{number}")))

    def one(self, data: bytes) -> None:
        outcome = judged(self.target, data)
        self.kinds[outcome.kind] += 1
        if outcome.kind == FINDING:
            self.findings[outcome.key] += 1
            if self.findings[outcome.key] == 1:
                stem = self.out / f"{self.name}-{hashlib.sha256(data).hexdigest()[:12]}"
                stem.with_suffix(self.target.suffix).write_bytes(data)
                stem.with_suffix(".txt").write_text(f"{outcome.key}\n\n{outcome.detail}\n", errors="backslashreplace")
        if time.monotonic() - self.told > 1:
            self.tell()

    def tell(self) -> None:
        self.told = time.monotonic()
        tally = {
            "inputs": sum(self.kinds.values()), "seconds": self.told - self.begun, "kinds": dict(self.kinds),
            "findings": dict(self.findings),
        }  # fmt: skip
        (self.out / f"{self.name}.guided.json").write_text(json.dumps(tally))

    def change(self, data: bytes, most: int, seed: int) -> bytes:
        """A custom mutator of libFuzzer."""
        chance = random.Random(seed)
        try:
            changed = self.target.mutate(chance, data) if data.strip() else self.target.make(chance)
        except (ValueError, KeyError, TypeError):  # the bytes are no document any more
            changed = self.target.make(chance)
        return changed[:most]


def reporting() -> Iterator[ModuleType]:
    """The modules whose plain functions report which lines run."""
    from skyline import registry

    packages = tuple(f"{found.package}." for found in registry.found().values())
    for name, module in sorted(sys.modules.items()):
        if name in SHARED or (name.startswith(packages) and module is not None):
            yield module


def instrument(atheris: Any) -> int:
    """Instrument plain functions; compiled functions are `Dispatcher` objects and stay as they are."""
    done = 0
    for module in reporting():
        classes = [
            value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
        ]
        for holder in (module, *classes):
            for value in list(vars(holder).values()):
                if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                    atheris.instrument_func(value)
                    done += 1
    return done


def main() -> None:
    import atheris

    parser = argparse.ArgumentParser()
    for name, kind in (("target", str), ("seconds", float), ("seed", int), ("out", Path)):
        parser.add_argument(f"--{name}", type=kind, required=True)
    given = parser.parse_args()
    guided = Guided(given.target, given.seed, given.out, given.out / "scratch" / given.target)
    guided.begun = time.monotonic()
    guided.tell()
    corpus = given.out / "guided-corpus" / given.target
    guided.corpus(corpus)
    print(f"{given.target}: {instrument(atheris)} functions report what they run", flush=True)
    atheris.Setup(
        [
            sys.argv[0], str(corpus), f"-max_total_time={max(1, int(given.seconds))}", f"-seed={given.seed}",
            f"-timeout={int(guided.target.seconds)}", "-rss_limit_mb=0", f"-max_len={BYTES}",
            "-verbosity=0",
            "-len_control=0",
            f"-artifact_prefix={given.out}/{given.target}-",
        ],
        guided.one, custom_mutator=guided.change,
    )  # fmt: skip
    try:
        atheris.Fuzz()
    finally:
        guided.tell()


if __name__ == "__main__":
    main()
