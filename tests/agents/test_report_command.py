"""The report's files and the command `skyline report`."""

from __future__ import annotations

import csv
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from skyline.cli.main import app
from skyline.files import write_text
from skyline_agents.report import files as report_files
from skyline_agents.report import tables as report
from skyline_agents.report.page import page
from skyline_agents.report.tables import OVERALL, TABLES, Report, read
from tests.docs.test_docs import ROOT
from tests.support.processes import declare

MARKUP = "<b>my_file:MyAgent</b>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


@pytest.fixture(autouse=True)
def command(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command as pyproject.toml declares it, whenever this checkout was installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("declared")
    declare(folder, "skyline.commands", {"report": project["entry-points"]["skyline.commands"]["report"]})
    monkeypatch.syspath_prepend(str(folder))


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_csv_and_parquet_hold_the_tables(found: Report, tmp_path: Path) -> None:
    from pyarrow import parquet

    texts, columns = report_files.write_csv(found, tmp_path / "a" / "b"), report_files.write_parquet(found, tmp_path)
    names = (OVERALL, *TABLES)
    assert [path.name for path in texts] == [f"{name}.csv" for name in names]
    assert [path.name for path in columns] == [f"{name}.parquet" for name in names]
    for name, text, column in zip(names, texts, columns, strict=True):
        rows = found.tables()[name]
        with text.open(newline="") as file:
            as_text = list(csv.DictReader(file))
        as_rows = parquet.read_table(column).to_pylist()
        assert len(as_text) == len(as_rows) == len(rows)
        for ours, line, row in zip(rows, as_text, as_rows, strict=True):
            missing = {key for key, value in ours.items() if value != value}
            assert {key for key, value in row.items() if value is None} == missing
            assert {key: value for key, value in row.items() if key not in missing} == {
                key: value for key, value in ours.items() if key not in missing
            }
            assert line == {key: "" if key in missing else str(value) for key, value in ours.items()}
    assert not list(tmp_path.rglob(".*"))


def test_without_pyarrow_the_extra_is_named(found: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'skyline-envs\[parquet\]'"):
        report_files.write_parquet(found, tmp_path)


def test_a_file_that_could_not_be_written_is_not_there(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(target, "new \ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert target.read_text() == "old"


def test_the_command_writes_the_page_beside_the_database(database: Path, tmp_path: Path) -> None:
    result = run("report", database, "--replicates", 60, "--csv", tmp_path / "tables")
    assert result.exit_code == 0, result.stderr
    assert database.with_suffix(".html").read_text(encoding="utf-8") == page(read(database, replicates=60))
    lines = result.stdout.splitlines()
    assert str(database.with_suffix(".html")) in lines
    assert str(tmp_path / "tables" / "ratings.csv") in lines
    assert "Manhattan, 4 players" in result.stdout
    assert MARKUP in result.stdout
    assert re.search(r"heuristic +\+\d+ +\+\d+ \.\. open", result.stdout)


def test_the_command_prints_json(database: Path, found: Report, tmp_path: Path) -> None:
    database.with_suffix(".html").unlink(missing_ok=True)
    result = run("report", database, "--json", "--replicates", 60)
    data = json.loads(result.stdout)
    assert set(data) == {"database", OVERALL, *TABLES}
    assert len(data["pairs"]) == len(found.tables()["pairs"])
    ours = found.tables()["ratings"][0]
    assert data["ratings"][0]["rating"] == ours["rating"]
    assert [row["high"] for row in data["ratings"] if row["event"] == 1 and row["agent"] == "heuristic"] == [None]
    assert not database.with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nothing.db"], "nothing.db: there is no such database"),
        (["{database}", "--anchor", "nobody"], "the anchor 'nobody' played in no event; agents that did: random,"),
        (["{database}", "--json", "--out", "a.html"], "--json writes no page"),
        (["{database}", "--replicates", "3"], "Invalid value for '--replicates'"),
        (["{page}"], "is not the database of a tournament"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: list[str], says: str, database: Path, tmp_path: Path) -> None:
    text = tmp_path / "page.html"
    text.write_text("<html></html>" * 100)
    result = run("report", *(part.format(database=database, page=text) for part in arguments))
    assert result.exit_code != 0
    assert says in result.stderr
    assert result.stderr.startswith("skyline: ")
    assert len(result.stderr.splitlines()) == 1


def test_the_help_shows_examples() -> None:
    text = " ".join(run("report", "--help").stdout.split())
    assert "skyline report results.db --out ladder.html --csv tables" in text


def test_a_game_of_two_words_has_a_heading() -> None:
    assert [report.title(game) for game in ("manhattan", "fifth_avenue")] == ["Manhattan", "Fifth Avenue"]
