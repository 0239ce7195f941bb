"""How far the deals of `determinize` are from the exact belief after a black shuffle with 3 or 4 players (FA-M26).

    python -m tests.games.fiveavenue.distance 100 20000        positions for each player count, deals for each position

The distance is the total variation between the frequencies of the joint black hands and their exact chances by brute
force, less what the same number of exact deals would show by chance.
"""

from __future__ import annotations

import sys

import numpy as np

from tests.games.fiveavenue.test_beliefs import cases, distance, joint_hands
from tests.support.seeing import determinized


def measure(players: int, number: int, copies: int) -> list[float]:
    """The distances, falling."""
    found = []
    rng = np.random.default_rng(1)
    for core, viewer, wanted in cases(players, exact=False, number=number):
        dealt = joint_hands(core, viewer, determinized(core, viewer, stream=len(found), copies=copies))
        assert set(dealt) <= set(wanted)
        chances = np.array(list(wanted.values()))
        by_chance = [np.abs(rng.multinomial(copies, chances) / copies - chances).sum() / 2 for _ in range(20)]
        found.append(distance(dealt, wanted) - float(np.mean(by_chance)))
    return sorted(found, reverse=True)


if __name__ == "__main__":
    for seats in (3, 4):
        found = measure(seats, int(sys.argv[1]), int(sys.argv[2]))
        print(f"{seats} players, {len(found)} positions: mean {np.mean(found):.4f}, largest {found[0]:.4f}")
