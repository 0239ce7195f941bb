# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: `observe` fills the slices of observation_table.py. [RULES.md section 7]

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, Egon is last. Hidden are the other hands,
the black stack, coloured cards below the tops, the tiles out of the game and the order of the park tiles, as far as
memory.py does not hold them; determinize.py deals them anew.

One-hot slices are written as the bits of one word, lots as rows of 64: what is written behind the end of a slice is
overwritten by the slices that come next. What a move changes in many slices at once is kept in the state in their order
(`piles`, `marks`, `auctions`), and no branch depends on the position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fiveavenue_env.auctions import build_most
from fiveavenue_env.components import (
    BLOCKS,
    BONUS_STEP,
    CARD_KINDS,
    COLOURS,
    COMMISSIONS,
    DISTRICTS,
    EGON,
    KINDS,
    LOT_PAIRS,
    LOTS,
    MAX_PLAYERS,
    NODES,
    PLACED_MOST,
    SIDES,
    START_BUILDINGS,
)
from fiveavenue_env.observation_table import SCORE_SHOWN, VALUE_STEPS
from fiveavenue_env.scoring import NO_LOTS, lots_with_room
from fiveavenue_env.state import (
    IN_HANDS,
    NO_COLOUR,
    NO_KIND,
    NO_PLACE,
    NO_TURN,
    NOBODY,
    NOT_OPEN,
    ORDER,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_TURN,
    PILES,
    STACK_TOPS,
    TURN_D,
)
from fiveavenue_env.valuation import best_shop, lots_that_gain, shop_gain_beside, win_value
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from, write_seats
from skyline.core.wide import widen, widen_from, widen_less, write_bits
from skyline.game import RECALL

SEATS, COUNTS, FEW = 3, 7, 15  # numbers & these stay as they are, and the compiler knows that none is negative
LANES = 64  # lots are written that many at a time
CARD_LANES = 32  # and cards of all kinds
CLOCK = 32  # to_move, active, start, phase, turn_kind, turn_phase: 3 P + CLOCK_END bits
TURN_KIND = PHASE_OVER  # behind a bit for every phase, TURN_A .. TURN_D
TURN_PHASE = TURN_KIND + TURN_D + 1  # 1 and 3
CLOCK_END = TURN_PHASE + 2
WAYS = 2 * DISTRICTS + COMMISSIONS * NODES  # closed, full, commissions
MARKS = COMMISSIONS * DISTRICTS
ROW_KINDS = KINDS * BLOCKS
RINGS = DISTRICTS * LOT_PAIRS  # bits in two words
CARD_COLOURS = COLOURS + 1
CHOICE = 3 + KINDS + 1  # raise_last, raise_value, shop, build_max
RECALL_A_SEAT = CARD_KINDS + CARD_COLOURS + 1 + 3  # known, covered, old_n, shown
RECALL_LENGTH = 3 * CARD_KINDS + COLOURS + 1 + 2 * 3 + KINDS  # hidden, under, next; first_part .. own_old; out

# Shops until the next bonus, by shops placed; none comes after the ninth.  # FA-34
SHOPS_TO_BONUS = np.array(
    [BONUS_STEP - n % BONUS_STEP if n < PLACED_MOST - BONUS_STEP else 0 for n in range(PLACED_MOST + 1)]
)


class Seats(NamedTuple):
    """The number of seats, and who sits where, counted from the viewer; a seat that is not there is any."""

    number: int
    first: int
    second: int
    third: int
    fourth: int


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    seats = _seats_from(int(seat) & SEATS, int(s.players) & COUNTS)
    at = _observe_clock(s, seats, out, 0)
    at = _observe_lots(s, seats, out, at)
    at = _observe_ways(s, out, at)
    at = _observe_shops(s, out, at)
    at = _observe_players(s, seats, out, at)
    at = _observe_cards(s, seats.first, out, at)
    at = _observe_auction(s, seats, out, at)
    at = _observe_bids(s, seats, out, at)
    write_bits(out, at, s.ring_bits[0], LANES)
    write_bits(out, at + LANES, s.ring_bits[1], LANES)
    at = _observe_memory(s, seats, out, at + RINGS)
    return _observe_worth(s, seats.first, out, at) if out.shape[0] > at else at


