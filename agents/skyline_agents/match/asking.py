"""Asking the agents of games that are played move by move. With forfeits a wrong answer loses the game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from skyline.chance import own_seed
from skyline.game import NO_SEAT, illegal_move
from skyline.rng import STREAM
from skyline.typing import Array
from skyline_agents import view_tokens
from skyline_agents.match.answers import Shown, whole_number
from skyline_agents.match.blame import Blame, blamed
from skyline_agents.match.questions import Question, Refused, answer
from skyline_agents.players.kernel import KERNEL_PLAYERS
from skyline_agents.protocol import act_in_all, views_of

if TYPE_CHECKING:
    from skyline_agents.match.arena import Tables

BEGIN_SECONDS = 300.0  # for an agent to begin a game (it may read a model), if moves are limited to less
TOGETHER_SECONDS = 300.0  # for a question about several games, if the limit of a single move is less


class FieldNames:
    """The names of the fields of records. An agent that holds an array can rename them in NumPy, for all arrays of
    the same dtype; so they are put right after every question."""

    def __init__(self, *kinds: np.dtype[Any]) -> None:
        self._names = [(part, part.names) for kind in kinds for part in _records(kind)]

    def put_right(self) -> None:
        """Give all fields their names back."""
        for kind, names in self._names:
            if kind.names is not names:
                kind.names = names


def _records(kind: np.dtype[Any]) -> Iterator[np.dtype[Any]]:
    """A record dtype and the record dtypes of its fields."""
    if kind.names is not None:
        yield kind
        for name in kind.names:
            yield from _records(kind[name].base)


def begin_agents(tables: Tables) -> None:
    """Tell every agent that sits at a table that its games begin."""
    match, seatings, limit = tables.match, tables.seatings, tables.match.begin_seconds
    for k in np.unique(seatings.agents):
        rows, seats = np.nonzero(seatings.agents == k)
        seed = own_seed(int(seatings.seeds[rows[0]]), int(seatings.salts[rows[0]]), int(seats[0]))
        agent, options = match.agents[k], tables.options[k]
        question = Question(tables.numbers[rows], int(seats[0]), 0)

        def begin(agent: Any = agent, options: Any = options, seed: int = seed) -> None:
            agent.begin(match.game, match.players, options, seed)

        try:
            with blamed(partial(_blame, tables, int(k), rows, int(seats[0]), 0)):
                answer(begin, question, limit, limit, match.forfeits, match.guard)
        except Refused as reason:
            for r, seat in zip(rows, seats, strict=True):
                if tables.forfeits[r] == NO_SEAT:
                    tables.forfeit(int(r), int(seat), f"{match.names[k]}, beginning: {reason}")
        finally:
            tables.field_names.put_right()


def actions(tables: Tables, rows: Array, movers: Array) -> Array:
    """The actions of the agents `movers` (n,) in these rows (n,); where an agent forfeits, the game is over."""
    match, found = tables.match, np.zeros(len(rows), np.int64)
    single = tables.mask[rows].sum(axis=1, dtype=np.int64) == 1
    for k in np.unique(movers):
        own = movers == k
        if match.auto_forced and match.policies[k] is None:
            found[own & single] = tables.mask[rows[own & single]].argmax(axis=1)
            own &= ~single
        where = np.flatnonzero(own)
        for part in np.split(where, len(where)) if k in tables.slow else [where]:
            if len(part):
                found[part] = _asked(tables, int(k), rows[part])
    tables.forced[rows] += single & (tables.states["seat"][rows] != NO_SEAT)
    return found


def _asked(tables: Tables, k: int, rows: Array) -> list[int]:
    """The actions of agent k in these rows. An agent that fails in several games at once is asked game by game."""
    match, n = tables.match, len(rows)
    seats = tables.states["seat"][rows].astype(np.int64)
    streams, limit = tables.streams[rows, seats], match.move_seconds
    guard, tokens = match.guard, None
    if type(match.agents[k]) in KERNEL_PLAYERS:  # our own: they need no watching, and no history
        limit, guard = None, None
    elif match.memory == "recall":
        tokens = view_tokens.opened(tables.histories.of_seats(rows, seats))
    views = views_of(match.game, tables.states[rows], tables.mask[rows], streams, tables.options[k], tokens)
    total = None if limit is None else min(limit * n, max(limit, TOGETHER_SECONDS))
    question = Question(tables.numbers[rows], int(seats[0]), int(tables.moves[rows[0]]) + 1)
    agent, begun = match.agents[k], time.perf_counter()
    try:
        try:
            with blamed(partial(_blame, tables, k, rows, question.seat, question.move)):
                answers, taken = answer(lambda: act_in_all(agent, views), question, limit, total, match.forfeits, guard)
        finally:
            tables.field_names.put_right()
            view_tokens.closed(tokens or ())
        if streams.dtype is not STREAM or streams.shape != (n,):
            raise Refused("it changed the form of its stream")
        tables.streams[rows, seats] = streams
    except Refused as reason:
        if n > 1:
            if total is not None and time.perf_counter() - begun >= total:
                tables.slow.add(k)
            return [action for i in range(n) for action in _asked(tables, k, rows[i : i + 1])]
        return [_lost(tables, k, int(rows[0]), str(reason))]
    seconds = taken / n
    tables.thinking[rows, seats] += seconds
    tables.slowest[rows, seats] = np.maximum(tables.slowest[rows, seats], seconds)
    tables.asked[rows, seats] += 1
    return [_checked(tables, int(r), k, action) for r, action in zip(rows, answers, strict=True)]


def _blame(tables: Tables, k: int, rows: Array, seat: int, move: int) -> Blame:
    """The note for what agent k raises in these rows."""
    names, seatings = tables.match.names, tables.seatings
    line_up = [names[agent] for agent in seatings.agents[rows[0]]]
    return Blame.of(names[k], seat, move, [int(seed) for seed in seatings.seeds[rows]], line_up)


def _lost(tables: Tables, k: int, r: int, reason: str) -> int:
    """Agent k forfeits the game of row r. The returned action is not played."""
    tables.forfeit(r, int(tables.states["seat"][r]), f"{tables.match.names[k]}, move {tables.moves[r] + 1}: {reason}")
    return 0


def _checked(tables: Tables, r: int, k: int, given: Any) -> int:
    """The action of an answer if it is legal; else the game is forfeited, or the error is raised."""
    match, mask, s, action = tables.match, tables.mask[r], tables.states[r], whole_number(given)
    if action is not None and 0 <= action < len(mask) and mask[action]:
        return action
    shown = Shown(given) if action is None else action if action.bit_length() <= 64 else Shown(action)
    if match.forfeits:
        return _lost(tables, k, r, str(illegal_move(match.game, s, mask, shown, "its answer")))
    who = f"agent {match.names[k]!r} at seat {int(s.seat)}, move {int(tables.moves[r]) + 1}"
    raise illegal_move(match.game, s, mask, shown, f"{who} of the game with seed {int(tables.seatings.seeds[r])}")
