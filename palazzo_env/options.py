"""The options of Palazzo: how many turns in a row may go without `draw`, where a tile drawn after a knight goes.
[RULES.md 1.4, section 5, PZ-R4, PZ-R20]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from palazzo_env.state import KEEPS_PLACE, LETS_PASS
from skyline.game import Option, one_of, whole_number

QUIET_LIMIT = 40
MOST_QUIET_LIMIT = 1000
TILE_AFTER_KNIGHT = {"quarry": KEEPS_PLACE, "depot": LETS_PASS}

OPTIONS = (
    Option(
        "quiet_limit",
        QUIET_LIMIT,
        "turns in a row without `draw` after which only `draw` is legal (PZ-R20)",
        whole_number(0, MOST_QUIET_LIMIT),
    ),
    Option(
        "knight_first",
        "quarry",
        "where the tile goes that is drawn after a knight in one draw (PZ-R4)",
        one_of(*TILE_AFTER_KNIGHT),
    ),
)


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a blank row."""
    s.quiet_limit = options["quiet_limit"]
    s.knight_first = TILE_AFTER_KNIGHT[options["knight_first"]]
