"""A batch with one learning seat in each row: the caller moves that seat, opponents move the others.

An opponent is a player inside the kernel or a function. If a function raises or gives a wrong answer, the whole step or
reset is taken back: nothing has changed, and the same call can be made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from skyline.arguments import brief
from skyline.core import engine
from skyline.envs.rows import CHANGING, Rows
from skyline.envs.undo import Undo
from skyline.game import NO_SEAT
from skyline.typing import Array, Opponent, Policy

Seat = int | str  # a number or "rotate"

MOST_CYCLES = 2**62  # for the kernels, whose numbers have 64 bits; no game has as many decisions


def checked_seat(seat: Any, players: int) -> Seat | None:
    """The learning seat, or None if the caller moves every seat."""
    if seat is None or (isinstance(seat, str) and seat == "rotate"):
        return seat
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < players:
        allowed = f"a whole number 0 .. {players - 1} or 'rotate', None if the caller moves every seat"
        raise ValueError(f"seat is {allowed}, not {brief(seat)}")
    return int(seat)


def checked_opponents(opponents: Any, players: int) -> list[Opponent]:
    """One opponent for each seat beside the learning one, clockwise from its left neighbour."""
    others = players - 1
    if isinstance(opponents, str) or callable(opponents) or not isinstance(opponents, Sequence):
        given: list[Opponent] = [opponents] * others
    else:
        given = list(opponents)
    if len(given) != others:
        there = "there is 1 opponent" if others == 1 else f"there are {others} opponents"
        raise ValueError(f"{there} with {players} players, not {len(given)}")
    for opponent in given:
        if not callable(opponent) and not (isinstance(opponent, str) and opponent in engine.POLICIES):
            allowed = ", ".join(map(repr, engine.POLICIES))
            raise ValueError(f"an opponent is one of {allowed} or a function, not {brief(opponent)}")
    return given


class OneSeat:
    """`seat`: the number of the learning seat; or "rotate": seat i mod P in the first game of row i, and the next seat
    clockwise from game to game.
    """

    def __init__(self, rows: Rows, seat: Seat, opponents: list[Opponent]) -> None:
        self.rows, self.seat = rows, seat
        self.undo: Undo | None = None
        self._take_opponents(opponents)

    def _take_opponents(self, opponents: list[Opponent]) -> None:
        self.opponents = opponents
        self._functions = list({id(player): player for player in opponents if not isinstance(player, str)}.values())
        policies = [engine.POLICIES[player] if isinstance(player, str) else engine.CALLER for player in opponents]
        rows = self.rows
        cycles = engine.ENDLESS if rows.max_cycles is None else min(rows.max_cycles, MOST_CYCLES)
        self._settings = engine.LearnerSettings(
            kind=rows.kind, forced=rows.forced, autoreset=rows.autoreset, max_cycles=cycles,
            rotates=self.seat == "rotate", line_up=np.array(policies, np.int64), scales=rows.scales,
        )  # fmt: skip

    def __getstate__(self) -> dict[str, Any]:
        self.refuse_within()
        return {**self.__dict__, "undo": None}

    def refuse_within(self) -> None:
        """RuntimeError while a function is asked: the rows are in the middle of a step or a reset."""
        if self.undo is not None:
            self.undo.refuse_within()

    def with_rows(self, rows: Rows) -> OneSeat:
        """The same learning seats and opponents in other rows."""
        self.refuse_within()
        return OneSeat(rows, self.seat, self.opponents[:])

    # ------------------------------------------------------------ who sits where

    def meet(self, opponents: list[Opponent], begun: bool) -> None:
        """Other opponents from the next step on, also in the games that are running."""
        self.refuse_within()
        self._take_opponents(opponents)
        if begun:
            self.seat_opponents(self.rows.all)

    def _seat_learners(self, rows: Array, is_first: bool) -> None:
        """Give every row its learning seat."""
        learner, players = self.rows.learner, self.rows.players
        if self.seat != "rotate":
            learner[rows] = int(self.seat)
        elif is_first or (learner[rows] == NO_SEAT).any():
            learner[rows] = rows % players
        else:
            learner[rows] = (learner[rows] + 1) % players

    def seat_opponents(self, rows: Array) -> None:
        """Give the seats beside the learning one their players."""
        self._each("seat_opponents", rows)

    # ------------------------------------------------------------ steps

    def begin(self, words: Array, rows: Array, is_first: bool) -> None:
        """Begin games with these seeds; the others move until the learning seats have to choose."""
        own = self.rows
        with self._taking_back():
            own.states["deal"][rows] = words
            own.count_from_here(words, rows, is_first)
            self._seat_learners(rows, is_first)
            self._run(engine.OPENS, rows)
            self._settle()
            own.rewards_all[rows] = own.carried[rows]

    def step(self, actions: Array, checks: bool) -> Array:
        """One step of every row; the rewards (n,) of the learning seats since their last decision. With `checks` an
        action that is not legal is an IllegalMove, and nothing has changed."""
        rows = self.rows
        if checks and rows.threads > 1:  # no range of rows may move before all are checked
            rows.check_legal(rows.all, actions)
            checks = False
        with self._taking_back():
            refused = self._run(engine.MOVES, rows.all, actions, checks)
            if refused >= 0:
                rows.refuse(refused, int(actions[refused]))
            self._settle()
        return rows.gains.copy()

    def _run(self, event: int, rows: Array, actions: Array | None = None, checks: bool = False) -> int:
        """The kernel of a step for some rows, in ranges side by side. With `checks`, on one thread alone: the first
        row whose action is refused, else -1."""
        step, found = self.rows.kernels.step_learners, [-1]
        actions = np.zeros(len(rows), np.int64) if actions is None else actions  # zeros: no row takes one

        def run(part: slice) -> None:
            found[0] = step(self.rows.arrays, rows[part], actions[part], event, checks, self._settings)

        self.rows.in_ranges(run, len(rows))
        return found[0]

    def _settle(self) -> None:
        """Go on in the rows that wait, until none does: the moves written down get room, functions are asked."""
        rows = self.rows
        while rows.waiting[0]:
            rows.waiting[0] = 0
            full = np.flatnonzero(rows.waits == engine.ROOM)
            if len(full):
                rows.make_room(full)
                self._run(engine.GOES_ON, full)
            asked = np.flatnonzero(rows.waits == engine.FUNCTION)
            if len(asked):
                self._run(engine.ANSWERS, asked, self._answers(asked))

    def _each(self, kernel: str, rows: Array) -> None:
        """Another kernel of the learner for some rows, in ranges side by side."""
        run_kernel = getattr(self.rows.kernels, kernel)
        self.rows.in_ranges(lambda part: run_kernel(self.rows.arrays, rows[part], self._settings), len(rows))

    # ------------------------------------------------------------ opponents that are functions

    def _answers(self, rows: Array) -> Array:
        """The actions that functions choose in some rows. A function that plays several seats is asked once."""
        own = self.rows
        seats, actions = own.seats(), np.zeros(len(rows), np.int64)
        own.observe(rows, seats)
        others = (seats[rows] - own.learner[rows] - 1) % own.players
        for opponent in self._functions:
            line_up = np.array([other is opponent for other in self.opponents])
            asked = np.flatnonzero(line_up[others])
            if len(asked):
                actions[asked] = self._asked(opponent, rows[asked], seats)
        return actions

    def _asked(self, opponent: Policy, rows: Array, seats: Array) -> Array:
        """The actions that a function chooses in some rows, checked."""
        own = self.rows
        given = opponent(own.observations[rows], own.masks_of(rows), seats[rows])
        actions = np.asarray(given)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the opponent {brief(opponent)} gave actions of shape {actions.shape} and type {actions.dtype} for "
                f"{len(rows)} games: it gives whole numbers, one for each"
            )
        actions = actions.astype(np.int64)
        own.check_legal(rows, actions, f"opponent {brief(opponent)}: ")
        return actions

    # ------------------------------------------------------------ taking back

    @contextmanager
    def _taking_back(self) -> Iterator[None]:
        """What follows is taken back if it fails. Only opponents that are functions can fail."""
        if not self._functions:
            yield
            return
        if self.undo is None:
            self.undo = Undo([getattr(self.rows, name) for name in CHANGING], self._show_again)
            self.rows.keep_what_is_closed()
        with self.undo:
            self.rows.closed[:] = False
            yield

    def _show_again(self) -> None:
        """What was overwritten where games ended or began, and the observations from before what was taken back:
        opponents' views were written over them."""
        self.rows.put_back_closed()
        if (self.rows.learner == NO_SEAT).all():  # no game has begun
            self.rows.observations[:] = 0
        else:
            self._each("show_learners", self.rows.all)
