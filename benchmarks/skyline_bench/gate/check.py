"""The gate: is a core layer or the AEC environment slower than it was? `make bench-check` (skyline_bench.gate.check).

The base commit and the working tree are measured in the same run: two processes take turns, both with the harness of
the working tree (with --server the base uses its own harness). Where code and arrays lie in memory changes from process
to process, and with this place the speed of a short layer. So several pairs of processes are started one after the
other, and the ratio of a layer is the median over the pairs; the ratio of a pair is the median, over its rounds, of the
new speed divided by the old speed in the same round. A layer below the limit is measured again for longer; the gate is
red (exit code 1) if the ratio is still below the limit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from skyline import registry
from skyline.arguments import check_choice, check_count
from skyline.cli.terminal import complain, progress
from skyline_bench.harness.measure import Rounds
from skyline_bench.harness.workers import Worker, WorkerError

LIMIT = 0.85
LAYERS = ("step", "step-mask", "step-mask-obs", "rollout-random", "rollout-heuristic", "aec-checked")
FURTHER = ("vector-16", "vector-1024", "vector-seat-16", "vector-seat-1024")  # measured when they are asked for
ROUNDS, ROUNDS_AGAIN = 5, 10  # of a pair of processes
PAIRS = 5
ROOT = Path(__file__).parents[3]
# With this, glibc gives every large array pages of its own, and the arrays of both processes begin at the same place
# of a page. Without it, layers of a commit that is compared with itself go down to 0.87.
SAME_PLACES = {"MALLOC_MMAP_THRESHOLD_": "65536"}
SERVER = "skyline_bench.gate.serve"
KEPT = 3  # checkouts of base commits that are kept, so that their kernels need not be compiled again

Ratios = dict[str, float]


def git(*words: str, folder: Path = ROOT) -> str:
    """The output of git; ValueError with git's reason if the command fails."""
    run = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        raise ValueError(f"git {' '.join(words)}: {run.stderr.strip()}")
    return run.stdout.strip()


def default_base() -> str:
    """The commit where the branch left main; on main the last commit, or its parent if nothing has changed since."""
    for main in ("main", "origin/main"):
        try:
            base = git("merge-base", "HEAD", main)
        except ValueError:
            continue
        changed = git("status", "--porcelain")
        return base if base != git("rev-parse", "HEAD") or changed else git("rev-parse", "HEAD~1")
    raise ValueError("there is no branch main to compare with: name a commit by --base")


def checkout(commit: str, has_own_harness: bool) -> Path:
    """The folder in .gate/ with the files of the base commit, and with its own harness or ours."""
    folder = ROOT / ".gate" / (commit[:12] + "-own" * has_own_harness)
    if not (folder / "skyline").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-m"], cwd=folder, input=packed.stdout, check=True)
    if not has_own_harness:
        shutil.rmtree(folder / "benchmarks", ignore_errors=True)
        shutil.copytree(ROOT / "benchmarks", folder / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    folder.touch()
    older = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]
    for path in older:
        shutil.rmtree(path, ignore_errors=True)
    return folder


def start(folder: Path, title: str, games: Sequence[str], layers: Sequence[str], stack: ExitStack,
          server: str = SERVER) -> Worker:  # fmt: skip
    """A process that serves layers of the games of a checkout; `server` is the module that runs."""
    command = [sys.executable, "-m", server, ",".join(layers), *games]
    packages = os.pathsep.join([str(folder), str(folder / "benchmarks")])
    worker = Worker(command, title, {"PYTHONPATH": packages, **SAME_PLACES}, folder)
    stack.callback(worker.close)
    worker.wait()
    if worker.ready["folder"] != str(folder):
        raise WorkerError(f"{title} imported skyline from {worker.ready['folder']}, not from {folder}")
    for layer, reason in worker.ready["missing"].items():
        raise WorkerError(f"{title}, {layer}: {reason}")
    return worker


def ratios(sides: Sequence[Worker], layers: Sequence[str], seconds: float, rounds: int, what: str) -> Ratios:
    """For every layer the new speed divided by the old speed, as the median over the rounds."""
    measures = {(layer, i): partial(side.measure, layer) for layer in layers for i, side in enumerate(sides)}
    run = Rounds(measures, seconds * rounds, rounds)
    with progress(run.calls, what) as tell:
        run.run(tell)
    for reason in run.failed.values():
        raise WorkerError(reason)
    if run.interrupted:
        raise KeyboardInterrupt
    rates = {key: speed.rates for key, speed in run.speeds.items()}
    return {
        layer: statistics.median(
            new / old for old, new in zip(rates[layer, 0], rates[layer, 1], strict=True)
        )
        for layer in layers
    }  # fmt: skip


