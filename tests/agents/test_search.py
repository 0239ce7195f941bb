"""The search agents: budgets and names, trees that add up, what they may see, and endings with a known best move."""

from __future__ import annotations

import importlib
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from skyline import registry
from skyline.cli.main import app
from skyline.game import Game
from skyline.record import Recorder, state_of
from skyline.rng import streams
from skyline_agents import names
from skyline_agents.play import play
from skyline_agents.players.search import forest, horizon, tree
from skyline_agents.players.search.kernels import descent
from skyline_agents.players.search.kernels.layout import NONE, ROOT
from skyline_agents.players.search.kernels.simulate import LOOK_EVERY
from skyline_agents.players.search.players import FlatMonteCarlo, Ismcts, best_action
from skyline_agents.players.search.settings import budget
from skyline_agents.players.search.tree import RootStatistics
from skyline_agents.protocol import View, views_of
from tests.support.playing import FEW, GAME, MOST, TABLES, others_slow
from tests.support.processes import TOY
from tests.support.rule_cases import Core
from tests.support.searching import after, begun, move, view_at, view_in


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """The toy game, in this process."""
    sys.path.insert(0, str(TOY.parent))
    yield importlib.import_module("toy_env.game").GAME
    sys.path.remove(str(TOY.parent))


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


# ---------------------------------------------------------------- a tree adds up


def shape(arrays: Any, node: int) -> Any:
    """The tree below a node as nested lists."""
    nodes, edges, worth = arrays.nodes, arrays.edges, arrays.worth
    below = []
    number = int(nodes["first_edge"][node])
    while number != NONE:
        edge, children, child = edges[number], [], int(edges["first_node"][number])
        while child != NONE:
            children.append(shape(arrays, child))
            child = int(nodes["sibling"][child])
        counts = [int(edge[name]) for name in ("action", "visits", "available", "kinds")]
        below.append([*counts, worth[number].tolist(), children])
        number = int(edge["sibling"])
    return [int(nodes["key"][node]), int(nodes["visits"][node]), below]


def check_node(node: Any, simulations: int) -> int:
    """Check the counts below a node; how many nodes there are."""
    _, visits, edges = node
    assert visits <= simulations
    assert len({edge[0] for edge in edges}) == len(edges), "an action has two edges"
    total = 0
    for _, taken, available, kinds, worth, children in edges:
        assert 1 <= taken <= available <= visits
        assert kinds == len(children)
        assert np.abs(worth).max() <= taken + 1e-9
        total += sum(check_node(child, taken) for child in children)
        assert sum(child[1] for child in children) < taken  # the first visit stops at the edge
    assert sum(edge[1] for edge in edges) <= visits
    return 1 + total


@pytest.mark.parametrize(("name", "players"), others_slow(TABLES))
def test_the_counts_of_a_tree_add_up(name: str, players: int) -> None:
    view = view_in(name, players, 9)
    agent = begun("ismcts:300,reuse=no,stop=budget", view)
    visits, values = agent.search(view)
    (one,) = agent._forest.trees
    root = shape(one.arrays, ROOT)
    assert root[1] == visits.sum() == 300
    assert set(np.flatnonzero(visits)) <= set(view.legal())
    assert (np.abs(values) <= visits + 1e-9).all()
    assert check_node(root, 300) == one.arrays.counters["nodes"][0]
    assert one.arrays.counters["simulations"][0] == 300


def test_widening_limits_the_actions_that_are_tried() -> None:
    view = view_in(GAME, FEW, 9)
    few = begun("ismcts:100,widen=0.5,reuse=no", view)
    visits, _ = few.search(view)
    assert 1 <= (visits > 0).sum() <= 5
    many, _ = begun("ismcts:2000,widen=0,reuse=no", view).search(view)
    assert (many > 0).sum() == len(view.legal())
    first = int(np.flatnonzero(begun("ismcts:1,reuse=no", view).search(view)[0])[0])
    copies = view.determinized(1, 1)
    assert first in tried_first(view, copies), "the heuristic's action is tried first"


