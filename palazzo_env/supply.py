# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What everybody sees of the stack, kept as the observation shows it, and the tiles that leave the game.

supply[0]   1 .. 3                 4        5                                        6 ..
entries     in pile I, II, III     knights  tenths of the `draw` turns expected      tiles that may still come
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    BELOW_PILE_1,
    BELOW_PILE_2,
    KNIGHTS,
    PILE_1,
    PILE_2,
    PILE_3,
    STACK,
    TILE_COPIES,
    TILE_KINDS,
)
from palazzo_env.state import DRAWS_AT, KNIGHTS_AT, LEFT_AT, MAY_COME_AT, PILES_AT
from palazzo_env.valuation import expected_draws
from skyline.core.jit import njit


def _most_to_come() -> np.ndarray:
    """Most copies of a tile in the stack while pile I, II, III is drawn, (3, 45)."""
    most = np.zeros((3, TILE_KINDS), np.int8)
    for stage, piles in enumerate(((PILE_1, PILE_2, PILE_3), (PILE_2, PILE_3), (PILE_3,))):
        most[stage] = np.bincount(np.concatenate(piles), minlength=TILE_KINDS)
    return most


MOST_TO_COME = _most_to_come()


@njit
def _pile(left):
    """The pile that is drawn with so many entries left: 0, 1, 2."""
    return 0 if left > BELOW_PILE_1 else 1 if left > BELOW_PILE_2 else 2


@njit
def _is_tile_left(s, left):
    """Whether the entries left are not knights alone."""
    return left > KNIGHTS - int(s.knights)


@njit
def _may_come(s, tile, pile):
    """How many copies of the tile may still come while this pile is drawn."""
    return min(MOST_TO_COME[pile, tile], TILE_COPIES[tile] - s.visible[tile])


@njit
def count_supply(s):
    """Recompute all of it, after a draw."""
    left = STACK - int(s.stack_top)
    second, third = max(left, BELOW_PILE_2), min(left, BELOW_PILE_2)
    supply = s.supply
    supply[LEFT_AT] = left
    supply[PILES_AT] = max(left, BELOW_PILE_1) - BELOW_PILE_1
    supply[PILES_AT + 1] = min(second, BELOW_PILE_1) - BELOW_PILE_2
    supply[PILES_AT + 2] = third
    supply[KNIGHTS_AT] = s.knights
    supply[DRAWS_AT] = expected_draws(s)
    part, pile = supply[MAY_COME_AT : MAY_COME_AT + TILE_KINDS], _pile(left)
    if not _is_tile_left(s, left):
        part[:] = 0
        return
    for tile in range(part.shape[0]):
        part[tile] = _may_come(s, tile, pile)


@njit
def into_box(s, tile):
    """The tile is out of the game. Nobody is shown the box: a tile in it may still come.  # PZ-M13, PZ-R22"""
    s.visible[tile] -= 1
    s.memory_box[tile] += 1
    left = STACK - int(s.stack_top)
    if _is_tile_left(s, left):
        s.supply[MAY_COME_AT + tile] = _may_come(s, tile, _pile(left))
