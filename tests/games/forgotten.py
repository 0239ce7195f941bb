"""How often a deal of `determinize` had to forget, because no try agreed with what was seen. (MH-M22, FA-M27)

    python -m tests.games.forgotten manhattan --games 100

Games of random and of heuristic moves in turn, with each player count; after every move one deal is drawn for each
seat. A deal has forgotten where the plays or the black events that it remembers are not those of the state.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.rng import streams
from tests.support.rule_cases import Core

REMEMBERED = {"manhattan": ("memory_plays", "memory_size"), "fifth_avenue": ("memory_log", "memory_log_n")}


def has_forgotten(game: str, deal: Any, state: Any) -> bool:
    """Whether a deal drawn from a state remembers other plays or events than the state."""
    return any(np.any(deal[field] != state[field]) for field in REMEMBERED.get(game, ()))


def forgotten(core: Core, stream: int) -> int:
    """Of how many seats the deal has forgotten."""
    rows = np.repeat(core.states, core.players)
    engine.kernels(core.game).determinize_rows(rows, np.arange(core.players), streams(core.players, stream))
    return sum(has_forgotten(core.game.name, row, core.states[0]) for row in rows)


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
