"""Who meets whom: for every game of an event, who sits where in which deal.

    event = Event(0, "manhattan", 0, 2, {}, ["random", "heuristic", "flat:50"], "round-robin", seed=1, deals=400)
    schedule = Schedule(event)
    schedule.line_ups               # (entries, P) agents of the roster, in the order in which they sit round the table
    keys = schedule.keys(entries)   # the games of some entries: every seat rotation of each entry
    schedule.seats(keys)            # (n, P) who sits where in these games

A *line-up* is the choice of agents that sit at a table. An *entry* is one deal played by one line-up. The games of an
entry are its seat rotations; they are all played together, or none is. In a game for two players, deal 5 played by the
line-up (random, heuristic) is an entry of two games: each of the two sits first once.

Entries are ordered by deal. So a tournament that is stopped early has played nearly the same number of games with every
line-up. More deals add entries at the end and change no earlier one, so a tournament can be made longer.

round-robin   every deal is played by every line-up that can be chosen from the roster. With fewer agents than seats the
              seats are shared as equally as possible: of two agents at a table for four each has two seats.
mixed         every deal is played by one line-up, which is drawn by chance. The numbers of seats that two agents get
              differ by one at most.

The order round the table changes from deal to deal, so that nobody always follows the same player.
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
from skyline.typing import Array
from skyline_agents.database.events import Event
from skyline_agents.limits import MOST_GAMES

MOST_LINE_UPS = 100_000  # of one deal

LineUp = tuple[int, ...]  # agents of the roster in the order in which they sit round the table


@dataclass(frozen=True)
class Keys:
    """What names n games of an event: the key of their rows in the database."""

    deals: Array  # (n,) int64
    line_ups: Array  # (n,) int64
    rotations: Array  # (n,) int64


class Schedule:
    """All games of an event."""

    def __init__(self, event: Event) -> None:
        check_seed(event.seed)
        check_seed(event.seed + event.deals - 1)
        self.event, self.players = event, event.players
        self.line_ups_of_deal = 1 if event.format == "mixed" else len(choices(len(event.roster), event.players))
        most = -(-MOST_GAMES // (self.line_ups_of_deal * self.least_rotations))
        if not 0 < event.deals <= most:
            line_ups = "1 line-up" if self.line_ups_of_deal == 1 else f"{self.line_ups_of_deal:,} line-ups"
            raise ValueError(f"at most {most} deals of {line_ups} with {event.players} players, not {event.deals}")

    @property
    def least_rotations(self) -> int:
        """The least number of seat rotations that an entry has."""
        return self.players if len(self.event.roster) >= self.players else 1

    @property
    def entries(self) -> int:
        """The number of entries."""
        return self.event.deals * self.line_ups_of_deal

    @cached_property
    def line_ups(self) -> Array:
        """Who sits round the table in every entry, (entries, P) int64."""
        found = np.empty((self.entries, self.players), np.int64)
        if self.event.format == "mixed":
            drawn = drawn_line_ups(len(self.event.roster), self.players, self.event.seed)
            found[:] = list(itertools.islice(drawn, self.event.deals))
            return found
        for number, line_up in enumerate(choices(len(self.event.roster), self.players)):
            turns = np.array(orders(line_up))
            found[number :: self.line_ups_of_deal] = turns[np.arange(self.event.deals) % len(turns)]
        return found

    @cached_property
    def rotations(self) -> Array:
        """The number of different seat rotations of every entry, (entries,): P, or less if the order repeats itself."""
        found = np.full(self.entries, self.players, np.int64)
        for shift in range(self.players - 1, 0, -1):
            if self.players % shift == 0:
                found[(np.roll(self.line_ups, shift, axis=1) == self.line_ups).all(axis=1)] = shift
        return found

    @property
    def games(self) -> int:
        """The number of games of all entries."""
        return int(self.rotations.sum())

    def keys(self, entries: Array) -> Keys:
        """The keys of all games of some entries, entry by entry."""
        times = self.rotations[entries]
        each = np.repeat(entries, times)
        first = np.repeat(np.cumsum(times) - times, times)
        return Keys(each // self.line_ups_of_deal, each % self.line_ups_of_deal, np.arange(len(each)) - first)

    def entry(self, deals: Array, line_ups: Array) -> Array:
        """The entries that some games belong to; ValueError if a game is not in the schedule."""
        strange = (deals < 0) | (deals >= self.event.deals) | (line_ups < 0) | (line_ups >= self.line_ups_of_deal)
        if strange.any():
            first = int(np.flatnonzero(strange)[0])
            raise ValueError(
                f"a game of deal {deals[first]}, line-up {line_ups[first]} is not in the schedule of "
                f"{self.event.deals:,} deals and {self.line_ups_of_deal:,} line-ups"
            )
        return deals * self.line_ups_of_deal + line_ups

    def seeds(self, keys: Keys) -> Array:
        """The seeds of some games, uint64 (n,): deal d has the event's seed + d."""
        return np.uint64(self.event.seed) + keys.deals.astype(np.uint64)

    def seats(self, keys: Keys) -> Array:
        """The agent of every seat in some games, (n, P): the k-th agent of the line-up sits at seat k + rotation."""
        orders = self.line_ups[self.entry(keys.deals, keys.line_ups)]
        places = (np.arange(self.players) - keys.rotations[:, np.newaxis]) % self.players
        return np.take_along_axis(orders, places, 1)


