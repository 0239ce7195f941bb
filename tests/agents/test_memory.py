"""The setting `memory` of matches, and what a view tells of its history."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from skyline.core import engine
from skyline.game import TABLE
from skyline.record import History, Recorder
from skyline.rng import STREAM, streams
from skyline_agents import names, view_tokens
from skyline_agents.match.histories import MatchHistories
from skyline_agents.match.matches import Match
from skyline_agents.play import play
from skyline_agents.protocol import View, observations, views_of
from tests.support.playing import FEW, GAME, MANY, TABLES, others_slow
from tests.support.searching import begun, view_in


def view_of(recorder: Recorder) -> View:
    (view,) = views_of(recorder.game, recorder.state.copy(), recorder.mask.copy(), streams(1, 0), recorder.options)
    return view


def random_moves(recorder: Recorder, number: int, seed: int = 0) -> Recorder:
    rng = np.random.default_rng(seed)
    while number > 0 or (recorder.seat is not None and len(recorder.legal()) < 2):
        if recorder.seat is None:
            break
        recorder.play(int(rng.choice(recorder.legal())))
        number -= 1
    return recorder


def forgotten(recorder: Recorder) -> Recorder:
    """The same position of a game with memory="table"."""
    other = copy.deepcopy(recorder)
    other.state["memory"] = TABLE
    return other


class Historian:
    """Plays by its stream, and notes what its views tell of the history."""

    def __init__(self) -> None:
        self.pieces: dict[int, list[Any]] = {}  # by seed of the agent: what `since_last` told in this game
        self.told: list[tuple[int, list[Any]]] = []
        self.memories: set[str] = set()

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        self.seed = seed
        self.pieces[seed] = []

    def act(self, view: View) -> int:
        return self.act_one(view, self.pieces[self.seed])

    def act_one(self, view: View, pieces: list[Any]) -> int:
        history, latest = view.history(), view.since_last()
        pieces += latest
        assert pieces == history
        self.told.append((view.seat, history))
        self.memories.add(view.memory)
        view.history().clear()
        history[0]["seen"].append("of the caller's own")
        assert view.history() == pieces[:-1] + pieces[-1:] == pieces
        history[0]["seen"].pop()
        return view.legal()[-1]


class Together(Historian):
    """The same for many games at once; they are told apart by what was seen at their beginning."""

    def act_many(self, views: Sequence[View]) -> list[int]:
        actions = []
        for view in views:
            history, latest = view.history(), view.since_last()
            assert latest == history[-len(latest) :]
            own = [entry for entry in history[1:] if entry["seat"] == view.seat]
            assert latest[0] == (own[-1] if own else history[0])
            self.told.append((view.seat, history))
            actions.append(view.legal()[-1])
        return actions


def by_seed(seed: int, players: int, name: str = GAME) -> Recorder:
    """A game in which every seat plays its last legal action."""
    recorder = Recorder(name, players, seed=seed)
    while recorder.seat is not None:
        recorder.play(recorder.legal()[-1])
    return recorder


# ---------------------------------------------------------------- histories


@pytest.mark.parametrize("kind", [Historian, Together])
@pytest.mark.parametrize(("name", "players"), others_slow(TABLES))
def test_a_view_tells_the_history_as_the_record_tells_it_to_the_seat(name: str, players: int, kind: Any) -> None:
    agents = [kind() for _ in range(players)]
    play(name, agents, 2, players=players, seed=5)
    whole = {seed: by_seed(seed, players, name) for seed in (5, 6)}
    for agent in agents:
        assert agent.told
        for seat, history in agent.told:
            found = [record.history(seat) for record in whole.values()]
            assert any(history == one[: len(history)] for one in found)
            assert history[0]["viewer"] == seat
            assert len(history) == 1 or history[1]["move"]


def test_with_auto_forced_the_pieces_of_all_questions_are_the_history_too() -> None:
    agents = [Historian() for _ in range(FEW)]
    play(GAME, agents, 3, players=FEW, seed=2, auto_forced=True)
    assert all(agent.told for agent in agents)


def test_a_recorded_game_tells_the_same(tmp_path: Any) -> None:
    plain, recorded = Historian(), Historian()
    play(GAME, [plain, "heuristic"], 1, players=2, seed=2)
    play(GAME, [recorded, "heuristic"], 1, players=2, seed=2, record=tmp_path)
    assert plain.told == recorded.told


def test_a_match_whose_agents_never_ask_makes_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    def dealt(*given: Any, **named: Any) -> Any:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(History, "dealt", dealt)

    class First:
        def begin(self, *given: Any) -> None:
            pass

        def act(self, view: View) -> int:
            return view.legal()[0]

    assert len(play(GAME, [First(), "random"], 2, players=2)) == 2
    with pytest.raises(AssertionError, match="nobody asked"):
        play(GAME, [Historian(), "random"], 1, players=2)


def test_a_view_has_no_history_once_its_agent_has_answered() -> None:
    kept: list[View] = []

    class Keeper(Historian):
        def act(self, view: View) -> int:
            for copied in (copy.copy(view), view):
                assert copied.history()
            for earlier in kept:
                for ask in (earlier.history, earlier.since_last):
                    with pytest.raises(ValueError, match="a view is valid until the agent has answered"):
                        ask()
            kept.append(view)
            return view.legal()[0]

    play(GAME, [Keeper(), "random"], 1, players=2, seed=1)
    assert len(kept) > 3
    assert not view_tokens._OPEN


def test_no_history_is_left_behind_when_an_agent_raises() -> None:
    class Raises(Historian):
        def act(self, view: View) -> int:
            view.history()
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        play(GAME, [Raises(), "random"], 1, players=2, seed=1)
    assert not view_tokens._OPEN


def test_a_history_that_was_interrupted_is_told_in_full_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent's time may be up while its history is made; another agent of the table then asks, too."""
    recorder = by_seed(4, FEW)
    moves = [line for line in recorder.lines if "move" in line]
    match = Match(recorder.game, FEW, recorder.options, ["a"] * FEW, [names.make("random")] * FEW)
    histories = MatchHistories(match, np.array([4], np.uint64))
    replayed, rows = Recorder(GAME, FEW, seed=4), np.zeros(1, np.int64)
    for line in moves:
        action = recorder.game.parse_move(replayed.state[0], line["move"])
        histories.note(rows, np.array([action]))
        replayed.play(action)
    real, count = History.add, 0

    def add(self: History, *given: Any) -> None:
        nonlocal count
        count += 1
        if count == 7:
            raise TimeoutError
        real(self, *given)

    monkeypatch.setattr(History, "add", add)
    (history,) = histories.of_seats(rows, rows)
    with pytest.raises(TimeoutError):
        history.entries(False)
    assert history.entries(False) == recorder.history(0)


