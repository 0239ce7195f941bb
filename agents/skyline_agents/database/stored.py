"""Reading a tournament's database. The file may come from anywhere: every value is checked; an error says where it
is."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from skyline.reading import SHOWN, Fields, Unreadable, Value, parse_json
from skyline.typing import Array
from skyline_agents.database import schema, sqlite
from skyline_agents.database.events import FORMATS, Event, Games
from skyline_agents.memory_setting import EARLIER_MEMORY, MEMORY_VALUES

PIECE = 20_000  # rows read at once
MOST = 2**53  # the largest count
MOST_EVENTS = 100_000
MOST_ROSTER = 10_000
MOST_JSON = 2**22  # characters of one value
KINDS: dict[str, Any] = {"INTEGER": np.int64, "REAL": np.float64, "TEXT": object}  # dtypes of the arrays
BY_GAME = ("environments", "kernels")  # versions that are objects, with a value for every game
NULLABLE = ("thinking", "slowest", "asked", "reason")
MAY_BE: dict[str, set[type]] = {"INTEGER": {int}, "REAL": {int, float}, "TEXT": {str}}
WORDS = {"INTEGER": "a whole number", "REAL": "a number", "TEXT": "a text"}


@contextlib.contextmanager
def connect(path: str | Path) -> Iterator[sqlite3.Connection]:
    """A snapshot of the database of a tournament, to read from."""
    path = Path(path)
    with sqlite.reading(path) as connection:
        schema.check(connection, path)
        yield connection


def _rows(connection: sqlite3.Connection, table: str, columns: str, path: Path) -> list[Fields]:
    """The rows of a small table in the order of their numbers; errors name the first row of events `events[0]`."""
    order = "key" if table == "settings" else "number"
    found = connection.execute(f"SELECT {columns} FROM {table} ORDER BY {order} LIMIT {MOST_EVENTS}")
    names = columns.split(", ")
    return [Value(dict(zip(names, row, strict=True)), f"{path}: {table}[{k}]").items() for k, row in enumerate(found)]


def _json(value: Value) -> Value:
    """The value of a column that holds JSON."""
    return Value(parse_json(value.text(MOST_JSON), value.place), value.place)


def settings(path: str | Path) -> dict[str, Any]:
    """The settings that hold for the whole tournament."""
    with connect(path) as connection:
        rows = connection.execute("SELECT key, value FROM settings ORDER BY key LIMIT 1000").fetchall()
    found = {}
    for key, value in rows:
        name = Value(key, f"{path}: settings").text(100)
        found[name] = _setting(name, _json(Value(value, f"{path}: settings.{name}")))
    return found


def _setting(name: str, value: Value) -> Any:
    if name == "move_seconds" and not value.is_null:
        value.number(0, 1e9)  # 0: any time
    if name == "sprt" and not value.is_null:
        parts = value.object("elo0", "elo1", "alpha", "beta", need=("elo0", "elo1"))
        return {part: one.number(-1e9, 1e9) for part, one in parts}
    return value.raw


def names_in(connection: sqlite3.Connection, path: Path) -> list[str]:
    """The names of all agents, in the order of their numbers."""
    return [
        (row["number"].whole(k, k), row["name"].text())[1]
        for k, row in enumerate(_rows(connection, "agents", "number, name", path))
    ]


def events(path: str | Path) -> list[Event]:
    """All events in the order of their numbers."""
    with connect(path) as connection:
        return events_in(connection, Path(path))


def events_in(connection: sqlite3.Connection, path: Path) -> list[Event]:
    names = names_in(connection, path)
    columns = "number, game, version, players, options, roster, format, seed, deals, planned"
    if "memory" in schema.columns_of(connection, "events"):  # older files have no such column
        columns += ", memory"
    return [_event(k, row, names) for k, row in enumerate(_rows(connection, "events", columns, path))]


def _event(k: int, row: Fields, names: Sequence[str]) -> Event:
    roster: list[str] = []
    for number in _json(row["roster"]).list(1, MOST_ROSTER):
        name = names[number.whole(0, len(names) - 1)]
        if name in roster:
            number.fault(f"agent {number.raw} is there already")
        roster.append(name)
    return Event(
        number=row["number"].whole(k, k),
        game=row["game"].text(100),
        version=row["version"].whole(0, MOST),
        players=row["players"].whole(1, schema.SEATS),
        options={name: value.raw for name, value in _json(row["options"]).items()},
        roster=roster,
        format=FORMATS[row["format"].one_of(FORMATS)],
        seed=row["seed"].whole(-(2**63), 2**63 - 1) % 2**64,
        deals=row["deals"].whole(1, MOST),
        planned=row["planned"].whole(0, MOST),
        memory=MEMORY_VALUES[row["memory"].one_of(MEMORY_VALUES)] if "memory" in row else EARLIER_MEMORY,
    )


def runs(path: str | Path) -> list[dict[str, Any]]:
    """The starts of the program: when, and with which versions; the oldest first."""
    with connect(path) as connection:
        rows = _rows(connection, "runs", "number, began, versions", Path(path))
    return [
        {"number": row["number"].whole(1, MOST), "began": row["began"].text(), **_versions(_json(row["versions"]))}
        for row in rows
    ]


def _versions(given: Value) -> dict[str, Any]:
    """The versions of a run: texts, or for BY_GAME objects with a text for every game."""
    return {
        name: {of: one.text() for of, one in value.items()} if name in BY_GAME else value.text()
        for name, value in given.items()
    }


# ---------------------------------------------------------------- games


def games(path: str | Path, event: Event) -> Games:
    """Every finished game of an event."""
    P, place = event.players, f"{path}: games of event {event.number}"
    kinds = {name: sql for name, sql, _ in schema.ONCE} | {"run": "INTEGER"}
    kinds |= {f"{name}_{seat}": sql for name, sql, _ in schema.EACH_SEAT for seat in range(P)}
    with connect(path) as connection:
        columns = _columns(connection, event.number, kinds, place)
        names = names_in(connection, Path(path))

    def seats(name: str) -> Array:
        return np.stack([columns[f"{name}_{seat}"] for seat in range(P)], axis=1)

    _check_ranges(columns, event, len(names), place)
    _check_places(seats("place"), place)
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


def _columns(connection: sqlite3.Connection, event: int, kinds: Mapping[str, str], place: str) -> dict[str, Array]:
    """All rows of an event, an array for every column. They are read in pieces, which need less memory."""
    n = connection.execute("SELECT count(*) FROM games WHERE event = ?", (event,)).fetchone()[0]
    columns: dict[str, Array] = {name: np.empty(n, _dtype(name, sql)) for name, sql in kinds.items()}
    rows = connection.execute(
        f"SELECT {', '.join(kinds)} FROM games WHERE event = ? ORDER BY deal, line_up, rotation", (event,)
    )
    at = 0
    while piece := rows.fetchmany(min(PIECE, n - at + 1)):
        if at + len(piece) > n:
            raise Unreadable("the database is damaged: more rows than it counts", place)
        for (name, sql), values in zip(kinds.items(), zip(*piece, strict=True), strict=True):
            check_types(name, sql, values, at, place)
            columns[name][at : at + len(piece)] = np.array(values, _dtype(name, sql))
        at += len(piece)
    if at < n:
        raise Unreadable("the database is damaged: fewer rows than it counts", place)
    return columns


def _dtype(name: str, sql: str) -> Any:
    return np.float64 if _of(name) == "asked" else KINDS[sql]  # NULL becomes NaN


def _of(name: str) -> str:
    """The name of a column without its seat: that of agent_0 is agent."""
    stem, _, seat = name.rpartition("_")
    return stem if seat.isdigit() else name


def check_types(name: str, sql: str, values: Sequence[Any], at: int, place: str) -> None:
    """Unreadable unless all values of a column have its type; the first of them is in row `at`."""
    allowed = MAY_BE[sql] | ({type(None)} if _of(name) in NULLABLE else set())
    if set(map(type, values)) <= allowed:
        return
    k = next(k for k, value in enumerate(values) if type(value) not in allowed)
    shown = repr(values[k])[:SHOWN]
    raise Unreadable(f"{name} is {WORDS[sql]}, not {shown}", f"{place}, row {at + k}")


def _check_ranges(columns: Mapping[str, Array], event: Event, agents: int, place: str) -> None:
    """Unreadable unless all numbers are in the ranges that the other tables and the player count allow."""
    most = {"deal": (0, event.deals - 1), "line_up": (0, MOST), "rotation": (0, event.players - 1), "moves": (0, MOST),
            "forced": (0, MOST), "forfeit": (-1, event.players - 1), "agent": (0, agents - 1),
            "place": (1, event.players), "seconds": (0, 1e15), "thinking": (0, 1e15), "slowest": (0, 1e15),
            "asked": (0, MOST), "run": (0, MOST)}  # fmt: skip
    for name, values in columns.items():
        if _of(name) in most:
            low, high = most[_of(name)]
            wrong = np.flatnonzero((values < low) | (values > high))
            if len(wrong):
                shown = f"{name} is a number {low:g} .. {high:g}, not {values[wrong[0]]:g}"
                raise Unreadable(shown, f"{place}, row {wrong[0]}")


def _check_places(places: Array, place: str) -> None:
    """Unreadable unless every place is one more than the number of better places."""
    better = sum((places[:, seat : seat + 1] < places).astype(np.int64) for seat in range(places.shape[1]))
    wrong = np.flatnonzero((places != 1 + better).any(axis=1))
    if len(wrong):
        found = ", ".join(map(str, places[wrong[0]].tolist()))
        raise Unreadable(f"the places {found} are those of no game", f"{place}, row {wrong[0]}")
