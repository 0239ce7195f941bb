"""Records on the command line: `skyline verify` finds every change and its line, `skyline show` draws positions."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skyline import registry
from skyline.cli.records import _random_game
from skyline.game import seat_name
from skyline.record import Recorder, read, replay
from tests.support.commands import run
from tests.support.played_tournaments import Here
from tests.support.playing import FEW, GAME

pytestmark = pytest.mark.usefixtures("commands")

GAMES = 3


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Path:
    """A folder with the records of a few games, written by the command."""
    folder = tmp_path_factory.mktemp("records")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        said = run("play", GAME, "-p", FEW, "-a", "heuristic,random", "-n", GAMES, "--record", folder, "--legal")
    assert said.code == 0, said.err
    return folder


@pytest.fixture
def lines(records: Path) -> list[dict[str, Any]]:
    """The lines of the first record."""
    return [json.loads(line) for line in first(records).read_text().splitlines()]


def first(records: Path) -> Path:
    return records / f"{GAME}-{FEW}p-seed1.jsonl"


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_records_are_written_one_a_game_and_are_right(records: Path) -> None:
    names = [f"{GAME}-{FEW}p-seed{seed}.jsonl" for seed in range(1, GAMES + 1)]
    assert sorted(path.name for path in records.iterdir()) == names
    said = run("verify", records)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"{GAMES} of {GAMES} records are right (")


# ---------------------------------------------------------------- verify


def test_a_changed_move_is_told_with_file_and_line(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    at = next(i for i in range(9, len(lines)) if len(lines[i].get("legal", [])) > 1)
    lines[at]["move"] = "jump over the moon"
    path = written(tmp_path / "changed.jsonl", lines)
    said = run("verify", path)
    assert said.code == 1
    assert said.out.startswith("0 of 1 records are right")
    assert said.out.endswith(", 1 is bad\n")
    line = f"skyline: {path}, line {at + 1}: 'jump over the moon' is not legal for seat {lines[at]['player']}; legal: "
    assert said.err.startswith(line)
    assert said.err.count("\n") == 1


def test_every_other_legal_move_is_found_out(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    at = next(i for i in range(9, len(lines)) if len(lines[i].get("legal", [])) > 1)
    lines[at]["move"] = next(text for text in lines[at]["legal"] if text != lines[at]["move"])
    path = written(tmp_path / "changed.jsonl", lines)
    error = run("verify", "--quiet", path)
    assert (error.code, error.out) == (1, "")
    line = int(error.err.split(", line ")[1].split(":")[0])
    assert at + 1 < line <= len(lines)


def test_a_changed_legal_list_is_told(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    lines[4]["legal"] = [*lines[4]["legal"][1:], "stay at home"]
    said = run("verify", written(tmp_path / "legal.jsonl", lines))
    assert said.code == 1
    assert f"{tmp_path / 'legal.jsonl'}, line 5: the legal moves differ: number 0 is " in said.err


def test_a_wrong_end_is_told(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    for key in ("scores", "places"):
        changed = json.loads(json.dumps(lines))
        changed[-1]["end"][key][0] += 1
        said = run("verify", written(tmp_path / "end.jsonl", changed))
        assert said.code == 1
        assert f"end.jsonl, line {len(lines)}: {key} are " in said.err


def test_truncated_records_are_told(records: Path, lines: list[dict[str, Any]], tmp_path: Path) -> None:
    text, path = first(records).read_text(), tmp_path / "cut.jsonl"
    path.write_text(text[: len(text) // 2])
    said = run("verify", path)
    assert said.code == 1
    assert "is no JSON: " in said.err
    assert "is the text cut off?" in said.err
    said = run("verify", written(path, lines[: len(lines) // 2])).err
    stops = re.search(r"the record stops although seat \d has to move; until=(\d+) in replay, or skyline show", said)
    assert stops
    assert run("show", path, "--move", stops[1]).code == 0
    assert "the end line is missing" in run("verify", written(path, lines[:-1])).err
    path.write_text("")
    assert "the file is empty" in run("verify", path).err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"record": 99}, "only records of version 1 are known, not 99"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"players": 99}, "players, not 99"),
        ({"players": "two"}, "players, not 'two'"),
        ({"options": {"x": 1}}, "no option 'x'"),
        ({"options": []}, "options: an object"),
        ({"seed": -1}, "seed: a whole number 0 .. "),
        ({"seed": "x"}, "seed: a whole number 0 .. "),
        ({"setup": {}}, "setup"),
        ({"setup": None}, "setup: an object"),
    ],
)
def test_wrong_heads_are_told(lines: list[dict[str, Any]], tmp_path: Path, change: dict[str, Any], says: str) -> None:
    lines[0].update(change)
    said = run("verify", written(tmp_path / "head.jsonl", lines))
    assert said.code == 1
    assert "head.jsonl, line 1: " in said.err
    assert says in said.err
    assert said.err.count("\n") == 1


def test_verify_goes_on_after_a_bad_record_and_takes_folders_and_patterns(
    records: Path, lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "deep").mkdir()
    bad = written(tmp_path / "deep" / "bad.jsonl", lines[:5])
    for given in ((tmp_path, records), (f"{tmp_path}/**/*.jsonl", f"{records}/*seed*", bad)):
        said = run("verify", *given)
        assert said.code == 1
        assert said.out.startswith(f"{GAMES} of {GAMES + 1} records are right")
        assert said.err.startswith(f"skyline: {bad}, line 5: ")


def test_verify_of_nothing_is_refused(tmp_path: Path) -> None:
    assert run("verify", tmp_path).refused() == f"there is no *.jsonl file in the folder {tmp_path}"
    assert run("verify", tmp_path / "no").refused() == f"there is no file {tmp_path / 'no'}"
    assert run("verify", tmp_path / "*.jsonl").refused() == f"there is no file {tmp_path / '*.jsonl'}"
    assert "FILES" in run("verify").refused()


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(bytes(range(256)))
    said = run("verify", tmp_path)
    assert said.code == 1
    assert f"{tmp_path / 'a.jsonl'}: is no UTF-8 text (byte 128)" in said.err


# ---------------------------------------------------------------- show


def test_show_a_position_of_a_record(records: Path, lines: list[dict[str, Any]]) -> None:
    recorder = Recorder(GAME, FEW, seed=1)
    for line in lines[1:8]:
        recorder.play(recorder.legal()[line["legal"].index(line["move"])])
    game, s = recorder.game, recorder.state[0]
    assert run("show", first(records), "--move", 7).out == game.text(s, None, recorder.last_move()) + "\n"
    assert run("show", first(records), "--move", 7, "--seat", 1).out == game.text(s, 1, recorder.last_move(1)) + "\n"
    begun = Recorder(GAME, FEW, seed=1)
    assert run("show", first(records), "--move", 0).out == game.text(begun.state[0], None, None) + "\n"


def test_show_the_random_game_that_play_plays(tmp_path: Path) -> None:
    said = run("play", GAME, "-p", FEW, "-n", 1, "-s", 4, "--record", tmp_path)
    assert said.code == 0
    path = tmp_path / f"{GAME}-{FEW}p-seed4.jsonl"
    seeded = ("show", "--seed", 4, "--game", GAME, "--players", FEW)
    for move in ((), ("--move", 11)):
        assert run(*seeded, *move).out == run("show", path, *move).out != ""


def test_show_writes_pictures(records: Path, tmp_path: Path) -> None:
    said = run("show", first(records), "--move", 5, "--svg", tmp_path / "a.svg")
    assert (said.code, said.out) == (0, f"{tmp_path / 'a.svg'}\n")
    assert (tmp_path / "a.svg").read_text().startswith("<svg ")
    pytest.importorskip("resvg_py")
    said = run("show", first(records), "--move", 5, "--png", tmp_path / "a.png")
    assert said.code == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_missing_library_is_told(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "pip install 'skyline-envs[viz]'" in run("show", first(records), "--png", tmp_path / "a.png").refused()


def test_show_of_wrong_records_is_refused(records: Path, lines: list[dict[str, Any]], tmp_path: Path) -> None:
    assert "the record has its own" in run("show", first(records), "--seed", 1).refused()
    assert (
        f"has {sum('move' in line for line in lines)} moves, not 9999"
        in run("show", first(records), "--move", 9999).refused()
    )
    lines[6]["move"] = "stay at home"
    path = written(tmp_path / "a.jsonl", lines)
    assert run("show", path, "--move", 5).code == 0
    assert f"{path}, line 7: 'stay at home' is not legal" in run("show", path, "--move", 6).refused()


# ---------------------------------------------------------------- who played, and the story


def test_records_name_the_agents_and_are_right_without_their_names(
    records: Path, lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    agents = [["heuristic", "random"][seat % 2] for seat in range(FEW)]
    assert lines[0]["agents"] == agents
    assert read(first(records)).agents == agents
    assert replay(first(records)).text() == "".join(
        json.dumps({key: value for key, value in line.items() if key != "legal"}) + "\n" for line in lines
    )
    del lines[0]["agents"]
    path = written(tmp_path / "a.jsonl", lines)
    assert read(path).agents is None
    assert run("verify", path).code == 0
    with pytest.raises(ValueError, match=f"agents: a list of {FEW}"):
        Recorder(GAME, FEW, 1, agents=["heuristic"] * (FEW + 1))


def test_show_tells_a_game_as_numbered_sentences(records: Path, lines: list[dict[str, Any]]) -> None:
    recorder, stories = Recorder(GAME, FEW, seed=1), []
    for line in (line for line in lines if "move" in line):
        recorder.play(recorder.legal()[line["legal"].index(line["move"])])
        stories.append([told(recorder, seat) for seat in (None, 1)])
    wide = len(str(len(stories)))
    for column, seat in enumerate(([], ["--seat", 1])):
        said = run("show", first(records), "--story", *seat)
        assert said.code == 0
        out = said.out.splitlines()
        assert out[0] == f"{recorder.game.title}, {FEW} players, seed 1{', as seat B sees it' if seat else ''}"
        assert out[1:3] == ["  A is heuristic", "  B is random"]
        assert max(map(len, out)) <= 80
        sentences = [f"{number:{wide}}. {both[column]}" for number, both in enumerate(stories, 1)]
        assert unbroken(out[1 + FEW : -FEW], wide) == sentences
        scores, places = lines[-1]["end"]["scores"], lines[-1]["end"]["places"]
        assert out[-FEW:][1] == f"B ends with a score of {scores[1]} in place {places[1]}."
    few = run("show", first(records), "--story", "--move", 5).out.splitlines()
    assert unbroken(few[1 + FEW :], 1) == [f"{number}. {both[0]}" for number, both in enumerate(stories[:5], 1)]


def unbroken(lines: list[str], wide: int) -> list[str]:
    """The numbered sentences in one line each: their further lines begin below the first word."""
    whole: list[str] = []
    for line in lines:
        if line[:wide].strip():
            whole.append(line)
        else:
            assert len(line) - len(line.lstrip()) == wide + 2
            whole[-1] += line[wide + 1 :]
    return whole


def told(recorder: Recorder, viewer: int | None) -> str:
    last = recorder.last_move(viewer)
    assert last is not None
    return last.story


@pytest.fixture
def members() -> Iterator[Callable[..., None]]:
    """A function that replaces members of the game, which users cannot do; the members are restored."""
    game, before = registry.load(GAME), {}

    def put(**others: Any) -> None:
        for name, member in others.items():
            before.setdefault(name, getattr(game, name))
            object.__setattr__(game, name, member)

    yield put
    put(**before)


def test_a_game_without_stories_tells_its_moves(members: Callable[..., None]) -> None:
    members(story=None)
    out = run("show", "--seed", 3, "--game", GAME, "--story", "--move", 2).out.splitlines()
    recorder = _random_game(GAME, None, 3, {}, 2)
    moves = [line for line in recorder.lines if "move" in line]
    assert unbroken(out[1:], 1) == [
        f"{n}. {seat_name(line['player'])}: {line['move']}." for n, line in enumerate(moves, 1)
    ]


def test_a_story_is_shown_with_the_position_where_the_board_does_not_tell_it(members: Callable[..., None]) -> None:
    def story(before: Any, action: int, after: Any, seat: int | None) -> str:
        return f"Somebody did {action}, seen by {seat}."

    members(story=story, text=lambda s, seat, last: "the board")
    shown = ("show", "--seed", 3, "--game", GAME, "--move", 2, "--seat", 1)
    last = _random_game(GAME, None, 3, {}, 2).last_move(1)
    assert last is not None
    assert last.story.endswith("seen by 1.")
    assert run(*shown).out == f"the board\nThe last move: {last.story}\n"
    broken = last.story.replace(" did", "\ndid")
    members(text=lambda s, seat, last: f"the board\nand {broken}")
    assert run(*shown).out == f"the board\nand {broken}\n"


# ---------------------------------------------------------------- forfeits


@pytest.fixture
def forfeited(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record of a game of a tournament that a user's agent has forfeited."""
    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", lambda jobs: Here())
    said = run("tournament", "-g", GAME, "-p", FEW, "-a", "own:Bad,heuristic", "-d", 4, "--record", "out", "--legal")
    assert said.code == 0, said.err
    return min((here / "out").glob("*.jsonl.forfeit"))


