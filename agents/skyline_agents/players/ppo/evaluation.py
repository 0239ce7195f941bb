"""How strong a model is, measured on the same deals every time, each played in all seat rotations.

`skyline play GAME -p P -a ppo:FILE,heuristic,heuristic,.. --duplicate -n GAMES --seed 1000000000` plays the same games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skyline_agents.places import first_shares, outcomes
from skyline_agents.play import play
from skyline_agents.players.ppo.network import TrainedModel
from skyline_agents.players.ppo.player import Networked
from skyline_agents.ratings.head_to_head import margin_of

SEED = 1_000_000_000  # of the first deal; no training plays deals near this seed
OPPONENTS = ("heuristic", "random")


@dataclass(frozen=True)
class Strength:
    """First places and outcomes of one learner among opponents of one kind.

    Margins are half the 95 % interval; whole deals, not games, are the independent pieces.
    """

    opponent: str
    games: int
    first: float  # the learner's share of the first places, `skyline_agents.places.first_shares`
    first_margin: float
    outcome: float  # the mean outcome, +1 for the first place .. -1 for the last
    outcome_margin: float

    def __str__(self) -> str:
        return f"{self.first:.1%} ± {self.first_margin:.1%} first against {self.opponent}"


def strengths(model: TrainedModel, deals: int) -> dict[str, Strength]:
    """The strength of a model against each kind of opponent."""
    return {opponent: strength(model, opponent, deals) for opponent in OPPONENTS}


def strength(model: TrainedModel, opponent: str, deals: int) -> Strength:
    """The strength of a model against one kind of opponent; KeyboardInterrupt if Ctrl-C stops the matches."""
    P = model.players
    results = play(
        model.game, [Networked(model), *[opponent] * (P - 1)], deals * P, players=P, seed=SEED, duplicate=True,
        auto_forced=True, memory=model.memory,
    )  # fmt: skip
    if results.interrupted:
        raise KeyboardInterrupt
    places, deal = results.column("places"), np.repeat(np.arange(deals), P)
    first, outcome = first_shares(places)[:, 0], outcomes(places)[:, 0]
    return Strength(
        opponent, len(places), float(first.mean()), margin_of(first, deal), float(outcome.mean()),
        margin_of(outcome, deal),
    )  # fmt: skip


def as_data(found: Mapping[str, Strength]) -> dict[str, Any]:
    """Strengths as JSON-able data."""
    return {opponent: asdict(strength) for opponent, strength in found.items()}
