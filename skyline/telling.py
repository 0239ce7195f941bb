"""What texts, pictures and stories of every game say in the same words: lists, points of the seats, winners, views."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from skyline.game import seat_name

COLUMNS = 80  # of a text
INDENT = "    "  # of the lines of a paragraph after its first one


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def capital(words: str) -> str:
    """The words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def sentences(parts: Iterable[str]) -> str:
    """Each part as a sentence of its own."""
    return " ".join(f"{part}." for part in parts)


def paragraph(words: str, indent: str = "") -> list[str]:
    """The words in lines of at most 80 columns; a word is never cut."""
    return textwrap.wrap(
        words,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=indent + INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def view(seat: int | None) -> str:
    """From whose view a position is shown."""
    return "all hands shown" if seat is None else f"seen by seat {seat_name(seat)}"


def points_of_seats(points: Iterable[Any]) -> str:
    """The points of every seat: `A 12, B 3 points`."""
    return ", ".join(f"{seat_name(seat)} {number}" for seat, number in enumerate(points)) + " points"


def leaders(keys: Sequence[Any]) -> list[str]:
    """The names of the seats whose key is the largest."""
    return [seat_name(seat) for seat, key in enumerate(keys) if key == max(keys)]


def winners(keys: Sequence[Any]) -> str:
    """Who has won, by the key of every seat, of which the largest wins: `A wins`, `A and B share the win`."""
    best = leaders(keys)
    return f"{joined(best)} {'wins' if len(best) == 1 else 'share the win'}"
