"""Loading a position, third part: what is remembered (RULES.md 7.2, section 10).

Without the field `memory` every card in a hand is a starting card, none is shown and nothing was shuffled (PZ-M14); the
first of two cards taken in MONEY is a sure one all the same, for it was taken openly (PZ-M06).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palazzo_env import components as box
from palazzo_env.memory import dealt, forget
from palazzo_env.position import known_deck, memory_fault
from skyline.core.jit import FromPython
from skyline.reading import Fields, Value

_dealt, _forget = FromPython(dealt), FromPython(forget)


def load_memory(s: Any, given: Fields) -> None:
    """The last part of a position: it must agree with all the others."""
    _forget(s)
    memory = given.get("memory", None)
    if memory.is_null:
        return
    fields = memory.object("known", "shown", "shuffled")
    if "known" in fields:
        s.memory_sure[: s.players] = _rows(s, fields["known"])
    if "shown" in fields:
        s.memory_shown[: s.players] = _rows(s, fields["shown"])
    s.memory_shuffled = fields.get("shuffled", False).flag()
    if fault := memory_fault(s):
        place, reason = fault
        fields.get(place, None).fault(reason)
    s.memory_starting[:] = s.hands.sum(axis=1) - s.memory_sure.sum(axis=1)
    s.memory_deck[:] = known_deck(s)


def _rows(s: Any, value: Value) -> np.ndarray[Any, Any]:
    """Counts by card for every seat."""
    return np.array([card_counts(row) for row in value.row(int(s.players))])


def card_counts(value: Value) -> np.ndarray[Any, Any]:
    """An object card -> number."""
    counts = np.zeros(box.CARD_KINDS, int)
    for name, number in value.object(*box.CARD_TEXTS):
        card = box.CARD_TEXTS.index(name)
        counts[card] = number.whole(0, int(box.CARD_COPIES[card]))
    return counts
