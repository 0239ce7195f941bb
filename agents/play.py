"""Play whole games with agents.

    results = play("manhattan", ["heuristic", "random"], games=1000, players=2, seed=1, rotate=True)

Game i has the seed `seed + i`; everything random in it, the agents' part too, follows from that seed, so results do
not depend on how many games are played at once. Where every agent has a policy in the kernel, and nothing is to be
recorded or watched, the kernel plays alone; else games are played move by move in Python, where agents get views.
In-kernel agents play the same games either way.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import names
from agents.protocol import Agent, View, act_in_all, is_batched, kernel_policy
from agents.results import Array, Finished, Results
from skyline import engine, registry
from skyline.game import NO_SEAT, Game, illegal_move
from skyline.record import Recorder
from skyline.rng import GOLDEN, STREAM, check_seed, mixed

CHUNK_SECONDS = 0.2  # how long the kernel plays between two looks at the progress bar and the keyboard
MOST_ROWS = 4096  # games in one kernel call
SIDE_BY_SIDE = 256  # games played together in Python when every agent can choose in many at once


@dataclass(frozen=True)
class Moved:
    """A move that has just been played, for watchers; `board` is the text picture after it, nothing hidden."""

    number: int  # of the move in its game, from 1
    seed: int
    seat: int
    agent: str
    text: str
    board: str


@dataclass(frozen=True)
class Match:
    """What is to be played. Agent k sits at seat k, or at seat (k + i) mod P in game i with `rotate`."""

    game: Game
    players: int
    options: dict[str, Any]
    names: list[str]
    agents: list[Agent]
    games: int
    seed: int
    rotate: bool
    auto_forced: bool
    record: Path | None
    legal: bool
    watch: Callable[[Moved], None] | None

    def seats(self, rows: Array) -> Array:
        """The seat of every agent in some games, (n, K)."""
        turned = rows[:, np.newaxis] % self.players if self.rotate else 0
        seats: Array = (np.arange(self.players) + turned) % self.players
        return np.broadcast_to(seats, (len(rows), self.players))

    def seeds(self, rows: Array) -> Array:
        return np.array([self.seed + int(row) for row in rows], np.uint64)

    def finished(self, rows: Array, scores: Array, places: Array, moves: Array, forced: Array) -> Finished:
        """Results by seat as results by agent."""
        seats = self.seats(rows)
        scores, places = (np.take_along_axis(values.astype(np.int64), seats, 1) for values in (scores, places))
        return Finished(self.seeds(rows), seats, scores, places, moves.copy(), forced.copy())


def play(
    game: str | Game,
    agents: str | Sequence[str | Agent],
    games: int = 1,
    *,
    players: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    rotate: bool = False,
    auto_forced: bool = False,
    record: str | Path | None = None,
    legal: bool = False,
    watch: Callable[[Moved], None] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play games and report what happened. Ctrl-C ends it early: the results hold the games that were finished.

    Parameters
    ----------
    agents : names (see `agents.names`) or agents; fewer than players are repeated in turn.
    players : default: as many as agents are given, at least the game's smallest count.
    auto_forced : agents are not asked when there is a single legal move.
    record, legal : write every game to this folder as `record_name` says, with all legal moves if `legal`.
    watch : called after every move.   progress : called with the number of games finished, first with 0.
    """
    match = _match(game, agents, games, players, seed, options, rotate, auto_forced, record, legal, watch)
    results = Results(match.game, match.players, match.options, match.names, match.seed, match.games, match.rotate)
    tell = progress or (lambda done: None)
    try:
        _load(match)
        tell(0)
        begun = time.perf_counter()
        for block in _way(match)(match):
            results.blocks.append(block)
            results.seconds = time.perf_counter() - begun
            tell(len(results))
    except KeyboardInterrupt:
        results.interrupted = True
    return results


def _match(
    game: str | Game,
    given: str | Sequence[str | Agent],
    games: int,
    players: int | None,
    seed: int,
    options: Mapping[str, Any] | None,
    rotate: bool,
    auto_forced: bool,
    record: str | Path | None,
    legal: bool,
    watch: Callable[[Moved], None] | None,
) -> Match:
    """Everything checked."""
    loaded = registry.load(game)
    line_up = names.split(given) if isinstance(given, str) else list(given)
    count = loaded.check_players(max(len(line_up), loaded.player_counts[0]) if players is None else players)
    if games < 1:
        raise ValueError(f"the number of games is at least 1, not {games}")
    check_seed(seed)
    check_seed(int(seed) + games - 1)
    line_up = names.fill(line_up, count)
    folder = None if record is None else _writable(Path(record))
    return Match(
        loaded,
        count,
        loaded.check_options(options),
        [agent if isinstance(agent, str) else type(agent).__name__ for agent in line_up],
        [names.make(agent) if isinstance(agent, str) else agent for agent in line_up],
        int(games),
        int(seed),
        rotate,
        auto_forced,
        folder,
        legal,
        watch,
    )


