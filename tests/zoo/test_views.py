"""A view shows what the true state shows to the seat, and no other secret can be reached from the view."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline.core import engine
from skyline.game import NO_SEAT
from skyline.record import History, Recorder
from skyline.rng import STREAM, streams
from skyline_agents.match import arena, asking
from skyline_agents.match.histories import MatchHistories, RowHistory
from skyline_agents.match.matches import Match, Seatings
from skyline_agents.protocol import View, frozen, views_of
from tests.support.playing import FEWEST, TABLES, others_slow
from tests.zoo.crawling import memory, reachable, vandalise

SECRET = 0xB5AD4ECEDA1CE2A9  # a seed that no other number equals by chance


def of_truth(recorder: Recorder, features: str) -> np.ndarray[Any, Any]:
    out = engine.observation_array(recorder.game, int(recorder.state["players"][0]), 1, features)
    seats = recorder.state["seat"].astype(np.int64)
    engine.kernels(recorder.game).observe_some(recorder.state, np.zeros(1, np.int64), seats, out, engine.NO_SCALES)
    return np.asarray(out[0])


@pytest.mark.parametrize(("name", "players"), others_slow(TABLES))
def test_a_view_says_what_the_true_state_says(name: str, players: int) -> None:
    for seed in range(3):
        recorder, rng, number = Recorder(name, players, seed=SECRET - seed), np.random.default_rng(seed), 0
        while recorder.seat is not None:
            if number % 7 == seed:
                check_shown(recorder)
            recorder.play(int(rng.choice(recorder.legal())))
            number += 1


def check_shown(recorder: Recorder) -> None:
    """Check that observation, mask, texts and deals of a view are those of the true state."""
    truth, seat, game = recorder.state.copy(), recorder.seat, recorder.game
    (view,) = views_of(game, recorder.state.copy(), recorder.mask.copy(), streams(1, 1), frozen(recorder.options))
    assert view.seat == seat
    for features in ("base", "rich"):
        np.testing.assert_array_equal(view.observe(features), of_truth(recorder, features))
    mask = engine.mask_array(game, view.players)
    engine.kernels(game).fill_masks(view._row, mask)
    np.testing.assert_array_equal(mask, recorder.mask)
    assert view.legal() == recorder.legal()
    assert view.move_texts() == recorder.legal_texts()
    assert view.text() == str(game.text(truth[0], seat, None))
    assert view.knowledge() == game.knowledge(truth[0], seat)
    assert not view._row["deal"].any()
    assert view._row["rng"][0] != truth["rng"][0]
    copies = np.repeat(truth, 3)
    engine.kernels(game).determinize_rows(copies, np.full(3, seat), streams(3, 5))
    assert copies.tobytes() == view.determinized(3, 5).tobytes(), "a deal depends on what the seat sees alone"
    assert recorder.state.tobytes() == truth.tobytes()


# ---------------------------------------------------------------- crawling


class Crawler:
    """Keeps its arguments, and calls a function of the test with its third view."""

    def __init__(self, look: Any) -> None:
        self.look, self.given, self.asked = look, [], 0

    def begin(self, *given: Any) -> None:
        self.given.append(given)

    def act(self, view: View) -> int:
        self.asked += 1
        answer = view.legal()[0]
        if self.asked == 3:
            self.look(view, self.given)
        return answer


class Together(Crawler):
    def act_many(self, views: list[View]) -> list[int]:
        self.asked += 1
        answers = [view.legal()[0] for view in views]
        if self.asked == 3:
            self.look(views, self.given)
        return answers


def tables_with(name: str, players: int, agent: Any) -> arena.Tables:
    """Four games, the agent at seat 0 and 1 among bots that choose in many games at once."""
    game = registry.load(name)
    others = [Together(None) for _ in range(players - 1)]
    for other in others:
        other.asked = 10**6
    seats = [[0, *range(1, players)], [1, 0, *range(2, players)]] * 2
    match = Match(
        game, players, game.check_options(None), ["looker", *["x"] * (players - 1)], [agent, *others], forfeits=True
    )
    seeds = np.uint64(SECRET) - np.arange(4).astype(np.uint64)
    return arena.Tables(match, Seatings(seeds, np.array(seats), np.arange(4)), np.arange(4))


def play_until_looked(tables: arena.Tables, agent: Crawler) -> None:
    asking.begin_agents(tables)
    while agent.asked < 3:
        rows = tables.running()
        movers = tables.seatings.agents[rows, tables.states["seat"][rows]]
        chosen = asking.actions(tables, rows, movers)
        going_on = tables.states["seat"][rows] != NO_SEAT
        tables.moves[rows[going_on]] += 1
        tables.advance(rows[going_on], chosen[going_on])


@pytest.mark.parametrize("kind", [Crawler, Together])
@pytest.mark.parametrize(("name", "players"), others_slow(FEWEST))
def test_no_secret_can_be_reached(name: str, players: int, kind: Any) -> None:
    found: list[str] = []

    def look(view: Any, given: Any) -> None:
        views = view if isinstance(view, list) else [view]
        told = [(one.history(), one.since_last(), one.knowledge(), one.forgetful()) for one in views]
        assert all(len(history) > 1 for history, *_ in told)
        things = reachable(view, given, told)
        assert not any(isinstance(thing, (History, MatchHistories, RowHistory)) for thing in things)
        held = memory(things)
        assert len(held) > 20
        for secret, what in secrets(tables):
            found.extend(what for part in held if secret in part)

    tables = tables_with(name, players, agent := kind(look))
    play_until_looked(tables, agent)
    assert tables.reasons == [None] * 4
    assert not found


def secrets(tables: arena.Tables) -> list[tuple[bytes, str]]:
    """The secrets of a match: seeds, random words, streams of seats, whole states, and fields with hidden cards."""
    found = [(int(seed).to_bytes(8, "little"), "the seed") for seed in tables.seatings.seeds]
    found += [(int(word).to_bytes(8, "little"), "the random word") for word in tables.states["rng"]]
    found += [(row.tobytes(), "the state") for row in tables.states]
    dealt = tables.states.copy()
    seats = tables.states["seat"].astype(np.int64)
    tables._kernels.determinize_rows(dealt, seats, np.zeros(len(dealt), STREAM))
    for r in range(len(dealt)):
        for field in dealt.dtype.names or ():
            true = tables.states[field][r : r + 1].tobytes()
            if true != dealt[field][r : r + 1].tobytes() and len(true) >= 24:
                found.append((true, f"the field {field}"))
    return found


@pytest.mark.parametrize("kind", [Crawler, Together])
@pytest.mark.parametrize(("name", "players"), others_slow(FEWEST))
def test_writing_to_all_that_can_be_reached_changes_nothing(name: str, players: int, kind: Any) -> None:
    count: list[int] = []

    def look(view: Any, given: Any) -> None:
        before = picture(tables)
        count.append(vandalise(reachable(view, given)))
        tables.field_names.put_right()
        assert picture(tables) == before
        assert repr(tables.match.game.state) == description

    description = repr(registry.load(name).state)
    tables = tables_with(name, players, agent := kind(look))
    options = dict(tables.match.options)
    play_until_looked(tables, agent)
    assert count[0] > 3
    lost = [reason for reason in tables.reasons if reason is not None]
    assert all(reason.startswith("looker, move ") for reason in lost), "another agent lost a game"
    assert len(lost) < len(tables.reasons)
    assert tables.match.options == options
    assert tables.match.game.check_options(None) == options


def picture(tables: arena.Tables) -> list[bytes]:
    return [array.tobytes() for array in (tables.states, tables.mask, tables.streams, tables.seatings.seeds)]


def test_options_are_copies_that_cannot_be_written_to() -> None:
    own: dict[str, Any] = {"rings": {"north": ["red", "blue"]}, "board": 5}
    seen = frozen(own)
    assert seen == {"rings": {"north": ("red", "blue")}, "board": 5}
    with pytest.raises(TypeError):
        seen["board"] = 6
    with pytest.raises(TypeError):
        seen["rings"]["north"] = ()
    own["rings"]["north"].append("green")
    assert seen["rings"]["north"] == ("red", "blue")


def test_the_crawler_finds_what_is_there() -> None:
    """The crawler finds the secrets in a view that holds the true state, or a history."""
    recorder = Recorder("manhattan", 2, seed=SECRET)
    view = View(recorder.game, 0, recorder.state, recorder.mask, streams(1, 1), recorder.options)
    held = memory(reachable(view))
    assert any(recorder.state.tobytes() in part for part in held)
    assert any(SECRET.to_bytes(8, "little") in part for part in held)
    assert any(SECRET.to_bytes(8, "little") in part for part in memory(reachable({"a": [np.uint64(SECRET)]})))
    history = History.dealt(recorder.game, SECRET, 2)
    view = View(recorder.game, 0, recorder.state, recorder.mask, streams(1, 1), recorder.options, [history])
    assert any(isinstance(thing, History) for thing in reachable(view))
    gc.collect()
