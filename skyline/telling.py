"""What texts, pictures and stories of every game say in the same words: lists, points of the seats, winners, views."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from skyline.game import seat_name

COLUMNS = 80  # of a text
INDENT = "    "  # of the lines of a paragraph after its first one
REMEMBERED = (  # the legend of what is marked as remembered
    "remembered [..]: what the viewer cannot see now, but knows for sure from what it has seen since the deal; "
    "unknown cards: the other cards of a hand."
)


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


class Thing(NamedTuple):
    """Something beside the hands that a viewer remembers: its name, and in words what the viewer knows of it."""

    name: str
    words: str


def remembered(words: str) -> str:
    """The mark of what a viewer knows of hidden things: `remembered [B2 B9 Y8]`, the same in all games."""
    return f"remembered [{words}]"


def remembered_lines(things: Iterable[Thing]) -> list[str]:
    """What a viewer remembers beside the hands, as the lines of a text: `Discards: remembered [B2 R5]`."""
    return [line for thing in things for line in paragraph(f"{thing.name}: {remembered(thing.words)}")]


def unknown_cards(number: int) -> str:
    """`1 unknown card`, `4 unknown cards`."""
    return f"{number} unknown card{'s' * (number != 1)}"


def hand(size: int, cards: str, known: int | None = None, details: str = "") -> str:
    """A hand in words: `hand of 3: B2 B9 Y8`, `hand of 7: remembered [B2 B9 Y8], 4 unknown cards`.

    `cards` are the cards as the game writes them. `known` is None if the viewer sees the hand; else how many cards of
    another hand the viewer remembers, and `details` says more of the unknown ones, in parentheses.
    """
    if size == 0:
        return "hand of 0: no cards"
    if known is None:
        return f"hand of {size}: {cards}"
    parts = [remembered(cards)] * bool(known)
    if unknown := size - known:
        said = unknown_cards(unknown)
        parts.append(f"{said} ({details})" if details else said)
    return f"hand of {size}: {', '.join(parts)}"


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
