"""The batch, stepped from Python: a compiled loop chooses all moves, then one `VectorGames.step` moves every seat.

vector-1 .. vector-16384   batches of that many games
vector-16384-2t            16,384 games on two threads, if threads are asked for
vector-1024-bits           1,024 games whose masks are bits; the moves are chosen from the bits
vector-1024-ids            1,024 games whose moves are chosen from `legal_ids()`
vector-seat-16, -1024      one learning seat in each game, opponents that move at random inside the kernel; a step is
                           one decision of a learning seat, with the opponents' moves after it
vector-gymnasium           Gymnasium's benchmark_vector_step with 1,024 games. It samples actions without the mask, so
                           that nearly every game ends with its first move: mostly resets are measured
"""

from __future__ import annotations

import time
from functools import partial
from typing import Literal

import numpy as np

from skyline.envs.vector import VectorGames
from skyline.game import Game
from skyline.rng import streams
from skyline_bench.harness.layer import Layer, Makers, Measure, Run, Sample, repeated
from skyline_bench.layers.kernels import bench_kernels

SIZES = (1, 16, 256, 1024, 16_384)
SEAT_SIZES = (16, 1024)
THREADED = (16_384,)
A_RUN = 1024  # the least steps of a run
PACKED = 1024  # games in the layers of masks as bits and of numbers
SAMPLED = 1024  # games in Gymnasium's benchmark


def vector(game: Game, players: int, n: int, threads: int = 1, seat: Literal["rotate"] | None = None) -> Run:
    """Random legal play of n games, by every seat or by the learning seats."""
    games = VectorGames(game, n, players, seat=seat, threads=threads, copy=False)
    games.reset(seed=1)
    actions, random, own = np.zeros(n, np.int64), streams(n, 1), bench_kernels(game)
    own.pick_rows(games.action_mask, random, actions)
    pick, rounds = own.pick_rows, max(1, A_RUN // n)

    def run() -> int:
        for _ in range(rounds):
            pick(games.action_mask, random, actions)
            games.step(actions)
        return rounds * n

    return run


def packed(game: Game, players: int, with_ids: bool) -> Run:
    """Random legal play with moves from `legal_ids()` or from masks as bits."""
    games = VectorGames(game, PACKED, players, mask_dtype="int8" if with_ids else "bits", copy=False)
    games.reset(seed=1)
    actions, random, own = np.zeros(PACKED, np.int64), streams(PACKED, 1), bench_kernels(game)

    def run() -> int:
        if with_ids:
            own.pick_ids(*games.legal_ids(), random, actions)
        else:
            own.pick_bits(games.action_mask.view(np.uint64), random, actions)
        games.step(actions)
        return PACKED

    return run


def gymnasium_benchmark(game: Game, players: int) -> Measure:
    """`gymnasium.utils.performance.benchmark_vector_step`; illegal moves lose the game."""
    from gymnasium.utils.performance import benchmark_vector_step

    games = VectorGames(game, SAMPLED, players, illegal="lose", copy=False)

    def measure(seconds: float) -> Sample:
        begun = time.perf_counter()
        rate = benchmark_vector_step(games, seconds, seed=1)  # type: ignore[arg-type] # it takes any number
        passed = time.perf_counter() - begun
        return Sample(max(1, round(rate * passed)), passed)

    return measure


def makers(game: Game, players: int, threads: int) -> Makers:
    """The layers of this group by name."""

    def made(n: int, threads: int = 1) -> Layer:
        return Layer(repeated(vector(game, players, n, threads)), threads=threads)

    def made_for_a_seat(n: int) -> Layer:
        return Layer(repeated(vector(game, players, n, seat="rotate")))

    def made_packed(with_ids: bool) -> Layer:
        return Layer(repeated(packed(game, players, with_ids)))

    known = {f"vector-{n}": partial(made, n) for n in SIZES}
    known |= {f"vector-seat-{n}": partial(made_for_a_seat, n) for n in SEAT_SIZES}
    known |= {f"vector-{PACKED}-{name}": partial(made_packed, name == "ids") for name in ("bits", "ids")}
    if threads > 1:
        known |= {f"vector-{n}-{threads}t": partial(made, n, threads) for n in THREADED}
    return {**known, "vector-gymnasium": lambda: Layer(gymnasium_benchmark(game, players), "")}
