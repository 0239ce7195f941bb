"""Wrong command lines: one line on stderr; exit code 2 for wrong usage, 1 for wrong files and values."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from skyline import registry
from skyline.cli import terminal
from skyline_agents.limits import MOST_GAMES
from tests.support.commands import finish, process, run
from tests.support.played_tournaments import Here
from tests.support.playing import FEW, GAME
from tests.support.processes import ROOT, environment

pytestmark = pytest.mark.usefixtures("commands")

T = ("tournament", "-g", GAME, "-a", "random")
USAGE = [
    (("play", GAME, ""), "an argument is empty"),
    (("play", GAME, "--record", ""), "an argument is empty"),
    (("play", GAME, "-n", "0"), "'--games' / '-n': a number 1 .. 1000000000, not 0"),
    (("play", GAME, "-n", 10**12), "a number 1 .. 1000000000, not 1000000000000"),
    (("play", GAME, "-n", "9" * 5000), "integer"),
    (("play", GAME, "-n", "²"), "integer"),
    (("play", GAME, "-s", -1), "a number 0 .. 2^64 - 1, not -1"),
    (("play", GAME, "-s", 2**64), "a number "),
    (("play", GAME, "-p", 0), "a number 1 .. 64, not 0"),
    (("play", GAME, "-o", "a=1", "-o", "a=2"), "--option a is given twice"),
    (("play", GAME, "-o", "=1"), "--option is name=value"),
    (("play", GAME, "--watch", "--json"), "do not go together"),
    (("demo", "-n", -5), "a number "),
    ((*T, "-n", 0), "'--games' / '-n': a number 1 .. 10000000, not 0"),
    ((*T, "-n", 10**12), f"a number 1 .. {MOST_GAMES}, not 10"),
    ((*T, "-d", MOST_GAMES + 1), "a number "),
    ((*T, "-d", 1, "-n", 8), "needs either --games or --deals"),
    ((*T, "-d", 1, "--move-seconds", "nan"), ", not nan"),
    ((*T, "-d", 1, "--move-seconds", "inf"), ", not inf"),
    ((*T, "-d", 1, "--move-seconds", -1), "a number "),
    ((*T, "-d", 1, "-s", 2**64), "a number "),
    ((*T, "-d", 1, "-j", 0), "a number "),
    ((*T, "-d", 1, "-p", "²"), "--players is numbers with commas"),
    (("report", "x.db", "--replicates", 1), "a number "),
    (("report", "x.db", "--seed", -1), "a number "),
    (("bench", "-t", 0), "a number "),
    (("bench", "-s", "nan"), ", not nan"),
    (("bench", "-l", "core,,aec"), "has an empty name"),
    (("train", "ppo", GAME, "--minutes", "nan"), ", not nan"),
    (("train", "ppo", GAME, "--every", "inf"), "a number "),
    (("train", "ppo", GAME, "--threads", 10**6), "a number "),
    (("show", "--seed", 2**64, "--game", GAME), "a number "),
    (("show", "--seed", 1, "--game", GAME, "--move", 10**30), "a number "),
]
DATA = [
    (("play", "x" * 100_000), "there is no game 'xxx"),
    (("play", "a\x1b[31mb\nc"), r"there is no game 'a\x1b[31mb\nc'"),
    (("play", GAME, "-a", "a\x07:b"), "has control characters in it"),
    (("play", GAME, "-a", " "), "empty name"),
    (("play", GAME, "-p", 63), "players, not 63"),
    (("play", GAME, "-a", "ismcts:²"), "the budget of a move is"),
    (("play", GAME, "-a", "ismcts:explore=nan"), "explore is a number 0 .. 100, not 'nan'"),
    (("play", GAME, "-a", "ismcts:10000000s"), "the budget of a move is"),
    (("play", GAME, "-a", "ppo:."), "is a folder, not a model file"),
    (("play", GAME, "--record", "file/out"), "file"),
    ((*T, "-d", 1, "-p", "2,,3"), "empty name"),
    ((*T, "-d", 1, "-p", "2,2"), "--players: 2 is there already"),
    ((*T, "-d", 1, "-g", f"{GAME},{GAME}"), "--game: is the same event as events[0]"),
    ((*T, "-d", 1, "-a", "random,random"), "--agents: 'random' is there already"),
    ((*T, "-d", 1, "-a", "randon"), "--agents: there is no agent 'randon'"),
    ((*T, "-d", 1, "-g", "chess"), "--game: there is no game 'chess'"),
    ((*T, "-d", 1, "-f", "cup"), "--format: one of round-robin, mixed, not 'cup'"),
    ((*T, "-d", 1, "-o", "x=1"), "--option: "),
    ((*T, "-d", 1, "--sprt", "nan", 5), "--sprt: a number -10000 .. 10000, not nan"),
    ((*T, "-d", MOST_GAMES, "-a", "random,heuristic"), "--deals: at most 5000000 deals"),
    ((*T, "-d", 1, "--db", "file"), "file: is not the database of a tournament: it is no SQLite file"),
    ((*T, "-d", 1, "--db", "folder"), "folder: is a folder, not the database of a tournament"),
    ((*T, "-d", 1, "--db", "no/where.db"), "no/where.db: the tournament needs a folder that can be written to"),
    ((*T, "-d", 1, "--record", "file"), "file: File exists"),
    ((*T, "-d", 1, "--db", "pipe"), "pipe: is no regular file"),
    (("tournament", "folder"), "folder: is a folder, not a tournament file"),
    (("tournament", "pipe"), "pipe: is no regular file"),
    (("report", "file"), "file: is not the database of a tournament"),
    (("report", "none"), "none: there is no such database"),
    (("report", "x" * 5000), "File name too long"),
    (("report", "foreign"), "foreign: is not the database of a tournament: it has no table settings"),
    (("verify", "none"), "there is no file none"),
    (("show", "folder"), "folder"),
    (("bench", GAME, "--json", "no/a.json"), "the folder"),
    (("bench", GAME, "--baseline", "file"), "file: "),
    (("bench", GAME, "--baseline", "pipe"), "pipe: is no regular file"),
    (("train", "ship", "none"), "none"),
    (("train", "ppo", GAME, "--set", "rows=" + "9" * 5000), "setting rows is a whole number"),
    (("train", "ppo", GAME, "--set", "clone_noise=nan", "--settings"), "setting clone_noise is"),
    (("train", "ppo", GAME, "--set", "rows=1000000000000", "--settings"), "setting rows is at most"),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", lambda jobs: Here())
    (tmp_path / "file").write_text("something else, longer than the head of a database")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    connection = sqlite3.connect(tmp_path / "foreign")
    connection.execute("CREATE TABLE a (b)")
    connection.close()
    return tmp_path


def there(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(("arguments", "says"), USAGE, ids=lambda part: str(part)[:60])
def test_a_command_line_that_cannot_be_meant_is_exit_code_2(arguments: Any, says: str, files: Path) -> None:
    before, said = there(files), run(*arguments)
    assert says in said.refused()
    assert said.code == 2
    assert there(files) == before


@pytest.mark.parametrize(("arguments", "says"), DATA, ids=lambda part: str(part)[:60])
def test_what_is_wrong_with_what_it_names_is_exit_code_1(arguments: Any, says: str, files: Path) -> None:
    before, said = there(files), run(*arguments)
    assert says in said.refused()
    assert said.code == 1
    assert len(said.err) < 1100
    assert there(files) == before


def test_verify_names_every_bad_file_and_goes_on(files: Path) -> None:
    assert run("play", GAME, "-p", FEW, "-n", 2, "--record", "out").code == 0
    out = files / "out"
    good = min(out.iterdir()).read_text()
    (out / "a-nested.jsonl").write_text("[" * 100_000)
    (out / "b-digits.jsonl").write_text(good.replace('"seed": 1', '"seed": ' + "1" * 5000))
    (out / "c-empty.jsonl").touch()
    (out / "d-list.jsonl").write_text("[1]\n")
    (out / "e-folder.jsonl").mkdir()
    os.mkfifo(out / "f-pipe.jsonl")
    (out / "g-link.jsonl").symlink_to("nothing")
    said = run("verify", out)
    assert said.code == 1
    told = [line.removeprefix(f"skyline: {out}/")[:8] for line in said.err.splitlines()]
    assert told == ["a-nested", "b-digits", "c-empty.", "d-list.j", "e-folder", "f-pipe.j", "g-link.j"]
    assert "2 of 9 records are right" in said.out


# ---------------------------------------------------------------- what is no refusal


def test_faults_of_the_program_keep_their_traceback_and_say_so(site: Path, tmp_path: Path) -> None:
    code = (
        "from skyline import registry\nfrom skyline.cli.main import app\nregistry.names = lambda: 1 / 0\napp(['games'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(ROOT, site, cache=None),
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0].startswith("Traceback")
    assert lines[-2] == "ZeroDivisionError: division by zero"
    assert lines[-1].startswith("skyline: this is a fault of the program. Please report it with the command and all")


def test_too_little_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> Any:
        raise MemoryError("Unable to allocate 7 TiB")

    monkeypatch.setattr(registry, "names", names)
    assert run("games").refused() == "not enough memory (Unable to allocate 7 TiB)"


def test_a_reader_that_has_enough_is_no_error(site: Path, tmp_path: Path) -> None:
    code = "import sys; from skyline.cli.main import app; app(sys.argv[1:])"
    started = subprocess.Popen(
        [sys.executable, "-c", code, "games", "--json"], env=environment(ROOT, site, cache=None), cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert started.stdout is not None and started.stderr is not None
    started.stdout.close()
    said = started.stderr.read()
    started.wait()
    started.stderr.close()
    assert (started.returncode, said) == (1, "")


def test_a_terminal_gets_whole_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    terminal.complain(f"{'a-long-name/' * 9}file.db: " + "some words " * 20)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 3
    assert max(map(len, lines[2:])) <= 80
    assert all(line.startswith("  ") for line in lines[1:])
    assert "a-long-name/" * 9 + "file.db:" in " ".join(lines)


@pytest.mark.parametrize("seconds", [0.0, 0.3, 1.2])
def test_ctrl_c_at_any_time_is_130_and_nothing_is_lost(seconds: float, site: Path, tmp_path: Path) -> None:
    """The seconds count from the moment when the database exists.

    `python -m` dies of the signal if Ctrl-C comes while Python runs a text by `exec`, as it does for a NamedTuple in a
    module that is just loaded, even though the interruption is dealt with. A shell says 130 then, too.
    """
    arguments = ("tournament", "-g", GAME, "-a", "random,heuristic", "-d", 10**6, "-j", 1, "--db", "cup.db")
    started = process(site, tmp_path, *arguments)
    deadline = time.monotonic() + 200
    while not (tmp_path / "cup.db").exists() and started.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(seconds)
    started.send_signal(signal.SIGINT)
    said = finish(started)
    assert said.code in (terminal.INTERRUPTED, -signal.SIGINT), said.err
    assert said.err.endswith("skyline: interrupted\n")
    assert "Traceback" not in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup.db"]


# ---------------------------------------------------------------- by chance

WORDS = [
    "", "-", "--", "nan", "inf", "-1", "0", "1e9", str(2**64), "9" * 400, "²", "\x1b[2J", "a\nb", "%s", "{}", "[x]",
    "'", '"', "../none", "//none", "file", "folder", "foreign", "none", "random", "heuristic,", ",", ":",
    "ppo:file", GAME,
    "chess", "--json", "--help", "--players", "-p", "-n", "--seed", "--db", "--record", "--option", "a=b", "=",
    "--sprt",
    "--move", "--svg", "a.svg", "--agents", "\udcff", "é", "*", "**", "--game", "--deals", "--format", "mixed", "--out",
]  # fmt: skip
COMMANDS = [
    ("play", GAME, "-n", "1"), ("show", "--seed", "1", "--game", GAME, "--move", "1"), ("verify",), ("report",),
    ("tournament",), (*T, "-d", "1"), ("games",), ("train", "ship"), ("train", "ppo", GAME, "--settings"),
    ("bench", "--json", "no/a"), ("warmup", "none"),
]  # fmt: skip


def test_command_lines_by_chance_never_break(files: Path) -> None:
    """No traceback (`run` raises faults), an exit code 0, 1 or 2, and one line for each refusal."""
    chance, codes = random.Random(3), []
    for _ in range(250):
        words = list(chance.choice(COMMANDS))
        for _ in range(chance.randint(1, 4)):
            words.insert(chance.randint(1, len(words)), chance.choice(WORDS))
        said = run(*words)
        codes.append(said.code)
        assert said.code in (0, 1, 2), words
        if said.code:
            assert said.err.count("\n") == 1 or words[0] == "verify", words
    assert set(codes) == {0, 1, 2}
