"""Tiles, cities and their points: the parts of New York that need no cards (sections 1, 3 and 8 of the rules file).

(-1, 1) ( 0, 1) ( 1, 1)          N          A city is {(x, y): tile id}, the start tile (id START) included.
(-1, 0) ( START) ( 1, 0)       W   E        x runs to the right, y up; every legality question is answered by
(-1,-1) ( 0,-1) ( 1,-1)          S          looking at the whole city after the move, with flood fills.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

Cell = tuple[int, int]
City = dict[Cell, int]

TYPES = ["museum", "theatre", "station", "church", "park", "skyscraper"]

# Table 1.2: tiles 1 .. 54 in order, by type: price and the sides with a street.
TILE_TABLE = [
    "2 NEW, 3 SW, 4 ES, 5 NW, 6 N, 7 E, 8 -",
    "3 ESW, 4 NE, 5 SW, 6 ES, 7 W, 8 S, 9 -",
    "4 NES, 5 NW, 6 NE, 6 SW, 7 ES, 8 E, 8 N, 9 -, 10 -",
    "5 NSW, 6 ES, 7 NE, 7 SW, 8 NW, 9 S, 9 W, 10 -, 11 -",
    "6 ESW, 7 NSW, 8 NE, 8 NW, 8 SW, 9 E, 10 -, 10 N, 10 W, 11 -, 12 S",
    "7 NEW, 8 NES, 9 ES, 9 NE, 9 NW, 10 W, 11 -, 11 N, 11 S, 12 -, 13 E",
]
START = 0  # id of a start tile: no type, no price, no street (NY-44)
KIND: dict[int, int] = {}  # tile id -> type 0 .. 5
PRICE: dict[int, int] = {}
STREETS: dict[int, str] = {START: ""}
for _kind, _row in enumerate(TILE_TABLE):
    for _entry in _row.split(", "):
        _tile = len(KIND) + 1
        _price, _streets = _entry.split()
        KIND[_tile], PRICE[_tile], STREETS[_tile] = _kind, int(_price), _streets.replace("-", "")
TILES = sorted(KIND)

# Table 1.3: points of the places, by scoring and type.
MAJORITY = {
    "A": [[1], [2], [3], [4], [5], [6]],
    "B": [[8, 1], [9, 2], [10, 3], [11, 4], [12, 5], [13, 6]],
    "C": [[16, 8, 1], [17, 9, 2], [18, 10, 3], [19, 11, 4], [20, 12, 5], [21, 13, 6]],
}

SIDES: dict[str, Cell] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}  # way to the neighbour
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
HOME: Cell = (0, 0)
BOUND = 10  # |x|, |y| of every tile (NY-40)
CELL_INDEX = 82  # first cell in the action index (section 6)


def neighbour(cell: Cell, side: str) -> Cell:
    return cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]


def reached(start: Cell, steps: Callable[[Cell], list[Cell]]) -> set[Cell]:
    """Flood fill: every cell that can be reached from `start`."""
    found, waiting = {start}, [start]
    while waiting:
        for cell in steps(waiting.pop()):
            if cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


def in_bound(cell: Cell) -> bool:
    return abs(cell[0]) <= BOUND and abs(cell[1]) <= BOUND


def sides_match(city: City) -> bool:
    """Wherever two tiles touch, both sides have a street or none (NY-41)."""
    for cell, tile in city.items():
        for side in SIDES:
            other = city.get(neighbour(cell, side))
            if other is not None and (side in STREETS[tile]) != (OPPOSITE[side] in STREETS[other]):
                return False
    return True


def all_on_foot(city: City) -> bool:
    """Every tile is reached from the start tile across sides without a street, on both tiles (NY-42)."""

    def steps(cell: Cell) -> list[Cell]:
        ways = []
        for side in SIDES:
            other = neighbour(cell, side)
            if other in city and side not in STREETS[city[cell]] and OPPOSITE[side] not in STREETS[city[other]]:
                ways.append(other)
        return ways

    return len(reached(HOME, steps)) == len(city)


def has_hole(city: City) -> bool:
    """Is an empty cell cut off from the outside (NY-43)? One empty ring around the city stands for all that is far."""
    left, right = min(x for x, _ in city) - 1, max(x for x, _ in city) + 1
    low, high = min(y for _, y in city) - 1, max(y for _, y in city) + 1

    def steps(cell: Cell) -> list[Cell]:
        around = [neighbour(cell, side) for side in SIDES]
        return [(x, y) for x, y in around if left <= x <= right and low <= y <= high and (x, y) not in city]

    cells = (right - left + 1) * (high - low + 1)
    return len(reached((left, low), steps)) < cells - len(city)


def broken_clause(city: City) -> str | None:
    """The first clause that makes the city illegal, None for a legal city (NY-40 .. NY-44)."""
    if city.get(HOME) != START or not all(in_bound(cell) for cell in city):
        return "NY-40"
    if not sides_match(city):
        return "NY-41"
    if not all_on_foot(city):
        return "NY-42"
    return "NY-43" if has_hole(city) else None


def is_legal(city: City) -> bool:
    return _is_legal(frozenset(city.items()))


@lru_cache(100_000)
def _is_legal(tiles: frozenset[tuple[Cell, int]]) -> bool:
    """The same question is asked turn after turn; remembered, because flood fills are half of a match's time."""
    return broken_clause(dict(tiles)) is None


