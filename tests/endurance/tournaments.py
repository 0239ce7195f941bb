"""Tournaments that are killed and resumed by the same command, and what must be as in one that never was."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.endurance.victims import Killings, Victim
from tests.support.played_tournaments import table

DATABASE, RECORDS, LOG = "results.db", "records", "said.txt"
RESULTS = "."  # folder of a tournament in its folder
AT_ANY_TIME = 0.3  # share of the kills that come while a process starts, loads or compiles
BEGINNING = 4.0  # seconds in which those come
MIDST = 1.2  # seconds after the first new result in which the others come


@dataclass(frozen=True)
class Kind:
    """A tournament: arguments of the command; the deals, to be multiplied; whether it is recorded."""

    name: str
    arguments: tuple[str, ...]
    deals: int
    records: bool = False

    def command(self, seed: int, size: float) -> list[str]:
        more = ["--record", RECORDS] if self.records else []
        deals = max(1, round(self.deals * size))
        return ["-m", "skyline", "tournament", *self.arguments, "-d", str(deals), "-j", "2", "-s", str(seed), *more]


GAME = "manhattan"
KINDS = (
    Kind("python + batched", ("-g", GAME, "-p", "2,4", "-a", "bots:Python,bots:Batched,heuristic,random"), 40),
    Kind("recorded, forfeits", ("-g", GAME, "-p", "3", "-a", "bots:Failing,bots:Batched,heuristic"), 40, True),
    Kind("search", ("-g", GAME, "-p", "2", "-a", "ismcts:20,heuristic,bots:Python"), 25),
    Kind("kernel", ("-g", GAME, "-p", "2,3", "-a", "random,heuristic"), 8_000),
    Kind("recorded search", ("-g", GAME, "-p", "2", "-a", "ismcts:20,bots:Batched"), 30, True),
)


def ready(folder: Path) -> Path:
    """A folder with the agents, for one tournament."""
    folder.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("bots.py"), folder / "bots.py")
    return folder


def written(folder: Path) -> int:
    """How many games are in the database, which may be about to be made."""
    path = folder / DATABASE
    if path.exists():
        with contextlib.suppress(sqlite3.OperationalError), closing(sqlite3.connect(path)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    return 0


def killed(
    kind: Kind, folder: Path, env: dict[str, str], seed: int, size: float, most: int, killings: Killings,
    tell: Callable[[str], None],
) -> int:  # fmt: skip
    """Play the tournament in spite of up to `most` kills; how often it was started. RuntimeError if it fails."""
    starts, before = 0, killings.total
    while True:
        starts += 1
        victim = Victim(kind.command(seed, size), folder, env, folder / LOG)
        try:
            if killings.total - before >= most:
                code = victim.finished()
            else:
                _let_live(victim, folder, killings)
                victim.kill(killings)
                tell(f"{kind.name}: {killings.total - before} kills, {written(folder):,} games")
                code = victim.process.returncode
        finally:
            victim.end()
        if code == 0:
            return starts
        if code > 0:
            raise RuntimeError(f"{kind.name}: exit code {code}: {(folder / LOG).read_text()[-2000:]}")


def _let_live(victim: Victim, folder: Path, killings: Killings) -> None:
    """For a random time: into its first seconds, or into the time after it has written a result."""
    if killings.random.random() < AT_ANY_TIME:
        victim.wait_until(lambda: False, killings.random.uniform(0, BEGINNING))
        return
    there = written(folder)
    victim.wait_until(lambda: written(folder) > there)
    victim.wait_until(lambda: False, killings.random.uniform(0, MIDST))


def whole(kind: Kind, folder: Path, env: dict[str, str], seed: int, size: float) -> float:
    """Play it without interruption; the seconds."""
    begun = time.monotonic()
    victim = Victim(kind.command(seed, size), folder, env, folder / LOG)
    try:
        if (code := victim.finished()) != 0:
            raise RuntimeError(f"{kind.name}: exit code {code}: {(folder / LOG).read_text()[-2000:]}")
    finally:
        victim.end()
    return time.monotonic() - begun


def differences(one: Path, other: Path) -> list[str]:
    """In what two folders of tournaments differ: games row by row but for the clock, records, files that are there."""
    found = []
    tables = [table(folder / DATABASE) for folder in (one, other)]
    if tables[0] != tables[1]:
        unlike = sum(a != b for a, b in zip(*tables, strict=False))
        found.append(f"{len(tables[0])} and {len(tables[1])} games, {unlike} unlike")
    files = [_files(folder) for folder in (one, other)]
    if names := sorted(files[0].keys() ^ files[1].keys()):
        found.append(f"files in one folder only: {', '.join(names[:5])} ({len(names)} in all)")
    if unequal := [name for name in files[0].keys() & files[1].keys() if files[0][name] != files[1][name]]:
        found.append(f"files with other bytes: {', '.join(sorted(unequal)[:5])} ({len(unequal)} in all)")
    return found


def _files(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes, but for the log and compiled Python; the database, whose rows have times, as empty."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {
        str(path.relative_to(folder)): b"" if path.name == DATABASE else path.read_bytes()
        for path in paths
        if path.name != LOG
    }
