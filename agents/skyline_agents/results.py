"""The results of games that were played with agents: every game, and the standing of every agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skyline.game import DEFAULT_MEMORY, Game
from skyline.typing import Array, Memory
from skyline_agents.places import first_shares

CONFIDENCE = 1.96  # standard errors in half a 95 % interval


@dataclass(frozen=True)
class Finished:
    """n finished games of K agents. Column k belongs to agent k, whichever seat the agent had."""

    seeds: Array  # (n,) uint64
    seats: Array  # (n, K) int64
    scores: Array  # (n, K) int64
    places: Array  # (n, K) int64, 1 = first; agents with equal results have the same place
    moves: Array  # (n,) int64
    forced: Array  # (n,) int64, the decisions among the moves that had a single legal move


@dataclass(frozen=True)
class Standing:
    """How one agent did in all games."""

    agent: str
    seat: int | None  # None: the seat changed from game to game
    mean_score: float
    score_interval: float | None  # half the 95 % interval of the mean; None with a single game
    first_share: float  # of the games; a first place shared by n agents counts 1 / n
    mean_place: float


@dataclass
class Results:
    """Games that were played, in the order of their seeds."""

    game: Game
    players: int
    options: dict[str, Any]
    agents: list[str]
    seed: int
    asked: int
    rotate: bool = False
    duplicate: bool = False
    memory: Memory = DEFAULT_MEMORY  # what the seats saw: "table": only what lies on the table now
    seconds: float = 0.0
    interrupted: bool = False
    blocks: list[Finished] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(len(block.moves) for block in self.blocks)

    def column(self, name: str) -> Array:
        """One field of `Finished` over all games, (n,) or (n, K)."""
        if not self.blocks:
            return np.zeros((0, self.players) if name in ("seats", "scores", "places") else 0, np.int64)
        return np.concatenate([getattr(block, name) for block in self.blocks])

    @property
    def steps(self) -> int:
        """Moves of all games."""
        return int(self.column("moves").sum())

    def standings(self) -> list[Standing]:
        """Every agent's standing, in the order given; [] if no game was finished."""
        n = len(self)
        if n == 0:
            return []
        scores, places = self.column("scores"), self.column("places")
        firsts = first_shares(places)
        spread = self._standard_errors(scores)
        return [
            Standing(
                agent,
                None if self.rotate else k,
                float(scores[:, k].mean()),
                None if spread is None else float(CONFIDENCE * spread[k]),
                float(firsts[:, k].mean()),
                float(places[:, k].mean()),
            )
            for k, agent in enumerate(self.agents)
        ]

    def _standard_errors(self, values: Array) -> Array | None:
        """The standard errors of the means of the columns; None for a single game.

        The games of a duplicate deal share their luck, so each deal is one observation; a last deal that is not
        finished is left out.
        """
        if self.duplicate:
            deals = len(values) // self.players
            values = values[: deals * self.players].reshape(deals, self.players, values.shape[1]).mean(axis=1)
        errors: Array | None = values.std(axis=0, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else None
        return errors

    def as_data(self) -> dict[str, Any]:
        """The results without the single games, as data for JSON."""
        moves = max(self.steps, 1)
        return {
            "game": self.game.name,
            "players": self.players,
            "options": self.options,
            "seed": self.seed,
            "games": len(self),
            "asked": self.asked,
            "rotate": self.rotate,
            "duplicate": self.duplicate,
            "memory": self.memory,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 6),
            "steps": self.steps,
            "steps_per_second": round(self.steps / self.seconds, 1) if self.seconds else None,
            "forced_share": round(int(self.column("forced").sum()) / moves, 6),
            "agents": [vars(standing) for standing in self.standings()],
        }
