"""A step or reset of a batch that keeps histories is taken back wholly if an opponent fails or meddles."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import skyline
from skyline.envs.rows import WRITTEN_DOWN
from skyline.envs.vector import VectorGames
from skyline.game import Game
from skyline.typing import Array
from tests.support.toy_batches import LINE_UPS, PLAYERS, ROWS, actions_of, check, last_legal

pytestmark = pytest.mark.usefixtures("toy", "room")


class OpponentError(Exception):
    """An error that an opponent raises itself."""


def refusing(observations: Array, masks: Array, seats: Array) -> Array:
    raise OpponentError


def contents(games: VectorGames) -> list[Any]:
    """All arrays of a batch, of the moves those that are written down."""
    arrays, rows = games.snapshot()["arrays"], games._rows
    moves = [rows.moves[i, : rows.moved[i]].tolist() for i in range(ROWS)]
    final_moves = [rows.final_moves[i, : rows.final_moved[i]].tolist() for i in range(ROWS)]
    return [moves, final_moves, *(arrays[name].tobytes() for name in sorted(arrays) if name not in WRITTEN_DOWN)]


def played(toy: Game, steps: int) -> VectorGames:
    """A batch after some steps, whose functions have been asked."""
    games = skyline.vector(toy, ROWS, PLAYERS, history=True, **LINE_UPS["functions"])
    games.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(steps):
        games.step(actions_of(games, rng))
    return games


@pytest.mark.parametrize(("own", "other"), [(1, 14), (14, 1)])
def test_a_step_is_taken_back_after_a_snapshot_of_longer_or_shorter_games(toy: Game, own: int, other: int) -> None:
    games = played(toy, own)
    games.restore(played(toy, other).snapshot())
    games.set_opponents([refusing, "random"])
    rng, before = np.random.default_rng(2), contents(games)
    for _ in range(50):
        try:
            games.step(actions_of(games, rng))
        except OpponentError:
            assert contents(games) == before
            check(games)
            return
        before = contents(games)
    pytest.fail("no opponent was asked")


@pytest.mark.parametrize("deed", [
    lambda games: games.step(games.action_mask.argmax(axis=1)), lambda games: games.reset(seed=5),
    VectorGames.clone, copy.deepcopy, pickle.dumps, VectorGames.snapshot,
    lambda games: games.restore(played(games.game, 3).snapshot()), lambda games: games.set_opponents("random"),
], ids=["step", "reset", "clone", "deepcopy", "pickle", "snapshot", "restore", "set_opponents"])  # fmt: skip
def test_an_opponent_may_not_touch_the_batch_in_a_step(toy: Game, deed: Callable[[VectorGames], Any]) -> None:
    """The opponent tries when a game was over in the step: the games that were over are put back, too."""

    def meddling(observations: Array, masks: Array, seats: Array) -> Array:
        if games._rows.closed.any():
            deed(games)
        return last_legal(observations, masks, seats)

    games = played(toy, 3)
    games.set_opponents([meddling, "random"])
    rng = np.random.default_rng(4)
    for _ in range(100):
        before = contents(games)
        try:
            games.step(actions_of(games, rng))
        except RuntimeError as error:
            assert "an opponent may not step, reset, copy or change the batch" in str(error)
            assert contents(games) == before
            check(games)
            return
    pytest.fail("no opponent was asked after a game was over")


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_failing_steps_are_taken_back(toy: Game, mode: str) -> None:
    """The opponent fails at every second question, so steps in which games end, begin and go on are taken back."""
    asked = [0]

    def failing(observations: Array, masks: Array, seats: Array) -> Array:
        asked[0] += 1
        if asked[0] % 2:
            raise OpponentError
        return last_legal(observations, masks, seats)

    games = skyline.vector(toy, ROWS, PLAYERS, seat=1, opponents=last_legal, history=True, autoreset=mode)
    games.reset(seed=3)
    games.set_opponents([failing, "random"])
    rng, failed = np.random.default_rng(5), 0
    for _ in range(200):
        actions, before = actions_of(games, rng), contents(games)
        for _ in range(50):
            try:
                _, _, *ends, _ = games.step(actions)
                break
            except OpponentError:
                failed += 1
                assert contents(games) == before
        if mode == "disabled" and (over := np.logical_or(*ends)).any():
            games.set_opponents("random")
            games.reset(options={"reset_mask": over})
            games.set_opponents([failing, "random"])
    assert failed > 50
    check(games)


def test_a_failing_reset_is_taken_back(toy: Game) -> None:
    games = played(toy, 6)
    games.set_opponents([refusing, refusing])
    before = contents(games)
    for rows in ([True] * ROWS, [False, True, True, False, True]):
        for seed in range(20):
            try:
                games.reset(seed=seed, options={"reset_mask": np.array(rows)})
            except OpponentError:
                break
            before = contents(games)
        else:
            pytest.fail("no opponent was asked")
        assert contents(games) == before
        check(games)
