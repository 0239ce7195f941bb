"""The cards of Fifth Avenue for the watcher: (number of the colour as in 1.2, black being 5; value - 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]
Card = tuple[int, int]
Counts = list[list[int]]  # by colour and value

COLOURS = ("brown", "grey", "violet", "orange", "green", "black")
COLOURED, BLACK = range(5), 5
VALUES = range(3)
LOWEST = 4
COPIES = ((5, 4, 3),) * 5 + ((20, 16, 14),)  # 1.1
SHOPS = {"boutique": 9, "jeweller": 9, "gallery": 9, "perfumery": 9}
BLACK_DEALT = 4  # FA-S6
MOST_POSSIBLE = 10_000
MOST_EVENTS, MOST_SHUFFLES = 512, 64  # of the black cards: FA-M21


def card_of(face: Any, place: str) -> Card:
    """A card from its face: "brown 4", ["brown", 4], or 4 where the place names the colour."""
    words = face.split() if isinstance(face, str) else face if isinstance(face, list) else [place.split()[-1], face]
    return COLOURS.index(words[0]), int(str(words[1])[0]) - LOWEST


def nothing() -> Counts:
    return [[0, 0, 0] for _ in COLOURS]


def listed(counts: Sequence[int]) -> list[int]:
    """Numbers by value as a sorted list of values."""
    return [LOWEST + value for value in VALUES for _ in range(int(counts[value]))]


def counted(values: Sequence[int]) -> list[int]:
    return [list(values).count(LOWEST + value) for value in VALUES]


def by_colour(counts: Sequence[Sequence[int]]) -> dict[str, list[int]]:
    """Cards as RULES.md section 10 lists them: falling values, colours without cards left out."""
    return {COLOURS[colour]: listed(row)[::-1] for colour, row in enumerate(counts) if any(row)}


def total_of(cards: Sequence[Card]) -> int:
    return sum(LOWEST + value for _, value in cards)


def moves_cards(movement: Mapping[str, Any]) -> bool:
    """Whether an entry of the history moves cards; tiles and pieces move, too."""
    words = movement["from"].split()[0], movement["to"].split()[0]
    return all(word in ("hand", "table", "stack", "open", "egon") for word in words)


def outgrown(told: Sequence[Sequence[Any]]) -> bool:
    """Whether these are more black events, listed by shuffle, or more shuffles than the rules keep."""
    shuffles = len(told) - 1
    return sum(map(len, told)) + shuffles > MOST_EVENTS or shuffles > MOST_SHUFFLES


def hand_of(cards: Mapping[str, Sequence[int]]) -> Counts:
    return [counted(cards.get(colour, [])) for colour in COLOURS]


class Raise:
    """A begun raise: the bidder's cards that may still be added weigh at least `least` (FA-M20)."""

    def __init__(self, seat: int, least: int, colour: int, card: Card) -> None:
        self.seat, self.least, self.colour = seat, least, colour
        added, last = card
        self.coloured = [LOWEST + value if added != BLACK and value <= last else 0 for value in VALUES]
        self.black = [LOWEST + value if added != BLACK or value <= last else 0 for value in VALUES]

    def weight(self, cards: Counts) -> int:
        coloured = sum(map(int.__mul__, self.coloured, cards[self.colour]))
        return coloured + sum(map(int.__mul__, self.black, cards[BLACK]))
