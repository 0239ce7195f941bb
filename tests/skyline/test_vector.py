"""Games that are stepped together are the games that are stepped alone, byte for byte.

Here the caller moves every seat. Refusals are in test_vector_illegal.py, a learning seat is in test_vector_seat.py.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import skyline
from skyline import registry
from skyline.envs import rows as batch
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT
from tests.support.playing import (
    Array,
    aec,
    fewest,
    most,
    most_decisions,
    outcomes,
    pick,
    raw,
    tables,
)

SEED = 50


def generators(seeds: list[int]) -> list[np.random.Generator]:
    """A source of moves for every game that depends on its seed only."""
    return [np.random.default_rng(seed) for seed in seeds]


def choose(games: VectorGames, rngs: list[np.random.Generator]) -> Array:
    """A random legal action in every running game, any number in the others."""
    return np.array(
        [pick(mask, rng) if mask.any() else 10**6 for mask, rng in zip(games.action_mask, rngs, strict=True)]
    )


def snapshot(games: VectorGames) -> tuple[bytes, ...]:
    """All data that a refused call must not change."""
    arrays = (games.states, games.finals, games.action_mask, games.rewards_all, games.learner, games.observations)
    return tuple(array.tobytes() for array in arrays)


class Twin:
    """The AEC environment of one row, which the row must equal."""

    def __init__(self, games: VectorGames, seed: int, **settings: Any) -> None:
        self.env = aec(games.game.name, games.players, seed=seed, **settings)
        self.mode = games.metadata["autoreset_mode"]
        self.over = False
        self.ended = 0

    def step(self, action: int) -> dict[str, Any]:
        """The results that the batch's step must give for this row."""
        env = self.env
        if self.over:
            if self.mode == AutoresetMode.NEXT_STEP:
                env.reset()
                self.over = False
            return {"rewards": [0.0] * env.players, "ended": False}
        mover = env.agent_selection
        env.step(action)
        said = {"rewards": [env.rewards[agent] for agent in env.agents], "ended": env.terminations[mover]}
        said["mover"] = env.agents.index(mover)
        if said["ended"]:
            self.ended += 1
            s = env._states[0]
            said |= {"obs": env.observe(mover)["observation"], "scores": s.scores[: env.players].tolist()}
            said |= {"places": env.game.places(s), "episode": self.ended - 1}
            self.over = self.mode != AutoresetMode.SAME_STEP
            if not self.over:
                env.reset()
        return said

    def check_state(self, games: VectorGames, row: int, observation: Array) -> None:
        """State, mask, observation and decider of the row are those of the environment."""
        assert games.states[row].tobytes() == raw(self.env)
        if self.over:
            assert not games.action_mask[row].any()
            assert games.current_player[row] == NO_SEAT
            return
        seen = self.env.last()[0]
        assert np.array_equal(observation, seen["observation"])
        assert np.array_equal(games.action_mask[row], seen["action_mask"])
        assert self.env.possible_agents[games.current_player[row]] == self.env.agent_selection

    def check_said(self, row: int, said: dict[str, Any], wanted: dict[str, Any]) -> None:
        """Rewards and the end of the row are those of the environment."""
        assert said["rewards_all"][row].tolist() == pytest.approx(wanted["rewards"], abs=1e-6)
        assert said["ended"][row] == wanted["ended"]
        if "mover" in wanted:
            assert said["rewards"][row] == said["rewards_all"][row, wanted["mover"]]
        if wanted["ended"]:
            assert np.array_equal(said["final_obs"][row], wanted["obs"])
            for name in ("scores", "places", "episode"):
                assert said["final_info"][name][row].tolist() == wanted[name]


def step(games: VectorGames, actions: Array) -> tuple[Array, dict[str, Any]]:
    """Observations and everything else of a step in one dict."""
    observations, rewards, ended, truncated, infos = games.step(actions)
    assert not (ended & truncated).any()
    assert (infos["action_mask"] is games.action_mask) is not games.copy
    assert np.array_equal(infos["action_mask"], games.action_mask)
    assert np.array_equal(infos["current_player"], games.current_player)
    over = ended | truncated
    assert ("final_obs" in infos) == over.any()
    if over.any():
        assert np.array_equal(infos["_final_obs"], over)
        assert not infos["final_obs"][~over].any()
        assert np.array_equal(infos["_final_info"], over)
    return observations, {"rewards": rewards, "ended": ended, "truncated": truncated, **infos}


