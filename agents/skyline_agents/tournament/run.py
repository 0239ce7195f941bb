"""Playing a tournament: what its database lacks, in any order, on any backend, until nothing is missing.

    events = [event("manhattan", ["heuristic", "random"], players=2, games=2000)]
    with Store("results.db") as store:
        summary = run(store, TournamentSettings(events), Processes(2))

Results are written as they come, all games of an entry of the schedule at a time. What is missing is what the database
does not hold. So a tournament goes on after any interruption, and its final results are those of a tournament that was
never interrupted.

With a sequential test (`skyline_agents.tournament.sprt`) deals are written in their order. The deal at which the test
stops is the last one that is written, even if later deals were played already: so the end of the tournament depends
neither on the speed of the machine nor on interruptions.
"""

from __future__ import annotations

import itertools
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from skyline import __version__, registry
from skyline.core import engine
from skyline.files import remove_parts
from skyline.game import check_choice
from skyline.typing import Array
from skyline_agents import names
from skyline_agents.database import store
from skyline_agents.database.events import FORMATS, Event
from skyline_agents.database.store import Store
from skyline_agents.match.asking import BEGIN_SECONDS
from skyline_agents.match.matches import Played
from skyline_agents.tournament.schedule import Schedule, deals_for
from skyline_agents.tournament.sprt import Sprt, Verdict, deal_scores
from skyline_agents.tournament.work import Backend, Conditions, Work, record_stem

PIECE_SECONDS = 1.0  # about the time that a piece of work takes
MOST_ENTRIES = 1 << 14  # of the schedule, in one piece of work
MOVE_SECONDS = 60.0  # the default of `move_seconds`
NO_LIMIT = 0.0  # `move_seconds` that mean: a move may take any time
NEWS = 0.5  # the weight of the latest games in an agent's estimated time


@dataclass(frozen=True)
class TournamentSettings:
    """What a tournament is: its events, its test and the limit of a move."""

    events: list[Event]
    sprt: Sprt | None = None
    move_seconds: float = MOVE_SECONDS  # the most that a move may take, or NO_LIMIT

    def __post_init__(self) -> None:
        if not (math.isfinite(self.move_seconds) and self.move_seconds >= 0):
            raise ValueError(
                f"the time for a move is a number of seconds, or 0 for any time, not {self.move_seconds:g}"
            )
        if self.sprt is not None and [len(event.roster) for event in self.events] != [2]:
            raise ValueError("a sequential test is between two agents, in one game with one player count")

    def as_data(self) -> dict[str, Any]:
        """The settings beside the events, as the database keeps them."""
        return {"move_seconds": self.move_seconds, "sprt": None if self.sprt is None else asdict(self.sprt)}


@dataclass
class RunSummary:
    """What one call of `run` did, and how far the tournament is."""

    played: int = 0  # games that this run played
    finished: int = 0  # games that the database holds
    planned: int = 0  # games of the whole tournament
    seconds: float = 0.0
    interrupted: bool = False
    verdict: Verdict | None = None


def event(
    game: str, agents: Sequence[str], players: int, *, games: int | None = None, deals: int | None = None,
    options: Mapping[str, Any] | None = None, form: str = "round-robin", seed: int = 1, number: int = 0,
) -> Event:  # fmt: skip
    """An event, checked. Its length is either `deals`, for every line-up, or the fewest deals with `games` games."""
    loaded = registry.load(game)
    count = loaded.check_players(players)
    if count > store.SEATS:
        raise ValueError(f"tournaments are for at most {store.SEATS} players, not {count}")
    check_choice("the format", form, FORMATS)
    roster = list(agents)
    if not roster or len(set(roster)) < len(roster):
        raise ValueError(f"a tournament needs agents, each once, not {', '.join(roster) or 'none'}")
    for name in roster:
        names.make(name)
    if (games is None) == (deals is None):
        raise ValueError("a tournament needs either a number of games or a number of deals")
    if (games or deals or 0) < 1:
        raise ValueError(f"the number of {'games' if deals is None else 'deals'} is at least 1, not {games or deals}")
    made = Event(number, loaded.name, loaded.version, count, loaded.check_options(options), roster, form, seed, 1)
    return lengthened(made, deals_for(games, made) if deals is None and games is not None else int(deals or 0))


def lengthened(event: Event, deals: int) -> Event:
    """The event with this number of deals."""
    longer = replace(event, deals=deals)
    return replace(longer, planned=Schedule(longer).games)


# ---------------------------------------------------------------- the database


def prepare(database: Store, settings: TournamentSettings) -> None:
    """Write a new tournament into its database, or check that the database holds this tournament.

    The tournament in the database may be shorter: then it is made longer.
    """
    if database.new:
        database.create(settings.events, settings.as_data())
        return
    earlier = saved(database.path)
    theirs = [_identity(event) for event in earlier.events]
    found = _difference([_identity(event) for event in settings.events], theirs)
    found = found or _difference([settings.as_data()], [earlier.as_data()])
    if found:
        raise ValueError(f"{database.path} holds another tournament ({found}): give another --db")
    for ours, old in zip(settings.events, earlier.events, strict=True):
        if ours.deals < old.deals:
            raise ValueError(f"{database.path} was planned with {old.deals:,} deals of {ours.game}, not {ours.deals:,}")
    database.update(settings.events, settings.as_data())


