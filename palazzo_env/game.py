"""`GAME`: the game made of this folder's modules, as `skyline.game` asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.game import Game

# The most decisions of a game.   [RULES.md section 11]
DRAWS = 24  # turns with `draw`
QUIET_TURN = 6  # decisions of a turn without `draw`
DRAW_TURN = 2 + 55 + 55 + 3 + 3  # decisions of a turn with `draw`: draw, auction, raises by each card, passes, tiles


def max_decisions(players: int, options: Mapping[str, Any]) -> int:
    """No game has more decisions."""
    return DRAWS * (QUIET_TURN * int(options["quiet_limit"]) + DRAW_TURN)


GAME = Game.of_modules(
    __package__, name="palazzo", title="Palazzo", version=1, max_decisions=max_decisions, has_options=True
)
