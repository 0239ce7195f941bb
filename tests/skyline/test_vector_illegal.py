"""Illegal actions and wrong settings of the batched environment: a clear error, and no game has changed."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import skyline
from skyline.envs.vector import VectorGames
from skyline.game import IllegalMove
from tests.skyline.test_vector import SEED, Twin, choose, generators, snapshot, step
from tests.support.playing import FEW, GAME, fewest, most, raw


@most
@pytest.mark.parametrize("row", [0, 2, 3])
def test_an_illegal_action_raises_with_its_game_and_changes_nothing(game: str, players: int, row: int) -> None:
    games = skyline.vector(game, 4, players)
    games.reset(seed=SEED)
    rngs = generators([1, 2, 3, 4])
    for _ in range(9):
        games.step(choose(games, rngs))
    before, good = snapshot(games), choose(games, rngs)
    size, seat = games.action_mask.shape[1], games.current_player[row]
    for wrong in (-1, size, 2**40, -(2**63), *np.flatnonzero(games.action_mask[row] == 0)[:20].tolist()):
        actions = good.copy()
        actions[row] = wrong
        with pytest.raises(IllegalMove, match=rf"^game {row}, player_{seat}: .*legal: "):
            games.step(actions)
        assert snapshot(games) == before, f"after the action {wrong}"
    _, said = step(games, good)
    assert said["rewards"].shape == (4,)


@fewest
@pytest.mark.parametrize(
    "actions",
    [
        [0, 0], [[0], [0], [0]], 0, None, [0.0, 0.0, 0.0], [True, True, True], ["0", "0", "0"],
        np.zeros(4, int), np.zeros((3, 1), int), np.zeros(3, np.float32), np.zeros(3, object),
    ],
    ids=repr,
)  # fmt: skip
def test_wrong_shapes_and_types_of_actions(game: str, players: int, actions: Any) -> None:
    games = skyline.vector(game, 3, players, illegal="lose")
    games.reset(seed=1)
    before = snapshot(games)
    with pytest.raises(ValueError, match=r"actions are whole numbers of shape \(3,\)"):
        games.step(actions)
    assert snapshot(games) == before


@fewest
@pytest.mark.parametrize("whole", [np.int8, np.int32, np.int64, np.uint64, list, tuple])
def test_whole_numbers_of_every_type_are_actions(game: str, players: int, whole: Any) -> None:
    games, other = skyline.vector(game, 3, players), skyline.vector(game, 3, players)
    games.reset(seed=1)
    other.reset(seed=1)
    actions = games.action_mask.argmax(axis=1)
    games.step(actions.astype(whole) if whole not in (list, tuple) else whole(actions.tolist()))
    other.step(actions)
    assert snapshot(games) == snapshot(other)


@fewest
def test_a_step_before_reset_is_refused(game: str, players: int) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="before reset"):
        skyline.vector(game, 3, players).step(np.zeros(3, int))


@most
@pytest.mark.parametrize("kind", ["outcome", "score"])
def test_illegal_lose_ends_that_game_only(game: str, players: int, kind: str) -> None:
    """-1 for the mover, 0 for the others, and the next game of the row begins."""
    games = skyline.vector(game, 3, players, illegal="lose", reward=kind)
    games.reset(seed=SEED)
    twins = [Twin(games, SEED + row, reward=kind) for row in range(3)]
    actions = games.action_mask.argmax(axis=1)
    for wrong in (-1, games.action_mask.shape[1]):
        mover, seed = games.current_player[1], games.seeds[1]
        given = actions.copy()
        given[1] = wrong
        _, said = step(games, given)
        assert said["ended"].tolist() == [False, True, False]
        assert said["rewards_all"][1].tolist() == [-1.0 if seat == mover else 0.0 for seat in range(players)]
        assert said["rewards"][1] == -1
        assert games.final_seeds[1] == seed
        twins[1].env.reset()
        assert games.states[1].tobytes() == raw(twins[1].env)
        for row in (0, 2):
            twins[row].step(int(actions[row]))
            assert games.states[row].tobytes() == raw(twins[row].env)
        actions = games.action_mask.argmax(axis=1)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"num_envs": 0}, "num_envs is a whole number 1 .. 1048576"),
        ({"num_envs": 2.0}, "num_envs is a whole number 1 .. 1048576"),
        ({"players": 99}, "99"),
        ({"reward": "points"}, "reward is one of"),
        ({"autoreset": "maybe"}, "autoreset is one of"),
        ({"illegal": "skip"}, "illegal is one of"),
        ({"features": "poor"}, "features is one of"),
        ({"obs_dtype": "int8"}, "obs_dtype is one of"),
        ({"seat": 99}, "seat is a whole number 0 .. "),
        ({"seat": "first"}, "seat is a whole number 0 .. "),
        ({"opponents": "heuristic"}, "opponents need a learning seat"),
        ({"seat": 0, "opponents": "strong"}, "an opponent is one of 'random', 'heuristic'"),
        ({"seat": 0, "opponents": ["random"] * 9}, "not 9"),
        ({"no_such_option": 1}, "no_such_option"),
    ],
    ids=str,
)
def test_wrong_settings_are_named(settings: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        VectorGames(**{"game": GAME, "num_envs": 2, "players": FEW, **settings})
