"""The stack of Palazzo: its three piles as RULES.md 1.3 has them, and which of them the top entry belongs to."""

from __future__ import annotations

from tests.games.palazzo.watching.counts import Counts, put

KNIGHT = "K"
KNIGHTS = 5
MATERIALS = "bms"
LAST_OF_I, LAST_OF_II = 38, 20  # entries left: more than 38 are of pile I, 21 to 38 of II, the rest of III [7.1]
PILES = {  # floor and windows, each in three materials [section 1.3]
    "I": ("11", "13", "22", "23", "32"),
    "II": ("12", "21", "31", "33", "43", "53"),
    "III": ("31", "41", "42", "51", "52"),
}


def whole_piles() -> dict[str, Counts]:
    """The three piles before the game [PZ-S2]."""
    piles = {pile: {face + material: 1 for face in faces for material in MATERIALS} for pile, faces in PILES.items()}
    piles["III"][KNIGHT] = KNIGHTS
    return piles


def all_tiles() -> Counts:
    """The 48 tiles."""
    tiles: Counts = {}
    for pile in whole_piles().values():
        for tile, number in pile.items():
            if tile != KNIGHT:
                put(tiles, tile, number)
    return tiles


def pile_at(left: int) -> str:
    """The pile that the top entry belongs to, when so many are left [7.1]."""
    return "I" if left > LAST_OF_I else "II" if left > LAST_OF_II else "III"
