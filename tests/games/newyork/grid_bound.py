"""How often a city meets the bound of the grid (NY-40, NY-R08): a placing can be refused there only if one does.

python -m tests.games.newyork.grid_bound                    20,000 games for every player count and policy
"""

from __future__ import annotations

import argparse

import numpy as np

from newyork_env.components import CENTRE, FIRST, LAST
from skyline import registry
from skyline.core import engine
from skyline.rng import streams

PIECE = 1000  # games held at once


def reaches(built: np.ndarray) -> np.ndarray:
    """How far the furthest tile of every city lies, in x or y; `built` (n, rows) words of columns."""
    rows, columns = (built != 0), np.bitwise_or.reduce(built.astype(np.int64), axis=1)
    return np.array([
        max(abs(place - CENTRE) for place in [*np.flatnonzero(row), *(c for c in range(LAST + 2) if word >> c & 1)])
        for row, word in zip(rows, columns, strict=True)
    ])  # fmt: skip


def final_cities(players: int, policy: int, first: int, n: int) -> np.ndarray:
    """The cities (n * players, rows) at the end of n games."""
    game = registry.load("new_york")
    states, policies = game.blank(players, {}, n), np.full((n, players), policy)
    seeds, mask = np.arange(first, first + n, dtype=np.uint64), engine.mask_array(game, players, n)
    luck = streams(n * players, first).reshape(n, players)
    moves, forced, places = (np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros((n, players), np.int64))
    engine.kernels(game).whole_games(states, seeds, policies, luck, mask, moves, forced, places)
    return states["built"][:, :players].reshape(n * players, -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="for every player count and policy")
    games = parser.parse_args().games
    print("policy     players     games    cities   mean reach   furthest   at the bound")
    for name, policy in engine.POLICIES.items():
        for players in registry.load("new_york").player_counts:
            pieces = range(0, games, PIECE)
            far = np.concatenate([reaches(final_cities(players, policy, at, min(PIECE, games - at))) for at in pieces])
            met = int((far == CENTRE - FIRST).sum())
            print(
                f"{name:10} {players:7} {games:9,} {len(far):9,} {far.mean():12.2f} {far.max():10} {met:14,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
