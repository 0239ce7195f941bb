"""A line on stderr while compiling takes a noticeable time, and none in all other cases: on a terminal one that is
rewritten, elsewhere one that stays.
"""

from __future__ import annotations

import io
import itertools
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import skyline
from skyline import status
from skyline.core import announce, engine
from skyline.core.announce import QUIET, Announcer, before_workers, kernels_of
from skyline.core.reach import reached, title_of
from tests.support.playing import GAME
from tests.support.processes import ROOT, environment, finished, start

LINE = f"skyline: compiling the kernels of {GAME} for this machine, once; this may take half a minute ..\n"
ENVIRONMENT = f"import skyline; env = skyline.env({GAME!r}); env.reset(seed=1); print('played')"


def told(cache: Path) -> str:
    """The stderr of a new process that plays with the kernels of a cache."""
    started = start(["-c", ENVIRONMENT], environment(ROOT, cache=cache, **{QUIET: "0"}), cache)
    out, err = finished(started)
    assert (started.returncode, out) == (0, "played\n"), err
    return err


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path


@pytest.mark.ci
def test_a_library_user_reads_one_line_before_the_first_compile_only(cache: Path) -> None:
    assert told(cache) == LINE
    assert told(cache) == ""  # the kernels come from the cache


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    monkeypatch.delenv(QUIET, raising=False)
    return caplog


class Function:
    """numba's data about a function that it compiles; one of ours belongs to a game or a package."""

    def __init__(self, name: str, folder: Path | None, owner: Any = None) -> None:
        self.py_func: Any = engine.KERNELS.get(name, SimpleNamespace(__name__=name))
        self._cache = SimpleNamespace(cache_path=None if folder is None else str(folder))
        if owner is not None:
            self.belongs_to = owner


def compiling(announcer: Announcer, function: Any, *called: Any) -> None:
    """Compile a function that calls other functions, each of which calls one more."""
    announcer.on_start(SimpleNamespace(data={"dispatcher": function}))
    for other in called:
        compiling(announcer, other)
    announcer.on_end(SimpleNamespace(data={"dispatcher": function}))


