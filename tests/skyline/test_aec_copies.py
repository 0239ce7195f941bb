"""Copies, positions and pictures of the PettingZoo environment in mid-game: exact, independent, of the same future."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.env import AECEnv

from skyline import registry
from skyline.draw.raster import rasterise
from skyline.envs.aec import TurnBasedEnv
from tests.support.playing import NAMES, TABLES, advance, aec, fewest, finish, raw, recorded, tables

WAYS: dict[str, Callable[[TurnBasedEnv], TurnBasedEnv]] = {
    "clone": TurnBasedEnv.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
ways = pytest.mark.parametrize("way", WAYS)


def shown(env: TurnBasedEnv) -> Any:
    """Everything that an environment shows, as data that can be compared."""
    seen, reward, terminated, truncated, info = env.last()
    return (
        raw(env), env.agents[:], env.agent_selection, reward, terminated, truncated, dict(env.rewards),
        dict(env._cumulative_rewards), {name: array.tobytes() for name, array in seen.items()},
        info["action_mask"].tobytes(), env.legal_moves(), env.game_seed,
        [array.tobytes() for agent in env.agents for array in env.observe(agent).values()],
    )  # fmt: skip


# ---------------------------------------------------------------- copies


@ways
@tables
@pytest.mark.parametrize("settings", [{}, {"reward": "score", "copy": False, "features": "rich", "auto_forced": True}])
def test_a_copy_is_exact_and_has_the_same_future(way: str, game: str, players: int, settings: dict[str, Any]) -> None:
    env = aec(game, players, seed=3, **settings)
    for moves in (0, 1, 17, 20):
        advance(env, moves, seed=moves)
        other = WAYS[way](env)
        assert type(other) is TurnBasedEnv
        assert shown(other) == shown(env)
        future = WAYS[way](env)
        assert advance(other, 10**9, seed=5) == advance(future, 10**9, seed=5)
        assert shown(other) == shown(future)
        assert finish(other) == finish(future)
    other, future = WAYS[way](env), env
    other.reset()
    future.reset()
    assert shown(other) == shown(future)


@ways
@fewest
def test_a_copy_is_independent(way: str, game: str, players: int) -> None:
    """Playing one of them to the end changes nothing in the other, not even the arrays that it has handed out."""
    env = aec(game, players, seed=3, reward="score")
    advance(env, 15)
    held = env.last()[0]
    before, arrays = shown(env), [array.copy() for array in held.values()]
    other = WAYS[way](env)
    advance(other, 10**9, seed=1)
    finish(other)
    assert shown(env) == before
    assert all(np.array_equal(a, b) for a, b in zip(held.values(), arrays, strict=True))
    other = WAYS[way](env)
    held = other.last()[0]
    arrays = [array.copy() for array in held.values()]
    advance(env, 10**9, seed=2)
    assert shown(other) == before
    assert all(np.array_equal(a, b) for a, b in zip(held.values(), arrays, strict=True))


@ways
@fewest
def test_copies_before_reset_and_after_the_end(way: str, game: str, players: int) -> None:
    fresh = WAYS[way](aec(game, players))
    fresh.reset(seed=3)
    assert shown(fresh) == shown(aec(game, players, seed=3))
    ended = aec(game, players, seed=3)
    advance(ended, 10**9)
    ended.step(None)
    other = WAYS[way](ended)
    assert other.agents == ended.agents
    assert finish(other) == finish(ended)


@fewest
def test_a_copy_keeps_the_settings(game: str, players: int) -> None:
    env = aec(game, players, seed=3, reward="margin", illegal="lose", max_cycles=7, render_mode="ansi")
    advance(env, 3)
    for way in WAYS.values():
        other = way(env)
        assert other.render() == env.render()
        assert len(advance(other, 100)) == 4
        assert all(other.truncations.values())


@fewest
def test_all_environments_share_one_record_type(game: str, players: int) -> None:
    """numba finds the kernel of a call by the identity of the dtype; an equal dtype takes 1.5 us more in each step."""
    env = aec(game, players)
    others = [way(env) for way in WAYS.values()] + [aec(game, registry.load(game).player_counts[-1])]
    assert {id(other._desk.dtype) for other in others} == {id(env._desk.dtype)}


# ---------------------------------------------------------------- positions


@tables
def test_a_position_goes_on_like_the_game(game: str, players: int) -> None:
    env = aec(game, players, seed=4, reward="score")
    for moves in (0, 20, 25):
        advance(env, moves)
        position = json.loads(json.dumps(env.position()))
        other = TurnBasedEnv.from_position(game, position, reward="score")
        assert isinstance(other, AECEnv)
        assert other.game_seed == env.game_seed
        assert other.position() == env.position()
        assert other.legal_moves() == env.legal_moves()
        assert other.agent_selection == env.agent_selection
        assert not any(other._cumulative_rewards.values())
        clone = env.clone()
        assert advance(other, 10**9, seed=6) == advance(clone, 10**9, seed=6)
        assert other.position() == clone.position()


@fewest
def test_reset_from_a_position_or_a_setup(game: str, players: int) -> None:
    env = aec(game, players, seed=4)
    recorder = recorded(env)
    advance(env, 12)
    other = aec(game, players, seed=1)
    other.reset(options={"position": env.position()})
    assert other.legal_moves() == env.legal_moves()
    other.reset(options={"setup": recorder.lines[0]["setup"]})
    assert other.game.setup(other._states[0]) == recorder.lines[0]["setup"]
    assert other.legal_moves() == aec(game, players, seed=4).legal_moves()
    with pytest.raises(ValueError, match="a position or a setup, not both"):
        other.reset(options={"position": env.position(), "setup": recorder.lines[0]["setup"]})
    with pytest.warns(UserWarning, match="not 'positon'"):
        other.reset(options={"positon": env.position()})


@fewest
def test_a_reset_from_a_position_with_a_seed_has_its_own_future(game: str, players: int) -> None:
    """The seed replaces the stream of the position; without a seed the position keeps its own stream."""
    position = aec(game, players, seed=4).position()
    one, two = aec(game, players), aec(game, players)
    one.reset(options={"position": position})
    assert one.position()["stream"] == position["stream"]
    one.reset(seed=77, options={"position": position})
    two.reset(seed=77, options={"position": position})
    assert raw(one) == raw(two)
    assert one.position()["stream"] == 77


@fewest
def test_wrong_positions_are_named_and_change_nothing(game: str, players: int) -> None:
    env = aec(game, players, seed=4)
    advance(env, 12)
    good, before = env.position(), shown(env)
    wrong: list[tuple[Any, str]] = [
        (None, "position: an object|a position is an object"),
        ([], "position: an object|a position is an object"),
        ({}, "players"),
        ({**good, "players": 99}, "99"),
        ({**good, "players": "2"}, "'2'"),
        ({**good, "no_such_field": 1}, "no_such_field"),
        ({**good, "stream": -1}, "seed -1|stream"),
        ({**good, "stream": 1.5}, "1.5"),
        ({**good, "options": {"no_such_option": 1}}, "no_such_option"),
        ({**good, "scores": [1] * (players + 1)}, "scores"),
        ({**good, "scores": ["1"] * players}, "scores"),
    ]
    for position, said in wrong:
        with pytest.raises((ValueError, TypeError), match=said):
            env.reset(options={"position": position})
        assert shown(env) == before, f"after the position {position!r}"
    for position, said in wrong[3:]:
        with pytest.raises((ValueError, TypeError), match=said):
            TurnBasedEnv.from_position(game, position)


@pytest.mark.parametrize("game", [name for name in NAMES if len([n for n, _ in TABLES if n == name]) > 1])
def test_positions_of_another_player_count_are_refused(game: str) -> None:
    few, many = ([p for name, p in TABLES if name == game][i] for i in (0, -1))
    env = aec(game, few, seed=1)
    before = shown(env)
    with pytest.raises(ValueError, match=f"the position is for {many} players, the environment for {few}"):
        env.reset(options={"position": aec(game, many, seed=1).position()})
    assert shown(env) == before


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("game", NAMES)
def test_pettingzoo_render_suite(game: str) -> None:
    """All modes, also "svg", which PettingZoo does not have. The window opens on the dummy screen of conftest.py."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # PettingZoo's tests import one of its games in a deprecated way
        from pettingzoo.test import render_test
    render_test(
        lambda render_mode: aec(game, 2, render_mode=render_mode),
        {"svg": lambda picture: picture.startswith("<svg") and picture.rstrip().endswith("</svg>")},
    )


@fewest
def test_render_shows_the_position_and_the_last_move(game: str, players: int) -> None:
    envs = {mode: aec(game, players, seed=2, render_mode=mode) for mode in ("ansi", "svg", "rgb_array")}
    for env in envs.values():
        advance(env, 10)
    text, svg, array = (envs[mode].render() for mode in envs)
    state, game_of = envs["ansi"]._states[0], envs["ansi"].game
    last = envs["ansi"]._last_move
    assert last is not None
    played = game_of.last_move(last.before[0], last.action, state)
    assert text == game_of.text(state, None, played)
    assert svg == game_of.svg(state, None, played)
    assert array.dtype == np.uint8
    assert array.ndim == 3
    assert array.shape[2] == 3
    assert np.array_equal(array, rasterise(svg))
    assert array.std() > 5, "the picture is not empty"


@fewest
def test_render_without_a_mode_warns(game: str, players: int) -> None:
    with pytest.warns(UserWarning, match="render_mode"):
        assert aec(game, players, seed=2).render() is None
