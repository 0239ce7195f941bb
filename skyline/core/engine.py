# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The engine: kernels over rows of any game's state. One jitted call does the work of a step; nothing is allocated.

The kernels below are written once against the stubs `reset(s)`, `step(s, a)`, ... Each stub is a numba overload that
looks the row's record type up and gives back the game's own function, so every game gets its own machine code, as
fast as hand-written loops. `Kernels(game)` compiles a kernel when it is first needed and keeps it in the game's
stamped cache folder.

Threads: every kernel works row by row and releases the GIL, so `in_chunks` runs it on row ranges side by side. The
same serial code runs either way, bytes included; there is no second, parallel kernel (and no fork trouble).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError

from skyline.core import jit
from skyline.core.cache import cache_folder, locked, stamp
from skyline.core.jit import njit
from skyline.core.masks import is_illegal, only_legal, random_legal
from skyline.core.overloads import (
    determinize,
    heuristic,
    legal,
    observe,
    rank_key,
    register,
    reset,
    source_folder,
    step,
)
from skyline.game import MOST_SEATS, NO_SEAT, Game
from skyline.rng import next_seed

OUTCOME, SCORE, MARGIN = 0, 1, 2
REWARDS = {"outcome": OUTCOME, "score": SCORE, "margin": MARGIN}

CALLER, RANDOM, HEURISTIC = -1, 0, 1
POLICIES = {"random": RANDOM, "heuristic": HEURISTIC}

SAME_STEP, NEXT_STEP, DISABLED = 0, 1, 2

RUNNING, ENDED = 0, 1
# What step_one returns: REFUSED, or the seat to decide and flags above the bits of every seat.
REFUSED, SEAT_BITS, GAME_OVER, REWARDED = -1, MOST_SEATS - 1, MOST_SEATS, 2 * MOST_SEATS
# ---------------------------------------------------------------- one row


@njit
def begin(s, seed):
    """A new game in this row: everything random in it follows from the seed and the moves."""
    s.deal = seed
    s.rng = seed
    reset(s)


@njit
def begin_next(s):
    """The game that follows the row's game; it does not depend on how that one was played."""
    begin(s, next_seed(s.deal))


@njit
def fill_mask(s, mask):
    mask[:] = 0
    if s.seat != NO_SEAT:
        legal(s, mask)


@njit
def place(s, seat):
    """1 + number of seats ranked above."""
    own = rank_key(s, seat)
    above = 0
    for other in range(s.players):
        if rank_key(s, other) > own:
            above += 1
    return 1 + above


@njit
def outcome(s, seat):
    """+1 for the first place .. -1 for the last, evenly spaced, ties averaged; the seats' outcomes sum to 0."""
    own = rank_key(s, seat)
    above = 0
    level = 0
    for other in range(s.players):
        key = rank_key(s, other)
        if key > own:
            above += 1
        elif key == own:
            level += 1
    return 1.0 - (2.0 * above + (level - 1.0)) / (s.players - 1.0)


@njit
def margin(s, seat):
    """Own score less the best other score."""
    best = np.int64(-(2**62))
    for other in range(s.players):
        if other != seat:
            best = max(best, np.int64(s.scores[other]))
    return np.int64(s.scores[seat]) - best


@njit
def _score(s, seat):
    return np.int64(s.scores[seat]) if seat < s.players else np.int64(0)


@njit
def _scores(s):
    """The scores of MOST_SEATS seats as whole numbers: a tuple, for an array would need memory."""
    return (
        _score(s, 0), _score(s, 1), _score(s, 2), _score(s, 3), _score(s, 4), _score(s, 5), _score(s, 6), _score(s, 7)
    )  # fmt: skip


@njit
def play(s, action, rewards, kind):
    """One legal move; what it brings each seat is added to `rewards` (P,)."""
    if kind == SCORE:
        before = _scores(s)  # subtracted before it is rounded: float32 rewards lose digits of points above 2^24
        step(s, action)
        for p in range(s.players):
            rewards[p] += np.int64(s.scores[p]) - before[p]
        return
    step(s, action)
    if s.seat == NO_SEAT:
        for p in range(s.players):
            rewards[p] += outcome(s, p) if kind == OUTCOME else margin(s, p)


@njit
def play_or_lose(s, action, mask, rewards, kind):
    """Play the action; one that is not legal loses: -1 for the mover, nothing for the others, the game is over."""
    if is_illegal(mask, action):
        rewards[s.seat] -= 1
        s.seat = NO_SEAT
    else:
        play(s, action, rewards, kind)


