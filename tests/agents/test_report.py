"""The report: its tables against the games, its page and files, the command."""

from __future__ import annotations

import csv
import json
import re
import sys
import tomllib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from skyline import registry
from skyline.cli.main import app
from skyline.files import write_text
from skyline_agents.cli.tournament import _standings
from skyline_agents.database import store
from skyline_agents.report import charts
from skyline_agents.report import files as report_files
from skyline_agents.report import tables as report
from skyline_agents.report.files import as_json
from skyline_agents.report.overall import overall_rows
from skyline_agents.report.page import page
from skyline_agents.report.reasons import kind_of
from skyline_agents.report.tables import OVERALL, TABLES, Report, read
from tests.docs.test_docs import ROOT, python_blocks
from tests.support.processes import declare
from tests.support.tournaments import event, line_ups, played, sample, write

MARKUP = "<b>my_file:MyAgent</b>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("tournament") / "results.db")


@pytest.fixture(scope="module")
def found(database: Path) -> Report:
    return read(database, replicates=60)


@pytest.fixture(scope="module")
def html(found: Report) -> str:
    return page(found)


@pytest.fixture(autouse=True)
def command(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command as pyproject.toml declares it, whenever this checkout was installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("declared")
    declare(folder, "skyline.commands", {"report": project["entry-points"]["skyline.commands"]["report"]})
    monkeypatch.syspath_prepend(str(folder))


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)])


# ---------------------------------------------------------------- tables


def test_the_tables_are_those_of_the_games(found: Report, database: Path) -> None:
    games = store.games(database, store.events(database)[0])
    rows = {row["agent"]: row for row in found.sections[0].agent_rows()}
    for number, name in enumerate(games.names):
        own = games.agents == number
        row = rows[name]
        assert row["games"] == own.sum()
        assert row["mean_score"] == pytest.approx(games.scores[own & (games.forfeits < 0)[:, np.newaxis]].mean())
        assert row["mean_place"] == pytest.approx(games.places[own].mean())
    shares = sum(row["first_share"] * row["games"] for row in rows.values())
    assert shares == pytest.approx(len(games))
    assert rows["random"]["rating"] == 0
    assert rows[MARKUP]["seconds_a_move"] == pytest.approx(0.02)
    assert rows[MARKUP]["slowest_move"] == pytest.approx(0.1)
    assert np.isnan(rows["heuristic"]["seconds_a_move"])


def test_every_game_is_in_every_table_once(found: Report) -> None:
    for section in found.sections:
        n, P = section.agents.shape
        scored = int((section.games.forfeits < 0).sum())
        tables = section.tables()
        assert tuple(tables) == TABLES
        assert sum(row["games"] for row in tables["ratings"]) == n * P
        assert sum(row["games"] for row in tables["scores"]) == scored * P
        assert sum(row["games"] for row in tables["lengths"]) == scored
        assert sum(row["meetings"] for row in tables["pairs"]) == n * P * (P - 1)
        assert sum(row["first_share"] for row in tables["seats"]) == pytest.approx(1)
        assert sum(row["mean_place"] for row in tables["seats"]) / P >= 1


def test_forfeits_are_counted_by_agent_and_reason(found: Report, database: Path) -> None:
    games = store.games(database, store.events(database)[0])
    n = int((games.forfeits >= 0).sum())
    assert n > 0
    reason = "ValueError: no move & no idea"
    rows = found.sections[0].forfeit_rows()
    assert rows == [{"agent": MARKUP, "reason": reason, "games": n, "example": reason}]
    assert {row["agent"]: row["forfeits"] for row in found.sections[0].agent_rows()}[MARKUP] == n
    assert found.sections[1].forfeit_rows() == []


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("my:Bot, move 17: KeyError: 9 (my.py, line 7)", "KeyError (my.py, line 7)"),
        ("my:Bot, beginning: KeyError: 9 (my.py, line 7)", "beginning: KeyError (my.py, line 7)"),
        ("my:Bot, move 3: KeyError (my.py, line 7)", "KeyError (my.py, line 7)"),
        ("my:Bot, move 3: its answer: 'bid 4 (x)' (action 4) is not legal here; legal: a", "its answer is not legal"),
        ("my:Bot, move 3: its answer: action -1 is outside 0 .. 9; legal: a", "its answer is no action"),
        (
            "my:Bot, move 3: its answer: an action is a whole number 0 .. 9, not 'x'; legal: a",
            "its answer is no whole number",
        ),
        ("my:Bot, move 3: it took 61.2 s, the limit is 60 s", "it took longer than the limit of 60 s"),
        ("my:Bot, move 3: it was stopped at the limit of 60 s", "it was stopped at the limit of 60 s"),
        ("my:Bot, move 3: its process ended (signal 9), twice", "its process ended (signal 9), twice"),
        ("something else", "something else"),
    ],
)
def test_reasons_are_grouped_without_the_move(reason: str, kind: str) -> None:
    assert kind_of("my:Bot", reason) == kind


