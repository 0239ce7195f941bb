"""What a seat with perfect memory knows of hidden things, as data. [RULES.md section 7.2]

    hands            cards of every seat, the own one among them
    discard, deck    their money cards
    scoring_places   first and last place of the deck where SA and SB can lie, as far as they are in it
    bag              the tiles not yet drawn
    leftovers        who would receive the tile of each depot slot if the game ended now: a seat, or null

It is the same for all seats (NY-M15). Lists are sorted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from newyork_env import components as box
from newyork_env import state
from newyork_env.actions import CARD_TEXTS
from newyork_env.position import scoring_places, tiles_at
from skyline.game import NO_SEAT, RECALL


def knowledge(s: Any, seat: int) -> dict[str, Any]:
    """What the seat knows; {} with TABLE."""
    if s.memory != RECALL:
        return {}
    return {
        "hands": {str(p): sorted_cards(s.hands[p]) for p in range(int(s.players))},  # NY-M04 .. NY-M06
        "discard": sorted_cards(s.discards),  # NY-M06
        "deck": sorted_cards(s.memory_deck),  # NY-M07, NY-M11
        "scoring_places": scoring_places(s),  # NY-M08, NY-M09
        "bag": tiles_at(s, state.IN_BAG),  # NY-M12
        "leftovers": [leftover(s, slot) for slot in range(box.SLOTS)],  # NY-M13
    }


def sorted_cards(counts: np.ndarray[Any, Any]) -> list[str]:
    """The texts of cards from counts by card, sorted."""
    return sorted(CARD_TEXTS[card] for card in np.repeat(range(box.CARD_KINDS), counts))


def leftover(s: Any, slot: int) -> int | None:
    """Who would receive the tile of a slot if the game ended now; None if it is empty or nobody would. [NY-91]"""
    if s.depot[slot] == box.NO_TILE or s.richest[slot] == NO_SEAT:
        return None
    return int(s.richest[slot])
