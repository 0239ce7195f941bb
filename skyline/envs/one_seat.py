"""A batch with one learning seat in each row: the caller moves that seat, opponents move the others.

An opponent is a player inside the kernel or a function. If a function raises or gives a wrong answer, the whole step or
reset is taken back: nothing has changed, and the same call can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.envs.rows import CHANGING, Rows
from skyline.envs.undo import Undo
from skyline.game import NO_SEAT, brief
from skyline.typing import Array, Opponent, Policy

Seat = int | str  # a number or "rotate"


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
        self.rows, self.seat, self.opponents = rows, seat, opponents
        self.undo: Undo | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "undo": None}

    def with_rows(self, rows: Rows) -> OneSeat:
        """The same learning seats and opponents in other rows."""
        return OneSeat(rows, self.seat, self.opponents[:])

    # ------------------------------------------------------------ who sits where

    def meet(self, opponents: list[Opponent], begun: bool) -> None:
        """Other opponents from the next step on, also in the games that are running."""
        self.opponents = opponents
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
        learners, policies = self.rows.learner[rows], self.rows.policies
        for j, opponent in enumerate(self.opponents):
            seats = (learners + 1 + j) % self.rows.players
            policies[rows, seats] = engine.POLICIES[opponent] if isinstance(opponent, str) else engine.CALLER
        policies[rows, learners] = engine.CALLER

    # ------------------------------------------------------------ steps

    def begin(self, words: Array, rows: Array, is_first: bool) -> None:
        """Begin games with these seeds; the others move until the learning seats have to choose."""
        with self._taking_back():
            self.rows.begin(words, rows, is_first)
            self._seat_learners(rows, is_first)
            self._to_learner(rows)
            self._carry(rows)
            self.observe()

    def step(self, actions: Array) -> Array:
        """One step of every row; the rewards (n,) of the learning seats since their last decision."""
        with self._taking_back():
            return self._step(actions)

    def _step(self, actions: Array) -> Array:
        rows = self.rows
        over = rows.states["seat"] == NO_SEAT
        running = np.flatnonzero(~over)
        rows.rewards_all[:] = rows.carried
        rows.carried[:] = 0
        rows.ended[:] = engine.RUNNING
        learners = rows.learner.copy()
        rows.step(running, actions[running])
        self._to_learner(running)
        rewards: Array = rows.rewards_all[rows.all, learners]
        if rows.autoreset == engine.NEXT_STEP and over.any():
            self._begin_next(np.flatnonzero(over))
        self._finish(running)
        self.observe()
        return rewards

    def _to_learner(self, rows: Array) -> None:
        """Let the others move in these rows until the learning seat has to choose or the game is over."""
        state, learner, players = self.rows.states, self.rows.learner, self.rows.players
        self.rows.move_others(rows)
        while len(rows):
            seats = state["seat"][rows]
            rows = rows[(seats != NO_SEAT) & (seats != learner[rows])]
            for j, opponent in enumerate(self.opponents):
                if not isinstance(opponent, str):
                    turn = rows[state["seat"][rows] == (learner[rows] + 1 + j) % players]
                    if len(turn):
                        self._ask(opponent, turn)
                        self.rows.move_others(turn)

    def _ask(self, opponent: Policy, rows: Array) -> None:
        """One batched move of an opponent that is a function."""
        seats = self.rows.seats()
        self.rows.observe(rows, seats)
        given = opponent(self.rows.observations[rows], self.rows.action_mask[rows], seats[rows])
        actions = np.asarray(given)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the opponent {brief(opponent)} gave actions of shape {actions.shape} and type {actions.dtype} for "
                f"{len(rows)} games: it gives whole numbers, one for each"
            )
        actions = actions.astype(np.int64)
        self.rows.check_legal(rows, actions, f"opponent {brief(opponent)}: ")
        self.rows.step(rows, actions)

    def _finish(self, running: Array) -> None:
        """Keep the final states of games that ended or are truncated, and begin the next games where they follow at
        once.
        """
        rows = self.rows
        ended = running[rows.states["seat"][running] == NO_SEAT]
        over = ended if rows.max_cycles is None else np.union1d(ended, rows.count_steps(running))
        while len(over):
            rows.ended[ended] = engine.ENDED
            if self.undo is not None:
                self.undo.keep_rows(rows.finals, over)
            rows.keep_finals(over)
            rows.final_seats[over] = rows.learner[over]
            if rows.autoreset != engine.SAME_STEP:
                rows.stop(over)
                return
            self._begin_next(over)
            over = ended = over[rows.states["seat"][over] == NO_SEAT]

    def _begin_next(self, rows: Array) -> None:
        self.rows.begin_next(rows)
        self._seat_learners(rows, is_first=False)
        rewards_all = self.rows.rewards_all
        kept = rewards_all[rows].copy()
        rewards_all[rows] = 0
        self._to_learner(rows)
        self._carry(rows)
        rewards_all[rows] = kept

    def _carry(self, rows: Array) -> None:
        """What came before the learning seat's first decision belongs to its first step."""
        self.rows.carried[rows] = self.rows.rewards_all[rows]

    def observe(self) -> None:
        """What the learning seats see."""
        self.rows.observe(self.rows.all, self.rows.learner)
        self.rows.observe_stopped(self.rows.learner)

    # ------------------------------------------------------------ taking back

    def _taking_back(self) -> AbstractContextManager[None]:
        """What follows is taken back if it fails. Only opponents that are functions can fail."""
        if not any(map(callable, self.opponents)):
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