@njit
def _seats_from(viewer, n):
    second, third = around(viewer, 1, n) & SEATS, around(viewer, 2, n) & SEATS
    return Seats(n, viewer, second, third, around(viewer, 3, n) & SEATS)


@njit
def _observe_clock(s, seats, out, at):
    runs, rest = int(s.phase != PHASE_OVER), 3 * seats.number
    begun = runs & int(s.phase != PHASE_PLACE)
    bits = 1 << (2 * seats.number + _seen(seats, 0))
    bits |= runs << _seen(seats, int(s.seat))
    bits |= begun << (seats.number + _seen(seats, int(s.active)))
    bits |= runs << (rest + int(s.phase))
    bits |= (runs & int(s.turn_kind != NO_TURN)) << (rest + TURN_KIND + (int(s.turn_kind) & 3))
    bits |= (runs & int(s.turn_phase == 1)) << (rest + TURN_PHASE)
    bits |= (runs & int(s.turn_phase == 3)) << (rest + TURN_PHASE + 1)
    write_bits(out, at, np.uint64(bits), CLOCK)
    at += rest + CLOCK_END
    out[at] = s.max_turns - s.turn
    out[at + 1] = START_BUILDINGS * seats.number - s.placements
    return at + 2


@njit
def _seen(seats, seat):
    """How far a seat is behind the viewer; anything below 8 for nobody."""
    return seen_from(seats.first, seat, seats.number) & COUNTS


@njit
def _observe_lots(s, seats, out, at):
    widen_from(out, at, s.buildings, LOTS * seats.first, LANES)
    widen_from(out, at + LOTS, s.buildings, LOTS * seats.second, LANES)
    if seats.number == 2:
        widen_from(out, at + 2 * LOTS, s.buildings, LOTS * EGON, LANES)
    else:
        widen_from(out, at + 2 * LOTS, s.buildings, LOTS * seats.third, LANES)
        widen_from(out, at + 3 * LOTS, s.buildings, LOTS * seats.fourth, LANES)
    at += LOTS * max(seats.number, 3)
    at = _observe_kinds(s.shops, out, at)
    write_bits(out, at, s.empty_lots, LANES)
    widen_from(out, at + LOTS, s.lot_points, 0, LANES)
    return _observe_kinds(s.kinds_beside, out, at + 2 * LOTS)


@njit
def _observe_kinds(lots, out, at):
    """A number for every kind and lot."""
    widen_from(out, at, lots, 0, LANES)
    widen_from(out, at + LANES, lots, LANES, LANES)
    widen_from(out, at + 2 * LANES, lots, 2 * LANES, LANES)
    return at + KINDS * LOTS


@njit
def _observe_ways(s, out, at):
    """Closed and full districts, commissions, markers."""
    bits = np.int64(s.closed_bits) | np.int64(s.full_bits) << DISTRICTS
    for c in range(COMMISSIONS):
        bits |= 1 << (2 * DISTRICTS + NODES * c + int(s.node[c]))
    write_bits(out, at, np.uint64(bits), WAYS)
    widen_from(out, at + WAYS, s.marks, 0, 16)
    return at + WAYS + MARKS


@njit
def _observe_shops(s, out, at):
    widen(out, at, s.row_kinds, ROW_KINDS)
    widen(out, at + ROW_KINDS, s.park_kinds, KINDS)
    at += ROW_KINDS + KINDS
    placed = int(s.placed) & FEW
    out[at] = placed
    out[at + 1] = SHOPS_TO_BONUS[placed]
    return at + 2


@njit
def _observe_players(s, seats, out, at):
    n = seats.number
    pieces = at + n + 1
    points = pieces + 5 * n
    write_seats(out, pieces, s.reserve, seats.first, n)
    write_seats(out, pieces + n, s.supply, seats.first, n)
    write_seats(out, pieces + 2 * n, s.cp, seats.first, n)
    write_seats(out, pieces + 3 * n, s.hand_size, seats.first, n)
    write_seats(out, pieces + 4 * n, s.districts, seats.first, n)
    _observe_rows(s.district_points, DISTRICTS, seats, out, points, DISTRICTS)
    final = points + DISTRICTS * n
    own = _observe_score(s, seats.first, out, at, final)
    best = _observe_score(s, seats.second, out, at + 1, final + 1)
    if n > 2:
        best = max(best, _observe_score(s, seats.third, out, at + 2, final + 2))
    if n > 3:
        best = max(best, _observe_score(s, seats.fourth, out, at + 3, final + 3))
    out[at + n] = max(min(own - best, SCORE_SHOWN), -SCORE_SHOWN)
    return final + n