def compare(game: str, players: int, n: int = 3, games_each: int = 2, mode: str = "same_step", **settings: Any) -> None:
    """Step n games and their twins until every row has finished some games."""
    games = skyline.vector(game, n, players, autoreset=mode, **settings)
    observations, infos = games.reset(seed=SEED)
    twins = [Twin(games, SEED + row, **settings) for row in range(n)]
    rngs = generators([SEED + row for row in range(n)])
    assert np.array_equal(infos["action_mask"], games.action_mask)
    assert not infos["rewards_all"].any()
    while min(twin.ended for twin in twins) < games_each:
        for row, twin in enumerate(twins):
            twin.check_state(games, row, observations[row])
        actions = choose(games, rngs)
        observations, said = step(games, actions)
        for row, twin in enumerate(twins):
            twin.check_said(row, said, twin.step(int(actions[row])))
        if mode == "disabled" and said["ended"].any():
            for row in np.flatnonzero(said["ended"]):
                twins[row].env.reset()
                twins[row].over = False
            observations, _ = games.reset(options={"reset_mask": said["ended"]})


# ---------------------------------------------------------------- the same as alone


@tables
@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_games_together_are_games_alone(game: str, players: int, mode: str) -> None:
    compare(game, players, mode=mode)


@most
@pytest.mark.parametrize(
    "settings",
    [
        {"reward": "score"},
        {"reward": "margin"},
        {"obs_dtype": "float32"},
        {"features": "rich"},
        {"auto_forced": True},
        {"auto_forced": True, "reward": "score"},
    ],
    ids=str,
)
def test_the_same_with_settings(game: str, players: int, settings: dict[str, Any]) -> None:
    compare(game, players, **settings)


@fewest
@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_games_that_are_over_stay_over_until_they_are_reset(game: str, players: int, mode: str) -> None:
    """With "disabled" until a reset; with "next_step" for one step, whose action is ignored."""
    games = skyline.vector(game, 2, players, autoreset=mode, auto_forced=True)
    games.reset(seed=SEED)
    rngs = generators([1, 2])
    ended = np.zeros(2, bool)
    while not ended.any():
        _, said = step(games, choose(games, rngs))
        ended = said["ended"]
    row = int(ended.argmax())
    before = games.states[row].tobytes()
    for number in range(3):
        observations, said = step(games, choose(games, rngs))
        assert not said["ended"][row]
        assert not said["rewards_all"][row].any()
        if mode == "next_step":
            assert games.states["seat"][row] != NO_SEAT
            return
        assert games.states[row].tobytes() == before
        assert np.array_equal(observations[row], games.final_observation(0)[row]), number


# ---------------------------------------------------------------- whatever the batch


def history(games: VectorGames, seeds: list[int], steps: int) -> list[list[bytes]]:
    """Bytes of state, mask, observation and rewards of every row after every step."""
    observations, _ = games.reset(seed=seeds)
    rngs, seen = generators(seeds), list[list[bytes]]([] for _ in seeds)
    for _ in range(steps):
        for row, one in enumerate(seen):
            parts = (games.states[row], games.action_mask[row], observations[row], games.rewards_all[row])
            one.append(b"".join(part.tobytes() for part in parts))
        observations, *_ = games.step(choose(games, rngs))
    return seen


