"""Play a tournament: what its database lacks, in any order, on any engine, until nothing is missing.

    events = [event("manhattan", ["heuristic", "random"], players=2, games=2000)]
    with Store("results.db") as store:
        outcome = run(store, Settings(events), Processes(2))

Results are written as they come, whole deals of a line-up at a time; what is missing is found by looking into the
database. So a tournament goes on after any interruption, and its final table is the one it would have had anyway.

With a sequential test (`skyline_agents.tournament.sprt`) deals are written in their order and the first at which the
test stops is the last, however many were played beyond it: the end does not depend on speed or interruptions either.
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
from skyline_agents import names
from skyline_agents.database import store
from skyline_agents.database.store import Event, Store
from skyline_agents.match.asking import BEGIN_SECONDS
from skyline_agents.match.matches import Array, Played
from skyline_agents.tournament.plan import FORMATS, Plan, deals_for
from skyline_agents.tournament.sprt import Sprt, Verdict, deal_scores
from skyline_agents.tournament.work import Engine, Rules, Work, record_stem

PIECE_SECONDS = 1.0  # how long a process plays between two looks at the database
MOST_ENTRIES = 1 << 14  # in one piece of work
MOVE_SECONDS = 60.0  # the most a move may take, if nothing else is said
NO_LIMIT = 0.0  # what says that a move may take any time
NEWS = 0.5  # how much of an agent's estimated time the latest games make up


@dataclass(frozen=True)
class Settings:
    """A tournament."""

    events: list[Event]
    sprt: Sprt | None = None
    move_seconds: float = MOVE_SECONDS  # NO_LIMIT: any time

    def __post_init__(self) -> None:
        if not (math.isfinite(self.move_seconds) and self.move_seconds >= 0):
            raise ValueError(
                f"the time for a move is a number of seconds, or 0 for any time, not {self.move_seconds:g}"
            )
        if self.sprt is not None and [len(event.roster) for event in self.events] != [2]:
            raise ValueError("a sequential test is between two agents, in one game with one player count")

    def as_data(self) -> dict[str, Any]:
        """What the database keeps beside the events."""
        return {"move_seconds": self.move_seconds, "sprt": None if self.sprt is None else asdict(self.sprt)}


@dataclass
class Outcome:
    """What a run came to."""

    played: int = 0  # games, by this run
    finished: int = 0  # games in the database
    planned: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    verdict: Verdict | None = None


def event(
    game: str, agents: Sequence[str], players: int, *, games: int | None = None, deals: int | None = None,
    options: Mapping[str, Any] | None = None, form: str = "round-robin", seed: int = 1, number: int = 0,
) -> Event:  # fmt: skip
    """An event, checked: `deals` for every line-up, or as many as make at least so many `games`."""
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
    return replace(longer, planned=Plan(longer).games)


# ---------------------------------------------------------------- the database


def prepare(database: Store, settings: Settings) -> None:
    """Write the plan, or check that the one in the database is the same, or a shorter one."""
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
    """The first thing in which two lists differ."""
    if len(ours) != len(old):
        return f"{len(old)} events, not {len(ours)}"
    differences = (f"{key} is {b[key]!r}, not {a[key]!r}" for a, b in zip(ours, old, strict=True) for key in a
                   if a[key] != b[key])  # fmt: skip
    return next(differences, None)


def saved(path: Any) -> Settings:
    """The tournament that a database was begun with."""
    kept = store.settings(path)
    sprt = kept.get("sprt")
    seconds = kept.get("move_seconds")  # None where there was no limit
    return Settings(
        store.events(path), None if sprt is None else Sprt(**sprt), NO_LIMIT if seconds is None else float(seconds)
    )


def versions(settings: Settings, engine_name: str) -> dict[str, Any]:
    """What a run's results depend on."""
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
        "engine": engine_name,
    }


# ---------------------------------------------------------------- playing


class _Costs:
    """Seconds that agents take for a game, as far as they are known."""

    def __init__(self, event: Event) -> None:
        self.by_agent = np.full(len(event.roster), np.inf)

    def learn(self, seats: Array, played: Played) -> None:
        """A game's time goes to the seats as their thinking says, or in equal parts."""
        share = np.where(np.isnan(played.thinking), 1.0, played.thinking + 1e-9)
        cost = played.seconds[:, np.newaxis] * share / share.sum(axis=1, keepdims=True)
        for agent in np.unique(seats):
            latest, known = float(cost[seats == agent].mean()), self.by_agent[agent]
            self.by_agent[agent] = latest if np.isinf(known) else NEWS * latest + (1 - NEWS) * known

    def fitting(self, plan: Plan, entries: Array) -> int:
        """How many of these entries take about PIECE_SECONDS, at least one."""
        seconds = self.by_agent[plan.line_ups[entries]].sum(axis=1) * plan.rotations[entries]
        return max(1, int(np.searchsorted(np.cumsum(seconds), PIECE_SECONDS)))


