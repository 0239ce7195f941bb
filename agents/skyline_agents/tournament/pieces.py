"""Events and tests while a tournament is played: pieces of work are given out, their results are written and tested."""

from __future__ import annotations

import numpy as np

from skyline.typing import Array
from skyline_agents.database import store
from skyline_agents.database.events import Event
from skyline_agents.database.store import Store
from skyline_agents.match.matches import Played
from skyline_agents.tournament.schedule import Schedule
from skyline_agents.tournament.sprt import Sprt, deal_scores
from skyline_agents.tournament.work import Conditions, Work

PIECE_SECONDS = 1.0  # about the time that a piece of work takes
MOST_ENTRIES = 1 << 14  # of the schedule, in one piece of work
NEWS = 0.5  # the weight of the latest games in an agent's estimated time


class Costs:
    """Estimates of the seconds that agents take for a game; infinite for an agent that has not played yet."""

    def __init__(self, event: Event) -> None:
        self.by_agent = np.full(len(event.roster), np.inf)

    def learn(self, seats: Array, played: Played) -> None:
        """Improve the estimates by some games.

        The time of a game is divided among its seats in proportion to their thinking; where the kernel played, equally.
        """
        share = np.where(np.isnan(played.thinking), 1.0, played.thinking + 1e-9)
        cost = played.seconds[:, np.newaxis] * share / share.sum(axis=1, keepdims=True)
        for agent in np.unique(seats):
            latest, known = float(cost[seats == agent].mean()), self.by_agent[agent]
            self.by_agent[agent] = latest if np.isinf(known) else NEWS * latest + (1 - NEWS) * known

    def fitting(self, schedule: Schedule, entries: Array) -> int:
        """The number of these entries, at least one, that take about PIECE_SECONDS together."""
        seconds = self.by_agent[schedule.line_ups[entries]].sum(axis=1) * schedule.rotations[entries]
        return max(1, int(np.searchsorted(np.cumsum(seconds), PIECE_SECONDS)))


class EventRun:
    """One event during a run: what is missing is given out as work, what was played is written."""

    def __init__(self, database: Store, event: Event, run: int) -> None:
        self.database, self.event, self.run = database, event, run
        self.schedule, self.costs = Schedule(event), Costs(event)
        there = np.zeros(self.schedule.entries, bool)
        there[self.schedule.entry(*database.finished(event))] = True
        self.missing = np.flatnonzero(~there)
        self.finished = int(self.schedule.rotations[there].sum())
        self._next = 0

    def take(self, number: int, conditions: Conditions) -> Work | None:
        """The next piece of work, with this number; None if all work has been given out."""
        entries = self.missing[self._next : self._next + MOST_ENTRIES]
        if len(entries) == 0:
            return None
        entries = entries[: self.costs.fitting(self.schedule, entries)]
        self._next += len(entries)
        keys = self.schedule.keys(entries)
        return Work(
            number, self.event, conditions, self.schedule.seeds(keys), self.schedule.seats(keys), keys.deals,
            keys.line_ups, keys.rotations,
        )  # fmt: skip

    def write(self, work: Work, played: Played, up_to: int | None = None) -> int:
        """Write the games of a piece of work, or only those of deals up to `up_to`; the number of games written."""
        rows = np.arange(len(work)) if up_to is None else np.flatnonzero(work.deals <= up_to)
        columns = {"deal": work.deals, "line_up": work.line_ups, "rotation": work.rotations, "seed": work.seeds}
        if len(rows):
            chosen = {name: column[rows] for name, column in columns.items()}
            self.database.add(self.event, self.run, chosen, work.seats[rows], played.take(rows))
        self.finished += len(rows)
        return len(rows)


class RunningTest:
    """A sequential test while the games come in."""

    def __init__(self, sprt: Sprt, run: EventRun) -> None:
        self.sprt, self.run = sprt, run
        games = store.games(run.database.path, run.event)
        numbers = np.array([run.event.roster.index(name) for name in games.names])
        whole = games.deals < _whole_deals(run.schedule, games.deals)
        self._scores = deal_scores(games.deals[whole], numbers[games.agents[whole]], games.places[whole], 0)
        # Games of the last deal, while some games of that deal are missing.
        self._rest = [(games.deals[~whole], numbers[games.agents[~whole]], games.places[~whole])]
        self.verdict = sprt.verdict(self._scores)

    def add(self, work: Work, played: Played) -> int | None:
        """Count further games; if the test stops with them, the last deal that counts, else None."""
        parts = [*self._rest, (work.deals, work.seats, played.places)]
        deals, agents, places = (np.concatenate(column) for column in zip(*parts, strict=True))
        known = len(self._scores)
        whole = deals < known + _whole_deals(self.run.schedule, deals, known)
        new = deal_scores(deals[whole] - known, agents[whole], places[whole], 0)
        self._rest = [(deals[~whole], agents[~whole], places[~whole])]
        self._scores = np.concatenate([self._scores, new])
        self.verdict = self.sprt.verdict(self._scores, known)
        return self.verdict.deals - 1 if self.verdict.stopped else None


def _whole_deals(schedule: Schedule, deals: Array, first: int = 0) -> int:
    """The number of complete deals from deal `first` on, among games in the order of the schedule."""
    if len(deals) == 0:
        return 0
    last = int(deals[-1])
    entries = slice(last * schedule.line_ups_of_deal, (last + 1) * schedule.line_ups_of_deal)
    games = schedule.rotations[entries].sum()
    return last - first + int(np.sum(deals == last) == games)
