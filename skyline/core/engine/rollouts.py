# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Whole games inside one call, all seats played by policies in the kernel."""

from __future__ import annotations

from skyline.core.engine.row import begin, begin_next, chosen, fill_mask, place
from skyline.core.jit import njit
from skyline.core.masks import only_legal, random_legal
from skyline.core.overloads import observe, step
from skyline.game import NO_SEAT


@njit
def _rollout_row(s, mask, out, policies, stream, steps, scores):
    games = 0
    fill_mask(s, mask)
    for _ in range(steps):
        step(s, chosen(s, mask, policies[s.seat], stream))
        if s.seat == NO_SEAT:
            games += 1
            for p in range(s.players):
                scores[p] += s.scores[p]
            begin_next(s)
        fill_mask(s, mask)
        if out.shape[0]:
            observe(s, s.seat, out)
    return games


def rollout(S, mask, out, policies, streams, steps, games, scores):
    """`steps` moves of every row by policies in the kernel, games following each other; mask and (unless `out` has
    no columns) observation are written at every move. `policies` (P,), sums of final scores in `scores` (n, P)."""
    for i in range(S.shape[0]):
        games[i] += _rollout_row(S[i], mask[i], out[i], policies, streams[i], steps, scores[i])


def step_only(S, mask, streams, steps):
    """`steps` random legal moves of every row without observations: the cost of step and mask alone."""
    for i in range(S.shape[0]):
        s = S[i]
        fill_mask(s, mask[i])
        for _ in range(steps):
            step(s, random_legal(mask[i], streams[i]))
            if s.seat == NO_SEAT:
                begin_next(s)
            fill_mask(s, mask[i])


@njit
def _whole_game(s, seed, policies, streams, mask, forced_count):
    begin(s, seed)
    moves = 0
    while s.seat != NO_SEAT:
        fill_mask(s, mask)
        if only_legal(mask) >= 0:
            forced_count += 1
        step(s, chosen(s, mask, policies[s.seat], streams[s.seat]))
        moves += 1
    return moves, forced_count


def whole_games(S, seeds, policies, streams, mask, moves, forced, places):
    """Play one whole game in every row; `policies` and `streams` (n, P), one for every seat. Final states stay in S;
    moves, forced moves and places."""
    for i in range(S.shape[0]):
        moves[i], forced[i] = _whole_game(S[i], seeds[i], policies[i], streams[i], mask[i], 0)
        for p in range(S[i].players):
            places[i, p] = place(S[i], p)
