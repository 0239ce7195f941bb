"""The PettingZoo environment, for every game: the suites of PettingZoo and Gymnasium, rewards, settings.

Refusals are in test_aec_illegal.py, one seat alone in test_single_seat.py, copies, positions and pictures in
test_aec_copies.py.
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
    FEW,
    FEWEST,
    GAME,
    MOST,
    NAMES,
    TABLES,
    Array,
    advance,
    aec,
    decisions,
    finish,
    margins,
    outcomes,
    pick,
    raw,
    recorded,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo's tests import one of its games the old way
    from pettingzoo.test import api_test, parallel_api_test, seed_test

pytestmark = pytest.mark.filterwarnings(
    # the suites reset with {"options": 1}, which nobody knows: we say so (warnings are errors, see pyproject.toml)
    "ignore:reset knows the options position and setup:UserWarning",
    # api_test knows observations with a mask by the names of eight classic games only
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    # agents that are done have no legal action: their mask is all zeros
    "ignore:Action mask numpy array is all zeros:UserWarning",
)

tables = pytest.mark.parametrize(("game", "players"), TABLES)
fewest = pytest.mark.parametrize(("game", "players"), FEWEST)
most = pytest.mark.parametrize(("game", "players"), MOST)
names = pytest.mark.parametrize("game", NAMES)


# ---------------------------------------------------------------- the suites


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


# ---------------------------------------------------------------- made by module, id and function


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
    """Rewards of a whole parallel game are those of the same moves in the AEC environment."""
    parallel, env, rng = module(game).parallel_env(reward="score"), aec(game, 2, seed=8, reward="score"), generator()
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


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def result(env: TurnBasedEnv) -> dict[str, Any]:
    """Scores and places of the state as it is."""
    return {
        "scores": [int(score) for score in env._states["scores"][0][: env.players]],
        "places": env.game.places(env._states[0]),
    }


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


# ---------------------------------------------------------------- rewards


@tables
@pytest.mark.parametrize("kind", ["outcome", "score", "margin"])
def test_rewards_are_those_of_the_record(game: str, players: int, kind: str) -> None:
    """last() gives every agent what came since its own last move, counted by hand on a record beside the game."""
    env = aec(game, players, seed=players, reward=kind)
    recorder = recorded(env)
    noted, total = scores(recorder), dict.fromkeys(env.agents, 0.0)
    for agent, _, reward, action in decisions(env, generator(players)):
        seat, now = env.possible_agents.index(agent), scores(recorder)
        assert reward == (now[seat] - noted[seat] if kind == "score" else 0)
        total[agent] += reward
        noted[seat] = now[seat]
        recorder.play(action)
    last = finish(env)
    final = recorder.result()
    wanted = {"outcome": outcomes(final["places"]), "margin": margins(final["scores"]), "score": final["scores"]}[kind]
    assert [total[agent] + last[agent] for agent in total] == pytest.approx(wanted)
    if kind == "outcome":
        assert sum(last.values()) == pytest.approx(0, abs=1e-6)
    if kind != "score":  # points may all have come before
        assert sum(reward != 0 for reward in last.values()) > 0, "the last rewards reach seats that do not move last"


def scores(recorder: Any) -> list[int]:
    found: list[int] = recorder.result()["scores"]
    return found


@pytest.mark.parametrize(
    ("places", "wanted"),
    [
        ([1, 2], [1, -1]),
        ([1, 1], [0, 0]),
        ([3, 1, 2], [-1, 1, 0]),
        ([1, 2, 2], [1, -0.5, -0.5]),
        ([1, 1, 3], [0.5, 0.5, -1]),
        ([2, 1, 4, 2], [0, 1, -1, 0]),
        ([1, 1, 3, 3], [2 / 3, 2 / 3, -2 / 3, -2 / 3]),
    ],
)
def test_the_hand_computation_shares_places(places: list[int], wanted: list[float]) -> None:
    """What the outcomes here and in test_vector.py (where ties happen) are compared with."""
    assert outcomes(places) == pytest.approx(wanted)


@fewest
def test_rewards_after_a_step_are_what_the_step_brought(game: str, players: int) -> None:
    """`rewards` hold the last step only; `_cumulative_rewards` of the mover begin anew with its move."""
    env = aec(game, players, seed=4, reward="score")
    before = result(env)["scores"]
    for _ in decisions(env, generator(4)):
        now = result(env)["scores"]
        if env._steps:
            assert [env.rewards[agent] for agent in env.agents] == [a - b for a, b in zip(now, before, strict=True)]
        before = now


# ---------------------------------------------------------------- seeds


@tables
def test_the_same_seed_is_the_same_game(game: str, players: int) -> None:
    one, two = aec(game, players, seed=0), aec(game, players)
    two.reset(seed=99)
    advance(two, 20)
    two.reset(seed=0)
    assert raw(one) == raw(two)
    assert advance(one, 30, seed=1) == advance(two, 30, seed=1)
    assert raw(one) == raw(two)
    assert raw(aec(game, players, seed=1)) != raw(aec(game, players, seed=0))


@fewest
def test_reset_continues_the_chain(game: str, players: int) -> None:
    """reset() without a seed begins the next game of the chain, however the one before was played."""
    one, two = aec(game, players, seed=5), aec(game, players, seed=5)
    for moves in (0, 3, 10**9):
        advance(one, moves)
        one.reset()
        two.reset()
        assert raw(one) == raw(two) == raw(aec(game, players, seed=one.game_seed))
    assert one.game_seed not in (5, 6)


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("1", TypeError)])
def test_wrong_seeds_are_refused(seed: Any, error: type[Exception]) -> None:
    env = aec(GAME, FEW, seed=1)
    before = raw(env)
    with pytest.raises(error, match="seed"):
        env.reset(seed=seed)
    assert raw(env) == before


@fewest
def test_environments_without_seed_differ(game: str, players: int) -> None:
    one, two = aec(game, players), aec(game, players)
    one.reset()
    two.reset()
    assert one.game_seed != two.game_seed


def test_nothing_is_called_seed() -> None:
    """Wrappers (Tianshou's is one) call env.seed(n) where there is one, and reset(seed=n) elsewhere."""
    assert not hasattr(aec(*FEWEST[0]), "seed")


@fewest
def test_interleaved_environments_do_not_interact(game: str, players: int) -> None:
    alone = []
    for seed in (1, 2):
        env = aec(game, players, seed=seed)
        advance(env, 40, seed)
        alone.append(raw(env))
    envs = [aec(game, players, seed=seed) for seed in (1, 2)]
    walks = [decisions(env, generator(seed), 40) for env, seed in zip(envs, (1, 2), strict=True)]
    for _ in zip(*walks, strict=False):
        pass
    for walk in walks:
        list(walk)
    assert [raw(env) for env in envs] == alone


# ---------------------------------------------------------------- observations


@tables
def test_observations_and_masks_lie_in_their_spaces(game: str, players: int) -> None:
    """For every agent at every decision; only the decider has a mask, and it is in its infos too."""
    env = aec(game, players, seed=2, features="rich", obs_dtype="float32")
    for agent, observation, _, _ in decisions(env, generator(2)):
        assert observation in env.observation_space(agent)
        assert env.infos[agent]["action_mask"].tolist() == observation["action_mask"].tolist()
        for other in env.agents:
            if other != agent:
                seen = env.observe(other)
                assert seen in env.observation_space(other)
                assert not seen["action_mask"].any()
                assert not env.infos[other]["action_mask"].any()
    for agent in env.agents:
        assert env.observe(agent) in env.observation_space(agent)
        assert not env.observe(agent)["action_mask"].any()


@tables
def test_views_of_the_same_state_agree(game: str, players: int) -> None:
    """float32 is raw / scale, rich begins with base, state() is all views together."""
    base, rich = aec(game, players, seed=6), aec(game, players, seed=6, features="rich")
    scaled = aec(game, players, seed=6, obs_dtype="float32")
    table = base.game.observation(players)
    scale = table.per_value("scale").astype(np.float32)
    for agent, seen, _, action in decisions(base, generator(6), 60):
        assert np.array_equal(rich.observe(agent)["observation"][: table.size()], seen["observation"])
        assert np.array_equal(scaled.observe(agent)["observation"], seen["observation"].astype(np.float32) / scale)
        together = base.state()
        assert together in base.state_space
        for seat, other in enumerate(base.agents):
            assert np.array_equal(together[seat], base.observe(other)["observation"])
        rich.step(action)
        scaled.step(action)
    assert raw(base) == raw(rich) == raw(scaled)


@fewest
def test_copies_are_never_written_again(game: str, players: int) -> None:
    """copy=True: all arrays of a game are kept and compared; copy=False: the same buffers all the time."""
    env, kept = aec(game, players, seed=3), list[tuple[Array, Array]]()
    for agent, observation, _, _ in decisions(env, generator(3)):
        arrays = [*observation.values(), env.infos[agent]["action_mask"], *env.observe(env.agents[0]).values()]
        kept += [(array, array.copy()) for array in arrays]
    assert all(np.array_equal(array, then) for array, then in kept)
    reused = aec(game, players, seed=3, copy=False)
    seen = [observation for _, observation, _, _ in decisions(reused, generator(3), 8)]
    for name in ("observation", "action_mask"):
        assert len({first[name].__array_interface__["data"][0] for first in seen}) == 1
    assert len(kept) > 8


@fewest
def test_observe_with_reused_buffers_shows_the_asked_agent(game: str, players: int) -> None:
    env, fresh = aec(game, players, seed=3, copy=False), aec(game, players, seed=3)
    for agent, *_, action in decisions(fresh, generator(3), 30):
        for asked in (*fresh.agents, agent, agent):
            wanted, got = fresh.observe(asked), env.observe(asked)
            assert all(np.array_equal(wanted[name], got[name]) for name in wanted)
        env.step(action)


# ---------------------------------------------------------------- max_cycles, forced moves


@fewest
def test_max_cycles_truncates_everyone(game: str, players: int) -> None:
    env = aec(game, players, seed=3, max_cycles=7)
    assert len(advance(env, 100)) == 7
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(finish(env)) == set(env.possible_agents)
    assert env.agents == []
    env.reset(seed=3)
    assert not any(env.truncations.values())
    assert len(advance(env, 100)) == 7


@tables
@pytest.mark.parametrize("kind", ["outcome", "score", "margin"])
def test_auto_forced_is_playing_forced_moves_by_hand(game: str, players: int, kind: str) -> None:
    """The same states at every choice and the same rewards between an agent's choices."""
    forced = sum(forced_moves_by_hand(game, players, seed, kind) for seed in range(5))
    assert forced > 0, "there were no forced moves"


def forced_moves_by_hand(game: str, players: int, seed: int, kind: str) -> int:
    """Compare one game; how many moves were forced."""
    env = aec(game, players, seed=seed, auto_forced=True, reward=kind)
    by_hand = aec(game, players, seed=seed, reward=kind)
    earned, rng, forced = dict.fromkeys(by_hand.agents, 0.0), generator(seed), 0

    def play_by_hand(action: int) -> None:
        by_hand.step(action)
        for agent in earned:
            earned[agent] += by_hand.rewards[agent]

    while True:
        while len(by_hand.legal_moves()) == 1:
            play_by_hand(int(by_hand.last()[0]["action_mask"].argmax()))
            forced += 1
        assert raw(env) == raw(by_hand)
        assert env._cumulative_rewards == pytest.approx(earned)
        if env.terminations[env.agent_selection]:
            assert by_hand.terminations == env.terminations
            return forced
        assert len(env.legal_moves()) > 1
        action = pick(env.last()[0]["action_mask"], rng)
        earned[env.agent_selection] = 0.0
        env.step(action)
        play_by_hand(action)
