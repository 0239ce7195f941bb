"""Reading a record: its lines have the right form, but nothing is checked against the rules yet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from skyline import registry
from skyline.game import DEFAULT_MEMORY, Game
from skyline.reading import Unreadable, Value, parse_json, read_file, shown
from skyline.record.format import HEAD, LINE, LONGEST_LINE, MOST_POINTS, OPTIONAL, RECORD_VERSION, RecordError
from skyline.record.positions import within
from skyline.rng import SEED_LIMIT
from skyline.typing import Memory

T = TypeVar("T")


@dataclass(frozen=True)
class Move:
    """A move line with the shuffles that follow it."""

    line: int
    player: int
    text: str
    legal: list[str] | None
    shuffles: list[dict[str, Any]]


@dataclass(frozen=True)
class Record:
    """A parsed record: its lines have the right form, nothing has been checked against the rules yet."""

    game: Game
    players: int
    options: dict[str, Any]
    seed: int
    setup: dict[str, Any]
    moves: list[Move]
    end: dict[str, list[int]] | None
    lines: int
    agents: list[str] | None = None  # the names of the players by seat, where the record tells them
    memory: Memory = DEFAULT_MEMORY


class _Head(NamedTuple):
    """What the first line says."""

    game: Game
    players: int
    options: dict[str, Any]
    memory: Memory
    seed: int
    setup: dict[str, Any]
    agents: list[str] | None


def read(source: str | Path | Iterable[str]) -> Record:
    """Parse a record from a file or from lines; RecordError names the line."""
    if not isinstance(source, (str, Path)):
        return _parse(source)
    try:
        text = read_file(Path(source), "record")
    except Unreadable as error:
        raise RecordError(error.reason, path=source) from None
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise RecordError(f"cannot be read: {reason}", path=source) from None
    try:
        return _parse(text.split("\n"))
    except RecordError as error:
        raise error.at(source) from None


def _parse(lines: Iterable[str]) -> Record:
    values = _values(lines)
    number, first = next(values, (0, None))
    if first is None:
        raise RecordError("the file is empty")
    head = _told(number, _head, first)
    moves: list[Move] = []
    end: dict[str, list[int]] | None = None
    for number, line in values:
        if end is not None:
            raise RecordError("there is a line after the end line", number)
        end = _told(number, _line, line, number, head.players, moves)
    return Record(
        head.game, head.players, head.options, head.seed, head.setup, moves, end, number, head.agents, head.memory
    )


def _values(lines: Iterable[str]) -> Iterator[tuple[int, Value]]:
    """Every line that is not empty, with its number."""
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise RecordError(f"a line is a text, not {shown(line)}", number)
        if line.strip():
            yield number, Value(_told(number, parse_json, line, LINE, LONGEST_LINE), LINE)


def _told(number: int, reading: Callable[..., T], *what: Any) -> T:
    """What is read; a refusal becomes a RecordError with the number of the line."""
    try:
        return reading(*what)
    except Unreadable as error:
        place = error.place.removeprefix(LINE).removeprefix(".")
        raise RecordError(f"{place}: {error.reason}" if place else error.reason, number) from None


def _head(line: Value) -> _Head:
    if not isinstance(line.raw, Mapping) or "record" not in line.raw:
        line.fault('the first line is not the head of a record, {"record": 1, "game": .., "players": .., ..}')
    head = line.object(*HEAD, need=(name for name in HEAD if name not in OPTIONAL))
    if type(head["record"].raw) is not int or head["record"].raw != RECORD_VERSION:
        head["record"].refuse(f"only records of version {RECORD_VERSION} are known")
    name = head["game"].text(100)
    game = within(head["game"], registry.load, name)
    if game.name != name:
        head["game"].refuse(f"the name is written {game.name!r}")
    players = within(head["players"], game.check_players, head["players"].raw)
    given = head.get("options", {})
    options = within(given, game.check_options, {name: value.raw for name, value in given.items()})
    setup = {name: value.raw for name, value in head["setup"].items()}
    agents = [name.text() for name in head["agents"].row(players)] if "agents" in head else None
    memory: Memory = DEFAULT_MEMORY
    if "memory" in head and head["memory"].raw != "table":
        head["memory"].refuse('"table", or the field is missing')
    elif "memory" in head:
        memory = "table"
    return _Head(game, players, options, memory, head["seed"].whole(0, SEED_LIMIT - 1), setup, agents)


def _line(line: Value, number: int, players: int, moves: list[Move]) -> dict[str, list[int]] | None:
    """A move or shuffle line is put with the moves; the result of the end line is given back."""
    kind = line.raw if isinstance(line.raw, Mapping) else {}
    if "move" in kind:
        given = line.object("player", "move", "legal", need=("player", "move"))
        legal = [text.text() for text in given["legal"].list()] if "legal" in given else None
        moves.append(Move(number, given["player"].whole(0, players - 1), given["move"].text(), legal, []))
    elif "shuffle" in kind and moves:
        event = line.object("shuffle")["shuffle"].object("deck", "order", need=("deck", "order"))
        moves[-1].shuffles.append({"deck": event["deck"].text(), "order": [at.raw for at in event["order"].list()]})
    elif "end" in kind:
        result = line.object("end")["end"].object("scores", "places", need=("scores", "places"))
        return {
            "scores": [score.whole(-MOST_POINTS, MOST_POINTS) for score in result["scores"].row(players)],
            "places": [place.whole(1, players) for place in result["places"].row(players)],
        }
    else:
        line.fault(f"this is no move, shuffle or end line: {json.dumps(line.raw)[:120]}")
    return None
