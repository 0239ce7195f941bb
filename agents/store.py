"""The database of a tournament: SQLite, one row a game. This file is the schema; writing and reading go through it.

    from agents import store
    for event in store.events("results.db"):
        games = store.games("results.db", event)
        games.agents, games.places, games.deals         # arrays (n, P), (n, P), (n,)

    settings   key, JSON value: what holds for the whole tournament
    agents     number, name: "heuristic", "ismcts:1000", .., the same number in all events
    events     a game with a player count, options, a roster and a format
    runs       one row for every start of the program: versions, machine, engine
    games      one row a finished game; its key says which game of the plan it is, so none can be there twice

A *deal* is played by one or more line-ups of agents, by each of them in every seat rotation. All games of an event with
the same deal number have the same seed: take deals, not games, as the independent pieces of the statistics.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from agents.matches import Played

Array = np.ndarray[Any, Any]

SCHEMA = 1
BUSY_SECONDS = 60  # to wait for somebody else who writes
SEATS = 6  # the most players a row has columns for
PIECE = 20_000  # rows read at once

# One value a game: column, SQL type, meaning.
ONCE = (
    ("deal", "INTEGER", "number of the deal; the games of a deal have one seed"),
    ("line_up", "INTEGER", "number of the line-up among those that play the deal"),
    ("rotation", "INTEGER", "the line-up sits this many seats further on"),
    ("seed", "INTEGER", "of the game, uint64 written as the int64 of the same bits"),
    ("moves", "INTEGER", "all seats' moves"),
    ("forced", "INTEGER", "moves that had no alternative"),
    ("seconds", "REAL", "the game took; in the kernel its part of the games played together"),
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
    ("asked", "INTEGER", "how many moves it was asked for, NULL likewise"),
)

KINDS: dict[str, Any] = {"INTEGER": np.int64, "REAL": np.float64, "TEXT": object}  # read as

_SEAT_COLUMNS = [f"{name}_{seat}" for name, _, _ in EACH_SEAT for seat in range(SEATS)]
COLUMNS = ["event", "run", *(name for name, _, _ in ONCE), *_SEAT_COLUMNS]

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
    version INTEGER NOT NULL, -- of the environment: manhattan_v0 is 0
    players INTEGER NOT NULL,
    options TEXT NOT NULL,    -- JSON object, every option of the game with its value
    roster TEXT NOT NULL,     -- JSON list of agent numbers
    format TEXT NOT NULL,     -- round-robin or mixed
    seed INTEGER NOT NULL,    -- of deal 0, as in games
    deals INTEGER NOT NULL,   -- that are to be played by every line-up
    planned INTEGER NOT NULL  -- games
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


@dataclass(frozen=True)
class Event:
    """A game with a player count, options and agents; `deals` deals, `planned` games of it are to be played."""

    number: int
    game: str
    version: int
    players: int
    options: dict[str, Any]
    roster: list[str]
    format: str
    seed: int
    deals: int
    planned: int = 0

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Event:
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Games:
    """n finished games of an event with P players, in the order deal, line-up, rotation."""

    names: list[str]  # of all agents of the tournament; `agents` counts in this list
    agents: Array  # (n, P) int64: who sat at each seat
    scores: Array  # (n, P) int64
    places: Array  # (n, P) int64, 1 = first, shared places stay shared
    deals: Array  # (n,) int64
    line_ups: Array  # (n,) int64
    rotations: Array  # (n,) int64
    seeds: Array  # (n,) uint64
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64
    seconds: Array  # (n,) float64
    thinking: Array  # (n, P) float64, NaN where the kernel played the whole game
    slowest: Array  # (n, P) float64, NaN likewise
    asked: Array  # (n, P) float64, NaN likewise
    forfeits: Array  # (n,) int64: the seat that forfeited, NO_SEAT for none
    reasons: list[str | None]  # why
    runs: Array  # (n,) int64

    def __len__(self) -> int:
        return len(self.deals)

    @property
    def whole(self) -> Array:
        """(n,) bool: games that were played to their end. Those that somebody forfeited count with their places; their
        scores, lengths and times say nothing and are left out of all statistics."""
        return np.asarray(self.forfeits < 0)


# ---------------------------------------------------------------- reading


def connect(path: str | Path) -> sqlite3.Connection:
    """The database of a tournament; ValueError if the file is something else."""
    if not Path(path).is_file():
        raise FileNotFoundError(2, "there is no such database", str(path))
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
    try:
        found = json.loads(connection.execute("SELECT value FROM settings WHERE key = 'schema'").fetchone()[0])
    except (sqlite3.DatabaseError, TypeError) as reason:
        connection.close()
        raise ValueError(f"{path} is not the database of a tournament: {reason}") from None
    if found != SCHEMA:
        connection.close()
        raise ValueError(f"{path} has schema {found}, this version of skyline reads {SCHEMA}")
    return connection


def settings(path: str | Path) -> dict[str, Any]:
    """What holds for the whole tournament."""
    with closing(connect(path)) as connection:
        return {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM settings")}


def agent_names(path: str | Path) -> list[str]:
    """All agents; number k is the k-th."""
    with closing(connect(path)) as connection:
        return _names(connection)


def _names(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM agents ORDER BY number")]


def events(path: str | Path) -> list[Event]:
    """All events in the order of the plan."""
    with closing(connect(path)) as connection:
        names = _names(connection)
        return [
            Event(number, game, version, players, json.loads(options), [names[k] for k in json.loads(roster)],
                  form, int(np.int64(seed).view(np.uint64)), deals, planned)
            for number, game, version, players, options, roster, form, seed, deals, planned in connection.execute(
                "SELECT number, game, version, players, options, roster, format, seed, deals, planned "
                "FROM events ORDER BY number"
            )
        ]  # fmt: skip


def runs(path: str | Path) -> list[dict[str, Any]]:
    """When the program was started, with which versions, oldest first."""
    with closing(connect(path)) as connection:
        rows = connection.execute("SELECT number, began, versions FROM runs ORDER BY number")
        return [{"number": number, "began": began, **json.loads(versions)} for number, began, versions in rows]


def games(path: str | Path, event: Event) -> Games:
    """Every finished game of an event."""
    kinds = {name: KINDS[sql] for name, sql, _ in ONCE} | {"run": np.int64}
    kinds |= {f"{name}_{seat}": KINDS[sql] for name, sql, _ in EACH_SEAT for seat in range(event.players)}
    kinds |= {f"asked_{seat}": np.float64 for seat in range(event.players)}  # NULL becomes NaN
    with closing(connect(path)) as connection:
        columns = _columns(connection, event.number, kinds)
        names = _names(connection)

    def seats(name: str) -> Array:
        return np.stack([columns[f"{name}_{seat}"] for seat in range(event.players)], axis=1)

    return Games(
        names,
        agents=seats("agent"),
        scores=seats("score"),
        places=seats("place"),
        deals=columns["deal"],
        line_ups=columns["line_up"],
        rotations=columns["rotation"],
        seeds=columns["seed"].view(np.uint64),
        moves=columns["moves"],
        forced=columns["forced"],
        seconds=columns["seconds"],
        thinking=seats("thinking"),
        slowest=seats("slowest"),
        asked=seats("asked"),
        forfeits=columns["forfeit"],
        reasons=columns["reason"].tolist(),
        runs=columns["run"],
    )


def _columns(connection: sqlite3.Connection, event: int, kinds: Mapping[str, Any]) -> dict[str, Array]:
    """All rows of an event as one array a column, read in pieces: a million games are too many Python objects."""
    connection.execute("BEGIN")  # count and rows are of the same moment
    n = connection.execute("SELECT count(*) FROM games WHERE event = ?", (event,)).fetchone()[0]
    columns: dict[str, Array] = {name: np.empty(n, kind) for name, kind in kinds.items()}
    rows = connection.execute(
        f"SELECT {', '.join(kinds)} FROM games WHERE event = ? ORDER BY deal, line_up, rotation", (event,)
    )
    at = 0
    while piece := rows.fetchmany(PIECE):
        for name, values in zip(kinds, zip(*piece, strict=True), strict=True):
            columns[name][at : at + len(piece)] = np.array(values, kinds[name])
        at += len(piece)
    return columns


# ---------------------------------------------------------------- writing


class Store:
    """A database that a tournament writes to; a second one at the same time is refused.

    Rows are written in transactions: whatever happens to the process, a row is there whole or not at all.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = _lock(self.path)
        try:
            self.new = _is_empty(self.path)
            self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS) if self.new else connect(path)
            self._connection.isolation_level = None
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:  # Ctrl-C too: the lock must not stay
            self._unlock()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: Any) -> None:
        self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        with contextlib.suppress(OSError):
            _lock_file(self.path).unlink()  # before the lock is given back: nobody else can hold this file
        self._lock.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:  # Ctrl-C too: a row is there whole or not at all
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def create(self, events: Sequence[Event], settings: Mapping[str, Any]) -> None:
        """Make the tables and write the plan."""
        names = list(dict.fromkeys(name for event in events for name in event.roster))
        with self._transaction() as connection:
            for statement in filter(str.strip, TABLES.split(";\n")):
                connection.execute(statement)
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
        """Write new settings and how long the events are."""
        with self._transaction() as connection:
            self._set(settings)
            rows = [(event.deals, event.planned, event.number) for event in events]
            connection.executemany("UPDATE events SET deals = ?, planned = ? WHERE number = ?", rows)

    def begin_run(self, versions: Mapping[str, Any]) -> int:
        """The number of this start of the program."""
        with self._transaction() as connection:
            began = datetime.now(UTC).isoformat(timespec="seconds")
            run = connection.execute("INSERT INTO runs (began, versions) VALUES (?, ?)", (began, json.dumps(versions)))
            return int(run.lastrowid or 0)

    def finished(self, event: Event) -> tuple[Array, Array]:
        """Deal and line-up of everything of an event that was played."""
        rows = self._connection.execute(
            "SELECT deal, line_up FROM games WHERE event = ? AND rotation = 0", (event.number,)
        )
        found = np.array(rows.fetchall(), np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def add(self, event: Event, run: int, columns: Mapping[str, Any], agents: Array, played: Played) -> None:
        """Write games; `columns` are their deal, line_up, rotation and seed, `agents` (n, P) numbers of the roster."""
        numbers = {name: number for number, name in enumerate(_names(self._connection))}
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


def _is_empty(path: Path) -> bool:
    """Whether there is nothing, or a database without tables: its process ended before it wrote the plan."""
    if not path.exists():
        return True
    with closing(sqlite3.connect(path)) as connection:
        try:
            return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0)
        except sqlite3.DatabaseError:
            return False


def _signed(seed: int) -> int:
    return int(np.uint64(seed).view(np.int64))


def _lock_file(path: Path) -> Path:
    return path.with_name(f"{path.name}-lock")


def _lock(path: Path) -> IO[bytes]:
    """Hold the database for this process; the system frees it when the process ends in whatever way."""
    file = _lock_file(path).open("a+b")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise ValueError(f"{path}: another process is playing this tournament") from None
    return file
