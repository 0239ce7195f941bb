"""The histories of games that are played side by side.

While games are played their moves are noted, and nothing else is done: a match whose agents never ask for a history
pays nothing for histories. When an agent asks, the game is played again (`skyline.record.history`), from the move up to
which the history was made last.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from skyline.record import History
from skyline.typing import Array
from skyline_agents.match.matches import Match
from skyline_agents.view_tokens import Entry, SeatHistory


class MatchHistories:
    """The moves of the games of some seeds (n,), and the histories that were asked for."""

    def __init__(self, match: Match, seeds: Array) -> None:
        self._match, self._seeds = match, seeds
        self._noted: list[tuple[Array, Array]] = []  # rows and actions that were played together
        self._histories: dict[int, tuple[History, int]] = {}  # by row, with the number of notes that are in it
        self._lock = threading.Lock()  # a thread that an agent has left behind may ask, too

    def note(self, rows: Array, actions: Array) -> None:
        """Actions are played in some rows; nobody changes these arrays later."""
        self._noted.append((rows, actions))

    def of_seats(self, rows: Array, seats: Array) -> list[SeatHistory]:
        """The histories for seats (n,) that are asked in rows (n,)."""
        return [RowHistory(self, row, seat) for row, seat in zip(rows.tolist(), seats.tolist(), strict=True)]

    def history(self, row: int) -> History:
        """The history of one game with all its moves so far."""
        with self._lock:
            found, done = self._histories.pop(row) if row in self._histories else (self._dealt(row), 0)
            for rows, actions in self._noted[done:]:
                for at in np.flatnonzero(rows == row):
                    found.add(int(actions[at]))
            self._histories[row] = found, len(self._noted)  # not reached if the time of the agent is up before
        return found

    def _dealt(self, row: int) -> History:
        match = self._match
        return History.dealt(
            match.game, int(self._seeds[row]), match.players, match.options, memory=match.memory,
            forced=match.auto_forced, listed=True,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowHistory:
    """The history of the game of one row, for one seat: a `SeatHistory`."""

    histories: MatchHistories
    row: int
    seat: int

    def entries(self, since_last: bool) -> list[Entry]:
        history = self.histories.history(self.row)
        return history.since_last(self.seat) if since_last else history.entries(self.seat)
