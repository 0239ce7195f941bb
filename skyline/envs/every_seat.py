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
        if is_first and rows is self.rows.all:
            self.rows.begin_all(words)
        else:
            self.rows.begin(words, rows, is_first)
            self.observe()

    def step(self, actions: Array, checks: bool) -> Array:
        """One step of every row; the rewards (n,) of the seats that moved. With `checks` an action that is not legal is
        an IllegalMove, and nothing has changed."""
        rows = self.rows
        if checks:
            rows.check_legal(rows.all, actions)
        movers = rows.seats()
        if rows.keeps_moves:
            self._write_down(actions)
        episodes = rows.episodes.copy()
        rows.step_all(actions)
        rows.final_seats[:] = np.maximum(movers, 0)
        if rows.autoreset == engine.NEXT_STEP:
            rows.stopped[movers == NO_SEAT] = False
        if rows.keeps_moves:
            self._close_moves(episodes)
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

    def _close_moves(self, episodes: Array) -> None:
        """After a step: the moves of games that are over. `episodes`: the numbers of the games before the step. The
        caller has made no move in the games that the step began, and forced moves are not written down."""
        rows = self.rows
        ended = rows.ended == engine.ENDED
        rows.close_moves(ended & (rows.final_episodes == episodes))
        rows.moved[rows.episodes != episodes] = 0
        rows.final_moved[ended & (rows.final_episodes != episodes)] = 0

    def _truncate(self, were_running: Array) -> None:
        """Cut off the games that have had `max_cycles` steps: their states are kept, and in a row that no game follows
        at once nobody decides any more."""
        rows, state = self.rows, self.rows.states
        goes_on = were_running & (rows.ended == engine.RUNNING)
        rows.steps[goes_on] += 1
        rows.steps[~goes_on] = 0
        rows.truncated[:] = goes_on & (rows.steps == rows.max_cycles) & (state["seat"] != NO_SEAT)
        cut = np.flatnonzero(rows.truncated)
        self._keep_finals(cut)
        if rows.autoreset == engine.SAME_STEP:
            self._follow(cut)
            rows.observe(cut, np.maximum(rows.seats(), 0))
        else:
            state["seat"][cut], rows.action_mask[cut], rows.stopped[cut] = NO_SEAT, 0, True
            rows.observe_stopped(rows.final_seats)

    def _keep_finals(self, over: Array) -> None:
        """The games of these rows are over: their last states, numbers and moves."""
        rows = self.rows
        rows.finals[over], rows.final_episodes[over] = rows.states[over], rows.episodes[over]
        rows.close_moves(over)

    def _follow(self, cut: Array) -> None:
        """Begin the games that follow, forced moves included; what the last step brought is kept."""
        rows = self.rows
        while len(cut):
            kept, ended = rows.rewards_all[cut].copy(), rows.ended[cut]
            words = np.array([following_seed(word) for word in rows.states["deal"][cut]], np.uint64)
            rows.begin(words, cut, is_first=False)
            rows.rewards_all[cut], rows.ended[cut] = kept, ended
            cut = cut[rows.states["seat"][cut] == NO_SEAT]
            self._keep_finals(cut)
            rows.ended[cut] = engine.ENDED

    def observe(self) -> None:
        """What the seats to decide see; seat 0 where the game is over."""
        seats = np.maximum(self.rows.seats(), 0)
        self.rows.observe(self.rows.all, seats)
        self.rows.observe_stopped(seats)