def test_the_record_of_a_forfeited_game_is_verified_and_shown_up_to_the_forfeit(forfeited: Path) -> None:
    lines = [json.loads(line) for line in forfeited.read_text().splitlines()]
    assert sorted(lines[0]["agents"]) == ["heuristic", "own:Bad"]
    assert "end" not in lines[-1]
    said = run("verify", forfeited)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("1 of 1 records are right (")
    assert said.out.endswith(", 1 of forfeited games\n")
    for how in ((), ("--story",)):
        assert run("show", forfeited, *how).out.endswith(
            "The record ends here: the game was forfeited. The reason is in the database of the tournament.\n"
        )
    assert "forfeited" not in run("show", forfeited, "--move", 1).out


def test_a_changed_record_of_a_forfeited_game_is_found_out(forfeited: Path) -> None:
    lines = [json.loads(line) for line in forfeited.read_text().splitlines()]
    at = max(i for i, line in enumerate(lines) if "move" in line)
    lines[at]["move"] = "stay at home"
    said = run("verify", written(forfeited, lines))
    assert said.code == 1
    assert f"line {at + 1}: 'stay at home' is not legal" in said.err
    plain = forfeited.with_suffix("")  # without the ending .forfeit an incomplete record is wrong
    del lines[at:]
    assert "the record stops although seat" in run("verify", written(plain, lines)).err
