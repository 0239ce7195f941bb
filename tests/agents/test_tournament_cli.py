"""`skyline tournament`: files, options, going on, what it prints, and one line for everything that is wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from skyline_agents.database import store
from skyline_agents.tournament import config as tournament_config
from skyline_agents.tournament.sprt import Sprt
from tests.support.commands import run
from tests.support.played_tournaments import Here
from tests.support.playing import FEW, GAME, MANY
from tests.support.processes import ROOT, environment

pytestmark = pytest.mark.usefixtures("commands")


@pytest.fixture
def in_process(here: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The local engine plays in this process; the numbers of processes it was asked for."""
    asked: list[int] = []

    def processes(jobs: int) -> Here:
        asked.append(jobs)
        return Here()

    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", processes)
    return asked


def made(text: str) -> tournament_config.Config:
    return tournament_config.made(tomllib.loads(text))


# ---------------------------------------------------------------- files


def test_a_file_says_events_and_what_holds_for_all() -> None:
    config = made(f"""
        agents = ["random", "heuristic"]
        seed = 7
        deals = 3
        move_seconds = 2.5
        records = "out"
        legal = true
        [[events]]
        game = "{GAME}"
        players = [{FEW}, {MANY}]
        [[events]]
        game = "{GAME}"
        players = {MANY}
        games = 40
        agents = ["random"]
        format = "mixed"
        seed = 9
    """)
    first, second, third = config.settings.events
    assert [(e.number, e.players, e.deals, e.seed, e.format) for e in (first, second)] == [
        (0, FEW, 3, 7, "round-robin"),
        (1, MANY, 3, 7, "round-robin"),
    ]
    assert first.roster == second.roster == ["random", "heuristic"]
    assert (third.number, third.roster, third.seed, third.format) == (2, ["random"], 9, "mixed")
    assert third.planned == 40
    assert (config.settings.move_seconds, config.records, config.legal) == (2.5, Path("out"), True)
    assert config.settings.sprt is None


def test_a_single_event_needs_no_table_and_may_be_a_test() -> None:
    config = made(f'game = "{GAME}"\nagents = ["random", "heuristic"]\ngames = 20\nsprt = [0, 30]\nalpha = 0.01')
    assert [event.players for event in config.settings.events] == [FEW]
    assert config.settings.sprt == Sprt(0, 30, alpha=0.01)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no game: write [[events]]"),
        ("events = 3", "events: a list of 1 .. 1000, not 3"),
        ("[[events]]\nplayers = 2", "an event needs a line game"),
        ('[[events]]\ngame = "{GAME}"\ndeals = 1', "there are no agents"),
        ('game = "{GAME}"\nagent = ["random"]', "there is no field 'agent'; .*did you mean 'agents'"),
        ('game = "{GAME}"\nagents = "random"\ndeals = 1', "agents: a list of 1 .. 1000, not 'random'"),
        ('game = "{GAME}"\nagents = ["random"]\ndeals = true', "deals: a whole number 1 .. 10000000, not True"),
        (
            '[[events]]\ngame = "{GAME}"\nagents = ["random"]\ndeals = 1\nsprt = [0, 1]',
            "there is no field 'sprt'",
        ),
        ('game = "chess"\nagents = ["random"]\ndeals = 1', "there is no game 'chess'"),
        (
            'game = "{GAME}"\nagents = ["random"]\ndeals = 1\nmove_seconds = nan',
            "a number 0 .. 86400, not nan",
        ),
        ('game = "{GAME}"\nagents = ["random", "heuristic"]\ndeals = 1\nsprt = [1]', "sprt: a list of 2"),
        ("x = [", "Unclosed array|Invalid"),
    ],
)
def test_mistakes_in_files_are_told_with_the_file(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text.replace("{GAME}", GAME))
    with pytest.raises(ValueError, match=says.replace("[[", r"\[\[").replace("]]", r"\]\]")) as error:
        tournament_config.read(path)
    assert str(error.value).startswith(f"{path}: ")


# ---------------------------------------------------------------- the command


def test_a_file_is_played_beside_its_database_and_goes_on(here: Path, in_process: list[int]) -> None:
    (here / "cup.toml").write_text(f'game = "{GAME}"\nplayers = {FEW}\nagents = ["random", "heuristic"]\ndeals = 4\n')
    said = run("tournament", "cup.toml", "--jobs", 3)
    assert (said.code, said.err) == (0, "")
    assert in_process == [3]
    games = 4 * FEW
    assert f"{GAME}, {FEW} players, round-robin: {games} games" in said.out
    assert f"cup.db: {games} games" in said.out
    for words in ("agent", "place", "forfeits", "heuristic", "random", "games/s"):
        assert words in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    again = run("tournament", "--db", "cup.db")
    assert "0 games played in" in again.out
    (here / "cup.toml").write_text((here / "cup.toml").read_text().replace("deals = 4", "deals = 5"))
    longer = run("tournament", "cup.toml", "--json")
    data = json.loads(longer.out)
    assert (data["played"], data["finished"], data["planned"]) == (FEW, 5 * FEW, 5 * FEW)
    assert {row["agent"]: row["games"] for row in data["events"][0]["agents"]} == {
        "heuristic": 5 * FEW,
        "random": 5 * FEW,
    }
    assert sum(row["first_share"] for row in data["events"][0]["agents"]) == pytest.approx(1)