@lru_cache(None)
def choices(agents: int, players: int) -> list[LineUp]:
    """All line-ups of a round robin.

    Every agent has the same number of seats as far as possible; the rest of the seats is given to the agents in every
    possible way.
    """
    everybody, rest = divmod(players, agents)
    number = comb(agents, rest)
    if number > MOST_LINE_UPS:
        raise ValueError(f"a round robin of {agents} agents at tables of {players} has {number:,} line-ups: take mixed")
    always = tuple(range(agents)) * everybody
    return [tuple(sorted(always + extra)) for extra in itertools.combinations(range(agents), rest)]


@lru_cache(None)
def orders(line_up: LineUp) -> list[LineUp]:
    """The orders round a table of which none is a rotation of another; the first agent of the line-up sits first."""
    first, *others = line_up
    found: dict[LineUp, LineUp] = {}
    for rest in itertools.permutations(others):
        order = (first, *rest)
        found.setdefault(min(order[k:] + order[:k] for k in range(len(order))), order)
    return list(found.values())


def drawn_line_ups(agents: int, players: int, seed: int) -> Iterator[LineUp]:
    """Line-ups drawn by chance, without end.

    The agents are dealt like the cards of a pack that holds everybody once; an empty pack is followed by a new one. An
    agent that sits at the table already comes last in a new pack.
    """
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
    """All agents in random order, but those who sit at the table already at the end."""
    pack = chance.permutation(agents).tolist()
    return sorted(pack, key=table.count)


def deals_for(games: int, event: Event) -> int:
    """The smallest number of deals with at least `games` games."""
    first = Schedule(replace(event, deals=1))
    if games > MOST_GAMES:
        raise ValueError(f"{games:,} games are too many: the most is {MOST_GAMES:,}")
    if games < first.games:
        line_ups = "1 line-up" if first.line_ups_of_deal == 1 else f"{first.line_ups_of_deal:,} line-ups"
        other = "" if first.line_ups_of_deal == 1 else "; the format mixed plays one line-up a deal"
        raise ValueError(
            f"{games:,} games are too few: one deal of {event.game} with {event.players} players and "
            f"{len(event.roster)} agents is {first.games:,} games ({line_ups} in all seat rotations){other}"
        )
    least = first.line_ups_of_deal * first.least_rotations
    longest = Schedule(replace(event, deals=-(-games // least)))
    by_deal = longest.rotations.reshape(-1, longest.line_ups_of_deal).sum(axis=1)
    return int(np.searchsorted(np.cumsum(by_deal), games)) + 1
