"""The long form of the leak tests: many states, each beside a deal of what a seat cannot know there.

    python -m tests.support.leaks manhattan 100000 --jobs 2  states of that game, both settings of `memory`
    python -m tests.support.leaks manhattan 2000 --seed 5

The seat must see the same in the state and in the deal: observation, mask, text, what it knows, and a picture of every
tenth state. A move that is legal in both must tell the seat the same, unless the seat sees a difference after it
(`skyline.testing.remembering`). Player counts, options and settings take turns; half of the moves are the heuristic's.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator

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


Task = tuple[str, int, int, Memory]


def looked_at(task: Task) -> tuple[Memory, int] | str:
    """The number of states of one game that were compared, or what a seat saw that it may not see."""
    name, players, seed, memory = task
    game = registry.load(name)
    try:
        return memory, one_game(game, players, seed, memory, A_GAME)
    except AssertionError as error:
        return f"{name}, {players} players, seed {seed}, memory {memory}: {error}"


def tasks(name: str, seed: int) -> Iterator[Task]:
    """All player counts with one setting, then with the other one, and so on."""
    for number in itertools.count(seed):
        for players in registry.load(name).player_counts:
            yield name, players, number, ("recall" if number % 2 else "table")


def run(name: str, states: int, seed: int, jobs: int) -> int:
    looked, begun, shown = Counter[str](), time.perf_counter(), time.perf_counter()
    todo = tasks(name, seed)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        while looked.total() < states:
            for result in pool.imap_unordered(looked_at, itertools.islice(todo, 4 * jobs)):
                if isinstance(result, str):
                    print(f"LEAK {result}")
                    return 1
                looked[result[0]] += result[1]
            if time.perf_counter() - shown > 10:
                shown = time.perf_counter()
                print(f"{looked.total():,} states, {shown - begun:.0f} s", file=sys.stderr, flush=True)
    counts = ", ".join(f"{count:,} with {memory}" for memory, count in sorted(looked.items()))
    print(f"{name}: no leak in {looked.total():,} states ({counts}), every seat, {time.perf_counter() - begun:.0f} s")
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.leaks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=registry.names())
    parser.add_argument("states", type=int)
    parser.add_argument("--seed", type=int, default=1, help="of the first game (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    given = parser.parse_args(arguments)
    if min(given.states, given.jobs) < 1:
        parser.error("states and --jobs are at least 1")
    return run(given.game, given.states, given.seed, given.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
