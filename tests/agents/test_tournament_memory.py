"""The memory of a tournament's events: in files, on the command line, in the database and in reports."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from skyline.reading import Unreadable
from skyline_agents.database import store
from skyline_agents.report.files import as_json
from skyline_agents.report.page import page
from skyline_agents.report.tables import read as read_report
from skyline_agents.tournament import config
from tests.support import made_up_tournaments
from tests.support.commands import run
from tests.support.playing import FEW, GAME, NAMES
from tests.support.processes import ROOT

pytestmark = pytest.mark.usefixtures("commands")
BENCHMARKS = ROOT / "benchmarks"
FILE = f"""
agents = ["random", "heuristic"]
memory = "table"
[[events]]
game = "{GAME}"
games = 4
[[events]]
game = "{GAME}"
games = 4
memory = "recall"
"""


def older(path: Path) -> None:
    """Make the database one of a version that had no setting memory."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE events DROP COLUMN memory")
        connection.commit()


def test_a_file_names_the_memory_of_all_events_or_of_one(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    assert [event.memory for event in config.read(path).settings.events] == ["table", "recall"]
    path.write_text(FILE.replace('memory = "table"', ""))
    with pytest.raises(Unreadable, match=r"events\[1\]: is the same event as events\[0\]"):
        config.read(path)
    path.write_text(FILE.replace('"recall"', '"some"'))
    with pytest.raises(Unreadable, match=r"events\[1\].memory: one of recall, table, not 'some'"):
        config.read(path)


def test_a_database_keeps_the_memory_of_its_events(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    assert run("tournament", path, "--jobs", 1).code == 0
    events = store.events(tmp_path / "cup.db")
    assert [event.memory for event in events] == ["table", "recall"]
    assert all(len(store.games(tmp_path / "cup.db", event)) == 4 for event in events)
    said = run("tournament", "--db", tmp_path / "cup.db", "--jobs", 1)
    assert f"{GAME}, {FEW} players, round-robin, memory=table: 4 games\n" in said.out
    assert f"{GAME}, {FEW} players, round-robin: 4 games\n" in said.out
    assert "0 games played" in said.out


def test_the_command_line_names_the_memory_and_a_tournament_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    command = ["tournament", "-g", GAME, "-a", "random,heuristic", "-n", 4, "--db", path, "--jobs", 1]
    assert run(*command, "--memory", "table").code == 0
    assert store.events(path)[0].memory == "table"
    assert run(*command).refused() == (
        f"{path} holds another tournament (memory is 'table', not 'recall'): give another --db"
    )
    assert "recall or table, not 'some'" in run(*command, "--memory", "some").refused()
    assert run("tournament", "--db", path, "--jobs", 1).code == 0


def test_events_of_older_databases_were_played_with_the_table_only(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    command = ["tournament", "-g", GAME, "-a", "random,heuristic", "--db", path, "--jobs", 1]
    assert run(*command, "-n", 4).code == 0
    older(path)
    before = path.read_bytes()
    assert [event.memory for event in store.events(path)] == ["table"]
    assert path.read_bytes() == before, "reading changes no file"
    assert "memory is 'table', not 'recall'" in run(*command, "-n", 8).refused()
    assert run("tournament", "--db", path, "--jobs", 1).code == 0, "it goes on as it was begun"
    assert run(*command, "-n", 8, "--memory", "table").code == 0
    (event,) = store.events(path)
    assert (event.memory, len(store.games(path, event))) == ("table", 8)


def test_a_wrong_memory_in_a_database_is_told_with_its_place(tmp_path: Path) -> None:
    path = made_up_tournaments.sample(tmp_path / "cup.db", 2)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET memory = 'some' WHERE number = 1")
        connection.commit()
    with pytest.raises(Unreadable, match=r"events\[1\].memory: one of recall, table, not 'some'"):
        store.events(path)


def test_a_report_names_the_memory_where_it_is_not_the_usual_one(tmp_path: Path) -> None:
    path = made_up_tournaments.sample(tmp_path / "cup.db", 6)
    found = read_report(path, replicates=40)
    assert [section.title for section in found.sections] == ["Manhattan, 4 players", "Manhattan, 2 players"]
    assert "memory=" not in page(found)
    assert '"memory": "recall"' in as_json(found)
    older(path)
    found = read_report(path, replicates=40)
    assert found.sections[0].title == "Manhattan, 4 players, memory=table"
    assert "Manhattan, 4 players, memory=table" in page(found)
    assert "Manhattan, 3 players, memory=table: no game is finished" in page(found)
    assert '"memory": "table"' in as_json(found)


def test_the_tournaments_of_the_repository() -> None:
    """The ladder goes on as it was begun; the comparison of memories has all games, and 200 deals of each."""
    ladder, kept = config.read(BENCHMARKS / "ladder.toml").settings.events, store.events(BENCHMARKS / "ladder.db")
    assert [event.memory for event in kept] == ["table"] * len(kept)
    assert [(event.game, event.players, event.roster, event.deals) for event in ladder] == [
        (event.game, event.players, event.roster, event.deals) for event in kept
    ]
    assert {event.memory for event in ladder} == {"table"}
    memory = config.read(BENCHMARKS / "memory.toml").settings.events
    assert sorted(event.game for event in memory) == sorted(NAMES)
    for event in memory:
        assert (event.players, event.deals, event.planned, event.memory) == (2, 200, 400, "recall")
        assert event.roster == ["ismcts:1000", "ismcts:1000,memory=table"]
