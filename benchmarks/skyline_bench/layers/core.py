"""The core, inside one compiled call: 64 games in turn, so that their states stay in the processor's cache.

    step               recorded legal moves are played again: the rules alone
    step-mask          `step`, and the mask of every decision
    step-mask-obs      `step-mask`, and the observation of every decision
    rollout-random     `step-mask-obs`, with random legal moves chosen from the mask
    rollout-heuristic  `step-mask-obs`, with moves chosen by the game's baseline player
    copy-view          a mask and an observation are copied and nothing else, the least cost of writing both

With more than one thread also the random rollout of 4,096 games, whole chunks of games on every thread:

    rollout-4096       on one thread              rollout-4096-2t    on two threads
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline.core import engine
from skyline.game import Game
from skyline.rng import streams
from skyline_bench.harness.layer import Layer, Makers, Run, repeated
from skyline_bench.layers.kernels import bench_kernels

ROWS, STEPS = 64, 500
MANY = 4096  # games of the rollouts on several threads
LEAST_STEPS = 16  # the least steps of a game in one call: each call computes one mask more than it makes steps


class Games:
    """The arrays of n games, which have begun."""

    def __init__(self, game: Game, players: int, n: int) -> None:
        self.game, self.players, self.n = game, players, n
        self.states, self.mask = game.blank(players, n=n), engine.mask_array(game, players, n)
        self.out = engine.observation_array(game, players, n)
        self.streams = streams(n, 1)
        rewards = np.zeros((n, players), np.float32)
        seeds = np.arange(1, n + 1, dtype=np.uint64)
        engine.kernels(game).begin_rows(self.states, seeds, np.arange(n), self.mask, rewards, False)


def rollout(game: Game, players: int, policy: int = engine.RANDOM, n: int = ROWS, threads: int = 1) -> Run:
    """Whole games inside one compiled call, or inside one call for each thread."""
    games, policies = Games(game, players, n), np.full(players, policy)
    ended, scores, kernel = np.zeros(n, np.int64), np.zeros((n, players), np.int64), engine.kernels(game)
    steps = max(LEAST_STEPS, ROWS * STEPS // n)

    def play(part: slice) -> None:
        kernel.rollout(
            games.states[part], games.mask[part], games.out[part], policies, games.streams[part], steps, ended[part],
            scores[part],
        )  # fmt: skip

    def run() -> int:
        engine.in_chunks(play, n, threads)
        return n * steps

    return run


def replay(game: Game, players: int, mask: bool = False, observation: bool = False) -> Run:
    """Recorded moves are played again; nothing is chosen."""
    games, moves = Games(game, players, ROWS), np.zeros((ROWS, STEPS), np.int32)
    begun, own = games.states.copy(), bench_kernels(game)
    own.record_moves(games.states, games.mask, games.streams, moves)

    def run() -> int:
        games.states[:] = begun
        if observation:
            own.replay_views(games.states, moves, games.mask, games.out)
        elif mask:
            own.replay_masks(games.states, moves, games.mask)
        else:
            own.replay_steps(games.states, moves)
        return moves.size

    return run


def copies(game: Game, players: int) -> Run:
    """Copies as many masks and observations as a replay writes."""
    games, own = Games(game, players, ROWS), bench_kernels(game)
    masks, views = np.empty_like(games.mask), np.empty_like(games.out)

    def run() -> int:
        own.copy_views(masks, views, games.mask, games.out, STEPS)
        return ROWS * STEPS

    return run


def makers(game: Game, players: int, threads: int) -> Makers:
    """The layers of this group by name."""
    known: dict[str, Any] = {
        "step": lambda: Layer(repeated(replay(game, players))),
        "step-mask": lambda: Layer(repeated(replay(game, players, mask=True))),
        "step-mask-obs": lambda: Layer(repeated(replay(game, players, mask=True, observation=True))),
        "rollout-random": lambda: Layer(repeated(rollout(game, players))),
        "rollout-heuristic": lambda: Layer(repeated(rollout(game, players, engine.HEURISTIC)), "heuristic"),
        "copy-view": lambda: Layer(repeated(copies(game, players))),
    }
    if threads > 1:
        known["rollout-4096"] = lambda: Layer(repeated(rollout(game, players, n=MANY)))
        known[f"rollout-4096-{threads}t"] = lambda: Layer(
            repeated(rollout(game, players, n=MANY, threads=threads)), threads=threads
        )
    return known
