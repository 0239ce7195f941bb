"""Playing a record again: every line is checked against the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from skyline.arguments import check_choice
from skyline.game import MEMORIES, BrokenState
from skyline.record.format import RecordError
from skyline.record.parsing import Move, Record, read
from skyline.record.writing import Recorder
from skyline.typing import Memory


def replay(
    record: Record | str | Path, until: int | None = None, watch: Callable[[Recorder], None] | None = None, *,
    memory: Memory | None = None,
) -> Recorder:  # fmt: skip
    """Play a record again, checking every line; stop after `until` moves if given. RecordError on any difference.

    `watch` is called after every move. `memory` is the setting of the states that are played, None: the record's own.
    """
    check_choice("memory", memory, (*MEMORIES, None))
    if not isinstance(record, Record):
        try:
            return replay(read(record), until, watch, memory=memory)
        except RecordError as error:
            raise (error if error.path else error.at(record)) from None
    try:
        recorder = Recorder(
            record.game, record.players, record.seed, record.options, setup=record.setup, agents=record.agents,
            memory=record.memory if memory is None else memory,
        )  # fmt: skip
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
        stops = f"the record stops although seat {recorder.seat} has to move"
        count = len(record.moves)
        remedy = f"until={count} in replay, or skyline show --move {count}, plays the moves that it has"
        raise RecordError(f"{stops}; {remedy}", record.lines)
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