def test_the_standing_over_all_games_is_the_mean_of_shares(found: Report) -> None:
    rows = found.tables()[OVERALL]
    assert [row["ahead"] for row in rows] == sorted((row["ahead"] for row in rows), reverse=True)
    for row in rows:
        shares = []
        for section in found.sections:
            pairs = [pair for pair in section.pair_rows() if pair["agent"] == row["agent"]]
            if pairs:
                won = sum(pair["before"] + pair["ties"] / 2 for pair in pairs)
                shares.append(won / sum(pair["meetings"] for pair in pairs))
        assert row["ahead"] == pytest.approx(np.mean(shares))  # one game: its events count the same
        assert (row["kinds"], row["events"]) == (1, len(shares))
    assert len({row["events"] for row in rows}) == 2


def test_every_game_counts_the_same_in_the_standing(found: Report) -> None:
    first, second = found.sections
    other = replace(second, event=replace(second.event, game="another_game"))
    shares = {row["agent"]: row["ahead"] for row in overall_rows([first, second, other])}
    alone = [{row["agent"]: row["ahead"] for row in overall_rows([section])} for section in (first, second)]
    for agent in alone[1]:
        assert shares[agent] == pytest.approx(np.mean([np.mean([alone[0][agent], alone[1][agent]]), alone[1][agent]]))


def test_headings_show_options_that_are_no_defaults(found: Report) -> None:
    section = found.sections[0]

    def heading(game: str, **options: Any) -> str:
        return replace(section, event=replace(section.event, game=game, options=options)).title

    assert heading("toy", hand=3) == "Toy, 4 players, hand=3"  # not installed: nothing is known of its defaults
    for name in registry.names():
        game = registry.load(name)
        usual = {option.name: option.default for option in game.options}
        assert heading(name, **usual) == f"{report.title(name)}, 4 players"
        if usual:
            first = next(iter(usual))
            assert heading(name, **usual | {first: "odd"}).endswith(f", 4 players, {first}=odd")


def test_an_event_knows_only_the_agents_that_played_it(found: Report) -> None:
    assert [len(section.names) for section in found.sections] == [4, 2]
    assert [event.players for event in found.empty] == [3]
    assert [section.title for section in found.sections] == ["Manhattan, 4 players", "Manhattan, 2 players"]


def test_the_rows_of_all_events_say_which_event_they_are_of(found: Report) -> None:
    rows = found.tables()["seats"]
    assert [(row["event"], row["players"], row["seat"]) for row in rows] == [
        *((0, 4, seat) for seat in range(4)), (1, 2, 0), (1, 2, 1),
    ]  # fmt: skip


def test_a_tournament_without_games_is_refused(tmp_path: Path) -> None:
    none = np.zeros(0, np.int64)
    first = event(0, 2, ["random", "heuristic"], 10)
    rng = np.random.default_rng(0)
    games = [(first, np.zeros((0, 2), np.int64), none, none, played(rng, np.zeros((0, 2), np.int64), np.zeros(2)))]
    with pytest.raises(ValueError, match=r"new\.db has no finished game to report on"):
        read(write(tmp_path / "new.db", games))


def test_an_anchor_that_is_not_in_an_event_leaves_it_its_own(database: Path) -> None:
    sections = read(database, anchor=MARKUP, replicates=40).sections
    assert [section.ratings.anchor for section in sections] == [MARKUP, "random"]


def test_progress_counts_the_replicates_of_all_events(database: Path) -> None:
    told: list[tuple[int, int]] = []
    read(database, replicates=40, progress=lambda done, whole: told.append((done, whole)))
    assert {whole for _, whole in told} == {80}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[0][0] == 0
    assert told[-1][0] == 80


