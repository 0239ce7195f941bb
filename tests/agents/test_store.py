"""The database of a tournament as something from outside: wrong, damaged, locked, full, read-only, other versions."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from skyline.reading import Unreadable
from skyline_agents.database import schema, sqlite, store
from skyline_agents.database.store import Store
from skyline_agents.report.tables import read as read_report
from tests.support import made_up_tournaments
from tests.support.commands import run
from tests.support.played_tournaments import Here
from tests.support.playing import FEW, GAME
from tests.support.processes import ROOT

pytestmark = pytest.mark.usefixtures("commands")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up_tournaments.sample(tmp_path_factory.mktemp("good") / "good.db", 6)


@pytest.fixture
def path(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(good, tmp_path / "cup.db"))


def read_all(path: Path) -> None:
    """Everything that a command reads of a database."""
    store.settings(path)
    store.runs(path)
    for event in store.events(path):
        store.games(path, event)


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_good_one_is_read_and_left_as_it_was(path: Path) -> None:
    before = path.read_bytes()
    read_all(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["cup.db"]


# ---------------------------------------------------------------- wrong files


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        (["UPDATE events SET options = '[1]' WHERE number = 1"], "events[1].options: an object"),
        (['UPDATE events SET options = \'{"a": 1, "a": 2}\''], "events[0].options: an object has the key 'a' twice"),
        (["UPDATE events SET options = '" + "[" * 9000 + "'"], "events[0].options: is nested deeper than 32"),
        (["UPDATE events SET roster = '[0, 99]'"], "events[0].roster[1]: a whole number 0 .. 3, not 99"),
        (["UPDATE events SET roster = '[0, 0]'"], "events[0].roster[1]: agent 0 is there already"),
        (["UPDATE events SET roster = 'null'"], "events[0].roster: a list of"),
        (
            ["UPDATE events SET players = 'two' WHERE number = 0"],
            "events[0].players: a whole number 1 .. {SEATS}, not 'two'",
        ),
        (["UPDATE events SET players = 99"], "events[0].players: a whole number 1 .. {SEATS}, not 99"),
        (["UPDATE events SET format = 'odd'"], "events[0].format: one of round-robin, mixed, not 'odd'"),
        (["UPDATE events SET game = x'00ff'"], "events[0].game: a text"),
        (["UPDATE events SET deals = -1"], "events[0].deals: a whole number 1"),
        (["UPDATE events SET number = 5 WHERE number = 2"], "events[2].number: a whole number 2 .. 2, not 5"),
        (["UPDATE agents SET name = x'07' WHERE number = 1"], "agents[1].name"),
        (["UPDATE agents SET number = 9 WHERE number = 3"], "agents[3].number: a whole number 3 .. 3, not 9"),
        (["UPDATE settings SET value = 'NaN' WHERE key = 'move_seconds'"], "settings.move_seconds: NaN is no number"),
        (["UPDATE settings SET value = '[1]' WHERE key = 'sprt'"], "settings.sprt: an object"),
        (["UPDATE settings SET value = '-1' WHERE key = 'move_seconds'"], "settings.move_seconds: a number"),
        (["UPDATE settings SET value = '{}' WHERE key = 'sprt'"], "settings.sprt: the field 'elo0' is missing"),
        (["UPDATE settings SET value = '9' WHERE key = 'schema'", "PRAGMA user_version = 9"], "has schema 9"),
        (["DELETE FROM settings"], "is not the database of a tournament"),
        (["UPDATE runs SET versions = 'x'"], "runs[0].versions: is no JSON"),
        (["UPDATE runs SET versions = '{\"kernels\": [1]}'"], "runs[0].versions.kernels: an object"),
        (["DROP TABLE games"], "is not the database of a tournament: it has no table games"),
        (["DROP TABLE agents", "CREATE VIEW agents AS SELECT 0 number, 'a' name"], "it has no table agents"),
        (["ALTER TABLE games RENAME COLUMN place_1 TO rank_1"], "its table games has no column place_1"),
        (["PRAGMA application_id = 77"], "is the database of another program (application id 77)"),
        (["UPDATE games SET score_1 = 'many'"], "games of event 0, row 0: score_1 is a whole number, not 'many'"),
        (
            ["UPDATE games SET moves = NULL WHERE event = 1"],
            "games of event 1, row 0: moves is a whole number, not None",
        ),
        (["UPDATE games SET seconds = x'00'"], "games of event 0, row 0: seconds is a number, not"),
        (["UPDATE games SET reason = x'05'"], "games of event 0, row 0: reason is a text"),
        (["UPDATE games SET agent_0 = 44"], "games of event 0, row 0: agent_0 is a number 0 .. 3, not 44"),
        (["UPDATE games SET place_0 = 0"], "games of event 0, row 0: place_0 is a number 1 .. 4, not 0"),
        (["UPDATE games SET forfeit = 4"], "games of event 0, row 0: forfeit is a number -1 .. 3, not 4"),
        (
            ["UPDATE games SET rotation = -1 WHERE event = 0 AND deal = 0 AND rotation = 0"],
            "rotation is a number 0 .. 3",
        ),
        (["UPDATE games SET deal = deal + 1000"], "deal is a number 0 .. 47, not 1000"),
    ],
)
def test_a_wrong_field_is_told_with_its_place(statements: list[str], says: str, path: Path) -> None:
    change(path, *statements)
    with pytest.raises(Unreadable) as error:
        read_all(path)
    assert str(error.value).startswith(f"{path}: ")
    assert says.replace("{SEATS}", str(schema.SEATS)) in str(error.value)
    assert "\n" not in str(error.value)
    if ": settings." not in str(error.value):
        said = run("report", path)
        assert (said.code, said.refused()) == (1, str(error.value))


@pytest.mark.parametrize("command", [("report",), ("tournament", "--db")])
def test_what_is_no_database_is_refused_in_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "empty.db").touch()
    (tmp_path / "text.db").write_text("something else" * 100)
    (tmp_path / "magic.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    (tmp_path / "foreign.db").unlink(missing_ok=True)
    change(tmp_path / "foreign.db", "CREATE TABLE games (a)")
    for name, says in (
        ("none.db", "there is no such database"),
        ("folder.db", "is a folder, not the database of a tournament"),
        ("pipe.db", "is no regular file"),
        ("empty.db", "is not the database of a tournament: it is empty"),
        ("text.db", "is not the database of a tournament: it is no SQLite file"),
        ("magic.db", "is not the database of a tournament: it is no SQLite file, or its first bytes are damaged"),
        ("foreign.db", "is not the database of a tournament: it has no table settings"),
    ):
        said = run(*command, tmp_path / name)
        assert said.refused().startswith(f"{tmp_path / name}: {says}"), name
        assert said.code == 1
    assert (tmp_path / "text.db").read_text() == "something else" * 100
    assert not [file for file in tmp_path.iterdir() if file.name.endswith(("-lock", "-wal", "-shm", ".html"))]


def test_mutants_are_read_or_refused_with_their_name(path: Path) -> None:
    """Bits turned, pages cut off or overwritten, anywhere in the file."""
    good, chance, refused = path.read_bytes(), random.Random(2), 0
    for _ in range(150):
        data = bytearray(good)
        for _ in range(chance.randint(1, 20)):
            at = chance.randrange(100 if chance.random() < 0.3 else len(data))
            data[at : at + 4] = chance.randbytes(chance.randint(1, 4))
        path.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.2 else data)
        try:
            read_all(path)
        except (Unreadable, OSError) as error:
            refused += 1
            assert str(path) in str(error)
            assert "\n" not in str(error)
    assert refused > 40


# ---------------------------------------------------------------- locked, full, read-only


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.3)


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_says_who_may_hold_it(path: Path) -> None:
    change(path, "PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for command in (("report", path), ("tournament", "--db", path)):
            said = run(*command)
            assert said.code == 1
            assert "another program holds the database" in said.refused()
            assert "close" in said.refused()
            assert str(path) in said.refused()


def test_a_lock_is_waited_for(path: Path) -> None:
    change(path, "PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(path, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        timer = threading.Timer(0.4, other.rollback)
        timer.start()
        assert len(store.events(path)) == 3
        timer.join()


def test_a_full_disk_loses_nothing_and_the_same_command_goes_on(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", lambda jobs: Here())
    command = ("tournament", "-g", GAME, "-a", "random,heuristic", "-d", 300, "--db", "cup.db")
    monkeypatch.setattr("skyline_agents.tournament.pieces.MOST_ENTRIES", 10)
    begin = Store.begin_run

    def full(self: Store, versions: Any) -> int:
        number = begin(self, versions)
        pages = self._connection.execute("PRAGMA page_count").fetchone()[0]
        self._connection.execute(f"PRAGMA max_page_count = {pages + 2}")  # SQLite answers as on a full disk
        return number

    monkeypatch.setattr(Store, "begin_run", full)
    said = run(*command)
    assert said.code == 1
    assert said.refused().startswith("cup.db: the disk is full; ")
    assert "the same command goes on" in said.refused()
    monkeypatch.undo()
    monkeypatch.chdir(here)
    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", lambda jobs: Here())
    kept = len(store.games("cup.db", store.events("cup.db")[0]))
    assert 0 < kept < 300 * FEW
    assert run(*command).code == 0
    assert len(store.games("cup.db", store.events("cup.db")[0])) == 300 * FEW


AS_NOBODY = """
import os, sys
from pathlib import Path
from skyline_agents.database import store
from skyline_agents.database.store import Store
os.setgid(65534); os.setuid(65534)
path = Path(sys.argv[1])
print(len(store.games(path, store.events(path)[0])))
try:
    Store(path)
