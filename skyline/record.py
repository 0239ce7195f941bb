"""Game records: write, replay, verify; and states as JSON positions. One file a game, JSON Lines:

    {"record": 1, "game": "manhattan", "players": 4, "options": {}, "seed": 7, "setup": {...}}
    {"player": 0, "move": "take 1 1 2 2 3 4"}            with legal moves: , "legal": [...]
    {"shuffle": {"deck": "cards", "order": [...]}}       what the move before it brought by chance
    {"end": {"scores": [...], "places": [...]}}

The setup and shuffle lines hold everything random, so a record replays without knowing the random generator.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from skyline import engine, registry
from skyline.files import write_text
from skyline.game import MOST_SEATS, NO_SEAT, Game
from skyline.rng import check_seed, fresh_seed

__all__ = ["RecordError", "Recorder", "position_of", "read", "replay", "state_of", "verify"]

RECORD_VERSION = 1


class RecordError(ValueError):
    """A record that is malformed or does not follow the rules: file, line and reason."""

    def __init__(self, reason: str, line: int = 0, path: Path | str | None = None) -> None:
        where = f"{path or 'record'}, line {line}: " if line else f"{path}: " if path else ""
        super().__init__(f"{where}{reason}")
        self.reason, self.line, self.path = reason, line, path

    def at(self, path: Path | str) -> RecordError:
        return RecordError(self.reason, self.line, path)


# ---------------------------------------------------------------- positions


def position_of(game: Game, s: Any, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The row as data: the position in the rules file's words, the options and the random stream."""
    extra = {"options": dict(options or {}), "stream": int(s.rng), "seed": int(s.deal)}
    return {**game.position(s), **extra}


def state_of(
    game: Game, position: Mapping[str, Any], players: int | None = None, options: Mapping[str, Any] | None = None
) -> np.ndarray[Any, Any]:
    """The length-1 state array that stands in a position. Without a `stream` in it the future is that of seed 0."""
    if not isinstance(position, Mapping) or "players" not in position:
        raise ValueError("a position is an object with at least the field players")
    data = dict(position)
    count = game.check_players(data["players"])
    if players is not None and count != players:
        raise ValueError(f"the position is for {count} players, the environment for {players}")
    own_options = data.pop("options", None)
    if (
        own_options is not None
        and options is not None
        and game.check_options(own_options) != game.check_options(options)
    ):
        raise ValueError(f"the position has the options {own_options}, the environment {dict(options)}")
    stream, seed = data.pop("stream", 0), data.pop("seed", 0)
    states = game.blank(count, own_options if own_options is not None else options)
    states["rng"], states["deal"] = check_seed(stream), check_seed(seed)
    game.from_position(states[0], data)
    return states


# ---------------------------------------------------------------- writing


