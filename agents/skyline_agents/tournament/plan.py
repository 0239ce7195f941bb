"""What a tournament plays: events, and for each of them who sits where in which deal.

    event = Event(0, "manhattan", 0, 2, {}, ["random", "heuristic", "mc:50"], "round-robin", seed=1, deals=400)
    plan = Plan(event)
    plan.line_ups                   # (entries, P) agents of the roster, in the order in which they sit round the table
    keys = plan.keys(entries)       # the games of some entries: every seat rotation of each
    plan.seats(keys)                # (n, P) who sits where in them

An *entry* is one deal for one line-up; all its games are played together, or none. Entries come deal by deal, so that
a tournament that is stopped early has played as much with everybody, and entry e is the same however many there are:
a tournament can be made longer.

round-robin   every deal is played by every line-up: all choices of P agents. With fewer agents than seats, everybody
              sits there as often as possible: of two agents at a table for four each has two seats.
mixed         every deal is played by one line-up, drawn by chance; everybody plays as often, up to one deal.

From deal to deal the order round the table changes, so that nobody always follows the same player.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import comb

import numpy as np

from skyline.rng import check_seed
from skyline_agents.database.events import FORMATS as FORMATS
from skyline_agents.database.events import Array, Event
from skyline_agents.limits import MOST_GAMES as MOST_GAMES

MOST_LINE_UPS = 100_000  # of one deal

Table = tuple[int, ...]  # agents of the roster round a table


@dataclass(frozen=True)
class Keys:
    """Which games of an event some games are, as in the database."""

    deals: Array  # (n,) int64
    line_ups: Array  # (n,) int64
    rotations: Array  # (n,) int64


class Plan:
    """All games of an event."""

    def __init__(self, event: Event) -> None:
        check_seed(event.seed)
        check_seed(event.seed + event.deals - 1)
        self.event, self.players = event, event.players
        self.tables = 1 if event.format == "mixed" else len(choices(len(event.roster), event.players))
        most = -(-MOST_GAMES // (self.tables * self.least_rotations))
        if not 0 < event.deals <= most:
            line_ups = "1 line-up" if self.tables == 1 else f"{self.tables:,} line-ups"
            raise ValueError(f"at most {most} deals of {line_ups} with {event.players} players, not {event.deals}")

    @property
    def least_rotations(self) -> int:
        """Seat rotations that every entry has at least."""
        return self.players if len(self.event.roster) >= self.players else 1

    @property
    def entries(self) -> int:
        return self.event.deals * self.tables

    @cached_property
    def line_ups(self) -> Array:
        """Who sits round the table in every entry, (entries, P) int64."""
        found = np.empty((self.entries, self.players), np.int64)
        if self.event.format == "mixed":
            drawn = drawn_tables(len(self.event.roster), self.players, self.event.seed)
            found[:] = list(itertools.islice(drawn, self.event.deals))
            return found
        for number, table in enumerate(choices(len(self.event.roster), self.players)):
            turns = np.array(orders(table))
            found[number :: self.tables] = turns[np.arange(self.event.deals) % len(turns)]
        return found

    @cached_property
    def rotations(self) -> Array:
        """How many different seat rotations every entry has, (entries,): P, or less where the order repeats itself."""
        found = np.full(self.entries, self.players, np.int64)
        for shift in range(self.players - 1, 0, -1):
            if self.players % shift == 0:
                found[(np.roll(self.line_ups, shift, axis=1) == self.line_ups).all(axis=1)] = shift
        return found

    @property
    def games(self) -> int:
        return int(self.rotations.sum())

    def keys(self, entries: Array) -> Keys:
        """Of all games of some entries, entry by entry."""
        times = self.rotations[entries]
        each = np.repeat(entries, times)
        first = np.repeat(np.cumsum(times) - times, times)
        return Keys(each // self.tables, each % self.tables, np.arange(len(each)) - first)

    def entry(self, deals: Array, line_ups: Array) -> Array:
        """The entries of some games; ValueError if there are others than in the plan."""
        strange = (deals < 0) | (deals >= self.event.deals) | (line_ups < 0) | (line_ups >= self.tables)
        if strange.any():
            first = int(np.flatnonzero(strange)[0])
            raise ValueError(
                f"a game of deal {deals[first]}, line-up {line_ups[first]} is not in the plan of "
                f"{self.event.deals:,} deals and {self.tables:,} line-ups"
            )
        return deals * self.tables + line_ups

    def seeds(self, keys: Keys) -> Array:
        """uint64 (n,): deal d has the event's seed + d."""
        return np.uint64(self.event.seed) + keys.deals.astype(np.uint64)

    def seats(self, keys: Keys) -> Array:
        """Who sits at each seat in some games, (n, P): whoever comes k-th in the line-up at seat k + rotation."""
        orders = self.line_ups[self.entry(keys.deals, keys.line_ups)]
        places = (np.arange(self.players) - keys.rotations[:, np.newaxis]) % self.players
        return np.take_along_axis(orders, places, 1)


