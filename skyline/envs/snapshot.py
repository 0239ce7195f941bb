"""A batch of games in mid-game as plain data, and the check of such data before a batch takes the games over.

    data = games.snapshot()             # numbers, texts and arrays of plain numbers: for any file format
    games.restore(data)                 # in a batch made with the same settings, also in another process

    format     FORMAT
    facts      the settings that both batches must have in common
    options    the rule options
    begun      whether the games have begun
    arrays     the arrays of ARRAYS by name: truth values as 0 and 1, states as their bytes, uint8 (n, bytes of a state)
    digest     a checksum of the arrays, by which damage is found

The opponents are functions or names of the batch's owner, and no part of a snapshot. States with the right digest are
taken as they are: read snapshots of your own files only. Games from other people are read as records or positions.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from skyline.arguments import check_flag
from skyline.envs.rows import CHANGING, HANDED_OUT, WRITTEN_DOWN
from skyline.typing import Array

if TYPE_CHECKING:
    from skyline.envs.vector import VectorGames

FORMAT = 3
OPPONENTS = "policies"  # the array that says who plays which seat: it follows from the batch's own opponents
ARRAYS = tuple(name for name in (*CHANGING, *HANDED_OUT, *WRITTEN_DOWN) if name != OPPONENTS)
PARTS = ("format", "facts", "options", "begun", "arrays", "digest")


def taken(games: VectorGames) -> dict[str, Any]:
    """The snapshot of a batch; nothing in it is shared with the batch."""
    arrays = {name: _plain(getattr(games._rows, name)).copy() for name in ARRAYS}
    used = int(max(1, arrays["moved"].max(), arrays["final_moved"].max()))
    arrays |= {name: arrays[name][:, :used].copy() for name in WRITTEN_DOWN}
    return {
        "format": FORMAT, "facts": facts(games), "options": copy.deepcopy(games.options), "begun": games._begun,
        "arrays": arrays, "digest": digest(arrays),
    }  # fmt: skip


def put_back(games: VectorGames, data: Mapping[str, Any]) -> None:
    """Write a snapshot into a batch; ValueError, and nothing has changed, unless it fits the batch and is undamaged."""
    arrays = _checked(games, data)
    for name, array in arrays.items():
        if name not in WRITTEN_DOWN:
            _plain(getattr(games._rows, name))[...] = array
    games._rows.take_moves(*(arrays[name].copy() for name in WRITTEN_DOWN))
    games._rows.make_room(games._rows.all)
    games._begun = bool(data["begun"])


def facts(games: VectorGames) -> dict[str, Any]:
    """What two batches must have in common, so that one can go on where the other was."""
    layout = repr(games.game.state.descr).encode()
    return {
        "game": games.game.name, "version": games.game.version, "layout": hashlib.sha256(layout).hexdigest()[:16],
        "players": games.players, "num_envs": games.num_envs, "seat": games.seat, "features": games.features,
        "obs_dtype": games.obs_dtype, "reward": games.reward, "auto_forced": games.auto_forced,
        "autoreset": games.autoreset, "illegal": games.illegal, "max_cycles": games.max_cycles,
        "memory": games.memory, "history": games.keeps_history,
    }  # fmt: skip


def digest(arrays: Mapping[str, Array]) -> str:
    """A checksum of all arrays in the order of their names."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        found.update(name.encode())
        found.update(np.ascontiguousarray(arrays[name]).tobytes())
    return found.hexdigest()


def _plain(array: Array) -> Array:
    """The array as plain numbers: records as rows of bytes, truth values as 0 and 1; shares its memory."""
    if array.dtype == np.bool_:
        return array.view(np.uint8)
    return array.view(np.uint8).reshape(len(array), -1) if array.dtype.fields else array


def _checked(games: VectorGames, data: Mapping[str, Any]) -> dict[str, Array]:
    """The arrays of a snapshot that fits."""
    if not isinstance(data, Mapping) or set(data) != set(PARTS) or data["format"] != FORMAT:
        raise ValueError(f"a snapshot of a batch is a mapping with {', '.join(PARTS)}, of format {FORMAT}")
    if not isinstance(data["facts"], Mapping) or not isinstance(data["options"], Mapping):
        raise ValueError("facts and options of a snapshot are mappings")
    check_flag("begun", data["begun"])
    wanted = {**facts(games), "options": games.options}
    given = {**data["facts"], "options": data["options"]}
    for name, value in wanted.items():
        if name not in given or given[name] != value:
            raise ValueError(f"the snapshot is of a batch with {name} {given.get(name)!r}, this batch has {value!r}")
    return _checked_arrays(games, data["arrays"], data["digest"])


def _checked_arrays(games: VectorGames, given: Mapping[str, Any], wanted_digest: str) -> dict[str, Array]:
    if not isinstance(given, Mapping) or set(given) != set(ARRAYS):
        raise ValueError(f"the arrays of a snapshot are a mapping with {', '.join(ARRAYS)}")
    arrays = {name: np.asarray(given[name]) for name in ARRAYS}
    for name, array in arrays.items():
        own = _plain(getattr(games._rows, name))
        shape = own.shape
        if name in WRITTEN_DOWN and array.ndim == 2:  # as wide as its longest game
            shape = own.shape[0], array.shape[1]
        if array.shape != shape or array.dtype != own.dtype:
            raise ValueError(
                f"the snapshot's array {name} is {array.dtype} of shape {array.shape}, not {own.dtype} of {shape}"
            )
    room, used = arrays["moves"].shape[1], max(arrays["moved"].max(), arrays["final_moved"].max())
    if arrays["final_moves"].shape[1] != room or (room > 0) != games.keeps_history or used > room:
        raise ValueError("the snapshot's arrays moves and final_moves have other sizes than its numbers of moves")
    if digest(arrays) != wanted_digest:
        raise ValueError("the snapshot is damaged: its arrays do not have its digest")
    return arrays
