"""The setting `memory` of matches, tournaments and trainings in words.

"recall": seats know what they have seen earlier. "table": only what lies on the table now, as in tournaments and
models of versions that had no such setting.
"""

from __future__ import annotations

from typing import get_args

from skyline.game import DEFAULT_MEMORY
from skyline.typing import Memory

MEMORY_VALUES: tuple[Memory, ...] = get_args(Memory)
EARLIER_MEMORY: Memory = "table"  # of databases and models that do not name their memory


def memory_words(memory: str) -> str:
    """What a heading says of the setting: nothing if it is the default."""
    return "" if memory == DEFAULT_MEMORY else f", memory={memory}"
