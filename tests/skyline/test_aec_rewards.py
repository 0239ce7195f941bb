"""The AEC environment, for every game: rewards of a step, forced moves and the end by `max_cycles`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.playing import (
    advance,
    aec,
    decisions,
    fewest,
    finish,
    margins,
    outcomes,
    pick,
    raw,
    recorded,
    result,
    tables,
)


@tables
@pytest.mark.parametrize("kind", ["outcome", "score", "margin"])
def test_rewards_are_those_of_the_record(game: str, players: int, kind: str) -> None:
    """last() gives every agent the rewards since its own last move, which the test counts on a record of the game."""
    env = aec(game, players, seed=players, reward=kind)
    recorder = recorded(env)
    noted, total = scores(recorder), dict.fromkeys(env.agents, 0.0)
    for agent, _, reward, action in decisions(env, np.random.default_rng(players)):
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
    if kind != "score":  # with "score" all points may have come before the last move
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
    """The function with which the outcomes here and in test_vector.py (where ties happen) are compared."""
    assert outcomes(places) == pytest.approx(wanted)


@fewest
def test_rewards_after_a_step_are_what_the_step_brought(game: str, players: int) -> None:
    """`rewards` hold the last step only; `_cumulative_rewards` of an agent begin at 0 with its move."""
    env = aec(game, players, seed=4, reward="score")
    before = result(env)["scores"]
    for _ in decisions(env, np.random.default_rng(4)):
        now = result(env)["scores"]
        if env._steps:
            assert [env.rewards[agent] for agent in env.agents] == [a - b for a, b in zip(now, before, strict=True)]
        before = now


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
    """Compare one game; the number of forced moves."""
    env = aec(game, players, seed=seed, auto_forced=True, reward=kind)
    by_hand = aec(game, players, seed=seed, reward=kind)
    earned, rng, forced = dict.fromkeys(by_hand.agents, 0.0), np.random.default_rng(seed), 0

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
