# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The kernel for batches with a learning seat in each row: the caller moves that seat, opponents move the others.

A step is one call: the moves, those of the opponents in the kernel, the games that follow, masks and observations. Some
rows wait, as `waits` says: a function has to choose there, or moves are written down and there is no room for another
one. Python asks the functions, or makes room, and calls the kernel again for these rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skyline.core.engine.batch import ENDED, NEXT_STEP, RUNNING, SAME_STEP, illegal_at
from skyline.core.engine.row import CALLER, begin, begin_next, chosen, fill_mask, observe_scaled, play, play_or_lose
from skyline.core.jit import njit
from skyline.core.masks import is_illegal, only_legal
from skyline.core.wide import fetch
from skyline.game import NO_SEAT

if TYPE_CHECKING:
    from skyline.typing import Array

ENDLESS = -1  # `max_cycles`: no game is truncated

# What happens in a row first.
OPENS = 0  # the game of the seed in its state begins
MOVES = 1  # the learning seat moves
ANSWERS = 2  # a function moves, for which the row has waited
GOES_ON = 3  # there is room for further moves, for which the row has waited

# What a row waits for when the kernel is left.
NOTHING = 0  # the learning seat decides, or the game is over
FUNCTION = 1  # a function decides
ROOM = 2  # the next move cannot be written down

# When the running game of a row began.
BEFORE = 0  # in an earlier step
FOLLOWING = 1  # in this step, after a game that was over in this step: may be over at once, too
OPENING = 2  # by a reset, or in the step after the one in which a game was over


class BatchArrays(NamedTuple):
    """n games of P seats, a row for each, with A actions and N values in an observation."""

    states: Array  # (n,) STATE of the game
    finals: Array  # (n,) STATE: the last state of the game that was over last
    observations: Array  # (n, N) what the learning seats see
    action_mask: Array  # (n, A) int8
    rewards_all: Array  # (n, P) float32: what every seat got in the last step
    carried: Array  # (n, P) float32: what every seat got before the learning seat's first decision
    streams: Array  # (n,) STREAM: the luck of the policies
    policies: Array  # (n, P): the policy of every seat; CALLER for the learning seat and for functions
    learner: Array  # (n,) the learning seats
    ended: Array  # (n,) int8: ENDED where a game ended in the last step, else RUNNING
    truncated: Array  # (n,) bool: where a game was truncated in the last step
    stopped: Array  # (n,) bool: where the game was truncated and no other one has begun
    steps: Array  # (n,) of the running game; counted where games are truncated
    episodes: Array  # (n,) the number of the running game in its row
    final_episodes: Array  # (n,) the number of the game that was over last
    final_seats: Array  # (n,) the learning seat of that game
    moves: Array  # (n, M) int32: the actions of the running game, all seats'; (n, 0) if no history is kept
    moved: Array  # (n,) the number of those actions
    final_moves: Array  # (n, M) int32: the actions of the game that was over last
    final_moved: Array  # (n,) their number
    gains: Array  # (n,) float32: what the learning seats got in the last step
    begun: Array  # (n,) int8: BEFORE, FOLLOWING, OPENING
    waits: Array  # (n,) int8: NOTHING, FUNCTION, ROOM
    waiting: Array  # (1,) 1: some rows wait
    # What a step overwrites that may be taken back; empty where nothing is taken back.
    closed: Array  # (n,) bool: in this step a game of the row began by a reset, or was over
    kept_finals: Array  # (n,) STATE: `finals` before it
    kept_moves: Array  # (n, M) int32: `moves` of it
    kept_final_moves: Array  # (n, M) int32: `final_moves` before it


class LearnerSettings(NamedTuple):
    """What is the same for all rows of a batch."""

    kind: int  # OUTCOME, SCORE, MARGIN
    forced: bool  # whether decisions of the caller and of functions with a single legal move are played for them
    autoreset: int  # SAME_STEP, NEXT_STEP, DISABLED
    max_cycles: int  # the learning seat's decisions after which a game is truncated, or ENDLESS
    rotates: bool  # whether the next seat clockwise learns in the next game
    line_up: Array  # (P-1,) the policies of the other seats, clockwise from the learning seat's left neighbour
    scales: Array  # (N,) the divisors of a float observation; empty: none


# ---------------------------------------------------------------- one row


@njit
def _seat_opponents(b, r, settings):
    """Give the seats beside the learning one their policies."""
    learner, players = b.learner[r], b.policies.shape[1]
    b.policies[r, learner] = CALLER
    for j in range(players - 1):
        b.policies[r, (learner + 1 + j) % players] = settings.line_up[j]


@njit
def _write_down(b, r, action):
    """Keep the action for the row's history, where there is one. There is room: `_move_others` looks for it."""
    if b.moved[r] < b.moves.shape[1]:
        b.moves[r, b.moved[r]] = action
        b.moved[r] += 1


@njit
def _is_full(b, r):
    """Whether moves are written down and there is no room for a further one."""
    return b.moves.shape[1] > 0 and b.moved[r] == b.moves.shape[1]


@njit
def _move_others(b, r, settings):
    """The mask; policies move until a seat without one has to choose or the game is over. What the row waits for.

    What the moves of a game that has just begun bring is carried on to the learning seat's first step.
    """
    s, mask = b.states[r], b.action_mask[r]
    rewards = b.rewards_all[r] if b.begun[r] == BEFORE else b.carried[r]
    fill_mask(s, mask)
    while s.seat != NO_SEAT:
        if _is_full(b, r):
            return ROOM
        policy = b.policies[r, s.seat]
        if policy == CALLER:
            action = only_legal(mask) if settings.forced else -1
            if action < 0:
                return NOTHING if s.seat == b.learner[r] else FUNCTION
        else:
            action = chosen(s, mask, policy, b.streams[r])
        _write_down(b, r, action)
        play(s, action, rewards, settings.kind)
        fill_mask(s, mask)
    return NOTHING


