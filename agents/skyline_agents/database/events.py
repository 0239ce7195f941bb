"""What a tournament is about: events, and the finished games of one as arrays."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skyline.typing import Array

FORMATS = ("round-robin", "mixed")


@dataclass(frozen=True)
class Event:
    """A game with a player count, options and agents; `deals` deals, `planned` games of it are to be played."""

    number: int
    game: str
    version: int
    players: int
    options: dict[str, Any]
    roster: list[str]
    format: str
    seed: int
    deals: int
    planned: int = 0

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Event:
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Games:
    """n finished games of an event with P players, in the order deal, line-up, rotation."""

    names: list[str]  # of all agents of the tournament; `agents` counts in this list
    agents: Array  # (n, P) int64: who sat at each seat
    scores: Array  # (n, P) int64
    places: Array  # (n, P) int64, 1 = first, shared places stay shared
    deals: Array  # (n,) int64
    line_ups: Array  # (n,) int64
    rotations: Array  # (n,) int64
    seeds: Array  # (n,) uint64
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64
    seconds: Array  # (n,) float64
    thinking: Array  # (n, P) float64, NaN where the kernel played the whole game
    slowest: Array  # (n, P) float64, NaN likewise
    asked: Array  # (n, P) float64, NaN likewise
    forfeits: Array  # (n,) int64: the seat that forfeited, NO_SEAT for none
    reasons: list[str | None]  # why
    runs: Array  # (n,) int64

    def __len__(self) -> int:
        return len(self.deals)

    @property
    def whole(self) -> Array:
        """(n,) bool: games that were played to their end. Those that somebody forfeited count with their places; their
        scores, lengths and times say nothing and are left out of all statistics."""
        return np.asarray(self.forfeits < 0)
