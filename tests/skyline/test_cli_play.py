"""`skyline play` with somebody who watches, and with agents that raise."""

from __future__ import annotations

import io
import re
import shlex
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from skyline.game import IllegalMove
from skyline_agents.cli import watching
from skyline_agents.match.blame import blame_of
from skyline_agents.match.matches import Moved
from skyline_agents.play import play
from tests.support.commands import run
from tests.support.playing import FEW, GAME, MANY

pytestmark = pytest.mark.usefixtures("commands")

BOTS = """
class Breaks:
    def begin(self, game, players, options, seed):
        self.left = 3

    def act(self, view):
        self.left -= 1
        return self.fail() if self.left == 0 else view.legal()[0]

    def fail(self):
        return {}["no such key"]

class Begins(Breaks):
    def begin(self, game, players, options, seed):
        raise ValueError("not today")

class Leaves(Breaks):
    def fail(self):
        raise SystemExit(9)

class Chained(Breaks):
    def fail(self):
        try:
            return super().fail()
        except KeyError as error:
            raise RuntimeError("nothing found") from error

class Many(Breaks):
    def act_many(self, views):
        raise TimeoutError("too many")

class Wrong(Breaks):
    def act(self, view):
        return -1
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path, str(tmp_path)])
    path = tmp_path / "some_bots.py"
    path.write_text(textwrap.dedent(BOTS))
    monkeypatch.delitem(sys.modules, "some_bots", raising=False)
    return path


# ---------------------------------------------------------------- agents that raise


@pytest.mark.parametrize(
    ("name", "error", "when"),
    [
        ("Breaks", "KeyError: 'no such key'", r"move \d+ of"),
        ("Begins", "ValueError: not today", "the beginning of"),
        ("Leaves", "SystemExit: 9", r"move \d+ of"),
        ("Chained", "RuntimeError: nothing found", r"move \d+ of"),
    ],
)
def test_an_agent_that_raises_shows_its_own_frames_seat_move_and_seed(
    name: str, error: str, when: str, bots: Path
) -> None:
    said = run("play", GAME, "-p", MANY, "-a", f"heuristic,some_bots:{name}", "-n", 3, "--seed", 5, "--rotate")
    assert (said.code, said.out) == (1, "")
    lines = said.err.splitlines()
    assert len(lines) < 30
    files = set(re.findall(r'File "([^"]+)"', said.err))
    assert files == {str(bots)}
    assert lines[-3] == error
    assert re.fullmatch(
        f"skyline: raised by the agent 'some_bots:{name}' at seat 1, {when} the game with seed 5", lines[-2]
    )
    assert lines[-1].startswith(f"skyline: play that game again: skyline play {GAME} -p {MANY} --seed 5 -n 1 --agents ")
    assert "fault of the program" not in said.err


@pytest.mark.parametrize("way", [(), ("--rotate",), ("--duplicate",), ("--auto-forced", "--rotate")])
def test_the_game_of_the_error_is_played_again_as_told(way: tuple[str, ...], bots: Path) -> None:
    """The agent raises in its third game only, at any seat."""
    bots.write_text(bots.read_text().replace("self.left = 3", "self.left = 3 if seed in MINE else 10**9"))
    seeds: list[int] = []
    names = ["heuristic", "random", "some_bots:Breaks"][: FEW - 1] + ["some_bots:Breaks"]
    text = bots.read_text()
    bots.write_text(
        text.replace(
            "def begin(self, game, players, options, seed):",
            "def begin(self, game, players, options, seed):\n        SEEDS.append(seed)",
            1,
        )
        + "\nMINE = set()\nSEEDS = []\n"
    )
    module = __import__("some_bots")
    play(GAME, names, 4, seed=7, rotate="--rotate" in way, duplicate="--duplicate" in way)
    seeds = list(module.SEEDS)
    assert len(seeds) == 4
    module.MINE.add(seeds[2])
    first = run("play", GAME, "-a", ",".join(names), "-n", 4, "--seed", 7, *way)
    assert first.code == 1
    again = run(*shlex.split(first.err.splitlines()[-1].partition("again: skyline ")[2]))
    assert again.code == 1
    told = [said.err.splitlines()[-2] for said in (first, again)]
    assert told[0] == told[1]


@pytest.mark.parametrize("way", [(), ("--rotate",)])
def test_agents_asked_in_many_games_at_once_are_blamed_for_all_of_them(way: tuple[str, ...], bots: Path) -> None:
    """Agents that choose in many games are asked only for the games in which they move."""
    line_up = ["some_bots:Many", *["random"] * (FEW - 1)]
    said = run("play", GAME, "-a", ",".join(line_up), "-n", 9, "--seed", 2, *way)
    assert said.code == 1
    assert "TimeoutError: too many" in said.err
    told = re.search(r"asked in (\d) games at once, among them move 1 at seat \d; their seeds: ([\d, .]+)\n", said.err)
    assert told is not None
    again = run(*shlex.split(said.err.splitlines()[-1].partition("again: skyline ")[2]))
    assert again.code == 1
    assert told[0] in again.err


def test_with_traceback_everything_is_shown(bots: Path) -> None:
    with pytest.raises(KeyError) as error:
        run("--traceback", "play", GAME, "-p", FEW, "-a", "some_bots:Breaks")
    assert len(error.traceback) > 10
    assert not any("fault of the program" in note for note in error.value.__notes__)


def test_an_agent_of_this_library_that_refuses_is_one_line(bots: Path) -> None:
    assert "is a folder, not a model file" in run("play", GAME, "-a", "ppo:.").refused()
    assert "is outside 0 .. " in run("play", GAME, "-p", FEW, "-a", "some_bots:Wrong").refused()


def test_in_a_program_the_error_itself_comes_with_a_note(bots: Path) -> None:
    with pytest.raises(KeyError) as error:
        play(GAME, ["heuristic", "some_bots:Breaks"], players=2, seed=11)
    blame = blame_of(error.value)
    assert blame is not None
    assert blame == f"raised by the agent 'some_bots:Breaks' at seat 1, move {blame.move} of the game with seed 11"
    assert (blame.agent, blame.seat, blame.seeds) == ("some_bots:Breaks", 1, [11])
    assert blame.line_up == ["heuristic", "some_bots:Breaks"]
    assert blame.move > 3
    with pytest.raises(IllegalMove) as illegal:
        play(GAME, ["some_bots:Wrong", "random"], players=2)
    assert blame_of(illegal.value) is None


# ---------------------------------------------------------------- watching

MOVED = Moved(3, 9, 1, "random", "build", "B builds a tower.", "the board\n")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(time, "sleep", found.append)
    return found


def test_a_watched_move_is_told_with_its_story_once(capsys: pytest.CaptureFixture[str], slept: list[float]) -> None:
    watch = watching.Watcher(None)
    watch(MOVED)
    assert capsys.readouterr().out == (
        "== seed 9, move 3, seat 1, B (random): build\n   B builds a tower.\n\nthe board\n\n"
    )
    watch(Moved(3, 9, 1, "random", "build", "B builds a tower.", "the board\nLast move: B builds\na tower."))
    assert capsys.readouterr().out.count("tower") == 1
    watch(Moved(3, 9, 1, "random", "build", "", "the board"))
    assert capsys.readouterr().out == "== seed 9, move 3, seat 1, B (random): build\n\nthe board\n"
    assert slept == []  # without a terminal there are no pauses


def test_a_pace_is_kept_also_where_there_is_no_terminal(slept: list[float]) -> None:
    assert run("play", GAME, "-p", FEW, "--watch", "--pace", 0.25).code == 0
    assert len(slept) > 20
    assert set(slept) == {0.25}


def test_on_a_terminal_enter_brings_the_next_move(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    keys = Terminal("\n\n")
    monkeypatch.setattr(sys, "stdin", keys)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    watch = watching.Watcher(None)
    prompts = []
    for _ in range(5):
        watch(MOVED)
        prompts.append(capsys.readouterr().err.count("Enter"))
    assert prompts == [1, 1, 1, 0, 0]  # after the end of the input no question is asked
    assert slept == []


def test_ctrl_c_ends_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", stop)
    said = run("play", GAME, "-p", FEW, "--watch", "--pace", 1)
    assert said.code == 130
    assert said.out.endswith("no game was finished\n")