@njit
def play_forced(s, mask, rewards, kind):
    """Play decisions with a single legal move until there is a choice or the end; `mask` is kept up to date."""
    while s.seat != NO_SEAT:
        action = only_legal(mask)
        if action < 0:
            return
        play(s, action, rewards, kind)
        fill_mask(s, mask)


@njit
def settle(s, mask, rewards, kind, forced):
    """After a move or a deal: the mask of the seat to decide; forced moves are played when asked for."""
    fill_mask(s, mask)
    if forced:
        play_forced(s, mask, rewards, kind)


@njit
def chosen(s, mask, policy, stream):
    """The action of a policy in the kernel."""
    if policy == HEURISTIC:
        return heuristic(s, mask, stream)
    return random_legal(mask, stream)


@njit
def view(s, seat, out, scales):
    """The seat's observation; divided by `scales` (N,) for the float view, raw where `scales` is empty."""
    observe(s, seat, out)
    for i in range(scales.shape[0]):
        out[i] = out[i] / scales[i]


# ---------------------------------------------------------------- kernels: serial loops over rows


def begin_rows(S, seeds, rows, mask, rewards, forced):
    """Begin the games of `rows` with their seeds; the mask of the seat that decides first."""
    for i in range(rows.shape[0]):
        r = rows[i]
        begin(S[r], seeds[i])
        rewards[r, :] = 0
        settle(S[r], mask[r], rewards[r], OUTCOME, forced)


@lru_cache(None)
def desk_dtype(game: Game) -> np.dtype[Any]:
    """What the AEC environment's step works on, as one record: every array argument of a call costs a tenth of it.

    The same object for all environments of a game: with another one, equal or not, numba takes 1.5 us more to find
    the kernel of a call.
    """
    most = max(game.player_counts)
    size = max(game.actions(players).size for players in game.player_counts)
    return jit.record_dtype(
        [
            ("state", game.state),
            ("rewards", np.float32, (most,)),  # of the last step
            ("mask", np.int8, (size,)),  # of the seat to decide; the first A of it
            ("kind", np.int8),  # OUTCOME, SCORE, MARGIN
            ("forced", np.int8),  # 1: decisions with a single legal move are played
        ]
    )


def step_one(desks, action, masks, out, slot):
    """The AEC environment's step: REFUSED, or the next seat with the flags GAME_OVER and REWARDED.

    The desk's mask is the environment's own; mask and observation of the next seat also go to row `slot` of the
    blocks that are handed out.
    """
    desk = desks[0]
    s, rewards, mask = desk.state, desk.rewards, desk.mask[: masks.shape[1]]
    if is_illegal(mask, action):
        return REFUSED
    rewards[:] = 0
    play(s, action, rewards, desk.kind)
    settle(s, mask, rewards, desk.kind, desk.forced)
    code = 0
    for p in range(s.players):
        if rewards[p] != 0:
            code = REWARDED
    if s.seat == NO_SEAT:
        return code | GAME_OVER
    shown = masks[slot]
    for a in range(shown.shape[0]):
        shown[a] = mask[a]
    observe(s, s.seat, out[slot])
    return code | s.seat


@njit
def _step_row(s, final, action, mask, rewards, kind, forced, autoreset):
    ended = RUNNING
    rewards[:] = 0
    if s.seat != NO_SEAT:
        play_or_lose(s, action, mask, rewards, kind)
    elif autoreset == NEXT_STEP:
        begin_next(s)
    else:
        return RUNNING
    while True:
        settle(s, mask, rewards, kind, forced)
        if s.seat != NO_SEAT:
            return ended
        final[0] = s
        ended = ENDED
        if autoreset != SAME_STEP:
            return ended
        begin_next(s)


def step_rows(S, finals, actions, mask, out, rewards, ended, scales, kind, forced, autoreset):
    """One step of every row, every seat moved by the caller. `finals` keeps the last state of games that ended.

    The caller has checked the actions, or wants illegal ones to lose the game.
    """
    for i in range(S.shape[0]):
        s = S[i]
        mover = s.seat
        ended[i] = _step_row(s, finals[i : i + 1], actions[i], mask[i], rewards[i], kind, forced, autoreset)
        view(s, s.seat if s.seat != NO_SEAT else max(mover, 0), out[i], scales)


def step_some(S, rows, actions, mask, rewards, kind):
    """A move in some rows, adding to `rewards`; the mask of their next seat."""
    for i in range(rows.shape[0]):
        r = rows[i]
        play_or_lose(S[r], actions[i], mask[r], rewards[r], kind)
        fill_mask(S[r], mask[r])


