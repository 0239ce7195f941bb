"""A batch with one learning seat in each row: the caller moves that seat, opponents move the others.

An opponent is a player inside the kernel or a function. If a function raises or gives a wrong answer, the whole step or
reset is taken back: nothing has changed, and the same call can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from skyline.arguments import brief
from skyline.core import engine
from skyline.envs.histories import write_openings
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
        self._asks = any(map(callable, opponents))
        policies = [engine.POLICIES[player] if isinstance(player, str) else engine.CALLER for player in opponents]
        rows = self.rows
        cycles = engine.ENDLESS if rows.max_cycles is None else min(rows.max_cycles, MOST_CYCLES)
        self._settings = engine.LearnerSettings(
            kind=rows.kind, forced=rows.forced, autoreset=rows.autoreset, max_cycles=cycles,
            rotates=self.seat == "rotate", line_up=np.array(policies, np.int64), scales=rows.scales,
        )  # fmt: skip

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "undo": None}

    def with_rows(self, rows: Rows) -> OneSeat:
        """The same learning seats and opponents in other rows."""
        return OneSeat(rows, self.seat, self.opponents[:])

    # ------------------------------------------------------------ who sits where

    def meet(self, opponents: list[Opponent], begun: bool) -> None:
        """Other opponents from the next step on, also in the games that are running."""
        self._take_opponents(opponents)
        if begun:
            self.seat_opponents(self.rows.all)

    def _seat_learners(self, rows: Array, is_first: bool) -> None:
        """Give every row its learning seat, and the other seats their players."""
        learner, players = self.rows.learner, self.rows.players
        if self.seat != "rotate":
            learner[rows] = int(self.seat)
        elif is_first or (learner[rows] == NO_SEAT).any():
            learner[rows] = rows % players
        else:
            learner[rows] = (learner[rows] + 1) % players
        self.seat_opponents(rows)

    def seat_opponents(self, rows: Array) -> None:
        """Give the seats beside the learning one their players."""
        self._each("seat_opponents", rows)

    # ------------------------------------------------------------ steps

    def begin(self, words: Array, rows: Array, is_first: bool) -> None:
        """Begin games with these seeds; the others move until the learning seats have to choose."""
        with self._taking_back():
            self._keep_moves(rows)
            self.rows.begin(words, rows, is_first)
            if self.rows.forced and self.rows.keeps_moves:
                write_openings(self.rows, words, rows)
            self._seat_learners(rows, is_first)
            self._move_others(rows, self.rows.rewards_all)
            self._ask(rows, self.rows.rewards_all)
            self.rows.carried[rows] = self.rows.rewards_all[rows]
            self.observe()

    def step(self, actions: Array) -> Array:
        """One step of every row; the rewards (n,) of the learning seats since their last decision."""
        rows = self.rows
        if self._asks:
            with self._taking_back():
                return self._step(actions)
        gains = np.empty(len(rows), np.float32)
        began = rows.seats() == NO_SEAT if rows.keeps_moves and rows.autoreset == engine.NEXT_STEP else None
        self._each("step_learners", rows.all, actions, gains)
        if rows.waiting[0]:
            self._finish_step(gains, began)
        return gains

    def _finish_step(self, gains: Array, began: Array | None) -> None:
        """What `step_learners` left undone in rows that had no room for their moves. `began` (n,): the rows where the
        kernel has begun a game because the game before was over before this step; None: the kernel has begun a game
        wherever a game was over in this step."""
        rows, is_same_step = self.rows, self.rows.autoreset == engine.SAME_STEP
        if began is None:
            began = (rows.ended == engine.ENDED) | rows.truncated
        waiting = self._room()
        new, old = waiting[began[waiting]], waiting[~began[waiting]]
        self._move_others(new, rows.carried)
        self._move_others(old, rows.rewards_all)
        gains[old] = rows.rewards_all[old, rows.learner[old]]
        closed = self._close(waiting if is_same_step else old)
        while is_same_step and len(closed):
            self._begin_next(closed)
            closed = self._close(closed)
        self._each("show_learners", waiting)

    def _step(self, actions: Array) -> Array:
        """The parts of `step_learners` one after the other. Between them functions are asked, and room is made for the
        moves that are written down."""
        rows = self.rows
        over, learners = rows.seats() == NO_SEAT, rows.learner.copy()
        running = np.flatnonzero(~over)
        self._each("move_learners", rows.all, actions)
        self._go_on(rows.all, rows.rewards_all)
        self._ask(running, rows.rewards_all)
        gains: Array = rows.rewards_all[rows.all, learners]
        if rows.autoreset == engine.NEXT_STEP:
            self._begin_next(np.flatnonzero(over))
        closed = self._close(running)
        while rows.autoreset == engine.SAME_STEP and len(closed):
            self._begin_next(closed)
            closed = self._close(closed)
        self.observe()
        return gains

    def _each(self, kernel: str, rows: Array, *values: Array, rewards: tuple[Array, ...] = ()) -> None:
        """A kernel of the learner for some rows, in ranges side by side; `values` have an entry for each row."""
        run_kernel = getattr(self.rows.kernels, kernel)

        def run(part: slice) -> None:
            run_kernel(self.rows.arrays, rows[part], *(each[part] for each in values), *rewards, self._settings)

        self.rows.in_ranges(run, len(rows))

    def _close(self, rows: Array) -> Array:
        """Those of the rows whose games are over; their last states are kept."""
        state, steps, cycles = self.rows.states, self.rows.steps, self._settings.max_cycles
        over: Array = rows[(state["seat"][rows] == NO_SEAT) | (steps[rows] == cycles)]
        if self.undo is not None:
            self.undo.keep_rows(self.rows, "finals", over)
            self.undo.keep_rows(self.rows, "final_moves", over)
        self._each("close_games", over)
        return over

    def _keep_moves(self, rows: Array) -> None:
        """What is written down for these rows is written over next."""
        if self.undo is not None:
            self.undo.keep_rows(self.rows, "moves", rows)

    def _begin_next(self, rows: Array) -> None:
        self._keep_moves(rows)
        self._each("begin_next_games", rows)
        self._go_on(rows, self.rows.carried)
        self._ask(rows, self.rows.carried)

    def _move_others(self, rows: Array, rewards: Array) -> None:
        self._each("move_others", rows, rewards=(rewards,))
        self._go_on(rows, rewards)

    def _go_on(self, rows: Array, rewards: Array) -> None:
        """Policies go on where they stopped in some of the rows for want of room for their moves."""
        if self.rows.waiting[0]:
            waiting = self._room()
            self._move_others(waiting[np.isin(waiting, rows)], rewards)

    def _room(self) -> Array:
        """The running games that had no room for a further move; they get room."""
        self.rows.waiting[0] = 0
        return self.rows.make_room(np.flatnonzero(self.rows.states["seat"] != NO_SEAT))

    # ------------------------------------------------------------ opponents that are functions

    def _ask(self, rows: Array, rewards: Array) -> None:
        """Ask functions in these rows until the learning seat has to choose or the game is over; what their moves bring
        is added to `rewards` (n, P)."""
        state, learner, players = self.rows.states, self.rows.learner, self.rows.players
        while len(rows):
            seats = state["seat"][rows]
            rows = rows[(seats != NO_SEAT) & (seats != learner[rows])]
            for j, opponent in enumerate(self.opponents):
                if not isinstance(opponent, str):
                    turn = rows[state["seat"][rows] == (learner[rows] + 1 + j) % players]
                    if len(turn):
                        self._each("play_answers", turn, self._answers(opponent, turn), rewards=(rewards,))
                        self._go_on(turn, rewards)

    def _answers(self, opponent: Policy, rows: Array) -> Array:
        """The actions that a function chooses in some rows."""
        seats = self.rows.seats()
        self.rows.observe(rows, seats)
        given = opponent(self.rows.observations[rows], self.rows.masks_of(rows), seats[rows])
        actions = np.asarray(given)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the opponent {brief(opponent)} gave actions of shape {actions.shape} and type {actions.dtype} for "
                f"{len(rows)} games: it gives whole numbers, one for each"
            )
        actions = actions.astype(np.int64)
        self.rows.check_legal(rows, actions, f"opponent {brief(opponent)}: ")
        return actions

    def observe(self) -> None:
        """What the learning seats see."""
        self._each("show_learners", self.rows.all)

    # ------------------------------------------------------------ taking back

    def _taking_back(self) -> AbstractContextManager[None]:
        """What follows is taken back if it fails. Only opponents that are functions can fail."""
        if not self._asks:
            return nullcontext()
        if self.undo is None:
            self.undo = Undo([getattr(self.rows, name) for name in CHANGING], self._show_again)
        return self.undo

    def _show_again(self) -> None:
        """The observations from before what was taken back: opponents' views were written over them."""
        if (self.rows.learner == NO_SEAT).all():  # no game has begun
            self.rows.observations[:] = 0
        else:
            self.observe()