class _EventRun:
    """What is left to play of an event, and writing what was played."""

    def __init__(self, database: Store, event: Event, run: int) -> None:
        self.database, self.event, self.run = database, event, run
        self.plan, self.costs = Plan(event), _Costs(event)
        there = np.zeros(self.plan.entries, bool)
        there[self.plan.entry(*database.finished(event))] = True
        self.missing = np.flatnonzero(~there)
        self.finished = int(self.plan.rotations[there].sum())
        self._next = 0

    def take(self, number: int, rules: Rules) -> Work | None:
        """The next piece of work; None when everything has been given out."""
        entries = self.missing[self._next : self._next + MOST_ENTRIES]
        if len(entries) == 0:
            return None
        entries = entries[: self.costs.fitting(self.plan, entries)]
        self._next += len(entries)
        keys = self.plan.keys(entries)
        return Work(
            number, self.event, rules, self.plan.seeds(keys), self.plan.seats(keys), keys.deals, keys.line_ups,
            keys.rotations,
        )  # fmt: skip

    def write(self, work: Work, played: Played, up_to: int | None = None) -> int:
        """Write the games, or those of deals up to one; how many."""
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
        whole = games.deals < _whole_deals(run.plan, games.deals)
        self._scores = deal_scores(games.deals[whole], numbers[games.agents[whole]], games.places[whole], 0)
        self._rest = [(games.deals[~whole], numbers[games.agents[~whole]], games.places[~whole])]  # of an open deal
        self.verdict = sprt.verdict(self._scores)

    def add(self, work: Work, played: Played) -> int | None:
        """Count further games; the last deal that counts if the test stops with them."""
        parts = [*self._rest, (work.deals, work.seats, played.places)]
        deals, agents, places = (np.concatenate(column) for column in zip(*parts, strict=True))
        known = len(self._scores)
        whole = deals < known + _whole_deals(self.run.plan, deals, known)
        new = deal_scores(deals[whole] - known, agents[whole], places[whole], 0)
        self._rest = [(deals[~whole], agents[~whole], places[~whole])]
        self._scores = np.concatenate([self._scores, new])
        self.verdict = self.sprt.verdict(self._scores, known)
        return self.verdict.deals - 1 if self.verdict.stopped else None


def _whole_deals(plan: Plan, deals: Array, first: int = 0) -> int:
    """How many deals from `first` on are complete among games in the plan's order."""
    if len(deals) == 0:
        return 0
    last = int(deals[-1])
    games = plan.rotations[last * plan.tables : (last + 1) * plan.tables].sum()
    return last - first + int(np.sum(deals == last) == games)


def run(
    database: Store, settings: Settings, on: Engine, rules: Rules | None = None, engine_name: str = "local",
    progress: Callable[[int], None] | None = None,
) -> Outcome:  # fmt: skip
    """Play what is missing. Ctrl-C ends it early; what is finished is in the database."""
    tell, begun = progress or (lambda done: None), time.perf_counter()
    rules = _limited(rules or Rules(), settings.move_seconds)
    number = database.begin_run(versions(settings, engine_name))
    if rules.records is not None and rules.records.is_dir():
        for event in settings.events:
            remove_parts(rules.records, record_stem(event))
    outcome = Outcome(planned=sum(event.planned for event in settings.events))
    runs = [_EventRun(database, event, number) for event in settings.events]
    outcome.finished = sum(run.finished for run in runs)
    try:
        tell(outcome.finished)
        for games in _play(runs, settings.sprt, on, rules, outcome):
            outcome.played += games
            outcome.finished += games
            tell(outcome.finished)
    except KeyboardInterrupt:
        outcome.interrupted = True
    finally:
        outcome.seconds = time.perf_counter() - begun
    return outcome


def _limited(rules: Rules, move_seconds: float) -> Rules:
    """The rules with the tournament's limits; where a move may take any time, so may the beginning."""
    if move_seconds == NO_LIMIT:
        return replace(rules, move_seconds=None, begin_seconds=None)
    return replace(rules, move_seconds=move_seconds, begin_seconds=max(move_seconds, BEGIN_SECONDS))


def _play(runs: list[_EventRun], sprt: Sprt | None, on: Engine, rules: Rules, outcome: Outcome) -> Iterator[int]:
    """Play, write, and say how many games were written."""
    test = None if sprt is None else _Test(sprt, runs[0])
    outcome.verdict = None if test is None else test.verdict
    if test is not None and test.verdict.stopped:
        return
    for run, work, played in _results(runs, on, rules, in_order=test is not None):
        last = None if test is None else test.add(work, played)
        yield run.write(work, played, last)
        outcome.verdict = None if test is None else test.verdict
        if last is not None:
            return


def _results(
    runs: list[_EventRun], on: Engine, rules: Rules, in_order: bool
) -> Iterator[tuple[_EventRun, Work, Played]]:
    """Every piece of work with what came of it, once: as it comes, or in the order of the plan.

    Before anything is handed out to be written, the engine gets new work.
    """
    given: dict[int, tuple[_EventRun, Work]] = {}
    held: dict[int, tuple[_EventRun, Work, Played]] = {}
    ready: list[tuple[_EventRun, Work, Played]] = []
    numbers, turn = itertools.count(), 0
    while True:
        for _ in range(on.free()):
            number = next(numbers)
            found = next(((run, work) for run in runs if (work := run.take(number, rules)) is not None), None)
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
