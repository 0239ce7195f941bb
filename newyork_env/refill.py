# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The end of a turn: refill, scorings, the end of the game. [RULES.md NY-60 .. NY-64, NY-82, NY-83, NY-90 .. NY-95]"""

from __future__ import annotations

from newyork_env.components import DIRK_AFTER_A, NO_CARD, NO_TILE, SCORING_A, SLOTS, TILES
from newyork_env.money import depot_changed, draw_card, to_market
from newyork_env.scoring import refresh_clock, score, scoring_changed
from newyork_env.state import IN_DEPOT, PHASE_MAIN, PHASE_OVER, PHASE_PLACE, TO_PLACE, seats
from newyork_env.tiles import draw_tile, give_to_dirk
from skyline.core.jit import njit
from skyline.core.masks import lowest
from skyline.game import NO_SEAT


@njit
def end_turn(s):
    """Refill market and depot; the end of the game or the next seat's turn.  # NY-60 .. NY-64, NY-95"""
    _refill_market(s)
    full = _refill_depot(s)
    s.turns += 1
    if full and s.turns < s.max_turns:
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
        s.phase = PHASE_MAIN
    else:
        s.ending = 1
        scoring_changed(s)  # NY-94
        _give_leftovers(s)
        next_receiver(s)
    refresh_clock(s)


@njit
def _refill_market(s):
    """A card for each empty slot; a scoring card is carried out and replaced.  # NY-60, NY-62"""
    empty = 0
    for i in range(SLOTS):
        empty |= int(s.market[i] == NO_CARD) << i
    while empty:
        i = lowest(empty)
        empty &= empty - 1
        card = draw_card(s)
        while card >= SCORING_A:
            _scoring_card(s, card)
            card = draw_card(s)
        to_market(s, i, card)


@njit
def _scoring_card(s, card):
    """Scoring A or B at once, then Dirk's tiles.  # NY-62, NY-82, NY-83, NY-R10"""
    score(s)  # SA lies above SB, so that this card's scoring is the one to come
    s.scored |= 1 if card == SCORING_A else 2
    if s.players == 2:
        left = TILES - int(s.bag_top)
        give_to_dirk(s, min(DIRK_AFTER_A, left) if card == SCORING_A else left // 3)
    scoring_changed(s)


@njit
def _refill_depot(s):
    """A tile for each empty slot as long as the bag holds any; whether the depot is full.  # NY-63"""
    empty = 0
    for i in range(SLOTS):
        empty |= int(s.depot[i] == NO_TILE) << i
    while empty and s.bag_top < TILES:
        i = lowest(empty)
        empty &= empty - 1
        s.depot[i] = draw_tile(s, IN_DEPOT)
        depot_changed(s, i)
    return empty == 0


@njit
def _give_leftovers(s):
    """Every tile left goes to the seat with the most money of its bank; a tie leaves it.  # NY-90, NY-91, NY-R19"""
    for i in range(SLOTS):
        if s.depot[i] == NO_TILE:
            continue
        winner = int(s.richest[i])
        if winner != NO_SEAT:
            s.place[s.depot[i]] = TO_PLACE + winner
            s.to_place[winner] |= 1 << int(s.depot[i])
            s.depot[i] = NO_TILE
            depot_changed(s, i)


@njit
def next_receiver(s):
    """Clockwise from the seat whose turn ended; when all is placed, scoring C ends the game.  # NY-92, NY-93"""
    for _ in seats(s):
        if s.to_place[s.seat]:
            s.phase = PHASE_PLACE
            return
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
    score(s)
    s.phase, s.seat = PHASE_OVER, NO_SEAT
