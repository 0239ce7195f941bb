"""Tournaments: who meets whom, what is written, and that nothing is lost or doubled whatever happens to the process."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import processes, store
from agents import tournament as tournaments
from agents import work as pieces
from agents.arena import Played
from agents.plan import Plan
from agents.processes import Processes
from agents.questions import Guard
from agents.store import Event, Store
from agents.tournament import Outcome, Settings, event, prepare, run
from agents.work import Done, Rules, Work
from skyline import record
from skyline.game import NO_SEAT
from tests.playing import FEW, GAME, MANY
from tests.test_cli import Said, declare, finish, process, site  # noqa: F401 - a fixture

AGENTS = ["random", "heuristic", "own:Mixed", "own:Last"]


class Here:
    """An engine in this process: takes up to `room` pieces, plays them in any order, and can be interrupted."""

    def __init__(self, room: int = 1, stop_after: int | None = None, seed: int = 0) -> None:
        self.room, self.left = room, stop_after
        self.rng = np.random.default_rng(seed)
        self.waiting: list[Work] = []
        self.sizes: list[int] = []

    def free(self) -> int:
        return self.room - len(self.waiting)

    def submit(self, work: Work) -> None:
        self.waiting.append(work)

    def wait(self) -> list[Done]:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left = None if self.left is None else self.left - 1
        work = self.waiting.pop(self.rng.integers(len(self.waiting)))
        self.sizes.append(len(work))
        return [Done(work.number, pieces.play(work))]

    def close(self) -> None:
        self.waiting.clear()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with agents of the user's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path, str(tmp_path)])
    (tmp_path / "own.py").write_text(
        textwrap.dedent("""
            import os, time
            class Last:
                def begin(self, game, players, options, seed): print("a game")
                def act(self, view): return view.legal()[-1]
            class Mixed:
                def begin(self, game, players, options, seed): self.seed = seed
                def act(self, view):
                    self.seed = self.seed * 6364136223846793005 % 2**64 + 1
                    return view.legal()[(self.seed >> 33) % len(view.legal())]
            class Slow(Mixed):
                def act(self, view):
                    time.sleep(0.002)
                    return super().act(view)
            class Thinker(Mixed):
                def act(self, view):
                    print("thinking", flush=True)
                    time.sleep(1000)
            class Bad(Mixed):
                def begin(self, game, players, options, seed):
                    super().begin(game, players, options, seed)
                    self.left = 3 if seed % 2 else 10**9
                def act(self, view):
                    self.left -= 1
                    if self.left == 0:
                        raise RuntimeError("no more")
                    return super().act(view)
            class Deadly(Mixed):
                def begin(self, game, players, options, seed):
                    super().begin(game, players, options, seed)
                    self.left = 3 if seed % 3 == 0 else 10**9
                def act(self, view):
                    self.left -= 1
                    if self.left == 0:
                        os._exit(7)
                    return super().act(view)
        """)
    )
    pieces._match.cache_clear()
    yield tmp_path
    sys.modules.pop("own", None)
    pieces._match.cache_clear()


def held(path: Path, settings: Settings, engine: Any | None = None, rules: Rules | None = None) -> Outcome:
    """Play a tournament into a database."""
    on = engine or Here()
    try:
        with Store(path) as database:
            prepare(database, settings)
            return run(database, settings, on, rules)
    finally:
        on.close()


def table(path: Path) -> list[tuple[Any, ...]]:
    """Every game with all that does not depend on the clock."""
    names = [name for name in store.COLUMNS if name.partition("_")[0] not in ("thinking", "slowest", "seconds", "run")]
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            f"SELECT {', '.join(names)} FROM games ORDER BY event, deal, line_up, rotation"
        ).fetchall()


# ---------------------------------------------------------------- what is written


def test_the_database_holds_every_game_as_it_was_played(here: Path) -> None:
    settings = Settings([
        event(GAME, ["own:Mixed", "random"], FEW, deals=3, seed=40),
        event(GAME, ["random", "heuristic"], MANY, deals=2, number=1),
    ])  # fmt: skip
    outcome = held(here / "a.db", settings)
    assert outcome.played == outcome.finished == outcome.planned == sum(e.planned for e in settings.events)
    assert store.events("a.db") == settings.events
    assert store.agent_names("a.db") == ["own:Mixed", "random", "heuristic"]
    assert [run["engine"] for run in store.runs("a.db")] == ["local"]
    for number, one in enumerate(settings.events):
        games = store.games("a.db", one)
        assert len(games) == one.planned
        assert games.agents.shape == games.places.shape == games.thinking.shape == (one.planned, one.players)
        for row in range(len(games)):
            line_up = [games.names[k] for k in games.agents[row]]
            if number == 1:
                alone = played_again(one, games, row)
                assert games.scores[row].tolist() == alone.scores[0].tolist()
                assert games.places[row].tolist() == alone.places[0].tolist()
                assert (games.moves[row], games.forced[row]) == (alone.moves[0], alone.forced[0])
            else:
                own = line_up.index("own:Mixed")
                assert games.thinking[row, own] > 0
                assert games.asked[row].sum() == games.moves[row]
        assert games.seeds.tolist() == [one.seed + deal for deal in games.deals]
        assert (games.forfeits == NO_SEAT).all()
        assert games.reasons == [None] * len(games)
        assert (games.seconds > 0).all()


def played_again(one: Event, games: store.Games, row: int) -> Played:
    seats = np.array([[one.roster.index(games.names[k]) for k in games.agents[row]]])
    part = slice(row, row + 1)
    keys = games.deals[part], games.line_ups[part], games.rotations[part]
    return pieces.play(Work(0, one, Rules(), games.seeds[part], seats, *keys))


def test_seeds_of_all_64_bits_come_back(tmp_path: Path) -> None:
    made = event(GAME, ["random"], FEW, deals=2, seed=2**64 - 2)
    held(tmp_path / "a.db", Settings([made]))
    assert store.events(tmp_path / "a.db")[0].seed == 2**64 - 2
    assert store.games(tmp_path / "a.db", made).seeds.tolist() == [2**64 - 2, 2**64 - 1]


def test_forfeits_are_rows_with_their_reason_and_the_others_go_on(here: Path) -> None:
    made = event(GAME, ["own:Bad", "random"], FEW, deals=4)
    held(here / "a.db", Settings([made]))
    games = store.games("a.db", made)
    lost = np.flatnonzero(games.forfeits != NO_SEAT)
    assert len(lost)
    assert len(games) == made.planned
    for row in lost:
        assert games.names[games.agents[row, games.forfeits[row]]] == "own:Bad"
        assert games.places[row, games.forfeits[row]] == FEW
        assert str(games.reasons[row]).startswith("own:Bad, move ")
        assert "RuntimeError: no more (own.py, line " in str(games.reasons[row])


def test_agents_with_two_seats_do_not_share_their_thoughts(here: Path) -> None:
    seats = np.array([[0, 1, 0, 1], [1, 1, 1, 0]])
    assert pieces.entrants(seats, 2).tolist() == [[0, 1, 2, 3], [1, 3, 5, 0]]
    match = pieces._match(event(GAME, ["own:Mixed"], FEW, deals=1).as_text(), 2)
    assert match.agents[0] is not match.agents[1]
    assert match.names == ["own:Mixed"] * 2


def test_records_of_a_tournament_are_right(here: Path) -> None:
    (here / "out").mkdir()
    made = event(GAME, ["own:Bad", "random"], FEW, deals=3)
    held(here / "a.db", Settings([made]), rules=Rules(records=here / "out", legal=True))
    games = store.games("a.db", made)
    for row in range(len(games)):
        head = f"{GAME}-{FEW}p-event0-deal{games.deals[row]}"
        name = f"{head}-lineup{games.line_ups[row]}-rotation{games.rotations[row]}.jsonl"
        if games.forfeits[row] == NO_SEAT:
            assert record.verify(here / "out" / name).result()["scores"] == games.scores[row].tolist()
        else:
            assert (here / "out" / f"{name}.forfeit").is_file()
    assert len(list((here / "out").iterdir())) == len(games)


# ---------------------------------------------------------------- interruptions


def a_tournament(deals: int = 6) -> Settings:
    return Settings([
        event(GAME, ["random", "heuristic", "own:Mixed"], FEW, deals=deals),
        event(GAME, ["heuristic", "own:Last"], MANY, deals=deals, form="mixed", number=1),
    ])  # fmt: skip


def test_the_table_is_the_same_in_any_order_and_after_any_interruption(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = held(here / "a.db", a_tournament())
    assert whole.finished == whole.planned
    monkeypatch.setattr(tournaments, "PIECE_SECONDS", 1e-9)
    finished = 0
    for i in range(100):
        outcome = held(here / "b.db", a_tournament(), Here(room=3, stop_after=7, seed=i))
        assert outcome.finished == finished + outcome.played
        finished = outcome.finished
        if not outcome.interrupted:
            break
    assert finished == whole.planned
    assert len(store.runs("b.db")) > 3
    assert table(here / "a.db") == table(here / "b.db")


def test_a_tournament_becomes_longer_but_not_another_one(here: Path) -> None:
    held(here / "a.db", a_tournament(2))
    held(here / "a.db", a_tournament(5))
    held(here / "b.db", a_tournament(5))
    assert table(here / "a.db") == table(here / "b.db")
    assert store.events("a.db") == store.events("b.db")
    events = a_tournament(5).events
    for settings, says in (
        (a_tournament(4), "planned with 5 deals"),
        (Settings(events[:1]), "2 events, not 1"),
        (Settings([replace(events[0], seed=2), events[1]]), "seed is 1, not 2"),
        (Settings([replace(events[0], roster=["random"]), events[1]]), "roster is "),
        (replace(a_tournament(5), move_seconds=1.0), "move_seconds is None, not 1.0"),
    ):
        with pytest.raises(ValueError, match=says):
            held(here / "a.db", settings)
    assert table(here / "a.db") == table(here / "b.db")


def test_two_processes_do_not_play_one_tournament_and_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path), pytest.raises(ValueError, match="another process is playing this tournament"):
        Store(path)
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith("-lock")] == []
    path.write_text("something else")
    for wrong in (lambda: Store(path), lambda: store.events(path)):
        with pytest.raises(ValueError, match="is not the database of a tournament"):
            wrong()
    assert path.read_text() == "something else"
    with pytest.raises(FileNotFoundError):
        store.events(tmp_path / "none.db")


def test_a_process_that_ended_before_it_wrote_the_plan_leaves_nothing_behind(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as database:
        assert database.new
    assert (tmp_path / "a.db").stat().st_size > 0
    held(tmp_path / "a.db", Settings([event(GAME, ["random"], FEW, deals=1)]))
    assert len(table(tmp_path / "a.db")) == 1


def test_a_row_twice_is_refused(here: Path) -> None:
    settings = a_tournament(1)
    held(here / "a.db", settings)
    work = Work(0, settings.events[0], Rules(), *piece(settings.events[0]))
    columns = {"deal": work.deals, "line_up": work.line_ups, "rotation": work.rotations, "seed": work.seeds}
    with Store(here / "a.db") as database, pytest.raises(sqlite3.IntegrityError):
        database.add(work.event, 1, columns, work.seats, pieces.play(work))
    assert len(table(here / "a.db")) == sum(e.planned for e in settings.events)


def piece(one: Event) -> tuple[Any, ...]:
    of = Plan(one)
    keys = of.keys(np.arange(of.entries))
    return of.seeds(keys), of.seats(keys), keys.deals, keys.line_ups, keys.rotations


def test_pieces_grow_until_they_take_their_time(tmp_path: Path) -> None:
    engine = Here(room=1)
    held(tmp_path / "a.db", Settings([event(GAME, ["random"], FEW, deals=300)]), engine)
    assert engine.sizes[0] == 1
    assert max(engine.sizes) > 20
    assert sum(engine.sizes) == 300


# ---------------------------------------------------------------- processes


def test_processes_play_the_same_tournament_and_survive_agents_that_kill_them(here: Path) -> None:
    made = event(GAME, ["own:Deadly", "random"], FEW, deals=4)
    held(here / "a.db", Settings([made]), Processes(2))
    games = store.games("a.db", made)
    assert len(games) == made.planned
    lost = games.forfeits != NO_SEAT
    assert 0 < lost.sum() < len(games), "the agent kills its process in some games"
    for row in np.flatnonzero(lost):
        assert games.names[games.agents[row, games.forfeits[row]]] == "own:Deadly"
        assert str(games.reasons[row]).endswith("its process ended (exit code 7), twice")
    mixed = event(GAME, ["own:Mixed", "random"], FEW, deals=4)
    held(here / "b.db", Settings([mixed]))
    np.testing.assert_array_equal(games.scores[~lost], store.games("b.db", mixed).scores[~lost])


def test_deaths_are_blamed_on_who_was_asked_and_only_strange_ones_are_counted() -> None:
    made = event(GAME, ["random"], FEW, deals=1)
    task = processes._Task(Work(0, made, Rules(), *piece(made)))
    for row in range(3 * processes.DEATHS):
        processes._blame(task, row, 1, 9, -9)
        assert (row, 1) not in task.condemned
        processes._blame(task, row, 1, 8, 7)
        assert task.condemned[row, 1] == (8, "its process ended (exit code 7), twice")
    assert task.width is None
    processes._blame(task, Guard.SEVERAL, 0, 3, 7)
    assert task.width == 1
    with pytest.raises(RuntimeError, match="processes died over the same games"):
        for _ in range(processes.DEATHS + 1):
            processes._blame(task, Guard.NOBODY, 0, 3, -9)


def test_a_killed_process_costs_nothing(here: Path) -> None:
    made = event(GAME, ["own:Slow", "own:Mixed"], FEW, deals=2)
    work = Work(5, made, Rules(), *piece(made))
    engine = Processes(1)
    try:
        engine.submit(work)
        victim = engine._workers[0]
        deadline = time.monotonic() + 100
        while victim.asking[0] == -1 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(victim.process.pid or 0, signal.SIGKILL)
        done = engine.wait()
    finally:
        engine.close()
    assert [one.number for one in done] == [5]
    expected = pieces.play(work)
    np.testing.assert_array_equal(done[0].played.scores, expected.scores)
    assert (done[0].played.forfeits == NO_SEAT).all()


def test_an_error_of_ours_in_a_process_is_told_here(here: Path) -> None:
    made = replace(event(GAME, ["random"], FEW, deals=1), roster=["nobody"])
    engine = Processes(1)
    try:
        engine.submit(Work(0, made, Rules(), *piece(made)))
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


def begun(site: Path, folder: Path, *arguments: object) -> subprocess.Popen[str]:  # noqa: F811
    """A tournament in a process of its own, as soon as some of its games are in the database."""
    started = process(site, "tournament", *arguments, cwd=folder)
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and started.poll() is None:
        if written(folder / "results.db") > 2:
            return started
        time.sleep(0.05)
    raise AssertionError(f"it ended with {started.poll()}: {finish(started)}")


def test_what_agents_print_is_not_among_the_results(here: Path, site: Path) -> None:  # noqa: F811
    said = finish(process(site, "tournament", "-g", GAME, "-a", "own:Last,random", "-d", 2, "--json", cwd=here))
    assert said.code == 0, said.err
    assert json.loads(said.out)["finished"] > 0
    assert "a game\n" in said.err


SLOW = ("-g", GAME, "-p", FEW, "-a", "own:Slow,random,heuristic", "-d", 6, "-j", 2)


INTERRUPTIONS = [
    pytest.param(signal.SIGKILL, id="kill -9"),
    pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("how", INTERRUPTIONS)
def test_a_real_interruption_loses_and_doubles_nothing(how: signal.Signals, here: Path, site: Path) -> None:  # noqa: F811
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
    again = finish(process(site, "tournament", *SLOW, cwd=here))
    assert again.code == 0, again.err
    assert f"{18 * FEW - there:,} games played" in again.out
    whole = Settings([event(GAME, ["own:Slow", "random", "heuristic"], FEW, deals=6)])
    held(here / "whole.db", whole)
    assert table(here / "results.db") == table(here / "whole.db")


def test_a_process_in_thought_ends_with_the_tournament(here: Path, site: Path) -> None:  # noqa: F811
    started = process(site, "tournament", "-g", GAME, "-p", FEW, "-a", "own:Thinker,random", "-d", 1, "-j", 1, cwd=here)
    assert started.stderr is not None
    assert started.stderr.readline() == "thinking\n"
    children = [int(pid) for pid in Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()]
    started.kill()
    assert_gone(children)
    finish(started)


@pytest.mark.slow
def test_2000_games_with_a_kill_every_few_hundred(here: Path, site: Path) -> None:  # noqa: F811
    arguments = ("-g", GAME, "-p", FEW, "-a", "own:Mixed,random,heuristic", "-n", 2000, "-j", 2)
    kills, there = 0, 0
    while kills < 4:
        started = process(site, "tournament", *arguments, cwd=here)
        wanted = there + 300
        while there < wanted and started.poll() is None:
            time.sleep(0.02)
            there = written(here / "results.db")
        assert started.poll() is None, "it is to be killed in the middle"
        started.kill()
        finish(started)
        kills += 1
    assert finish(process(site, "tournament", *arguments, cwd=here)).code == 0
    whole = Settings([event(GAME, ["own:Mixed", "random", "heuristic"], FEW, games=2000)])
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


def runs(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
