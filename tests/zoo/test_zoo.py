"""A tournament with every hostile bot. The tournament ends; only games of the bot are forfeited, with the right reason;
the other games are the same as without the bot; and no process is left behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import cache
from multiprocessing import resource_tracker
from pathlib import Path

import numpy as np
import pytest

from skyline.game import NO_SEAT
from skyline_agents.match.matches import Played
from skyline_agents.tournament import processes
from skyline_agents.tournament.processes import Processes
from skyline_agents.tournament.settings import event
from skyline_agents.tournament.work import Conditions, Work, carry_out
from tests.support.played_tournaments import piece
from tests.support.playing import FEW, GAME
from tests.zoo.bots import HONEST, KINDS, OTHER

LIMIT = 1.0  # seconds of a move, and of the beginning, in these tournaments
LATE = 2.0  # the most seconds after the limit until a bot that hangs is ended
QUICK = {"Exits", "ClosesFiles", "HangsInC"}  # slow kinds that are in the short tests, too


def a_work(kind: str, deals: int = 2) -> Work:
    """All games of a bot, an honest bot and random players, with two at each table."""
    made = event(GAME, [KINDS[kind].name, HONEST, "random"], FEW, deals=deals)
    return Work(0, made, Conditions(move_seconds=LIMIT, begin_seconds=LIMIT), *piece(made))


@cache
def without(deals: int) -> Played:
    """The same games with an honest bot in place of the hostile one."""
    made = event(GAME, [HONEST, OTHER, "random"], FEW, deals=deals)
    return carry_out(Work(0, made, Conditions(), *piece(made)))


def children() -> set[int]:
    """Processes that descend from this one or were started by its workers."""
    mark, own = b"SKYLINE_ZOO=1", set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    own.add(int(folder.name))
            except OSError:
                continue
    return own


@pytest.fixture(scope="module")
def engine() -> Iterator[Processes]:
    """One backend for all kinds, so that damage by one kind would show in the tests of the next kind."""
    resource_tracker.ensure_running()  # the helper process of multiprocessing stays
    os.environ["SKYLINE_ZOO"] = "1"
    on = Processes(1)
    yield on
    on.close()
    del os.environ["SKYLINE_ZOO"]
    deadline = time.monotonic() + 10
    while children() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not children(), "processes are left behind"


def check(kind: str, engine: Processes, deals: int) -> None:
    work, expected, honest = a_work(kind, deals), KINDS[kind], without(deals)
    engine.submit(work)
    (done,) = engine.wait()
    games = done.played
    lost = games.forfeits != NO_SEAT
    for row in np.flatnonzero(lost):
        assert work.seats[row, games.forfeits[row]] == 0, f"an honest agent lost: {games.reasons[row]}"
        assert expected.reason is not None, games.reasons[row]
        assert expected.reason in str(games.reasons[row]), games.reasons[row]
    if expected.reason is not None:
        assert lost.any()
    if not hasattr(expected.bot, "act_many"):  # bots with act_many play other moves in all games
        going_on = ~lost
        for column in ("scores", "places", "moves", "forced"):
            ours, theirs = getattr(games, column)[going_on], getattr(honest, column)[going_on]
            np.testing.assert_array_equal(ours, theirs, column)
    apart = (work.seats != 0).all(axis=1)
    assert apart.any()
    assert not lost[apart].any()
    np.testing.assert_array_equal(games.scores[apart], honest.scores[apart])
    np.testing.assert_array_equal(games.places[apart], honest.places[apart])


QUICKLY = [name for name, kind in KINDS.items() if not (kind.ends_process or kind.hangs) or name in QUICK]


@pytest.mark.parametrize("kind", QUICKLY)
def test_a_hostile_bot_costs_its_own_games_only(kind: str, here: Path, engine: Processes) -> None:
    check(kind, engine, deals=1 if kind in QUICK else 2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_bot_costs_its_own_games_only_in_many_games(kind: str, here: Path, engine: Processes) -> None:
    check(kind, engine, deals=3)


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 40


@pytest.mark.speed
@pytest.mark.parametrize("kind", ["HangsInC", "HangsAndSwallows", "HangsDeafToSignals", "BeginsForEver"])
def test_a_hang_is_ended_soon_after_the_limit(kind: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time ends when the process and all its children are dead, so that a new process can do its work."""
    seconds, end = [], processes._Worker.end

    def ended(worker: processes._Worker) -> None:
        since, is_open = int(worker.asked["since"][0]), bool(worker.asked["open"][0])
        end(worker)
        if is_open:
            seconds.append((time.monotonic_ns() - since) / 1e9)

    monkeypatch.setattr(processes._Worker, "end", ended)
    on = Processes(1)
    try:
        check(kind, on, deals=1)
    finally:
        on.close()
    assert seconds
    assert LIMIT < min(seconds) <= max(seconds) < LIMIT + LATE