def _identity(event: Event) -> dict[str, Any]:
    return {key: value for key, value in asdict(event).items() if key not in ("deals", "planned")}


def _difference(ours: list[dict[str, Any]], old: list[dict[str, Any]]) -> str | None:
    """The first difference of two lists of events or settings, in words; None if they are equal."""
    if len(ours) != len(old):
        return f"{len(old)} events, not {len(ours)}"
    differences = (f"{key} is {b[key]!r}, not {a[key]!r}" for a, b in zip(ours, old, strict=True) for key in a
                   if a[key] != b[key])  # fmt: skip
    return next(differences, None)


def saved(path: Any) -> TournamentSettings:
    """The tournament that a database was begun with."""
    kept = store.settings(path)
    sprt = kept.get("sprt")
    seconds = kept.get("move_seconds")  # None where there was no limit
    return TournamentSettings(
        store.events(path), None if sprt is None else Sprt(**sprt), NO_LIMIT if seconds is None else float(seconds)
    )


def versions(settings: TournamentSettings, backend_name: str) -> dict[str, Any]:
    """The versions that the results of a run depend on."""
    import numba

    games = {event.game: registry.load(event.game) for event in settings.events}
    return {
        "skyline": __version__,
        "environments": {name: f"{name}_v{game.version}" for name, game in games.items()},
        "kernels": {name: engine.kernels(game).stamp for name, game in games.items()},
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "machine": f"{platform.system()} {platform.machine()} {platform.node()}",
        "engine": backend_name,
    }


# ---------------------------------------------------------------- playing


class _Costs:
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


class _EventRun:
    """One event during a run: what is missing is given out as work, what was played is written."""

    def __init__(self, database: Store, event: Event, run: int) -> None:
        self.database, self.event, self.run = database, event, run
        self.schedule, self.costs = Schedule(event), _Costs(event)
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


class _Test:
    """A sequential test while the games come in."""

    def __init__(self, sprt: Sprt, run: _EventRun) -> None:
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


def run(
    database: Store, settings: TournamentSettings, on: Backend, conditions: Conditions | None = None,
    backend_name: str = "local", progress: Callable[[int], None] | None = None,
) -> RunSummary:  # fmt: skip
    """Play what is missing. Ctrl-C ends the run early; the database holds all games that were finished.

    The time limits of `conditions` are set here, from the settings; `backend_name` is noted in the database;
    `progress` is called with the number of finished games.
    """
    tell, begun = progress or (lambda done: None), time.perf_counter()
    conditions = _limited(conditions or Conditions(), settings.move_seconds)
    number = database.begin_run(versions(settings, backend_name))
    if conditions.records is not None and conditions.records.is_dir():
        for event in settings.events:
            remove_parts(conditions.records, record_stem(event))
    summary = RunSummary(planned=sum(event.planned for event in settings.events))
    runs = [_EventRun(database, event, number) for event in settings.events]
    summary.finished = sum(run.finished for run in runs)
    try:
        tell(summary.finished)
        for games in _play(runs, settings.sprt, on, conditions, summary):
            summary.played += games
            summary.finished += games
            tell(summary.finished)
    except KeyboardInterrupt:
        summary.interrupted = True
    finally:
        summary.seconds = time.perf_counter() - begun
    return summary


def _limited(conditions: Conditions, move_seconds: float) -> Conditions:
    """The conditions with the limits of the tournament; if a move may take any time, the beginning may, too."""
    if move_seconds == NO_LIMIT:
        return replace(conditions, move_seconds=None, begin_seconds=None)
    return replace(conditions, move_seconds=move_seconds, begin_seconds=max(move_seconds, BEGIN_SECONDS))


def _play(
    runs: list[_EventRun], sprt: Sprt | None, on: Backend, conditions: Conditions, summary: RunSummary
) -> Iterator[int]:
    """Play and write; yields, after every piece of work, the number of games that were written."""
    test = None if sprt is None else _Test(sprt, runs[0])
    summary.verdict = None if test is None else test.verdict
    if test is not None and test.verdict.stopped:
        return
    for run, work, played in _results(runs, on, conditions, in_order=test is not None):
        last = None if test is None else test.add(work, played)
        yield run.write(work, played, last)
        summary.verdict = None if test is None else test.verdict
        if last is not None:
            return


def _results(
    runs: list[_EventRun], on: Backend, conditions: Conditions, in_order: bool
) -> Iterator[tuple[_EventRun, Work, Played]]:
    """Every piece of work with its results, once: as the results come, or in the order of the schedule.

    The backend gets new work before results are yielded, so that no process waits while the results are written.
    """
    given: dict[int, tuple[_EventRun, Work]] = {}
    held: dict[int, tuple[_EventRun, Work, Played]] = {}
    ready: list[tuple[_EventRun, Work, Played]] = []
    numbers, turn = itertools.count(), 0
    while True:
        for _ in range(on.free()):
            number = next(numbers)
            found = next(((run, work) for run in runs if (work := run.take(number, conditions)) is not None), None)
            if found is not None:
                given[number] = found
                on.submit(found[1])
        yield from ready
        if not given:
            return
        for done in on.wait():
            run, work = given.pop(done.number)
            run.costs.learn(work.seats, done.played)
            held[done.number] = (run, work, done.played)
        ready = []
        for number in sorted(held):
            if not in_order or number == turn:
                ready.append(held.pop(number))
                turn = number + 1