def gate(base: str, games: Sequence[str], wanted: Sequence[str], seconds: float, limit: float,
         server: str | None = None, pairs: int = PAIRS) -> bool:  # fmt: skip
    """Measure and print; true if the gate is green."""
    commit = git("rev-parse", "--verify", f"{base}^{{commit}}")
    folder = checkout(commit, has_own_harness=server is not None)

    def sides(chosen: Sequence[str], stack: ExitStack) -> tuple[Worker, Worker]:
        old = start(folder, f"base {commit[:12]}", games, chosen, stack, server or SERVER)
        return old, start(ROOT, "the working tree", games, chosen, stack)

    found, fresh = _over_pairs(sides, wanted, None, seconds, ROUNDS, pairs)
    if not found:
        raise ValueError(f"the base commit {commit[:12]} has none of {', '.join(games)}")
    slow = [layer for layer, ratio in found.items() if ratio < limit]
    kinds = [kind for kind in wanted if any(layer.split()[-1] == kind for layer in slow)]
    again = _over_pairs(sides, kinds, slow, seconds, ROUNDS_AGAIN, pairs)[0] if slow else {}
    red = [layer for layer in slow if again[layer] < limit]
    _print(found, again, red, fresh)
    print(f"base {commit[:12]}, {len(found)} layers, limit {limit}: " + ("RED" if red else "green"))
    return not red


def _over_pairs(
    sides: Callable[[Sequence[str], ExitStack], tuple[Worker, Worker]],
    wanted: Sequence[str],
    layers: Sequence[str] | None,
    seconds: float,
    rounds: int,
    pairs: int,
) -> tuple[Ratios, list[str]]:
    """The ratio of every layer that both sides have (or of `layers`), and the layers that the base lacks."""
    measured: list[Ratios] = []
    fresh: list[str] = []
    for pair in range(1, pairs + 1):
        with ExitStack() as stack:
            old, new = sides(wanted, stack)
            both = [layer for layer in new.ready["games"] if layer in old.ready["games"]]
            fresh = sorted(set(new.ready["games"]) - set(both))
            chosen = both if layers is None else layers
            if not chosen:
                return {}, fresh
            measured.append(ratios((old, new), chosen, seconds, rounds, f"pair {pair} of {pairs}"))
    return {layer: statistics.median(pair[layer] for pair in measured) for layer in measured[0]}, fresh


def _print(found: Ratios, again: Ratios, red: Sequence[str], fresh: Sequence[str]) -> None:
    """Print the ratios, the slowest layer first."""
    width = max(map(len, [*found, *fresh]))
    for layer, ratio in sorted(found.items(), key=lambda item: item[1]):
        second = f"  again {again[layer]:.2f}" if layer in again else ""
        print(f"{layer:{width}}  {ratio:.2f}{second}{'  SLOWER' if layer in red else ''}")
    for layer in fresh:
        print(f"{layer:{width}}  new")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: green; 1: red; 2: a side could not be measured."""
    parser: Any = argparse.ArgumentParser(
        prog="python -m skyline_bench.gate.check",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAMES", help="default: all")
    parser.add_argument("--base", help="a commit; default: where the branch left main, or the last commit")
    parser.add_argument(
        "--server", metavar="MODULE",
        help="the base commit's own module that serves its layers, for a base whose modules lie elsewhere than here "
        "(default: the working tree's harness measures both)",
    )  # fmt: skip
    parser.add_argument(
        "--layers", default=",".join(LAYERS), help=f"default: %(default)s; further: {', '.join(FURTHER)}"
    )
    parser.add_argument("--seconds", type=float, default=0.05, help="of a layer in one round (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of processes, from 1 on (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=LIMIT, help="the least ratio (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        games = [registry.find(name).name for name in given.games or registry.names()]
        layers = given.layers.split(",")
        for layer in layers:
            check_choice("a layer of the gate", layer, (*LAYERS, *FURTHER))
        pairs = check_count("--pairs", given.pairs, 1)
        base = given.base or default_base()
        return 0 if gate(base, games, layers, given.seconds, given.limit, given.server, pairs) else 1
    except (ValueError, OSError, WorkerError, subprocess.CalledProcessError) as reason:
        complain(reason)
        return 2


if __name__ == "__main__":
    sys.exit(main())
