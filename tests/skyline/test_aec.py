"""The PettingZoo environment, for every game: the suites of PettingZoo and Gymnasium, ways to make one, settings.

Rewards are in test_aec_rewards.py, seeds in test_aec_seeds.py, observations in test_aec_observations.py, refusals in
test_aec_illegal.py, one seat alone in test_single_seat.py, copies, positions and pictures in test_aec_copies.py.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import skyline
from skyline import registry
from skyline.envs.aec import TurnBasedEnv
from tests.support.playing import (
    aec,
    fewest,
    most,
    names,
    pick,
    raw,
    result,
    tables,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's tests import a game in a deprecated way
    from pettingzoo.test import api_test, parallel_api_test, seed_test

pytestmark = pytest.mark.filterwarnings(
    # the suites reset with the unknown option {"options": 1}; our warning would be an error (pyproject.toml)
    "ignore:reset knows the options position and setup:UserWarning",
    # api_test accepts observations with a mask only for the names of eight classic games
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    # the masks of ended agents are all zeros
    "ignore:Action mask numpy array is all zeros:UserWarning",
)


@tables
@pytest.mark.parametrize("obs_dtype", ["int16", "float32"])
def test_pettingzoo_api(game: str, players: int, obs_dtype: str) -> None:
    api_test(aec(game, players, obs_dtype=obs_dtype), num_cycles=100)


@fewest
def test_pettingzoo_seeds(game: str, players: int) -> None:
    """PettingZoo's test stops at the end of the first game; test_reset_continues_the_chain goes on."""
    seed_test(lambda: aec(game, players))


@names
def test_pettingzoo_parallel_api(game: str) -> None:
    parallel_api_test(module(game).parallel_env(), num_cycles=300)


def module(game: str) -> Any:
    return importlib.import_module(registry.find(game).module)


@most
def test_every_way_to_make_one_gives_the_same_game(game: str, players: int) -> None:
    """`<game>_v0.env`, `raw_env`, the registered id and `skyline.env`."""
    name = registry.find(game).id
    made = [
        skyline.env(game, players),
        module(game).env(players=players),
        module(game).raw_env(players=players),
        pettingzoo.make("aec", name, players=players),
    ]
    for env in made:
        env.reset(seed=11)
    assert len({raw(env.unwrapped) for env in made}) == 1
    assert len({str(env) for env in made}) == 1
    assert {env.metadata["name"] for env in made} == {f"{game}_v{registry.find(game).version}"}
    for env in made:
        assert isinstance(env.unwrapped, TurnBasedEnv)
        assert env.possible_agents == [f"player_{seat}" for seat in range(players)]


@names
def test_ids_are_registered_by_the_import(game: str) -> None:
    name = registry.find(game).id
    assert name in pettingzoo.aec_registry
    assert name in pettingzoo.parallel_registry
    assert name in gymnasium.registry
    parallel = pettingzoo.make("parallel", name)
    observations, _ = parallel.reset(seed=3)
    assert set(observations) == set(parallel.possible_agents)


@names
def test_parallel_plays_the_movers_action_only(game: str) -> None:
    """The rewards of a whole parallel game are those of the same moves in the AEC environment."""
    parallel, env, rng = (
        module(game).parallel_env(reward="score"),
        aec(game, 2, seed=8, reward="score"),
        np.random.default_rng(0),
    )
    observations, _ = parallel.reset(seed=8)
    got = dict.fromkeys(parallel.agents, 0.0)
    while parallel.agents:
        mover = parallel.unwrapped.agent_selection
        chosen = dict.fromkeys(parallel.agents, 0)
        chosen[mover] = pick(observations[mover]["action_mask"], rng)
        env.step(chosen[mover])
        observations, rewards, _, _, _ = parallel.step(chosen)
        got = {agent: got[agent] + rewards[agent] for agent in got}
    assert got == dict(zip(got, map(float, result(env)["scores"]), strict=True))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"players": 99}, "99"),
        ({"players": True}, "True"),
        ({"reward": "points"}, "reward is one of 'outcome', 'score', 'margin', not 'points'"),
        ({"illegal": "skip"}, "illegal is one of"),
        ({"features": "poor"}, "features is one of"),
        ({"obs_dtype": "int8"}, "obs_dtype is one of"),
        ({"render_mode": "gif"}, "render_mode is one of"),
        ({"max_cycles": 0}, "max_cycles is a whole number from 1 on, not 0"),
        ({"no_such_option": 1}, "no_such_option"),
    ],
)
@names
def test_wrong_settings_are_named(game: str, settings: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        skyline.env(game, **settings)