def test_the_python_of_the_documents_runs(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(database.parent)
    blocks = python_blocks(ROOT / "docs" / "ratings.md")
    assert len(blocks) == 1
    exec(compile(blocks[0], "ratings.md", "exec"), {})


# ---------------------------------------------------------------- the page


class Balanced(HTMLParser):
    """Fails where tags do not close as they opened; keeps texts and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def parsed(html: str) -> Balanced:
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return parser


def test_the_page_needs_nothing_from_outside_and_no_script(html: str) -> None:
    for tag, name, value in parsed(html).attributes:
        assert tag not in ("script", "link", "img", "iframe")
        assert not name.startswith("on")
        if name in ("href", "src", "xlink:href"):
            assert value.startswith("#event-")
    assert not re.search(r"https?:|@import|url\(", html)


def test_names_are_text_and_never_markup(html: str) -> None:
    texts = parsed(html).texts
    assert sum(MARKUP in text for text in texts) >= 4
    assert "<b>" not in html
    assert "ValueError: no move & no idea" in texts


def test_links_lead_to_the_events(html: str) -> None:
    attributes = parsed(html).attributes
    targets = {value for _, name, value in attributes if name == "id"}
    assert {value[1:] for _, name, value in attributes if name == "href"} == {"event-0", "event-1"} <= targets


def test_every_event_has_all_its_plots(html: str) -> None:
    pictures = [ElementTree.fromstring(text) for text in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]
    labels = [picture.get("aria-label") for picture in pictures]
    once = [
        "Ratings with intervals", "Head to head", "Distributions of scores", "Effects of the seats", "Length of games",
    ]  # fmt: skip
    assert labels == once + [label for label in once if label != "Effects of the seats"]


def test_the_page_has_colours_for_light_and_dark(html: str) -> None:
    style = html.partition("<style>")[2].partition("</style>")[0]
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    defined = [set(re.findall(r"(--\w+): #", part)) for part in (light, dark)]
    assert defined[0] == defined[1] >= set(re.findall(r"var\((--\w+)\)", html))


def test_open_intervals_and_unfinished_events_are_said(html: str) -> None:
    texts = parsed(html).texts
    assert any(re.fullmatch(r"\+\d+ to open", text) for text in texts)
    assert any("No effects of seats: no two agents came before each other" in text for text in texts)
    assert any("160 of 320 planned games, 40 deals, 4 agents" in text for text in texts)
    assert any("Manhattan, 3 players: no game is finished" in text for text in texts)


def test_confounded_seats_are_said_in_place_of_a_plot(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    agents, deals, rotations = line_ups(rng, 2, 2, 40)
    agents = np.sort(agents, axis=1)
    games = [
        (
            event(0, 2, ["random", "heuristic"], 80), agents, deals, rotations,
            played(rng, agents, np.array([0.0, 0.3])),
        )
    ]  # fmt: skip
    text = page(read(write(tmp_path / "fixed.db", games), replicates=40))
    assert "agents did not change seats" in text
    assert "Effects of the seats" not in text


# ---------------------------------------------------------------- plots


def numbers(svg: str, element: str, attribute: str) -> list[float]:
    root = ElementTree.fromstring(svg)
    return [float(found.get(attribute, "nan")) for found in root.iter(element)]


def test_a_dot_lies_at_its_value_and_an_open_end_has_an_arrow() -> None:
    inf, nan = float("inf"), float("nan")
    rows = [
        charts.Span("a", 100, 50, 150), charts.Span("b", 50, 0, inf), charts.Span("c", 0, -inf, 0),
        charts.Span("d", nan, nan, nan),
    ]  # fmt: skip
    svg = charts.spans(rows, "x", "t")
    a, b, c = numbers(svg, "circle", "cx")
    assert a - b == pytest.approx(b - c, abs=0.2)
    assert a > b > c
    assert svg.count('class="arrow"') == 2
    assert "no games join it" in svg


def test_bars_are_as_high_as_the_counts_and_wide_ranges_are_binned() -> None:
    svg = charts.histograms([charts.Counts("a", [3, 4, 6], [10, 20, 5], 4.1)], "x", "t")
    heights = numbers(svg, "rect", "height")
    assert heights == pytest.approx([heights[1] / 2, heights[1], heights[1] / 4], abs=0.2)
    wide = charts.histograms([charts.Counts("a", range(-500, 500), [1] * 1000, 0)], "x", "t")
    assert 50 <= len(numbers(wide, "rect", "height")) <= 60
    assert "-500 to -484: 17 (1.7%)" in wide


def test_single_values_and_single_agents_are_plots_too() -> None:
    ElementTree.fromstring(charts.histograms([charts.Counts("a", [0], [1], 0)], "x", "t"))
    ElementTree.fromstring(charts.spans([charts.Span("a", 0, 0, 0)], "x", "t"))
    ElementTree.fromstring(charts.heat(["a"], [[float("nan")]], [[""]], "t"))


def test_the_heat_map_is_blue_above_one_half_and_deeper_further_off() -> None:
    nan = float("nan")
    svg = charts.heat(list("abc"), [[nan, 0.9, 0.6], [0.1, nan, 0.5], [0.4, 0.5, nan]], [[""] * 3] * 3, "t")
    boxes = re.findall(r'<rect class="(\w+)"(?: fill-opacity="([\d.]+)")?', svg)
    assert [kind for kind, _ in boxes] == ["none", "more", "more", "less", "none", "more", "less", "more", "none"]
    assert float(boxes[1][1]) > float(boxes[2][1]) > float(boxes[5][1])


@pytest.mark.parametrize(("low", "high"), [(-3.2, 4.1), (0, 1), (-1200, 1500), (39.5, 121.5), (0, 0.02)])
def test_ticks_are_few_round_numbers_within(low: float, high: float) -> None:
    found = charts.ticks(low, high)
    assert 3 <= len(found) <= 9
    assert low <= found[0]
    assert found[-1] <= high
    assert f"{found[1] - found[0]:.3e}"[:5] in ("1.000", "2.000", "5.000")
    np.testing.assert_allclose(np.diff(found), found[1] - found[0])


def test_a_long_name_is_shortened_and_whole_in_its_tip() -> None:
    name = "ismcts:100000,playout=heuristic,tree=1000000"
    svg = charts.spans([charts.Span(name, 0, -1, 1)], "x", "t")
    label = next(text for text in ElementTree.fromstring(svg).iter("text") if text.get("class") == "label")
    assert "…" in "".join(label.itertext())
    assert label.find("title") is not None
    assert f"<title>{name}</title>" in svg


# ---------------------------------------------------------------- files and command


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


def test_forfeited_games_count_in_places_and_in_nothing_else(tmp_path: Path) -> None:
    """Their scores, lengths and times are absurd here, and nobody sees them."""
    rng, names = np.random.default_rng(2), ["a", "b", "c"]
    agents, deals, rotations = line_ups(rng, 3, 2, 60)
    results = played(rng, agents, np.array([0.0, 0.5, 1.0]), timed=[0, 1, 2])
    lost = np.flatnonzero(deals % 5 == 0)
    results.forfeits[lost], results.scores[lost], results.moves[lost] = 0, 10**6, 10**6
    results.places[lost] = [2, 1]
    results.thinking[lost] = results.slowest[lost] = 10**6
    for row in lost:
        results.reasons[row] = "ValueError: odd"
    made = event(0, 2, names, len(deals))
    (section,) = read(write(tmp_path / "a.db", [(made, agents, deals, rotations, results)])).sections
    whole = deals % 5 != 0
    for row in section.agent_rows():
        k = names.index(row["agent"])
        own, scored = agents == k, (agents == k) & whole[:, np.newaxis]
        assert row["games"] == own.sum()
        assert row["mean_place"] == pytest.approx(results.places[own].mean())
        assert row["scored"] == scored.sum() < own.sum()
        assert row["mean_score"] == pytest.approx(results.scores[scored].mean())
        assert row["score_deviation"] == pytest.approx(results.scores[scored].std())
        assert (row["seconds_a_move"], row["slowest_move"]) == (pytest.approx(0.4 / 20), 0.1)
    assert max(row["score"] for row in section.score_rows()) < 1000
    assert max(row["moves"] for row in section.length_rows()) < 1000
    assert sum(row["games"] for row in section.length_rows()) == whole.sum()
    for row in section.seat_rows():
        assert row["mean_score"] == pytest.approx(results.scores[whole, row["seat"]].mean())
    games = store.games(tmp_path / "a.db", made)
    for standing in _standings(games):
        row = next(row for row in section.agent_rows() if row["agent"] == standing["agent"])
        for name in ("mean_score", "mean_place", "scored", "forfeits"):
            assert standing[name] == pytest.approx(row[name])
        assert standing["move_seconds"] == pytest.approx(0.4 / 20)
    shown = page(Report(tmp_path / "a.db", [section], [], [], 40, 0))
    assert f"without {len(lost)} games that were forfeited" in shown


def test_a_tournament_of_forfeited_games_alone_has_a_report(tmp_path: Path) -> None:
    rng, agents, deals = np.random.default_rng(1), np.array([[0, 1], [1, 0]]), np.zeros(2, np.int64)
    results = played(rng, agents, np.zeros(2))
    results.forfeits[:] = 0
    made = event(0, 2, ["a", "b"], 2)
    path = write(tmp_path / "a.db", [(made, agents, deals, np.arange(2), results)])
    found = read(path)
    assert "there are no scores" in page(found)
    assert "there are no lengths" in page(found)
    assert json.loads(as_json(found))["ratings"][0]["mean_score"] is None
    assert [row["mean_score"] for row in _standings(store.games(path, made))] == [None, None]
