"""The report's tables against the games."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline_agents.cli.tournament import _standings
from skyline_agents.database import store
from skyline_agents.report import tables as report
from skyline_agents.report.files import as_json
from skyline_agents.report.overall import overall_rows
from skyline_agents.report.page import page
from skyline_agents.report.reasons import kind_of
from skyline_agents.report.tables import OVERALL, TABLES, Report, read
from tests.docs.test_docs import ROOT, python_blocks
from tests.support.made_up_tournaments import event, line_ups, played, write

MARKUP = "<b>my_file:MyAgent</b>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


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