@most
def test_batch_size_order_and_threads_change_nothing(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is long enough for several games in each row."""
    monkeypatch.setattr(batch, "ROWS_A_THREAD", 1)
    steps, seeds = min(int(1.3 * most_decisions(game, players)), 300), [5, 0, 2**64 - 1, 77, 6]
    wanted = history(skyline.vector(game, 5, players), seeds, steps)
    for threads in (2, 3, 8):
        assert history(skyline.vector(game, 5, players, threads=threads), seeds, steps) == wanted
    assert history(skyline.vector(game, 5, players), seeds[::-1], steps) == wanted[::-1]
    assert history(skyline.vector(game, 2, players, threads=2), seeds[1:3], steps) == wanted[1:3]
    assert history(skyline.vector(game, 1, players), seeds[4:], steps) == wanted[4:]


@fewest
def test_a_seed_means_the_same_in_every_form(game: str, players: int) -> None:
    """seed=s gives row i the game s + i; a list gives each row its seed; None goes on with the seeds of the rows."""
    one, two = skyline.vector(game, 4, players), skyline.vector(game, 4, players)
    one.reset(seed=9)
    two.reset(seed=[9, 10, 11, 12])
    assert one.states.tobytes() == two.states.tobytes()
    assert one.seeds == [9, 10, 11, 12]
    one.reset()
    for row in range(4):
        env = aec(game, players, seed=9 + row)
        env.reset()
        assert one.states[row].tobytes() == raw(env)
    one.reset(seed=9)
    assert one.states.tobytes() == two.states.tobytes()
    fresh, other = skyline.vector(game, 4, players), skyline.vector(game, 4, players)
    fresh.reset()
    other.reset()
    assert len({*fresh.seeds, *other.seeds}) == 8


@fewest
@pytest.mark.parametrize(
    ("seed", "error", "said"),
    [
        (-1, ValueError, "seed -1"),
        (2**64 - 1, ValueError, "outside"),
        ([1, 2], ValueError, "has one for each of the 3 games, not 2"),
        ([1, 2, 1.5], TypeError, "1.5"),
        (0.5, TypeError, "0.5"),
    ],
)
def test_wrong_seeds_change_nothing(game: str, players: int, seed: Any, error: type[Exception], said: str) -> None:
    games = skyline.vector(game, 3, players)
    games.reset(seed=1)
    before = games.states.tobytes()
    with pytest.raises(error, match=said):
        games.reset(seed=seed)
    assert games.states.tobytes() == before


@fewest
def test_reset_mask_begins_those_games_only(game: str, players: int) -> None:
    games = skyline.vector(game, 4, players)
    games.reset(seed=SEED)
    for _ in range(6):
        games.step(games.action_mask.argmax(axis=1))
    before = games.states.copy()
    mask = np.array([False, True, False, True])
    games.reset(options={"reset_mask": mask})
    assert games.states[~mask].tobytes() == before[~mask].tobytes()
    for row in (1, 3):
        env = aec(game, players, seed=SEED + row)
        env.reset()
        assert games.states[row].tobytes() == raw(env)
    games.reset(seed=7, options={"reset_mask": mask})
    assert games.seeds == [SEED, 8, SEED + 2, 10]
    assert games.states[~mask].tobytes() == before[~mask].tobytes()
    wrong = [np.ones(3, bool), np.ones(4, int), np.zeros(4, bool), [True], None is None]
    for given in wrong:
        with pytest.raises(ValueError, match=r"reset_mask is a bool array of shape \(4,\)"):
            games.reset(options={"reset_mask": given})
    with pytest.raises(ValueError, match="not position"):
        games.reset(options={"position": {}})


# ---------------------------------------------------------------- arrays, spaces, results


@fewest
def test_copies_are_never_written_again(game: str, players: int) -> None:
    """By default every array that was handed out stays as it was; with copy=False the arrays are always the same."""
    games = skyline.vector(game, 3, players)
    observations, infos = games.reset(seed=SEED)
    rngs, kept = generators([1, 2, 3]), list[tuple[Array, Array]]()
    for _ in range(40):
        arrays = [observations, infos["action_mask"], infos["rewards_all"], infos["current_player"]]
        kept += [(array, array.copy()) for array in arrays]
        observations, rewards, ended, truncated, infos = games.step(choose(games, rngs))
        kept += [(array, array.copy()) for array in (rewards, ended, truncated)]
    assert all(np.array_equal(array, then) for array, then in kept)
    reused = skyline.vector(game, 3, players, copy=False)
    first, infos = reused.reset(seed=SEED)
    again, *_, later = reused.step(reused.action_mask.argmax(axis=1))
    assert again is first
    assert later["action_mask"] is infos["action_mask"]


@most
@pytest.mark.parametrize("obs_dtype", ["int16", "float32"])
def test_spaces_hold_what_is_handed_out(game: str, players: int, obs_dtype: str) -> None:
    games = skyline.vector(game, 3, players, obs_dtype=obs_dtype)
    observations, _ = games.reset(seed=SEED)
    rngs = generators([1, 2, 3])
    for _ in range(30):
        assert observations in games.observation_space
        assert all(observation in games.single_observation_space for observation in observations)
        actions = choose(games, rngs)
        assert actions in games.action_space
        observations, rewards, ended, truncated, _ = games.step(actions)
        assert rewards.dtype == np.float32
        assert ended.dtype == truncated.dtype == bool
        assert {array.shape for array in (rewards, ended, truncated)} == {(3,)}


@most
def test_ended_games_in_a_large_batch_have_shared_places_and_outcomes(game: str, players: int) -> None:
    """In hundreds of games the rewards are those of the places, computed by hand, also for ties."""
    n = 128
    games, rng = skyline.vector(game, n, players), np.random.default_rng(0)
    games.reset(seed=SEED)
    ended_once, seeds = np.zeros(n, bool), set[int]()
    while not ended_once.all():
        before = games.seeds
        weights = games.action_mask * rng.random(games.action_mask.shape)
        _, said = step(games, weights.argmax(axis=1))
        for row in np.flatnonzero(said["ended"]):
            places = said["final_info"]["places"][row].tolist()
            assert said["rewards_all"][row].tolist() == pytest.approx(outcomes(places), abs=1e-6)
            assert games.final_seeds[row] == before[row]
            seeds.add(before[row])
        ended_once |= said["ended"]
    assert len(seeds) >= n


# ---------------------------------------------------------------- gymnasium


@fewest
def test_made_by_its_id(game: str, players: int) -> None:
    games = gymnasium.make_vec(registry.find(game).id, num_envs=3, players=players, autoreset="next_step")
    assert isinstance(games, VectorGames)
    assert games.num_envs == 3
    assert games.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, _ = games.reset(seed=1)
    assert observations in games.observation_space
    assert games.spec is not None
    games.close()