@njit
def _others_move(s, policies, stream, mask, rewards, kind, forced):
    while s.seat != NO_SEAT:
        policy = policies[s.seat]
        if policy == CALLER:
            action = only_legal(mask) if forced else -1
            if action < 0:
                return
        else:
            action = chosen(s, mask, policy, stream)
        play(s, action, rewards, kind)
        fill_mask(s, mask)


def others_move(S, rows, policies, streams, mask, rewards, kind, forced):
    """In `rows`, seats with a policy in the kernel move until a seat without one has to choose or the game ends; the
    forced moves of the others are played when asked for."""
    for i in range(rows.shape[0]):
        r = rows[i]
        fill_mask(S[r], mask[r])
        _others_move(S[r], policies[r], streams[r], mask[r], rewards[r], kind, forced)


def begin_next_rows(S, rows):
    """Begin the following game in some rows."""
    for i in range(rows.shape[0]):
        begin_next(S[rows[i]])


def observe_some(S, rows, seats, out, scales):
    """The observation of seats[r] in some rows r."""
    for i in range(rows.shape[0]):
        view(S[rows[i]], seats[rows[i]], out[rows[i]], scales)


def first_illegal(S, rows, actions, mask):
    """The first i whose action is not legal in row rows[i], or -1. Games that are over take any number."""
    for i in range(rows.shape[0]):
        r = rows[i]
        if S[r].seat != NO_SEAT and is_illegal(mask[r], actions[i]):
            return i
    return -1


@njit
def _rollout_row(s, mask, out, policies, stream, steps, scores):
    games = 0
    fill_mask(s, mask)
    for _ in range(steps):
        step(s, chosen(s, mask, policies[s.seat], stream))
        if s.seat == NO_SEAT:
            games += 1
            for p in range(s.players):
                scores[p] += s.scores[p]
            begin_next(s)
        fill_mask(s, mask)
        if out.shape[0]:
            observe(s, s.seat, out)
    return games


def rollout(S, mask, out, policies, streams, steps, games, scores):
    """`steps` moves of every row by policies in the kernel, games following each other; mask and (unless `out` has
    no columns) observation are written at every move. `policies` (P,), sums of final scores in `scores` (n, P)."""
    for i in range(S.shape[0]):
        games[i] += _rollout_row(S[i], mask[i], out[i], policies, streams[i], steps, scores[i])


def step_only(S, mask, streams, steps):
    """`steps` random legal moves of every row without observations: the cost of step and mask alone."""
    for i in range(S.shape[0]):
        s = S[i]
        fill_mask(s, mask[i])
        for _ in range(steps):
            step(s, random_legal(mask[i], streams[i]))
            if s.seat == NO_SEAT:
                begin_next(s)
            fill_mask(s, mask[i])


@njit
def _whole_game(s, seed, policies, streams, mask, forced_count):
    begin(s, seed)
    moves = 0
    while s.seat != NO_SEAT:
        fill_mask(s, mask)
        if only_legal(mask) >= 0:
            forced_count += 1
        step(s, chosen(s, mask, policies[s.seat], streams[s.seat]))
        moves += 1
    return moves, forced_count


def whole_games(S, seeds, policies, streams, mask, moves, forced, places):
    """Play one whole game in every row; `policies` and `streams` (n, P), one for every seat. Final states stay in S;
    moves, forced moves and places."""
    for i in range(S.shape[0]):
        moves[i], forced[i] = _whole_game(S[i], seeds[i], policies[i], streams[i], mask[i], 0)
        for p in range(S[i].players):
            places[i, p] = place(S[i], p)


def fill_masks(S, mask):
    """The mask of every row's seat to decide."""
    for i in range(S.shape[0]):
        fill_mask(S[i], mask[i])


def choose_rows(S, mask, policies, streams, actions):
    """The action that policies[i] takes in row i; nothing is played."""
    for i in range(S.shape[0]):
        actions[i] = chosen(S[i], mask[i], policies[i], streams[i])


def determinize_rows(S, seats, streams):
    """Deal what seats[i] cannot see in row i anew. The seed goes, too: it would give the cards away."""
    for i in range(S.shape[0]):
        determinize(S[i], seats[i], streams[i])
        S[i].deal = 0


def places_rows(S, places):
    """Final place of every seat of every row."""
    for i in range(S.shape[0]):
        for p in range(S[i].players):
            places[i, p] = place(S[i], p)


KERNELS = {
    kernel.__name__: kernel
    for kernel in (
        begin_rows, step_one, step_rows, step_some, others_move, begin_next_rows, observe_some, first_illegal, rollout,
        step_only, whole_games, choose_rows, fill_masks, determinize_rows, places_rows,
    )
}  # fmt: skip