def test_a_view_outside_of_a_match_begins_with_its_position() -> None:
    recorder = random_moves(Recorder(GAME, FEW, seed=3), 7)
    first, *others = view_of(recorder).history()
    assert others == []
    assert first["position"] is True
    assert (first["players"], first["viewer"]) == (FEW, recorder.seat)
    assert view_of(recorder).since_last() == [first]


# ---------------------------------------------------------------- recall and table


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_view_knows_what_the_seat_knows(name: str, players: int) -> None:
    for seed in range(3):
        recorder = random_moves(Recorder(name, players, seed=seed), 11 * seed + 5, seed)
        if recorder.seat is None:
            continue
        view = view_of(recorder)
        assert view.memory == "recall"
        assert view.knowledge() == recorder.game.knowledge(recorder.state[0], recorder.seat)
        table = view_of(forgotten(recorder))
        assert (table.memory, table.knowledge(), table.history(), table.since_last()) == ("table", {}, [], [])


def past_fields(dtype: np.dtype[Any]) -> list[str]:
    return [name for name in dtype.names or () if name.startswith("memory_")]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_no_past_can_be_read_from_the_view_of_a_table_match(name: str, players: int) -> None:
    """The row is the same, byte for byte, whatever the memory of the true row holds; so a switch back tells nothing."""
    for seed in range(4):
        recorder = forgotten(random_moves(Recorder(name, players, seed=seed), 13 * seed + 4, seed))
        if recorder.seat is None:
            continue
        row, found = view_of(recorder)._row, []
        for other_seed in range(3):
            other = random_moves(Recorder(name, players, seed=50 + other_seed), 20 * other_seed, other_seed)
            false = copy.deepcopy(recorder)
            for field in past_fields(recorder.state.dtype):
                false.state[field] = other.state[field] if other_seed else 0
            found.append(view_of(false)._row.tobytes())
        assert found == [row.tobytes()] * 3
        assert row["memory"][0] == TABLE


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_forgetful_view_is_the_view_of_a_table_match(name: str, players: int) -> None:
    recorder = random_moves(Recorder(name, players, seed=8), 15)
    view, table = view_of(recorder), view_of(forgotten(recorder))
    forgets = view.forgetful()
    assert (forgets.memory, forgets.history(), forgets.knowledge()) == ("table", [], {})
    assert view.memory == "recall"
    assert forgets.legal() == view.legal()
    assert forgets.text() == table.text()
    np.testing.assert_array_equal(forgets.observe("rich"), table.observe("rich"))
    np.testing.assert_array_equal(observations([view], "rich", forgetful=True)[0], table.observe("rich"))
    assert forgets.determinized(3, 5).tobytes() == table.determinized(3, 5).tobytes()


