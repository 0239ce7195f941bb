"""What is to be played and what came of it: matches, seatings, played games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline_agents.match.questions import Guard
from skyline_agents.protocol import Agent

Array = np.ndarray[Any, Any]


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
    """What games between some agents have in common. An agent of the roster sits at most once at a table."""

    game: Game
    players: int
    options: dict[str, Any]
    names: list[str]
    agents: list[Agent]
    auto_forced: bool = False  # agents are not asked when a single move is legal
    forfeits: bool = False  # else what an agent does wrong is raised
    move_seconds: float | None = None  # the most a move may take, None: any time; needs `forfeits`
    begin_seconds: float | None = None  # the same for an agent to begin
    legal: bool = False  # records hold all legal moves
    watch: Callable[[Moved], None] | None = None  # called after every move
    width: int | None = None  # the most games side by side; None: arena.SIDE_BY_SIDE
    guard: Guard | None = None
    policies: list[int | None] = field(init=False)  # of the agents: the number of the same player in the kernel
    batched: list[bool] = field(init=False)  # whether games of the agents can be played side by side

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
    """An attribute that an agent may have. In matches with forfeits one that cannot be read is not there: what the
    agent is unable to do is found out when it is asked."""
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
    agents: Array  # (n, P) int64, who sits at each seat: a number of the roster
    salts: Array  # (n,) int64: games of one seed and salt have the same streams for the agents' own chance
    files: Sequence[Path] | None = None  # where to write their records

    def __len__(self) -> int:
        return len(self.seeds)

    def take(self, rows: Array) -> Seatings:
        """Some of them."""
        files = None if self.files is None else [self.files[int(row)] for row in rows]
        return Seatings(self.seeds[rows], self.agents[rows], self.salts[rows], files)


@dataclass(frozen=True)
class Played:
    """What came of n games with P players, by seat."""

    scores: Array  # (n, P) int64
    places: Array  # (n, P) int64, 1 = first, shared places stay shared
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64, moves that had no alternative
    seconds: Array  # (n,) float64
    thinking: Array  # (n, P) float64: seconds of all moves; NaN where the kernel played the whole game
    slowest: Array  # (n, P) float64: seconds of the longest; NaN likewise
    asked: Array  # (n, P) float64: how many moves the agent was asked for; NaN likewise
    forfeits: Array  # (n,) int64: the seat that forfeited, NO_SEAT for none
    reasons: list[str | None]

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, rows: Array) -> Played:
        """Some of them."""
        arrays = {part.name: getattr(self, part.name)[rows] for part in fields(self) if part.name != "reasons"}
        return Played(**arrays, reasons=[self.reasons[i] for i in rows])


def joined(parts: Sequence[tuple[Array, Played]]) -> Played:
    """All games of `arena.games` in the order of their rows."""
    columns = [part.name for part in fields(Played) if part.name != "reasons"]
    arrays = {name: np.concatenate([getattr(played, name) for _, played in parts]) for name in columns}
    whole = Played(**arrays, reasons=[reason for _, played in parts for reason in played.reasons])
    return whole.take(np.argsort(np.concatenate([rows for rows, _ in parts])))
