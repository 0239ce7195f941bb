"""Steps/s and memory over the batch size, on one thread and on several threads.

    python -m skyline_bench.harness.scaling manhattan --json scaling.json
    python -m skyline_bench.pages.plot scaling.json

    rollout   whole games inside one compiled call, chunks of them on every thread
    vector    `VectorGames.step` from Python; a compiled function chooses the moves

Every kind and size is a process of its own, because memory is measured for a process; the processes take turns in
rounds. The memory is the most that the process has held, with Python and the compiled kernels (the row with one game
shows how much these two need).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from skyline import registry
from skyline.cli.terminal import complain, print_table, progress
from skyline.files import write_text
from skyline_bench.harness import machine
from skyline_bench.harness.measure import Rounds
from skyline_bench.harness.serve_batch import KINDS
from skyline_bench.harness.workers import Worker, WorkerError

SCHEMA = 1
SIZES = (1, 10, 100, 1000, 10_000, 100_000)
ROUNDS = 6
MIB = 2**20


@dataclass(frozen=True)
class Spot:
    """One process: a kind of stepping, a game, a player count and a batch size."""

    kind: str
    game: str
    players: int
    size: int

    def start(self, threads: Sequence[int], stack: ExitStack) -> Worker:
        words = [self.kind, self.game, self.players, self.size, ",".join(map(str, threads))]
        title = f"{self.game}, {self.players} players, {self.kind} of {self.size:,}"
        worker = Worker([sys.executable, "-m", "skyline_bench.harness.serve_batch", *map(str, words)], title)
        stack.callback(worker.close)
        worker.wait()
        for reason in worker.ready["missing"].values():
            raise WorkerError(f"{title}: {reason}")
        return worker


def measure(spots: Sequence[Spot], threads: Sequence[int], seconds: float) -> dict[str, Any]:
    """Measure the curves and return them as data."""
    fingerprint = machine.fingerprint()
    with ExitStack() as stack:
        with progress(len(spots), "made ready") as tell:
            _warm(spots, threads)
            workers = {}
            for done, spot in enumerate(spots, 1):
                workers[spot] = spot.start(threads, stack)
                tell(done)
        measures = {(s, t): partial(worker.measure, str(t)) for s, worker in workers.items() for t in threads}
        rounds = Rounds(measures, seconds, ROUNDS)
        with progress(rounds.calls, "measuring") as tell:
            rounds.run(tell)
        for reason in rounds.failed.values():
            raise WorkerError(reason)
        points = [
            {"kind": s.kind, "game": s.game, "players": s.players, "size": s.size, "threads": t,
             "memory": workers[s].memory[str(t)], **speed.as_data()}
            for (s, t), speed in rounds.speeds.items()
        ]  # fmt: skip
    after = {"calibration after": machine.calibration(), "load after": machine.load()}
    return {
        "schema": SCHEMA,
        "fingerprint": fingerprint | after,
        "settings": {"seconds": seconds, "rounds": ROUNDS},
        "interrupted": rounds.interrupted,
        "curves": points,
    }


def _warm(spots: Sequence[Spot], threads: Sequence[int]) -> None:
    """Compile all kernels in other processes, so that the memory of the compiler is not counted."""
    for spot in {(spot.kind, spot.game, spot.players): spot for spot in reversed(spots)}.values():
        with ExitStack() as stack:
            spot.start(threads, stack)


def show(data: dict[str, Any]) -> None:
    """Print one row for each point of the curves."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("game, players", no_wrap=True)
    table.add_column("kind", no_wrap=True)
    for heading in ("games", "threads", "steps/s\nmedian", "steps/s\nbest", "memory\nMiB"):
        table.add_column(heading, justify="right", no_wrap=True)
    for point in data["curves"]:
        words = (f"{point['game']}, {point['players']}", point["kind"], point["size"], point["threads"])
        table.add_row(
            *(f"{word:,}" if isinstance(word, int) else word for word in words),
            f"{point['median']:,.0f}",
            f"{point['best']:,.0f}",
            f"{point['memory'] / MIB:,.0f}",
        )
    print_table(table)


def numbers(text: str) -> list[int]:
    """Whole numbers of at least 1 from a text with commas."""
    values = [int(word) for word in text.split(",")]
    if min(values) < 1:
        raise ValueError(text)
    return values


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser: Any = argparse.ArgumentParser(
        prog="python -m skyline_bench.harness.scaling",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAMES", help="default: all")
    parser.add_argument("--players", type=int, help="default: each game's largest count")
    parser.add_argument("--sizes", type=numbers, default=SIZES, help="games in a batch (default: 1,10,..,100000)")
    parser.add_argument("--threads", type=numbers, default=(1, 2), help="default: 1,2")
    parser.add_argument("--kinds", default=",".join(KINDS), help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each point, in rounds (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the curves to this file")
    given = parser.parse_args(arguments)
    kinds = given.kinds.split(",")
    if wrong := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"there is no kind {wrong[0]!r}; kinds: {', '.join(KINDS)}")
    try:
        data = measure(_spots(given, kinds), given.threads, given.seconds)
    except (ValueError, OSError, WorkerError) as reason:
        complain(reason)
        return 1
    show(data)
    if given.json is not None:
        write_text(given.json, json.dumps(data, indent=1) + "\n")
    return 130 if data["interrupted"] else 0


def _spots(given: Any, kinds: Sequence[str]) -> list[Spot]:
    games = [registry.load(name) for name in given.games or registry.names()]
    return [
        Spot(kind, game.name, game.check_players(given.players or max(game.player_counts)), size)
        for game in games
        for kind in kinds
        for size in given.sizes
    ]


if __name__ == "__main__":
    sys.exit(main())