def test_times_add_up_and_each_name_is_said_once(
    lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(announce.time, "perf_counter", lambda: next(clock) / 10)  # 0.1 s between two readings
    announcer, folder = Announcer(), tmp_path / f"chess-search-{'0123456789abcdef'}"
    for _ in range(20):
        compiling(announcer, Function("rollout", folder))  # a user's own function
    function = Function("rollout", folder, owner="chess")
    said = []
    for _ in range(8):
        compiling(announcer, function)
        said.append(len(lines.messages))
    assert said[0] == 0
    assert said[-1] == 1
    assert "the kernels of chess-search for" in lines.messages[0]


def test_functions_that_cannot_be_kept_are_said_once(lines: pytest.LogCaptureFixture) -> None:
    announcer = Announcer()
    for name in ("one", "two"):
        assert kernels_of(Function(name, None)) == ("", announce.NOTICEABLE)
        announcer.say("")
    assert lines.messages == ["skyline: compiling kernels, which cannot be kept; this may take half a minute .."]


def test_the_process_speaks_for_workers_that_find_no_kernel(
    lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(announce, "ANNOUNCER", Announcer())
    (tmp_path / "kernel.nbc").touch()
    before_workers("warm", tmp_path)
    before_workers("nowhere", None)
    assert lines.messages == []
    (tmp_path / "kernel.nbc").unlink()
    before_workers("cold", tmp_path)
    assert len(lines.messages) == 1
    assert "the kernels of cold" in lines.messages[0]
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: "a process")
    before_workers("colder", tmp_path)
    assert len(lines.messages) == 1


@pytest.mark.parametrize(("value", "says"), [("", True), ("0", True), ("1", False), ("yes", False)])
def test_the_environment_silences_the_line(
    value: str, says: bool, lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(QUIET, value)
    Announcer().say("chess")
    assert bool(lines.messages) == says


def test_the_logger_silences_the_line(lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announce.log, "disabled", True)
    Announcer().say("chess")
    assert lines.messages == []


def test_a_function_with_a_folder_of_its_own_has_more_time_and_the_name_of_its_package(tmp_path: Path) -> None:
    folder = tmp_path / "chess_env-check-0123456789abcdef"
    assert kernels_of(Function("check", folder)) == ("chess_env", announce.LONG)
    assert kernels_of(Function("rollout", tmp_path / "chess-0123456789abcdef")) == ("chess", announce.NOTICEABLE)


# ---------------------------------------------------------------- on a terminal


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that a terminal would show, of compilers that take 0.6 s between two readings of the clock."""
    clock = iter(range(10_000))
    monkeypatch.delenv(QUIET, raising=False)
    monkeypatch.setattr(announce.time, "perf_counter", lambda: next(clock) * 0.6)
    monkeypatch.setattr(announce.log, "hasHandlers", lambda: False)  # pytest's own
    texts: list[str] = []
    with status.shown_by(texts.append):
        yield texts


def parts_of(kernel: str) -> list[Any]:
    """What numba compiles for a kernel of the game."""
    game = skyline.load(GAME)
    return [SimpleNamespace(py_func=function) for function in reached(engine.KERNELS[kernel], game)]


def test_a_terminal_shows_how_many_functions_are_compiled(shown: list[str], tmp_path: Path) -> None:
    announcer, game, parts = Announcer(), skyline.load(GAME), parts_of("step_only")
    foreign = SimpleNamespace(py_func=len)  # numba's own, which is not counted
    compiling(announcer, Function("step_only", tmp_path / "kernels", game), *parts[:3], foreign, *parts[3:])
    whole, start = len(parts), f"compiling {game.title} for this machine, once: "
    assert whole > 20
    assert shown[:2] == [f"{start}0 of {whole} functions", f"{start}1 of {whole} functions"]
    assert shown[-2:] == [f"{start}optimising", ""]
    assert len(shown) == whole + 2, "no text is shown twice"


def test_functions_of_an_earlier_kernel_are_not_counted_again(shown: list[str], tmp_path: Path) -> None:
    announcer, game, first, second = Announcer(), skyline.load(GAME), parts_of("step_only"), parts_of("rollout")
    compiling(announcer, Function("step_only", tmp_path / "kernels", game), *first)
    shown.clear()
    left = [part for part in second if part.py_func not in {other.py_func for other in first}]
    assert 0 < len(left) < len(second)
    compiling(announcer, Function("rollout", tmp_path / "kernels", game), *left)
    assert f" 0 of {len(left)} functions" in shown[0]
    shown.clear()
    compiling(announcer, Function("rollout", tmp_path / "kernels", game))  # for arguments of other types
    assert shown == [f"compiling {game.title} for this machine, once", ""]


def test_kernels_are_counted_when_all_are_compiled(shown: list[str], tmp_path: Path) -> None:
    announcer, game = Announcer(), skyline.load(GAME)
    for _ in range(2):
        with announcer.counting():
            for kernel in ("step_only", "rollout"):
                compiling(announcer, Function(kernel, tmp_path / "kernels", game), *parts_of(kernel))
    said = [text.partition(":")[0] for text in shown if text]
    begun = f"compiling {game.title}, kernel "
    assert [text for text, _ in itertools.groupby(said)] == [begun + end for end in ("1", "2", "1", "2")]


def test_a_failure_of_the_compiler_clears_the_line(shown: list[str], tmp_path: Path) -> None:
    announcer, function = Announcer(), Function("step_only", tmp_path / "kernels", skyline.load(GAME))
    start = SimpleNamespace(data={"dispatcher": function})
    announcer.on_start(start), announcer.on_start(start), announcer.on_start(start)
    assert shown[-1] != ""
    for _ in range(3):  # numba tells of the end, whatever happened
        announcer.on_end(start)
    assert shown[-1] == ""


@pytest.mark.parametrize("silenced", ["by the environment", "by the logger", "by the parent"])
def test_what_silences_the_line_silences_the_terminal(
    silenced: str, shown: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if silenced == "by the environment":
        monkeypatch.setenv(QUIET, "1")
    elif silenced == "by the logger":
        monkeypatch.setattr(announce.log, "disabled", True)
    else:
        monkeypatch.setattr(multiprocessing, "parent_process", lambda: "a process")
    compiling(Announcer(), Function("step_only", tmp_path / "kernels", skyline.load(GAME)), *parts_of("step_only"))
    assert shown == []


def test_a_logger_with_a_handler_gets_the_line_that_stays(
    shown: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(announce.log, "hasHandlers", lambda: True)
    compiling(Announcer(), Function("step_only", tmp_path / "kernels", skyline.load(GAME)), *parts_of("step_only"))
    assert shown == []
    assert caplog.messages == [
        "skyline: compiling the kernels of kernels for this machine, once; this may take half a minute .."
    ]


def test_the_title_of_a_package() -> None:
    game = skyline.load(GAME)
    engine.kernels(game)
    assert title_of(skyline.registry.find(GAME).folder.name) == game.title
    assert title_of("chess_env") == "chess_env"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        super().isatty()  # ValueError if the stream is closed
        return True


def test_a_line_is_written_over_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("COLUMNS", "30")
    assert status.is_shown()
    status.clear()
    with status.shown("a long text"):
        status.show("short")
        status.show("a text that is wider than the terminal")
    status.clear()
    lines = ["skyline: a long text", "skyline: short      ", "skyline: a text that is wider", " " * 29]
    assert terminal.getvalue() == "".join(f"\r{line}" for line in lines) + "\r"


def test_nothing_is_shown_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status.show("waiting")
    assert capsys.readouterr() == ("", "")
    closed = Terminal()
    closed.close()
    for stream in (None, closed):
        monkeypatch.setattr("sys.stderr", stream)
        assert not status.is_shown()
        status.show("waiting")


@pytest.mark.ci
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_line_counts_to_the_end_and_goes(cache: Path) -> None:
    """That "optimising" is reached shows that no function was counted that numba does not compile."""
    import pty

    read, write = pty.openpty()
    env = environment(ROOT, cache=cache, **{QUIET: "0"})
    process = subprocess.Popen(
        [sys.executable, "-c", ENVIRONMENT], env=env, cwd=cache, stdout=subprocess.PIPE, stderr=write
    )
    os.close(write)
    said = b"".join(iter(lambda: _some(read), b"")).decode()
    out, _ = process.communicate(timeout=60)
    os.close(read)
    assert (process.returncode, out) == (0, b"played\n"), said
    title = skyline.load(GAME).title
    *texts, last, end = said.split("\r")
    assert texts[0] == ""
    assert all(text.startswith(f"skyline: compiling {title} for this machine, once: ") for text in texts[1:])
    assert texts[-1].rstrip().endswith("optimising")
    assert last.strip() == end == ""


def _some(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the last writer has closed the terminal
        return b""
