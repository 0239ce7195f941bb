"""Agents: what they are shown, and that games with them are the same however they are played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline import record, registry
from skyline.chance import seat_streams
from skyline.core import engine
from skyline.game import IllegalMove
from skyline.record import Recorder
from skyline.rng import streams
from skyline_agents import names
from skyline_agents.match import arena
from skyline_agents.play import play, record_name
from skyline_agents.protocol import View, views_of
from skyline_agents.results import Finished, Results
from tests.support.playing import FEW, GAME, MANY, TABLES


class First:
    """Plays the first legal action; counts what it is asked."""

    def __init__(self) -> None:
        self.begun: list[tuple[Any, ...]] = []
        self.asked = 0
        self.single = 0

    def begin(self, game: Any, players: int, options: Any, seed: int) -> None:
        self.begun.append((game.name, players, dict(options), seed))

    def act(self, view: View) -> int:
        self.asked += 1
        self.single += len(view.legal()) == 1
        return view.legal()[0]


class Many(First):
    """Chooses in many games at once, by chance."""

    def __init__(self) -> None:
        super().__init__()
        self.widest = 0

    def act_many(self, views: list[View]) -> list[int]:
        self.widest = max(self.widest, len(views))
        return [view.legal()[int(streams_draw(view) % len(view.legal()))] for view in views]


def streams_draw(view: View) -> int:
    view.stream["rng"] += np.uint64(0x9E3779B97F4A7C15)
    return int(view.stream["rng"][0] >> np.uint64(33))


def same(a: Results, b: Results) -> None:
    for column in ("seeds", "seats", "scores", "places", "moves", "forced"):
        np.testing.assert_array_equal(a.column(column), b.column(column), column)


def view_of(recorder: Recorder, stream: Any | None = None) -> View:
    stream = streams(1, 0) if stream is None else stream
    (view,) = views_of(recorder.game, recorder.state.copy(), recorder.mask.copy(), streams(1, 0), recorder.options)
    view.stream = stream
    return view


def random_moves(recorder: Recorder, number: int, seed: int = 0) -> Recorder:
    rng = np.random.default_rng(seed)
    for _ in range(number):
        if recorder.seat is not None:
            recorder.play(int(rng.choice(recorder.legal())))
    return recorder


# ---------------------------------------------------------------- views


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_view_shows_what_the_environment_shows(name: str, players: int) -> None:
    recorder = random_moves(Recorder(name, players, seed=3), 9)
    view, game = view_of(recorder), recorder.game
    assert view.seat == recorder.seat
    assert view.players == players
    assert view.legal() == recorder.legal()
    assert view.move_texts() == recorder.legal_texts()
    np.testing.assert_array_equal(view.action_mask, recorder.mask[0])
    for features in ("base", "rich"):
        out = engine.observation_array(game, players, 1, features)
        seats = np.array([view.seat])
        engine.kernels(game).observe_some(recorder.state, np.zeros(1, np.int64), seats, out, engine.NO_SCALES)
        np.testing.assert_array_equal(view.observe(features), out[0])
        scaled = (out[0] / game.observation(players).per_value("scale", features)).astype(np.float32)
        np.testing.assert_array_equal(view.observe(features, "float32"), scaled)
    assert view.text() == game.text(recorder.state[0], view.seat, None)


def test_an_illegal_action_has_no_text_in_a_view() -> None:
    view = view_of(Recorder(GAME, FEW, seed=1))
    for action in (-1, int(np.flatnonzero(view.action_mask == 0)[0]), len(view.action_mask)):
        with pytest.raises(ValueError, match="not legal here"):
            view.move_text(action)


def test_changing_what_a_view_hands_out_changes_no_game() -> None:
    recorder = Recorder(GAME, FEW, seed=1)
    before = recorder.state.tobytes(), recorder.mask.tobytes()
    view = view_of(recorder)
    view.action_mask[:] = 1
    view.observation[:] = 0
    view.determinized(2)["seat"] = 0
    assert (recorder.state.tobytes(), recorder.mask.tobytes()) == before


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_determinized_copies_keep_what_the_seat_sees_and_nothing_of_the_seed(name: str, players: int) -> None:
    recorder = random_moves(Recorder(name, players, seed=5), 13)
    view = view_of(recorder)
    copies = view.determinized(20, seed=4)
    assert not copies["deal"].any()
    assert len({int(word) for word in copies["rng"]} | {int(recorder.state["rng"][0])}) == 21
    np.testing.assert_array_equal(copies[:5], view.determinized(5, seed=4))
    for i in range(20):
        (twin,) = views_of(recorder.game, copies[i : i + 1].copy(), view._mask, view.stream, view.options)
        np.testing.assert_array_equal(twin.observe("rich"), view.observe("rich"))
        assert engine.legal_actions(recorder.game, copies[i]) == view.legal()
    own = streams(20, 4)
    np.testing.assert_array_equal(view.determinized(20, own), copies)
    assert (own["rng"] != streams(20, 4)["rng"]).all()


# ---------------------------------------------------------------- random and heuristic


@pytest.mark.parametrize("policy", engine.POLICIES)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_python_form_plays_from_a_view_what_the_kernel_plays_from_the_state(
    name: str, players: int, policy: str
) -> None:
    recorder, stream = Recorder(name, players, seed=11), streams(1, 11)
    agent = names.make(policy)
    agent.begin(recorder.game, players, {}, 0)
    choose, action = engine.kernels(recorder.game).choose_rows, np.zeros(1, np.int64)
    while recorder.seat is not None:
        own = stream.copy()
        state, mask = recorder.state.copy(), recorder.mask.copy()
        choose(state, mask, np.array([engine.POLICIES[policy]]), stream, action)
        assert agent.act(view_of(recorder, own)) == action[0], f"{name}, {players} players, seed 11"
        assert own == stream
        recorder.play(int(action[0]))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_heuristic_beats_random_players(name: str, players: int) -> None:
    line_up = ["heuristic"] + ["random"] * (players - 1)
    results = play(name, line_up, 200, players=players, seed=1, rotate=True)
    won = results.column("places")[:, 0] == 1
    lower = won.mean() - 1.96 * np.sqrt(won.mean() * (1 - won.mean()) / len(won))
    assert lower > 0.5 if players == 2 else lower > 1.5 / players


# ---------------------------------------------------------------- playing


@pytest.mark.parametrize("line_up", [["random"], ["heuristic", "random"]], ids=["random", "mixed"])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_kernel_and_python_play_the_same_games(name: str, players: int, line_up: list[str]) -> None:
    settings: dict[str, Any] = {"players": players, "seed": 21, "rotate": True}
    in_kernel = play(name, line_up, 5, **settings)
    seen: list[int] = []
    watched = play(name, line_up, 5, **settings, watch=lambda moved: seen.append(moved.number))
    same(in_kernel, watched)
    assert seen == [number for moves in in_kernel.column("moves") for number in range(1, moves + 1)]
    same(in_kernel, play(name, line_up, 5, **settings, auto_forced=True))


def test_games_with_a_python_agent_have_kernel_agents_play_as_in_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        """Random without its number in the kernel."""

        def __init__(self) -> None:
            self.inner = names.make("random")
            self.begin, self.act = self.inner.begin, self.inner.act

    in_kernel = play(GAME, ["heuristic", "random"], 6, players=2, seed=2)
    same(in_kernel, play(GAME, ["heuristic", Slow()], 6, players=2, seed=2))


def test_a_game_depends_on_its_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play(GAME, ["heuristic", "random"], 12, seed=40)
    monkeypatch.setattr(arena, "MOST_ROWS", 5)
    monkeypatch.setattr(arena, "CHUNK_SECONDS", 1e-9)
    same(whole, play(GAME, ["heuristic", "random"], 12, seed=40))
    single = play(GAME, ["heuristic", "random"], 1, seed=47)
    for column in ("scores", "places", "moves", "forced"):
        np.testing.assert_array_equal(whole.column(column)[7], single.column(column)[0])


def test_every_seat_has_a_stream_of_its_own_that_is_not_made_of_other_streams_of_the_seed() -> None:
    seeds, salts = np.array([0, 1, 2**63, 2**64 - 1] * 2, np.uint64), np.repeat([0, 1], 4)
    found = seat_streams(seeds, salts, 6)["rng"]
    assert found.shape == (8, 6)
    assert len(np.unique(found)) == 48
    assert not np.isin(found, [streams(1, int(seed))["rng"][0] for seed in seeds]).any()
    np.testing.assert_array_equal(seat_streams(seeds, salts, 2)["rng"], found[:, :2])


def test_batched_agents_are_asked_together_and_the_width_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = Many()
    together = play(GAME, [wide, "heuristic"], 9, players=2, seed=6)
    assert wide.widest > 1
    assert len(wide.begun) == 1
    monkeypatch.setattr(arena, "SIDE_BY_SIDE", 1)
    same(together, play(GAME, [Many(), "heuristic"], 9, players=2, seed=6))


def test_a_python_agent_is_told_every_game_and_never_the_games_seed() -> None:
    agent = First()
    results = play(GAME, [agent, "random"], 3, players=2, seed=70)
    game = results.game
    assert [begun[:3] for begun in agent.begun] == [(GAME, 2, game.check_options(None))] * 3
    own = [begun[3] for begun in agent.begun]
    assert len(set(own) | {70, 71, 72}) == 6
    again = First()
    play(GAME, [again, "random"], 1, players=2, seed=71)
    assert again.begun[0][3] == own[1]


def test_rotation_moves_agents_by_one_seat_from_game_to_game() -> None:
    fixed = play(GAME, ["random"], 2 * MANY, players=MANY, seed=9)
    turned = play(GAME, ["random"], 2 * MANY, players=MANY, seed=9, rotate=True)
    for i in range(2 * MANY):
        seats = [(k + i) % MANY for k in range(MANY)]
        assert turned.column("seats")[i].tolist() == seats
        assert turned.column("scores")[i].tolist() == fixed.column("scores")[i, seats].tolist()
        assert turned.column("places")[i].tolist() == fixed.column("places")[i, seats].tolist()


def test_rotated_agents_play_the_seats_they_sit_at() -> None:
    seen: set[tuple[int, int, str]] = set()
    line_up = ["heuristic"] + ["random"] * (MANY - 1)
    play(GAME, line_up, MANY, players=MANY, seed=0, rotate=True, watch=lambda m: seen.add((m.seed, m.seat, m.agent)))
    assert {(seed, seat) for seed, seat, agent in seen if agent == "heuristic"} == {(i, i) for i in range(MANY)}


def test_forced_moves_are_not_asked_with_auto_forced() -> None:
    asked, spared = First(), First()
    first = play(GAME, [asked, "random"], 4, players=2, seed=3)
    second = play(GAME, [spared, "random"], 4, players=2, seed=3, auto_forced=True)
    same(first, second)
    assert asked.single > 0
    assert spared.single == 0
    assert spared.asked == asked.asked - asked.single


@pytest.mark.parametrize("wrong", [-1, 10**6, None, 0.0, "take 1"])
def test_an_illegal_action_names_the_agent_and_the_game(wrong: Any) -> None:
    class Wrong(First):
        def act(self, view: View) -> Any:
            return wrong

    with pytest.raises(IllegalMove, match=r"agent 'Wrong' at seat \d, move \d+ of the game with seed 8.*legal: "):
        play(GAME, [Wrong(), "random"], 1, players=2, seed=8)


def test_a_batched_agent_must_answer_every_view() -> None:
    class Short(Many):
        def act_many(self, views: list[View]) -> list[int]:
            return []

    with pytest.raises(ValueError, match=r"Short\.act_many gave 0 actions for \d+ views"):
        play(GAME, [Short(), "random"], 2, players=2)


def test_ctrl_c_keeps_the_games_that_are_finished() -> None:
    class Tired(First):
        def act(self, view: View) -> int:
            if len(self.begun) == 3:
                raise KeyboardInterrupt
            return super().act(view)

    told: list[int] = []
    results = play(GAME, [Tired(), "random"], 5, players=2, seed=1, progress=told.append)
    assert results.interrupted
    assert results.as_data()["games"] == len(results) == 2
    assert told == [0, 1, 2]
    rest = play(GAME, [First(), "random"], 2, players=2, seed=1)
    same(results, rest)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_records_of_played_games_are_right(name: str, players: int, tmp_path: Path) -> None:
    results = play(name, ["heuristic", "random"], 2, players=players, seed=33, record=tmp_path / "a" / "b", legal=True)
    for i in range(2):
        path = tmp_path / "a" / "b" / record_name(results.game, players, 33 + i)
        assert path.name == f"{name}-{players}p-seed{33 + i}.jsonl"
        recorder = record.verify(path)
        assert recorder.result()["scores"] == results.column("scores")[i].tolist()
        assert recorder.result()["places"] == results.column("places")[i].tolist()
        assert all("legal" in line for line in map(dict, record_lines(path)) if "move" in line)
    assert len(list((tmp_path / "a" / "b").iterdir())) == 2


def record_lines(path: Path) -> Iterator[dict[str, Any]]:
    import json

    yield from map(json.loads, path.read_text().splitlines())


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"games": 0}, "at least 1"),
        ({"players": 99}, "players, not 99"),
        ({"seed": -1}, "outside 0"),
        ({"seed": 2**64 - 1, "games": 2}, "outside 0"),
        ({"options": {"no such": 1}}, "no option 'no such'"),
        ({"agents": ["random"] * 9, "players": 2}, "9 agents are too many for 2 players"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        play(GAME, settings.pop("agents", ["random"]), **settings)


# ---------------------------------------------------------------- standings


def test_standings_of_games_counted_by_hand() -> None:
    seats = np.tile(np.arange(2), (4, 1))
    scores = np.array([[10, 4], [6, 6], [8, 10], [12, 4]])
    places = np.array([[1, 2], [1, 1], [2, 1], [1, 2]])
    block = Finished(np.arange(4, dtype=np.uint64), seats, scores, places, np.full(4, 30), np.full(4, 3))
    results = Results(registry.load(GAME), 2, {}, ["a", "b"], 0, 4, seconds=2.0, blocks=[block])
    a, b = results.standings()
    assert (a.mean_score, b.mean_score) == (9.0, 6.0)
    assert a.score_interval == pytest.approx(1.96 * np.sqrt((1 + 9 + 1 + 9) / 3 / 4))
    assert (a.first_share, b.first_share) == (0.625, 0.375)
    assert (a.mean_place, b.mean_place) == (1.25, 1.5)
    data = results.as_data()
    assert (data["steps"], data["steps_per_second"], data["forced_share"]) == (120, 60.0, 0.1)
    assert Results(results.game, 2, {}, ["a", "b"], 0, 4).standings() == []
