"""The fast city against the plain definition and the oracle: puts, swaps, removals, streets (NY-40 .. NY-45).

More of it: `python -m tests.games.newyork.city_walk --candidates 20000000 --oracle 1000000`.
"""

from __future__ import annotations

import numpy as np
import pytest

from newyork_env import city, city_law
from newyork_env.city_law import LEGAL, NO_TILE_HERE, TILE, empty_board
from newyork_env.components import CENTRE, STREETS
from skyline.core.jit import FromPython
from tests.games.newyork import oracle_city
from tests.games.newyork.city_walk import compared, compared_with_oracle
from tests.support.rule_cases import sized

lowest, broken_clause = FromPython(city.lowest), FromPython(city_law.broken_clause)
OFTEN = ("legal puts", "puts refused by NY-41", "puts refused by NY-42", "legal swaps", "refused swaps",
         "swaps of tiles that could not be removed", "legal removals", "removals refused by NY-42")  # fmt: skip
SELDOM = ("streets made longer", "streets made shorter", "puts refused by NY-40", "puts refused by NY-43",
          "removals refused by NY-43", "cities at the bound", "cities with inner streets",
          "cities of 15 tiles or more")  # fmt: skip


@pytest.mark.parametrize(
    "candidates", [sized(100_000, 600), pytest.param(sized(10_000_000, 100), marks=pytest.mark.slow)]
)
def test_fast_city_and_flood_fill_agree(candidates: int) -> None:
    """Puts, swaps and removals in random cities, usable tiles and streets; each kind of refusal is among them."""
    counts, _ = compared(candidates, seed=3)
    assert counts["differences"] == 0
    assert counts["candidates"] >= candidates
    if candidates >= 10**5:
        for name in OFTEN:
            assert counts[name] > candidates // 100, name
        for name in SELDOM:
            assert counts[name] > candidates // 1000, name
        assert counts["streets of 15 or more"] > candidates // 10_000
        assert counts["rings"] > 0


def test_fast_city_and_oracle_agree() -> None:
    cities, candidates = compared_with_oracle(sized(3000, 150), seed=4)
    assert cities >= 2
    assert candidates >= sized(3000, 150)


def test_plain_definition_and_oracle_agree_on_illegal_cities() -> None:
    """Random boards, most of them illegal: the same first broken clause."""
    rng, seen = np.random.default_rng(5), set()
    for _ in range(sized(3000, 150)):
        tiles = rng.choice(54, size=int(rng.integers(0, 9)), replace=False) + 1
        size = int(rng.integers(1, 3)) if rng.integers(8) else 11
        board, tiles_by_cell = empty_board(), {oracle_city.HOME: oracle_city.START}
        for tile in tiles.tolist():
            x, y = (int(v) for v in rng.integers(-size, size + 1, 2))
            if (x, y) not in tiles_by_cell:
                tiles_by_cell[x, y] = tile
                board[TILE, y + CENTRE, x + CENTRE] = STREETS[tile]
        clause = broken_clause(board)
        assert (None if clause == LEGAL else f"NY-{clause}") == oracle_city.broken_clause(tiles_by_cell)
        seen.add(clause)
    assert seen >= {LEGAL, 40, 41, 42}


@pytest.mark.parametrize("corner", [False, True])
def test_a_gap_that_opens_over_a_corner_is_a_hole(corner: bool) -> None:
    """NY-43: a ring of eight tiles around a gap; with a corner taken away the gap is still closed."""
    board = empty_board()
    ring = [(0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    for x, y in ring:
        if not corner or (x, y) != (2, 2):
            board[TILE, y + CENTRE, x + CENTRE] = 0
    assert broken_clause(board) == 43
    board[TILE, 1 + CENTRE, 2 + CENTRE] = NO_TILE_HERE
    assert broken_clause(board) == LEGAL


def test_lowest_bit_of_every_word() -> None:
    for bit in range(62):
        for above in (0, 1 << 62, 0b1011 << bit):
            assert lowest((1 << bit | above << 1) & (2**63 - 1)) == bit
