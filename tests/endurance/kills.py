"""Kill -9 at random times: tournaments and trainings that are resumed end with the results of an uninterrupted run.

    python -m tests.endurance.kills --tournaments 50 --trainings 10 --seed 0

The numbers are those of all kills together. In turn the whole process group is killed, or the parent alone. Exit code 1
if a result differs, a process outlives its parent, or a file is left behind; the folders of such a run are kept.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.endurance import tournaments, trainings
from tests.endurance.victims import Killings
from tests.support.commands import COMMANDS
from tests.support.processes import ROOT, declare, environment

EACH_TOURNAMENT, EACH_TRAINING = 5, 5  # the most kills of one run


@dataclass(frozen=True)
class Row:
    """One line of the table: a run."""

    name: str
    group: int
    alone: int
    starts: int
    whole: float
    seconds: float
    faults: list[str]

    def line(self) -> str:
        return (
            f"{self.name:32} {self.group:>6} {self.alone:>6} {self.starts:>7} {self.whole:>9.1f} {self.seconds:>9.1f}  "
            f"{'no: ' + '; '.join(self.faults) if self.faults else 'yes'}"
        )


HEAD = f"{'run':32} {'group':>6} {'alone':>6} {'starts':>7} {'whole s':>9} {'killed s':>9}  equal"


def tell(text: str) -> None:
    print(f"  {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def compared(module: Any, kind: Any, folder: Path, env: dict[str, str], seed: int, size: float, most: int) -> Row:
    """A run without interruption, the same run with up to `most` kills, and the differences between their results."""
    killings = Killings(random.Random(f"{kind.name} {seed}"))
    make_ready = getattr(module, "ready", _empty)
    one, other = (make_ready(folder / name) for name in ("whole", "killed"))
    tell(f"{kind.name}, seed {seed}: without interruption")
    whole, begun, starts = module.run(kind, one, env, seed, size).whole(), time.monotonic(), 0
    try:
        starts = module.run(kind, other, env, seed, size).killed(most, killings, tell)
        faults = killings.left + module.differences(one / module.RESULTS, other / module.RESULTS)
    except RuntimeError as error:
        faults = [str(error)]
    seconds = time.monotonic() - begun
    return Row(f"{kind.name}, seed {seed}", killings.group, killings.alone, starts, whole, seconds, faults)


def _empty(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def all_of(module: Any, kills: int, each: int, folder: Path, env: dict[str, str], seed: int, size: float) -> list[Row]:
    """Runs of all kinds in turn, until that many kills have happened."""
    rows: list[Row] = []
    while (done := sum(row.group + row.alone for row in rows)) < kills:
        kind, number = module.KINDS[len(rows) % len(module.KINDS)], len(rows)
        place = folder / f"{module.__name__.rpartition('.')[2]}-{number}"
        rows.append(compared(module, kind, place, env, seed + number, size, min(each, kills - done)))
        print(rows[-1].line(), flush=True)
        if not rows[-1].faults:
            shutil.rmtree(place)
        if len(rows) > 10 * kills:
            raise RuntimeError("the runs are over before they can be killed: give a larger --size")
    return rows


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.kills", description=__doc__.split("\n\n")[0])
    parser.add_argument("--tournaments", type=int, default=50, help="kills of tournaments")
    parser.add_argument("--trainings", type=int, default=10, help="kills of trainings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=float, default=1.0, help="how much is played and trained between kills")
    given = parser.parse_args(arguments)
    if given.trainings and importlib.util.find_spec("sb3_contrib") is None:
        parser.error("trainings need the extra train: make kills, or --trainings 0")
    folder, rows = Path(tempfile.mkdtemp(prefix="skyline-kills-")), list[Row]()
    declare(folder / "site", "skyline.commands", COMMANDS)
    env = environment(ROOT, folder / "site", cache=None)
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell lets background processes ignore SIGINT
        signal.signal(number, signal.default_int_handler)
    print(HEAD, flush=True)
    try:
        for module, kills, each in (
            (tournaments, given.tournaments, EACH_TOURNAMENT),
            (trainings, given.trainings, EACH_TRAINING),
        ):
            rows += all_of(module, kills, each, folder, env, given.seed, given.size)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        shutil.rmtree(folder)
        return 130
    print(
        f"{sum(row.group + row.alone for row in rows)} kills, {sum(bool(row.faults) for row in rows)} runs with faults"
    )
    if any(row.faults for row in rows):
        print(f"their folders are in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
