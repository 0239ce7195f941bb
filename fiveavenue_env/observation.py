# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: `observe` fills the slices of observation_table.py. [RULES.md section 7]

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, Egon is last. Hidden are the other hands,
the black stack, coloured cards below the tops, the tiles out of the game and the order of the park tiles, as far as
memory.py does not hold them; determinize.py deals them anew.

One-hot slices are written as the bits of one word, lots as rows of 64: what is written behind the end of a slice is
overwritten by the slices that come next.
"""

from __future__ import annotations

import numpy as np

from fiveavenue_env.auctions import allowed_colours, black_sum, build_most
from fiveavenue_env.components import (
    BLOCKS,
    BONUS_STEP,
    CARD_COPIES,
    CARD_KINDS,
    COLOURS,
    COMMISSIONS,
    DISTRICTS,
    EGON,
    FIRST_BLACK,
    KINDS,
    LOT_PAIRS,
    LOTS,
    NODES,
    PARK,
    PLACED_MOST,
    PLACES,
    ROW,
    SIDES,
    START_BUILDINGS,
)
from fiveavenue_env.observation_table import SCORE_SHOWN, VALUE_STEPS
from fiveavenue_env.scoring import NO_LOTS, lots_with_room, word_of_lots
from fiveavenue_env.state import (
    NO_COLOUR,
    NO_KIND,
    NO_PLACE,
    NO_TURN,
    NOBODY,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_TURN,
)
from fiveavenue_env.valuation import best_shop, shop_gain, win_value
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from
from skyline.core.wide import widen, write_bits
from skyline.game import RECALL

# Bits written at once: at least the length of the slices together, at most what is left of the vector.
CLOCK = 32  # to_move, active, start, phase, turn_kind, turn_phase: 3 P + 13
WAYS = 2 * DISTRICTS + COMMISSIONS * (NODES + DISTRICTS)  # closed, full, commissions, markers
ROUND = 32  # place, commission, order, first: 18 + P
STANDING = 24  # leader, bid_colour, allowed, reach, egon, egon_drawn, decisions: P + 15, two players 23
TOPS = 16  # stack_top: 15
CHOICE = 3 + KINDS + 1  # raise_last, raise_value, shop, build_max

FIRST_MARKER = 2 * DISTRICTS + COMMISSIONS * NODES
ROW_KINDS = KINDS * BLOCKS
RINGS = DISTRICTS * LOT_PAIRS  # bits in two words
CARD_COLOURS = COLOURS + 1
RECALL_A_SEAT = CARD_KINDS + CARD_COLOURS + 1 + 3  # known, covered, old_n, shown
RECALL_LENGTH = 3 * CARD_KINDS + COLOURS + 1 + 2 * 3 + KINDS  # hidden, under, next; first_part .. own_old; out

# Shops until the next bonus, by shops placed; none comes after the ninth.  # FA-34
SHOPS_TO_BONUS = np.array(
    [BONUS_STEP - n % BONUS_STEP if n < PLACED_MOST - BONUS_STEP else 0 for n in range(PLACED_MOST + 1)]
)


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    seat = int(seat)
    at = _observe_clock(s, seat, out, 0)
    at = _observe_lots(s, seat, out, at)
    at = _observe_ways(s, out, at)
    at = _observe_shops(s, out, at)
    at = _observe_players(s, seat, out, at)
    at = _observe_cards(s, seat, out, at)
    at = _observe_stacks(s, out, at)
    at = _observe_auction(s, seat, out, at)
    at = _observe_choice(s, out, at)
    write_bits(out, at, s.ring_bits[0], 64)
    write_bits(out, at + 64, s.ring_bits[1], 64)
    at = _observe_memory(s, seat, out, at + RINGS)
    return _observe_worth(s, seat, out, at) if out.shape[0] > at else at


@njit
def _observe_clock(s, seat, out, at):
    players = int(s.players)
    bits = 1 << (2 * players + seen_from(seat, 0, players))
    rest = 3 * players
    if s.phase != PHASE_OVER:
        bits |= 1 << seen_from(seat, int(s.seat), players)
        if s.phase != PHASE_PLACE:
            bits |= 1 << (players + seen_from(seat, int(s.active), players))
        bits |= 1 << (rest + int(s.phase))
        if s.turn_kind != NO_TURN:
            bits |= 1 << (rest + 7 + int(s.turn_kind))
        bits |= int(s.turn_phase == 1) << (rest + 11)
        bits |= int(s.turn_phase == 3) << (rest + 12)
    write_bits(out, at, np.uint64(bits), CLOCK)
    at += rest + 13
    out[at] = s.max_turns - s.turn
    out[at + 1] = START_BUILDINGS * players - s.placements
    return at + 2


@njit
def _observe_lots(s, seat, out, at):
    players = int(s.players)
    for j in range(players):
        widen(out, at, s.buildings[around(seat, j, players)], ROW)
        at += LOTS
    if players == 2:
        widen(out, at, s.buildings[EGON], ROW)
        at += LOTS
    for k in range(KINDS):
        widen(out, at + LOTS * k, s.shops[k], ROW)
    at += LOTS * KINDS
    write_bits(out, at, word_of_lots(s.empty_bits), ROW)
    widen(out, at + LOTS, s.lot_points, ROW)
    at += 2 * LOTS
    for k in range(KINDS):
        widen(out, at + LOTS * k, s.kinds_beside[k], ROW)
    return at + LOTS * KINDS


@njit
def _observe_ways(s, out, at):
    """Closed and full districts, commissions; then the markers by their order, the rest of them is 0."""
    bits = int(s.closed_bits)
    for d in range(DISTRICTS):
        bits |= int((s.empty_bits[d] == 0) & (s.closed[d] == 0)) << (DISTRICTS + d)
    for c in range(COMMISSIONS):
        bits |= 1 << (2 * DISTRICTS + NODES * c + int(s.node[c]))
    write_bits(out, at, np.uint64(bits), WAYS)
    for c in range(COMMISSIONS):
        for i in range(s.marker_n[c]):
            out[at + FIRST_MARKER + DISTRICTS * c + int(s.markers[c, i])] = i + 1
    return at + WAYS


@njit
def _observe_shops(s, out, at):
    widen(out, at, s.row_kinds, ROW_KINDS)
    widen(out, at + ROW_KINDS, s.park_kinds, KINDS)
    at += ROW_KINDS + KINDS
    out[at] = s.placed
    out[at + 1] = SHOPS_TO_BONUS[s.placed]
    return at + 2


@njit
def _observe_players(s, seat, out, at):
    players = int(s.players)
    pieces, best = at + players + 1, -1
    points = pieces + 5 * players
    final = points + DISTRICTS * players
    for j in range(players):
        p = around(seat, j, players)
        score = int(s.scores[p])
        if j > 0:
            best = max(best, score)
        out[at + j] = min(score, SCORE_SHOWN)
        out[pieces + j] = s.reserve[p]
        out[pieces + players + j] = s.supply[p]
        out[pieces + 2 * players + j] = s.cp[p]
        out[pieces + 3 * players + j] = s.hand_size[p]
        out[pieces + 4 * players + j] = s.districts[p]
        widen(out, points + DISTRICTS * j, s.district_points[p], DISTRICTS)
        out[final + j] = min(score + int(s.points_now[p]), SCORE_SHOWN)
    out[at + players] = max(min(int(s.scores[seat]) - best, SCORE_SHOWN), -SCORE_SHOWN)
    return final + players


@njit
def _observe_cards(s, seat, out, at):
    """Own hand; copies that are neither in it nor open; cards of each colour in the other hands together."""
    own, unseen, others = s.hands[seat], out[at + CARD_KINDS : at + 2 * CARD_KINDS], at + 2 * CARD_KINDS
    widen(out, at, own, CARD_KINDS)
    for card in range(CARD_KINDS):
        unseen[card] = CARD_COPIES[card] - own[card] - s.shown[card]
    for colour in range(COLOURS):
        top, end = int(s.stack_top[colour]), int(s.stack_end[colour])
        seen = int(unseen[3 * colour]) + int(unseen[3 * colour + 1]) + int(unseen[3 * colour + 2])
        out[others + colour] = seen - (end - top)
        if end > top:
            unseen[3 * colour + s.stacks[colour, top] - 4] -= 1
    black = int(unseen[FIRST_BLACK]) + int(unseen[FIRST_BLACK + 1]) + int(unseen[FIRST_BLACK + 2])
    out[others + COLOURS] = black - (int(s.black_end) - int(s.black_top))
    return others + COLOURS + 1


@njit
def _observe_stacks(s, out, at):
    tops, sizes = 0, at + 3 * COLOURS
    for colour in range(COLOURS):
        top, end = int(s.stack_top[colour]), int(s.stack_end[colour])
        if end > top:
            tops |= 1 << (3 * colour + int(s.stacks[colour, top]) - 4)
    write_bits(out, at, np.uint64(tops), TOPS)
    for colour in range(COLOURS):
        out[sizes + colour] = int(s.stack_end[colour]) - int(s.stack_top[colour])
    out[sizes + COLOURS] = int(s.black_end) - int(s.black_top)
    out[sizes + COLOURS + 1] = s.black_above
    return sizes + COLOURS + 2


@njit
def _observe_auction(s, seat, out, at):
    players = int(s.players)
    length = 2 * PLACES + COMMISSIONS + (CARD_KINDS + 4) * players + 1 + 3 * COLOURS + 6 * (players == 2)
    if s.auction_place == NO_PLACE:
        part = out[at : at + length]
        part[:] = 0
        return at + length
    table = _observe_round(s, seat, out, at)
    total = table + CARD_KINDS * players
    for j in range(players):
        p = around(seat, j, players)
        widen(out, table + CARD_KINDS * j, s.table[p], CARD_KINDS)
        out[total + j] = s.table_total[p]
        out[total + players + j] = s.passed >> p & 1
    out[total + 2 * players] = s.standing
    _observe_standing(s, seat, out, total + 2 * players + 1)
    return at + length


@njit
def _observe_round(s, seat, out, at):
    """Place, commission, order of the auctions still to come, first player."""
    order, left = at + PLACES + COMMISSIONS, int(s.marker_n[s.commission])
    first = PLACES + COMMISSIONS + PLACES
    bits = 1 << int(s.auction_place) | 1 << (PLACES + int(s.commission))
    bits |= 1 << (first + seen_from(seat, int(s.active), int(s.players)))
    write_bits(out, at, np.uint64(bits), ROUND)
    for i in range(left):
        out[order + int(s.markers[s.commission, i])] = i + 1
    out[order + PARK] = left + 1
    return at + first + int(s.players)


@njit
def _observe_standing(s, seat, out, at):
    """Leader, colour, then what the viewer may use and the sum it can come to in each colour, then Egon."""
    egon = int(s.players == 2)
    colour = int(s.players) + egon
    allowed = allowed_colours(s, seat) if s.phase == PHASE_BID and not s.passed >> seat & 1 else 0
    bits = int(allowed) << (colour + COLOURS)
    if s.leader == EGON:
        bits |= 1 << int(s.players)
    elif s.leader != NOBODY:
        bits |= 1 << seen_from(seat, int(s.leader), int(s.players))
    if s.bid_colour != NO_COLOUR:
        bits |= 1 << (colour + int(s.bid_colour))
    write_bits(out, at, np.uint64(bits), STANDING)
    at += colour + 2 * COLOURS
    if allowed:
        _observe_reach(s, seat, allowed, out, at)
    if egon:
        _observe_egon(s, out, at + COLOURS)


@njit
def _observe_reach(s, seat, allowed, out, at):
    hand = s.hands[seat]
    most = int(s.table_total[seat]) + black_sum(hand)
    for colour in range(COLOURS):
        if allowed >> colour & 1:
            cards = 4 * int(hand[3 * colour]) + 5 * int(hand[3 * colour + 1]) + 6 * int(hand[3 * colour + 2])
            out[at + colour] = most + cards


@njit
def _observe_egon(s, out, at):
    for i in range(s.egon_n):
        out[at + int(s.egon[i]) - 4] += 1
    out[at + 3] = s.egon_drawn
    out[at + 4] = s.asked


@njit
def _observe_choice(s, out, at):
    """The last card of a raise, the shop to be placed, the buildings allowed."""
    bits = 0
    if s.chosen_kind != NO_KIND:
        bits = 1 << (3 + int(s.chosen_kind))
    elif s.last_black:
        bits = 2
    elif s.last_colour:
        bits = 1
    write_bits(out, at, np.uint64(bits), CHOICE)
    if s.last_black or s.last_colour:
        out[at + 2] = s.last_black if s.last_black else s.last_colour
    if s.phase == PHASE_BUILD:
        out[at + 7] = build_most(s)
    return at + CHOICE


# ---------------------------------------------------------------- what is remembered  [7.2]


@njit
def _observe_memory(s, seat, out, at):
    """Sure cards, unseen ones, known parts of the stacks, the black cards since the last shuffle; zeros with TABLE."""
    players = int(s.players)
    if s.memory != RECALL:
        part = out[at : at + RECALL_LENGTH + RECALL_A_SEAT * players]
        part[:] = 0
        return at + RECALL_LENGTH + RECALL_A_SEAT * players
    covered = at + CARD_KINDS * players
    for j in range(players):
        p = around(seat, j, players)
        widen(out, at + CARD_KINDS * j, s.memory_known[p], CARD_KINDS)
        widen(out, covered + CARD_COLOURS * j, s.memory_unseen[p], 8)
    at = covered + CARD_COLOURS * players
    widen(out, at, s.memory_hidden, CARD_KINDS)
    at += CARD_KINDS
    widen(out, at, s.memory_first, COLOURS)
    widen(out, at + COLOURS, s.memory_under, CARD_KINDS)
    at += COLOURS + CARD_KINDS
    write_bits(out, at, np.uint64(s.memory_next), 32)
    at += CARD_KINDS
    out[at] = s.memory_unknown
    widen(out, at + 1, s.memory_old_all, 4)
    widen(out, at + 4, s.memory_old[seat], 4)
    return _observe_shown(s, seat, out, at + 7)


@njit
def _observe_shown(s, seat, out, at):
    """By seat the number of its old black cards, and what it has shown of unseen ones since."""
    players = int(s.players)
    for j in range(players):
        p = around(seat, j, players)
        out[at + j] = s.memory_old_n[p]
        widen(out, at + players + 3 * j, s.memory_shown[p], 4)
    at += 4 * players
    widen(out, at, s.memory_out, KINDS)
    return at + KINDS


# ---------------------------------------------------------------- the rich slices


@njit
def _observe_worth(s, seat, out, at):
    """The values of the auction, of the shop to be placed and of a shop of each kind to the viewer."""
    for colour in range(COLOURS):
        out[at + colour] = round(VALUE_STEPS * win_value(s, seat, colour))
    at += COLOURS
    for lot in range(LOTS):
        placing = s.chosen_kind != NO_KIND and s.room_bits[lot // SIDES] >> (lot % SIDES) & 1
        out[at + lot] = round(VALUE_STEPS * shop_gain(s, seat, int(s.chosen_kind), lot)) if placing else 0
    at += LOTS
    choosing = s.phase == PHASE_TURN and s.blocks > 0 and lots_with_room(s) != NO_LOTS
    for kind in range(KINDS):
        out[at + kind] = round(VALUE_STEPS * best_shop(s, seat, kind)) if choosing else 0
    return at + KINDS