def _writable(folder: Path) -> Path:
    """The folder, made if needed; OSError if nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(13, "no permission to write", str(folder))
    return folder


def record_name(game: Game, players: int, seed: int) -> str:
    """The file name of a game's record."""
    return f"{game.name}-{players}p-seed{seed}.jsonl"


def agent_streams(seeds: Array) -> Array:
    """The stream of the agents of every game, STREAM (n,): the first of `skyline.rng.streams` of the game's seed."""
    rows = np.zeros(len(seeds), STREAM)
    rows["rng"] = getattr(mixed, "py_func", mixed)(seeds ^ GOLDEN)
    return rows


def _way(match: Match) -> Callable[[Match], Iterator[Finished]]:
    if match.record is not None or match.watch is not None:
        return _recorded
    return _in_kernel if all(kernel_policy(agent) is not None for agent in match.agents) else _side_by_side


def _load(match: Match) -> None:
    """Compile or load what every game needs, so that it does not count as time to play."""
    rows = np.zeros(0, np.int64)
    if _way(match) is _in_kernel:
        _KernelRun(match, 1).play(rows)
    else:
        tables = _Tables(match, np.zeros(1, np.int64))
        tables.advance(rows, rows)
        for agent in match.agents:
            if kernel_policy(agent) is not None:
                agent.begin(match.game, match.players, match.options, 0)
                agent.act(tables.view(0))


# ---------------------------------------------------------------- in the kernel


class _KernelRun:
    """Arrays for at most `size` games at once in the kernel."""

    def __init__(self, match: Match, size: int) -> None:
        self.match, P = match, match.players
        self._whole_games = engine.kernels(match.game).whole_games
        self._states = match.game.blank(P, match.options, size)
        self._mask = engine.mask_array(match.game, P, size)
        self._moves, self._forced = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._places = np.zeros((size, P), np.int64)
        self._by_agent = np.array([kernel_policy(agent) for agent in match.agents])

    def play(self, rows: Array) -> Finished:
        """Play the games of these numbers."""
        n, match = len(rows), self.match
        seeds, policies = match.seeds(rows), np.zeros((n, match.players), np.int64)
        np.put_along_axis(policies, match.seats(rows), np.broadcast_to(self._by_agent, policies.shape), 1)
        states, moves, forced, places = self._states[:n], self._moves[:n], self._forced[:n], self._places[:n]
        self._whole_games(states, seeds, policies, agent_streams(seeds), self._mask[:n], moves, forced, places)
        return match.finished(rows, states["scores"][:, : match.players], places, moves, forced)


def _in_kernel(match: Match) -> Iterator[Finished]:
    """Chunks of games, each of about CHUNK_SECONDS."""
    size, first = min(16, match.games), 0
    run = _KernelRun(match, size)
    while first < match.games:
        begun = time.perf_counter()
        end = min(first + size, match.games)
        yield run.play(np.arange(first, end))
        seconds = max(time.perf_counter() - begun, 1e-6)
        fitting = int((end - first) * CHUNK_SECONDS / seconds)
        first, wanted = end, max(1, min(fitting, 8 * size, MOST_ROWS))
        if wanted > size:
            run = _KernelRun(match, wanted)
        size = wanted


# ---------------------------------------------------------------- move by move


class _Tables:
    """Games played side by side: row r is game rows[r] of the match."""

    def __init__(self, match: Match, rows: Array) -> None:
        self.match, self.rows, n = match, rows, len(rows)
        self.states = match.game.blank(match.players, match.options, n)
        self.mask = engine.mask_array(match.game, match.players, n)
        self.seeds = match.seeds(rows)
        self._kernels = engine.kernels(match.game)
        self._rewards = np.zeros((n, match.players), np.float32)
        self._begin()
        self.streams = agent_streams(self.seeds)
        self.moves, self.forced = np.zeros(n, np.int64), np.zeros(n, np.int64)

    def _begin(self) -> None:
        rows = np.arange(len(self.rows))
        self._kernels.begin_rows(self.states, self.seeds, rows, self.mask, self._rewards, False)

    def view(self, r: int) -> View:
        part = slice(r, r + 1)
        return View(self.match.game, self.states[part], self.mask[part], self.streams[part], self.match.options)

    def advance(self, rows: Array, actions: Array) -> None:
        """Play legal actions in some rows."""
        self._kernels.step_some(self.states, rows, actions, self.mask, self._rewards, engine.SCORE)

    def finished(self) -> Finished:
        """What came of the games, all of them over."""
        scores = self.states["scores"][:, : self.match.players]
        places = np.zeros(scores.shape, np.int64)
        self._kernels.places_rows(self.states, places)
        return self.match.finished(self.rows, scores, places, self.moves, self.forced)


