"""One seat of a game as a `gymnasium.Env`, made by its id: masks, results, Gymnasium's own checks."""

from __future__ import annotations

import inspect

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from skyline import registry
from skyline.envs.single import SingleSeat
from tests.support.playing import NAMES, most, names, outcomes, pick


@names
def test_gymnasium_check_env(game: str) -> None:
    """The checker plays actions outside the mask, which lose the game."""
    check_env(gymnasium.make(registry.find(game).id, illegal="lose").unwrapped, skip_render_check=True)


@most
def test_single_seat_masks_and_result(game: str, players: int) -> None:
    env = gymnasium.make(registry.find(game).id, players=players, opponents="heuristic", seat="rotate").unwrapped
    rng, seats = np.random.default_rng(1), []
    observation, info = env.reset(seed=1)
    for _ in range(players):
        seats.append(info["seat"])
        ended = False
        while not ended:
            mask = env.action_masks()
            assert mask.dtype == bool
            assert mask.any()
            assert mask.tolist() == info["action_mask"].astype(bool).tolist()
            assert observation in env.observation_space
            observation, reward, ended, truncated, info = env.step(pick(mask, rng))
            assert truncated is False
        assert reward == pytest.approx(outcomes(info["places"].tolist())[seats[-1]])
        assert not env.action_masks().any()
        with pytest.raises(gymnasium.error.ResetNeeded, match="after the end"):
            env.step(0)
        observation, info = env.reset()
    assert seats == list(range(players))


def test_single_seat_is_documented_and_needs_a_seat() -> None:
    assert inspect.getdoc(SingleSeat)
    with pytest.raises(ValueError, match="needs a seat"):
        SingleSeat(NAMES[0], seat=None)  # type: ignore[arg-type]


def test_render_without_a_mode_says_what_to_do() -> None:
    env = SingleSeat(NAMES[0])
    env.reset(seed=1)
    with pytest.warns(UserWarning, match='make the environment with render_mode="ansi"'):
        assert env.render() is None
