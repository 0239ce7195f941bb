"""Illegal, out-of-range and wrong-time calls of the PettingZoo environment: a clear error, and nothing changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded

from skyline import registry
from skyline.envs.aec import TurnBasedEnv
from skyline.envs.handout import BLOCK_ROWS
from skyline.game import IllegalMove
from tests.support.playing import (
    FEW,
    FEWEST,
    GAME,
    MOST,
    NAMES,
    TABLES,
    advance,
    aec,
    decisions,
    finish,
    most_decisions,
    raw,
)

NO_NUMBERS = [None, 1.0, np.float64(0), "0", "no such move", b"", [0], {}, np.zeros(2, int)]
TOO_LARGE = [2**31, 2**63 - 1, 2**63, 2**64, 2**70, np.uint64(2**64 - 1)]
TOO_GAME = [-1, -2, -(2**63), -(2**70), np.int8(-1)]


def bad_actions(env: TurnBasedEnv) -> list[Any]:
    """All values that are no legal actions here."""
    mask = env.last()[0]["action_mask"]
    masked = np.flatnonzero(mask == 0)[:40].tolist()
    return [*masked, np.int32(masked[0]), len(mask), *NO_NUMBERS, *TOO_LARGE, *TOO_GAME]


def everything(env: TurnBasedEnv) -> Any:
    """All data that a refused call must not change."""
    return (
        raw(env), env.agents[:], env.agent_selection, env.legal_moves(), dict(env.rewards),
        dict(env._cumulative_rewards), dict(env.terminations), dict(env.truncations),
        {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()},
    )  # fmt: skip


# ---------------------------------------------------------------- illegal="raise"


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("moves", [0, 7, 25])
def test_illegal_actions_raise_and_change_nothing(game: str, players: int, moves: int) -> None:
    """Also twice in a row; afterwards the game goes on as usual."""
    moves = min(moves, most_decisions(game, players) // 2)
    env, untouched = aec(game, players, seed=1), aec(game, players, seed=1)
    assert advance(env, moves) == advance(untouched, moves)
    before = everything(env)
    for action in bad_actions(env) * 2:
        with pytest.raises(IllegalMove):
            env.step(action)
        assert everything(env) == before, f"after the action {action!r}"
    assert advance(env, 30, seed=2) == advance(untouched, 30, seed=2)
    assert raw(env) == raw(untouched)


@pytest.mark.parametrize(("game", "players"), FEWEST)
def test_the_error_names_the_move_and_the_legal_ones(game: str, players: int) -> None:
    env = aec(game, players, seed=1)
    legal, mask = env.legal_moves(), env.last()[0]["action_mask"]
    masked = int(np.flatnonzero(mask == 0)[0])
    cases = {
        masked: f"{env.move_text(masked)!r} (action {masked}) is not legal here",
        len(mask): f"action {len(mask)} is outside 0 .. {len(mask) - 1}",
        -1: f"action -1 is outside 0 .. {len(mask) - 1}",
        None: f"an action is a whole number 0 .. {len(mask) - 1}, not None",
        0.5: f"an action is a whole number 0 .. {len(mask) - 1}, not 0.5",
        "pass": f"an action is a whole number 0 .. {len(mask) - 1}, not 'pass'",
    }
    for action, said in cases.items():
        with pytest.raises(IllegalMove) as error:
            env.step(action)  # type: ignore[arg-type]
        assert said in str(error.value)
        assert str(error.value).startswith(f"{env.agent_selection}: ")
        assert f"legal: {legal[0]}" in str(error.value)
        assert len(legal) <= 12 or f"({len(legal)} in all)" in str(error.value)


@pytest.mark.parametrize("game", NAMES)
def test_the_same_through_unwrapped(game: str) -> None:
    """The environment without its wrappers refuses the same actions."""
    env = pettingzoo.make("aec", registry.find(game).id)
    env.reset(seed=1)
    before = raw(env.unwrapped)
    for action in bad_actions(env.unwrapped):
        with pytest.raises(IllegalMove):
            env.unwrapped.step(action)
    assert raw(env.unwrapped) == before


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("whole", [int, np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.array])
def test_whole_numbers_of_every_type_are_actions(game: str, whole: Any) -> None:
    env, plain = aec(game, 2, seed=1), aec(game, 2, seed=1)
    action = int(env.last()[0]["action_mask"].argmax())
    env.step(whole(action))
    plain.step(action)
    assert raw(env) == raw(plain)


def test_wrong_texts_and_numbers_of_moves_are_refused() -> None:
    env = aec(GAME, FEW, seed=1)
    size = env.action_space("player_0").n
    for action in (-1, size):
        with pytest.raises(ValueError, match=f"action {action} is outside 0 .. {size - 1}"):
            env.move_text(action)
    with pytest.raises(ValueError, match="no such move"):
        env.parse_move("no such move")
    for number in (1.5, "1", None, True):
        with pytest.raises(ValueError, match=r"an action is a whole number 0 \.\. "):
            env.move_text(number)  # type: ignore[arg-type]
    for text in (1, None, b"pass", ["pass"]):
        with pytest.raises(ValueError, match="a move is a text"):
            env.parse_move(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "players"), FEWEST)
@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("obs_dtype", ["int16", "float32"])
def test_a_refused_step_changes_no_observation(game: str, players: int, copy: bool, obs_dtype: str) -> None:
    """At every step of a game the observation after a refusal is the one before, and that of a twin."""
    settings: dict[str, Any] = {"seed": 1, "copy": copy, "obs_dtype": obs_dtype}
    env, untouched = aec(game, players, **settings), aec(game, players, **settings)
    for number, (_, seen, _, action) in enumerate(decisions(untouched, np.random.default_rng(1), 3 * BLOCK_ROWS + 2)):
        with pytest.raises(IllegalMove):
            env.step(-1)
        mask = env.infos[env.agent_selection]["action_mask"]
        shown = [env.last()[0], {**seen, "action_mask": mask}]
        if number % 7 == 0:  # a second call of last() takes another row
            shown.append(env.observe(env.agent_selection))
        for part in shown:
            assert all(np.array_equal(part[name], seen[name]) for name in seen), f"before decision {number}"
        env.step(action)
    assert number >= BLOCK_ROWS


@pytest.mark.parametrize("wrong", [True, False, np.True_, np.array(True)])
def test_truth_values_are_no_actions(wrong: Any) -> None:
    env = aec(GAME, FEW, seed=1)
    before = everything(env)
    with pytest.raises(IllegalMove, match=r"an action is a whole number 0 \.\. "):
        env.step(wrong)
    assert everything(env) == before


# ---------------------------------------------------------------- at the wrong time


@pytest.mark.parametrize(("game", "players"), FEWEST)
def test_before_reset(game: str, players: int) -> None:
    env = aec(game, players, render_mode="ansi")
    for name, call in {
        "step": lambda: env.step(0),
        "last": env.last,
        "observe": lambda: env.observe("player_0"),
        "state": env.state,
        "render": env.render,
        "agent_iter": env.agent_iter,
        "position": env.position,
        "legal_moves": env.legal_moves,
        "move_text": lambda: env.move_text(0),
        "parse_move": lambda: env.parse_move("pass"),
        "game_seed": lambda: env.game_seed,
    }.items():
        with pytest.raises(ResetNeeded, match=rf"{name}(\(\))? was called before reset\(\)"):
            call()
    env.reset(seed=1)
    assert raw(env) == raw(aec(game, players, seed=1))


@pytest.mark.parametrize(("game", "players"), FEWEST)
def test_after_the_end(game: str, players: int) -> None:
    """Ended agents may step None only. When all have done so, the error of a step asks for reset()."""
    env = aec(game, players, seed=1)
    advance(env, 10**9)
    before = raw(env)
    for action in (0, -1, 1.5, "pass"):
        with pytest.raises(ValueError, match="the game is over"):
            env.step(action)  # type: ignore[arg-type]
    assert env.agents == env.possible_agents
    assert env.legal_moves() == []
    finish(env)
    for action in (None, 0):
        with pytest.raises(ResetNeeded, match="after the end"):
            env.step(action)
    with pytest.raises(ResetNeeded, match=r"last\(\) was called after the end"):
        env.last()
    assert raw(env) == before
    env.reset(seed=1)
    assert raw(env) == raw(aec(game, players, seed=1))


def test_unknown_agents_are_named() -> None:
    env = aec(GAME, FEW, seed=1)
    with pytest.raises(ValueError, match="there is no agent 'player_9'; agents: player_0"):
        env.observe("player_9")


# ---------------------------------------------------------------- illegal="lose"


@pytest.mark.parametrize(("game", "players"), MOST)
@pytest.mark.parametrize("kind", ["outcome", "score", "margin"])
def test_illegal_lose_ends_the_game(game: str, players: int, kind: str) -> None:
    """PettingZoo's convention: -1 for the mover, 0 for the others, all agents have ended, the state stays."""
    for number in range(len(bad_actions(aec(game, players, seed=1)))):
        env = aec(game, players, seed=1, illegal="lose", reward=kind)
        advance(env, 9)
        before, loser = raw(env), env.agent_selection
        action = bad_actions(env)[min(number, len(bad_actions(env)) - 1)]
        earned = dict(env._cumulative_rewards)
        env.step(action)
        assert raw(env) == before
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        assert loser in str(env.infos[loser]["illegal"])
        assert "legal: " in str(env.infos[loser]["illegal"])
        assert env.rewards == {agent: -1.0 if agent == loser else 0.0 for agent in env.agents}
        last = finish(env)
        assert last[loser] == -1
        assert all(last[agent] == earned[agent] for agent in last if agent != loser)
        env.reset(seed=1)
        assert "illegal" not in env.infos[loser]
        assert len(advance(env, 5)) == 5
