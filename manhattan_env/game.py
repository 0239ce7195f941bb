"""`GAME`: the game made of this folder's modules, as `skyline.game` asks for it."""

from collections.abc import Mapping
from typing import Any

from skyline.game import Game

DECISIONS = {2: 120, 3: 90, 4: 112}  # of every game, by player count   [RULES.md section 11]


def max_decisions(players: int, options: Mapping[str, Any]) -> int:
    """All games of a player count have the same number of decisions."""
    return DECISIONS[players]


GAME = Game.of_modules(
    __package__,
    name="manhattan",
    title="Manhattan",
    version=1,
    max_decisions=max_decisions,
)
