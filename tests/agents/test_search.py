"""The search agents: budgets and names, seeds and threads, what they may see, and endings with a known best move."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from skyline.cli.main import app
from skyline.game import Game
from skyline.record import state_of
from skyline_agents import names
from skyline_agents.players.search import forest
from skyline_agents.players.search.players import FlatMonteCarlo, Ismcts
from skyline_agents.players.search.settings import budget
from skyline_agents.protocol import View
from tests.support.playing import FEW, GAME, MOST, TABLES, others_slow
from tests.support.searching import begun, move, view_at, view_in

# ---------------------------------------------------------------- names and settings


def test_budgets_are_simulations_or_times() -> None:
    assert (budget("1000").simulations, budget("1000").seconds) == (1000, None)
    assert [budget(text).seconds for text in ("2s", "0.1s", ".5s", "100ms")] == [2, 0.1, 0.5, 0.1]
    assert budget("2s").simulations is None


def test_the_agents_are_found_by_name() -> None:
    assert {"ismcts", "flat"} <= set(names.names())
    agent = names.make("ismcts:70,playout=random,cut=end,backup=paranoid,threads=3")
    assert isinstance(agent, Ismcts)
    assert (agent.budget.simulations, agent.threads, agent.roots) == (70, 3, 8)
    assert isinstance(names.make("flat:200"), FlatMonteCarlo)


def test_flat_has_an_older_name_that_is_not_listed() -> None:
    assert isinstance(names.make("mc:200"), FlatMonteCarlo)
    assert "mc" not in names.names()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "ismcts:fast",
            r"number of simulations 1 .. 1000000000 \(1000\) or a time \(2s, 100ms\) of at most 86400 s, not 'fast'",
        ),
        ("ismcts:0", "number of simulations 1"),
        ("ismcts:0s", "or a time"),
        ("ismcts:2.5", "number of simulations"),
        ("flat:-3", "number of simulations"),
        ("ismcts:10,playout=clever", "playout is one of random, heuristic, not 'clever'"),
        ("ismcts:10,backup=minimax", "backup is one of maxn, paranoid, not 'minimax'"),
        ("ismcts:10,prior=yes", "prior is one of none, heuristic"),
        ("ismcts:10,cut=0", "cut is a number of decisions 1 .. 1000000, auto or end, not '0'"),
        ("flat:10,cut=never", "cut is a number of decisions"),
        ("ismcts:10,explore=x", "explore is a number 0 .. 100, not 'x'"),
        ("ismcts:10,widen=-1", "widen is a number 0 .. 1000"),
        ("ismcts:10,margin=nan", "margin is a number 0 .. 1"),
        ("ismcts:10,reuse=maybe", "reuse is one of yes, no"),
        ("ismcts:10,threads=1.5", "threads is a whole number 1 .. 256"),
        ("ismcts:10,roots=0", "roots is a number 1 .. 256"),
        ("ismcts:10,depth=3", "its settings are value, playout, cut, backup"),
        ("flat:10,backup=maxn", "its settings are value, playout, cut, margin"),
    ],
)
def test_wrong_settings_say_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        names.make(text)


def test_the_command_line_plays_it() -> None:
    said = CliRunner().invoke(app, ["play", GAME, "-p", str(FEW), "-a", "ismcts:20,flat:20", "-n", "2", "--rotate"])
    assert said.exit_code == 0, said.output
    assert "ismcts:20" in said.output
    assert "2 games" in said.output


# ---------------------------------------------------------------- seeds, threads, time


@pytest.mark.parametrize("text", ["ismcts:200", "ismcts:200,playout=random,prior=none,backup=paranoid", "flat:200"])
def test_the_seed_decides(text: str) -> None:
    view = view_in(GAME, FEW, 9)

    def found(seed: int) -> bytes:
        result = begun(text, view, seed).search(view)
        return b"".join(part.tobytes() for part in (result if isinstance(result, tuple) else (result,)))

    assert found(5) == found(5)
    assert found(5) != found(6)


def test_the_number_of_threads_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_in(GAME, FEW, 9)
    searches = [
        begun(f"ismcts:331,{more}", view).search(view)
        for more in ("threads=2", "threads=3", "threads=8", "threads=1,roots=8", "threads=1,stop=budget")
    ]
    for visits, values in searches[1:4]:
        np.testing.assert_array_equal(visits, searches[0][0])
        np.testing.assert_array_equal(values, searches[0][1])
    assert (searches[4][0] != searches[0][0]).any()
    assert [visits.sum() for visits, _ in searches] == [331] * 5


def test_the_chunks_of_a_search_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does what is left of the budget, or what the next searches keep of the tree."""
    view, found = view_in(GAME, FEW, 9), []
    for seconds in (10.0, 1e-6):
        monkeypatch.setattr(forest, "CHUNK_SECONDS", seconds)
        agent = begun("ismcts:500", view)
        found.append([agent.search(view) for _ in range(3)])
    np.testing.assert_array_equal(found[0], found[1])
    assert found[0][0][0].sum() < 500, "stopped by a decided move"


