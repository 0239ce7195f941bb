"""An opponent's error takes the whole step or reset of a batch back; then the step or reset can be made again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import skyline
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT, IllegalMove
from tests.skyline.test_vector import SEED
from tests.skyline.test_vector_seat import thoughtful
from tests.support.playing import FEWEST, MOST, Array

fewest = pytest.mark.parametrize(("game", "players"), FEWEST)
most = pytest.mark.parametrize(("game", "players"), MOST)
modes = pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])


# Arrays of a batch whose values mean nothing between two calls.
PASSING = {"gains", "begun", "waits", "waiting", "closed", "kept_finals", "kept_moves", "kept_final_moves"}


class OpponentError(Exception):
    """An error that an opponent raises itself."""


def raising(observations: Array, masks: Array, seats: Array) -> Array:
    raise OpponentError("no answer")


def interrupted(observations: Array, masks: Array, seats: Array) -> Array:
    raise KeyboardInterrupt


FAULTS: dict[str, tuple[Callable[..., Any], type[BaseException]]] = {
    "raises": (raising, OpponentError),
    "is interrupted": (interrupted, KeyboardInterrupt),
    "is illegal": (lambda o, m, s: np.concatenate([m[:-1].argmax(axis=1), [-1]]), IllegalMove),
    "has a wrong shape": (lambda o, m, s: m, ValueError),
    "has a wrong type": (lambda o, m, s: m.argmax(axis=1) + 0.5, ValueError),
    "is nothing": (lambda o, m, s: None, ValueError),
}


class Failing:
    """The opponent `thoughtful` with a wrong answer to question number `at`."""

    def __init__(self, wrong: Callable[..., Any], at: int) -> None:
        self.wrong, self.left, self.failed = wrong, at, False

    def __call__(self, observations: Array, masks: Array, seats: Array) -> Any:
        self.left -= 1
        if self.left != -1:
            return thoughtful(observations, masks, seats)
        self.failed = True
        return self.wrong(observations, masks, seats)


def all_of(games: VectorGames) -> dict[str, Any]:
    """All parts of a batch."""
    return {
        name: value.tobytes() if isinstance(value, np.ndarray) else value
        for name, value in {**vars(games), **vars(games._rows)}.items()
        if name
        not in {*PASSING, "_moves", "_histories", "_rows", "kernels", "arrays", "observation_space", "action_space"}
    }


def line_up(players: int, first: Any) -> list[Any]:
    """Opponents that are a function and kernel policies: the streams of the policies must be taken back, too."""
    return [(first, "random", first)[j % 3] for j in range(players - 1)]


def after_a_fault(
    games: VectorGames, players: int, failing: Failing, error: type[BaseException], call: Callable[[VectorGames], Any]
) -> VectorGames:
    """The batch after a call that failed, equal to the batch before. If the call does not ask the failing question, the
    call has changed a clone only."""
    other = games.clone()
    other.set_opponents(line_up(players, failing))
    before = all_of(other)
    try:
        call(other)
    except error:
        assert failing.failed
        assert all_of(other) == before
        other.set_opponents(line_up(players, thoughtful))
        return other
    assert not failing.failed
    return games


@most
@modes
@pytest.mark.parametrize("fault", FAULTS)
def test_an_opponents_error_takes_the_step_back(game: str, players: int, mode: str, fault: str) -> None:
    """At every fifth step three questions of the step fail in turn; then the step is made without a fault."""
    wrong, error = FAULTS[fault]
    settings: dict[str, Any] = {
        "seat": "rotate", "autoreset": mode, "illegal": "lose", "reward": "score", "max_cycles": 9,
        "opponents": line_up(players, thoughtful),
    }  # fmt: skip
    games, twin = (skyline.vector(game, 3, players, **settings) for _ in range(2))
    games = after_a_fault(games, players, Failing(wrong, 0), error, lambda part: part.reset(seed=SEED))
    for part in (games, twin):
        part.reset(seed=SEED)
    faults: list[Failing] = []
    for number in range(40):
        actions = twin.action_mask.argmax(axis=1)
        actions[number % 3] = (
            -1 if number % 4 == 0 else actions[number % 3]
        )  # an illegal action loses the game, and the next one begins
        if number % 5 == 0:
            for at in range(3):
                faults.append(Failing(wrong, at))
                games = after_a_fault(games, players, faults[-1], error, partial(VectorGames.step, actions=actions))
        got, wanted = games.step(actions), twin.step(actions)
        assert all(np.array_equal(*pair) for pair in zip(got[:4], wanted[:4], strict=True))
        assert all_of(games) == all_of(twin)
        over = games.current_player == NO_SEAT
        if mode == "disabled" and over.any():
            anew = partial(VectorGames.reset, options={"reset_mask": over})
            for at in range(2):
                faults.append(Failing(wrong, at))
                games = after_a_fault(games, players, faults[-1], error, anew)
            for part in (games, twin):
                anew(part)
            assert all_of(games) == all_of(twin)
    assert sum(fault.failed for fault in faults) > 5


@fewest
def test_what_was_handed_out_is_as_before_the_failed_step(game: str, players: int) -> None:
    """With copy=False the arrays are the environment's own, and show the position that waits for the learner."""
    games = skyline.vector(game, 3, players, seat=0, opponents=thoughtful, copy=False)
    observations, infos = games.reset(seed=SEED)
    games.set_opponents(raising)
    for _ in range(30):
        held = [observations.copy(), *(np.array(value) for value in infos.values())]
        try:
            observations, *_, infos = games.step(games.action_mask.argmax(axis=1))
        except OpponentError:
            now = [observations, *(np.array(value) for value in infos.values())]
            assert all(np.array_equal(*pair) for pair in zip(held, now, strict=True))
            return
    pytest.fail("no opponent was asked")


