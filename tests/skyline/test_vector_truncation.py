"""`max_cycles` of batches and of one seat: a truncated row is the AEC environment truncated after as many steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skyline
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT
from tests.skyline.test_vector import SEED, choose, generators, step
from tests.skyline.test_vector_seat import LINE_UPS, SeatTwin, thoughtful
from tests.support.playing import FEWEST, GAME, MANY, MOST, Array, aec, others_slow, raw

CYCLES = 7
modes = pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
most = pytest.mark.parametrize(("game", "players"), others_slow(MOST))
fewest = pytest.mark.parametrize(("game", "players"), others_slow(FEWEST))


def check_result(said: dict[str, Any], row: int, env: Any, seat: int, episode: int) -> None:
    """Last observation and result of the row are those of the environment as it stands. (A game that was lost by an
    illegal action is over in the batch's state, and stands still in the environment's.)"""
    if said["truncated"][row]:
        assert np.array_equal(said["final_obs"][row], env.observe(f"player_{seat}")["observation"])
    state = env._states[0]
    assert said["final_info"]["scores"][row].tolist() == state.scores[: env.players].tolist()
    assert said["final_info"]["places"][row].tolist() == env.game.places(state)
    assert said["final_info"]["episode"][row] == episode


@most
@modes
@pytest.mark.parametrize("settings", [{}, {"auto_forced": True, "reward": "score", "obs_dtype": "float32"}], ids=str)
@pytest.mark.parametrize("cycles", [1, CYCLES])
def test_a_truncated_row_is_a_truncated_environment(
    game: str, players: int, mode: str, settings: dict[str, Any], cycles: int
) -> None:
    """At times an illegal action loses the game of row 1, so that the rows are not truncated in the same step."""
    settings = {**settings, "max_cycles": cycles, "illegal": "lose"}
    games = skyline.vector(game, 3, players, autoreset=mode, **settings)
    observations, _ = games.reset(seed=SEED)
    envs = [aec(game, players, seed=SEED + row, **settings) for row in range(3)]
    rngs, episodes, truncations = generators([1, 2, 3]), [0, 0, 0], 0
    for number in range(6 * cycles + 6):
        over = games.current_player == NO_SEAT
        for row in np.flatnonzero(~over):
            assert games.states[row].tobytes() == raw(envs[row])
            seen = envs[row].last()[0]
            assert np.array_equal(observations[row], seen["observation"])
            assert np.array_equal(games.action_mask[row], seen["action_mask"])
        actions = choose(games, rngs)
        actions[1] = -1 if number % 5 == 2 else actions[1]
        observations, said = step(games, actions)
        for row, env in enumerate(envs):
            if over[row]:
                assert not said["truncated"][row] and not said["ended"][row]
                if mode == "next_step":
                    env.reset()
                    episodes[row] += 1
                continue
            mover = env.agent_selection
            env.step(int(actions[row]))
            assert said["ended"][row] == env.terminations[mover]
            assert said["truncated"][row] == env.truncations[mover]
            assert said["rewards_all"][row].tolist() == [env.rewards[agent] for agent in env.possible_agents]
            assert said["rewards"][row] == env.rewards[mover]
            if env.terminations[mover] or env.truncations[mover]:
                truncations += int(said["truncated"][row])
                check_result(said, row, env, env.possible_agents.index(mover), episodes[row])
                if mode == "same_step":
                    env.reset()
                    episodes[row] += 1
                else:
                    assert np.array_equal(observations[row], said["final_obs"][row])
                    assert games.current_player[row] == NO_SEAT
                    assert not games.action_mask[row].any()
        if mode == "disabled" and number % 3 == 2:
            over = games.current_player == NO_SEAT
            if over.any():
                for row in np.flatnonzero(over):
                    assert np.array_equal(observations[row], games.observations[row])
                    envs[row].reset()
                    episodes[row] += 1
                observations, _ = games.reset(options={"reset_mask": over})
    assert truncations > 3


def test_a_stopped_row_goes_on_showing_its_last_observation() -> None:
    games = skyline.vector(GAME, 2, MANY, autoreset="disabled", max_cycles=3)
    games.reset(seed=SEED)
    for _ in range(3):
        _, said = step(games, games.action_mask.argmax(axis=1))
    assert said["truncated"].all()
    held = games.states.tobytes()
    for _ in range(3):
        observations, *_, truncated, infos = games.step(np.full(2, 10**6))
        assert not truncated.any() and "final_obs" not in infos
        assert np.array_equal(observations, games.final_observation(0))
    assert games.states.tobytes() == held
    games.reset(options={"reset_mask": np.array([True, False])})
    assert np.array_equal(games.observations[1], games.final_observation(0)[1])
    assert (games.current_player == NO_SEAT).tolist() == [False, True]


# ---------------------------------------------------------------- one learning seat


class CutTwin(SeatTwin):
    """The row of a learning seat that is truncated after some decisions."""

    decisions = 0

    def checked_step(self, action: int, said: dict[str, Any], row: int) -> None:
        """Make the move and compare all results of the row."""
        learner, episode = self.learner, self.ended
        self.play(action)
        self.others_move()
        self.decisions += 1
        earned, self.earned = self.earned, np.zeros(len(self.earned))
        over = self.seat() == NO_SEAT
        assert said["rewards_all"][row].tolist() == pytest.approx(earned.tolist(), abs=1e-6)
        assert said["rewards"][row] == said["rewards_all"][row, learner]
        assert said["ended"][row] == over
        assert said["truncated"][row] == (not over and self.decisions == CYCLES)
        if over or self.decisions == CYCLES:
            check_result(said, row, self.env, learner, episode)
            self.begin_next()

    def begin_next(self) -> None:
        self.ended, self.decisions = self.ended + 1, 0
        self.env.reset()
        self.learner = (self.learner + self.rotates) % self.env.players
        self.others_move()


@most
@pytest.mark.parametrize("line_up", LINE_UPS)
def test_a_learning_seat_is_truncated_after_its_decisions(game: str, players: int, line_up: str) -> None:
    opponents = LINE_UPS[line_up](players - 1)
    games = skyline.vector(game, 3, players, seat="rotate", opponents=opponents, max_cycles=CYCLES, reward="score")
    observations, _ = games.reset(seed=SEED)
    twins = [CutTwin(games, SEED + row, opponents, row % players, reward="score") for row in range(3)]
    rngs = generators([1, 2, 3])
    for _ in range(5 * CYCLES):
        for row, twin in enumerate(twins):
            assert games.states[row].tobytes() == raw(twin.env)
            assert np.array_equal(observations[row], twin.env.last()[0]["observation"])
            assert games.learner[row] == twin.learner
        actions = choose(games, rngs)
        observations, said = step(games, actions)
        for row, twin in enumerate(twins):
            twin.checked_step(int(actions[row]), said, row)
    assert min(twin.ended for twin in twins) > 3


@fewest
@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_other_autoreset_modes_of_a_learning_seat(game: str, players: int, mode: str) -> None:
    """The same games as with "same_step", with a step or a reset between them."""
    own: dict[str, Any] = {"seat": "rotate", "opponents": thoughtful, "max_cycles": CYCLES}
    wanted, games = skyline.vector(game, 2, players, **own), skyline.vector(game, 2, players, autoreset=mode, **own)
    for part in (wanted, games):
        part.reset(seed=SEED)
    first, second = generators([1, 2]), generators([1, 2])
    for _ in range(4 * CYCLES):
        _, said = step(wanted, choose(wanted, first))
        seen, got = step(games, choose(games, second))
        for name in ("rewards", "rewards_all", "ended", "truncated"):
            assert np.array_equal(said[name], got[name])
        over = got["ended"] | got["truncated"]
        if over.any():
            assert np.array_equal(said["final_obs"], got["final_obs"])
            assert np.array_equal(seen[over], got["final_obs"][over])
            assert (games.current_player[over] == NO_SEAT).all()
            begin_those(games, over, mode, second)
        assert games.states.tobytes() == wanted.states.tobytes()
        assert np.array_equal(games.observations, wanted.observations)


def begin_those(games: VectorGames, over: Array, mode: str, rngs: list[np.random.Generator]) -> None:
    """Here all rows are truncated in the same step: no row moves when the next games begin."""
    assert over.all()
    if mode == "disabled":
        games.reset(options={"reset_mask": over})
    else:
        _, got = step(games, choose(games, rngs))
        assert not (got["ended"] | got["truncated"]).any()
        assert not got["rewards_all"].any()


@fewest
def test_one_seat_is_truncated(game: str, players: int) -> None:
    env = skyline.single(game, players, max_cycles=CYCLES, seat=0, render_mode="ansi")
    for _ in range(2):
        _, info = env.reset(seed=SEED)
        for number in range(CYCLES):
            assert info["action_mask"].any()
            observation, _, terminated, truncated, info = env.step(int(env.action_masks().argmax()))
            assert (terminated, truncated) == (False, number == CYCLES - 1)
        assert np.array_equal(observation, env.games.final_observation(0)[0])
        assert len(info["scores"]) == len(info["places"]) == players
        assert not info["action_mask"].any()
        assert env.render()
        with pytest.raises(Exception, match="after the end of the game"):
            env.step(0)
