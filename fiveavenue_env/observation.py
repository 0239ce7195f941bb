# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: `observe` fills the slices of table.py. [RULES.md section 7]

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n, Egon is last. Hidden are the other hands,
the black stack, coloured cards below the tops, the tiles out of the game and the park's order; hidden.py deals them.

Loops run over slices of the vector: a loop of known length would be unrolled and then not vectorised. Rows of lots
are copied whole (64), the values too many are overwritten by what comes next.
"""

from __future__ import annotations

import numpy as np

from fiveavenue_env.auctions import allowed_colours, black_sum, build_most
from fiveavenue_env.components import (
    BLOCKS,
    BONUS_STEP,
    CARD_KINDS,
    COLOURS,
    COMMISSIONS,
    COPIES,
    DISTRICTS,
    EGON,
    FIRST_BLACK,
    KINDS,
    LOTS,
    MAX_PLAYERS,
    NODES,
    PARK,
    PLACED_MOST,
    PLACES,
    ROW,
    START_BUILDINGS,
    VIEW,
)
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
)
from fiveavenue_env.table import VALUE_STEPS
from fiveavenue_env.worth import win_value
from skyline.jit import njit

# Lengths of the parts that are alike for all player counts.
HEAD = 7 + 4 + 2 + 2  # phase, turn_kind, turn_phase, turns_left, placements_left
WAYS = 2 * DISTRICTS + COMMISSIONS * (NODES + DISTRICTS)
ROW_OF_SHOPS = KINDS * (BLOCKS + 1) + 2
CARDS_SEEN = 2 * CARD_KINDS + COLOURS + 1
STACKS_SEEN = 4 * COLOURS + 2
CHOICE = 3 + KINDS + 1

# Shops until the next bonus, by shops placed; none comes after the ninth.  # FA-34
SHOPS_TO_BONUS = np.array(
    [BONUS_STEP - n % BONUS_STEP if n < PLACED_MOST - BONUS_STEP else 0 for n in range(PLACED_MOST + 1)]
)


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    players = int(s.players)
    clock = 3 * players + HEAD
    _observe_clock(s, seat, out[:clock])
    at = _observe_lots(s, seat, out, clock)
    _observe_ways(s, out[at : at + WAYS])
    at += WAYS
    _observe_shops(s, out[at : at + ROW_OF_SHOPS])
    at += ROW_OF_SHOPS
    at = _observe_players(s, seat, out, at)
    _observe_cards(s, seat, out[at : at + CARDS_SEEN])
    at += CARDS_SEEN
    _observe_stacks(s, out[at : at + STACKS_SEEN])
    at += STACKS_SEEN
    at = _observe_auction(s, seat, out, at)
    _observe_choice(s, out[at : at + CHOICE])
    at += CHOICE
    if out.shape[0] > at:
        for colour in range(COLOURS):
            out[at + colour] = round(VALUE_STEPS * win_value(s, seat, colour))
        at += COLOURS
    return at


@njit
def relative(s, seat, other):
    """Seat `other` counted from the viewer."""
    return other - seat if other >= seat else other - seat + int(s.players)


@njit
def _around(seat, j, n):
    """The j-th seat after the viewer."""
    return seat + j if seat + j < n else seat + j - n


@njit
def _observe_clock(s, seat, part):
    players = int(s.players)
    part[:] = 0
    part[2 * players + relative(s, seat, 0)] = 1
    rest = part[3 * players :]
    if s.phase != PHASE_OVER:
        part[relative(s, seat, int(s.seat))] = 1
        if s.phase != PHASE_PLACE:
            part[players + relative(s, seat, int(s.active))] = 1
        rest[s.phase] = 1
        if s.turn_kind != NO_TURN:
            rest[7 + s.turn_kind] = 1
        rest[11] = s.turn_phase == 1
        rest[12] = s.turn_phase == 3
    rest[13] = s.max_turns - s.turn
    rest[14] = START_BUILDINGS * players - s.placements


@njit
def _copy_lots(row, out, at):
    """A row of lots; the values behind it are overwritten later."""
    part = out[at : at + ROW]
    for i in range(part.shape[0]):
        part[i] = row[i]
    return at + LOTS


@njit
def _observe_lots(s, seat, out, at):
    players = int(s.players)
    for j in range(players):
        at = _copy_lots(s.buildings[_around(seat, j, players)], out, at)
    if players == 2:
        at = _copy_lots(s.buildings[EGON], out, at)
    part = out[at : at + VIEW]
    for i in range(part.shape[0]):
        part[i] = s.lot_view[i]
    return at + (2 * KINDS + 2) * LOTS


@njit
def _observe_ways(s, part):
    for d in range(DISTRICTS):
        part[d] = s.closed[d]
        part[DISTRICTS + d] = (s.empty_bits[d] == 0) & (s.closed[d] == 0)
    nodes = part[2 * DISTRICTS :]
    markers = nodes[COMMISSIONS * NODES :]
    nodes[:] = 0
    for c in range(COMMISSIONS):
        nodes[NODES * c + s.node[c]] = 1
        for i in range(s.marker_n[c]):
            markers[DISTRICTS * c + s.markers[c, i]] = i + 1


@njit
def _observe_shops(s, part):
    for block in range(BLOCKS):
        for k in range(KINDS):
            part[KINDS * block + k] = s.row_kinds[block, k]
    for k in range(KINDS):
        part[KINDS * BLOCKS + k] = s.park_kinds[k]
    part[KINDS * (BLOCKS + 1)] = s.placed
    part[KINDS * (BLOCKS + 1) + 1] = SHOPS_TO_BONUS[s.placed]


@njit
def _observe_players(s, seat, out, at):
    """Slices are cut first and places in them are constants: an index that is computed costs a test for its sign."""
    players = int(s.players)
    scores, margin, pieces = out[at : at + players], out[at + players : at + players + 1], at + players + 1
    reserve, supply = out[pieces : pieces + players], out[pieces + players : pieces + 2 * players]
    cp, cards = out[pieces + 2 * players : pieces + 3 * players], out[pieces + 3 * players : pieces + 4 * players]
    districts, points = out[pieces + 4 * players : pieces + 5 * players], pieces + 5 * players
    in_district, end = out[points : points + DISTRICTS * players], points + (DISTRICTS + 1) * players
    final = out[points + DISTRICTS * players : end]
    best = -1
    for j in range(MAX_PLAYERS):
        if j < players:
            p = _around(seat, j, players)
            score = int(s.scores[p])
            if j > 0:
                best = max(best, score)
            scores[j] = score
            reserve[j] = s.reserve[p]
            supply[j] = s.supply[p]
            cp[j] = s.cp[p]
            cards[j] = s.hand_size[p]
            districts[j] = s.districts[p]
            for d in range(DISTRICTS):
                in_district[DISTRICTS * j + d] = s.district_points[p, d]
            final[j] = score + s.points_now[p]
    margin[0] = s.scores[seat] - best
    return end


@njit
def _observe_cards(s, seat, part):
    """Own hand; copies that are neither in it nor open; cards of each colour in the other hands together."""
    hand, unseen, others = part[:CARD_KINDS], part[CARD_KINDS : 2 * CARD_KINDS], part[2 * CARD_KINDS :]
    own = s.hands[seat]
    for card in range(CARD_KINDS):
        held = int(own[card])
        hand[card] = held
        unseen[card] = COPIES[card] - held - s.shown[card]
    for colour in range(COLOURS):
        top, end = int(s.stack_top[colour]), int(s.stack_end[colour])
        seen = unseen[3 * colour] + unseen[3 * colour + 1] + unseen[3 * colour + 2]
        others[colour] = seen - (end - top)
        if end > top:
            unseen[3 * colour + s.stacks[colour, top] - 4] -= 1
    black = int(s.black_end) - int(s.black_top)
    others[COLOURS] = unseen[FIRST_BLACK] + unseen[FIRST_BLACK + 1] + unseen[FIRST_BLACK + 2] - black


@njit
def _observe_stacks(s, part):
    for colour in range(COLOURS):
        top, end = int(s.stack_top[colour]), int(s.stack_end[colour])
        value = int(s.stacks[colour, top]) if end > top else 0
        part[3 * colour] = value == 4
        part[3 * colour + 1] = value == 5
        part[3 * colour + 2] = value == 6
        part[3 * COLOURS + colour] = end - top
    part[4 * COLOURS] = int(s.black_end) - int(s.black_top)
    part[4 * COLOURS + 1] = s.black_above


@njit
def _observe_auction(s, seat, out, at):
    players = int(s.players)
    egon = players == 2
    length = 2 * PLACES + COMMISSIONS + (CARD_KINDS + 4) * players + 1 + 3 * COLOURS + 6 * egon
    part = out[at : at + length]
    part[:] = 0
    if s.auction_place == NO_PLACE:
        return at + length
    _observe_round(s, seat, part)
    table = part[2 * PLACES + COMMISSIONS + players :]
    total, passed = table[CARD_KINDS * players :], table[(CARD_KINDS + 1) * players :]
    rest = table[(CARD_KINDS + 2) * players :]
    for j in range(MAX_PLAYERS):
        if j < players:
            p = _around(seat, j, players)
            total[j] = s.table_total[p]
            passed[j] = s.passed >> p & 1
            if s.table_total[p] > 0:
                for card in range(CARD_KINDS):
                    table[CARD_KINDS * j + card] = s.table[p, card]
    rest[0] = s.standing
    if s.leader == EGON:
        rest[1 + players] = 1
    elif s.leader != NOBODY:
        rest[1 + relative(s, seat, int(s.leader))] = 1
    colours = rest[1 + players + egon :]
    if s.bid_colour != NO_COLOUR:
        colours[s.bid_colour] = 1
    if s.phase == PHASE_BID and not s.passed >> seat & 1:
        _observe_own_colours(s, seat, colours[COLOURS:])
    if egon:
        _observe_egon(s, colours[3 * COLOURS :])
    return at + length


@njit
def _observe_round(s, seat, part):
    """Place, commission, order of the auctions still to come, first player."""
    place, order = part[: PLACES + COMMISSIONS], part[PLACES + COMMISSIONS :]
    place[s.auction_place] = 1
    place[PLACES + s.commission] = 1
    left = int(s.marker_n[s.commission])
    for i in range(left):
        order[s.markers[s.commission, i]] = i + 1
    order[PARK] = left + 1
    order[PLACES + relative(s, seat, int(s.active))] = 1


@njit
def _observe_own_colours(s, seat, part):
    """Colours the viewer may use, and the sum it can come to in each."""
    hand = s.hands[seat]
    allowed = allowed_colours(s, seat)
    most = int(s.table_total[seat]) + black_sum(hand)
    for colour in range(COLOURS):
        if allowed >> colour & 1:
            part[colour] = 1
            cards = 4 * int(hand[3 * colour]) + 5 * int(hand[3 * colour + 1]) + 6 * int(hand[3 * colour + 2])
            part[COLOURS + colour] = most + cards


@njit
def _observe_egon(s, part):
    for i in range(s.egon_n):
        part[s.egon[i] - 4] += 1
    part[3] = s.egon_drawn
    part[4] = s.asked


@njit
def _observe_choice(s, part):
    """The last card of a raise, the shop to be placed, the buildings allowed."""
    part[:] = 0
    if s.last_black:
        part[1] = 1
        part[2] = s.last_black
    elif s.last_colour:
        part[0] = 1
        part[2] = s.last_colour
    if s.chosen_kind != NO_KIND:
        part[3 + s.chosen_kind] = 1
    if s.phase == PHASE_BUILD:
        part[7] = build_most(s)
