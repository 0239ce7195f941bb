# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Kernels over rows of states: beginning, stepping, seeing and dealing anew, with the caller in charge of every row.

Each kernel is a serial loop, so that ranges of rows can be given to threads, with the same bytes as the result.
"""

from __future__ import annotations

from skyline.core.engine.row import (
    OUTCOME,
    begin,
    begin_next,
    chosen,
    fill_mask,
    observe_scaled,
    place,
    play_or_lose,
    settle,
)
from skyline.core.jit import njit
from skyline.core.masks import is_illegal
from skyline.core.overloads import determinize
from skyline.core.wide import fetch
from skyline.game import NO_SEAT

SAME_STEP, NEXT_STEP, DISABLED = 0, 1, 2
BEGIN = 3  # nobody moves: the games of the states' seeds begin (a kernel of its own would compile the rules again)

RUNNING, ENDED = 0, 1


def begin_rows(S, seeds, rows, mask, rewards, forced):
    """Begin the games of `rows` with their seeds; the mask of the seat that decides first."""
    for i in range(rows.shape[0]):
        r = rows[i]
        begin(S[r], seeds[i])
        rewards[r, :] = 0
        settle(S[r], mask[r], rewards[r], OUTCOME, forced)


@njit
def _step_row(s, final, action, mask, rewards, episode, final_episode, kind, forced, autoreset):
    ended = RUNNING
    rewards[:] = 0
    if autoreset == BEGIN:
        begin(s, s.deal)
    elif s.seat != NO_SEAT:
        play_or_lose(s, action, mask, rewards, kind)
    elif autoreset == NEXT_STEP:
        begin_next(s)
        episode[0] += 1
    else:
        return RUNNING
    while True:
        settle(s, mask, rewards, kind, forced)
        if s.seat != NO_SEAT or autoreset == BEGIN:
            return ended
        final[0], final_episode[0] = s, episode[0]
        ended = ENDED
        if autoreset != SAME_STEP:
            return ended
        begin_next(s)
        episode[0] += 1


def step_rows(
    S, finals, actions, mask, out, rewards, ended, episodes, final_episodes, scales, kind, forced, autoreset
):  # fmt: skip
    """One step of every row, every seat moved by the caller; with the autoreset mode BEGIN the rows' first games begin.
    `finals` keeps the last state of games that ended, and `final_episodes` their numbers.

    With `forced` several games of a row may end in one step: forced moves alone may end the games that follow. The
    caller has checked the actions, or wants illegal ones to lose the game.
    """
    for i in range(S.shape[0]):
        fetch(S, min(i + 1, S.shape[0] - 1))  # in a large batch no row is in a cache of the processor
        s = S[i]
        mover = s.seat if autoreset != BEGIN else NO_SEAT
        ended[i] = _step_row(
            s, finals[i : i + 1], actions[i], mask[i], rewards[i], episodes[i : i + 1], final_episodes[i : i + 1],
            kind, forced, autoreset,
        )  # fmt: skip
        observe_scaled(s, s.seat if s.seat != NO_SEAT else max(mover, 0), out[i], scales)


def step_some(S, rows, actions, mask, rewards, kind):
    """A move in some rows, adding to `rewards`; the mask of their next seat."""
    for i in range(rows.shape[0]):
        r = rows[i]
        play_or_lose(S[r], actions[i], mask[r], rewards[r], kind)
        fill_mask(S[r], mask[r])


def observe_some(S, rows, seats, out, scales):
    """The observation of seats[r] in some rows r."""
    for i in range(rows.shape[0]):
        observe_scaled(S[rows[i]], seats[rows[i]], out[rows[i]], scales)


@njit
def illegal_at(S, rows, actions, mask):
    """The first i whose action is not legal in row rows[i], or -1. Games that are over take any number."""
    for i in range(rows.shape[0]):
        r = rows[i]
        if S[r].seat != NO_SEAT and is_illegal(mask[r], actions[i]):
            return i
    return -1


def first_illegal(S, rows, actions, mask):
    """`illegal_at`, called from Python."""
    return illegal_at(S, rows, actions, mask)


def fill_masks(S, mask):
    """The mask of every row's seat to decide."""
    for i in range(S.shape[0]):
        fill_mask(S[i], mask[i])


def choose_rows(S, mask, policies, streams, actions):
    """The action that policies[i] takes in row i; nothing is played."""
    for i in range(S.shape[0]):
        actions[i] = chosen(S[i], mask[i], policies[i], streams[i])


def determinize_rows(S, seats, streams):
    """Deal anew what seats[i] cannot see in row i. The seed is removed, too, because the cards follow from the seed."""
    for i in range(S.shape[0]):
        determinize(S[i], seats[i], streams[i])
        S[i].deal = 0


def places_rows(S, places):
    """Final place of every seat of every row."""
    for i in range(S.shape[0]):
        for p in range(S[i].players):
            places[i, p] = place(S[i], p)
