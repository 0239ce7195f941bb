"""Tournaments: who meets whom, what is written, and that nothing is lost or doubled whatever happens to the process."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import store
from agents import tournament as tournaments
from agents import work as pieces
from agents.arena import Played
from agents.plan import Plan, orders
from agents.processes import Processes
from agents.store import Event, Store
from agents.tournament import Outcome, Settings, event, prepare, run
from agents.work import Done, Rules, Work
from skyline import record, registry
from skyline.game import NO_SEAT
from tests.test_cli import Said, declare, finish, process, site  # noqa: F401 - a fixture

GAME = registry.names()[0]
LOADED = registry.load(GAME)
P, MOST = LOADED.player_counts[0], LOADED.player_counts[-1]
AGENTS = ["random", "heuristic", "own:Mixed", "own:Last"]


class Here:
    """An engine in this process: plays in the given order of pieces, and can be interrupted."""

    def __init__(self, room: int = 1, order: int = 1, stop_after: int | None = None) -> None:
        self.room, self.order, self.left = room, order, stop_after
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
        work = self.waiting.pop(0 if self.order > 0 else -1)
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
                def begin(self, game, players, options, seed): pass
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
            class Bad(Last):
                def act(self, view):
                    if len(view.legal()) == 1:
                        raise RuntimeError("only one")
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


def plan(agents: int, players: int, deals: int, form: str = "round-robin", seed: int = 1) -> Plan:
    roster = [f"agent {k}" for k in range(agents)]
    return Plan(Event(0, "any", 0, players, {}, roster, form, seed, deals))


def all_seats(of: Plan) -> Any:
    return of.seats(of.keys(np.arange(of.entries)))


# ---------------------------------------------------------------- who meets whom


@pytest.mark.parametrize(
    ("agents", "players"), [(1, 2), (2, 2), (5, 2), (3, 3), (5, 3), (2, 4), (3, 4), (6, 4), (2, 6), (7, 6)]
)
def test_a_round_robin_seats_everybody_everywhere_as_often(agents: int, players: int) -> None:
    of = plan(agents, players, deals=2)
    seats = all_seats(of)
    assert len(seats) == of.games
    counts = [np.bincount(seats[:, seat], minlength=agents).tolist() for seat in range(players)]
    assert all(count == counts[0] for count in counts)
    assert len(set(counts[0])) == 1
    line_ups = {tuple(sorted(row)) for row in seats.tolist()}
    seen = Counter(agent for line_up in line_ups for agent in line_up)
    assert len(set(seen.values())) == 1
    assert all(max(Counter(row).values()) - min(Counter(row).get(k, 0) for k in range(agents)) <= 1 for row in line_ups)


def test_all_line_ups_play_the_same_deals_and_each_seating_once() -> None:
    of = plan(4, 3, deals=5)
    keys = of.keys(np.arange(of.entries))
    assert of.tables == 4
    seatings = list(zip(keys.deals.tolist(), map(tuple, of.seats(keys).tolist()), strict=True))
    assert len(set(seatings)) == len(seatings) == of.games == 5 * 4 * 3
    assert of.seeds(keys).tolist() == [1 + deal for deal in keys.deals]
    for deal in range(5):
        assert len({tuple(sorted(seats)) for number, seats in seatings if number == deal}) == 4


def test_the_order_round_the_table_changes_from_deal_to_deal() -> None:
    assert orders((0, 1, 2, 3)) == [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 1, 3), (0, 2, 3, 1), (0, 3, 1, 2), (0, 3, 2, 1)]
    assert orders((0, 0, 1, 1)) == [(0, 0, 1, 1), (0, 1, 0, 1)]
    of = plan(4, 4, deals=6)
    assert {tuple(row) for row in of.line_ups.tolist()} == set(orders((0, 1, 2, 3)))
    assert plan(2, 4, deals=2).rotations.tolist() == [4, 2]
    assert plan(1, 4, deals=2).rotations.tolist() == [1, 1]


@pytest.mark.parametrize(("agents", "players"), [(3, 2), (7, 4), (12, 6), (4, 4), (2, 3)])
def test_mixed_tables_are_drawn_and_everybody_plays_as_often_up_to_one_deal(agents: int, players: int) -> None:
    of = plan(agents, players, deals=50, form="mixed")
    assert of.line_ups.shape == (50, players)
    for end in range(1, 51):
        counts = np.bincount(of.line_ups[:end].ravel(), minlength=agents)
        assert counts.max() - counts.min() <= 1
    if agents >= players:
        assert all(len(set(row)) == players for row in of.line_ups.tolist())
    assert len({tuple(row) for row in of.line_ups.tolist()}) > 2
    other = plan(agents, players, deals=50, form="mixed", seed=2)
    assert (other.line_ups != of.line_ups).any()


@pytest.mark.parametrize("form", ["round-robin", "mixed"])
def test_a_longer_plan_begins_like_a_shorter_one(form: str) -> None:
    short, long = plan(5, 3, 4, form), plan(5, 3, 9, form)
    np.testing.assert_array_equal(long.line_ups[: short.entries], short.line_ups)


@pytest.mark.parametrize("form", ["round-robin", "mixed"])
@pytest.mark.parametrize("games", [P * P, P * P + 1, 50])
def test_a_number_of_games_is_rounded_up_to_whole_deals(games: int, form: str) -> None:
    made = event(GAME, ["random", "heuristic"], MOST, games=max(games, 3 * MOST), form=form)
    shorter = Plan(replace(made, deals=made.deals - 1))
    assert shorter.games < max(games, 3 * MOST) <= made.planned == Plan(made).games


def test_fewer_games_than_one_deal_are_refused() -> None:
    with pytest.raises(ValueError, match=f"1 games are too few: one deal of {GAME} with {P} players and 2 agents is "):
        event(GAME, ["random", "heuristic"], P, games=1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"players": 99}, "players, not 99"),
        ({"agents": ["random", "random"]}, "agents, each once"),
        ({"agents": []}, "agents, each once, not none"),
        ({"agents": ["randon"]}, "did you mean 'random'"),
        ({"deals": None}, "either a number of games or a number of deals"),
        ({"games": 5}, "either a number of games or a number of deals"),
        ({"deals": 0}, "deals is at least 1, not 0"),
        ({"form": "swiss"}, "the format is one of 'round-robin', 'mixed', not 'swiss'"),
        ({"seed": 2**64 - 1, "deals": 2}, "outside 0"),
        ({"options": {"no such": 1}}, "no option"),
    ],
)
def test_wrong_events_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        event(**{"game": GAME, "agents": ["random"], "players": P, "deals": 1, **settings})


# ---------------------------------------------------------------- what is written


def test_the_database_holds_every_game_as_it_was_played(here: Path) -> None:
    settings = Settings([
        event(GAME, ["own:Mixed", "random"], P, deals=3, seed=40),
        event(GAME, ["random", "heuristic"], MOST, deals=2, number=1),
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
    made = event(GAME, ["random"], P, deals=2, seed=2**64 - 2)
    held(tmp_path / "a.db", Settings([made]))
    assert store.events(tmp_path / "a.db")[0].seed == 2**64 - 2
    assert store.games(tmp_path / "a.db", made).seeds.tolist() == [2**64 - 2, 2**64 - 1]


def test_forfeits_are_rows_with_their_reason_and_the_others_go_on(here: Path) -> None:
    made = event(GAME, ["own:Bad", "random"], P, deals=4)
    held(here / "a.db", Settings([made]))
    games = store.games("a.db", made)
    lost = np.flatnonzero(games.forfeits != NO_SEAT)
    assert len(lost)
    assert len(games) == made.planned
    for row in lost:
        assert games.names[games.agents[row, games.forfeits[row]]] == "own:Bad"
        assert games.places[row, games.forfeits[row]] == P
        assert str(games.reasons[row]).startswith("own:Bad, move ")
        assert "RuntimeError: only one (own.py, line " in str(games.reasons[row])


def test_agents_with_two_seats_do_not_share_their_thoughts(here: Path) -> None:
    seats = np.array([[0, 1, 0, 1], [1, 1, 1, 0]])
    assert pieces.entrants(seats, 2).tolist() == [[0, 1, 2, 3], [1, 3, 5, 0]]
    match = pieces._match(event(GAME, ["own:Mixed"], P, deals=1).as_text(), 2)
    assert match.agents[0] is not match.agents[1]
    assert match.names == ["own:Mixed"] * 2


def test_records_of_a_tournament_are_right(here: Path) -> None:
    (here / "out").mkdir()
    made = event(GAME, ["own:Bad", "random"], P, deals=3)
    held(here / "a.db", Settings([made]), rules=Rules(records=here / "out", legal=True))
    games = store.games("a.db", made)
    for row in range(len(games)):
        head = f"{GAME}-{P}p-event0-deal{games.deals[row]}"
        name = f"{head}-lineup{games.line_ups[row]}-rotation{games.rotations[row]}.jsonl"
        if games.forfeits[row] == NO_SEAT:
            assert record.verify(here / "out" / name).result()["scores"] == games.scores[row].tolist()
        else:
            assert (here / "out" / f"{name}.forfeit").is_file()
    assert len(list((here / "out").iterdir())) == len(games)


# ---------------------------------------------------------------- interruptions


def a_tournament(deals: int = 6) -> Settings:
    return Settings([
        event(GAME, ["random", "heuristic", "own:Mixed"], P, deals=deals),
        event(GAME, ["heuristic", "own:Last"], MOST, deals=deals, form="mixed", number=1),
    ])  # fmt: skip


def test_the_table_is_the_same_in_any_order_and_after_any_interruption(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = held(here / "a.db", a_tournament())
    assert whole.finished == whole.planned
    monkeypatch.setattr(tournaments, "PIECE_SECONDS", 1e-9)
    finished = 0
    for _ in range(100):
        outcome = held(here / "b.db", a_tournament(), Here(room=3, order=-1, stop_after=7))
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
    held(tmp_path / "a.db", Settings([event(GAME, ["random"], P, deals=300)]), engine)
    assert engine.sizes[0] == 1
    assert max(engine.sizes) > 20
    assert sum(engine.sizes) == 300


# ---------------------------------------------------------------- processes


def test_processes_play_the_same_tournament_and_survive_agents_that_kill_them(here: Path) -> None:
    made = event(GAME, ["own:Deadly", "random"], P, deals=4)
    held(here / "a.db", Settings([made]), Processes(2))
    games = store.games("a.db", made)
    assert len(games) == made.planned
    lost = games.forfeits != NO_SEAT
    assert 0 < lost.sum() < len(games), "the agent kills its process in some games"
    for row in np.flatnonzero(lost):
        assert games.names[games.agents[row, games.forfeits[row]]] == "own:Deadly"
        assert str(games.reasons[row]).endswith("its process ended (exit code 7), twice")
    mixed = event(GAME, ["own:Mixed", "random"], P, deals=4)
    held(here / "b.db", Settings([mixed]))
    np.testing.assert_array_equal(games.scores[~lost], store.games("b.db", mixed).scores[~lost])


def test_a_killed_process_costs_nothing(here: Path) -> None:
    made = event(GAME, ["own:Slow", "own:Mixed"], P, deals=2)
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
    made = replace(event(GAME, ["random"], P, deals=1), roster=["nobody"])
    engine = Processes(1)
    try:
        engine.submit(Work(0, made, Rules(), *piece(made)))
        with pytest.raises(ValueError, match="there is no agent 'nobody'"):
            engine.wait()
    finally:
        engine.close()


def begun(site: Path, folder: Path, *arguments: object) -> subprocess.Popen[str]:  # noqa: F811
    """A tournament in a process of its own, as soon as some of its games are in the database."""
    started = process(site, "tournament", *arguments, cwd=folder)
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and started.poll() is None:
        with contextlib.suppress(ValueError, OSError, sqlite3.OperationalError):
            if len(table(folder / "results.db")) > 2:
                return started
        time.sleep(0.05)
    raise AssertionError(f"it ended with {started.poll()}: {finish(started)}")


SLOW = ("-g", GAME, "-p", P, "-a", "own:Slow,random,heuristic", "-d", 12, "-j", 2)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_a_real_interruption_loses_and_doubles_nothing(how: signal.Signals, here: Path, site: Path) -> None:  # noqa: F811
    started = begun(site, here, *SLOW)
    children = [int(pid) for pid in Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()]
    started.send_signal(how)
    said = finish(started)
    assert said.code == (-signal.SIGKILL if how == signal.SIGKILL else 130)
    if how == signal.SIGINT:
        assert said.err == "skyline: interrupted\n"
        assert " of 72 games" in said.out
    there = len(table(here / "results.db"))
    assert 2 < there < 36 * P
    assert_gone(children)
    again = finish(process(site, "tournament", *SLOW, cwd=here))
    assert again.code == 0, again.err
    assert f"{36 * P - there:,} games played" in again.out
    whole = Settings([event(GAME, ["own:Slow", "random", "heuristic"], P, deals=12)])
    held(here / "whole.db", whole)
    assert table(here / "results.db") == table(here / "whole.db")


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