@lru_cache(None)
def choices(agents: int, players: int) -> list[Table]:
    """All line-ups of a round robin: everybody has as many seats as possible, the rest is given in every way."""
    everybody, rest = divmod(players, agents)
    number = comb(agents, rest)
    if number > MOST_LINE_UPS:
        raise ValueError(f"a round robin of {agents} agents at tables of {players} has {number:,} line-ups: take mixed")
    always = tuple(range(agents)) * everybody
    return [tuple(sorted(always + extra)) for extra in itertools.combinations(range(agents), rest)]


@lru_cache(None)
def orders(table: Table) -> list[Table]:
    """The ways to sit round a table that differ by more than a rotation; the first agent of the line-up sits first."""
    first, *others = table
    found: dict[Table, Table] = {}
    for rest in itertools.permutations(others):
        order = (first, *rest)
        found.setdefault(min(order[k:] + order[:k] for k in range(len(order))), order)
    return list(found.values())


def drawn_tables(agents: int, players: int, seed: int) -> Iterator[Table]:
    """Line-ups drawn by chance without end: agents are dealt like cards of packs that hold everybody once, and nobody
    is dealt to the same table a second time while somebody else is left."""
    chance = np.random.default_rng(np.random.SeedSequence([seed, agents, players]))
    waiting: deque[int] = deque()
    while True:
        table: list[int] = []
        while len(table) < players:
            if not waiting:
                waiting.extend(_pack(chance, agents, table))
            table.append(waiting.popleft())
        yield tuple(chance.permutation(table).tolist())


def _pack(chance: np.random.Generator, agents: int, table: Sequence[int]) -> list[int]:
    """Everybody in random order, those who sit at the table already, last."""
    pack = chance.permutation(agents).tolist()
    return sorted(pack, key=table.count)


def deals_for(games: int, event: Event) -> int:
    """The fewest deals that bring at least so many games."""
    first = Plan(replace(event, deals=1))
    if games > MOST_GAMES:
        raise ValueError(f"{games:,} games are too many: the most is {MOST_GAMES:,}")
    if games < first.games:
        tables = "1 line-up" if first.tables == 1 else f"{first.tables:,} line-ups"
        other = "" if first.tables == 1 else "; the format mixed plays one line-up a deal"
        raise ValueError(
            f"{games:,} games are too few: one deal of {event.game} with {event.players} players and "
            f"{len(event.roster)} agents is {first.games:,} games ({tables} in all seat rotations){other}"
        )
    least = first.tables * first.least_rotations
    plan = Plan(replace(event, deals=-(-games // least)))
    by_deal = plan.rotations.reshape(-1, plan.tables).sum(axis=1)
    return int(np.searchsorted(np.cumsum(by_deal), games)) + 1