class Recorder:
    """Plays one game move by move on a state of its own and keeps its record.

    >>> recorder = Recorder("manhattan", players=2, seed=1)
    >>> while recorder.seat is not None:
    ...     recorder.play(recorder.legal()[0])
    >>> recorder.save("game.jsonl")
    """

    def __init__(
        self,
        game: str | Game,
        players: int,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        setup: Mapping[str, Any] | None = None,
        legal: bool = False,
    ) -> None:
        self.game = registry.load(game)
        self.options = self.game.check_options(options)
        self.state = self.game.blank(players, self.options)
        word = check_seed(fresh_seed() if seed is None else seed)
        self._kernels = engine.kernels(self.game)
        self.mask = engine.mask_array(self.game, players)
        if setup is None:
            rewards = np.zeros((1, players), np.float32)
            self._kernels.begin_rows(self.state, np.array([word]), np.zeros(1, np.int64), self.mask, rewards, False)
        else:
            self.state["rng"] = self.state["deal"] = word
            self.game.from_setup(self.state[0], setup)
            self._kernels.fill_masks(self.state, self.mask)
        self.with_legal = legal
        self.lines: list[dict[str, Any]] = [
            {
                "record": RECORD_VERSION,
                "game": self.game.name,
                "players": players,
                "options": self.options,
                "seed": int(word),
                "setup": self.game.setup(self.state[0]),
            }
        ]

    @property
    def seat(self) -> int | None:
        """Who decides; None at the end."""
        seat = int(self.state["seat"][0])
        return None if seat == NO_SEAT else seat

    def legal(self) -> list[int]:
        """The legal action ids."""
        return [int(action) for action in np.flatnonzero(self.mask[0])]

    def legal_texts(self) -> list[str]:
        return [self.game.move_text(self.state[0], action) for action in self.legal()]

    def play(self, action: int, given: Sequence[Mapping[str, Any]] | None = None) -> None:
        """Play a legal action; `given` are the chance results it must bring (None: drawn from the stream)."""
        before = self.state.copy()
        if given:
            self.game.preset(self.state[0], given)
        line: dict[str, Any] = {"player": self.seat, "move": self.game.move_text(before[0], action)}
        if self.with_legal:
            line["legal"] = self.legal_texts()
        rewards = np.zeros((1, MOST_SEATS), np.float32)
        self._kernels.step_some(self.state, np.zeros(1, np.int64), np.array([action]), self.mask, rewards, engine.SCORE)
        self.lines.append(line)
        events = self.game.events(before[0], self.state[0])
        if given is not None and events != [dict(event) for event in given]:
            raise RecordError(
                f"the move {line['move']!r} causes {_shuffles(events)}, the record has {_shuffles(given)}"
            )
        self.lines += [{"shuffle": event} for event in events]
        if self.seat is None:
            self.lines.append({"end": self.result()})

    def result(self) -> dict[str, Any]:
        """Scores and places as they stand."""
        players = int(self.state["players"][0])
        scores = [int(score) for score in self.state["scores"][0][:players]]
        return {"scores": scores, "places": self.game.places(self.state[0])}

    def text(self) -> str:
        return "".join(json.dumps(line, separators=(", ", ": ")) + "\n" for line in self.lines)

    def save(self, path: str | Path) -> Path:
        """Write the record; the file is there whole or not at all."""
        return write_text(Path(path), self.text())


def _shuffles(events: Sequence[Mapping[str, Any]]) -> str:
    if not events:
        return "no shuffle"
    return " and ".join(f"the shuffle of {event.get('deck')} to {event.get('order')}" for event in events)


# ---------------------------------------------------------------- reading and replaying


@dataclass(frozen=True)
class Move:
    """A move line with the shuffles that follow it."""

    line: int
    player: Any
    text: str
    legal: list[str] | None
    shuffles: list[dict[str, Any]]


@dataclass(frozen=True)
class Record:
    """A parsed record: nothing in it has been checked against the rules yet."""

    game: Game
    players: int
    options: dict[str, Any]
    seed: int
    setup: dict[str, Any]
    moves: list[Move]
    end: dict[str, Any] | None
    lines: int


def read(source: str | Path | Iterable[str]) -> Record:
    """Parse a record from a file or from lines; RecordError names the line."""
    if isinstance(source, (str, Path)):
        try:
            text = Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(f"cannot be read: {error}", path=source) from None
        try:
            return _parse(text.splitlines())
        except RecordError as error:
            raise error.at(source) from None
    return _parse(source)


def _parse(lines: Iterable[str]) -> Record:
    objects = list(_objects(lines))
    if not objects:
        raise RecordError("the file is empty")
    number, head = objects[0]
    game, players, options = _head(head, number)
    moves: list[Move] = []
    end: dict[str, Any] | None = None
    for number, line in objects[1:]:
        if end is not None:
            raise RecordError("there is a line after the end line", number)
        match line:
            case {"move": str(move), "player": player, **rest} if set(rest) <= {"legal"}:
                moves.append(Move(number, player, move, rest.get("legal"), []))
            case {"shuffle": {"deck": _, "order": _} as event} if len(line) == 1 and moves:
                moves[-1].shuffles.append(event)
            case {"end": {"scores": list(), "places": list()} as result} if len(line) == 1:
                end = result
            case _:
                raise RecordError(f"this is no move, shuffle or end line: {json.dumps(line)[:120]}", number)
    return Record(game, players, options, head["seed"], head["setup"], moves, end, objects[-1][0])


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                raise RecordError(f"this is not JSON ({error.msg}); is the file cut off?", number) from None
            if not isinstance(value, dict):
                raise RecordError("a line is a JSON object", number)
            yield number, value