@njit
def _open_game(b, r, settings):
    """Begin the game of the seed in the row's state."""
    _keep(b, r)
    begin(b.states[r], b.states[r].deal)
    _seat_opponents(b, r, settings)
    b.carried[r, :], b.moved[r] = 0, 0
    b.begun[r] = OPENING


@njit
def _move_learner(b, r, action, settings):
    """The learning seat's move; where the game is over already, the next game begins if it is its turn to."""
    rewards = b.rewards_all[r]
    for p in range(rewards.shape[0]):
        rewards[p], b.carried[r, p] = b.carried[r, p], 0
    b.ended[r], b.truncated[r], b.begun[r], b.waits[r] = RUNNING, False, BEFORE, NOTHING
    if b.states[r].seat == NO_SEAT:
        b.gains[r] = rewards[b.learner[r]]
        if settings.autoreset == NEXT_STEP:
            _begin_next_game(b, r, settings)
        b.begun[r] = OPENING
        return
    if settings.max_cycles != ENDLESS:
        b.steps[r] += 1
    if not is_illegal(b.action_mask[r], action):
        _write_down(b, r, action)
    play_or_lose(b.states[r], action, b.action_mask[r], rewards, settings.kind)


@njit
def _answer(b, r, action, settings):
    """The legal move that a function has chosen."""
    rewards = b.rewards_all[r] if b.begun[r] == BEFORE else b.carried[r]
    _write_down(b, r, action)
    play(b.states[r], action, rewards, settings.kind)


@njit
def _is_over(b, r, settings):
    """Whether the row's game has ended, or has had its last admitted step, the others' moves included."""
    return b.states[r].seat == NO_SEAT or b.steps[r] == settings.max_cycles


@njit
def _keep(b, r):
    """Keep what the first game that begins or is over in this step overwrites, where a step may be taken back."""
    if b.closed.shape[0] and not b.closed[r]:
        b.closed[r] = True
        b.kept_finals[r] = b.finals[r]
        for i in range(b.moved[r]):
            b.kept_moves[r, i] = b.moves[r, i]
        for i in range(b.final_moved[r]):
            b.kept_final_moves[r, i] = b.final_moves[r, i]


@njit
def _close_game(b, r, settings):
    """Keep the last state of a game that is over. Nobody decides any more in a truncated game that none follows."""
    s = b.states[r]
    if s.seat == NO_SEAT:
        b.ended[r] = ENDED
    else:
        b.truncated[r] = True
    _keep(b, r)
    b.finals[r] = s
    b.final_episodes[r], b.final_seats[r] = b.episodes[r], b.learner[r]
    b.final_moved[r] = b.moved[r]
    for i in range(b.moved[r]):
        b.final_moves[r, i] = b.moves[r, i]
    if settings.autoreset != SAME_STEP and s.seat != NO_SEAT:
        s.seat, b.stopped[r] = NO_SEAT, True
        b.action_mask[r, :] = 0


@njit
def _begin_next_game(b, r, settings):
    """Begin the game that follows."""
    _keep(b, r)
    begin_next(b.states[r])
    b.episodes[r] += 1
    b.steps[r], b.stopped[r], b.moved[r] = 0, False, 0
    if settings.rotates:
        b.learner[r] = (b.learner[r] + 1) % b.policies.shape[1]
        _seat_opponents(b, r, settings)
    b.carried[r, :] = 0
    b.begun[r] = FOLLOWING


@njit
def _go_on(b, r, settings):
    """Policies move, and games that are over are followed, until the row waits, or shows its learning seat a view."""
    while True:
        b.waits[r] = _move_others(b, r, settings)
        if b.waits[r] != NOTHING:
            b.waiting[0] = 1
            return
        if b.begun[r] == BEFORE:
            b.gains[r] = b.rewards_all[r, b.learner[r]]
        if b.begun[r] == OPENING or not _is_over(b, r, settings):
            break
        _close_game(b, r, settings)
        if settings.autoreset != SAME_STEP:
            break
        _begin_next_game(b, r, settings)
    _show(b, r, settings)


@njit
def _show(b, r, settings):
    """What the learning seat sees; of a truncated game without a next one, the state in which somebody decided."""
    observe_scaled(b.finals[r] if b.stopped[r] else b.states[r], b.learner[r], b.observations[r], settings.scales)


# ---------------------------------------------------------------- kernels


def step_learners(b, rows, actions, event, checks, settings):
    """`event` happens in these rows (OPENS .. GOES_ON) and what follows from it. Row rows[i] takes actions[i].

    With `checks` all actions are looked at before anything changes: the first i whose action is not legal, else -1.
    """
    if checks:
        refused = illegal_at(b.states, rows, actions, b.action_mask)
        if refused >= 0:
            return refused
    for i in range(rows.shape[0]):
        fetch(b.states, rows[min(i + 1, rows.shape[0] - 1)])  # in a large batch no row is in a cache of the processor
        r = rows[i]
        if event == OPENS:
            _open_game(b, r, settings)
        elif event == MOVES:
            _move_learner(b, r, actions[i], settings)
        elif event == ANSWERS:
            _answer(b, r, actions[i], settings)
        _go_on(b, r, settings)
    return -1


def seat_opponents(b, rows, settings):
    """Give the seats beside the learning ones of these rows their policies."""
    for i in range(rows.shape[0]):
        _seat_opponents(b, rows[i], settings)


def show_learners(b, rows, settings):
    """What the learning seats of these rows see."""
    for i in range(rows.shape[0]):
        _show(b, rows[i], settings)
