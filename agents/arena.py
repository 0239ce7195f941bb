"""Games between any agents at any player count: who sits where is given, what came of it is returned.

    match = Match(game, 2, options, ["heuristic", "my_file:MyBot"], [names.make(..), names.make(..)], forfeits=True)
    for rows, played in games(match, seatings):          # Seatings: n games, their seeds and who sits where
        played.places                                    # (len(rows), 2)

Everything random in a game follows from its seed (the cards) and its seed and salt (the agents' part), so results do
not depend on how games are grouped. Games of in-kernel agents are played whole by the kernel; the others move by move
in Python, side by side where every agent of the table can choose in many games at once. In-kernel agents play the
same games either way.

With `forfeits` an agent that raises, answers with an illegal action or thinks longer than `move_seconds` loses its
game: it comes last, the others share the first place, scores stay as they stood, and the reason is in the result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from agents.protocol import Agent, View, act_in_all, is_batched, kernel_policy
from agents.questions import Guard, Refused, answer
from skyline import engine
from skyline.game import NO_SEAT, Game, illegal_move
from skyline.record import Recorder
from skyline.rng import GOLDEN, MIX_2, STREAM, mixed

Array = np.ndarray[Any, Any]

CHUNK_SECONDS = 0.2  # how long the kernel plays between two looks at the progress bar and the keyboard
MOST_ROWS = 4096  # games in one kernel call
SIDE_BY_SIDE = 256  # games played together in Python when every agent can choose in many at once
BEGIN_SECONDS = 300  # where moves are limited, an agent may take so long to begin (compiling, reading a model)
REASON_LENGTH = 300  # characters of a forfeit's reason

ALONE, TOGETHER, WHOLE = 0, 1, 2  # a table's games are played one by one, side by side, whole in the kernel


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
    """What games between some agents have in common. An agent of the roster sits at most once at a table."""

    game: Game
    players: int
    options: dict[str, Any]
    names: list[str]
    agents: list[Agent]
    auto_forced: bool = False  # agents are not asked when a single move is legal
    forfeits: bool = False  # else what an agent does wrong is raised
    move_seconds: float | None = None  # the most a move may take; needs `forfeits`
    legal: bool = False  # records hold all legal moves
    watch: Callable[[Moved], None] | None = None  # called after every move
    width: int | None = None  # the most games side by side; None: SIDE_BY_SIDE
    guard: Guard | None = None


@dataclass(frozen=True)
class Seatings:
    """n games that are to be played."""

    seeds: Array  # (n,) uint64
    agents: Array  # (n, P) int64, who sits at each seat: a number of the roster
    salts: Array  # (n,) int64: games of one seed and salt have the same stream for the agents' own chance
    files: Sequence[Path] | None = None  # where to write their records

    def __len__(self) -> int:
        return len(self.seeds)

    def take(self, rows: Array) -> Seatings:
        """Some of them."""
        files = None if self.files is None else [self.files[int(row)] for row in rows]
        return Seatings(self.seeds[rows], self.agents[rows], self.salts[rows], files)


@dataclass(frozen=True)
class Played:
    """What came of n games with P players, by seat."""

    scores: Array  # (n, P) int64
    places: Array  # (n, P) int64, 1 = first, shared places stay shared
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64, moves that had no alternative
    seconds: Array  # (n,) float64
    thinking: Array  # (n, P) float64: seconds of all moves; NaN where the kernel played the whole game
    slowest: Array  # (n, P) float64: seconds of the longest; NaN likewise
    asked: Array  # (n, P) float64: how many moves the agent was asked for; NaN likewise
    forfeits: Array  # (n,) int64: the seat that forfeited, NO_SEAT for none
    reasons: list[str | None]

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, rows: Array) -> Played:
        """Some of them."""
        arrays = {part.name: getattr(self, part.name)[rows] for part in fields(self) if part.name != "reasons"}
        return Played(**arrays, reasons=[self.reasons[i] for i in rows])


def joined(parts: Sequence[tuple[Array, Played]]) -> Played:
    """All games of `games` in the order of their rows."""
    columns = [part.name for part in fields(Played) if part.name != "reasons"]
    arrays = {name: np.concatenate([getattr(played, name) for _, played in parts]) for name in columns}
    whole = Played(**arrays, reasons=[reason for _, played in parts for reason in played.reasons])
    return whole.take(np.argsort(np.concatenate([rows for rows, _ in parts])))


def games(match: Match, seatings: Seatings) -> Iterator[tuple[Array, Played]]:
    """Play them all; rows and what came of them, as they are finished."""
    for way, rows in _ways(match, seatings):
        chosen = seatings.take(rows)
        for part, played in way(match, chosen, rows):
            yield rows[part], played


def _ways(match: Match, seatings: Seatings) -> list[tuple[Callable[..., Iterator[tuple[slice, Played]]], Array]]:
    """How to play, and the rows to play so."""
    if seatings.files is not None or match.watch is not None:
        return [(_recorded, np.arange(len(seatings)))]
    levels = np.array([_level(agent) for agent in match.agents])[seatings.agents].min(axis=1)
    ways = ((WHOLE, _in_kernel), (TOGETHER, _side_by_side), (ALONE, _one_by_one))
    return [(way, np.flatnonzero(levels == level)) for level, way in ways if (levels == level).any()]


def _level(agent: Agent) -> int:
    if kernel_policy(agent) is not None:
        return WHOLE
    return TOGETHER if is_batched(agent) else ALONE


def load(match: Match, seatings: Seatings) -> None:
    """Compile or load what such games need, so that it does not count as time to play."""
    if len(seatings) == 0:
        return
    for way, rows in _ways(match, seatings):
        some = seatings.take(rows[:1])
        if way is _in_kernel:
            _KernelRun(match, 1).play(some.take(rows[:0]))
            continue
        tables, nothing = _Tables(match, some, rows[:1]), np.zeros(0, np.int64)
        tables.advance(nothing, nothing)
        for k in set(seatings.agents[rows].ravel().tolist()):
            if kernel_policy(match.agents[k]) is not None:
                match.agents[k].begin(match.game, match.players, match.options, 0)
                match.agents[k].act(tables.view(0))


def agent_streams(seeds: Array, salts: Array | int = 0) -> Array:
    """The stream of the agents of every game, STREAM (n,); salt 0: the first of `skyline.rng.streams` of the seed."""
    rows = np.zeros(len(seeds), STREAM)
    salted = seeds ^ GOLDEN ^ (np.asarray(salts).astype(np.uint64) * MIX_2)
    rows["rng"] = getattr(mixed, "py_func", mixed)(salted)
    return rows


# ---------------------------------------------------------------- in the kernel


class _KernelRun:
    """Arrays for at most `size` games at once in the kernel."""

    def __init__(self, match: Match, size: int) -> None:
        self.match, P = match, match.players
        self._whole_games = engine.kernels(match.game).whole_games
        self._states = match.game.blank(P, match.options, size)
        self._mask = engine.mask_array(match.game, P, size)
        self._policies = np.array([-1 if (policy := kernel_policy(a)) is None else policy for a in match.agents])

    def play(self, seatings: Seatings) -> Played:
        n, P = len(seatings), self.match.players
        moves, forced, places = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros((n, P), np.int64)
        states, policies = self._states[:n], self._policies[seatings.agents]
        streams, begun = agent_streams(seatings.seeds, seatings.salts), time.perf_counter()
        self._whole_games(states, seatings.seeds, policies, streams, self._mask[:n], moves, forced, places)
        seconds = np.full(n, (time.perf_counter() - begun) / max(n, 1))
        scores = states["scores"][:, :P].astype(np.int64)
        unknown, nobody = np.full((n, P), np.nan), np.full(n, NO_SEAT, np.int64)
        return Played(scores, places, moves, forced, seconds, unknown, unknown, unknown, nobody, [None] * n)


def _in_kernel(match: Match, seatings: Seatings, _: Array) -> Iterator[tuple[slice, Played]]:
    """Chunks of games, each of about CHUNK_SECONDS."""
    n, first = len(seatings), 0
    size = min(16, n)
    run = _KernelRun(match, size)
    while first < n:
        begun = time.perf_counter()
        end = min(first + size, n)
        yield slice(first, end), run.play(seatings.take(np.arange(first, end)))
        seconds = max(time.perf_counter() - begun, 1e-6)
        fitting = int((end - first) * CHUNK_SECONDS / seconds)
        first, wanted = end, max(1, min(fitting, 8 * size, MOST_ROWS))
        if wanted > size:
            run = _KernelRun(match, wanted)
        size = wanted


# ---------------------------------------------------------------- move by move


class _Tables:
    """Games played side by side; `numbers` (n,) are their rows in all that is to be played."""

    def __init__(self, match: Match, seatings: Seatings, numbers: Array) -> None:
        self.match, self.seatings, self.numbers, n = match, seatings, numbers, len(seatings)
        self._kernels = engine.kernels(match.game)
        self._begin(match, seatings)
        self.streams = agent_streams(seatings.seeds, seatings.salts)
        self.moves, self.forced = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.thinking, self.slowest, self.asked = (np.zeros((n, match.players)) for _ in range(3))
        self.forfeits = np.full(n, NO_SEAT, np.int64)
        self.reasons: list[str | None] = [None] * n

    def _begin(self, match: Match, seatings: Seatings) -> None:
        n = len(seatings)
        self.states = match.game.blank(match.players, match.options, n)
        self.mask = engine.mask_array(match.game, match.players, n)
        self._rewards = np.zeros((n, match.players), np.float32)
        self._kernels.begin_rows(self.states, seatings.seeds, np.arange(n), self.mask, self._rewards, False)

    def view(self, r: int) -> View:
        part = slice(r, r + 1)
        return View(self.match.game, self.states[part], self.mask[part], self.streams[part], self.match.options)

    def running(self) -> Array:
        """Rows of games that are not over."""
        return np.flatnonzero(self.states["seat"] != NO_SEAT)

    def advance(self, rows: Array, actions: Array) -> None:
        """Play legal actions in some rows."""
        self._kernels.step_some(self.states, rows, actions, self.mask, self._rewards, engine.SCORE)

    def forfeit(self, r: int, seat: int, reason: str) -> None:
        """The game of row r is over: the seat has lost it."""
        self.forfeits[r] = seat
        self.reasons[r] = reason[:REASON_LENGTH]
        self.states["seat"][r] = NO_SEAT

    def finished(self, seconds: float) -> Played:
        """What came of the games, all of them over."""
        n, P = len(self.seatings), self.match.players
        scores = self.states["scores"][:, :P].astype(np.int64)
        places = np.zeros((n, P), np.int64)
        self._kernels.places_rows(self.states, places)
        for r in np.flatnonzero(self.forfeits != NO_SEAT):
            places[r] = 1
            places[r, self.forfeits[r]] = P
        times = self.thinking, self.slowest, self.asked
        return Played(
            scores, places, self.moves, self.forced, np.full(n, seconds / n), *times, self.forfeits, self.reasons
        )


class _RecordedTable(_Tables):
    """A single game that is recorded and watched."""

    def _begin(self, match: Match, seatings: Seatings) -> None:
        legal = match.legal and seatings.files is not None
        self._recorder = Recorder(match.game, match.players, int(seatings.seeds[0]), match.options, legal=legal)
        self.states, self.mask = self._recorder.state, self._recorder.mask

    def advance(self, rows: Array, actions: Array) -> None:
        if len(rows) == 0:
            return
        match, seat, before = self.match, int(self.states["seat"][0]), len(self._recorder.lines)
        self._recorder.play(int(actions[0]))
        if match.watch is not None:
            agent = match.names[int(self.seatings.agents[0, seat])]
            text = self._recorder.lines[before]["move"]
            board = match.game.text(self.states[0], None, text)
            match.watch(Moved(int(self.moves[0]), int(self.seatings.seeds[0]), seat, agent, text, board))

    def save(self) -> None:
        """Write the record; that of a forfeited game, which is no whole game, as *.forfeit."""
        if self.seatings.files is not None:
            path = self.seatings.files[0]
            self._recorder.save(path if self.reasons[0] is None else path.with_name(f"{path.name}.forfeit"))


def _side_by_side(match: Match, seatings: Seatings, numbers: Array) -> Iterator[tuple[slice, Played]]:
    """Blocks of games."""
    return _blocks(match, seatings, numbers, match.width or SIDE_BY_SIDE)


def _one_by_one(match: Match, seatings: Seatings, numbers: Array) -> Iterator[tuple[slice, Played]]:
    """Single games, for agents that can only think about one."""
    return _blocks(match, seatings, numbers, 1)


def _blocks(match: Match, seatings: Seatings, numbers: Array, width: int) -> Iterator[tuple[slice, Played]]:
    for first in range(0, len(seatings), width):
        rows, begun = np.arange(first, min(first + width, len(seatings))), time.perf_counter()
        tables = _Tables(match, seatings.take(rows), numbers[rows])
        _play_out(tables)
        yield slice(first, first + len(rows)), tables.finished(time.perf_counter() - begun)


def _recorded(match: Match, seatings: Seatings, numbers: Array) -> Iterator[tuple[slice, Played]]:
    """Game by game; a game's file is written when it is over."""
    for i in range(len(seatings)):
        rows, begun = np.array([i]), time.perf_counter()
        table = _RecordedTable(match, seatings.take(rows), numbers[rows])
        _play_out(table)
        table.save()
        yield slice(i, i + 1), table.finished(time.perf_counter() - begun)


