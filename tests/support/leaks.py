"""The long form of the leak tests: many states, each beside a deal of what a seat cannot know there.

    python -m tests.support.leaks manhattan 100000           states of that game, both settings of `memory`
    python -m tests.support.leaks manhattan 2000 --seed 5

The seat must see the same in the state and in the deal: observation, mask, text, what it knows, and a picture of every
tenth state. A move that is legal in both must tell the seat the same, unless the seat sees a difference after it
(`skyline.testing.remembering`). Player counts, options and settings take turns; half of the moves are the heuristic's.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

import numpy as np

from skyline import registry
from skyline.core import engine
from skyline.game import NO_SEAT, Game
from skyline.rng import streams
from skyline.testing.probe import Probe
from skyline.testing.promises import holds, same
from skyline.testing.remembering import MemoryChecks
from skyline.typing import Array, Memory
from tests.fuzz.played_games import option_values

A_GAME = 60  # the most states of one game
OFTEN = 3  # one decision of that many is looked at
PICTURES = 10  # one state of that many is drawn


def compare(checks: MemoryChecks, states: Array, seat: int, word: int, has_picture: bool) -> None:
    """Compare a state with a deal of what the seat cannot know in it."""
    game, deal = checks.game, states.copy()
    checks.probe.kernels.determinize_rows(deal, np.array([seat]), streams(1, word))
    views = checks.probe.views(np.concatenate([states, deal]))[:, seat]
    holds((views[0] == views[1]).all(), f"seat {seat} sees the same in a deal")
    if states["seat"][0] == seat:
        masks = checks.probe.masks(np.concatenate([states, deal]))
        holds((masks[0] == masks[1]).all(), f"seat {seat} has the same moves in a deal")
    for draw in (game.text, game.svg) if has_picture else (game.text,):
        same(draw(deal[0], seat, None), draw(states[0], seat, None), f"a picture for seat {seat} of a deal")
    checks.check_knowledge(states, deal, seat)
    checks.check_unseen(states, deal, seat)


def one_game(game: Game, players: int, seed: int, memory: Memory, most: int) -> int:
    """Look at states of one game; how many comparisons were made."""
    rng = np.random.default_rng(seed)
    options = option_values(game)[int(rng.integers(len(option_values(game))))]
    states, mask = game.blank(players, options, memory=memory), engine.mask_array(game, players)
    rewards, row, kernels = np.zeros((1, players), np.float32), np.zeros(1, np.int64), engine.kernels(game)
    kernels.begin_rows(states, np.array([seed], np.uint64), row, mask, rewards, False)
    checks = MemoryChecks(Probe(game, players, seed), states, rng)
    luck, action, done = streams(1, seed), np.zeros(1, np.int64), 0
    while states["seat"][0] != NO_SEAT and done < most:
        if rng.integers(OFTEN) == 0:
            for seat in range(players):
                compare(checks, states, seat, int(rng.integers(2**62)), rng.integers(PICTURES) == 0)
            checks.check_table(states)
            done += 1
        policy = np.array([int(rng.choice((engine.RANDOM, engine.HEURISTIC)))])
        kernels.choose_rows(states, mask, policy, luck, action)
        kernels.step_some(states, row, action, mask, rewards, engine.SCORE)
    return done


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("states", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    game, looked, seed, begun = registry.load(given.game), Counter[str](), given.seed, time.perf_counter()
    while looked.total() < given.states:
        for players in game.player_counts:
            memory: Memory = "recall" if seed % 2 else "table"
            try:
                looked[memory] += one_game(game, players, seed, memory, A_GAME)
            except AssertionError as error:
                print(f"{game.name}, {players} players, seed {seed}, memory {memory}: {error}")
                return 1
        seed += 1
    counts = ", ".join(f"{count:,} with {memory}" for memory, count in sorted(looked.items()))
    print(
        f"{game.name}: no leak in {looked.total():,} states ({counts}), every seat, {time.perf_counter() - begun:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
