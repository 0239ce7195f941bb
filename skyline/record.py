"""Game records: write, replay, verify; and states as JSON positions. One file a game, JSON Lines:

    {"record": 1, "game": "manhattan", "players": 4, "options": {}, "seed": 7, "setup": {...}}
    {"player": 0, "move": "take 1 1 2 2 3 4"}            with legal moves: , "legal": [...]
    {"shuffle": {"deck": "cards", "order": [...]}}       what the move before it brought by chance
    {"end": {"scores": [...], "places": [...]}}

The head may also have "agents": [..], the names of the players by seat; nothing depends on them.
The setup and shuffle lines hold everything random, so a record replays without knowing the random generator.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.files import write_text
from skyline.game import NO_SEAT, BrokenState, Game, LastMove, illegal_move
from skyline.reading import Fields, Unreadable, Value, parse_json, read_file, shown
from skyline.rng import SEED_LIMIT, check_seed, fresh_seed

__all__ = ["RecordError", "Recorder", "position_of", "read", "replay", "state_of", "verify"]

RECORD_VERSION = 1
HEAD = ("record", "game", "players", "options", "seed", "agents", "setup")
OPTIONAL = ("options", "agents")  # fields of the head that may be missing
LONGEST_LINE = 2**20  # characters; a move line with all its legal moves has some 10,000
MOST_POINTS = 2**31  # of a seat, either way
LINE = "line"  # place of a whole line; what is in it is named without this word: player, setup.deck[3]
OUTSIDE = ("options", "stream", "seed")  # fields of a position that are read here, not by the game

T = TypeVar("T")


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
    """The length-1 state array that stands in a position. Without a `stream` in it the future is that of seed 0.

    A ValueError names the place of what does not fit. A seat that has to decide and has no legal move does not fit:
    nobody could play on.
    """
    given = Value(position, "position").items()
    count = _within(given["players"], game.check_players, given["players"].raw)
    if players is not None and count != players:
        raise ValueError(f"the position is for {count} players, the environment for {players}")
    states = _blank(game, given, count, options)
    states["rng"], states["deal"] = (given.get(name, 0).whole(0, SEED_LIMIT - 1) for name in ("stream", "seed"))
    game.from_position(states[0], {name: value.raw for name, value in given if name not in OUTSIDE})
    if states["seat"][0] != NO_SEAT:
        mask = engine.mask_array(game, count)
        engine.kernels(game).fill_masks(states, mask)
        if not mask.any():
            raise Unreadable(f"seat {states['seat'][0]} has to decide and has no legal move", "position")
    return states


def _blank(game: Game, given: Fields, players: int, options: Mapping[str, Any] | None) -> np.ndarray[Any, Any]:
    """A blank row with the options of the position, which must be those of the environment, if both are given."""
    place = given.get("options", None)
    if place.is_null:
        return game.blank(players, options)
    own = {name: value.raw for name, value in place.items()}
    checked = _within(place, game.check_options, own)
    if options is not None and checked != game.check_options(options):
        raise ValueError(f"the position has the options {own}, the environment {dict(options)}")
    return _within(place, game.blank, players, checked)


def _within(place: Value, check: Callable[..., T], *values: Any) -> T:
    """What the check gives for these values; its ValueError gets the place."""
    try:
        return check(*values)
    except ValueError as error:
        raise Unreadable(str(error), place.place) from None


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
        agents: Sequence[str] | None = None,
    ) -> None:
        self.game = registry.load(game)
        self.options = self.game.check_options(options)
        self.state = self.game.blank(players, self.options)
        word = check_seed(fresh_seed() if seed is None else seed)
        self._kernels = engine.kernels(self.game)
        self.mask = engine.mask_array(self.game, players)
        self._rewards = np.zeros((1, players), np.float32)
        if setup is None:
            rows = np.zeros(1, np.int64)
            self._kernels.begin_rows(self.state, np.array([word]), rows, self.mask, self._rewards, False)
        else:
            self.state["rng"] = self.state["deal"] = word
            self.game.from_setup(self.state[0], setup)
            self._kernels.fill_masks(self.state, self.mask)
        if agents is not None:
            agents = [name.text() for name in Value(list(agents), "agents").row(players)]
        self.with_legal = legal
        self._before: tuple[Any, int] | None = None  # the rows before the last move, and its action
        self.lines: list[dict[str, Any]] = [
            {
                "record": RECORD_VERSION,
                "game": self.game.name,
                "players": players,
                "options": self.options,
                "seed": int(word),
                **({} if agents is None else {"agents": agents}),
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
        """Play a legal action; `given` are the chance results it must bring (None: drawn from the stream).

        IllegalMove for every other action, another ValueError for chance results that the move does not bring; the
        game then stands as before.
        """
        number = self._legal_number(action)
        if given is not None:
            given = [shuffle.mapping() for shuffle in Value(given, "shuffles").list()]
        before = self.state.copy()
        self._before = (before, number)
        line: dict[str, Any] = {"player": self.seat, "move": self.game.move_text(before[0], number)}
        if self.with_legal:
            line["legal"] = self.legal_texts()
        if given:
            self.game.preset(self.state[0], given)
        self._kernels.step_some(
            self.state, np.zeros(1, np.int64), np.array([number]), self.mask, self._rewards, engine.SCORE
        )
        events = self.game.events(before[0], self.state[0])
        if given is not None and events != [dict(event) for event in given]:
            self.state[:] = before
            self._kernels.fill_masks(self.state, self.mask)
            raise RecordError(
                f"the move {line['move']!r} causes {_shuffles(events)}, the record has {_shuffles(given)}"
            )
        self.lines += [line, *({"shuffle": event} for event in events)]
        if self.seat is None:
            self.lines.append({"end": self.result()})

    def last_move(self, viewer: int | None = None) -> LastMove | None:
        """The move played last, told to a viewer (None: everything is shown); None before the first move."""
        if self._before is None:
            return None
        before, action = self._before
        return self.game.last_move(before[0], action, self.state[0], viewer)

    def _legal_number(self, action: Any) -> int:
        """The action as a number; the kernel trusts it."""
        if self.seat is None:
            raise ValueError(f"{self.game.title}: the game is over, no move can be played")
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self.mask.shape[1] or not self.mask[0, number]:
            raise illegal_move(self.game, self.state[0], self.mask[0], action, f"seat {self.seat}")
        return number

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


# ---------------------------------------------------------------- reading


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


def read(source: str | Path | Iterable[str]) -> Record:
    """Parse a record from a file or from lines; RecordError names the line."""
    if not isinstance(source, (str, Path)):
        return _parse(source)
    try:
        text = read_file(Path(source), "record")
    except Unreadable as error:
        raise RecordError(error.reason, path=source) from None
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot be read: {error}", path=source) from None
    try:
        return _parse(text.split("\n"))
    except RecordError as error:
        raise error.at(source) from None


def _parse(lines: Iterable[str]) -> Record:
    values = _values(lines)
    number, head = next(values, (0, None))
    if head is None:
        raise RecordError("the file is empty")
    game, players, options, seed, setup, agents = _told(number, _head, head)
    moves: list[Move] = []
    end: dict[str, list[int]] | None = None
    for number, line in values:
        if end is not None:
            raise RecordError("there is a line after the end line", number)
        end = _told(number, _line, line, number, players, moves)
    return Record(game, players, options, seed, setup, moves, end, number, agents)


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


def _head(line: Value) -> tuple[Game, int, dict[str, Any], int, dict[str, Any], list[str] | None]:
    if not isinstance(line.raw, Mapping) or "record" not in line.raw:
        line.fault('the first line is not the head of a record, {"record": 1, "game": .., "players": .., ..}')
    head = line.object(*HEAD, need=(name for name in HEAD if name not in OPTIONAL))
    if type(head["record"].raw) is not int or head["record"].raw != RECORD_VERSION:
        head["record"].refuse(f"only records of version {RECORD_VERSION} are known")
    name = head["game"].text(100)
    game = _within(head["game"], registry.load, name)
    if game.name != name:
        head["game"].refuse(f"the name is written {game.name!r}")
    players = _within(head["players"], game.check_players, head["players"].raw)
    given = head.get("options", {})
    options = _within(given, game.check_options, {name: value.raw for name, value in given.items()})
    setup = {name: value.raw for name, value in head["setup"].items()}
    agents = [name.text() for name in head["agents"].row(players)] if "agents" in head else None
    return game, players, options, head["seed"].whole(0, SEED_LIMIT - 1), setup, agents


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


# ---------------------------------------------------------------- replaying


def replay(
    record: Record | str | Path, until: int | None = None, watch: Callable[[Recorder], None] | None = None
) -> Recorder:
    """Play a record again, checking every line; stop after `until` moves if given. RecordError on any difference.

    `watch` is called after every move.
    """
    if not isinstance(record, Record):
        try:
            return replay(read(record), until, watch)
        except RecordError as error:
            raise (error if error.path else error.at(record)) from None
    try:
        recorder = Recorder(
            record.game, record.players, record.seed, record.options, setup=record.setup, agents=record.agents
        )
    except ValueError as error:
        raise RecordError(str(error), 1) from None
    for move in record.moves[:until]:
        _replay_move(recorder, move)
        if watch is not None:
            watch(recorder)
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
    except RecordError as error:
        raise RecordError(error.reason, move.line) from None
    except BrokenState as error:
        raise RecordError(f"the shuffle is not one of the cards in play: {error}", move.line) from None
    except ValueError as error:
        raise RecordError(str(error), move.line) from None


def _check_end(recorder: Recorder, record: Record) -> None:
    if recorder.seat is not None:
        raise RecordError(f"the record stops although seat {recorder.seat} has to move", record.lines)
    if record.end is None:
        raise RecordError("the end line is missing", record.lines)
    for key, value in recorder.result().items():
        if record.end[key] != value:
            raise RecordError(f"{key} are {value}, the record says {record.end[key]}", record.lines)


def _some(texts: Sequence[str], most: int = 8) -> str:
    return ", ".join(texts[:most]) + (f", .. ({len(texts)} in all)" if len(texts) > most else "")


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    for i, text in enumerate(ours):
        if i >= len(theirs) or theirs[i] != text:
            return f"number {i} is {text!r}, the record has {theirs[i] if i < len(theirs) else 'nothing'!r}"
    return f"number {len(ours)} does not exist, the record has {theirs[len(ours)]!r}"


def verify(path: str | Path) -> Recorder:
    """Replay a record file to its end; RecordError with file, line and reason on the first difference."""
    return replay(path)