@njit
def _observe_score(s, p, out, at, final):
    """The score of a seat, and with the points of the districts; the score."""
    score = int(s.scores[p])
    out[at] = min(score, SCORE_SHOWN)
    out[final] = min(score + int(s.points_now[p]), SCORE_SHOWN)
    return score


@njit
def _observe_rows(rows, width, seats, out, at, step):
    """The first numbers, at most eight, of the row of every seat."""
    widen_from(out, at, rows, width * seats.first, 8)
    widen_from(out, at + step, rows, width * seats.second, 8)
    if seats.number > 2:
        widen_from(out, at + 2 * step, rows, width * seats.third, 8)
    if seats.number > 3:
        widen_from(out, at + 3 * step, rows, width * seats.fourth, 8)


@njit
def _observe_kinds_of_cards(rows, seats, out, at):
    """A row of cards for every seat."""
    widen_from(out, at, rows, CARD_KINDS * seats.first, CARD_LANES)
    widen_from(out, at + CARD_KINDS, rows, CARD_KINDS * seats.second, CARD_LANES)
    if seats.number > 2:
        widen_from(out, at + 2 * CARD_KINDS, rows, CARD_KINDS * seats.third, CARD_LANES)
    if seats.number > 3:
        widen_from(out, at + 3 * CARD_KINDS, rows, CARD_KINDS * seats.fourth, CARD_LANES)
    return at + CARD_KINDS * seats.number


@njit
def _observe_cards(s, seat, out, at):
    """Own hand; copies that are neither in it nor open; cards of each colour in the other hands; then the stacks."""
    widen_from(out, at, s.hands, CARD_KINDS * seat, CARD_LANES)
    at += CARD_KINDS
    widen_less(out, at, s.piles, NOT_OPEN, s.hands, CARD_KINDS * seat, CARD_LANES)
    at += CARD_KINDS
    widen_less(out, at, s.piles, IN_HANDS, s.hand_colours, 8 * seat, 8)
    at += CARD_COLOURS
    widen_from(out, at, s.piles, STACK_TOPS, CARD_LANES)
    return at + PILES - STACK_TOPS


@njit
def _observe_auction(s, seats, out, at):
    """Place, commission, order of the auctions still to come, first player; the tables."""
    runs = int(s.auction_place != NO_PLACE)
    widen_from(out, at, s.auctions, 0, CARD_LANES)
    at += ORDER
    write_bits(out, at, np.uint64(runs << _seen(seats, int(s.active))), MAX_PLAYERS)
    at = _observe_kinds_of_cards(s.table, seats, out, at + seats.number)
    write_seats(out, at, s.table_total, seats.first, seats.number)
    return at + seats.number


@njit
def _observe_bids(s, seats, out, at):
    """Who has passed, the highest bid; what the viewer may use and the sum it can come to; Egon; the decision."""
    n, seat, egon, shop = seats.number, seats.first, int(seats.number == 2), int(s.chosen_kind)
    leader, colour = n + 1, 2 * n + 1 + egon
    reach, choice = colour + 2 * COLOURS, colour + 3 * COLOURS + 5 * egon
    allowed, leads = int(s.allowed[seat]), n if s.leader == EGON else _seen(seats, int(s.leader))
    bits = ((int(s.passed) << n | int(s.passed)) >> seat) & ((1 << n) - 1)
    bits |= int(s.leader != NOBODY) << (leader + leads)
    bits |= int(s.bid_colour != NO_COLOUR) << (colour + (int(s.bid_colour) & 7))
    bits |= allowed << (colour + COLOURS)
    bits |= int((s.last_black == 0) & (s.last_colour != 0)) << choice | int(s.last_black != 0) << (choice + 1)
    bits |= int(shop != NO_KIND) << (choice + 3 + (shop & 3))
    write_bits(out, at, np.uint64(bits), LANES)
    out[at + n] = s.standing
    _observe_reach(s, seat, allowed, out, at + reach)
    if egon:
        widen_from(out, at + reach + COLOURS, s.egon_kinds, 0, 4)
        out[at + reach + COLOURS + 3] = s.egon_drawn
        out[at + reach + COLOURS + 4] = s.asked
    at += choice
    out[at + 2] = s.last_black if s.last_black else s.last_colour
    out[at + 7] = build_most(s)
    return at + CHOICE


