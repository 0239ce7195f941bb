"""Tournaments that are played in a test: a backend in this process, and the contents of databases."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from skyline_agents.database.schema import COLUMNS
from skyline_agents.database.store import Event, Store
from skyline_agents.tournament.run import RunSummary, run
from skyline_agents.tournament.schedule import Schedule
from skyline_agents.tournament.settings import TournamentSettings, prepare
from skyline_agents.tournament.work import Conditions, Done, Work, carry_out


class Here:
    """A backend in this process: takes up to `room` pieces, plays them in any order, and can be interrupted."""

    def __init__(self, room: int = 1, stop_after: int | None = None, seed: int = 0) -> None:
        self.room, self.left = room, stop_after
        self.rng = np.random.default_rng(seed)
        self.waiting: list[Work] = []
        self.sizes: list[int] = []

    def free(self) -> int:
        return self.room - len(self.waiting)

    def submit(self, work: Work) -> None:
        self.waiting.append(work)

    def wait(self) -> list[Done]:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left = None if self.left is None else self.left - 1
        work = self.waiting.pop(self.rng.integers(len(self.waiting)))
        self.sizes.append(len(work))
        return [Done(work.number, carry_out(work))]

    def close(self) -> None:
        self.waiting.clear()


def held(
    path: Path, settings: TournamentSettings, engine: Any | None = None, conditions: Conditions | None = None
) -> RunSummary:
    """Play a tournament into a database."""
    on = engine or Here()
    try:
        with Store(path) as database:
            prepare(database, settings)
            return run(database, settings, on, conditions)
    finally:
        on.close()


def table(path: Path) -> list[tuple[Any, ...]]:
    """Every game with all columns that do not depend on the clock."""
    names = [name for name in COLUMNS if name.partition("_")[0] not in ("thinking", "slowest", "seconds", "run")]
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            f"SELECT {', '.join(names)} FROM games ORDER BY event, deal, line_up, rotation"
        ).fetchall()


def piece(one: Event) -> tuple[Any, ...]:
    of = Schedule(one)
    keys = of.keys(np.arange(of.entries))
    return of.seeds(keys), of.seats(keys), keys.deals, keys.line_ups, keys.rotations
