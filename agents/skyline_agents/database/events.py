"""The data of a tournament: events, and the finished games of an event as arrays."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skyline.game import DEFAULT_MEMORY
from skyline.typing import Array, Memory

FORMATS = ("round-robin", "mixed")


@dataclass(frozen=True)
class Event:
    """A game with a player count, options and agents, and the number of games to be played."""

    number: int
    game: str
    version: int  # of the environment
    players: int
    options: dict[str, Any]
    roster: list[str]  # the names of the agents
    format: str  # one of FORMATS
    seed: int  # of deal 0
    deals: int  # that are to be played
    planned: int = 0  # games that are to be played
    memory: Memory = DEFAULT_MEMORY  # what the seats see: "table": only what lies on the table now

    def as_text(self) -> str:
        """The event as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Event:
        """The event of `as_text`."""
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Games:
    """n finished games of an event with P players, in the order deal, line-up, rotation."""

    names: list[str]  # of all agents of the tournament
    agents: Array  # (n, P) int64: the agent of every seat, as its number in `names`
    scores: Array  # (n, P) int64
    places: Array  # (n, P) int64, 1 = first, shared places stay shared
    deals: Array  # (n,) int64
    line_ups: Array  # (n,) int64
    rotations: Array  # (n,) int64
    seeds: Array  # (n,) uint64
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64: moves that had no alternative
    seconds: Array  # (n,) float64
    thinking: Array  # (n, P) float64: seconds of all moves; NaN where the kernel played the whole game
    slowest: Array  # (n, P) float64: seconds of the longest move; NaN likewise
    asked: Array  # (n, P) float64: how many moves the agent was asked for; NaN likewise
    forfeits: Array  # (n,) int64: the seat that forfeited, NO_SEAT for none
    reasons: list[str | None]  # why it forfeited, None if nobody did
    runs: Array  # (n,) int64: the run that played the game

    def __len__(self) -> int:
        return len(self.deals)

    @property
    def whole(self) -> Array:
        """Whether a game was played to its end, (n,) bool.

        Of a forfeited game the places count; its scores, length and times are left out of all statistics.
        """
        return np.asarray(self.forfeits < 0)
