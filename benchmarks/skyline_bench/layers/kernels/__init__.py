# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Compiled functions of the harness: moves are recorded once and played again, so that each layer adds one thing only.

    record_moves    random legal games, whose moves are kept    replay_steps    these moves again: `step` alone
    replay_masks    `step`, and the mask of every decision      replay_views    and the observation of every decision
    copy_views      masks and observations are copied
    pick_one, pick_rows, pick_bits, pick_ids    the choice of a random legal action

A rollout adds the choice of the move. Every file of this folder is part of the kernels' stamp, so that an edit compiles
them again: no other code belongs here.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from skyline.core.engine import Kernels, begin_next, fill_mask
from skyline.core.jit import njit
from skyline.core.masks import nth_one, random_legal
from skyline.core.overloads import observe, step
from skyline.core.wide import LANES, ones_in
from skyline.game import NO_SEAT, Game
from skyline.rng import below


@njit
def _play(s, action):
    step(s, action)
    if s.seat == NO_SEAT:
        begin_next(s)


def record_moves(S, mask, streams, moves):
    """Random legal moves of every row, kept in `moves` (n, T); games follow each other."""
    for i in range(S.shape[0]):
        for t in range(moves.shape[1]):
            fill_mask(S[i], mask[i])
            moves[i, t] = random_legal(mask[i], streams[i])
            _play(S[i], moves[i, t])


def replay_steps(S, moves):
    """Play the recorded moves again from the recorded beginning."""
    for i in range(S.shape[0]):
        for t in range(moves.shape[1]):
            _play(S[i], moves[i, t])


def replay_masks(S, moves, mask):
    """Play the recorded moves, and compute the mask of every decision."""
    for i in range(S.shape[0]):
        for t in range(moves.shape[1]):
            _play(S[i], moves[i, t])
            fill_mask(S[i], mask[i])


def replay_views(S, moves, mask, out):
    """Play the recorded moves, and compute mask and observation of every decision."""
    for i in range(S.shape[0]):
        s = S[i]
        for t in range(moves.shape[1]):
            _play(s, moves[i, t])
            fill_mask(s, mask[i])
            observe(s, s.seat, out[i])


def copy_views(masks, views, mask, out, rounds):
    """Copy given masks and observations, which is the least cost of writing them."""
    n = masks.shape[0]
    for t in range(rounds):
        for i in range(n):
            k = (i + t) % n
            for j in range(mask.shape[1]):
                mask[i, j] = masks[k, j]
            for j in range(out.shape[1]):
                out[i, j] = views[k, j]


def pick_one(mask, stream):
    """A random legal action of one mask."""
    return random_legal(mask, stream[0])


def pick_rows(mask, streams, actions):
    """A random legal action of every row."""
    for i in range(mask.shape[0]):
        actions[i] = random_legal(mask[i], streams[i])


@njit
def _random_bit(words, stream):
    """The place of one of the ones in a row of words, each with the same chance: a legal action of a mask as bits."""
    total, number = 0, 0
    for i in range(words.shape[0]):
        total += ones_in(words[i])
    left = below(stream, total)
    while left >= ones_in(words[number]):
        left -= ones_in(words[number])
        number += 1
    return LANES * number + nth_one(words[number], left)


def pick_bits(words, streams, actions):
    """A random legal action of every row, from masks as bits."""
    for i in range(words.shape[0]):
        actions[i] = _random_bit(words[i], streams[i])


def pick_ids(ids, offsets, streams, actions):
    """A random legal action of every row, from the numbers of the legal actions."""
    for i in range(actions.shape[0]):
        first = int(offsets[i])
        actions[i] = ids[first + below(streams[i], offsets[i + 1] - first)]


KERNELS = {
    kernel.__name__: kernel
    for kernel in (
        record_moves, replay_steps, replay_masks, replay_views, copy_views, pick_one, pick_rows, pick_bits, pick_ids,
    )
}  # fmt: skip


@lru_cache(None)
def bench_kernels(game: Game) -> Kernels:
    """The harness's kernels of a game."""
    return Kernels(game, KERNELS, "-bench", [Path(__file__).parent])