def test_options_make_the_same_tournament_as_a_file(here: Path, in_process: list[int]) -> None:
    said = run(
        "tournament", "-g", GAME, "-p", f"{FEW},{MANY}", "-a", "random,own:Last", "-d", 2, "-s", 5, "-f", "mixed",
        "--move-seconds", 9, "--record", "out", "--legal", "--db", "a.db",
    )  # fmt: skip
    assert (said.code, said.err) == (0, "")
    config = made(f"""
        game = "{GAME}"
        players = [{FEW}, {MANY}]
        agents = ["random", "own:Last"]
        deals = 2
        seed = 5
        format = "mixed"
    """)
    assert store.events("a.db") == config.settings.events
    assert store.settings("a.db")["move_seconds"] == 9
    assert len(list((here / "out").glob("*.jsonl"))) == sum(e.planned for e in config.settings.events)
    assert run("verify", "out").code == 0


def test_a_sequential_test_says_what_it_found(here: Path, in_process: list[int]) -> None:
    said = run("tournament", "-g", GAME, "-a", "heuristic,random", "-d", 400, "--sprt", -10, 200)
    assert said.code == 0
    assert "heuristic against random: the test accepts elo1 after " in said.out
    data = json.loads(run("tournament", "--db", "results.db", "--json").out)
    assert data["verdict"]["accepted"] == "elo1"
    assert data["finished"] < data["planned"]


def test_forfeits_are_told_with_a_reason(here: Path, in_process: list[int]) -> None:
    said = run("tournament", "-g", GAME, "-p", FEW, "-a", "own:Bad,random", "-d", 4)
    assert said.code == 0
    assert "forfeit in deal " in said.out
    assert "RuntimeError: no more (own.py, line " in said.out


def test_ctrl_c_reports_what_was_played(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyline_agents.tournament.processes.Processes", lambda jobs: Here(stop_after=1))
    said = run("tournament", "-g", GAME, "-p", FEW, "-a", "random,heuristic", "-d", 400)
    assert said.code == 130
    assert said.err == "skyline: interrupted\n"
    assert f"{FEW} of {400 * FEW} games" in said.out
    assert said.out.endswith("go on with: skyline tournament --db results.db\n")


def test_changed_rules_are_told(here: Path, in_process: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("tournament", "-g", GAME, "-a", "random,heuristic", "-d", 1)
    assert run(*arguments).err == ""
    from skyline_agents.tournament import run as tournament

    versions = tournament.versions
    monkeypatch.setattr(tournament, "versions", lambda *given: {**versions(*given), "kernels": {GAME: "other"}})
    assert run(*arguments).err == f"skyline: results.db: the sources of {GAME} have changed since the last run\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "a tournament is a CONFIG.toml, or --game with --agents, or --db"),
        (("none.toml",), "none.toml: No such file"),
        (("--db", "none.db"), "none.db: there is no such database"),
        (
            ("--db", "cup.db", "--memory", "recall"),
            "--memory does not go with --db alone, which goes on with a tournament",
        ),
        (("-g", GAME, "-d", 1), "a tournament needs --agents"),
        (("-g", GAME, "-a", "random"), "needs either --games or --deals"),
        (("-g", GAME, "-a", "random", "-d", 1, "-p", "two"), "--players is numbers with commas"),
        (("-g", GAME, "-a", "random", "-d", 1, "--engine", "cloud"), "--engine is one of 'local', 'ray', not 'cloud'"),
        (("-g", GAME, "-a", "random", "-d", 1, "--address", "x"), "--address is for --engine ray"),
        (("-g", GAME, "-a", "random", "-d", 1, "--legal"), "it needs --record DIR"),
        (("-g", GAME, "-a", "random", "-d", 1, "--sprt", 0, 9), "a sequential test is between two agents"),
        (("cup.toml", "-g", GAME), "--game does not go with a file"),
        (("cup.toml", "-o", "max_turns=9"), "--option does not go with a file"),
    ],
)
def test_wrong_calls_are_one_line(arguments: tuple[Any, ...], says: str, in_process: list[int]) -> None:
    assert says in run("tournament", *arguments).refused()


def test_a_database_of_another_tournament_is_refused(here: Path, in_process: list[int]) -> None:
    assert run("tournament", "-g", GAME, "-a", "random", "-d", 1).code == 0
    said = run("tournament", "-g", GAME, "-a", "random", "-d", 1, "-s", 2)
    assert said.refused() == "results.db holds another tournament (seed is 1, not 2): give another --db"


def test_help_has_examples() -> None:
    said = run("tournament", "--help")
    assert said.code == 0
    assert "skyline tournament --db results.db" in said.out
    assert "--sprt" in said.out


def test_the_ray_engine_says_what_it_needs(in_process: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    said = run("tournament", "-g", GAME, "-a", "random", "-d", 1, "--engine", "ray")
    assert said.refused() == "--engine ray needs Ray: pip install 'skyline-envs[ray]'"


def test_the_page_runs(here: Path) -> None:
    page = (ROOT / "docs" / "tournament.md").read_text()
    for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL):
        assert len(made(block).settings.events) == 4
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (here / "page.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "page.py"], cwd=here, env=environment(ROOT, cache=None), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len(store.games(here / "python.db", store.events(here / "python.db")[0])) == 100


def test_the_command_speaks_for_its_processes_before_they_compile(
    here: Path, in_process: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from skyline.core import announce

    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(announce, "before_workers", lambda name, folder: asked.append((name, folder.name)))
    assert run("tournament", "-g", GAME, "-p", f"{FEW},{MANY}", "-a", "random,heuristic", "-d", 1).code == 0
    assert [name for name, _ in asked] == [GAME]
    assert asked[0][1].startswith(f"{GAME}-")