except OSError as error:
    print(error.filename, error.strerror)
"""


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs another user")
@pytest.mark.parametrize("left", [False, True])
def test_a_read_only_folder_can_be_read(left: bool, path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """As from a read-only disk; what a killed process left in FILE-wal is not passed over in silence."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "disk"
        folder.mkdir()
        copied = Path(shutil.copy(path, folder))
        if left:
            with closing(sqlite3.connect(copied)) as connection:
                connection.execute("UPDATE agents SET name = 'other' WHERE number = 3")
                connection.commit()
                shutil.copy(copied, folder / "left.db")
                shutil.copy(f"{copied}-wal", folder / "left.db-wal")
            copied = folder / "left.db"
        Path(name).chmod(0o755)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(copied)], capture_output=True, text=True, cwd=ROOT,
        )  # fmt: skip
        folder.chmod(0o755)
    if left:
        assert "left.db-wal holds results" in done.stderr.splitlines()[-1]
        return
    assert done.returncode == 0, done.stderr
    read, refused = done.stdout.splitlines()
    assert read == "24"
    assert refused == f"{copied} the tournament needs a folder that can be written to (Permission denied)"


def test_a_damaged_table_stops_the_report_before_anything_is_written(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-4096 * 2 :] = b"\xab" * 4096 * 2
    path.write_bytes(data)
    with pytest.raises(Unreadable, match=r"cup\.db: is damaged"):
        read_report(path)
    assert not path.with_suffix(".html").exists()


