"""A batch whose caller moves every seat: a step is one call of one kernel."""

from __future__ import annotations

import numpy as np

from skyline.core import engine
from skyline.envs.rows import Rows
from skyline.game import NO_SEAT
from skyline.typing import Array


class EverySeat:
    """The caller's actions are those of the seats to decide."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def with_rows(self, rows: Rows) -> EverySeat:
        """The same for other rows."""
        return EverySeat(rows)

    def begin(self, words: Array, rows: Array, is_first: bool) -> None:
        """Begin games with these seeds."""
        self.rows.begin(words, rows, is_first)
        self.observe()

    def step(self, actions: Array) -> Array:
        """One step of every row; the rewards (n,) of the seats that moved."""
        rows = self.rows
        movers = rows.seats()
        rows.step_all(actions)
        rows.final_seats[:] = np.maximum(movers, 0)
        self._count_episodes(movers == NO_SEAT)
        if rows.max_cycles is not None:
            self._truncate(movers != NO_SEAT)
        rewards: Array = rows.rewards_all[rows.all, rows.final_seats]
        return rewards

    def _count_episodes(self, were_over: Array) -> None:
        """The kernel of a step begins the next games itself."""
        rows = self.rows
        if rows.autoreset == engine.NEXT_STEP:
            rows.episodes += were_over
            rows.stopped[were_over] = False
        ended = rows.ended == engine.ENDED
        if ended.any():
            rows.final_episodes[ended] = rows.episodes[ended]
            if rows.autoreset == engine.SAME_STEP:
                rows.episodes += ended

    def _truncate(self, were_running: Array) -> None:
        """Cut off the games that have had `max_cycles` steps."""
        rows = self.rows
        goes_on = were_running & (rows.ended == engine.RUNNING)
        rows.steps[~goes_on] = 0
        cut = rows.count_steps(np.flatnonzero(goes_on))
        rows.keep_finals(cut)
        if rows.autoreset == engine.SAME_STEP:
            rows.follow(cut)
            rows.observe(cut, np.maximum(rows.seats(), 0))
        else:
            rows.stop(cut)
            rows.observe_stopped(rows.final_seats)

    def observe(self) -> None:
        """What the seats to decide see; seat 0 where the game is over."""
        seats = np.maximum(self.rows.seats(), 0)
        self.rows.observe(self.rows.all, seats)
        self.rows.observe_stopped(seats)