class _RecordedTable(_Tables):
    """A single game that is recorded and watched."""

    def _begin(self) -> None:
        match = self.match
        self._recorder = Recorder(
            match.game, match.players, int(self.seeds[0]), match.options, legal=match.legal and match.record is not None
        )
        self.states, self.mask = self._recorder.state, self._recorder.mask

    def advance(self, rows: Array, actions: Array) -> None:
        match, seat, before = self.match, int(self.states["seat"][0]), len(self._recorder.lines)
        self._recorder.play(int(actions[0]))
        if match.watch is not None:
            agent = match.names[int(np.flatnonzero(match.seats(self.rows)[0] == seat)[0])]
            text = self._recorder.lines[before]["move"]
            board = match.game.text(self.states[0], None, text)
            match.watch(Moved(int(self.moves[0]), int(self.seeds[0]), seat, agent, text, board))

    def save(self) -> None:
        if self.match.record is not None:
            name = record_name(self.match.game, self.match.players, int(self.seeds[0]))
            self._recorder.save(self.match.record / name)


def _side_by_side(match: Match) -> Iterator[Finished]:
    """Blocks of games; one game at a time if an agent can only think about one."""
    width = SIDE_BY_SIDE if all(map(is_batched, match.agents)) else 1
    for first in range(0, match.games, width):
        tables = _Tables(match, np.arange(first, min(first + width, match.games)))
        _play_out(tables)
        yield tables.finished()


def _recorded(match: Match) -> Iterator[Finished]:
    """Game by game; a game's file is written when it is over."""
    for i in range(match.games):
        table = _RecordedTable(match, np.array([i]))
        _play_out(table)
        table.save()
        yield table.finished()


def _play_out(tables: _Tables) -> None:
    """Play the games of the tables to their end."""
    match = tables.match
    for k, agent in enumerate(match.agents):
        agent.begin(match.game, match.players, dict(match.options), _own_seed(int(tables.seeds[0]), k))
    agent_at = np.argsort(match.seats(tables.rows), axis=1)  # (n, P) the agent of every seat
    while True:
        rows = np.flatnonzero(tables.states["seat"] != NO_SEAT)
        if len(rows) == 0:
            return
        movers = agent_at[rows, tables.states["seat"][rows]]
        actions = _actions(tables, rows, movers)
        tables.moves[rows] += 1
        tables.advance(rows, actions)


def _own_seed(seed: int, agent: int) -> int:
    """An agent's own seed: the game's cannot be read from it."""
    return int(np.random.SeedSequence([seed, agent]).generate_state(1, np.uint64)[0])


def _actions(tables: _Tables, rows: Array, movers: Array) -> Array:
    """What the agents `movers` play in these rows."""
    match, actions = tables.match, np.zeros(len(rows), np.int64)
    single = tables.mask[rows].sum(axis=1, dtype=np.int64) == 1
    tables.forced[rows] += single
    for k, agent in enumerate(match.agents):
        own = movers == k
        if match.auto_forced and kernel_policy(agent) is None:
            actions[own & single] = tables.mask[rows[own & single]].argmax(axis=1)
            own &= ~single
        where = np.flatnonzero(own)
        if len(where):
            answers = act_in_all(agent, [tables.view(int(rows[i])) for i in where])
            for i, action in zip(where, answers, strict=True):
                actions[i] = _checked(tables, int(rows[i]), k, action)
    return actions


def _checked(tables: _Tables, r: int, agent: int, action: Any) -> int:
    """The action, if it is legal."""
    mask, s = tables.mask[r], tables.states[r]
    if isinstance(action, (int, np.integer)) and 0 <= action < len(mask) and mask[action]:
        return int(action)
    name, number = tables.match.names[agent], int(tables.moves[r]) + 1
    who = f"agent {name!r} at seat {int(s.seat)}, move {number} of the game with seed {int(tables.seeds[r])}"
    raise illegal_move(tables.match.game, s, mask, action, who)