# ---------------------------------------------------------------- one holder


def test_the_lock_file_of_one_holder_never_serves_a_second_one(tmp_path: Path) -> None:
    """Whoever opened the lock file before its holder removed it locks a file without a name: it must look again."""
    held = sqlite.Held(tmp_path / "a.db")
    file = sqlite.lock_file(tmp_path / "a.db").open("a+b")  # opened before the removal, locked after it
    held.release()
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with sqlite.Held(tmp_path / "a.db"), pytest.raises(ValueError, match="another process is playing"):
        sqlite.Held(tmp_path / "a.db")
    file.close()
    assert list(tmp_path.iterdir()) == []


HOLD = """
import sys, time
from pathlib import Path
from skyline_agents.database.sqlite import Held
path, log, times = Path(sys.argv[1]), sys.argv[2], 0
until = time.monotonic() + 2
while time.monotonic() < until:
    try:
        with Held(path):
            inside = path.with_suffix(".inside")
            inside.open("x").close()
            times += 1
            inside.unlink()
    except ValueError:
        pass
print(times)
"""


def test_processes_in_a_race_hold_the_lock_one_at_a_time(tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path / "a.db"), "log"], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for _ in range(3)
    ]
    times = [int(process.communicate(timeout=60)[0]) for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert sum(times) > 100


def test_a_lock_that_the_system_refuses_is_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def flock(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(OSError, match="cannot be locked") as error:
        Store(tmp_path / "a.db")
    assert error.value.filename == str(tmp_path / "a.db")


# ---------------------------------------------------------------- versions


@pytest.fixture
def played(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", lambda jobs: Here())
    assert run("tournament", "-g", GAME, "-a", "random,heuristic", "-d", 2, "--db", "cup.db").code == 0
    yield Path("cup.db")


def test_a_tournament_of_another_version_of_the_environment_is_refused(played: Path) -> None:
    change(played, "UPDATE events SET version = 7")
    both = f"cup.db was played with {GAME}_v7, installed is {GAME}_v1"
    assert run("tournament", "--db", "cup.db").refused().startswith(both)
    assert run("tournament", "-g", GAME, "-a", "random,heuristic", "-d", 4, "--db", "cup.db").refused().startswith(both)
    assert run("report", "cup.db", "--replicates", 40).code == 0
    assert len(store.runs(played)) == 1


def test_a_file_of_before_without_versions_and_id_goes_on(played: Path) -> None:
    change(played, "UPDATE runs SET versions = '{}'", "PRAGMA application_id = 0", "PRAGMA user_version = 0")
    assert run("tournament", "-g", GAME, "-a", "random,heuristic", "-d", 4, "--db", "cup.db").code == 0
    assert len(store.games(played, store.events(played)[0])) == 4 * FEW


def test_a_database_says_whose_it_is(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION
        assert connection.execute("PRAGMA user_version").fetchone()[0] == schema.SCHEMA


# ---------------------------------------------------------------- other programs that look on

LOOK_ON = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM games").fetchone()[0])
connection.close()
"""


def test_a_tournament_keeps_its_locks_when_it_reads_its_own_database(played: Path) -> None:
    """Who closes any file descriptor of a file loses all locks of the process on the file (POSIX). A program that looks
    on would then take itself for the last one, and remove the log that the tournament writes into."""
    with Store(played) as held:
        held.update(store.events(played), {"seen": 1})
        log = played.with_name(f"{played.name}-wal")
        assert log.exists()
        subprocess.run([sys.executable, "-c", LOOK_ON, str(played)], check=True, capture_output=True)
        assert log.exists(), "the log was removed while the tournament had it open"
        held.update(store.events(played), {"seen": 2})
        assert store.settings(played)["seen"] == 2
    with closing(sqlite3.connect(played)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