def tried_first(view: View, copies: Any) -> set[int]:
    """What the heuristic may play here (it breaks ties by chance)."""
    heuristic = names.make("heuristic")
    heuristic.begin(view.game, view.players, view.options, 0)
    found = set()
    for seed in range(200):
        view.stream[:] = streams(1, seed)
        found.add(heuristic.act(view))
    return found


@pytest.mark.parametrize(("name", "players"), others_slow(TABLES))
def test_a_search_stops_when_its_move_is_decided_and_not_before(name: str, players: int) -> None:
    saved = 0
    for moves in (3, 20, 40, 60):
        view = view_in(name, players, moves, seed=moves)
        early, whole = (begun(f"ismcts:400,reuse=no,stop={word}", view) for word in ("decided", "budget"))
        visits, values = early.search(view)
        first, second = sorted(visits)[:-3:-1]
        left = 400 - visits.sum()
        assert left == 0 or first - second > left > 0
        if left:
            assert first - second <= left + 2 * LOOK_EVERY, "it could have stopped before"
        legal = view.legal()
        assert best_action(legal, RootStatistics(visits, values)) == best_action(legal, whole.search(view))
        saved += left
    assert saved > 0


def test_several_trees_are_searched_to_the_end() -> None:
    visits, _ = begun("ismcts:400,roots=4,reuse=no", view_in(GAME, FEW, 9)).search(view_in(GAME, FEW, 9))
    assert visits.sum() == 400


def test_a_kept_subtree_is_a_copy() -> None:
    view = view_in(GAME, FEW, 9)
    agent = begun("ismcts:500,widen=0.7,reuse=no", view)
    agent.search(view)
    arrays = agent._forest.trees[0].arrays
    used = int(arrays.counters["nodes"][0])
    assert used > 50
    for start in (ROOT, used // 3, used - 1):
        target = tree.new_arrays(1024, FEW)
        tree.search_kernels(view.game).graft(arrays, start, target)
        assert shape(target, ROOT) == shape(arrays, start)


def test_the_part_of_the_tree_that_was_reached_is_kept() -> None:
    recorder = Recorder(GAME, FEW, seed=2)
    kept, fresh = (begun(f"ismcts:400,widen=0.5,stop=budget,reuse={word}", view_of(recorder)) for word in ("yes", "no"))
    found = 0
    for _ in range(24):
        view = view_of(recorder)
        for agent in (kept, fresh):
            agent.search(view)
        visits = kept._forest.trees[0].arrays.nodes["visits"][ROOT]
        assert fresh._forest.trees[0].arrays.nodes["visits"][ROOT] == 400
        assert visits >= 400
        found += visits > 400
        recorder.play(kept.act(view))
    assert found > 3


def view_of(recorder: Recorder) -> View:
    return views_of(recorder.game, recorder.state.copy(), recorder.mask.copy(), streams(1, 3), recorder.options)[0]


def test_a_tree_that_is_full_is_still_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "FIRST_ROOM", 16)
    monkeypatch.setattr(tree, "MOST_ROOM", 16)
    view = view_in(GAME, FEW, 9)
    agent = begun("ismcts:300,reuse=no,stop=budget", view)
    visits, _ = agent.search(view)
    arrays = agent._forest.trees[0].arrays
    assert visits.sum() == 300
    counters = arrays.counters[0]
    assert max(counters["nodes"], counters["edges"]) == len(arrays.nodes) == len(arrays.edges) == 16


def test_a_cut_ends_simulations_at_a_change_of_the_scores() -> None:
    """Two players of Manhattan, the last turn of the first of six rounds."""
    view = view_in("manhattan", 2, 19)
    seen = {}
    for cut in ("1", "2", "end"):
        agent = begun(f"ismcts:300,cut={cut},reuse=no", view)
        agent.search(view)
        counters = agent._forest.trees[0].arrays.counters[0]
        seen[cut] = int(counters["nodes"]), float(np.sqrt(counters["squares"] / counters["differences"]))
    assert seen["1"][0] == 1, "the move ends the round"
    assert seen["2"][0] > 1
    core = Core(view.game, view._row.copy())
    differences = [after(core, text).scores for text in core.texts()]
    assert seen["1"][1] <= max(abs(a - b) for a, b in differences)
    assert seen["1"][1] < seen["2"][1] < seen["end"][1]


