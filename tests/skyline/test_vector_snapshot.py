"""Snapshots of batches: plain data from which another batch, or another process, goes on with the same bytes."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skyline
from skyline.envs.rows import Rows
from skyline.envs.snapshot import ARRAYS
from skyline.envs.vector import VectorGames
from tests.skyline.test_vector_errors import PASSING
from tests.support.playing import FEWEST, GAME, MOST, Array, others_slow, pick
from tests.support.processes import ROOT, environment, run

SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"autoreset": "next_step", "reward": "score"},
    {"autoreset": "disabled", "illegal": "lose"},
    {"seat": "rotate", "opponents": "heuristic", "auto_forced": True, "obs_dtype": "float32", "features": "rich"},
    {"seat": 1, "autoreset": "next_step", "copy": False, "max_cycles": 9},
    {"max_cycles": 11},
)


def made(game: str, players: int, settings: dict[str, Any], n: int = 12) -> VectorGames:
    return skyline.vector(game, n, players, **settings)


def moved(games: VectorGames, rng: np.random.Generator, steps: int) -> list[bytes]:
    """All results of some random moves, as bytes."""
    given = []
    for _ in range(steps):
        actions = np.array([pick(mask, rng) if mask.any() else 0 for mask in games.action_mask])
        observations, rewards, ended, truncated, infos = games.step(actions)
        finals = infos.get("final_info", {})
        given += [
            observations.tobytes(),
            rewards.tobytes(),
            ended.tobytes(),
            truncated.tobytes(),
            games.states.tobytes(),
        ]
        given += [games.action_mask.tobytes(), *(np.asarray(finals[name]).tobytes() for name in sorted(finals))]
        if games.metadata["autoreset_mode"].name == "DISABLED" and ended.any():
            games.reset(options={"reset_mask": ended})
    return given


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("game", "players"), others_slow([*FEWEST, *MOST]))
def test_a_restored_batch_has_the_same_future(game: str, players: int, settings: dict[str, Any]) -> None:
    games, other = (made(game, players, settings) for _ in "ab")
    games.reset(seed=3)
    moved(games, np.random.default_rng(1), 40)
    data = copy.deepcopy(games.snapshot())
    other.reset(seed=99)
    moved(other, np.random.default_rng(2), 7)
    observations, infos = other.restore(data)
    assert observations.tobytes() == games.observations.tobytes()
    assert infos["action_mask"].tobytes() == games.action_mask.tobytes()
    expected = moved(games, np.random.default_rng(4), 60)
    assert moved(other, np.random.default_rng(4), 60) == expected
    other.restore(data)
    assert moved(other, np.random.default_rng(4), 60) == expected, "the snapshot is no part of any batch"


WAYS: dict[str, Callable[[VectorGames], VectorGames]] = {
    "clone": VectorGames.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda games: pickle.loads(pickle.dumps(games)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_copy_is_independent_and_has_the_same_future(way: str, settings: dict[str, Any]) -> None:
    games = made(GAME, 2, settings)
    unbegun = WAYS[way](games)
    games.reset(seed=3)
    moved(games, np.random.default_rng(1), 40)
    other = WAYS[way](games)
    assert repr(other) == repr(games)
    assert bytes_of(other) == bytes_of(games)
    own, others = ({id(array) for array in vars(batch._rows).values()} for batch in (games, other))
    assert not {id(games._rows.states), id(games._rows.finals)} & others
    assert len(own) == len(others)
    before = bytes_of(other)
    expected = moved(games, np.random.default_rng(4), 60)
    assert bytes_of(other) == before
    assert moved(other, np.random.default_rng(4), 60) == expected
    unbegun.reset(seed=3)
    moved(unbegun, np.random.default_rng(1), 40)
    assert bytes_of(unbegun) == before


def test_no_array_that_changes_is_forgotten() -> None:
    """The snapshot has all arrays of the rows apart from the indices of the rows, the scales, the policies of the
    seats, which follow from the learning seats and the opponents of the batch, what means nothing between two calls,
    and the bits and numbers of the legal actions, which follow from the masks."""
    games = made(GAME, 2, {})
    assert isinstance(games._rows, Rows)
    packed = {"mask_words", "mask_bits", "legal_ids", "legal_offsets"}
    arrays = {name for name, value in vars(games._rows).items() if isinstance(value, np.ndarray)}
    assert set(ARRAYS) == arrays - {"all", "scales", "policies", *packed, *PASSING}


def test_a_snapshot_is_of_plain_numbers_and_survives_a_file(tmp_path: Path) -> None:
    games = made(GAME, 2, SETTINGS[3])
    games.reset(seed=3)
    moved(games, np.random.default_rng(1), 30)
    data = games.snapshot()
    arrays = data.pop("arrays")
    assert all(array.dtype.kind in "iuf" for array in arrays.values())
    assert not any(
        np.shares_memory(array, own) for array in arrays.values() for own in (games.states, games.observations)
    )
    np.savez(tmp_path / "arrays.npz", **arrays)
    (tmp_path / "rest.json").write_text(json.dumps(data))
    code = f"""
