"""How strong a model is: the same deals every time, each played in all seat rotations.

`skyline play GAME -p P -a ppo:FILE,heuristic,heuristic,.. --duplicate -n GAMES --seed 1000000000` plays the same games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skyline_agents.play import play
from skyline_agents.players.ppo.network import TrainedModel
from skyline_agents.players.ppo.player import Networked
from skyline_agents.ratings.head_to_head import margin_of

SEED = 1_000_000_000  # of the first deal; far from the seeds of trainings
OPPONENTS = ("heuristic", "random")


@dataclass(frozen=True)
class Strength:
    """One learner among players of one kind; margins are half the 95 % interval, deals taken as wholes."""

    opponent: str
    games: int
    first: float  # share of first places, a shared one counting as its part
    first_margin: float
    outcome: float  # mean, +1 first .. -1 last
    outcome_margin: float

    def __str__(self) -> str:
        return f"{self.first:.1%} ± {self.first_margin:.1%} first against {self.opponent}"


def strengths(model: TrainedModel, deals: int) -> dict[str, Strength]:
    """Against each kind of opponent."""
    return {opponent: strength(model, opponent, deals) for opponent in OPPONENTS}


def strength(model: TrainedModel, opponent: str, deals: int) -> Strength:
    """KeyboardInterrupt if it is stopped before all deals are played."""
    P = model.players
    results = play(
        model.game, [Networked(model), *[opponent] * (P - 1)], deals * P, players=P, seed=SEED, duplicate=True,
        auto_forced=True,
    )  # fmt: skip
    if results.interrupted:
        raise KeyboardInterrupt
    places, deal = results.column("places"), np.repeat(np.arange(deals), P)
    firsts = (places[:, 0] == 1) / (places == 1).sum(axis=1)
    above, level = (places < places[:, :1]).sum(axis=1), (places == places[:, :1]).sum(axis=1)
    outcomes = 1 - (2 * above + level - 1) / (P - 1)
    return Strength(
        opponent, len(places), float(firsts.mean()), margin_of(firsts, deal), float(outcomes.mean()),
        margin_of(outcomes, deal),
    )  # fmt: skip


def as_data(found: Mapping[str, Strength]) -> dict[str, Any]:
    return {opponent: asdict(strength) for opponent, strength in found.items()}