@pytest.mark.ci
@pytest.mark.parametrize("agent", ["ismcts:80", "flat:80"])
@pytest.mark.parametrize(("name", "players"), others_slow(TABLES))
def test_a_search_that_forgets_plays_as_in_a_table_match(name: str, players: int, agent: str) -> None:
    view = view_in(name, players, 12)
    table = copy.copy(view)
    table._row = view._row.copy()
    table._row["memory"] = TABLE
    engine.kernels(view.game).determinize_rows(table._row, np.array([view.seat]), np.zeros(1, STREAM))
    forgets = begun(f"{agent},memory=table", view).search(view)
    np.testing.assert_equal(forgets, begun(agent, table).search(table))
    np.testing.assert_equal(forgets, begun(f"{agent},memory=table", table).search(table))
    begun(agent, view).search(view)


def test_what_a_search_may_remember_is_checked() -> None:
    for text in ("ismcts:10,memory=some", "flat:10,memory="):
        with pytest.raises(ValueError, match="memory is one of recall, table, not "):
            names.make(text)
    assert names.make("mc:10,memory=recall")


def test_the_memory_of_a_match() -> None:
    for memory in ("recall", "table"):
        agent = Looks()
        results = play(GAME, [agent, "random"], 2, players=2, seed=3, memory=memory)  # type: ignore[arg-type]
        assert agent.memories == {memory}
        assert results.memory == results.as_data()["memory"] == memory
        kernel = play(GAME, ["heuristic", "random"], 4, players=MANY, seed=3, memory=memory)  # type: ignore[arg-type]
        assert kernel.as_data()["memory"] == memory
    with pytest.raises(ValueError, match="memory is one of 'recall', 'table', not 'some'"):
        play(GAME, ["random"], memory="some")  # type: ignore[arg-type]


class Looks(Historian):
    def act(self, view: View) -> int:
        self.memories.add(view.memory)
        assert bool(view.history()) == (view.memory == "recall")
        return view.legal()[0]


def test_a_view_can_be_pickled_without_its_past() -> None:
    class Pickles(Historian):
        def act(self, view: View) -> int:
            assert len(pickle.dumps(view.history())) > 10
            return view.legal()[0]

    play(GAME, [Pickles(), "random"], 1, players=2)
