# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The step of the AEC environment: one game, one call."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from skyline.core.engine.batch import BEGIN
from skyline.core.engine.row import OUTCOME, begin, play, settle
from skyline.core.jit import record_dtype
from skyline.core.masks import is_illegal
from skyline.core.overloads import observe
from skyline.game import MOST_SEATS, NO_SEAT, Game

# What step_one returns: REFUSED, or the seat to decide and flags above the bits of every seat.
REFUSED, SEAT_BITS, GAME_OVER, REWARDED = -1, MOST_SEATS - 1, MOST_SEATS, 2 * MOST_SEATS

LOOK = BEGIN + 1  # the actions for ~slot


@lru_cache(None)
def desk_dtype(game: Game) -> np.dtype[Any]:
    """What the step of the AEC environment works on, as one record: each further array among the arguments of a call
    makes the call a tenth longer.

    All environments of a game share one dtype object. For another object, even an equal one, numba takes 1.5 us more
    to find the kernel of a call.
    """
    most = max(game.player_counts)
    size = max(game.actions(players).size for players in game.player_counts)
    return record_dtype(
        [
            ("state", game.state),
            ("rewards", np.float32, (most,)),  # of the last step
            ("mask", np.int8, (size,)),  # of the seat to decide; the first A values count
            ("kind", np.int8),  # OUTCOME, SCORE, MARGIN
            ("forced", np.int8),  # 1: decisions with a single legal move are played
        ]
    )


def step_one(desks, action, masks, out, slot):
    """The AEC environment's step: REFUSED, or the next seat with the flags GAME_OVER and REWARDED.

    The desk's mask is the environment's own; mask and observation of the next seat also go to row `slot` of the
    blocks that are handed out. With ~slot, which is negative, nobody moves: the action BEGIN begins the game of the
    state's seed, and LOOK shows the state as it is. (Three kernels would be compiled one after the other, each with
    the rules in it.)
    """
    desk = desks[0]
    s, rewards, mask = desk.state, desk.rewards, desk.mask[: masks.shape[1]]
    kind, forced = int(desk.kind), int(desk.forced)
    if slot < 0:
        slot = ~slot
        kind = OUTCOME
        if action == BEGIN:
            rewards[:] = 0
            begin(s, s.deal)
        else:
            forced = 0
    elif is_illegal(mask, action):
        return REFUSED
    else:
        rewards[:] = 0
        play(s, action, rewards, kind)
    settle(s, mask, rewards, kind, forced)
    code = 0
    for p in range(s.players):
        if rewards[p] != 0:
            code = REWARDED
    if s.seat == NO_SEAT:
        return code | GAME_OVER
    shown = masks[slot]
    for a in range(shown.shape[0]):
        shown[a] = mask[a]
    observe(s, s.seat, out[slot])
    return code | s.seat