def points(kind: str) -> tuple[Any, Any]:
    """Scores of made-up games of 100 decisions, two seats: points every ten decisions, by lasting strength or by
    chance, with chance alone early ones the largest; and more at the end."""
    rng = np.random.default_rng(3)
    scores, rates = np.zeros((64, 101, 2)), rng.normal(0, 1, (64, 2))
    for decision in range(1, 101):
        steady = 10 * rates + rng.normal(0, 1, (64, 2))
        chance = rng.normal(0, 1, (64, 2)) * (0.5 ** (decision / 20) if kind == "early" else 1)
        gained = steady if kind == "steady" else chance
        scores[:, decision] = scores[:, decision - 1] + (gained if decision % 10 == 0 else 0)
    if kind == "late":
        scores[:, 100] += 100 * rates
    return scores, np.full(64, 100)


@pytest.mark.parametrize(("kind", "cut"), [("steady", 5), ("early", -1), ("late", -1)])
def test_the_cut_is_found_out(kind: str, cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short where the same points come again and again; whole games where the points up to the cut tell nothing of
    those after it, though they are most of all, and where the last decision brings most."""
    monkeypatch.setattr(horizon, "played_scores", lambda *_: points(kind))
    horizon._auto_cut.cache_clear()
    agent = begun("ismcts:1", view_in(GAME, FEW, 3))
    assert agent._forest.settings.cut == cut
    assert begun("ismcts:1,cut=7", view_in(GAME, FEW, 3))._forest.settings.cut == 7
    horizon._auto_cut.cache_clear()


def test_options_that_are_objects_and_lists_find_their_cut_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever order an object's fields come, the games are played once."""
    asked: list[Any] = []

    def played_scores(game: Game, players: int, options: dict[str, Any]) -> Any:
        asked.append(options)
        return np.zeros((4, 100, players)), np.full(4, 99)

    monkeypatch.setattr(horizon, "played_scores", played_scores)
    horizon._auto_cut.cache_clear()
    for options in ({"rings": {"a": [1, 2], "b": 3}, "x": 1}, {"x": 1, "rings": {"b": 3, "a": [1, 2]}}):
        horizon.auto_cut(registry.load(GAME), FEW, options)
    horizon._auto_cut.cache_clear()
    assert asked == [{"rings": {"a": [1, 2], "b": 3}, "x": 1}]


def test_games_to_find_the_cut_from_are_whole_games_of_the_heuristic() -> None:
    game = registry.load(GAME)
    scores, lengths = horizon.played_scores(game, FEW, game.check_options(None))
    assert scores.shape == (horizon.GAMES, lengths.max() + 1, FEW)
    assert not scores[:, 0].any()
    played = play(GAME, "heuristic", 200, players=FEW, seed=1)
    mean = played.column("scores").mean()
    assert abs(scores[:, -1].mean() - mean) < 5 * played.column("scores").std() / np.sqrt(horizon.GAMES)
    assert horizon._end(np.array([0, 0, 1, 0, 1]), 1, 5) == 3
    assert horizon._end(np.array([0, 0, 1, 0, 1]), 4, 5) == 5
    assert horizon._end(np.array([0, 0, 1, 0, 0]), 4, 5) == 5


def test_an_edge_that_chance_leads_to_many_places_gets_a_node_for_the_rest(toy: Game) -> None:
    arrays, s = tree.new_arrays(64, 2), toy.blank(2)[0]
    descent.new_node(arrays, np.uint64(1))
    number = descent.new_edge(arrays, ROOT, 0)
    found = []
    for visits in range(1, 40):
        arrays.edges["visits"][number] = visits
        found.append(descent.node_after(arrays, number, s, np.uint64(1000 + visits)))
    kinds = int(arrays.edges["kinds"][number])
    assert kinds == len(set(found))
    assert 3 <= kinds <= 6
    common = max(set(found), key=found.count)
    assert found.count(common) == 40 - kinds
    assert descent.node_after(arrays, number, s, np.uint64(1001)) == found[0]


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
    assert 0.19 < time.perf_counter() - before < 2  # a busy machine may take longer, never shorter


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
