"""The option of Palazzo: how many turns in a row may go without `draw`. [RULES.md 1.4, PZ-R20]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyline.game import Option, whole_number

QUIET_LIMIT = 40
MOST_QUIET_LIMIT = 1000

OPTIONS = (
    Option(
        "quiet_limit",
        QUIET_LIMIT,
        "turns in a row without `draw` after which only `draw` is legal (PZ-R20)",
        whole_number(0, MOST_QUIET_LIMIT),
    ),
)


def prepare(s: Any, options: Mapping[str, Any]) -> None:
    """Write the option into a blank row."""
    s.quiet_limit = options["quiet_limit"]
