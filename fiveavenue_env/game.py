"""`GAME`: the game made of this folder's modules, as `skyline.game` asks for it."""

from collections.abc import Mapping
from typing import Any

from skyline.game import Game

DECISIONS_A_TURN = 8 * 225 + 5  # eight auctions, in which every raise lays a card   [RULES.md section 11]


def max_decisions(players: int, options: Mapping[str, Any]) -> int:
    """The start buildings, and the largest number of turns, each of the largest length."""
    return 2 * players + DECISIONS_A_TURN * int(options["max_turns"])


GAME = Game.of_modules(
    __package__,
    name="fifth_avenue",
    title="Fifth Avenue",
    version=1,
    max_decisions=max_decisions,
    has_options=True,
)
