"""Compile every kernel of a game ahead, or remove what was compiled.

Kernels are compiled for argument types, and those do not depend on the player count: one pass serves all of them. A
package that has kernels of its own declares a function of a game under the entry points `skyline.warmup`.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from skyline import registry
from skyline.core import announce, engine
from skyline.core.cache import cache_base
from skyline.core.oneway import STREAMS, hashed
from skyline.envs.aec import TurnBasedEnv
from skyline.envs.vector import VectorGames
from skyline.game import Game
from skyline.record import Recorder, position_of, read, replay, state_of
from skyline.rng import streams
from skyline.typing import Array


def compile_all(game: Game) -> tuple[int, float]:
    """Call every kernel with the argument types that the library uses: how many were compiled, and seconds."""
    before, begun = _compiled_files(), time.perf_counter()
    with announce.ANNOUNCER.counting():
        _call_all(game)
    return len(_compiled_files() - before), time.perf_counter() - begun


def _call_all(game: Game) -> None:
    for dtype in ("int16", "float32"):
        env = TurnBasedEnv(game, obs_dtype=dtype)
        env.reset(seed=0)
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
        for batch in (
            VectorGames(game, 2, obs_dtype=dtype),
            VectorGames(game, 2, obs_dtype=dtype, mask_dtype="bits"),
            VectorGames(game, 2, obs_dtype=dtype, seat=0),
            VectorGames(game, 2, obs_dtype=dtype, seat=0, opponents=_first_legal, autoreset="next_step"),
        ):
            batch.reset(seed=0)
            ids, offsets = batch.legal_ids()
            batch.step(ids[offsets[:-1]])
        _take_a_step_back(batch)
    _call_the_others(game)
    _play_a_game(game)
    hashed([0], [0], STREAMS, 1)
    for entry in importlib.metadata.entry_points(group="skyline.warmup"):
        entry.load()(game)


def _first_legal(observations: Array, masks: Array, seats: Array) -> Array:
    """An opponent that is a function."""
    actions: Array = masks.argmax(axis=1)
    return actions


class _NoAnswerError(Exception):
    pass


def _silent(observations: Array, masks: Array, seats: Array) -> Array:
    raise _NoAnswerError


def _take_a_step_back(batch: VectorGames) -> None:
    """Step until an opponent is asked, who fails: what the learning seats saw before is shown again."""
    batch.set_opponents(_silent)
    with contextlib.suppress(_NoAnswerError):
        while True:
            batch.step(_first_legal(batch.observations, batch.action_mask, batch.current_player))


def _compiled_files() -> set[Path]:
    return set(cache_base().rglob("*.nbc"))


def _play_a_game(game: Game) -> None:
    """A whole game, recorded, drawn and loaded at every decision: games call jitted functions of their own there."""
    kernels, players = engine.kernels(game), game.player_counts[0]
    recorder, luck, action = Recorder(game, players, 0), streams(1, 0), np.zeros(1, np.int64)
    while True:
        s = recorder.state[0]
        game.check(s)
        game.text(s, None, None)
        game.svg(s, None, None)
        state_of(game, position_of(game, s, game.check_options(None)), players)
        if recorder.seat is None:
            break
        kernels.choose_rows(recorder.state, recorder.mask, np.array([engine.RANDOM]), luck, action)
        recorder.play(int(action[0]))
    replay(read(recorder.text().splitlines()))


def _call_the_others(game: Game) -> None:
    """The kernels that no environment calls in its first step."""
    kernels, players = engine.kernels(game), game.player_counts[0]
    states, mask, stream = game.blank(players), engine.mask_array(game, players), streams(1, 0)
    rows, seeds, rewards = np.zeros(1, np.int64), np.zeros(1, np.uint64), np.zeros((1, players), np.float32)
    counts, by_seat, policies = (
        np.zeros((2, 1), np.int64),
        np.zeros((1, players), np.int64),
        np.zeros((1, players), int),
    )
    kernels.begin_rows(states, seeds, rows, mask, rewards, False)
    kernels.fill_masks(states, mask)
    kernels.determinize_rows(states, rows, stream)
    kernels.places_rows(states, by_seat)
    out = engine.observation_array(game, players)
    kernels.rollout(states, mask, out, policies[0], stream, 1, counts[0], by_seat)
    kernels.step_only(states, mask, stream, 1)
    by_seat_streams = streams(players, 0).reshape(1, players)
    kernels.whole_games(states, seeds, policies, by_seat_streams, mask, counts[0], counts[1], by_seat)
    kernels.begin_rows(states, seeds, rows, mask, rewards, False)
    kernels.choose_rows(states, mask, policies[0, :1], stream, counts[0])


def clear(names: Sequence[str] | None = None) -> tuple[int, int]:
    """Remove the kernel folders of these games, or of all: how many, and their bytes.

    A kernel folder is called <name>-<stamp> and marked as used; nothing else in the cache's base folder is touched. The
    first word of its name is that of the game or of the game's package.
    """
    owners = {owner for name in names or () for owner in (name, registry.find(name).package.partition(".")[0])}
    removed, size = 0, 0
    for folder in cache_base().glob("*-*"):
        match = re.fullmatch(r"(\w+)(-.+)?-[0-9a-f]{16}", folder.name)
        if match and (folder / "used").is_file() and (names is None or match[1] in owners):
            size += sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            shutil.rmtree(folder)
            removed += 1
    return removed, size
