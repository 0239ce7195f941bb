"""What happened in a game, told to a seat: the history of an environment, a seat and a recorder."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import skyline
from skyline import record, registry
from skyline.envs.aec import TurnBasedEnv
from skyline.game import NO_SEAT, Game
from skyline.record import History, Recorder, told
from skyline.record.history import beginning, moved
from tests.machine.worlds import toy_game
from tests.support.playing import advance, pick

PLAYERS = 3


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Game]:
    """The toy game, known by its name."""
    with toy_game():
        yield registry.load("toy")


class Watched:
    """An environment, and beside it the entries that are made of the rows before and after each move at once."""

    def __init__(self, env: TurnBasedEnv, is_position: bool = False) -> None:
        self.env, self.viewers = env, (None, *range(env.players))
        first, options = env._states[0], env.options
        self.entries = {
            viewer: [beginning(env.game, first, viewer, options, is_position=is_position)] for viewer in self.viewers
        }
        self.asked: dict[int | None, int] = dict.fromkeys(self.viewers, 0)

    def step(self, action: int) -> None:
        before = self.env._states.copy()
        seat = int(before["seat"][0])
        self.env.step(action)
        self.asked[seat] = len(self.entries[None])
        for viewer in self.viewers:
            self.entries[viewer].append(moved(self.env.game, before[0], action, self.env._states[0], viewer))

    def check(self) -> None:
        for viewer in self.viewers:
            agent = None if viewer is None else f"player_{viewer}"
            assert self.env.history(agent) == self.entries[viewer]
            if viewer is not None and agent is not None:
                assert self.env.since_last(agent) == self.entries[viewer][self.asked[viewer] :]
                assert json.loads(self.env.information_state(agent)) == self.entries[viewer]


def running(env: TurnBasedEnv) -> bool:
    return env._seat >= 0


# ---------------------------------------------------------------- the AEC environment


@pytest.mark.parametrize("hand", [2, 4])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_history_tells_each_seat_what_it_saw(toy: Game, players: int, hand: int) -> None:
    """Asked after every move, now and then, and only at the end."""
    for seed, often in enumerate((1, 3, 10**9)):
        env, rng = skyline.env(toy, players, hand=hand), np.random.default_rng(seed)
        env.reset(seed=seed)
        watched = Watched(env)
        for number in range(10**9):
            if number % often == 0:
                watched.check()
            if not running(env):
                break
            watched.step(pick(env._mask[0], rng))
        watched.check()
        assert len(env.history("player_0")) == 1 + 4 * players


def test_entries_have_the_documented_form(toy: Game) -> None:
    env = skyline.env(toy, 2)
    env.reset(seed=3)
    action = int(np.flatnonzero(env._mask[0])[-1])
    mover, text = env.agent_selection, env.move_text(action)
    env.step(action)
    other = next(agent for agent in env.possible_agents if agent != mover)
    seat, first = int(mover[-1]), env.history(other)[0]
    assert {name: first[name] for name in ("players", "options", "viewer")} == {
        "players": 2, "options": {"hand": 3}, "viewer": 1 - seat,
    }  # fmt: skip
    assert {"from": "box", "to": f"hand {seat}", "cards": 3} in first["seen"]
    laid, drawn = env.history(other)[1]["seen"]
    assert env.history(other)[1] == {"seat": seat, "move": text, "seen": [laid, drawn]}
    assert laid == {"from": f"hand {seat}", "to": "discards", "cards": [text.split()[1]]}
    assert drawn == {"from": "deck", "to": f"hand {seat}", "cards": 1}
    assert isinstance(env.history(mover)[1]["seen"][1]["cards"], list)
    assert env.history(None)[1] == env.history(mover)[1]


def test_what_is_told_belongs_to_the_caller(toy: Game) -> None:
    env = skyline.env(toy, 2)
    env.reset(seed=3)
    advance(env, 3)
    wanted = copy.deepcopy(env.history("player_0"))
    given = env.history("player_0")
    given[0]["seen"].clear()
    given[1]["move"] = given[0]["options"]["hand"] = "other"
    given.clear()
    assert env.history("player_0") == wanted
    assert env.options == {"hand": 3}


def test_the_pieces_since_ones_own_decisions_are_the_history(toy: Game) -> None:
    env, rng = skyline.env(toy, PLAYERS), np.random.default_rng(5)
    env.reset(seed=5)
    pieces: dict[str, list[Any]] = {agent: [] for agent in env.possible_agents}
    while running(env):
        pieces[env.agent_selection] += env.since_last(env.agent_selection)
        env.step(pick(env._mask[0], rng))
    for agent, entries in pieces.items():
        assert entries + env.since_last(agent) == env.history(agent)
        assert env.since_last(agent)[0]["seat"] == int(agent[-1])


def test_forced_moves_are_told_and_are_no_decisions(toy: Game) -> None:
    """Who has kept can only keep: with auto_forced the environment does."""
    for seed in range(8):
        free, forced = (skyline.env(toy, PLAYERS, auto_forced=auto) for auto in (False, True))
        asked: list[int] = []
        for env in (free, forced):
            env.reset(seed=seed)
        while running(free):
            action = int(np.flatnonzero(free._mask[0])[seed % 2]) if free._mask[0].sum() > 1 else 0
            if free._mask[0].sum() > 1:
                asked.append(free._steps)
                forced.step(action)
            free.step(action)
        assert not running(forced)
        for seat, agent in enumerate(free.possible_agents):
            assert forced.history(agent) == free.history(agent)
            own = [number for number in asked if free.history(None)[1 + number]["seat"] == seat]
            assert forced.since_last(agent) == free.history(agent)[1 + own[-1] :]


def test_an_illegal_action_that_loses_and_a_cut_end_the_history(toy: Game) -> None:
    env = skyline.env(toy, 2, illegal="lose")
    env.reset(seed=1)
    advance(env, 3)
    before = env.history("player_1")
    env.step(99)
    assert not running(env)
    assert env.history("player_1") == before
    cut = skyline.env(toy, 2, max_cycles=3)
    cut.reset(seed=1)
    advance(cut, 9)
    assert cut.history("player_1") == before


def test_a_refused_action_is_not_told(toy: Game) -> None:
    env = skyline.env(toy, 2)
    env.reset(seed=1)
    advance(env, 2)
    before = env.history(None)
    for wrong in (-1, 99, 2**70, None, "keep"):
        with pytest.raises((skyline.IllegalMove, ValueError)):
            env.step(wrong)  # type: ignore[arg-type]
    assert env.history(None) == before


def test_a_position_tells_what_lies_where(toy: Game) -> None:
    env = skyline.env(toy, PLAYERS)
    env.reset(seed=2)
    advance(env, 5)
    position = env.position()
    for other in (skyline.env(toy, PLAYERS), TurnBasedEnv.from_position(toy, position)):
        other.reset(options={"position": position})
        watched = Watched(other, is_position=True)
        first = other.history("player_0")[0]
        assert first["position"] is True
        assert {"from": "box", "to": "discards", "cards": [str(card) for card in position["discards"]]} in first["seen"]
        watched.step(pick(other._mask[0], np.random.default_rng(1)))
        watched.check()
    assert "position" not in env.history("player_0")[0]
    env.reset(seed=2)
    assert len(env.history("player_0")) == 1, "a new game has a history of its own"


def test_a_forced_decision_in_which_a_position_stands_is_asked_for(toy: Game) -> None:
    env = skyline.env(toy, 2, auto_forced=True)
    env.reset(seed=2)
    start = env.position()
    position = {**start, "kept": [1, 1], "stream": 5}
    env.reset(options={"position": position})
    assert len(env.history(None)) == 1
    assert env._mask[0].sum() == 1
    env.step(0)
    assert [entry["move"] for entry in env.history(None)[1:]] == ["keep"] * 8
    agent = f"player_{position['start']}"
    assert len(env.since_last(agent)) == 8


def test_a_setup_is_told_as_a_deal(toy: Game) -> None:
    env, other = skyline.env(toy, 2), skyline.env(toy, 2)
    env.reset(seed=4)
    other.reset(options={"setup": toy.setup(env._states[0])})
    assert other.history("player_1") == env.history("player_1")
    watched = Watched(other)
    rng = np.random.default_rng(1)
    while running(other):
        watched.step(pick(other._mask[0], rng))
    watched.check()


WAYS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(), "copy": copy.copy, "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("begins", ["seed", "position"])
def test_copies_have_a_history_of_their_own(toy: Game, way: str, begins: str) -> None:
    env = skyline.env(toy, PLAYERS)
    env.reset(seed=6)
    if begins == "position":
        advance(env, 2)
        env.reset(options={"position": env.position()})
    advance(env, 3)
    env.history("player_0")
    other = WAYS[way](env)
    assert other.history("player_0") == env.history("player_0")
    advance(other, 2, seed=1)
    length = len(env.history(None))
    assert len(other.history(None)) == length + 2
    advance(env, 2, seed=1)
    assert env.information_state("player_2") == other.information_state("player_2")


def test_what_is_asked_of_nobody_is_refused(toy: Game) -> None:
    env = skyline.env(toy, 2)
    for call in (env.history, env.since_last, env.information_state, env.knowledge):
        with pytest.raises(ResetNeeded, match=r"\(\) was called before reset"):
            call("player_0")
    env.reset(seed=1)
    assert env.history(1) == env.history("player_1")
    assert env.knowledge(1) == env.knowledge("player_1")
    said = r"^agent is a whole number 0 \.\. 1 or an agent 'player_0' \.\. 'player_1', not "
    for call, wrong in itertools.product(
        (env.history, env.since_last, env.information_state, env.knowledge), ("player_2", 2, -1, True, "", [])
    ):
        with pytest.raises(ValueError, match=said):
            call(wrong)  # type: ignore[arg-type]
    for call in (env.since_last, env.information_state, env.knowledge):
        with pytest.raises(ValueError, match=said):
            call(None)  # type: ignore[arg-type]


# ---------------------------------------------------------------- information states


def exchanged(toy: Game, setup: dict[str, Any], one: int, two: int) -> dict[str, Any]:
    deck = list(setup["deck"])
    deck[one], deck[two] = deck[two], deck[one]
    return {**setup, "deck": deck}


def test_information_states_are_equal_exactly_if_the_seat_saw_the_same(toy: Game) -> None:
    """Two games whose setups differ in a card of seat 1's hand and one at the bottom of the deck."""
    env = skyline.env(toy, 2)
    env.reset(seed=11)
    setup = {**toy.setup(env._states[0]), "start": 0}
    other_setup = exchanged(toy, setup, 3, 17)
    assert setup != other_setup
    one, two = skyline.env(toy, 2), skyline.env(toy, 2)
    one.reset(options={"setup": setup})
    two.reset(options={"setup": other_setup})
    assert one.information_state("player_0") == two.information_state("player_0")
    assert one.information_state("player_1") != two.information_state("player_1")
    for move in (f"swap {setup['deck'][0]}", f"swap {setup['deck'][4]}", "keep"):
        for env in (one, two):
            env.step(env.parse_move(move))
    assert one.information_state("player_0") == two.information_state("player_0")
    one.step(one.parse_move(f"swap {setup['deck'][3]}"))
    two.step(two.parse_move(f"swap {other_setup['deck'][3]}"))
    assert one.information_state("player_0") != two.information_state("player_0")


