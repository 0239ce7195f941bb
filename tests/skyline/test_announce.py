"""One line on stderr before compiling takes a noticeable time, and none in all other cases."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from skyline.core import announce
from skyline.core.announce import QUIET, Announcer, before_workers, kernels_of
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
    """numba's data about a function that it compiles."""

    def __init__(self, name: str, folder: Path | None) -> None:
        self.py_func = SimpleNamespace(__name__=name)
        self._cache = SimpleNamespace(cache_path=None if folder is None else str(folder))


class Event:
    def __init__(self, kind: str, dispatcher: Any = None) -> None:
        self.kind, self.data = kind, {"dispatcher": dispatcher}


def compiling(announcer: Announcer, function: Function, ours: bool = True) -> None:
    """Compile a function that calls another function."""
    events = [Event(announce.COMPILING)] if ours else []
    events += [Event("numba:compile", function), Event("numba:compile", Function("inner", None))]
    for event in events:
        announcer.on_start(event)
    for event in reversed(events):
        announcer.on_end(event)


def test_times_add_up_and_each_name_is_said_once(
    lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(announce.time, "perf_counter", lambda: next(clock) / 10)  # 0.1 s between two readings
    announcer, function = Announcer(), Function("rollout", tmp_path / f"chess-search-{'0123456789abcdef'}")
    compiling(announcer, function, ours=False)  # a user's own function
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
