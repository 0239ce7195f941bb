# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""One game as one row of states: beginning, playing, ranking, choosing and seeing, for the kernels over rows.

The functions call the stubs of `skyline.core.overloads`, and every game gets machine code of its own.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import njit
from skyline.core.masks import is_illegal, only_legal, random_legal
from skyline.core.overloads import heuristic, legal, observe, rank_key, reset, step
from skyline.game import NO_SEAT
from skyline.rng import next_seed

OUTCOME, SCORE, MARGIN = 0, 1, 2
REWARDS = {"outcome": OUTCOME, "score": SCORE, "margin": MARGIN}

CALLER, RANDOM, HEURISTIC = -1, 0, 1
POLICIES = {"random": RANDOM, "heuristic": HEURISTIC}


@njit
def begin(s, seed):
    """A new game in this row: everything random in it follows from the seed and the moves."""
    s.deal = seed
    s.rng = seed
    reset(s)


@njit
def begin_next(s):
    """The game that follows the row's game; it does not depend on how that one was played."""
    begin(s, next_seed(s.deal))


@njit
def fill_mask(s, mask):
    mask[:] = 0
    if s.seat != NO_SEAT:
        legal(s, mask)


@njit
def place(s, seat):
    """1 + the number of seats with a larger rank key."""
    own = rank_key(s, seat)
    above = 0
    for other in range(s.players):
        if rank_key(s, other) > own:
            above += 1
    return 1 + above


@njit
def outcome(s, seat):
    """+1 for the first place .. -1 for the last, evenly spaced, ties averaged; the seats' outcomes sum to 0."""
    own = rank_key(s, seat)
    above = 0
    level = 0
    for other in range(s.players):
        key = rank_key(s, other)
        if key > own:
            above += 1
        elif key == own:
            level += 1
    return 1.0 - (2.0 * above + (level - 1.0)) / (s.players - 1.0)


@njit
def margin(s, seat):
    """Own score less the best other score."""
    best = np.int64(-(2**62))
    for other in range(s.players):
        if other != seat:
            best = max(best, np.int64(s.scores[other]))
    return np.int64(s.scores[seat]) - best


@njit
def _score(s, seat):
    return np.int64(s.scores[seat]) if seat < s.players else np.int64(0)


@njit
def _scores(s):
    """The scores of MOST_SEATS seats as whole numbers: a tuple, for an array would need memory."""
    return (
        _score(s, 0), _score(s, 1), _score(s, 2), _score(s, 3), _score(s, 4), _score(s, 5), _score(s, 6), _score(s, 7)
    )  # fmt: skip


@njit
def play(s, action, rewards, kind):
    """One legal move; what it brings each seat is added to `rewards` (P,)."""
    if kind == SCORE:
        before = _scores(s)  # subtracted before it is rounded: float32 rewards lose digits of points above 2^24
        step(s, action)
        for p in range(s.players):
            rewards[p] += np.int64(s.scores[p]) - before[p]
        return
    step(s, action)
    if s.seat == NO_SEAT:
        for p in range(s.players):
            rewards[p] += outcome(s, p) if kind == OUTCOME else margin(s, p)


@njit
def play_or_lose(s, action, mask, rewards, kind):
    """Play the action; one that is not legal loses: -1 for the mover, nothing for the others, the game is over."""
    if is_illegal(mask, action):
        rewards[s.seat] -= 1
        s.seat = NO_SEAT
    else:
        play(s, action, rewards, kind)


@njit
def play_forced(s, mask, rewards, kind):
    """Play decisions with a single legal move until there is a choice or the end; `mask` is kept up to date."""
    while s.seat != NO_SEAT:
        action = only_legal(mask)
        if action < 0:
            return
        play(s, action, rewards, kind)
        fill_mask(s, mask)


@njit
def settle(s, mask, rewards, kind, forced):
    """After a move or a deal: the mask of the seat to decide; forced moves are played when asked for."""
    fill_mask(s, mask)
    if forced:
        play_forced(s, mask, rewards, kind)


@njit
def chosen(s, mask, policy, stream):
    """The action of a policy in the kernel."""
    if policy == HEURISTIC:
        return heuristic(s, mask, stream)
    return random_legal(mask, stream)


@njit
def observe_scaled(s, seat, out, scales):
    """The seat's observation; divided by `scales` (N,) for the float view, raw where `scales` is empty."""
    observe(s, seat, out)
    for i in range(scales.shape[0]):
        out[i] = out[i] / scales[i]