def cell_index(cell: Cell) -> int:
    return CELL_INDEX + 21 * (cell[1] + BOUND) + (cell[0] + BOUND)


def own_cells(city: City) -> list[Cell]:
    """The cells of the city tiles, in index order; the start tile is never touched (NY-33)."""
    return sorted((cell for cell in city if cell != HOME), key=cell_index)


def without(city: City, cell: Cell) -> City:
    return {other: tile for other, tile in city.items() if other != cell}


def beside(city: City) -> list[Cell]:
    """The empty cells inside the bound that touch the city, in index order."""
    around = {neighbour(cell, side) for cell in city for side in SIDES} - set(city)
    return sorted(filter(in_bound, around), key=cell_index)


def free_cells(city: City, tile: int) -> list[Cell]:
    """The empty cells where `tile` may be put (NY-45); all of them touch the city (NY-42)."""
    return [cell for cell in beside(city) if is_legal({**city, cell: tile})]


def swap_cells(city: City, tile: int) -> list[Cell]:
    """The cells whose tile `tile` may replace; only the result counts (NY-32, NY-33)."""
    return [cell for cell in own_cells(city) if is_legal({**city, cell: tile})]


def can_build(city: City, tile: int) -> bool:
    """Has BUILD a legal move with `tile` (section 6, MAIN)?"""
    return any(is_legal({**city, cell: tile}) for cell in beside(city) + own_cells(city))


def removable_cells(city: City) -> list[Cell]:
    """The cells whose tile may be taken off (NY-31, NY-33)."""
    return [cell for cell in own_cells(city) if is_legal(without(city, cell))]


def build_cells(city: City, tile: int) -> list[Cell]:
    """Section 6 BUILD: empty cells and swaps, in index order."""
    return sorted(free_cells(city, tile) + swap_cells(city, tile), key=cell_index)


def outer_segments(city: City) -> list[tuple[Cell, Cell]]:
    """The outer street segments, each by its two corners (8.1, steps 1 and 2)."""
    segments = []
    for (x, y), tile in city.items():
        ends = {
            "N": ((x, y + 1), (x + 1, y + 1)),
            "E": ((x + 1, y), (x + 1, y + 1)),
            "S": ((x, y), (x + 1, y)),
            "W": ((x, y), (x, y + 1)),
        }
        segments += [ends[side] for side in STREETS[tile] if neighbour((x, y), side) not in city]
    return segments


def street_length(city: City) -> int:
    """Largest number of segments that hang together by their corners (8.1, step 3; NY-70, NY-71)."""
    left, longest = outer_segments(city), 0
    while left:
        street = [left.pop()]
        for segment in street:
            joined = [other for other in left if set(segment) & set(other)]
            street += joined
            left = [other for other in left if other not in joined]
        longest = max(longest, len(street))
    return longest


def majority_points(scoring: str, kind: int, counts: Sequence[int]) -> list[int]:
    """Points of every participant for one type (8.2; NY-72 .. NY-76)."""
    points, place = [0] * len(counts), 0
    for count in sorted(set(counts) - {0}, reverse=True):
        tied = [participant for participant, c in enumerate(counts) if c == count]
        shared = MAJORITY[scoring][kind][place : place + len(tied)]
        for participant in tied:
            points[participant] = sum(shared) // len(tied)
        place += len(tied)
    return points
