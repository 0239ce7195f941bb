"""A piece of a tournament's work: some games of an event, and what plays them, in whatever process that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from skyline import registry
from skyline.typing import Array
from skyline_agents import names
from skyline_agents.database.events import Event
from skyline_agents.match import arena
from skyline_agents.match.clock import MAKING
from skyline_agents.match.matches import Match, Played, Seatings, joined
from skyline_agents.match.questions import Guard


@dataclass(frozen=True)
class Conditions:
    """What holds for all games of a tournament."""

    move_seconds: float | None = None  # the most seconds of a move, compiling not counted; None: no limit
    begin_seconds: float | None = None  # the most seconds that an agent may take to begin a game; None: no limit
    records: Path | None = None  # the folder that the games' records are written to; None: no records
    legal: bool = False  # whether the records hold all legal moves


@dataclass(frozen=True)
class Work:
    """Games of one event."""

    number: int
    event: Event
    conditions: Conditions
    seeds: Array  # (n,) uint64
    seats: Array  # (n, P) int64: the agent of every seat, as its number in the roster
    deals: Array  # (n,) int64
    line_ups: Array  # (n,) int64
    rotations: Array  # (n,) int64

    def __len__(self) -> int:
        return len(self.seeds)


@dataclass(frozen=True)
class Done:
    """A piece of work that is finished."""

    number: int
    played: Played


class Backend(Protocol):
    """Processes or machines that do pieces of work. Every submitted piece comes back exactly once."""

    def free(self) -> int:
        """The number of further pieces that can be submitted at once."""

    def submit(self, work: Work) -> None:
        """Take a piece of work."""

    def wait(self) -> list[Done]:
        """The pieces that are finished: at least one, if any was submitted."""

    def close(self) -> None:
        """Give up the work that is not finished."""


def entrants(seats: Array, roster: int) -> Array:
    """Numbers of agents of which each sits at most once at a table, (n, P).

    `seats` (n, P) are numbers in a roster of `roster` agents. An agent with several seats at a table is there in
    several copies: the c-th of its seats, counted from 0, belongs to the number agent + roster * c.
    """
    before = np.tril(seats[:, :, np.newaxis] == seats[:, np.newaxis, :], -1)
    copies: Array = seats + roster * before.sum(axis=2)
    return copies


def carry_out(work: Work, guard: Guard | None = None, width: int | None = None) -> Played:
    """Play the games of a piece of work; `width` is the most games that are played side by side."""
    event, conditions = work.event, work.conditions
    agents = entrants(work.seats, len(event.roster))
    match = replace(
        _made(event, int(agents.max()) // len(event.roster) + 1, guard),
        move_seconds=conditions.move_seconds, begin_seconds=conditions.begin_seconds, legal=conditions.legal,
        guard=guard, width=width,
    )  # fmt: skip
    seatings = Seatings(work.seeds, agents, work.rotations, _files(work))
    arena.load(match, seatings)
    return joined(list(arena.games(match, seatings)))


def _made(event: Event, copies: int, guard: Guard | None) -> Match:
    """The event's match. The guard's clock says that agents are made as long as they are made."""
    if guard is None:
        return _match(event.as_text(), copies)
    guard.clock.ask(MAKING, 0, 0, None)
    try:
        return _match(event.as_text(), copies)
    finally:
        guard.clock.forget()


@lru_cache(None)
def _match(event: str, copies: int) -> Match:
    """The match of an event (as text) with `copies` copies of every agent, made once in a process."""
    read = Event.from_text(event)
    game, roster = registry.load(read.game), read.roster * copies
    agents = [names.make(name) for name in roster]
    return Match(game, read.players, read.options, roster, agents, forfeits=True, memory=read.memory)


def record_stem(event: Event) -> str:
    """What the names of all records of an event begin with."""
    return f"{event.game}-{event.players}p-event{event.number}-"


def _files(work: Work) -> list[Path] | None:
    """The files that the records are written to; None for no records."""
    folder, event = work.conditions.records, work.event
    if folder is None:
        return None
    return [
        folder / f"{record_stem(event)}deal{deal}-lineup{line_up}-rotation{rotation}.jsonl"
        for deal, line_up, rotation in zip(work.deals, work.line_ups, work.rotations, strict=True)
    ]
