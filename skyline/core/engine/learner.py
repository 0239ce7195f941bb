# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Kernels for batches with a learning seat in each row: the caller moves that seat, opponents move the others.

`step_learners` makes a whole step in one call, where all opponents are policies in the kernel. Where some opponents are
functions, Python calls the parts of a step one after the other and asks the functions between them:

    move_learners      the learning seats' moves, and what policies do after them
    play_answers       the moves that functions chose, and what policies do after them
    close_games        keep the last states of games that are over
    begin_next_games   begin the games that follow

Both ways are made of the same functions of one row, which are the first half of this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from skyline.core.engine.batch import ENDED, NEXT_STEP, RUNNING, SAME_STEP
from skyline.core.engine.row import CALLER, begin_next, chosen, fill_mask, observe_scaled, play, play_or_lose
from skyline.core.jit import njit
from skyline.core.masks import is_illegal, only_legal
from skyline.game import NO_SEAT

if TYPE_CHECKING:
    from skyline.typing import Array

ENDLESS = -1  # `max_cycles`: no game is truncated


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
    waiting: Array  # (1,) 1: the policies of some rows stopped for want of room for a further action


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
def _move_others(b, r, rewards, settings):
    """The mask; policies move until a seat without one has to choose or the game ends. `rewards` (P,) are added to.

    Where moves are written down, the function stops when there is no room for another one, says so in `waiting`, and
    goes on when it is called again with more room.
    """
    s, mask = b.states[r], b.action_mask[r]
    fill_mask(s, mask)
    while s.seat != NO_SEAT:
        if _is_full(b, r):
            b.waiting[0] = 1
            return
        policy = b.policies[r, s.seat]
        if policy == CALLER:
            action = only_legal(mask) if settings.forced else -1
            if action < 0:
                return
        else:
            action = chosen(s, mask, policy, b.streams[r])
        _write_down(b, r, action)
        play(s, action, rewards, settings.kind)
        fill_mask(s, mask)


@njit
def _move_learner(b, r, action, settings):
    """The learning seat's move, or nothing where the game is over; then the others' moves."""
    rewards = b.rewards_all[r]
    for p in range(rewards.shape[0]):
        rewards[p], b.carried[r, p] = b.carried[r, p], 0
    b.ended[r], b.truncated[r] = RUNNING, False
    if b.states[r].seat == NO_SEAT:
        return
    if settings.max_cycles != ENDLESS:
        b.steps[r] += 1
    if not is_illegal(b.action_mask[r], action):
        _write_down(b, r, action)
    play_or_lose(b.states[r], action, b.action_mask[r], rewards, settings.kind)
    _move_others(b, r, rewards, settings)


@njit
def _is_over(b, r, settings):
    """Whether the row's game has ended, or has had its last admitted step, the others' moves included."""
    return b.states[r].seat == NO_SEAT or (b.steps[r] == settings.max_cycles and not _is_full(b, r))


@njit
def _close_game(b, r, settings):
    """Keep the last state of a game that is over. Nobody decides any more in a truncated game that none follows."""
    s = b.states[r]
    if s.seat == NO_SEAT:
        b.ended[r] = ENDED
    else:
        b.truncated[r] = True
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
    """Begin the game that follows; what the others' first moves bring is carried to the learning seat's first step."""
    begin_next(b.states[r])
    b.episodes[r] += 1
    b.steps[r], b.stopped[r], b.moved[r] = 0, False, 0
    if settings.rotates:
        b.learner[r] = (b.learner[r] + 1) % b.policies.shape[1]
        _seat_opponents(b, r, settings)
    b.carried[r, :] = 0
    _move_others(b, r, b.carried[r], settings)


@njit
def _show(b, r, settings):
    """What the learning seat sees; of a truncated game without a next one, the state in which somebody decided."""
    observe_scaled(b.finals[r] if b.stopped[r] else b.states[r], b.learner[r], b.observations[r], settings.scales)


# ---------------------------------------------------------------- kernels


def step_learners(b, rows, actions, gains, settings):
    """A step of these rows, all opponents being policies: gains[i] is what the learning seat of rows[i] got."""
    for i in range(rows.shape[0]):
        r = rows[i]
        was_over = b.states[r].seat == NO_SEAT
        _move_learner(b, r, actions[i], settings)
        gains[i] = b.rewards_all[r, b.learner[r]]
        if was_over:
            if settings.autoreset == NEXT_STEP:
                _begin_next_game(b, r, settings)
        else:
            while _is_over(b, r, settings):
                _close_game(b, r, settings)
                if settings.autoreset != SAME_STEP:
                    break
                _begin_next_game(b, r, settings)
        _show(b, r, settings)


def move_learners(b, rows, actions, settings):
    """The learning seats' moves in these rows, and what policies do after them."""
    for i in range(rows.shape[0]):
        _move_learner(b, rows[i], actions[i], settings)


def play_answers(b, rows, actions, rewards, settings):
    """The legal moves that functions chose in these rows, and what policies do after them; `rewards` (n, P)."""
    for i in range(rows.shape[0]):
        r = rows[i]
        _write_down(b, r, actions[i])
        play(b.states[r], actions[i], rewards[r], settings.kind)
        _move_others(b, r, rewards[r], settings)


def close_games(b, rows, settings):
    """Keep the last states of the games of these rows, all of which are over."""
    for i in range(rows.shape[0]):
        _close_game(b, rows[i], settings)


def begin_next_games(b, rows, settings):
    """Begin the games that follow in these rows; policies move up to the first other decision."""
    for i in range(rows.shape[0]):
        _begin_next_game(b, rows[i], settings)


def seat_opponents(b, rows, settings):
    """Give the seats beside the learning ones of these rows their policies."""
    for i in range(rows.shape[0]):
        _seat_opponents(b, rows[i], settings)


def move_others(b, rows, rewards, settings):
    """Policies move in these rows until another seat has to choose or the game ends; `rewards` (n, P) are added to."""
    for i in range(rows.shape[0]):
        _move_others(b, rows[i], rewards[rows[i]], settings)


def show_learners(b, rows, settings):
    """What the learning seats of these rows see."""
    for i in range(rows.shape[0]):
        _show(b, rows[i], settings)
