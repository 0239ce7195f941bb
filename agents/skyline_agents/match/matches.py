"""The data of games between agents: matches, seatings (what is to be played) and played games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import DEFAULT_MEMORY, Game
from skyline.typing import Array, Memory
from skyline_agents.match.questions import Guard
from skyline_agents.protocol import Agent


@dataclass(frozen=True)
class Moved:
    """A move that has just been played, for watchers: its text, its story ("" in a game that tells none), and the board
    after it as a text picture. Nothing is hidden in them."""

    number: int  # of the move in its game, from 1
    seed: int
    seat: int
    agent: str
    text: str
    story: str
    board: str


@dataclass(frozen=True)
class Match:
    """What the games between some agents have in common. Every agent sits at most once at a table."""

    game: Game
    players: int
    options: dict[str, Any]
    names: list[str]
    agents: list[Agent]
    auto_forced: bool = False  # agents are not asked when a single move is legal
    forfeits: bool = False  # an agent that does something wrong loses its game; without forfeits the error is raised
    move_seconds: float | None = None  # the most seconds of a move, None: no limit; needs `forfeits`
    begin_seconds: float | None = None  # the most seconds for an agent to begin a game, None: no limit
    legal: bool = False  # records hold all legal moves
    memory: Memory = DEFAULT_MEMORY  # what seats see: "table": only what lies on the table now
    watch: Callable[[Moved], None] | None = None  # called after every move
    width: int | None = None  # the most games side by side; None: arena.SIDE_BY_SIDE
    guard: Guard | None = None
    policies: list[int | None] = field(init=False)  # for every agent: the policy of the kernel that plays the same
    batched: list[bool] = field(init=False)  # for every agent: whether it can choose in many games at once

    def __post_init__(self) -> None:
        policies = [_policy(agent, self.forfeits) for agent in self.agents]
        many = [_read(agent, "act_many", self.forfeits) is not None for agent in self.agents]
        object.__setattr__(self, "policies", policies)
        object.__setattr__(self, "batched", [a or b is not None for a, b in zip(many, policies, strict=True)])


def _policy(agent: Agent, forfeits: bool) -> int | None:
    """The agent's policy number in the kernel, if it has one."""
    policy = _read(agent, "kernel_policy", forfeits)
    return policy if type(policy) is int and policy in engine.POLICIES.values() else None


def _read(agent: Agent, name: str, forfeits: bool) -> Any:
    """An attribute that an agent may have, else None. With forfeits, an attribute that cannot be read is None, too."""
    try:
        return getattr(agent, name, None)
    except BaseException:
        if not forfeits:
            raise
        return None


@dataclass(frozen=True)
class Seatings:
    """n games that are to be played."""

    seeds: Array  # (n,) uint64
    agents: Array  # (n, P) int64: the number of every seat's agent in the match
    salts: Array  # (n,) int64: games of one seed and salt have the same streams for the agents' own chance
    files: Sequence[Path] | None = None  # the files of the games' records; None: no records

    def __len__(self) -> int:
        return len(self.seeds)

    def take(self, rows: Array) -> Seatings:
        """The games of some rows."""
        files = None if self.files is None else [self.files[int(row)] for row in rows]
        return Seatings(self.seeds[rows], self.agents[rows], self.salts[rows], files)


@dataclass(frozen=True)
class Played:
    """The results of n games with P players, by seat."""

    scores: Array  # (n, P) int64
    places: Array  # (n, P) int64, 1 = first, shared places stay shared
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64, moves that had no alternative
    seconds: Array  # (n,) float64
    thinking: Array  # (n, P) float64: seconds of all moves; NaN where the kernel played the whole game
    slowest: Array  # (n, P) float64: seconds of the longest move; NaN likewise
    asked: Array  # (n, P) float64: how many moves the agent was asked for; NaN likewise
    forfeits: Array  # (n,) int64: the seat that forfeited, NO_SEAT for none
    reasons: list[str | None]  # why it forfeited, None if nobody did

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, rows: Array) -> Played:
        """The games of some rows."""
        arrays = {part.name: getattr(self, part.name)[rows] for part in fields(self) if part.name != "reasons"}
        return Played(**arrays, reasons=[self.reasons[i] for i in rows])


def joined(parts: Sequence[tuple[Array, Played]]) -> Played:
    """All games of `arena.games` in the order of their rows."""
    columns = [part.name for part in fields(Played) if part.name != "reasons"]
    arrays = {name: np.concatenate([getattr(played, name) for _, played in parts]) for name in columns}
    whole = Played(**arrays, reasons=[reason for _, played in parts for reason in played.reasons])
    return whole.take(np.argsort(np.concatenate([rows for rows, _ in parts])))
