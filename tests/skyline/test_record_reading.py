"""Records from outside: every wrong line is refused with file, line and reason, also under `python -O`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline.game import IllegalMove
from skyline.record import Recorder, RecordError, read, replay, state_of, verify
from tests.support.commands import run

GAME = "manhattan"


def recorded(game: str, seed: int = 1, players: int = 2) -> list[str]:
    """The lines of a game of random moves, with all legal moves."""
    recorder, rng = Recorder(game, players, seed, legal=True), np.random.default_rng(seed)
    while recorder.seat is not None:
        recorder.play(int(rng.choice(recorder.legal())))
    return recorder.text().splitlines()


LINES = recorded(GAME)
SHUFFLE = next(i for i, line in enumerate(LINES) if "shuffle" in json.loads(line))
HEAD, MOVE, END = 0, 5, len(LINES) - 1


def changed(at: int, change: Callable[[Any], None]) -> list[str]:
    """The record with one changed line."""
    data = json.loads(LINES[at])
    change(data)
    return [*LINES[:at], json.dumps(data), *LINES[at + 1 :]]


def with_field(*path: Any, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for name in path[:-1]:
            data = data[name]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("at", "path", "value", "says"),
    [
        (HEAD, ["names"], ["a"], "there is no field 'names'; the fields are record, game, players"),
        (HEAD, ["agents"], ["a"], "agents: a list of 2, not a list of 1"),
        (HEAD, ["agents"], None, "agents: a list"),
        (HEAD, ["agents"], ["a", 5], "agents[1]: a text"),
        (HEAD, ["record"], True, "record: only records of version 1 are known, not True"),
        (HEAD, ["game"], 5, "game: a text of at most 100 characters, not 5"),
        (HEAD, ["players"], True, "players: Manhattan is for 2, 3, 4 players, not True"),
        (HEAD, ["options"], [["a", 1]], "options: an object"),
        (HEAD, ["options"], {"x": 1}, "options: Manhattan has no option 'x'"),
        (HEAD, ["seed"], 1.0, "seed: a whole number 0 .. 18446744073709551615, not 1.0"),
        (HEAD, ["seed"], 2**64, "seed: a whole number 0 .. 18446744073709551615, not 18446744073709551616"),
        (HEAD, ["setup"], [], "setup: an object"),
        (HEAD, ["setup", "deck", 7], "4", "setup.deck[7]: a whole number 0 .. 8, not '4'"),
        (HEAD, ["setup", "deck", 7], 9, "setup.deck[7]: a whole number 0 .. 8, not 9"),
        (HEAD, ["setup", "start"], 2, "setup.start: a whole number 0 .. 1, not 2"),
        (HEAD, ["setup", "more"], 0, "setup: there is no field 'more'"),
        (MOVE, ["player"], False, "player: a whole number 0 .. 1, not False"),
        (MOVE, ["player"], 2, "player: a whole number 0 .. 1, not 2"),
        (MOVE, ["move"], ["build"], "move: a text of at most 1000 characters, not a list of 1"),
        (MOVE, ["legal"], None, "legal: a list of at most 10000, not None"),
        (MOVE, ["legal", 0], 1, "legal[0]: a text"),
        (HEAD, ["game"], "MANHATTAN", "game: the name is written 'manhattan', not 'MANHATTAN'"),
        (MOVE, ["time"], 1, "there is no field 'time'; the fields are player, move, legal"),
        (SHUFFLE, ["shuffle", "more"], 1, "shuffle: there is no field 'more'"),
        (SHUFFLE, ["shuffle", "order"], {"0": 1}, "shuffle.order: a list"),
        (SHUFFLE, ["shuffle", "order", 0], 4.0, "[0].order[0]: a whole number 0 .. 8, not 4.0"),
        (SHUFFLE, ["shuffle", "order", 0], True, "[0].order[0]: a whole number 0 .. 8, not True"),
        (SHUFFLE, ["shuffle", "deck"], "black", "[0].deck: one of cards, not 'black'"),
        (END, ["end", "winner"], 0, "end: there is no field 'winner'; the fields are scores, places"),
        (END, ["end", "scores", 0], 1e9, "end.scores[0]: a whole number"),
        (END, ["end", "places"], [True, 2], "end.places[0]: a whole number 1 .. 2, not True"),
        (END, ["more"], 1, "there is no field 'more'; the fields are end"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line_and_place(at: int, path: list[Any], value: Any, says: str) -> None:
    with pytest.raises(RecordError) as error:
        replay(read(changed(at, with_field(*path, value=value))))
    assert says in str(error.value)
    told = at if at != SHUFFLE or ("order[0]" not in says and "[0].deck" not in says) else SHUFFLE - 1
    assert error.value.line == told + 1


DEEP = '{"player": 0, "move": ' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"player": 0, "player": 1, "move": "discard 1"}', "an object has the key 'player' twice"),
        ('{"player": NaN, "move": "discard 1"}', "NaN is no number of JSON"),
        (f'{{"player": {"9" * 5000}, "move": "discard 1"}}', "a whole number has 5,000 digits; the most is 20"),
        (DEEP, "is nested deeper than 32 lists and objects"),
        ('{"player": 0, "move": "' + "x" * 2**20 + '"}', "characters; the most is 1,048,576"),
        ('{"player": 0, "move"', "is no JSON: "),
        ("5", "this is no move, shuffle or end line: 5"),
        ("[]", "this is no move, shuffle or end line: []"),
    ],
    ids=range(8),
)
def test_a_line_that_is_no_line_is_refused(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*LINES[:MOVE], line, *LINES[MOVE + 1 :]]))
    with pytest.raises(RecordError) as error:
        verify(path)
    assert str(error.value).startswith(f"{path}, line {MOVE + 1}: ")
    assert says in str(error.value)
    assert len(str(error.value)) < 400


def test_verify_of_a_folder_says_each_bad_file_and_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A pipe, a folder and files on which Python's own parser fails lie beside a right record."""
    (tmp_path / "right.jsonl").write_text("\n".join(LINES))
    (tmp_path / "deep.jsonl").write_text(DEEP)
    (tmp_path / "digits.jsonl").write_text("9" * 5000)
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    os.mkfifo(tmp_path / "pipe.jsonl")
    said = run("verify", tmp_path)
    assert (said.code, said.out.split(" (")[0]) == (1, "1 of 6 records are right")
    for name in ("deep", "digits", "folder", "bytes", "pipe"):
        assert f"{name}.jsonl" in said.err
    assert said.err.count("\n") == 5


