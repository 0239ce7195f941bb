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
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skyline import __version__, registry
from skyline.core import engine
from skyline.files import remove_parts
from skyline_agents.database.store import Store
from skyline_agents.match.asking import BEGIN_SECONDS
from skyline_agents.match.matches import Played
from skyline_agents.tournament.pieces import EventRun, RunningTest
from skyline_agents.tournament.settings import NO_LIMIT, TournamentSettings
from skyline_agents.tournament.sprt import Sprt, Verdict
from skyline_agents.tournament.work import Backend, Conditions, Work, record_stem


@dataclass
class RunSummary:
    """What one call of `run` did, and how far the tournament is."""

    played: int = 0  # games that this run played
    finished: int = 0  # games that the database holds
    planned: int = 0  # games of the whole tournament
    seconds: float = 0.0
    interrupted: bool = False
    verdict: Verdict | None = None


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
    summary = RunSummary(planned=settings.planned)
    runs = [EventRun(database, event, number) for event in settings.events]
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
    runs: list[EventRun], sprt: Sprt | None, on: Backend, conditions: Conditions, summary: RunSummary
) -> Iterator[int]:
    """Play and write; yields, after every piece of work, the number of games that were written."""
    test = None if sprt is None else RunningTest(sprt, runs[0])
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
    runs: list[EventRun], on: Backend, conditions: Conditions, in_order: bool
) -> Iterator[tuple[EventRun, Work, Played]]:
    """Every piece of work with its results, once: as the results come, or in the order of the schedule.

    The backend gets new work before results are yielded, so that no process waits while the results are written.
    """
    given: dict[int, tuple[EventRun, Work]] = {}
    held: dict[int, tuple[EventRun, Work, Played]] = {}
    ready: list[tuple[EventRun, Work, Played]] = []
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
