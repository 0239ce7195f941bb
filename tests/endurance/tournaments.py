"""Tournaments that are killed and resumed by the same command, and compared with whole ones."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.endurance.runs import LOG, Moments, Run
from tests.support.played_tournaments import table

DATABASE, RECORDS = "results.db", "records"
RESULTS = "."  # where in its folder a tournament writes
MOMENTS = Moments(at_any_time=0.3, beginning=4.0, midst=1.2)


@dataclass(frozen=True)
class Kind:
    """A tournament: arguments of the command, deals (times the size of the run), and whether games are recorded."""

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
    """The number of games in the database, which may not exist yet."""
    path = folder / DATABASE
    if path.exists():
        with contextlib.suppress(sqlite3.OperationalError), closing(sqlite3.connect(path)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    return 0


def run(kind: Kind, folder: Path, env: dict[str, str], seed: int, size: float) -> Run:
    """A tournament in a folder that is ready."""
    return Run(
        kind.name, folder, env, lambda: kind.command(seed, size), lambda: written(folder),
        lambda: f"{written(folder):,} games", MOMENTS,
    )  # fmt: skip


def differences(one: Path, other: Path) -> list[str]:
    """How two folders of tournaments differ: rows of games (without the times), records, names of files."""
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
    """Every file with its bytes, without log and compiled Python. The database counts as empty: its rows have times."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {
        str(path.relative_to(folder)): b"" if path.name == DATABASE else path.read_bytes()
        for path in paths
        if path.name != LOG
    }
