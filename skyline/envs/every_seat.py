"""A batch whose caller moves every seat: a step is one call of one kernel."""

from __future__ import annotations

import numpy as np

from skyline.core import engine
from skyline.envs.rows import Rows
from skyline.game import NO_SEAT
from skyline.rng import following_seed
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
        if rows.keeps_moves:
            self._write_down(actions)
        rows.step_all(actions)
        rows.final_seats[:] = np.maximum(movers, 0)
        self._count_episodes(movers == NO_SEAT)
        if rows.max_cycles is not None:
            self._truncate(movers != NO_SEAT)
        rewards: Array = rows.rewards_all[rows.all, rows.final_seats]
        return rewards

    def _write_down(self, actions: Array) -> None:
        """Keep the actions of the step that is made next; those that are not legal are no moves of a game."""
        masks = self.rows.action_mask
        rows = np.flatnonzero((actions >= 0) & (actions < masks.shape[1]))
        rows = rows[masks[rows, actions[rows]] == 1]
        self.rows.write_down(rows, actions[rows])

    def _count_episodes(self, were_over: Array) -> None:
        """The kernel of a step begins the next games itself."""
        rows = self.rows
        if rows.autoreset == engine.NEXT_STEP:
            rows.episodes += were_over
            rows.stopped[were_over], rows.moved[were_over] = False, 0
        ended = rows.ended == engine.ENDED
        if ended.any():
            rows.final_episodes[ended] = rows.episodes[ended]
            rows.close_moves(ended)
            if rows.autoreset == engine.SAME_STEP:
                rows.episodes += ended
                rows.moved[ended] = 0

    def _truncate(self, were_running: Array) -> None:
        """Cut off the games that have had `max_cycles` steps: their states are kept, and in a row that no game follows
        at once nobody decides any more."""
        rows, state = self.rows, self.rows.states
        goes_on = were_running & (rows.ended == engine.RUNNING)
        rows.steps[goes_on] += 1
        rows.steps[~goes_on] = 0
        rows.truncated[:] = goes_on & (rows.steps == rows.max_cycles) & (state["seat"] != NO_SEAT)
        cut = np.flatnonzero(rows.truncated)
        rows.finals[cut], rows.final_episodes[cut] = state[cut], rows.episodes[cut]
        rows.close_moves(cut)
        if rows.autoreset == engine.SAME_STEP:
            self._follow(cut)
            rows.observe(cut, np.maximum(rows.seats(), 0))
        else:
            state["seat"][cut], rows.action_mask[cut], rows.stopped[cut] = NO_SEAT, 0, True
            rows.observe_stopped(rows.final_seats)

    def _follow(self, cut: Array) -> None:
        """Begin the games that follow, forced moves included; what the last step brought is kept."""
        rows = self.rows
        while len(cut):
            kept = rows.rewards_all[cut].copy()
            words = np.array([following_seed(word) for word in rows.states["deal"][cut]], np.uint64)
            rows.begin(words, cut, is_first=False)
            rows.rewards_all[cut] = kept
            cut = cut[rows.states["seat"][cut] == NO_SEAT]

    def observe(self) -> None:
        """What the seats to decide see; seat 0 where the game is over."""
        seats = np.maximum(self.rows.seats(), 0)
        self.rows.observe(self.rows.all, seats)
        self.rows.observe_stopped(seats)
