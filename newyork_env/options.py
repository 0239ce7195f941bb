"""The option of New York: after how many turns the game ends. [RULES.md NY-95]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.game import Option, whole_number

MOST_TURNS = 2**31 - 1

OPTIONS = (Option("max_turns", 1000, "turns of all seats after which the game ends", whole_number(1, MOST_TURNS)),)


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the option into a blank row."""
    s.max_turns = options["max_turns"]
