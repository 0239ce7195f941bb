"""`GAME`: the game made of this folder's modules, as `skyline.game` asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.game import Game

# The most decisions of a game.   [RULES.md section 11]
OF_A_TURN = 42
OF_LEFTOVERS = 8  # four tiles, each chosen and put


def max_decisions(players: int, options: Mapping[str, Any]) -> int:
    """No game has more decisions."""
    return OF_A_TURN * int(options["max_turns"]) + OF_LEFTOVERS


GAME = Game.of_modules(
    __package__, name="new_york", title="New York", version=1, max_decisions=max_decisions, has_options=True
)