def test_an_information_state_is_canonical(toy: Game) -> None:
    env = skyline.env(toy, 2)
    env.reset(seed=1)
    advance(env, 4)
    text = env.information_state("player_1")
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert text.isascii()


# ---------------------------------------------------------------- recorders and the class itself


def test_a_recorder_tells_the_history_of_a_replay(toy: Game) -> None:
    """A replay takes shuffles from the record, whatever its own stream brings."""
    recorder, rng = Recorder(toy, 4, 8, {"hand": 4}), np.random.default_rng(2)
    while recorder.seat is not None:
        recorder.play(int(rng.choice(recorder.legal()[-2:])))
    assert sum("shuffle" in line for line in recorder.lines) >= 2, "no shuffle happened"
    lines = [json.dumps(line) for line in recorder.lines]
    lines[0] = json.dumps({**recorder.lines[0], "seed": 99})
    again = record.replay(record.read(lines))
    for seat in (None, 0, 3):
        assert again.history(seat) == recorder.history(seat)
    assert again.since_last(2) == recorder.since_last(2)
    assert again.information_state(1) == recorder.information_state(1)
    assert again.since_last("player_2") == recorder.since_last(np.int8(2))
    assert (
        again.knowledge("player_2") == recorder.knowledge(2) == {"discards": toy.position(again.state[0])["discards"]}
    )
    for call in (recorder.history, recorder.knowledge):
        with pytest.raises(
            ValueError, match=r"^seat is a whole number 0 \.\. 3 or an agent 'player_0' \.\. 'player_3', not"
        ):
            call("player_4")
    with pytest.raises(ValueError, match=r"^seat is .*, not None"):
        recorder.since_last(None)  # type: ignore[arg-type]