# ---------------------------------------------------------------- compiling


class ContractError(TypeError):
    """A jitted function of a game does not fulfil the contract of `skyline.game`."""


class Kernels:
    """Compiled kernels of one game, as attributes; each is compiled (or loaded from the cache) on first use.

    Other packages make their own with `functions` and the folders of their sources.
    """

    def __init__(
        self,
        game: Game,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        label: str = "",
        sources: Sequence[Path] = (),
    ) -> None:
        register(game)
        self._game, self._label = game, label
        self._functions = KERNELS if functions is None else functions
        self._sources = [source_folder(game), *sources]

    @cached_property
    def stamp(self) -> str:
        """What all sources of the kernels hash to."""
        return stamp(self._sources)

    @cached_property
    def folder(self) -> Path | None:
        """The stamped cache folder; None where kernels cannot be kept."""
        return cache_folder(f"{self._game.name}{self._label}", self._sources)

    def __getattr__(self, name: str) -> Any:
        functions = self.__dict__.get("_functions", {})
        if name not in functions:
            raise AttributeError(name)
        kernel = self._ready(functions[name])
        setattr(self, name, kernel)
        return kernel

    def _ready(self, function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        return _FirstCall(self, function.__name__, jit.cached_kernel(function, self.folder))


class _FirstCall:
    """A kernel before its first call: compiles under the folder's lock, then steps out of the way."""

    def __init__(self, owner: Kernels, name: str, dispatcher: Any) -> None:
        self.owner, self.name, self.dispatcher = owner, name, dispatcher

    def __call__(self, *arguments: Any) -> Any:
        types = tuple(map(numba.typeof, arguments))
        try:
            with locked(self.owner.folder):
                self.dispatcher.compile(types)
        except (NumbaError, KeyError) as error:  # KeyError: numba's way to say that a record has no such field
            from skyline.core.diagnosis import explain

            raise ContractError(explain(self.owner._game, self.name, error)) from error
        setattr(self.owner, self.name, self.dispatcher)
        return self.dispatcher(*arguments)


@lru_cache(None)
def kernels(game: Game) -> Kernels:
    """The kernels of a game."""
    return Kernels(game)


# ---------------------------------------------------------------- threads


@lru_cache(None)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="skyline")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked child has no threads: it makes its own pool


def in_chunks(run: Callable[[slice], Any], n: int, threads: int, least: int = 1) -> None:
    """run(slice) over n rows, on up to `threads` ranges of `least` rows or more side by side, with the same result.

    An exception in a range is raised when every range has ended.
    """
    ranges = min(threads, n // least)
    if ranges <= 1:
        run(slice(0, n))
        return
    edges = np.linspace(0, n, ranges + 1).astype(int)
    own, *others = map(slice, edges[:-1], edges[1:])
    waiting: list[Future[Any]] = []
    try:
        for part in others:
            waiting.append(_pool(threads - 1).submit(run, part))
        run(own)
        wait(waiting)
    finally:  # after an exception, too, nobody goes on writing the caller's arrays
        for future in waiting:
            future.cancel()
        wait(waiting)
    for future in waiting:
        future.result()


# ---------------------------------------------------------------- arrays every caller needs


def mask_array(game: Game, players: int, n: int = 1) -> np.ndarray[Any, Any]:
    return np.zeros((n, game.actions(players).size), np.int8)


def observation_array(game: Game, players: int, n: int = 1, features: str = "base", dtype: Any = np.int16) -> Any:
    return np.zeros((n, game.observation(players).size(features)), dtype)


NO_SCALES = np.zeros(0, np.float32)


@lru_cache(None)
def scales(game: Game, players: int, features: str, dtype: str) -> np.ndarray[Any, Any]:
    """What `observe_some` divides by: a divisor for each value of a float32 observation, nothing for int16."""
    if dtype == "int16":
        return NO_SCALES
    return game.observation(players).per_value("scale", features).astype(np.float32)


def legal_actions(game: Game, s: Any) -> list[int]:
    """The legal action ids of a row, ascending; [] at the end. `s` is a length-1 array or a row of one."""
    states = as_rows(s)
    mask = mask_array(game, int(states["players"][0]))
    kernels(game).fill_masks(states, mask)
    return [int(a) for a in np.flatnonzero(mask[0])]


def as_rows(s: Any) -> np.ndarray[Any, Any]:
    """A row as a length-1 array that shares its memory; arrays pass."""
    return np.asarray(s).reshape(-1)
