"""The setting `memory`: every way to play a game has the setting, keeps it, and shows what it allows."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import skyline
from skyline import record, registry
from skyline.cli.policy_games import policy_game
from skyline.core import engine
from skyline.envs.aec import TurnBasedEnv
from skyline.game import MEMORIES, RECALL, TABLE, Game
from skyline.record import Recorder, RecordError, state_of
from skyline.rng import streams
from skyline.typing import Array, Memory
from tests.machine.worlds import toy_game
from tests.support.commands import run
from tests.support.playing import FEW, GAME, advance, pick

SETTINGS: tuple[Memory, ...] = ("recall", "table")
both = pytest.mark.parametrize("memory", SETTINGS)
PLAYERS = 3


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Game]:
    """The toy game, known by its name. A seat that remembers knows the discards below the open one."""
    with toy_game():
        yield registry.load("toy")


def begun(toy: Game, memory: Memory = "recall", moves: int = 0, **settings: Any) -> TurnBasedEnv:
    env = skyline.env(toy, PLAYERS, memory=memory, **settings)
    env.reset(seed=1)
    advance(env, moves)
    return env


def remembered(toy: Game, observation: Array, features: str = "base") -> Array:
    return toy.observation(PLAYERS).decode(observation, features)["discards"]


# ---------------------------------------------------------------- what is shown


@both
@pytest.mark.parametrize("features", ["base", "rich"])
@pytest.mark.parametrize("dtype", ["int16", "float32"])
def test_recall_slices_are_there_or_zero(toy: Game, memory: Memory, features: Any, dtype: Any) -> None:
    """In the AEC environment, batches with and without learners, and a single seat."""
    settings: dict[str, Any] = {"memory": memory, "features": features, "obs_dtype": dtype}
    env = begun(toy, moves=5, **settings)
    discards = [env.position()["discards"].count(value) for value in range(1, 10)]
    assert sum(discards) > 1
    wanted = np.array(discards) / (2 if dtype == "float32" else 1) * (memory == "recall")
    observations = [env.observe(agent)["observation"] for agent in env.possible_agents]
    observations += [env.last()[0]["observation"], *env.state()]
    games = skyline.vector(toy, 2, PLAYERS, **settings)
    games.reset(seed=1)
    for action in env._history.moves:
        games.step(np.array([action, games.action_mask[1].argmax()]))
    observations.append(games.observations[0])
    for observation in observations:
        assert remembered(toy, observation, features).tolist() == wanted.tolist()
    seat = skyline.single(toy, PLAYERS, opponents="heuristic", **settings)
    seat.reset(seed=1)
    seen = [remembered(toy, seat.step(pick(seat.action_masks(), np.random.default_rng(2)))[0], features).any()]
    assert any(seen) == (memory == "recall")


@both
def test_texts_and_pictures_show_what_is_remembered(toy: Game, memory: Memory) -> None:
    env = begun(toy, memory, 5)
    row = env._states[0]
    assert ("remembered" in toy.text(row, 0, None)) == ("remembered" in toy.svg(row, 0, None)) == (memory == "recall")
    assert "remembered" in toy.text(row, None, None)
    assert toy.knowledge(row, 0) == ({"discards": env.position()["discards"]} if memory == "recall" else {})
    seat = skyline.single(toy, PLAYERS, opponents="heuristic", render_mode="ansi", memory=memory)
    seat.reset(seed=1)
    for _ in range(2):
        seat.step(pick(seat.action_masks(), np.random.default_rng(2)))
    assert ("remembered" in seat.render()) == (memory == "recall")


@both
def test_every_environment_says_what_a_seat_knows(toy: Game, memory: Memory) -> None:
    """All seats of the toy know the discards. A batch says it of the learning seat, or of the one that is named."""
    env, rng = begun(toy, memory), np.random.default_rng(2)
    learning = batch(toy, memory, seat="rotate", opponents="heuristic")
    seat = skyline.single(toy, PLAYERS, opponents="heuristic", memory=memory)
    seat.reset(seed=1)
    every = batch(toy, memory)
    known: list[tuple[Any, Array]] = []
    for _ in range(3):
        env.step(pick(env._mask[0], rng))
        seat.step(pick(seat.action_masks(), rng))
        for games in (learning, every):
            games.step(np.array([pick(mask, rng) for mask in games.action_mask]))
        known += [(env.knowledge("player_1"), env._states[0].copy())]
        known += [(seat.knowledge(), seat.games.states[0].copy())]
        known += [(learning.knowledge(row), learning.states[row].copy()) for row in range(3)]
        known += [(every.knowledge(row, 2), every.states[row].copy()) for row in range(3)]
    for told, row in known:
        assert told == ({"discards": toy.position(row)["discards"]} if memory == "recall" else {})
    assert any(told.get("discards") for told, _ in known) == (memory == "recall")


NO_SEATS = (PLAYERS, -1, "player_3", "A", True, 1.0)
REFUSED = r"^seat is a whole number 0 \.\. 2 or an agent 'player_0' \.\. 'player_2', not"


@pytest.mark.parametrize("wrong", NO_SEATS)
def test_a_game_shows_its_board_to_its_own_seats_alone(toy: Game, wrong: Any) -> None:
    row = begun(toy, moves=5)._states[0]
    for show in (toy.text, toy.svg):
        assert show(row, 2, None) == show(row, "player_2", None) != show(row, None, None)
        with pytest.raises(ValueError, match=REFUSED):
            show(row, wrong, None)


@pytest.mark.parametrize("wrong", [*NO_SEATS, None])
def test_a_game_says_what_a_seat_knows_for_its_own_seats_alone(toy: Game, wrong: Any) -> None:
    row = begun(toy, moves=5)._states[0]
    assert toy.knowledge(row, 2) == toy.knowledge(row, "player_2")
    with pytest.raises(ValueError, match=REFUSED):
        toy.knowledge(row, wrong)


@both
def test_deals_agree_with_what_is_remembered_and_tell_nothing_else(toy: Game, memory: Memory) -> None:
    """Below the open discard lie the same cards in all deals, or any cards, which `check` counts."""
    states = np.repeat(begun(toy, memory, 5)._states, 200)
    before = toy.position(states[0])["discards"]
    engine.kernels(toy).determinize_rows(states, np.zeros(200, np.int64), streams(200, 3))
    piles = {tuple(toy.position(row)["discards"]) for row in states}
    assert {pile[-1] for pile in piles} == {before[-1]}
    assert (piles == {tuple(before)}) == (memory == "recall")
    assert len(piles) > 20 or memory == "recall"
    for row in states:
        toy.check(row)


# ---------------------------------------------------------------- who has the setting, and keeps it


def batch(toy: Game, memory: Memory, **settings: Any) -> Any:
    games = skyline.vector(toy, 3, PLAYERS, memory=memory, **settings)
    games.reset(seed=1)
    return games


@both
def test_the_setting_is_in_every_state(toy: Game, memory: Memory) -> None:
    byte = {"recall": RECALL, "table": TABLE}[memory]
    assert MEMORIES[memory] == byte
    env = begun(toy, memory)
    assert env.memory == memory
    rng = np.random.default_rng(1)
    batches = [batch(toy, memory), batch(toy, memory, seat="rotate", opponents="heuristic", history=True)]
    for _ in range(30):  # several games, one after the other
        if env._seat < 0:
            env.reset()
        env.step(pick(env._mask[0], rng))
        assert env._states["memory"][0] == byte
        for games in batches:
            assert games.memory == memory
            games.step(np.array([pick(mask, rng) for mask in games.action_mask]))
            assert (games.states["memory"] == byte).all()
    recorder, _ = policy_game(toy, PLAYERS, 3, engine.HEURISTIC, memory=memory)
    assert recorder.state["memory"][0] == byte
    seat = skyline.single(toy, PLAYERS, memory=memory)
    seat.reset(seed=1)
    assert seat.games.states["memory"][0] == byte
    assert toy.blank(PLAYERS, memory=memory)["memory"][0] == byte


def test_recall_is_the_default_everywhere(toy: Game) -> None:
    assert begun(toy)._states["memory"][0] == RECALL
    assert skyline.vector(toy, 2).states["memory"].tolist() == [RECALL, RECALL]
    assert skyline.single(toy).games.memory == "recall"
    assert Recorder(toy, 2).state["memory"][0] == RECALL
    assert state_of(toy, begun(toy).position())["memory"][0] == RECALL


@both
def test_a_position_has_the_setting_of_the_environment_that_stands_in_it(toy: Game, memory: Memory) -> None:
    for given in SETTINGS:
        position = begun(toy, given, 5).position()
        assert "memory" not in position
        other = begun(toy, memory)
        other.reset(options={"position": position})
        byte = MEMORIES[memory]
        assert other._states["memory"][0] == byte
        assert TurnBasedEnv.from_position(toy, position, memory=memory)._states["memory"][0] == byte
        assert state_of(toy, position, memory=memory)["memory"][0] == byte
        assert remembered(toy, other.last()[0]["observation"]).any() == (memory == "recall")
    other.reset(options={"setup": toy.setup(begun(toy)._states[0])})
    assert other._states["memory"][0] == MEMORIES[memory]


WAYS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(), "copy": copy.copy, "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}  # fmt: skip


@both
@pytest.mark.parametrize("way", WAYS)
def test_copies_keep_the_setting(toy: Game, memory: Memory, way: str) -> None:
    env = WAYS[way](begun(toy, memory, 2))
    env.reset()
    assert (env.memory, env._states["memory"][0]) == (memory, MEMORIES[memory])
    games = WAYS[way](batch(toy, memory))
    games.reset()
    assert (games.memory, games.states["memory"].tolist()) == (memory, [MEMORIES[memory]] * 3)


def test_a_snapshot_fits_batches_with_the_same_setting(toy: Game) -> None:
    data = batch(toy, "table").snapshot()
    assert data["facts"]["memory"] == "table"
    other = batch(toy, "table")
    other.restore(data)
    assert (other.states["memory"] == TABLE).all()
    with pytest.raises(ValueError, match="a batch with memory 'table', this batch has 'recall'"):
        batch(toy, "recall").restore(data)


@pytest.mark.parametrize("wrong", ["Recall", "", None, 0, 1, True, ["table"]])
def test_other_settings_are_refused(toy: Game, wrong: Any) -> None:
    makers: list[Callable[[], Any]] = [
        lambda: skyline.env(toy, memory=wrong), lambda: skyline.vector(toy, 2, memory=wrong),
        lambda: skyline.single(toy, memory=wrong), lambda: Recorder(toy, 2, memory=wrong),
        lambda: state_of(toy, begun(toy).position(), memory=wrong),
    ]  # fmt: skip
    for make in makers:
        with pytest.raises(ValueError, match=r"^memory is one of 'recall', 'table', not"):
            make()


def test_environments_name_the_setting_that_is_not_the_default(toy: Game) -> None:
    assert "memory='table'" in repr(begun(toy, "table"))
    assert "memory='table'" in repr(batch(toy, "table"))
    assert "memory='table'" in repr(skyline.single(toy, memory="table"))
    assert "memory" not in repr(begun(toy)) + repr(batch(toy, "recall")) + repr(skyline.single(toy))


def test_ids_take_the_setting() -> None:
    found = registry.find(GAME).id
    assert gymnasium.make(found, players=FEW, memory="table").unwrapped.games.memory == "table"
    assert gymnasium.make_vec(found, num_envs=2, players=FEW, memory="table").memory == "table"
    if hasattr(pettingzoo, "make"):
        assert pettingzoo.make("aec", found, players=FEW, memory="table").unwrapped.memory == "table"


# ---------------------------------------------------------------- records and commands


def played(toy: Game, memory: Memory) -> Recorder:
    recorder, _ = policy_game(toy, PLAYERS, 3, engine.RANDOM, memory=memory)
    return recorder


def test_a_record_says_the_setting_that_is_not_the_default(toy: Game) -> None:
    recall, table = played(toy, "recall"), played(toy, "table")
    assert "memory" not in recall.lines[0]
    assert table.lines[0]["memory"] == "table"
    assert table.lines[1:] == recall.lines[1:]
    for recorder, memory in ((recall, "recall"), (table, "table")):
        read = record.read(recorder.text().splitlines())
        assert read.memory == memory
        assert record.replay(read).text() == recorder.text()
        for other in SETTINGS:
            assert record.replay(read, memory=other).state["memory"][0] == MEMORIES[other]
    with pytest.raises(ValueError, match=r"^memory is one of 'recall', 'table', None, not 'yes'"):
        record.replay(read, memory="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["recall", "Table", "", None, 0, ["table"]])
def test_a_record_with_another_word_is_refused(toy: Game, wrong: Any) -> None:
    lines = [json.dumps(line) for line in played(toy, "recall").lines]
    lines[0] = json.dumps({**json.loads(lines[0]), "memory": wrong})
    with pytest.raises(RecordError, match='line 1: memory: "table", or the field is missing, not ') as refusal:
        record.read(lines)
    assert refusal.value.line == 1


def test_the_command_show_takes_the_setting(toy: Game, tmp_path: Path) -> None:
    """A record shows its own setting, unless another one is asked for."""
    for memory in SETTINGS:
        path = played(toy, memory).save(tmp_path / f"{memory}.jsonl")
        for asked in (None, *SETTINGS):
            words = [] if asked is None else ["--memory", asked]
            shown = run("show", str(path), "--seat", "0", "--move", "7", *words).out
            assert ("remembered" in shown) == ((asked or memory) == "recall")
    random = ("show", "--seed", "7", "--game", "toy", "--players", "3", "--seat", "0", "--move", "7")
    assert "remembered" in run(*random).out
    told = run(*random, "--memory", "table")
    assert "remembered" not in told.out + told.err
    for more in ([], ["--story"]):
        told = run("show", "--seed", "7", "--game", "toy", "--move", "7", "--memory", "table", *more)
        assert (told.code, told.err.count("--memory has no effect without --seat")) == (0, 1)
    refused = run(*random, "--memory", "some")
    assert refused.code == 2
    assert "recall or table, not 'some'" in refused.refused()