def test_a_refused_shuffle_is_not_told(toy: Game) -> None:
    recorder = Recorder(toy, 2, 1)
    action = recorder.legal()[-1]
    with pytest.raises(ValueError, match="no such shuffle"):
        recorder.play(action, [{"deck": "cards", "order": [1]}])
    assert len(recorder.history()) == 1


def test_a_history_without_an_environment(toy: Game) -> None:
    recorder = Recorder(toy, 2, 5)
    first, rng, actions = recorder.state.copy(), np.random.default_rng(1), list[int]()
    history = History(toy, first, recorder.options)
    dealt = History.dealt(toy, 5, 2, recorder.options)
    while recorder.seat is not None:
        actions.append(int(rng.choice(recorder.legal())))
        recorder.play(actions[-1])
        history.add(actions[-1])
        dealt.add(actions[-1])
        if rng.random() < 0.5:
            assert history.entries(1) == recorder.history(1)
    assert len(history) == len(actions)
    for seat in (None, 0, 1):
        wanted = recorder.history(seat)
        assert told(toy, first, actions, seat, recorder.options) == wanted
        assert history.entries(seat) == dealt.entries(seat) == history.copy().entries(seat) == wanted


def test_a_history_that_could_not_be_told_is_told_later(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error or Ctrl-C in the middle leaves nothing half done."""
    env = skyline.env(toy, 2)
    env.reset(seed=1)
    advance(env, 2)
    env.history("player_0")
    advance(env, 3)
    wanted, steps = env.clone().history("player_0"), []

    def interrupted(self: Any, *arguments: Any, **keywords: Any) -> None:
        steps.append(1)
        if len(steps) == 2:
            raise KeyboardInterrupt
        play(self, *arguments, **keywords)

    play = History._play
    monkeypatch.setattr(History, "_play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        env.history("player_0")
    assert env.history("player_0") == wanted
    assert len(steps) > 2


def test_a_step_does_no_more_than_write_the_action_down(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: Any) -> None:
        raise AssertionError("somebody was told something")

    monkeypatch.setattr(History, "_up_to_date", never)
    env = skyline.env(toy, 2)
    env.reset(seed=1)
    actions = advance(env, 99)
    assert env._history.moves == actions
    assert env._states["seat"][0] == NO_SEAT
