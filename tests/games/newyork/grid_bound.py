"""How often the bound of the grid (NY-40, NY-R08) refuses a placing, line builders among the players.

python -m tests.games.newyork.grid_bound                        2,000 games for every player count and kind of player
python -m tests.games.newyork.grid_bound --games 62500          10^6 games of two kinds of line builders and two others

    random      random legal moves
    heuristic   the baseline player
    outward     the baseline player, but each tile goes as far out as it can, in the direction of the game
    line        only tiles that make one straight line longer are built, from the reserve, too; else the baseline player

A placing (PUT, BUILD) is refused for the bound if the tile could lie in a cell beyond: the only tile beside such a cell
is one at the bound, so the two touching sides must be without streets, and no hole can arise.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from newyork_env.actions import FIRST_CELL, FIRST_TILE, RESERVE
from newyork_env.city import lowest, row_fits
from newyork_env.components import BOUND, CELLS_ACROSS, CENTRE, START, STREETS
from newyork_env.heuristic import heuristic
from newyork_env.rules import step
from newyork_env.state import PHASE_BUILD, PHASE_MAIN, PHASE_PUT
from skyline import registry
from skyline.core import engine
from skyline.core.engine.row import begin, fill_mask
from skyline.core.jit import njit
from skyline.core.masks import random_legal
from skyline.game import NO_SEAT
from skyline.rng import streams

RANDOM, HEURISTIC, OUTWARD, LINE = range(4)
KINDS = ("random", "heuristic", "outward", "line")

COUNTS = ("placings", "refused", "games with one", "cities at the bound", "furthest")
PLACINGS, REFUSED, GAMES, CITIES, FURTHEST = range(len(COUNTS))
ALONG_X, ALONG_Y = np.array([0, 1, 0, -1]), np.array([1, 0, -1, 0])  # the directions of the games, N E S W
NOWHERE = -1000


# ---------------------------------------------------------------- who builds how


@njit
def reach_of(s, seat, way):
    """How far the city goes in a direction."""
    reach = 0
    for tile in range(1, START):
        if s.in_city[seat] >> tile & 1:
            reach = max(reach, ALONG_X[way] * int(s.x[tile]) + ALONG_Y[way] * int(s.y[tile]))
    return reach


@njit
def worth_of(x, y, way):
    """Cells far out in the direction first, of these the ones nearest to the axis."""
    return 64 * (ALONG_X[way] * x + ALONG_Y[way] * y) - abs(ALONG_X[way] * y) - abs(ALONG_Y[way] * x)


@njit
def furthest_cell(mask, way):
    """The legal `at` that goes furthest out; its worth."""
    best, found = NOWHERE, 0
    for index in range(CELLS_ACROSS * CELLS_ACROSS):
        if mask[FIRST_CELL + index]:
            worth = worth_of(index % CELLS_ACROSS - BOUND, index // CELLS_ACROSS - BOUND, way)
            if worth > best:
                best, found = worth, FIRST_CELL + index
    return found, best


@njit
def makes_longer(s, seat, tile, way):
    """Whether a tile fits on the axis, in front of the city."""
    reach = reach_of(s, seat, way) + 1
    x, y = ALONG_X[way] * reach, ALONG_Y[way] * reach
    if abs(x) > BOUND or abs(y) > BOUND:
        return False
    return row_fits(s, seat, y + CENTRE, STREETS[tile]) >> (x + CENTRE) & 1 != 0


@njit
def building(s, mask, stream, kind, way):
    """The move of one who builds outward, or a line."""
    seat = int(s.seat)
    if s.phase == PHASE_PUT or s.phase == PHASE_BUILD:
        action, worth = furthest_cell(mask, way)
        longer = worth == 64 * (reach_of(s, seat, way) + 1)
        if s.phase == PHASE_PUT and (worth == NOWHERE or (kind == LINE and not longer)):
            return RESERVE
        return action
    if s.phase == PHASE_MAIN and kind == LINE:
        rest = int(s.in_reserve[seat])
        while rest:
            tile = lowest(rest)
            rest &= rest - 1
            if mask[FIRST_TILE + tile - 1] and makes_longer(s, seat, tile, way):
                return FIRST_TILE + tile - 1
    return heuristic(s, mask, stream)


# ---------------------------------------------------------------- what is counted


@njit
def is_refused(s, seat, tile):
    """Whether the tile could lie in a cell beyond the bound."""
    streets = STREETS[tile]
    for other in range(1, START):
        if not s.in_city[seat] >> other & 1:
            continue
        for side in range(4):
            out = ALONG_X[side] * int(s.x[other]) + ALONG_Y[side] * int(s.y[other]) == BOUND
            if out and not STREETS[other] >> side & 1 and not streets >> (side ^ 2) & 1:
                return True
    return False


@njit
def one_game(s, seed, kind, stream, mask, counts):
    begin(s, seed)
    way, refused = int(seed & np.uint64(3)), False
    while s.seat != NO_SEAT:
        fill_mask(s, mask)
        if s.phase == PHASE_PUT or s.phase == PHASE_BUILD:
            counts[PLACINGS] += 1
            if is_refused(s, int(s.seat), int(s.chosen)):
                counts[REFUSED] += 1
                refused = True
        if kind == RANDOM:
            action = random_legal(mask, stream)
        elif kind == HEURISTIC:
            action = heuristic(s, mask, stream)
        else:
            action = building(s, mask, stream, kind, way)
        step(s, action)
    counts[GAMES] += refused
    for seat in range(s.players):
        furthest = 0
        for tile in range(1, START):
            if s.in_city[seat] >> tile & 1:
                furthest = max(furthest, abs(int(s.x[tile])), abs(int(s.y[tile])))
        counts[CITIES] += furthest == BOUND
        counts[FURTHEST] = max(counts[FURTHEST], furthest)


def bound_games(s, first, n, kind, luck, mask, counts):
    """So many games, one after the other."""
    for i in range(n):
        one_game(s, np.uint64(first + i), kind, luck[0], mask, counts)


NEW_YORK = registry.load("new_york")
KERNELS = engine.Kernels(NEW_YORK, {"bound_games": bound_games}, "-grid-bound", [Path(__file__).parent])


def counted(players: int, kind: int, games: int, first: int = 0) -> np.ndarray[Any, Any]:
    """The counts of so many games, all seats players of one kind."""
    states, counts = NEW_YORK.blank(players), np.zeros(len(COUNTS), np.int64)
    mask = engine.mask_array(NEW_YORK, players)
    KERNELS.bound_games(states[0], first, games, kind, streams(1, 1 + kind), mask[0], counts)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000, help="for every player count and kind of player")
    games = parser.parse_args().games
    print("kind       players     games     placings    refused   games with one   cities at the bound   furthest")
    for kind, name in enumerate(KINDS):
        for players in NEW_YORK.player_counts:
            placings, refused, with_one, cities, furthest = counted(players, kind, games).tolist()
            print(
                f"{name:10} {players:7} {games:9,} {placings:12,} {refused:10,} {with_one:9,} ({with_one / games:5.2%})"
                f" {cities:13,} ({cities / games / players:5.2%}) {furthest:10}",
                flush=True,
            )


if __name__ == "__main__":
    main()
