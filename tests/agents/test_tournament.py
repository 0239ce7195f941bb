"""Tournaments: who meets whom, what is written, and that nothing is lost or doubled whatever happens to the process."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from skyline import record
from skyline.game import NO_SEAT
from skyline_agents.database import store
from skyline_agents.database.store import Event, Store
from skyline_agents.match.matches import Played
from skyline_agents.tournament import pieces, run, work
from skyline_agents.tournament.settings import NO_LIMIT, TournamentSettings, event, saved
from skyline_agents.tournament.work import Conditions, Work, carry_out, entrants
from tests.support.played_tournaments import Here, held, piece, table
from tests.support.playing import FEW, GAME, MANY

# ---------------------------------------------------------------- what is written


def test_the_database_holds_every_game_as_it_was_played(here: Path) -> None:
    settings = TournamentSettings([
        event(GAME, ["own:Mixed", "random"], FEW, deals=3, seed=40),
        event(GAME, ["random", "heuristic"], MANY, deals=2, number=1),
    ])  # fmt: skip
    outcome = held(here / "a.db", settings)
    assert outcome.played == outcome.finished == outcome.planned == sum(e.planned for e in settings.events)
    assert store.events("a.db") == settings.events
    assert store.games("a.db", store.events("a.db")[0]).names == ["own:Mixed", "random", "heuristic"]
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
    return carry_out(Work(0, one, Conditions(), games.seeds[part], seats, *keys))


def test_seeds_of_all_64_bits_come_back(tmp_path: Path) -> None:
    made = event(GAME, ["random"], FEW, deals=2, seed=2**64 - 2)
    held(tmp_path / "a.db", TournamentSettings([made]))
    assert store.events(tmp_path / "a.db")[0].seed == 2**64 - 2
    assert store.games(tmp_path / "a.db", made).seeds.tolist() == [2**64 - 2, 2**64 - 1]


def test_forfeits_are_rows_with_their_reason_and_the_others_go_on(here: Path) -> None:
    made = event(GAME, ["own:Bad", "random"], FEW, deals=4)
    held(here / "a.db", TournamentSettings([made]))
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
    assert entrants(seats, 2).tolist() == [[0, 1, 2, 3], [1, 3, 5, 0]]
    match = work._match(event(GAME, ["own:Mixed"], FEW, deals=1).as_text(), 2)
    assert match.agents[0] is not match.agents[1]
    assert match.names == ["own:Mixed"] * 2


def test_records_of_a_tournament_are_right(here: Path) -> None:
    (here / "out").mkdir()
    made = event(GAME, ["own:Bad", "random"], FEW, deals=3)
    held(here / "a.db", TournamentSettings([made]), conditions=Conditions(records=here / "out", legal=True))
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


def a_tournament(deals: int = 6) -> TournamentSettings:
    return TournamentSettings([
        event(GAME, ["random", "heuristic", "own:Mixed"], FEW, deals=deals),
        event(GAME, ["heuristic", "own:Last"], MANY, deals=deals, form="mixed", number=1),
    ])  # fmt: skip


def test_the_table_is_the_same_in_any_order_and_after_any_interruption(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = held(here / "a.db", a_tournament())
    assert whole.finished == whole.planned
    monkeypatch.setattr(pieces, "PIECE_SECONDS", 1e-9)
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
        (TournamentSettings(events[:1]), "2 events, not 1"),
        (TournamentSettings([replace(events[0], seed=2), events[1]]), "seed is 1, not 2"),
        (TournamentSettings([replace(events[0], roster=["random"]), events[1]]), "roster is "),
        (replace(a_tournament(5), move_seconds=1.0), "move_seconds is 60.0, not 1.0"),
    ):
        with pytest.raises(ValueError, match=says):
            held(here / "a.db", settings)
    assert table(here / "a.db") == table(here / "b.db")


def test_moves_have_a_limit_unless_it_is_said_that_they_have_none(here: Path, tmp_path: Path) -> None:
    assert a_tournament(1).move_seconds == 60
    limited = run._limited(Conditions(legal=True), 5.0)
    assert (limited.move_seconds, limited.begin_seconds, limited.legal) == (5, 300, True)
    assert run._limited(Conditions(), 400.0).begin_seconds == 400
    free = run._limited(limited, NO_LIMIT)
    assert (free.move_seconds, free.begin_seconds, free.legal) == (None, None, True)
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a number of seconds, or 0 for any time, not "):
            replace(a_tournament(1), move_seconds=wrong)
    with Store(tmp_path / "old.db") as database:  # of a version without a limit
        database.create(a_tournament(1).events, {"move_seconds": None, "sprt": None})
    assert saved(tmp_path / "old.db").move_seconds == NO_LIMIT


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
    held(tmp_path / "a.db", TournamentSettings([event(GAME, ["random"], FEW, deals=1)]))
    assert len(table(tmp_path / "a.db")) == 1


def test_a_row_twice_is_refused(here: Path) -> None:
    settings = a_tournament(1)
    held(here / "a.db", settings)
    work = Work(0, settings.events[0], Conditions(), *piece(settings.events[0]))
    columns = {"deal": work.deals, "line_up": work.line_ups, "rotation": work.rotations, "seed": work.seeds}
    with Store(here / "a.db") as database, pytest.raises(sqlite3.IntegrityError):
        database.add(work.event, 1, columns, work.seats, carry_out(work))
    assert len(table(here / "a.db")) == sum(e.planned for e in settings.events)


def test_pieces_grow_until_they_take_their_time(tmp_path: Path) -> None:
    engine = Here(room=1)
    held(tmp_path / "a.db", TournamentSettings([event(GAME, ["random"], FEW, deals=300)]), engine)
    assert engine.sizes[0] == 1
    assert max(engine.sizes) > 20
    assert sum(engine.sizes) == 300
