"""How often a deal of `determinize` had to forget, because no try agreed with what was seen. (MH-M22, FA-M27)

    python -m tests.games.forgotten manhattan --games 100

Games of random and of heuristic moves in turn, with each player count; after every move one deal is drawn for each
seat. A deal has forgotten where the plays or the black events that it remembers are not those of the state.
"""

from __future__ import annotations

import argparse

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.rng import streams
from tests.support.rule_cases import Core

REMEMBERED = {"manhattan": ("memory_plays", "memory_size"), "fifth_avenue": ("memory_log", "memory_log_n")}


def forgotten(core: Core, stream: int) -> int:
    """Of how many seats the deal has forgotten."""
    rows = np.repeat(core.states, core.players)
    engine.kernels(core.game).determinize_rows(rows, np.arange(core.players), streams(core.players, stream))
    changed = np.zeros(core.players, bool)
    for field in REMEMBERED[core.game.name]:
        changed |= (rows[field] != core.states[field]).reshape(core.players, -1).any(axis=1)
    return int(changed.sum())


def measure(game: str, players: int, games: int) -> tuple[int, int]:
    """The number of deals, and how many of them have forgotten."""
    kernels, deals, found = engine.kernels(registry.load(game)), 0, 0
    for seed in range(games):
        core, stream = Core.deal(game, players, seed), streams(1, seed)
        policy = np.full(1, (engine.RANDOM, engine.HEURISTIC)[seed % 2])
        action = np.zeros(1, np.int64)
        while core.seat is not None:
            kernels.choose_rows(core.states, core.mask, policy, stream, action)
            core.step(int(action[0]))
            deals, found = deals + players, found + forgotten(core, seed)
    return deals, found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("game", choices=sorted(REMEMBERED))
    parser.add_argument("--games", type=int, default=100, help="of each player count")
    given = parser.parse_args()
    for players in registry.load(given.game).player_counts:
        deals, found = measure(given.game, players, given.games)
        print(f"{given.game}, {players} players, {given.games} games: {deals} deals, {found} of them have forgotten")


if __name__ == "__main__":
    main()
