"""Tournaments in several processes: the same games, whatever agents, signals and the machine do to them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from contextlib import closing
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline.game import NO_SEAT
from skyline_agents.database import store
from skyline_agents.match.clock import NOBODY, SEVERAL, blank
from skyline_agents.tournament import processes
from skyline_agents.tournament.processes import Processes
from skyline_agents.tournament.settings import TournamentSettings, event
from skyline_agents.tournament.work import Conditions, Work, carry_out
from tests.support.commands import finish, process
from tests.support.played_tournaments import held, piece, table
from tests.support.playing import FEW, GAME


def test_processes_play_the_same_tournament_and_survive_agents_that_kill_them(here: Path) -> None:
    made = event(GAME, ["own:Deadly", "random"], FEW, deals=4)
    held(here / "a.db", TournamentSettings([made]), Processes(2))
    games = store.games("a.db", made)
    assert len(games) == made.planned
    lost = games.forfeits != NO_SEAT
    assert 0 < lost.sum() < len(games), "the agent kills its process in some games"
    for row in np.flatnonzero(lost):
        assert games.names[games.agents[row, games.forfeits[row]]] == "own:Deadly"
        assert str(games.reasons[row]).endswith("its process ended (exit code 7), twice")
    mixed = event(GAME, ["own:Mixed", "random"], FEW, deals=4)
    held(here / "b.db", TournamentSettings([mixed]))
    np.testing.assert_array_equal(games.scores[~lost], store.games("b.db", mixed).scores[~lost])


def asked(row: int, seat: int, move: int) -> Any:
    record = blank()
    record["row"], record["seat"], record["move"] = row, seat, move
    return record


def test_deaths_are_blamed_on_who_was_asked_and_only_strange_ones_are_counted() -> None:
    made = event(GAME, ["random"], FEW, deals=1)
    task = processes._Task(Work(0, made, Conditions(), *piece(made)))
    for row in range(3 * processes.DEATHS):
        processes._blame(task, asked(row, 1, 9), -9, None)
        assert (row, 1) not in task.condemned
        processes._blame(task, asked(row, 1, 8), 7, None)
        assert task.condemned[row, 1] == (8, "its process ended (exit code 7), twice")
    assert task.width is None
    processes._blame(task, asked(SEVERAL, 0, 3), 7, None)
    assert task.width == 1
    with pytest.raises(RuntimeError, match="processes died over the same games"):
        for _ in range(processes.DEATHS + 1):
            processes._blame(task, asked(NOBODY, 0, 3), -9, None)


def test_a_killed_process_costs_nothing(here: Path) -> None:
    made = event(GAME, ["own:Slow", "own:Mixed"], FEW, deals=2)
    work = Work(5, made, Conditions(), *piece(made))
    engine = Processes(1)
    try:
        engine.submit(work)
        victim = engine._workers[0]
        deadline = time.monotonic() + 100
        while not victim.asked["open"][0] and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(victim.process.pid or 0, signal.SIGKILL)
        done = engine.wait()
    finally:
        engine.close()
    assert [one.number for one in done] == [5]
    expected = carry_out(work)
    np.testing.assert_array_equal(done[0].played.scores, expected.scores)
    assert (done[0].played.forfeits == NO_SEAT).all()


def test_an_error_of_ours_in_a_process_is_told_here(here: Path) -> None:
    made = replace(event(GAME, ["random"], FEW, deals=1), roster=["nobody"])
    engine = Processes(1)
    try:
        engine.submit(Work(0, made, Conditions(), *piece(made)))
        with pytest.raises(ValueError, match="there is no agent 'nobody'"):
            engine.wait()
    finally:
        engine.close()


def written(path: Path) -> int:
    """How many games are in a database that somebody is writing to, or is about to make."""
    if path.exists():
        with contextlib.suppress(sqlite3.OperationalError), closing(sqlite3.connect(path)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    return 0


def begun(site: Path, folder: Path, *arguments: object) -> subprocess.Popen[str]:
    """A tournament in a process of its own, as soon as some of its games are in the database."""
    started = process(site, folder, "tournament", *arguments)
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and started.poll() is None:
        if written(folder / "results.db") > 2:
            return started
        time.sleep(0.05)
    raise AssertionError(f"it ended with {started.poll()}: {finish(started)}")


def test_what_agents_print_is_not_among_the_results(here: Path, site: Path) -> None:
    said = finish(process(site, here, "tournament", "-g", GAME, "-a", "own:Last,random", "-d", 2, "--json"))
    assert said.code == 0, said.err
    assert json.loads(said.out)["finished"] > 0
    assert "a game\n" in said.err


SLOW = ("-g", GAME, "-p", FEW, "-a", "own:Slow,random,heuristic", "-d", 6, "-j", 2)


INTERRUPTIONS = [
    pytest.param(signal.SIGKILL, id="kill -9"),
    pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("how", INTERRUPTIONS)
def test_a_real_interruption_loses_and_doubles_nothing(how: signal.Signals, here: Path, site: Path) -> None:
    started = begun(site, here, *SLOW)
    children = [int(pid) for pid in Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()]
    started.send_signal(how)
    said = finish(started)
    assert said.code == (-signal.SIGKILL if how == signal.SIGKILL else 130)
    if how == signal.SIGINT:
        assert said.err == "skyline: interrupted\n"
        assert f" of {18 * FEW} games" in said.out
    there = len(table(here / "results.db"))
    assert 2 < there < 18 * FEW
    assert_gone(children)
    again = finish(process(site, here, "tournament", *SLOW))
    assert again.code == 0, again.err
    assert f"{18 * FEW - there:,} games played" in again.out
    whole = TournamentSettings([event(GAME, ["own:Slow", "random", "heuristic"], FEW, deals=6)])
    held(here / "whole.db", whole)
    assert table(here / "results.db") == table(here / "whole.db")


def take_interrupt() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("thread", ["this", "another"])
def test_ctrl_c_while_a_process_is_started_is_not_lost(thread: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal goes to the process as a whole: the system may give it to any of its threads."""
    start, started = SpawnProcess.start, []

    def interrupted(self: SpawnProcess) -> None:
        if thread == "this":
            signal.raise_signal(signal.SIGINT)
        else:
            other = threading.Thread(target=take_interrupt)
            other.start()
            other.join()
        start(self)
        started.append(self)

    monkeypatch.setattr(SpawnProcess, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Processes(1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    for one in started:  # as many as the interruption let begin
        one.kill()


def test_a_process_in_thought_ends_with_the_tournament(here: Path, site: Path) -> None:
    started = process(site, here, "tournament", "-g", GAME, "-p", FEW, "-a", "own:Thinker,random", "-d", 1, "-j", 1)
    assert started.stderr is not None
    assert started.stderr.readline() == "thinking\n"
    children = [int(pid) for pid in Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()]
    started.kill()
    assert_gone(children)
    finish(started)


@pytest.mark.slow
def test_2000_games_with_a_kill_every_few_hundred(here: Path, site: Path) -> None:
    arguments = ("-g", GAME, "-p", FEW, "-a", "own:Mixed,random,heuristic", "-n", 2000, "-j", 2)
    kills, there = 0, 0
    while kills < 4:
        started = process(site, here, "tournament", *arguments)
        wanted = there + 300
        while there < wanted and started.poll() is None:
            time.sleep(0.02)
            there = written(here / "results.db")
        assert started.poll() is None, "it is to be killed in the middle"
        started.kill()
        finish(started)
        kills += 1
    assert finish(process(site, here, "tournament", *arguments)).code == 0
    whole = TournamentSettings([event(GAME, ["own:Mixed", "random", "heuristic"], FEW, games=2000)])
    held(here / "whole.db", whole, Processes(2))
    assert len(store.runs("results.db")) == kills + 1
    assert table(here / "results.db") == table(here / "whole.db")
    assert len(table(here / "results.db")) == whole.events[0].planned >= 2000


def assert_gone(pids: list[int]) -> None:
    assert len(pids) >= 2
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        alive = [
            pid
            for pid in pids
            if Path(f"/proc/{pid}/stat").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text()
        ]
        if not alive:
            return
        time.sleep(0.05)
    raise AssertionError(f"processes {alive} still run")
