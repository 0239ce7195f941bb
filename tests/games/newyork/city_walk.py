"""Random cities on which the fast city is held against the plain definition, candidate move by candidate move.

    python -m tests.games.newyork.city_walk                     5,000,000 candidates against city_law.py's flood fill
    python -m tests.games.newyork.city_walk --oracle 1000000    as many candidates against the oracle's flood fill

A walk adds, removes and swaps tiles of a city by chance. It prefers, for a while each, any cell, cells with many
neighbours (bays that nearly close, holes), cells far out (thin cities, bridges, the bound), cells with few neighbours,
or tiles with many streets (rings). In every city all cells are candidates for putting and for swapping, all tiles for
removing.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from newyork_env.city import (
    add_tile,
    cell_of,
    city_changed,
    row_fits,
    row_takes,
    survey_city,
    take_tile,
)
from newyork_env.city_law import empty_board
from newyork_env.components import (
    CELL_STRIDE,
    CENTRE,
    FIRST,
    LAST,
    START,
    STREETS,
)
from newyork_env.deal import clear
from newyork_env.state import IN_BAG, IN_CITY
from skyline import registry
from skyline.core import engine
from skyline.core.jit import FromPython, njit
from skyline.rng import below, streams
from tests.games.newyork import oracle_city
from tests.games.newyork.city_compare import AT_BOUND, CANDIDATES, DIFFERENCES, INNER, LARGE, NAMES, SEAT, compare_city

ANY, CROWDED, FAR, LONELY, STREETY = range(5)
HOLD = 40  # steps before another preference
LARGEST = 50  # tiles; then a new city begins

# ---------------------------------------------------------------- a walk


@njit
def free_tile(s, stream):
    """A tile that is not in the city, by chance."""
    while True:
        tile = 1 + below(stream, START - 1)
        if s.place[tile] != IN_CITY + SEAT:
            return tile


@njit
def chosen_cell(s, streets, prefers, stream):
    """A legal cell for an addition, by chance among those that are preferred most; 0 if there is none."""
    best, found = -100, 0
    for row in range(FIRST, LAST + 1):
        columns = row_fits(s, SEAT, row, streets)
        for column in range(FIRST, LAST + 1):
            if not columns >> column & 1:
                continue
            worth = 16 * value_of(s, row, column, prefers) + below(stream, 16)
            if worth > best:
                best, found = worth, CELL_STRIDE * row + column
    return found


@njit
def value_of(s, row, column, prefers):
    if prefers == FAR:
        return max(abs(row - CENTRE), abs(column - CENTRE))
    neighbours = 0
    for r in range(row - 1, row + 2):
        for c in range(column - 1, column + 2):
            neighbours += s.built[SEAT, r] >> c & 1
    return neighbours if prefers == CROWDED else -neighbours if prefers == LONELY else 0


@njit
def tile_by_chance(word, stream):
    """One of the tiles of a word, by chance; 0 if it is empty."""
    found, seen = 0, 0
    for tile in range(1, START):
        if word >> tile & 1:
            seen += 1
            if below(stream, seen) == 0:
                found = tile
    return found


@njit
def streets_of(tile):
    """How many streets a tile has."""
    return (STREETS[tile] & 1) + (STREETS[tile] >> 1 & 1) + (STREETS[tile] >> 2 & 1) + (STREETS[tile] >> 3)


@njit
def put(s, tile, cell):
    s.place[tile] = IN_CITY + SEAT
    s.in_city[SEAT] |= 1 << tile
    add_tile(s, SEAT, tile, cell)
    city_changed(s, SEAT, cell)


@njit
def lift(s, tile):
    """Take a tile out; the cell it was in. `city_changed` follows."""
    cell = cell_of(s, tile)
    take_tile(s, SEAT, tile)
    s.place[tile] = IN_BAG
    s.in_city[SEAT] &= ~(1 << tile)
    return cell


@njit
def next_city(s, prefers, stream):
    """Add, remove or swap a tile."""
    kind = below(stream, 8)
    tile = free_tile(s, stream)
    if prefers == STREETY:
        for _ in range(8):
            other = free_tile(s, stream)
            tile = other if streets_of(other) > streets_of(tile) else tile
    if kind == 0:
        gone = tile_by_chance(int(s.removable[SEAT]), stream)
        if gone:
            city_changed(s, SEAT, lift(s, gone))
    elif kind == 1:
        other = tile_by_chance(int(s.in_city[SEAT]), stream)
        if other:
            cell = cell_of(s, other)
            if row_takes(s, SEAT, cell // CELL_STRIDE, STREETS[tile]) >> cell % CELL_STRIDE & 1:
                put(s, tile, lift(s, other))
    else:
        cell = chosen_cell(s, STREETS[tile], prefers, stream)
        if cell:
            put(s, tile, cell)


@njit
def count_kinds(s, counts):
    """What the city is an example of."""
    tiles, inner, bound = 0, False, False
    for tile in range(1, START):
        if s.place[tile] == IN_CITY + SEAT:
            tiles += 1
            cell = cell_of(s, tile)
            row, column = cell // CELL_STRIDE, cell % CELL_STRIDE
            bound |= row in (FIRST, LAST) or column in (FIRST, LAST)
            both = int(s.built[SEAT, row]) & int(s.built[SEAT, row + 1]) & int(s.above[SEAT, row])
            both |= int(s.built[SEAT, row]) & int(s.built[SEAT, row]) >> 1 & int(s.right[SEAT, row])
            inner |= both >> column & 1 != 0
    counts[INNER] += inner
    counts[LARGE] += tiles >= 15
    counts[AT_BOUND] += bound
    return tiles


def walk(s, board, segments, stream, candidates, counts):
    """Cities until so many candidates are compared; stops at the first difference."""
    prefers, step = ANY, 0
    while counts[CANDIDATES] < candidates and counts[DIFFERENCES] == 0:
        if step % HOLD == 0:
            prefers = below(stream, 5)
        step += 1
        next_city(s, prefers, stream)
        compare_city(s, board, segments, below(stream, 16), counts)
        if count_kinds(s, counts) >= LARGEST or below(stream, 150) == 0:
            new_city(s)
    return step


@njit
def new_city(s):
    for tile in range(1, START):
        s.place[tile] = IN_BAG
        s.x[tile], s.y[tile] = 0, 0
        s.ways[tile] = 0
    survey_city(s, SEAT)


# ---------------------------------------------------------------- from Python


def several(s, stream, steps, prefers):
    """Some steps of a walk without comparing; a tile that is not in the city."""
    for _ in range(steps):
        next_city(s, prefers, stream)
    tiles = 0
    for other in range(1, START):
        tiles += s.place[other] == IN_CITY + SEAT
    if tiles >= LARGEST or below(stream, 60) == 0:
        new_city(s)
    return free_tile(s, stream)


NEW_YORK = registry.load("new_york")
KERNELS = engine.Kernels(NEW_YORK, {"walk": walk, "several": several}, "-city-walk", [Path(__file__).parent])
_clear, _row_fits, _row_takes = map(FromPython, (clear, row_fits, row_takes))


def new_state() -> np.ndarray[Any, Any]:
    """A row of three players with nothing but start tiles."""
    states = NEW_YORK.blank(3)
    _clear(states[0])
    return states


def compared(candidates: int, seed: int) -> tuple[Counter[str], np.ndarray[Any, Any]]:
    """Walk until so many candidates are compared: what was counted, and the last state."""
    states, counts = new_state(), np.zeros(len(NAMES), np.int64)
    segments = np.zeros((1024, 3), np.int64)
    KERNELS.walk(states[0], empty_board(), segments, streams(1, seed)[0], candidates, counts)
    return Counter(dict(zip(NAMES, counts.tolist(), strict=True))), states


# ---------------------------------------------------------------- against the oracle


def city_of(s: Any) -> oracle_city.City:
    """The city as the oracle has it."""
    city: oracle_city.City = {oracle_city.HOME: oracle_city.START}
    for tile in range(1, START):
        if s.place[tile] == IN_CITY + SEAT:
            city[int(s.x[tile]), int(s.y[tile])] = tile
    return city


def fast_cells(s: Any, tile: int, rows: Any) -> list[oracle_city.Cell]:
    """The cells that `row_fits` or `row_takes` gives, in index order."""
    found = []
    for row in range(FIRST, LAST + 1):
        columns = int(rows(s, SEAT, row, int(STREETS[tile])))
        found += [(column - CENTRE, row - CENTRE) for column in range(32) if columns >> column & 1]
    return found


def oracle_difference(s: Any, tile: int) -> tuple[int, str | None]:
    """How many candidates were compared in this city, and what differs."""
    city = city_of(s)
    own, free = oracle_city.own_cells(city), oracle_city.beside(city)
    removable = [(int(s.x[t]), int(s.y[t])) for t in range(1, START) if int(s.removable[SEAT]) >> t & 1]
    sides = {
        "put": (fast_cells(s, tile, _row_fits), oracle_city.free_cells(city, tile)),
        "build": (fast_cells(s, tile, _row_takes), oracle_city.build_cells(city, tile)),
        "remove": (
            sorted(removable, key=oracle_city.cell_index),
            oracle_city.removable_cells(city),
        ),
        "street": (int(s.street[SEAT]), oracle_city.street_length(city)),
    }
    for what, (ours, theirs) in sides.items():
        if ours != theirs:
            return 0, f"{what} of tile {tile} in {city}: core {ours}, oracle {theirs}"
    return 2 * len(own) + len(free), None


def compared_with_oracle(candidates: int, seed: int) -> tuple[int, int]:
    """(cities, candidates) on which core and oracle agree; AssertionError at the first difference."""
    states, stream = new_state(), streams(1, seed)
    rng, cities, done = np.random.default_rng(seed), 0, 0
    while done < candidates:
        tile = int(KERNELS.several(states[0], stream[0], int(rng.integers(1, 4)), cities // 60 % 5))
        count, difference = oracle_difference(states[0], tile)
        assert difference is None, difference
        cities, done = cities + 1, done + count
    return cities, done


def main() -> int:
    first_line = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tests.games.newyork.city_walk", description=first_line)
    parser.add_argument("--candidates", type=int, default=5_000_000)
    parser.add_argument("--oracle", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    counts, states = compared(given.candidates, given.seed)
    for name in NAMES:
        print(f"  {counts[name]:>11,}  {name}")
    if counts["differences"]:
        print(f"DIFFERENCE in {city_of(states[0])}")
        return 1
    print(f"fast city and plain definition agree, {time.monotonic() - began:.0f} s", flush=True)
    if given.oracle:
        cities, done = compared_with_oracle(given.oracle, given.seed)
        seconds = time.monotonic() - began
        print(f"fast city and oracle agree on {done:,} candidates in {cities:,} cities, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
