"""Wrong arguments of environments: each is refused with a text that says what is allowed, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import skyline
from skyline.envs.single import SingleSeat
from skyline.envs.vector import MOST_GAMES, VectorGames
from tests.support.playing import FEW, GAME, aec, raw

MAKERS: dict[str, Callable[..., Any]] = {
    "aec": lambda **settings: skyline.env(GAME, **{"players": FEW, **settings}),
    "single": lambda **settings: skyline.single(GAME, **{"players": FEW, **settings}),
    "vector": lambda **settings: skyline.vector(GAME, **{"num_envs": 2, "players": FEW, **settings}),
}
FLAG = "is True or False, not"
SEATS = f"seat is a whole number 0 .. {FEW - 1} or 'rotate'"

WRONG: list[tuple[str, dict[str, Any], str]] = [
    *[
        (kind, {name: value}, f"{name} {FLAG} ")
        for value in ("no", 1, 0, None, 1.0)
        for kind, name in (
            ("aec", "copy"), ("aec", "auto_forced"), ("vector", "copy"), ("vector", "auto_forced"),
            ("single", "auto_forced"), ("vector", "history"),
        )
    ],
    *[("aec", {"max_cycles": value}, "max_cycles is a whole number from 1 on") for value in (0, -3)],
    *[("aec", {"max_cycles": value}, "max_cycles is a whole number") for value in (1.5, True, "7", np.float64(2))],
    *[("vector", {"threads": value}, "threads is ") for value in (0, -3, 1.5, True, "2", None, 10**6)],
    *[("vector", {"num_envs": value}, "num_envs is ") for value in (0, -1, 2.0, True, "2", None, MOST_GAMES + 1)],
    *[(kind, {"seat": value}, SEATS) for value in (True, 1.0, -1, FEW, "first", [0]) for kind in ("single", "vector")],
    ("single", {"seat": None}, "needs a seat"),
    *[("vector", {"autoreset": value}, "autoreset is one of 'same_step', 'next_step'") for value in (None, 0, [])],
    *[
        (kind, {"obs_dtype": value}, "obs_dtype is one of 'int16', 'float32', not")
        for value in ("int8", np.int32, np.dtype(">i2"), float, None, 16, [])
        for kind in MAKERS
    ],
    *[
        ("vector", {"mask_dtype": value}, "mask_dtype is one of 'int8', 'bits', not")
        for value in ("int16", bool, np.dtype(np.uint8), None, 1, [])
    ],
    *[(kind, {"mask_dtype": "bits"}, "no setting 'mask_dtype'") for kind in ("aec", "single")],
    *[(kind, {"reward": value}, "reward is one of 'outcome', 'sc") for value in (None, 0, []) for kind in MAKERS],
    *[(kind, {"features": np.zeros(2)}, "features is one of 'base', 'rich', not") for kind in MAKERS],
    *[(kind, {"illegal": {}}, "illegal is one of 'raise', 'lose', not") for kind in MAKERS],
    *[
        (kind, {"memory": value}, "memory is one of 'recall', 'table', not")
        for value in (None, 1, "Recall") for kind in MAKERS
    ],
    *[(kind, {"players": 2.0}, "players") for kind in MAKERS],
    *[
        (kind, {"seat": 0, "opponents": value}, "an opponent is one of 'random', 'heuristic' or a function")
        for value in ("strong", "a function", [1] * (FEW - 1), None, 3)
        for kind in ("single", "vector")
    ],
    *[
        (kind, {"seat": 0, "opponents": value}, f"there (is|are) {FEW - 1} opponents? with {FEW} players, not")
        for value in ([], ["random"] * 9)
        for kind in ("single", "vector")
    ],
    ("vector", {"opponents": "heuristic"}, "opponents need a learning seat"),
    ("vector", {"opponents": None}, "opponents need a learning seat"),
    ("single", {"num_envs": 3}, "num_envs"),
    ("single", {"copy": False}, "copy"),
    ("single", {"autoreset": "next_step"}, "autoreset"),
    ("single", {"history": True}, "history"),
    ("aec", {"history": True}, "history"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "said"), WRONG, ids=str)
def test_wrong_settings_are_refused(kind: str, settings: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        MAKERS[kind](**settings)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("value", [np.float32, np.dtype("float32"), np.dtype(np.float32), np.str_("float32")])
def test_a_dtype_is_named_by_its_class_too(kind: str, value: Any) -> None:
    assert MAKERS[kind](obs_dtype=value).__dict__.get("obs_dtype", "float32") == "float32"


def test_numpys_own_numbers_and_truth_values_are_accepted() -> None:
    env = MAKERS["aec"](copy=np.False_, auto_forced=np.True_, max_cycles=np.int8(3), players=np.int64(FEW))
    assert (env.copy, env.auto_forced, env.max_cycles) == (False, True, 3)
    games = MAKERS["vector"](num_envs=np.int16(2), threads=np.uint8(2), seat=np.int64(1), copy=np.True_)
    assert (games.num_envs, games.threads, games.seat, games.copy) == (2, 2, 1, True)
    assert {type(value) for value in (env.copy, env.auto_forced, games.copy)} == {bool}
    assert {type(value) for value in (env.max_cycles, games.num_envs, games.threads, games.seat)} == {int}


# ---------------------------------------------------------------- reset and what may be called when


RESETS: list[tuple[dict[str, Any], str]] = [
    ({"seed": True}, "a seed is a whole number, not True"),
    ({"seed": 1.0}, "a seed is a whole number"),
    ({"seed": "1"}, "a seed is a whole number"),
    ({"seed": -1}, "outside"),
    ({"seed": 2**64}, "outside"),
    ({"options": 5}, "options of reset are a mapping from names to values, not 5"),
    ({"options": "position"}, "options of reset are a mapping"),
    ({"options": [("position", 1)]}, "options of reset are a mapping"),
]


@pytest.mark.parametrize(("arguments", "said"), RESETS, ids=str)
@pytest.mark.parametrize("kind", MAKERS)
def test_a_wrong_reset_changes_nothing(kind: str, arguments: dict[str, Any], said: str) -> None:
    env, untouched = MAKERS[kind](), MAKERS[kind]()
    for part in (env, untouched):
        part.reset(seed=3)
    with pytest.raises((ValueError, TypeError), match=said):
        env.reset(**arguments)
    assert words(env) == words(untouched)
    for part in (env, untouched):
        part.reset()
    assert words(env) == words(untouched), "the chain of games goes on"


def words(env: Any) -> Any:
    """States and random streams of an environment of any kind."""
    if isinstance(env, SingleSeat):
        return words(env.games), env.np_random.bit_generator.state
    if isinstance(env, VectorGames):
        return env.states.tobytes(), env.action_mask.tobytes(), env.learner.tolist(), env._rows.streams.tobytes()
    return raw(env)


@pytest.mark.parametrize(
    "seed", [b"ab", np.array(5), {1, 2}, {0: 1, 1: 2}, [True, 1], [[1], [2]], np.zeros((2, 2), int)]
)
def test_wrong_seeds_of_a_batch(seed: Any) -> None:
    games = MAKERS["vector"]()
    games.reset(seed=1)
    before = words(games)
    with pytest.raises((ValueError, TypeError), match="seed"):
        games.reset(seed=seed)
    assert words(games) == before


def test_a_single_seat_before_reset_and_after_the_end() -> None:
    env = SingleSeat(GAME, FEW, render_mode="ansi", illegal="lose")
    for name, call in {"step": lambda: env.step(0), "render": env.render, "action_masks": env.action_masks}.items():
        with pytest.raises(ResetNeeded, match=rf"{name}\(\) was called before reset\(\)"):
            call()
    env.reset(seed=1)
    env.step(-1)
    with pytest.raises(ResetNeeded, match=r"step\(\) was called after the end of the game"):
        env.step(0)


@pytest.mark.parametrize("action", [None, "0", 1.0, True, [0], np.zeros(1, int), np.True_, {}])
@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_wrong_actions_of_a_single_seat(action: Any, illegal: str) -> None:
    env = SingleSeat(GAME, FEW, illegal=illegal)
    env.reset(seed=1)
    before = words(env)
    with pytest.raises(ValueError, match=r"an action is a whole number 0 \.\. "):
        env.step(action)
    assert words(env) == before


@pytest.mark.parametrize("action", [2**63, 2**64, -(2**70), np.uint64(2**64 - 1)])
def test_huge_actions_of_a_single_seat_are_illegal(action: Any) -> None:
    env = SingleSeat(GAME, FEW)
    env.reset(seed=1)
    with pytest.raises(skyline.game.IllegalMove, match=f"action {action} is outside"):
        env.step(action)
    lenient = SingleSeat(GAME, FEW, illegal="lose")
    lenient.reset(seed=1)
    assert lenient.step(action)[1:3] == (-1, True)


def test_reset_of_a_single_seat_has_no_options() -> None:
    env = SingleSeat(GAME, FEW)
    env.reset(seed=1, options={})
    with pytest.raises(ValueError, match="reset of one seat has no options, not 'position'"):
        env.reset(options={"position": {}})


@pytest.mark.parametrize("seats", [-1, FEW, 2**40, 0.5, True, "0", None, [0], [0, FEW], np.zeros((2, 1), int)])
def test_final_observations_are_of_a_seat(seats: Any) -> None:
    games = MAKERS["vector"](illegal="lose")
    games.reset(seed=1)
    games.step(np.full(2, -1))
    with pytest.raises(ValueError, match=f"seats are whole numbers 0 .. {FEW - 1}, one or one for each of the 2 games"):
        games.final_observation(seats)
    assert games.final_observation(np.array([0, FEW - 1])).any(axis=1).all()


# ---------------------------------------------------------------- what is handed out is nobody else's


def test_options_in_a_position_are_a_copy() -> None:
    """Writing into the result of `position()` changes no environment. (Values of options may be objects.)"""
    env = aec(GAME, FEW, seed=1)
    env.options = {"board": {"north": ["red"]}}
    env.position()["options"]["board"]["north"].append("blue")
    assert env.options == {"board": {"north": ["red"]}}


def test_a_clone_owns_its_options() -> None:
    env = aec(GAME, FEW, seed=1)
    env.options = {"board": ["red"]}
    env.clone().options["board"].append("blue")
    assert env.options == {"board": ["red"]}