def test_a_record_of_something_else_than_texts_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^record, line 1: a line is a text, not 5$"):
        read([5])  # type: ignore[list-item]
    with pytest.raises(RecordError, match=r"^no\.jsonl: cannot be read: No such file or directory$"):
        read("no.jsonl")
    with pytest.raises(RecordError, match="cannot be read"):
        read("a\0b")


# ---------------------------------------------------------------- shuffles that nobody can have shuffled


def forged(game: str, deck: str, worth: Callable[[list[Any]], list[Any]]) -> Iterator[list[str]]:
    """Records in which one shuffle has other cards, as many as before."""
    for seed in range(20):
        lines = recorded(game, seed)
        for at, line in enumerate(lines):
            event = json.loads(line).get("shuffle")
            if event is not None and event["deck"] == deck:
                order = worth(event["order"])
                yield [*lines[:at], json.dumps({"shuffle": {"deck": deck, "order": order}}), *lines[at + 1 :]]
                return


FORGED = {
    "manhattan cards": lambda: next(forged("manhattan", "cards", lambda order: [(order[0] + 1) % 9, *order[1:]])),
    "fifth avenue cards": lambda: next(forged("fifth_avenue", "black", lambda order: [4 + order[0] % 3, *order[1:]])),
    "fifth avenue tiles": lambda: next(
        forged("fifth_avenue", "park", lambda order: [*order[1:], "gallery" if order[0] != "gallery" else "boutique"])
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_shuffle_of_cards_that_are_not_in_play_is_refused_before_the_move(name: str) -> None:
    """`preset` compares the cards, and a refusal changes nothing in the game."""
    lines = FORGED[name]()
    record = read(lines)
    with pytest.raises(RecordError) as error:
        replay(record)
    at = next(i for i, move in enumerate(record.moves) if move.line == error.value.line)
    recorder = replay(record, at)
    before = (recorder.state.tobytes(), recorder.mask.tobytes(), list(recorder.lines))
    action = recorder.legal()[recorder.legal_texts().index(record.moves[at].text)]
    with pytest.raises(ValueError, match=r"^shuffles\[\d\]\.order: "):
        recorder.play(action, record.moves[at].shuffles)
    assert (recorder.state.tobytes(), recorder.mask.tobytes(), recorder.lines) == before


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_record_is_refused_by_optimised_python_too(name: str, tmp_path: Path) -> None:
    path = tmp_path / "forged.jsonl"
    path.write_text("\n".join(FORGED[name]()))
    command = [sys.executable, "-O", "-m", "skyline", "verify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stdout
    assert f"{path}, line " in done.stderr


def test_shuffles_that_the_move_does_not_bring_leave_the_game_as_it_was() -> None:
    record = read(LINES)
    at = next(i for i, move in enumerate(record.moves) if move.shuffles)
    recorder = replay(record, at)
    before = (recorder.state.tobytes(), recorder.mask.tobytes(), len(recorder.lines))
    with pytest.raises(RecordError, match=r"causes the shuffle of cards to .* the record has no shuffle"):
        recorder.play(recorder.legal()[recorder.legal_texts().index(record.moves[at].text)], [])
    assert (recorder.state.tobytes(), recorder.mask.tobytes(), len(recorder.lines)) == before
    replay(record)


@pytest.mark.parametrize("action", [-1, 10**6, 2**70, "take 1", None, 1.0])
def test_a_recorder_refuses_what_is_no_legal_action(action: Any) -> None:
    recorder = Recorder(GAME, 2, 1)
    before = recorder.state.tobytes()
    with pytest.raises(IllegalMove):
        recorder.play(action)
    recorder = replay(read(LINES))
    with pytest.raises(ValueError, match="the game is over"):
        recorder.play(0)
    assert Recorder(GAME, 2, 1).state.tobytes() == before


# ---------------------------------------------------------------- positions: what the framework reads


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ([], "position: an object"),
        ({1: 2}, "position: an object"),
        ({}, "position: the field 'players' is missing"),
        ({"players": True}, "position.players: Manhattan is for 2, 3, 4 players, not True"),
        ({"players": 2, "options": [["a", 1]]}, "position.options: an object"),
        ({"players": 2, "options": {"rings": 1}}, "position.options: Manhattan has no option 'rings'"),
        ({"players": 2, "stream": -1}, "position.stream: a whole number 0 .. 18446744073709551615, not -1"),
        ({"players": 2, "seed": 10**5000}, "position.seed: a whole number"),
        ({"players": 2}, "position: seat 0 has to decide and has no legal move"),
        ({"players": 2, "phase": "pick"}, "position: seat 0 has to decide and has no legal move"),
    ],
    ids=range(10),
)
def test_a_wrong_position_is_refused_with_its_place(position: Any, says: str) -> None:
    game = Recorder(GAME, 2, 1).game
    with pytest.raises(ValueError, match=r"^position") as error:
        state_of(game, position)
    assert says in str(error.value)
