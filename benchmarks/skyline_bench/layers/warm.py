"""The compiled functions of the harness, called once by `skyline warmup` (entry point `bench` of its group)."""

from __future__ import annotations

import numpy as np

from skyline.core import engine
from skyline.envs.vector import VectorGames
from skyline.game import Game
from skyline.rng import streams
from skyline_bench.layers.kernels import bench_kernels


def compile_all(game: Game) -> None:
    """Call every kernel of the layers."""
    own, players = bench_kernels(game), game.player_counts[0]
    states, mask, out = game.blank(players), engine.mask_array(game, players), engine.observation_array(game, players)
    random, moves, actions = streams(1, 0), np.zeros((1, 1), np.int32), np.zeros(1, np.int64)
    engine.kernels(game).begin_rows(
        states, np.zeros(1, np.uint64), np.zeros(1, np.int64), mask, np.zeros((1, players), np.float32), False
    )
    begun = states.copy()
    own.record_moves(states, mask, random, moves)
    for kernel, more in ((own.replay_steps, ()), (own.replay_masks, (mask,)), (own.replay_views, (mask, out))):
        states[:] = begun
        kernel(states, moves, *more)
    own.copy_views(mask.copy(), out.copy(), mask, out, 1)
    own.pick_one(mask[0], random)
    own.pick_rows(mask, random, actions)
    games = VectorGames(game, 1, players, mask_dtype="bits")
    games.reset(seed=0)
    own.pick_bits(games.action_mask.view(np.uint64), random, actions)
    own.pick_ids(*games.legal_ids(), random, actions)
