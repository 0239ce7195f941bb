"""A piece of a tournament's work: some games of an event, played in whatever process they are sent to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from skyline import registry
from skyline_agents import names
from skyline_agents.database.store import Event
from skyline_agents.match import arena
from skyline_agents.match.clock import MAKING
from skyline_agents.match.matches import Array, Match, Played, Seatings, joined
from skyline_agents.match.questions import Guard


@dataclass(frozen=True)
class Rules:
    """What holds for all games of a tournament."""

    move_seconds: float | None = None  # the most a move may take, without compiling; None: any time
    begin_seconds: float | None = None  # the same for an agent to begin a game
    records: Path | None = None  # folder for the games' records
    legal: bool = False  # all legal moves in the records


@dataclass(frozen=True)
class Work:
    """Games of one event."""

    number: int
    event: Event
    rules: Rules
    seeds: Array  # (n,) uint64
    seats: Array  # (n, P) int64, numbers of the roster
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


class Engine(Protocol):
    """Something that does work elsewhere. What it is given comes back exactly once."""

    def free(self) -> int:
        """How many further pieces it can take at once."""

    def submit(self, work: Work) -> None:
        """Take a piece of work."""

    def wait(self) -> list[Done]:
        """Wait until something is finished, if anything was submitted."""

    def close(self) -> None:
        """Give up what is not finished."""


def entrants(seats: Array, roster: int) -> Array:
    """Numbers of agents that sit at most once at a table: the c-th of an agent's seats is taken by its c-th copy."""
    before = np.tril(seats[:, :, np.newaxis] == seats[:, np.newaxis, :], -1)
    copies: Array = seats + roster * before.sum(axis=2)
    return copies


def play(work: Work, guard: Guard | None = None, width: int | None = None) -> Played:
    """Play the games."""
    event, rules = work.event, work.rules
    agents = entrants(work.seats, len(event.roster))
    match = replace(
        _made(event, int(agents.max()) // len(event.roster) + 1, guard),
        move_seconds=rules.move_seconds, begin_seconds=rules.begin_seconds, legal=rules.legal, guard=guard, width=width,
    )  # fmt: skip
    seatings = Seatings(work.seeds, agents, work.rotations, _files(work))
    arena.load(match, seatings)
    return joined(list(arena.games(match, seatings)))


def _made(event: Event, copies: int, guard: Guard | None) -> Match:
    """The event's match; whoever watches is told while its agents are made."""
    if guard is None:
        return _match(event.as_text(), copies)
    guard.clock.ask(MAKING, 0, 0, None)
    try:
        return _match(event.as_text(), copies)
    finally:
        guard.clock.forget()


@lru_cache(None)
def _match(event: str, copies: int) -> Match:
    """The event's agents, made once in a process."""
    read = Event.from_text(event)
    game, roster = registry.load(read.game), read.roster * copies
    return Match(game, read.players, read.options, roster, [names.make(name) for name in roster], forfeits=True)


def record_stem(event: Event) -> str:
    """What the names of all records of an event begin with."""
    return f"{event.game}-{event.players}p-event{event.number}-"


def _files(work: Work) -> list[Path] | None:
    folder, event = work.rules.records, work.event
    if folder is None:
        return None
    return [
        folder / f"{record_stem(event)}deal{deal}-lineup{line_up}-rotation{rotation}.jsonl"
        for deal, line_up, rotation in zip(work.deals, work.line_ups, work.rotations, strict=True)
    ]
