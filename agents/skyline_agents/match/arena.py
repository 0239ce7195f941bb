"""Games between any agents at any player count: who sits where is given, the results are returned.

    match = Match(game, 2, options, ["heuristic", "my_file:MyBot"], [names.make(..), names.make(..)], forfeits=True)
    for rows, played in games(match, seatings):          # Seatings: n games, their seeds and who sits where
        played.places                                    # (len(rows), 2)

The cards of a game follow from its seed; the random numbers of its agents, a stream for every seat, follow from its
seed and its salt. So the results do not depend on how games are grouped. A game whose agents are all known to the
kernel (random, heuristic) is played whole by the kernel. All other games are played move by move in Python, many of
them side by side if every agent of the table can choose in many games at once. The kernel and Python play the same
games.

With `forfeits` an agent that raises, answers with an illegal action or thinks longer than `move_seconds` loses its
game: it comes last, the others share the first place, and the reason is in the result. The scores are those at the
moment of the forfeit. They are not the scores of a whole game, and statistics leave them out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from skyline.chance import seat_streams
from skyline.core import engine
from skyline.game import NO_SEAT
from skyline.record import Recorder
from skyline.rng import STREAM
from skyline.typing import Array
from skyline_agents.match.asking import FieldNames, actions, begin_agents
from skyline_agents.match.histories import MatchHistories
from skyline_agents.match.matches import Match, Moved, Played, Seatings
from skyline_agents.protocol import frozen, views_of

CHUNK_SECONDS = 0.2  # how long the kernel plays between two looks at the progress bar and the keyboard
MOST_ROWS = 4096  # games of one kernel call
SIDE_BY_SIDE = 256  # games that are played together in Python
REASON_LENGTH = 300  # characters of a forfeit's reason

ALONE, TOGETHER, WHOLE = 0, 1, 2  # a table's games are played one by one, side by side, whole in the kernel


def games(match: Match, seatings: Seatings) -> Iterator[tuple[Array, Played]]:
    """Play all games; yields rows of the seatings and their results as they are finished."""
    for way, rows in _ways(match, seatings):
        chosen = seatings.take(rows)
        for part, played in way(match, chosen, rows):
            yield rows[part], played


def _ways(match: Match, seatings: Seatings) -> list[tuple[Callable[..., Iterator[tuple[slice, Played]]], Array]]:
    """The ways to play these games, each with the rows that are played in this way."""
    if seatings.files is not None or match.watch is not None:
        return [(_recorded, np.arange(len(seatings)))]
    levels = np.array([_level(match, k) for k in range(len(match.agents))])[seatings.agents].min(axis=1)
    ways = ((WHOLE, _in_kernel), (TOGETHER, _side_by_side), (ALONE, _one_by_one))
    return [(way, np.flatnonzero(levels == level)) for level, way in ways if (levels == level).any()]


def _level(match: Match, k: int) -> int:
    """How games can be played as far as agent k is concerned: ALONE, TOGETHER, WHOLE."""
    if match.policies[k] is not None:
        return WHOLE
    return TOGETHER if match.batched[k] else ALONE


def load(match: Match, seatings: Seatings) -> None:
    """Compile or load all that games like these need, so that this does not count as time to play."""
    if len(seatings) == 0:
        return
    for way, rows in _ways(match, seatings):
        some = seatings.take(rows[:1])
        if way is _in_kernel:
            _KernelRun(match, 1).whole_games(some.take(rows[:0]))
            continue
        tables, nothing = Tables(match, some, rows[:1]), np.zeros(0, np.int64)
        tables.advance(nothing, nothing)
        seats = tables.states["seat"].astype(np.int64)
        luck = tables.streams[[0], seats]
        (view,) = views_of(match.game, tables.states.copy(), tables.mask.copy(), luck, tables.options[0])
        for k in set(seatings.agents[rows].ravel().tolist()):
            if match.policies[k] is not None:
                match.agents[k].begin(match.game, match.players, tables.options[k], 0)
                match.agents[k].act(view)


# ---------------------------------------------------------------- in the kernel


class _KernelRun:
    """Arrays for at most `size` games at once in the kernel."""

    def __init__(self, match: Match, size: int) -> None:
        self.match, P = match, match.players
        self._kernel = engine.kernels(match.game).whole_games
        self._states = match.game.blank(P, match.options, size, match.memory)
        self._mask = engine.mask_array(match.game, P, size)
        self._policies = np.array([engine.CALLER if policy is None else policy for policy in match.policies])

    def whole_games(self, seatings: Seatings) -> Played:
        """Play games to their end."""
        n, P = len(seatings), self.match.players
        moves, forced, places = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros((n, P), np.int64)
        states, policies = self._states[:n], self._policies[seatings.agents]
        begun, streams = time.perf_counter(), seat_streams(seatings.seeds, seatings.salts, P)
        self._kernel(states, seatings.seeds, policies, streams, self._mask[:n], moves, forced, places)
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
        yield slice(first, end), run.whole_games(seatings.take(np.arange(first, end)))
        seconds = max(time.perf_counter() - begun, 1e-6)
        fitting = int((end - first) * CHUNK_SECONDS / seconds)
        first, wanted = end, max(1, min(fitting, 8 * size, MOST_ROWS))
        if wanted > size:
            run = _KernelRun(match, wanted)
        size = wanted


# ---------------------------------------------------------------- move by move


class Tables:
    """Games that are played side by side; `numbers` (n,) are their rows in the seatings of the whole match."""

    def __init__(self, match: Match, seatings: Seatings, numbers: Array) -> None:
        self.match, self.seatings, self.numbers, n = match, seatings, numbers, len(seatings)
        self._kernels = engine.kernels(match.game)
        self._begin(match, seatings)
        self.histories = MatchHistories(match, seatings.seeds)
        self.streams = seat_streams(seatings.seeds, seatings.salts, match.players)
        self.options = [frozen(match.options) for _ in match.agents]  # a copy for every agent
        self.field_names = FieldNames(match.game.state, STREAM)
        self.slow: set[int] = set()  # agents that exceeded their time when they were asked in several games at once
        self.moves, self.forced = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.thinking, self.slowest, self.asked = (np.zeros((n, match.players)) for _ in range(3))
        self.forfeits = np.full(n, NO_SEAT, np.int64)
        self.reasons: list[str | None] = [None] * n

    def _begin(self, match: Match, seatings: Seatings) -> None:
        n = len(seatings)
        self.states = match.game.blank(match.players, match.options, n, match.memory)
        self.mask = engine.mask_array(match.game, match.players, n)
        self._rewards = np.zeros((n, match.players), np.float32)
        self._kernels.begin_rows(self.states, seatings.seeds, np.arange(n), self.mask, self._rewards, False)

    def running(self) -> Array:
        """Rows of games that are not over."""
        return np.flatnonzero(self.states["seat"] != NO_SEAT)

    def advance(self, rows: Array, actions: Array) -> None:
        """Play legal actions in some rows."""
        self.histories.note(rows, actions)
        self._step(rows, actions)

    def _step(self, rows: Array, actions: Array) -> None:
        self._kernels.step_some(self.states, rows, actions, self.mask, self._rewards, engine.SCORE)

    def forfeit(self, r: int, seat: int, reason: str) -> None:
        """The game of row r is over: the seat has lost it."""
        self.forfeits[r] = seat
        self.reasons[r] = reason[:REASON_LENGTH]
        self.states["seat"][r] = NO_SEAT

    def finished(self, seconds: float) -> Played:
        """The results of the games, all of which are over."""
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


class _RecordedTable(Tables):
    """A single game that is recorded, and watched if the match has a watcher."""

    def _begin(self, match: Match, seatings: Seatings) -> None:
        legal = match.legal and seatings.files is not None
        agents = [match.names[k] for k in seatings.agents[0]]
        self._recorder = Recorder(
            match.game, match.players, int(seatings.seeds[0]), match.options, legal=legal, agents=agents,
            memory=match.memory,
        )  # fmt: skip
        self.states, self.mask = self._recorder.state, self._recorder.mask

    def _step(self, rows: Array, actions: Array) -> None:
        if len(rows) == 0:
            return
        match, seat, before = self.match, int(self.states["seat"][0]), len(self._recorder.lines)
        self._recorder.play(int(actions[0]))
        if match.watch is not None:
            agent = match.names[int(self.seatings.agents[0, seat])]
            text = self._recorder.lines[before]["move"]
            last = self._recorder.last_move()
            board, story = match.game.text(self.states[0], None, last), last.story if match.game.story and last else ""
            match.watch(Moved(int(self.moves[0]), int(self.seatings.seeds[0]), seat, agent, text, story, board))

    def save(self) -> None:
        """Write the record; a forfeited game, whose record ends early, gets the file name *.forfeit."""
        if self.seatings.files is not None:
            path = self.seatings.files[0]
            self._recorder.save(path if self.reasons[0] is None else path.with_name(f"{path.name}.forfeit"))


def _side_by_side(match: Match, seatings: Seatings, numbers: Array) -> Iterator[tuple[slice, Played]]:
    """Blocks of games, for agents that can choose in many games at once."""
    return _blocks(match, seatings, numbers, match.width or SIDE_BY_SIDE)


def _one_by_one(match: Match, seatings: Seatings, numbers: Array) -> Iterator[tuple[slice, Played]]:
    """Single games, for all other agents."""
    return _blocks(match, seatings, numbers, 1)


def _blocks(match: Match, seatings: Seatings, numbers: Array, width: int) -> Iterator[tuple[slice, Played]]:
    """Blocks of at most `width` games."""
    for first in range(0, len(seatings), width):
        rows, begun = np.arange(first, min(first + width, len(seatings))), time.perf_counter()
        tables = Tables(match, seatings.take(rows), numbers[rows])
        _play_out(tables)
        yield slice(first, first + len(rows)), tables.finished(time.perf_counter() - begun)


def _recorded(match: Match, seatings: Seatings, numbers: Array) -> Iterator[tuple[slice, Played]]:
    """Single games; the record of a game is written when the game is over."""
    for i in range(len(seatings)):
        rows, begun = np.array([i]), time.perf_counter()
        table = _RecordedTable(match, seatings.take(rows), numbers[rows])
        _play_out(table)
        table.save()
        yield slice(i, i + 1), table.finished(time.perf_counter() - begun)


def _play_out(tables: Tables) -> None:
    """Play the games of the tables to their end."""
    begin_agents(tables)
    while len(rows := tables.running()):
        movers = tables.seatings.agents[rows, tables.states["seat"][rows]]
        chosen = actions(tables, rows, movers)
        going_on = tables.states["seat"][rows] != NO_SEAT
        rows = rows[going_on]
        tables.moves[rows] += 1
        tables.advance(rows, chosen[going_on])
