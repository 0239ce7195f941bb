"""Very many decisions in batches of all games, with checks of some states; the memory must not grow.

    python -m tests.endurance.soak --decisions 100000000 --seed 0 --threads 2

Only decisions of the caller's seats are counted, not forced moves or moves of opponents in the kernel. Exit code 1 if a
check fails or the memory grows.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import itertools
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from skyline import registry
from tests.endurance.batches import Batch, Looked, all_batches

ROWS = 1024  # games of a batch with one thread; other batches have 1,000 games for every thread
TURN = 16  # steps of a batch before the next batch has its turn
WARM = 0.1  # after this share of a game's decisions the memory must not grow any more
MOST_GROWTH = 16.0  # MiB by which the line through the later samples may rise


def resident() -> float:
    """The memory of this process in MiB, without the free memory that the allocator keeps."""
    with contextlib.suppress(OSError, AttributeError):  # only glibc can give free memory back
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass
class Row:
    """One line of the table: a game."""

    game: str
    looked: Looked = field(default_factory=Looked)
    seconds: float = 0.0
    samples: list[tuple[int, float]] = field(default_factory=list)  # decisions, MiB
    fault: str = ""

    def memory(self, share: float) -> float:
        """MiB at the first sample after a share of the decisions."""
        wanted = share * self.looked.decisions
        return next((mib for decisions, mib in self.samples if decisions >= wanted), resident())

    def growth(self) -> float:
        """The rise, in MiB, of the line through the samples after the warm-up."""
        late = np.array([sample for sample in self.samples if sample[0] >= WARM * self.looked.decisions], float)
        if len(late) < 3:
            return 0.0
        decisions, mib = late[:, 0] - late[0, 0], late[:, 1]
        return float(np.polyfit(decisions / decisions[-1], mib, 1)[0])

    def line(self) -> str:
        millions = max((1 - WARM) * self.looked.decisions / 1e6, 1e-9)
        return (
            f"{self.game:14} {self.looked.decisions:>13,} {self.looked.decisions / max(self.seconds, 1e-9):>11,.0f} "
            f"{self.looked.compared:>11,} {self.looked.checked:>9,} {self.memory(WARM):>9.1f} {self.memory(1.0):>9.1f} "
            f"{1024 * self.growth() / millions:>+9.2f}  {self.fault or 'held'}"
        )


HEAD = (
    f"{'game':14} {'decisions':>13} {'decisions/s':>11} {'compared':>11} {'checked':>9} "
    f"{'MiB 10 %':>9} {'MiB 100 %':>9} {'KiB/10^6':>9}"
)


def turns(batches: list[Batch]) -> Iterator[Looked]:
    """All batches in turn, without end. At the beginning, and at intervals, a new batch goes on from a snapshot."""
    for number, batch in enumerate(itertools.cycle(batches)):
        try:
            if number < len(batches) or number % 101 == 100:
                batch.made_anew()
            yield from batch.play(TURN)
        except Exception as error:
            error.add_note(f"in {batch}, step {batch.steps}")
            raise


def soak(name: str, decisions: int, seed: int, threads: int, rows: int = ROWS) -> Row:
    """Play one game's batches."""
    row, game = Row(name), registry.load(name)
    batches = all_batches(game, rows, threads, seed)
    told, every = time.monotonic(), max(decisions // 100, 1)
    try:
        for _ in itertools.islice(turns(batches), TURN * len(batches)):
            pass  # compiling and loading must not count as growth of the memory
        begun = time.monotonic()
        for looked in turns(batches):
            row.looked.decisions += looked.decisions
            row.looked.compared += looked.compared
            row.looked.checked += looked.checked
            row.seconds = time.monotonic() - begun
            if row.looked.decisions >= every * (len(row.samples) + 1):
                row.samples.append((row.looked.decisions, resident()))
            if time.monotonic() - told > 20:
                told = time.monotonic()
                done = row.looked.decisions / decisions
                print(f"{name}: {done:.0%}, {resident():.1f} MiB", file=sys.stderr, flush=True)
            if row.looked.decisions >= decisions:
                break
    except Exception as error:
        row.fault = f"{type(error).__name__}: {error} {' '.join(getattr(error, '__notes__', []))}"
    if row.growth() > MOST_GROWTH:
        row.fault = row.fault or f"memory grew by {row.growth():.1f} MiB"
    return row


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.soak", description=__doc__.split("\n\n")[0])
    parser.add_argument("--decisions", type=int, default=100_000_000, help="of all games together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--games", default=",".join(registry.names()), help="with commas between them")
    parser.add_argument("--rows", type=int, default=ROWS, help="games of a batch")
    given = parser.parse_args(arguments)
    names, table = given.games.split(","), []
    print(HEAD, flush=True)
    try:
        for name in names:
            table.append(soak(name, -(-given.decisions // len(names)), given.seed, given.threads, given.rows))
            print(table[-1].line(), flush=True)
            gc.collect()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    total = sum(row.looked.decisions for row in table)
    checked, compared = (sum(getattr(row.looked, part) for row in table) for part in ("checked", "compared"))
    print(f"{total:,} decisions, {compared:,} states compared ({compared / total:.1%}), {checked:,} checked")
    return int(any(row.fault for row in table))


if __name__ == "__main__":
    sys.exit(main())
