"""The options of New York: after how many turns the game ends, superfluous cards. [RULES.md NY-95, NY-R07]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.game import Option, one_of, whole_number

MOST_TURNS = 2**31 - 1

OPTIONS = (
    Option("max_turns", 1000, "turns of all seats after which the game ends", whole_number(1, MOST_TURNS)),
    Option(
        "overpay", True, "a further card may follow an exact payment, and no action then (NY-23)", one_of(True, False)
    ),
)


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the options into a blank row."""
    s.max_turns = options["max_turns"]
    s.overpay = options["overpay"]
