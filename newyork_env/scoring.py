# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Points: majorities and streets, and the caches behind them. [RULES.md NY-70 .. NY-77, section 8]

`majority` keeps every seat's points of every type at the next scoring as things stand, `one_more` what one more tile
would add; `type_changed` brings one type up to date, `scoring_changed` all of them, `survey` every cache of a row.
"""

from __future__ import annotations

from newyork_env.city import survey_city
from newyork_env.components import BANKS, DIRK, NO_TILE, SCORINGS, SHARE, SLOTS, START, TILES, TYPE, TYPE_COUNT
from newyork_env.memory import scoring_range, survey_deck
from newyork_env.money import refresh_richest, survey_covered, survey_hand
from newyork_env.state import AT_DIRK, IN_CITY, IN_RESERVE, TO_PLACE, TURNS_SHOWN, seats
from skyline.core.jit import njit

A, B, C = 0, 1, 2
NIBBLE, LOW = 4, 15  # bits that count participants
ONE_EACH = 0x1111111111111  # a one in the nibbles 0 .. 12


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
    scoring, having, participants = next_scoring(s), 0, int(s.players)
    for seat in seats(s):
        having += 1 << NIBBLE * int(s.types[seat, kind])  # in nibble n: how many participants have n tiles
    if s.players == 2:
        having += 1 << NIBBLE * int(s.types[DIRK, kind])
        participants += 1
    at_most = having * ONE_EACH  # in nibble n: how many have at most n tiles
    for seat in seats(s):
        count = int(s.types[seat, kind])
        now, more = NIBBLE * count, NIBBLE * (count + 1)
        points = SHARE[scoring, kind, participants - (at_most >> now & LOW), having >> now & LOW] * (count > 0)  # NY-75
        with_one = SHARE[scoring, kind, participants - (at_most >> more & LOW), 1 + (having >> more & LOW)]
        s.major[seat] += points - s.majority[seat, kind]
        s.majority[seat, kind] = points
        s.one_more[seat, kind] = with_one - points


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
def refresh_clock(s):
    """Recompute what the observation says from `piles` to `purchases`."""
    clock = s.clock
    clock[0] = s.deck_size - s.deck_top
    clock[1] = s.discards_size
    clock[2] = TILES - s.bag_top
    for i in range(2):
        in_deck = 1 - (s.scored >> i & 1)
        first, last = scoring_range(s, i)
        clock[3 + i] = 1 - in_deck
        clock[5 + 2 * i] = in_deck * (first + 1)
        clock[6 + 2 * i] = in_deck * (last + 1)
    scoring = next_scoring(s)
    for i in range(SCORINGS):
        clock[9 + i] = scoring == i
    clock[12] = min(s.max_turns - s.turns, TURNS_SHOWN)
    bought = 0
    for i in range(SLOTS):
        bought += s.depot[i] == NO_TILE
    clock[13] = 0 if s.ending else bought


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
    survey_covered(s)
    s.majority[:] = 0
    s.major[:] = 0
    scoring_changed(s)
    refresh_clock(s)
