# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""All that a state keeps although it follows from cards, tiles and palaces: the fields, and how they are recomputed."""

from __future__ import annotations

from palazzo_env.places import survey_places
from palazzo_env.purses import count_hands
from palazzo_env.scoring import survey
from palazzo_env.supply import count_supply
from skyline.core.jit import njit

CACHES = (
    "lengths", "windows", "uniform", "scores", "visible",  # scoring.py
    "purses", "groups",  # purses.py
    "tiles_at", "twin_slots", "slot_materials", "tile_slots", "slot_values",  # places.py
    "supply",  # supply.py
)  # fmt: skip


@njit
def recount(s):
    """Recompute all of these fields. (`memory_..` fields that follow from others: memory.py)"""
    survey(s)
    count_hands(s)
    survey_places(s)
    count_supply(s)