import json, numpy as np, skyline
games = skyline.vector({GAME!r}, 12, 2, **{SETTINGS[3]!r})
games.restore({{**json.load(open("rest.json")), "arrays": dict(np.load("arrays.npz"))}})
for _ in range(50):
    games.step(games.action_mask.argmax(axis=1))
print(games.states.tobytes().hex())
"""
    for _ in range(50):
        games.step(games.action_mask.argmax(axis=1))
    assert run(code, environment(ROOT, cache=None), tmp_path).strip() == games.states.tobytes().hex()


def test_a_batch_that_has_not_begun_is_restored_as_such() -> None:
    games, other = made(GAME, 2, {}), made(GAME, 2, {})
    other.reset(seed=1)
    other.restore(games.snapshot())
    with pytest.raises(Exception, match="before reset"):
        other.step(np.zeros(12, np.int64))


def bytes_of(games: VectorGames) -> list[bytes]:
    return [value.tobytes() for value in vars(games._rows).values() if isinstance(value, np.ndarray)]


def spoilt(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**data, **changes}


def flipped(array: Array) -> Array:
    changed = array.copy()
    changed.reshape(-1)[0] ^= 1
    return changed


def test_what_does_not_fit_is_refused_and_changes_nothing() -> None:
    games, other = made(GAME, 2, {}), made(GAME, 2, {})
    for one, seed in ((games, 1), (other, 2)):
        one.reset(seed=seed)
    data, before = games.snapshot(), bytes_of(other)
    arrays, facts = data["arrays"], data["facts"]
    cases: tuple[tuple[Any, str], ...] = (
        (None, "a snapshot of a batch is a mapping with format, facts"),
        (spoilt(data, format=0), "of format 3"),
        ({"format": 3}, "a snapshot of a batch is a mapping"),
        (spoilt(data, facts={**facts, "players": 3}), "with players 3, this batch has 2"),
        (spoilt(data, facts={}), "with game None, this batch has 'manhattan'"),
        (spoilt(data, facts=None), "facts and options of a snapshot are mappings"),
        (spoilt(data, options={"a": 1}), "with options {'a': 1}, this batch has {}"),
        (spoilt(data, begun=1), "begun is True or False, not 1"),
        (spoilt(data, arrays={}), "the arrays of a snapshot are a mapping with states, action_mask"),
        (spoilt(data, arrays=5), "the arrays of a snapshot are"),
        (spoilt(data, arrays={**arrays, "ended": arrays["ended"][:5]}), r"array ended is int8 of shape \(5,\)"),
        (spoilt(data, arrays={**arrays, "ended": arrays["ended"].astype(int)}), "array ended is int64"),
        (
            spoilt(data, arrays={**arrays, "moves": np.zeros((12, 3), np.int32)}),
            "moves and final_moves have other sizes",
        ),
        (spoilt(data, arrays={**arrays, "moves": np.zeros(12, np.int32)}), r"array moves is int32 of shape \(12,\)"),
        (spoilt(data, arrays={**arrays, "states": flipped(arrays["states"])}), "damaged"),
        (spoilt(data, digest=None), "damaged"),
    )
    for case, reason in cases:
        with pytest.raises(ValueError, match=reason):
            other.restore(case)
        assert bytes_of(other) == before
    with pytest.raises(ValueError, match="with num_envs 12, this batch has 3"):
        made(GAME, 2, {}, n=3).restore(data)
    with pytest.raises(ValueError, match="with seat None, this batch has 0"):
        made(GAME, 2, {"seat": 0}).restore(data)
