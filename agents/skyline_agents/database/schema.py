"""The tables of a tournament's database, and whether a file has them.

    settings   key, JSON value: what holds for the whole tournament
    agents     number, name: "heuristic", "ismcts:1000", .., the same number in all events
    events     a game with a player count, options, a roster and a format
    runs       one row for every start of the program: versions, machine, engine
    games      one row for every finished game; the key is deal, line-up and rotation, so no game can be there twice

A *deal* is played by one or more line-ups of agents, by each of them in every seat rotation. All games of an event with
the same deal number have the same seed: so deals, not games, are the independent pieces of statistics.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from skyline.game import MOST_SEATS
from skyline.reading import Unreadable, parse_json
from skyline_agents.database.sqlite import WHAT
from skyline_agents.memory_setting import EARLIER_MEMORY

SCHEMA = 1
APPLICATION = 0x534B594C  # the application id "SKYL" in the head of the file; the oldest files have 0
SEATS = MOST_SEATS  # the number of seats that a row has columns for
FIRST_SEATS = 6  # the number of seats that rows of the oldest files have columns for; see `add_columns`

# One value a game: column, SQL type, meaning.
ONCE = (
    ("deal", "INTEGER", "number of the deal; the games of a deal have one seed"),
    ("line_up", "INTEGER", "number of the line-up among those that play the deal"),
    ("rotation", "INTEGER", "the line-up sits this many seats further on"),
    ("seed", "INTEGER", "of the game, uint64 written as the int64 of the same bits"),
    ("moves", "INTEGER", "all seats' moves"),
    ("forced", "INTEGER", "moves that had no alternative"),
    ("seconds", "REAL", "that the game took; of games that the kernel played together, an equal part"),
    ("forfeit", "INTEGER", "seat that forfeited, -1 for none"),
    ("reason", "TEXT", "why, NULL if nobody forfeited"),
)
# One value a seat; the columns are agent_0 .. agent_5 and so on, NULL beyond the players of the event.
EACH_SEAT = (
    ("agent", "INTEGER", "number of the agent at the seat"),
    ("score", "INTEGER", "points"),
    ("place", "INTEGER", "1 = first, shared places stay shared"),
    ("thinking", "REAL", "seconds of the agent's moves together, NULL where the kernel played the whole game"),
    ("slowest", "REAL", "seconds of its longest move, NULL likewise"),
    ("asked", "INTEGER", "how many moves the agent was asked for, NULL likewise"),
)

_SEAT_COLUMNS = [f"{name}_{seat}" for name, _, _ in EACH_SEAT for seat in range(SEATS)]
COLUMNS = ["event", "run", *(name for name, _, _ in ONCE), *_SEAT_COLUMNS]
# Columns that the oldest files lack, by table. Their events had no setting `memory`: the agents saw the table only.
_FURTHER = {
    "games": {f"{name}_{seat}": kind for name, kind, _ in EACH_SEAT for seat in range(FIRST_SEATS, SEATS)},
    "events": {"memory": f"TEXT NOT NULL DEFAULT '{EARLIER_MEMORY}'"},
}

_GAMES = ",\n    ".join(
    ["event INTEGER NOT NULL REFERENCES events", "run INTEGER NOT NULL REFERENCES runs"]
    + [f"{name} {kind}" for name, kind, _ in ONCE]
    + [f"{name}_{seat} {kind}" for name, kind, _ in EACH_SEAT for seat in range(SEATS)]
)
TABLES = f"""
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE agents (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,       -- its name in the registry
    version INTEGER NOT NULL, -- of the environment: manhattan_v1 is 1
    players INTEGER NOT NULL,
    options TEXT NOT NULL,    -- JSON object, every option of the game with its value
    roster TEXT NOT NULL,     -- JSON list of agent numbers
    format TEXT NOT NULL,     -- round-robin or mixed
    seed INTEGER NOT NULL,    -- of deal 0, as in games
    deals INTEGER NOT NULL,   -- that are to be played by every line-up
    planned INTEGER NOT NULL, -- games
    memory TEXT NOT NULL DEFAULT '{EARLIER_MEMORY}' -- what the seats saw: recall or table
);
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    began TEXT NOT NULL,      -- UTC
    versions TEXT NOT NULL    -- JSON object
);
CREATE TABLE games (
    {_GAMES},
    PRIMARY KEY (event, deal, line_up, rotation)
) WITHOUT ROWID;
"""

_COLUMNS = {
    "settings": ["key", "value"],
    "agents": ["number", "name"],
    "events": ["number", "game", "version", "players", "options", "roster", "format", "seed", "deals", "planned"],
    "runs": ["number", "began", "versions"],
    "games": [name for name in COLUMNS if name not in _FURTHER["games"]],
}


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Unreadable unless a file has the tables of a tournament in this schema.

    They must be plain tables: no view computes their rows, and no trigger changes what is written.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application not in (0, APPLICATION):
        raise Unreadable(f"is the database of another program (application id {application})", str(path))
    parts = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    tables = {name for kind, name, sql in parts if kind == "table" and not str(sql).startswith("CREATE VIRTUAL")}
    for table, columns in _COLUMNS.items():
        if table not in tables:
            raise Unreadable(f"is not {WHAT}: it has no table {table}", str(path))
        there = {row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})") if row[6] == 0}
        for column in columns:
            if column not in there:
                raise Unreadable(f"is not {WHAT}: its table {table} has no column {column}", str(path))
    if any(kind == "trigger" for kind, _, _ in parts):
        raise Unreadable(f"is not {WHAT}: it has triggers", str(path))
    _check_schema(connection, path)


def add_columns(connection: sqlite3.Connection) -> None:
    """Add the columns that an older file lacks: further seats, the memory of events."""
    for table, columns in _FURTHER.items():
        there = columns_of(connection, table)
        for name, kind in columns.items():
            if name not in there:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    """The names of the columns of a table."""
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    row = connection.execute("SELECT value FROM settings WHERE key = 'schema'").fetchone()
    if row is None or not isinstance(row[0], str):
        raise Unreadable(f"is not {WHAT}: its settings have no schema", str(path))
    found = parse_json(row[0], f"{path}: settings.schema")
    if found != SCHEMA:
        raise Unreadable(f"has schema {str(found)[:40]}, this version of skyline reads {SCHEMA}", str(path))
