# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The flow of a turn and the end of the game. [RULES.md FA-1, FA-2, FA-8, FA-12, FA-90 .. FA-95, FA-R14]"""

from __future__ import annotations

from fiveavenue_env.cards import nonempty_stacks
from fiveavenue_env.components import KINDS, PARK_POINTS, PARK_SHOWN
from fiveavenue_env.state import (
    NO_COLOUR,
    NO_KIND,
    NO_PLACE,
    NO_TURN,
    NOBODY,
    PHASE_MOVE,
    PHASE_OVER,
    PHASE_TAKE,
    PHASE_TURN,
)
from skyline.core.jit import njit
from skyline.game import NO_SEAT
from skyline.rng import shuffle


@njit
def begin_turn(s, p):
    """The seat chooses A, B, C or D.  # FA-2"""
    s.phase, s.active, s.seat = PHASE_TURN, p, p
    s.turn_kind, s.turn_phase = NO_TURN, 0


@njit
def begin_take(s):
    """Phase 2 after A, B and C; skipped without coloured cards.  # FA-8, FA-R7"""
    if nonempty_stacks(s) == 0:
        begin_move(s, 3)
        return
    s.phase, s.seat, s.turn_phase = PHASE_TAKE, s.active, 2


@njit
def begin_move(s, turn_phase):
    """A commission must be moved, in phase 1 (turn C) or 3.  # FA-5, FA-12"""
    s.phase, s.seat, s.turn_phase = PHASE_MOVE, s.active, turn_phase


@njit
def after_move(s):
    """The commission and all its auctions are done: the turn goes on where it stood.  # FA-52"""
    if s.turn_phase == 1:
        begin_take(s)
    elif s.turn >= s.max_turns:
        end_game(s)  # FA-R14
    else:
        s.turn += 1
        begin_turn(s, s.active + 1 if s.active + 1 < s.players else 0)  # FA-1


@njit
def clear_auction(s):
    """No auction is on."""
    s.auction_place = NO_PLACE
    s.auctions[:] = 0
    clear_bids(s)


@njit
def clear_bids(s):
    """Nobody has bid or passed. Before an auction no card lies on a table: each was taken back or discarded."""
    s.standing, s.leader, s.passed, s.asked = 0, NOBODY, 0, 0
    s.bid_colour, s.build_limit = NO_COLOUR, 0
    s.last_colour, s.last_black = 0, 0
    s.allowed[:] = 0


@njit
def end_game(s):
    """Final scoring. [section 8]"""
    clear_auction(s)
    s.chosen_kind = NO_KIND
    _shuffle_park(s)
    worth = PARK_POINTS[_kinds_shown(s)]  # FA-94
    for p in range(s.players):
        s.final_lots[p] = s.points_now[p]  # FA-92
        s.final_park[p] = worth * s.cp[p]
        s.scores[p] += int(s.final_lots[p]) + int(s.final_park[p])
    s.phase, s.seat = PHASE_OVER, NO_SEAT


@njit
def _shuffle_park(s):
    """All park tiles are shuffled.  # FA-93"""
    if s.park_given:
        for i in range(s.park_n):
            s.park[i] = s.park_order[i]
    else:
        shuffle(s, s.park, int(s.park_n))
    s.park_given = 0


@njit
def _kinds_shown(s):
    """Different kinds among the first three park tiles.  # FA-93, FA-R13"""
    seen = 0
    for i in range(min(PARK_SHOWN, int(s.park_n))):
        seen |= 1 << s.park[i]
    kinds = 0
    for k in range(KINDS):
        kinds += seen >> k & 1
    return kinds
