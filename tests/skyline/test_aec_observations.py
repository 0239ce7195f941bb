"""The AEC environment, for every game: observations and masks."""

from __future__ import annotations

import numpy as np

from tests.support.playing import (
    Array,
    aec,
    decisions,
    fewest,
    raw,
    tables,
)


@tables
def test_observations_and_masks_lie_in_their_spaces(game: str, players: int) -> None:
    """For every agent at every decision. Only the agent to decide has a mask, which is also in its infos."""
    env = aec(game, players, seed=2, features="rich", obs_dtype="float32")
    for agent, observation, _, _ in decisions(env, np.random.default_rng(2)):
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
    """float32 is raw / scale, the rich form begins with the base form, state() is all observations together."""
    base, rich = aec(game, players, seed=6), aec(game, players, seed=6, features="rich")
    scaled = aec(game, players, seed=6, obs_dtype="float32")
    table = base.game.observation(players)
    scale = table.per_value("scale").astype(np.float32)
    for agent, seen, _, action in decisions(base, np.random.default_rng(6), 60):
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
    """With copy=True all arrays of a game stay as they were; with copy=False the buffers are always the same."""
    env, kept = aec(game, players, seed=3), list[tuple[Array, Array]]()
    for agent, observation, _, _ in decisions(env, np.random.default_rng(3)):
        arrays = [*observation.values(), env.infos[agent]["action_mask"], *env.observe(env.agents[0]).values()]
        kept += [(array, array.copy()) for array in arrays]
    assert all(np.array_equal(array, then) for array, then in kept)
    reused = aec(game, players, seed=3, copy=False)
    seen = [observation for _, observation, _, _ in decisions(reused, np.random.default_rng(3), 8)]
    for name in ("observation", "action_mask"):
        assert len({first[name].__array_interface__["data"][0] for first in seen}) == 1
    assert len(kept) > 8


@fewest
def test_observe_with_reused_buffers_shows_the_asked_agent(game: str, players: int) -> None:
    env, fresh = aec(game, players, seed=3, copy=False), aec(game, players, seed=3)
    for agent, *_, action in decisions(fresh, np.random.default_rng(3), 30):
        for asked in (*fresh.agents, agent, agent):
            wanted, got = fresh.observe(asked), env.observe(asked)
            assert all(np.array_equal(wanted[name], got[name]) for name in wanted)
        env.step(action)