def _play_out(tables: _Tables) -> None:
    """Play the games of the tables to their end."""
    _begin_agents(tables)
    while len(rows := tables.running()):
        movers = tables.seatings.agents[rows, tables.states["seat"][rows]]
        actions = _actions(tables, rows, movers)
        going_on = tables.states["seat"][rows] != NO_SEAT
        rows, actions = rows[going_on], actions[going_on]
        tables.moves[rows] += 1
        tables.advance(rows, actions)


# ---------------------------------------------------------------- asking agents


def _answer(
    tables: _Tables, rows: Array, seat: int, limit: float | None, question: Callable[[], Any]
) -> tuple[Any, float]:
    """An agent's answer and the seconds it took a game; Refused if the games are lost."""
    guard, numbers, move = tables.match.guard, tables.numbers[rows], int(tables.moves[rows[0]]) + 1
    if guard is not None and len(rows) == 1:
        guard.check(int(numbers[0]), seat, move)
    asking = None if guard is None else guard.ask(numbers, seat, move)
    return answer(question, len(rows), limit, tables.match.forfeits, asking)


def _begin_agents(tables: _Tables) -> None:
    """Tell every agent that sits somewhere that its games begin."""
    match, seatings = tables.match, tables.seatings
    limit = None if match.move_seconds is None else max(match.move_seconds, BEGIN_SECONDS)
    for k in np.unique(seatings.agents):
        rows, seats = np.nonzero(seatings.agents == k)
        seed = _own_seed(int(seatings.seeds[rows[0]]), int(seatings.salts[rows[0]]), int(seats[0]))
        begin = partial(match.agents[k].begin, match.game, match.players, dict(match.options), seed)
        try:
            _answer(tables, rows, int(seats[0]), limit, begin)
        except Refused as reason:
            for r, seat in zip(rows, seats, strict=True):
                if tables.forfeits[r] == NO_SEAT:
                    tables.forfeit(int(r), int(seat), f"{match.names[k]}, beginning: {reason}")


