"""The database of a tournament: SQLite, one row a game; all writing and reading go through this file.

    from skyline_agents.database import store
    for event in store.events("results.db"):
        games = store.games("results.db", event)
        games.agents, games.places, games.deals         # arrays (n, P), (n, P), (n,)

The tables are in schema.py, the reading is in stored.py, SQLite itself in sqlite.py.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from skyline.typing import Array
from skyline_agents.database import schema, sqlite
from skyline_agents.database.events import Event, Games
from skyline_agents.database.schema import APPLICATION, SCHEMA
from skyline_agents.database.stored import (
    check_types,
    events,
    events_in,
    games,
    names_in,
    runs,
    settings,
)

if TYPE_CHECKING:
    from skyline_agents.match.matches import Played

__all__ = ["Event", "Games", "Store", "events", "games", "runs", "settings"]


class Store:
    """A database that a tournament writes to. A second tournament at the same time is refused.

    Rows are written in transactions: whatever happens to the process, a transaction is written wholly or not at all.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._held = sqlite.Held(self.path)
        try:
            with sqlite.in_words(self.path):
                self._open()
        except BaseException:  # Ctrl-C, too, must release the lock
            self._held.release()
            raise

    def _open(self) -> None:
        if self.path.exists() and (not self.path.is_file() or self.path.stat().st_size):
            sqlite.check_file(self.path)
        self._connection = sqlite.opened(self.path, "mode=rwc")
        try:
            count = "SELECT count(*) FROM sqlite_master"
            self.new = sqlite.patiently(lambda: self._connection.execute(count).fetchone()[0]) == 0
            if not self.new:
                schema.check(self._connection, self.path)
                sqlite.patiently(lambda: schema.add_columns(self._connection))
            sqlite.patiently(lambda: self._connection.execute("PRAGMA journal_mode = WAL").fetchone())
            self._connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            with sqlite.in_words(self.path):
                self._connection.close()
        finally:
            self._held.release()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with sqlite.in_words(self.path):
            sqlite.patiently(lambda: self._connection.execute("BEGIN IMMEDIATE"))
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:  # Ctrl-C, too, undoes the transaction
                if self._connection.in_transaction:  # after some errors SQLite has ended the transaction itself
                    self._connection.execute("ROLLBACK")
                raise

    def create(self, events: Sequence[Event], settings: Mapping[str, Any]) -> None:
        """Make the tables, and write events and settings."""
        names = list(dict.fromkeys(name for event in events for name in event.roster))
        with self._transaction() as connection:
            for statement in filter(str.strip, schema.TABLES.split(";\n")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            self._set({"schema": SCHEMA, **settings})
            connection.executemany("INSERT INTO agents VALUES (?, ?)", enumerate(names))
            for event in events:
                row = {**asdict(event), "options": json.dumps(event.options)}
                row |= {"roster": json.dumps([names.index(name) for name in event.roster])}
                row["seed"] = _signed(event.seed)
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO events ({', '.join(row)}) VALUES ({marks})", list(row.values()))

    def _set(self, settings: Mapping[str, Any]) -> None:
        rows = [(key, json.dumps(value)) for key, value in settings.items()]
        self._connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", rows)

    def update(self, events: Sequence[Event], settings: Mapping[str, Any]) -> None:
        """Write new settings and the lengths of the events."""
        with self._transaction() as connection:
            self._set(settings)
            rows = [(event.deals, event.planned, event.number) for event in events]
            connection.executemany("UPDATE events SET deals = ?, planned = ? WHERE number = ?", rows)

    def check_versions(self, versions: Mapping[str, Any]) -> None:
        """ValueError unless every event was begun with the version of its environment that is installed."""
        with sqlite.in_words(self.path):
            planned = events_in(self._connection, self.path)
        installed = versions.get("environments", {})
        for event in planned:
            ours = f"{event.game}_v{event.version}"
            theirs = installed.get(event.game, ours)
            if theirs != ours:
                raise ValueError(
                    f"{self.path} was played with {ours}, installed is {theirs}: games of both must not be mixed, "
                    "give another --db, or install the version of skyline that the file was begun with"
                )

    def begin_run(self, versions: Mapping[str, Any]) -> int:
        """The number of this start of the program; ValueError for other versions of the environments."""
        self.check_versions(versions)
        with self._transaction() as connection:
            began = datetime.now(UTC).isoformat(timespec="seconds")
            run = connection.execute("INSERT INTO runs (began, versions) VALUES (?, ?)", (began, json.dumps(versions)))
            return int(run.lastrowid or 0)

    def finished(self, event: Event) -> tuple[Array, Array]:
        """Deals and line-ups of all entries of an event that were played, (n,) each."""
        sql = "SELECT deal, line_up FROM games WHERE event = ? AND rotation = 0"
        with sqlite.in_words(self.path):
            rows = self._connection.execute(sql, (event.number,)).fetchall()
        for name, values in zip(("deal", "line_up"), zip(*rows, strict=True), strict=False):
            check_types(name, "INTEGER", values, 0, f"{self.path}: games of event {event.number}")
        found = np.array(rows, np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def add(self, event: Event, run: int, columns: Mapping[str, Any], agents: Array, played: Played) -> None:
        """Write games; `columns` are their deal, line_up, rotation and seed, `agents` (n, P) numbers of the roster."""
        numbers = {name: number for number, name in enumerate(names_in(self._connection, self.path))}
        by_seat = {
            "agent": np.array([numbers[name] for name in event.roster])[agents],
            "score": played.scores, "place": played.places,
            "thinking": played.thinking, "slowest": played.slowest, "asked": played.asked,
        }  # fmt: skip
        values = {
            **{name: np.asarray(column).tolist() for name, column in columns.items()},
            "seed": columns["seed"].view(np.int64).tolist(),
            "moves": played.moves.tolist(), "forced": played.forced.tolist(), "seconds": played.seconds.tolist(),
            "forfeit": played.forfeits.tolist(), "reason": played.reasons,
            "event": [event.number] * len(played), "run": [run] * len(played),
        }  # fmt: skip
        values |= {f"{name}_{p}": part[:, p].tolist() for name, part in by_seat.items() for p in range(event.players)}
        sql = f"INSERT INTO games ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        with self._transaction() as connection:
            connection.executemany(sql, zip(*values.values(), strict=True))


def _signed(seed: int) -> int:
    """The int64 with the bits of a uint64, as SQLite has no other whole numbers."""
    return int(np.uint64(seed).view(np.int64))