@njit
def _observe_reach(s, seat, allowed, out, at):
    """For each allowed colour the sum of the viewer's cards on the table, in that colour and in black."""
    most = np.int64(s.table_total[seat]) + np.int64(s.hand_sums[seat, CARD_KINDS - 1])
    for colour in range(COLOURS):
        reach = most + np.int64(s.hand_sums[seat, 3 * colour + 2])
        out[at + colour] = reach * (allowed >> colour & 1)


# ---------------------------------------------------------------- what is remembered  [7.2]


@njit
def _observe_memory(s, seats, out, at):
    """Sure cards, unseen ones, known parts of the stacks, the black cards since the last shuffle; zeros with TABLE."""
    if s.memory != RECALL:
        part = out[at : at + RECALL_LENGTH + RECALL_A_SEAT * seats.number]
        part[:] = 0
        return at + RECALL_LENGTH + RECALL_A_SEAT * seats.number
    at = _observe_kinds_of_cards(s.memory_known, seats, out, at)
    _observe_rows(s.memory_unseen, 8, seats, out, at, CARD_COLOURS)
    at += CARD_COLOURS * seats.number
    widen_from(out, at, s.memory_hidden, 0, CARD_LANES)
    at += CARD_KINDS
    widen_from(out, at, s.memory_first, 0, 8)
    widen_from(out, at + COLOURS, s.memory_under, 0, CARD_LANES)
    at += COLOURS + CARD_KINDS
    write_bits(out, at, np.uint64(s.memory_next), 32)
    at += CARD_KINDS
    out[at] = s.memory_unknown
    widen(out, at + 1, s.memory_old_all, 4)
    widen_from(out, at + 4, s.memory_old, 4 * seats.first, 4)
    return _observe_shown(s, seats, out, at + 7)


@njit
def _observe_shown(s, seats, out, at):
    """By seat the number of its old black cards, and what it has shown of unseen ones since; the tiles out."""
    write_seats(out, at, s.memory_old_n, seats.first, seats.number)
    at += seats.number
    widen_from(out, at, s.memory_shown, 4 * seats.first, 4)
    widen_from(out, at + 3, s.memory_shown, 4 * seats.second, 4)
    if seats.number > 2:
        widen_from(out, at + 6, s.memory_shown, 4 * seats.third, 4)
    if seats.number > 3:
        widen_from(out, at + 9, s.memory_shown, 4 * seats.fourth, 4)
    at += 3 * seats.number
    widen(out, at, s.memory_out, KINDS)
    return at + KINDS


# ---------------------------------------------------------------- the rich slices


@njit
def _observe_worth(s, seat, out, at):
    """The values of the auction, of the shop to be placed and of a shop of each kind to the viewer."""
    for colour in range(COLOURS):
        out[at + colour] = round(VALUE_STEPS * win_value(s, seat, colour))
    at += COLOURS
    placing = s.chosen_kind != NO_KIND
    gaining = lots_that_gain(s, int(s.chosen_kind)) if placing else NO_LOTS
    for lot in range(LOTS):
        fits = placing and s.room_bits[lot // SIDES] >> (lot % SIDES) & 1
        out[at + lot] = round(VALUE_STEPS * shop_gain_beside(s, seat, lot, gaining)) if fits else 0
    at += LOTS
    choosing = s.phase == PHASE_TURN and s.blocks > 0 and lots_with_room(s) != NO_LOTS
    for kind in range(KINDS):
        out[at + kind] = round(VALUE_STEPS * best_shop(s, seat, kind)) if choosing else 0
    return at + KINDS