@fewest
def test_an_opponent_may_not_step_the_batch_it_plays_in(game: str, players: int) -> None:
    def stepping(observations: Array, masks: Array, seats: Array) -> Array:
        games.step(games.action_mask.argmax(axis=1))
        return thoughtful(observations, masks, seats)

    games = skyline.vector(game, 3, players, seat=0, opponents=thoughtful, illegal="lose")
    games.reset(seed=SEED)
    twin = games.clone()
    for _ in range(30):
        games.set_opponents(stepping)
        before = all_of(games)
        try:
            games.step(games.action_mask.argmax(axis=1))
        except RuntimeError as error:
            assert "a step or reset is going on" in str(error)
            assert all_of(games) == before
            games.set_opponents(thoughtful)
            for part in (games, twin):
                part.step(part.action_mask.argmax(axis=1))
            assert all_of(games) == all_of(twin)
            return
        twin.step(twin.action_mask.argmax(axis=1))
    pytest.fail("no opponent was asked")


# ---------------------------------------------------------------- what a learner is told


@most
@pytest.mark.parametrize("seat", [None, "rotate"])
@modes
def test_no_info_names_a_seed(game: str, players: int, seat: Any, mode: str) -> None:
    """Infos name an ended game by its number in the row, not by its seed, from which the next seed follows."""
    games = skyline.vector(game, 3, players, seat=seat, illegal="lose", autoreset=mode)
    _, infos = games.reset(seed=2**63 + 12345)
    chain, episodes = [games.seeds], np.zeros(3, int)
    for number in range(6):
        actions = games.action_mask.argmax(axis=1)
        lost = np.arange(3) == number % 3
        actions[lost] = -1
        *_, infos = games.step(actions)
        assert infos["final_info"]["episode"][lost].tolist() == episodes[lost].tolist()
        assert [seed for seed, ended in zip(games.final_seeds, lost, strict=True) if ended] == [chain[-1][number % 3]]
        episodes[lost] += 1
        if mode == "disabled":
            games.reset(options={"reset_mask": lost})
        if mode == "next_step":
            games.step(games.action_mask.argmax(axis=1))
        chain.append(games.seeds)
        known = {seed for seeds in chain for seed in seeds}
        assert not known & {int(value) for value in numbers(infos)}
    games.reset(seed=7)
    *_, infos = games.step(np.full(3, -1))
    assert infos["final_info"]["episode"].tolist() == [0, 0, 0], "a seed begins the count anew"


def numbers(infos: Any) -> list[Any]:
    """All numbers in infos."""
    if isinstance(infos, dict):
        return [number for value in infos.values() for number in numbers(value)]
    return np.asarray(infos).ravel().tolist()


@fewest
def test_no_info_of_one_seat_or_of_an_agent_names_a_seed(game: str, players: int) -> None:
    one = skyline.single(game, players, illegal="lose")
    one.reset(seed=2**63 + 12345)
    info = one.step(-1)[4]
    assert info["episode"] == 0
    assert not {*one.games.seeds, *one.games.final_seeds} & {int(value) for value in numbers(info)}
    assert "seed" not in info
    env = skyline.env(game, players)
    env.reset(seed=2**63 + 12345)
    assert all(set(info) == {"action_mask"} for info in env.infos.values())