@pytest.mark.parametrize("text", ["ismcts:200ms", "ismcts:200ms,threads=2", "flat:200ms"])
def test_a_time_is_kept(text: str) -> None:
    view = view_in(GAME, FEW, 9)
    agent = begun(text, view)
    before = time.perf_counter()
    agent.act(view)
    assert 0.19 < time.perf_counter() - before < 60  # a busy machine may take longer, but never less time


def test_a_single_legal_move_is_not_searched(toy: Game) -> None:
    states = state_of(toy, {**ENDING, "kept": [0, 1]}, options={"hand": 3})
    view = view_at(toy, states)
    agent = begun("ismcts:100000000", view)
    assert view.move_text(agent.act(view)) == "keep"


# ---------------------------------------------------------------- what they may see


class Public:
    """A view with nothing but its public members; its copies are given."""

    def __init__(self, view: View, copies: Callable[..., Any]) -> None:
        self._view, self.determinized = view, copies

    def __getattr__(self, name: str) -> Any:
        assert not name.startswith("_"), f"the agent reads {name}"
        return getattr(self._view, name)


@pytest.mark.parametrize("text", ["ismcts:100", "flat:100"])
@pytest.mark.parametrize(("name", "players"), others_slow(MOST))
def test_only_the_view_is_used(name: str, players: int, text: str) -> None:
    view = view_in(name, players, 9)
    other = view_at(view.game, view.determinized(1, seed=77), view.options)
    agent = names.make(text)
    agent.begin(view.game, players, view.options, 5)
    assert agent.act(Public(other, view.determinized)) == begun(text, view).act(view)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["ismcts:60", "flat:60"])
@pytest.mark.parametrize(("name", "players"), others_slow(TABLES))
def test_true_states_that_look_alike_get_the_same_move(name: str, players: int, text: str) -> None:
    for moves in (2, 25, 61):
        view = view_in(name, players, moves, seed=moves)
        found = begun(text, view).search(view)
        for seed in (1, 2):
            states = view.determinized(1, seed=seed)
            assert states.tobytes() != view._row.tobytes()
            twin = view_at(view.game, states, view.options)
            np.testing.assert_array_equal(begun(text, twin).search(twin), found)


# ---------------------------------------------------------------- endings: the toy game, odds computed by hand

# Seat 1 has the last turn of the game. What it cannot see: seat 0's three cards and the deck.
ENDING = {
    "players": 2, "start": 0, "turn": 7, "kept": [0, 0], "shuffles": 0, "scores": [0, 0],
    "hands": [[1, 2, 4], [4, 5, 6]], "deck": [1, 2, 3, 3, 5, 9], "discards": [6, 7, 7, 8, 8, 9],
}  # fmt: skip
UNSEEN = [1, 2, 4, 1, 2, 3, 3, 5, 9]


def odds(hand: list[int], unseen: list[int]) -> dict[str, float]:
    """The expected outcome of every move: over all hands of the other seat and all cards that may be drawn."""
    totals: dict[str, list[float]] = {}
    for other in itertools.combinations(range(len(unseen)), 3):
        theirs = sum(unseen[i] for i in other)
        totals.setdefault("keep", []).append(float(np.sign(sum(hand) - theirs)))
        for laid in set(hand):
            for drawn in set(range(len(unseen))) - set(other):
                own = sum(hand) - laid + unseen[drawn]
                totals.setdefault(f"swap {laid}", []).append(float(np.sign(own - theirs)))
    return {text: float(np.mean(outcomes)) for text, outcomes in totals.items()}


def toy_view(toy: Game, **changes: Any) -> View:
    return view_at(toy, state_of(toy, {**ENDING, **changes}, options={"hand": 3}), {"hand": 3})


def test_the_values_of_the_last_decision_are_the_true_odds(toy: Game) -> None:
    view, expected = toy_view(toy), odds([4, 5, 6], UNSEEN)
    assert sorted(expected) == sorted(view.move_texts())
    visits, values = begun("ismcts:40000,margin=0,explore=20,widen=0", view).search(view)
    totals = begun("flat:16000,margin=0", view).search(view)
    for action in view.legal():
        true = expected[view.move_text(action)]
        assert visits[action] > 2000
        assert abs(values[action] / visits[action] - true) < 5 / np.sqrt(visits[action])
        assert abs(totals[action] / 4000 - true) < 5 / np.sqrt(4000)


@pytest.mark.parametrize("text", ["ismcts:2000", "ismcts:2000,playout=random,prior=none", "flat:4000"])
def test_the_best_odds_are_found_against_the_heuristics_liking(toy: Game, text: str) -> None:
    """Few cards would do better than the own ones: keep, although the baseline player would swap."""
    view, expected = toy_view(toy), odds([4, 5, 6], UNSEEN)
    assert max(expected, key=lambda move: expected[move]) == "keep"
    assert move("heuristic", view) == "swap 4"
    assert move(text, view) == "keep"
    high = toy_view(toy, deck=[6, 7, 7, 8, 9, 9], discards=[1, 1, 2, 3, 3, 8], hands=[[2, 4, 5], [4, 5, 6]])
    expected = odds([4, 5, 6], [2, 4, 5, 6, 7, 7, 8, 9, 9])
    assert max(expected, key=lambda move: expected[move]) == "swap 4"
    assert move(text, high) == "swap 4"
