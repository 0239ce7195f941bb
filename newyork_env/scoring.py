# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Points: majorities and streets, and the caches behind them. [RULES.md NY-70 .. NY-77, section 8]

`majority` keeps every seat's points of every type at the next scoring as things stand, `one_more` what one more tile
would add; `type_changed` brings one type up to date, `scoring_changed` all of them, `survey` every cache of a row.
"""

from __future__ import annotations

from newyork_env.city import survey_city
from newyork_env.components import BANKS, DIRK, SHARE, START, TYPE, TYPE_COUNT
from newyork_env.memory import survey_deck
from newyork_env.money import refresh_richest, survey_hand
from newyork_env.state import AT_DIRK, IN_CITY, IN_RESERVE, TO_PLACE, seats
from skyline.core.jit import njit

A, B, C = 0, 1, 2


@njit
def next_scoring(s):
    """The scoring to come: A, B or C.  # NY-73, NY-94"""
    if s.ending:
        return C
    if not s.scored & 1:
        return A
    return C if s.scored & 2 else B


@njit
def points_with(s, scoring, kind, seat, count):
    """The seat's points of a type if it had `count` tiles of it.  # NY-72 .. NY-76, NY-81, section 8.2"""
    return points_against(s, scoring, kind, seat, count, int(s.types[DIRK, kind]))


@njit
def points_against(s, scoring, kind, seat, count, dirks):
    """The seat's points of a type if it had `count` tiles of it and Dirk had `dirks`."""
    return SHARE[scoring, kind][rank_among(s, kind, seat, count, dirks)]


@njit
def rank_among(s, kind, seat, count, dirks):
    """How many have more than `count` tiles of a type, and how many have `count`, the seat among them; (0, 0) without
    a tile, which gets no points."""
    above, tied = 0, 1
    for other in seats(s):
        if other != seat:
            above += s.types[other, kind] > count
            tied += s.types[other, kind] == count
    if s.players == 2:
        above += dirks > count
        tied += dirks == count
    return (above, tied) if count > 0 else (0, 0)  # NY-75


@njit
def type_changed(s, kind):
    """Bring `majority` and `one_more` up to date after a seat's or Dirk's number of tiles of a type changed."""
    scoring = next_scoring(s)
    for seat in seats(s):
        count = int(s.types[seat, kind])
        points = points_with(s, scoring, kind, seat, count)
        s.majority[seat, kind] = points
        s.one_more[seat, kind] = points_with(s, scoring, kind, seat, count + 1) - points


@njit
def scoring_changed(s):
    """Recompute `majority` and `one_more` after another scoring has become the next one."""
    for kind in range(TYPE_COUNT):
        type_changed(s, kind)


@njit
def score(s, scoring):
    """A scoring: longest street and majorities of every seat.  # NY-70, NY-72, NY-77"""
    for seat in seats(s):
        points = int(s.street[seat])
        for kind in range(TYPE_COUNT):
            points += points_with(s, scoring, kind, seat, int(s.types[seat, kind]))
        s.scores[seat] += points


@njit
def survey(s):
    """Recompute every cache of a row from deck, hands and depot, and from the tiles' places."""
    s.in_reserve[:] = 0
    s.to_place[:] = 0
    s.types[:] = 0
    s.reserve_types[:] = 0
    for tile in range(1, START):
        place = int(s.place[tile])
        if place == AT_DIRK:
            s.types[DIRK, TYPE[tile]] += 1
        elif place >= TO_PLACE:
            s.to_place[place - TO_PLACE] |= 1 << tile
        elif place >= IN_RESERVE:
            s.in_reserve[place - IN_RESERVE] |= 1 << tile
            s.reserve_types[place - IN_RESERVE, TYPE[tile]] += 1
        elif place >= IN_CITY:
            s.types[place - IN_CITY, TYPE[tile]] += 1
    for seat in seats(s):
        survey_city(s, seat)
        survey_hand(s, seat)
    for bank in range(BANKS):
        refresh_richest(s, bank)
    survey_deck(s)
    scoring_changed(s)