def _own_seed(seed: int, salt: int, seat: int) -> int:
    """An agent's own seed: the game's cannot be read from it."""
    return int(np.random.SeedSequence([seed, salt, seat]).generate_state(1, np.uint64)[0])


def _actions(tables: _Tables, rows: Array, movers: Array) -> Array:
    """What the agents `movers` play in these rows; where one forfeits, the game is over."""
    match, actions = tables.match, np.zeros(len(rows), np.int64)
    single = tables.mask[rows].sum(axis=1, dtype=np.int64) == 1
    for k in np.unique(movers):
        own = movers == k
        if match.auto_forced and kernel_policy(match.agents[k]) is None:
            actions[own & single] = tables.mask[rows[own & single]].argmax(axis=1)
            own &= ~single
        where = np.flatnonzero(own)
        if len(where):
            actions[where] = _asked(tables, int(k), rows[where])
    tables.forced[rows] += single & (tables.states["seat"][rows] != NO_SEAT)
    return actions


def _asked(tables: _Tables, k: int, rows: Array) -> list[int]:
    """The actions of agent k in these rows. If it fails in several games at once, it is asked game by game."""
    agent, streams = tables.match.agents[k], tables.streams[rows].copy()
    seats = tables.states["seat"][rows].astype(np.int64)
    try:
        views = [tables.view(int(r)) for r in rows]
        answers, seconds = _answer(
            tables, rows, int(seats[0]), tables.match.move_seconds, lambda: act_in_all(agent, views)
        )
    except Refused as reason:
        if len(rows) > 1:
            tables.streams[rows] = streams
            return [action for i in range(len(rows)) for action in _asked(tables, k, rows[i : i + 1])]
        return [_lost(tables, k, int(rows[0]), str(reason))]
    tables.thinking[rows, seats] += seconds
    tables.slowest[rows, seats] = np.maximum(tables.slowest[rows, seats], seconds)
    tables.asked[rows, seats] += 1
    return [_checked(tables, int(r), k, action) for r, action in zip(rows, answers, strict=True)]


def _lost(tables: _Tables, k: int, r: int, reason: str) -> int:
    """The game is forfeited; the action will not be played."""
    tables.forfeit(r, int(tables.states["seat"][r]), f"{tables.match.names[k]}, move {tables.moves[r] + 1}: {reason}")
    return 0


def _checked(tables: _Tables, r: int, k: int, action: Any) -> int:
    """The action, if it is legal."""
    match, mask, s = tables.match, tables.mask[r], tables.states[r]
    if isinstance(action, (int, np.integer)) and 0 <= action < len(mask) and mask[action]:
        return int(action)
    if match.forfeits:
        return _lost(tables, k, r, str(illegal_move(match.game, s, mask, action, "its answer")))
    who = f"agent {match.names[k]!r} at seat {int(s.seat)}, move {int(tables.moves[r]) + 1}"
    raise illegal_move(match.game, s, mask, action, f"{who} of the game with seed {int(tables.seatings.seeds[r])}")
