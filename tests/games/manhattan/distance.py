"""How far the deals of a perfect memory are from the exact belief, in small games (MH-M21).

    python -m tests.games.manhattan.distance 3 --games 20 --copies 20000

Random games of small decks and hands (memory_cases.py), with up to three reshuffles; after every move and for every
seat the frequencies of `determinize` are compared with the enumerated chances. The distance is the total variation; of
its mean the part that the finite number of deals makes by itself stands beside it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

from tests.games.manhattan.memory_cases import watched_game
from tests.games.manhattan.test_belief import found_in
from tests.support.seeing import determinized


def measure(players: int, games: int, copies: int) -> dict[int, list[tuple[float, float]]]:
    """(distance, expected distance of exact deals) of every situation, by the number of reshuffles before."""
    found: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for seed in range(games):
        for watched in watched_game(players, seed, with_discards=seed % 4 == 3):
            for belief in watched.beliefs.values():
                chances = belief.chances()
                counts = found_in(determinized(watched.core, belief.seat, seed, copies), belief)
                assert set(counts) <= set(chances), "a deal contradicts what was seen"
                distance = sum(abs(counts[hands] / copies - float(chance)) for hands, chance in chances.items()) / 2
                noise = sum((float(chance * (1 - chance)) / copies / 6.2832) ** 0.5 for chance in chances.values())
                found[int(watched.core.states["memory_shuffles"][0])].append((distance, noise))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--copies", type=int, default=10_000)
    given = parser.parse_args()
    print(f"{given.players} players, {given.games} games, {given.copies} deals each")
    for shuffles, pairs in sorted(measure(given.players, given.games, given.copies).items()):
        distances = [distance for distance, _ in pairs]
        noise = sum(noise for _, noise in pairs) / len(pairs)
        mean = sum(distances) / len(pairs)
        print(f"after {shuffles} reshuffles: {len(pairs)} situations, distance {mean:.3f} on average", end=" ")
        print(f"(exact deals: {noise:.3f}), {max(distances):.3f} at most")


if __name__ == "__main__":
    main()
