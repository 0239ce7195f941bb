"""The trees of a search: their counts, widening, what is kept of them, and the horizon of playouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline.game import Game
from skyline.record import Recorder
from skyline.rng import streams
from skyline_agents import names
from skyline_agents.play import play
from skyline_agents.players.search import horizon, tree
from skyline_agents.players.search.kernels import descent
from skyline_agents.players.search.kernels.layout import NONE, ROOT
from skyline_agents.players.search.kernels.simulate import LOOK_EVERY
from skyline_agents.players.search.players import best_action
from skyline_agents.players.search.tree import RootStatistics
from skyline_agents.protocol import View, views_of
from tests.support.playing import FEW, GAME, TABLES, others_slow
from tests.support.rule_cases import Core
from tests.support.searching import after, begun, view_in


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
