"""Values of records and positions, read with an error that says what was wrong and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fiveavenue_env.components import CARD_KINDS, COLOUR_NAMES, COPIES, DISTRICT_NAMES, KIND_NAMES


def whole(value: Any, what: str, low: int, high: int) -> int:
    """A whole number low .. high."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{what}: a whole number {low} .. {high}, not {value!r}")
    return value


def digits(text: str) -> int | str:
    """The number that a text of digits says, any other text as it is."""
    return int(text) if text.isdecimal() else text


def listed(value: Any, what: str, most: int) -> list[Any]:
    """A list of at most `most`."""
    if not isinstance(value, (list, tuple)) or len(value) > most:
        raise ValueError(f"{what}: a list of at most {most}, not {value!r}")
    return list(value)


def index_of(name: Any, names: Sequence[str], what: str) -> int:
    """Where the name stands among the allowed ones."""
    if name not in names:
        raise ValueError(f"{what}: one of {', '.join(names)}, not {name!r}")
    return list(names).index(name)


def district_of(name: Any, what: str) -> int:
    return index_of(name, DISTRICT_NAMES, what)


def kind_of(name: Any, what: str) -> int:
    return index_of(name, KIND_NAMES, what)


def colour_of(name: Any, what: str) -> int:
    """One of the five colours of lots."""
    return index_of(name, COLOUR_NAMES[:5], what)


def seat_of(s: Any, value: Any, what: str) -> int:
    return whole(value, what, 0, int(s.players) - 1)


def values_of(value: Any, what: str, most: int) -> list[int]:
    """Card values 4, 5, 6."""
    return [whole(card, what, 4, 6) for card in listed(value, what, most)]


def counts_of(cards: Any, what: str) -> np.ndarray[Any, Any]:
    """Copies of each card kind among [colour, value] pairs; not more than there are."""
    counts = np.zeros(CARD_KINDS, np.int8)
    for colour, value in cards:
        counts[3 * index_of(colour, COLOUR_NAMES, what) + whole(value, what, 4, 6) - 4] += 1
    if (counts > COPIES).any():
        raise ValueError(f"{what}: {cards!r} has more copies of a card than there are")
    return counts
