# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Points: majorities and streets, and the caches behind them. [RULES.md NY-70 .. NY-77, section 8]

`majority` keeps every seat's points of every type at the next scoring as things stand, `one_more` what one more tile
would add; `type_changed` brings one type up to date, `scoring_changed` all of them, `survey` every cache of a row.

Participants are counted in a word, four bits for each number of tiles: 0x1020 says that one participant has three tiles
of a type and two have one.
"""

from __future__ import annotations

from newyork_env.city import survey_city
from newyork_env.components import BANKS, DIRK, NO_TILE, SCORINGS, SHARE, SLOTS, START, TILES, TYPE, TYPE_COUNT
from newyork_env.memory import scoring_range, survey_deck
from newyork_env.money import refresh_richest, survey_covered, survey_hand
from newyork_env.state import (
    AT_DIRK,
    CLOCK_BAG,
    CLOCK_DECK,
    CLOCK_DISCARDS,
    CLOCK_DUE,
    CLOCK_NEXT,
    CLOCK_OUT,
    CLOCK_PURCHASES,
    CLOCK_TURNS_LEFT,
    IN_CITY,
    IN_RESERVE,
    TO_PLACE,
    TURNS_SHOWN,
    seats,
)
from skyline.core.jit import njit

A, B, C = 0, 1, 2
NIBBLE, LOW = 4, 15  # bits that count participants
LAST = 60  # where the last nibble begins
ONE_EACH = 0x1111111111111111  # a one in every nibble


@njit
def next_scoring(s):
    """The scoring to come: A, B or C.  # NY-73, NY-94"""
    if s.ending:
        return C
    if not s.scored & 1:
        return A
    return C if s.scored & 2 else B


@njit
def participants(s, kind, dirks):
    """In nibble n: how many participants have n tiles of the type, if Dirk has `dirks`.  # NY-72, NY-81"""
    having = 0
    for seat in seats(s):
        having += 1 << NIBBLE * int(s.types[seat, kind])
    if s.players == 2:
        having += 1 << NIBBLE * dirks
    return having


@njit
def without(having, count):
    """The same word without a participant that has `count` tiles."""
    return having - (1 << NIBBLE * count)


@njit
def rank_among(others, count):
    """The place in SHARE of a participant with `count` tiles: how many others have more, and how many have `count`, the
    participant counted; (0, 0) without a tile, which gets no points.  # NY-73 .. NY-76, section 8.2"""
    at_most = others * ONE_EACH  # in nibble n: how many have at most n tiles; in the last one all
    place = NIBBLE * count
    above, tied = (at_most >> LAST & LOW) - (at_most >> place & LOW), 1 + (others >> place & LOW)
    return (above, tied) if count > 0 else (0, 0)  # NY-75


@njit
def type_changed(s, kind):
    """Bring `majority` and `one_more` up to date after a seat's or Dirk's number of tiles of a type changed."""
    share, having = SHARE[next_scoring(s), kind], participants(s, kind, int(s.types[DIRK, kind]))
    for seat in seats(s):
        count = int(s.types[seat, kind])
        others = without(having, count)
        points, with_one = share[rank_among(others, count)], share[rank_among(others, count + 1)]
        s.major[seat] += points - s.majority[seat, kind]
        s.majority[seat, kind] = points
        s.one_more[seat, kind] = with_one - points


@njit
def scoring_changed(s):
    """Recompute `majority` and `one_more` after another scoring has become the next one."""
    for kind in range(TYPE_COUNT):
        type_changed(s, kind)


@njit
def score(s):
    """The scoring to come, now: longest street and majorities of every seat.  # NY-70, NY-72, NY-77"""
    for seat in seats(s):
        s.scores[seat] += int(s.street[seat]) + int(s.major[seat])


@njit
def refresh_clock(s):
    """Recompute what the observation says from `piles` to `purchases`."""
    clock = s.clock
    clock[CLOCK_DECK] = s.deck_size - s.deck_top
    clock[CLOCK_DISCARDS] = s.discards_size
    clock[CLOCK_BAG] = TILES - s.bag_top
    for i in range(2):
        in_deck = 1 - (s.scored >> i & 1)
        first, last = scoring_range(s, i)
        clock[CLOCK_OUT + i] = 1 - in_deck
        clock[CLOCK_DUE + 2 * i] = in_deck * (first + 1)
        clock[CLOCK_DUE + 2 * i + 1] = in_deck * (last + 1)
    scoring = next_scoring(s)
    for i in range(SCORINGS):
        clock[CLOCK_NEXT + i] = scoring == i
    clock[CLOCK_TURNS_LEFT] = min(s.max_turns - s.turns, TURNS_SHOWN)
    bought = 0
    for i in range(SLOTS):
        bought += s.depot[i] == NO_TILE
    clock[CLOCK_PURCHASES] = 0 if s.ending else bought


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
