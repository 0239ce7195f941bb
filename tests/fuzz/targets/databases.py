"""Databases of tournaments: bytes changed, rows and columns changed by SQL, locked, or something else altogether."""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import sqlite3
import zlib
from contextlib import closing
from typing import Any

from skyline_agents.database import store
from skyline_agents.database.store import Store
from skyline_agents.report import tables as report
from skyline_agents.tournament.settings import prepare, saved
from tests.fuzz.judgement import Finding
from tests.fuzz.mutation import as_json, edited_bytes, from_json, moved_about, mutated
from tests.fuzz.targets.base import Target
from tests.support.made_up_tournaments import sample

DEALS = 6
VALUES = (
    None, -1, 0, 1, 2, 5, 6, 7, 100, 2**31, 2**53, 2**63 - 1, -(2**63), 0.5, 1e300, float("inf"), "", "1", "x", "{}",
    "[]",
    "null", "NaN", "[99]", '{"a": 1}', "é\x00", b"", b"\xff\xfe", "y" * 3000,
)  # fmt: skip
WORST = (
    "DROP TABLE {table}", "DELETE FROM {table}", "ALTER TABLE {table} RENAME TO other",
    "ALTER TABLE {table} DROP COLUMN {column}",
    "ALTER TABLE {table} RENAME COLUMN {column} TO other", "ALTER TABLE {table} ADD COLUMN another TEXT",
    "CREATE TRIGGER bad BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'no'); END", "PRAGMA user_version = 9",
    "PRAGMA journal_mode = WAL", "DROP TABLE {table}; CREATE VIEW {table} AS SELECT 1 AS {column}",
    "INSERT INTO {table} SELECT * FROM {table}", "UPDATE settings SET value = '2' WHERE key = 'schema'",
)  # fmt: skip


class Databases(Target):
    name = "databases"
    meaning = "SQLite files through the store, the tournament's plan and the report"
    suffix = ".db"
    seconds = 30.0
    place = r"cup\.db"

    def prepare(self) -> None:
        for module in filter(
            importlib.util.find_spec, ("skyline_agents.database.sqlite", "skyline_agents.database.store")
        ):
            vars(importlib.import_module(module))["BUSY_SECONDS"] = 0.1  # of waiting for a lock
        self.path = self.folder / "cup.db"

    def gather(self) -> None:
        source = sample(self.folder / "source.db", DEALS)
        with closing(sqlite3.connect(source)) as connection:
            with connection:  # the time of day must not be part of an input
                connection.execute("UPDATE runs SET began = '2026-01-01T00:00:00+00:00'")
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            self.columns = {
                name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names
            }
        self.source = source.read_bytes()

    def make(self, chance: random.Random) -> bytes:
        way = chance.random()
        if way < 0.35:
            return edited_bytes(chance, self.source, [self.source])
        if way < 0.40:
            return chance.choice(
                (b"", b"\x00", b"SQLite format 3\x00", self.source[:100], b"{}", bytes(5000), self.source[::-1])
            )
        path = self.folder / "made.db"
        path.write_bytes(self.source)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for _ in range(chance.choice((1, 1, 2, 4))):
                self._changed(chance, connection)
        data = path.read_bytes()
        for further in self.folder.glob("made.db*"):
            further.unlink()
        return data

    def _changed(self, chance: random.Random, connection: sqlite3.Connection) -> None:
        table = chance.choice(list(self.columns))
        column = chance.choice(self.columns[table])
        try:
            if chance.random() < 0.25:
                connection.executescript(chance.choice(WORST).format(table=table, column=column))
                return
            rows = "" if chance.random() < 0.4 else f" WHERE rowid % {chance.choice((2, 7, 40))} = 0"
            if table in ("games", "settings"):
                rows = "" if chance.random() < 0.5 else f" WHERE rowid % 7 = {chance.randrange(7)}"
            size = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            at = chance.randrange(max(size, 1))
            old = connection.execute(f"SELECT {column} FROM {table} ORDER BY rowid LIMIT 1 OFFSET {at}").fetchone()
            connection.execute(f"UPDATE OR REPLACE {table} SET {column} = ?{rows}", (_value(chance, old and old[0]),))
        except sqlite3.Error:
            pass  # a statement that this table does not take: the database stays as it is

    def run(self, data: bytes) -> bool:
        for path in self.folder.glob("cup.db*"):
            path.unlink()
        self.path.write_bytes(data)
        locking = zlib.crc32(data) % 16 == 0 and self._locked()
        try:
            return self._read(data)
        finally:
            if locking:
                locking.close()

    def _locked(self) -> Any:
        """Somebody else is writing."""
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=0)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error:
            connection.close()
            return None
        return connection

    def _read(self, data: bytes) -> bool:
        reasons = []
        for step in (self._tables, self._report, self._go_on):
            try:
                step()
            except (ValueError, OSError) as reason:
                reasons.append(reason)
        if len(reasons) > 0 and self.path.exists() is False:
            raise Finding("the database that was read is gone")
        if reasons:
            raise reasons[0]
        return True

    def _tables(self) -> None:
        store.settings(self.path), store.runs(self.path)
        for event in store.events(self.path):
            store.games(self.path, event)

    def _report(self) -> None:
        from skyline_agents.report import files as report_files
        from skyline_agents.report import page as report_page

        found = report.read(self.path, replicates=40)
        report_page.page(found)
        json.loads(report_files.as_json(found))

    def _go_on(self) -> None:
        """As `skyline tournament --db FILE` does before it plays."""
        settings = saved(self.path)
        with Store(self.path) as database:
            prepare(database, settings)
            for event in settings.events:
                database.finished(event)


def _value(chance: random.Random, old: Any) -> Any:
    if isinstance(old, str) and old[:1] in "{[" and chance.random() < 0.6:
        return as_json((moved_about if chance.random() < 0.5 else mutated)(chance, from_json(old)))
    if isinstance(old, int) and chance.random() < 0.4:
        return max(-(2**63), min(2**63 - 1, old + chance.choice((-1, 1, 2, 1000))))
    return chance.choice(VALUES)