def _head(head: dict[str, Any], number: int) -> tuple[Game, int, dict[str, Any]]:
    missing = {"record", "game", "players", "seed", "setup"} - set(head)
    if missing or head["record"] != RECORD_VERSION:
        lacks = f"it lacks {', '.join(sorted(missing))}" if missing else f"record {head['record']!r} is not known"
        raise RecordError(f"the first line is not the head of a record: {lacks}", number)
    if not isinstance(head["setup"], dict) or not isinstance(head.get("options", {}), dict):
        raise RecordError("setup and options are objects", number)
    try:
        game = registry.load(str(head["game"]))
        check_seed(head["seed"])
        return game, game.check_players(head["players"]), game.check_options(head.get("options", {}))
    except (ValueError, TypeError) as error:
        raise RecordError(str(error), number) from None


def replay(record: Record | str | Path, until: int | None = None) -> Recorder:
    """Play a record again, checking every line; stop after `until` moves if given. RecordError on any difference."""
    if not isinstance(record, Record):
        try:
            return replay(read(record), until)
        except RecordError as error:
            raise (error if error.path else error.at(record)) from None
    try:
        recorder = Recorder(record.game, record.players, record.seed, record.options, setup=record.setup)
    except (ValueError, TypeError, KeyError) as error:
        raise RecordError(f"setup: {error}", 1) from None
    for move in record.moves[:until]:
        _replay_move(recorder, move)
    if until is None:
        _check_end(recorder, record)
    return recorder


def _replay_move(recorder: Recorder, move: Move) -> None:
    if recorder.seat is None:
        raise RecordError(f"the game is over, yet {move.text!r} is played", move.line)
    if move.player != recorder.seat:
        raise RecordError(f"seat {recorder.seat} has to move, not {move.player!r}", move.line)
    texts = recorder.legal_texts()
    if move.text not in texts:
        raise RecordError(f"{move.text!r} is not legal for seat {recorder.seat}; legal: {_some(texts)}", move.line)
    if move.legal is not None and move.legal != texts:
        raise RecordError(f"the legal moves differ: {_first_difference(texts, move.legal)}", move.line)
    try:
        recorder.play(recorder.legal()[texts.index(move.text)], move.shuffles)
        recorder.game.check(recorder.state[0])
    except ValueError as error:
        raise RecordError(getattr(error, "reason", str(error)), move.line) from None
    except AssertionError as error:
        raise RecordError(f"the shuffle is not one of the cards in play: {error}", move.line) from None


def _check_end(recorder: Recorder, record: Record) -> None:
    if recorder.seat is not None:
        raise RecordError(f"the record stops although seat {recorder.seat} has to move", record.lines)
    if record.end is None:
        raise RecordError("the end line is missing", record.lines)
    for key, value in recorder.result().items():
        if record.end.get(key) != value:
            raise RecordError(f"{key} are {value}, the record says {record.end.get(key)}", record.lines)


def _some(texts: Sequence[str], most: int = 8) -> str:
    return ", ".join(texts[:most]) + (f", .. ({len(texts)} in all)" if len(texts) > most else "")


def _first_difference(ours: Sequence[str], theirs: Sequence[Any]) -> str:
    if not isinstance(theirs, list):
        return "legal is not a list"
    for i, text in enumerate(ours):
        if i >= len(theirs) or theirs[i] != text:
            return f"number {i} is {text!r}, the record has {theirs[i] if i < len(theirs) else 'nothing'!r}"
    return f"number {len(ours)} does not exist, the record has {theirs[len(ours)]!r}"


def verify(path: str | Path) -> Recorder:
    """Replay a record file to its end; RecordError with file, line and reason on the first difference."""
    return replay(path)
