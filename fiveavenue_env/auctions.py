# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Auction rounds: bids, Egon, building and closing. [RULES.md FA-50 .. FA-83, FA-100 .. FA-115, FA-D5, FA-D6]"""

from __future__ import annotations

import numpy as np

from fiveavenue_env.actions import BID, CLOSE, FIRST_ADD, FIRST_BUILD, PASS
from fiveavenue_env.cards import add_card, discard, draw_for_egon, highest_laid, take_cards_back
from fiveavenue_env.city import close_district, egon_builds, is_last_closing, put_buildings, take_marker_back
from fiveavenue_env.components import (
    CARD_KINDS,
    COLOURS,
    COMMISSIONS,
    DISTRICTS,
    EGON,
    EGON_MOST,
    FIRST_BLACK,
    PARK,
    PLACES,
    SIDES,
)
from fiveavenue_env.scoring import is_full
from fiveavenue_env.state import NO_COLOUR, NO_LOT, NO_PLACE, NOBODY, PHASE_BID, PHASE_BUILD
from fiveavenue_env.turns import after_move, clear_auction, clear_bids, end_game
from skyline.core.jit import njit
from skyline.core.wide import bits_at_most, bits_of, write_bits

ALL_COLOURS = (1 << COLOURS) - 1
BID_ACTIONS = PASS + 1 - FIRST_ADD
BUILD_ACTIONS = CLOSE + 1 - FIRST_BUILD
MOST_SUM = 255  # more than the cards of a colour in a hand come to

# Kinds of cards as bits: of the allowed colours, black, and those whose value is at most the last one laid (0: all)
CARDS_ALLOWED = np.array([sum(7 << 3 * c for c in range(COLOURS) if bits >> c & 1) for bits in range(32)], np.uint64)
BLACK_KINDS = np.uint64(7 << FIRST_BLACK)
VALUES_TO = np.array(
    [sum(1 << card for card in range(CARD_KINDS) if 4 + card % 3 <= (last or 6)) for last in range(7)], np.uint64
)

# ---------------------------------------------------------------- the round


@njit
def begin_round(s, commission):
    """The moved commission's markers are auctioned, then Central Park.  # FA-26, FA-50"""
    s.commission = commission
    begin_auction(s)


@njit
def begin_auction(s):
    """The next auction of the round; the active seat is its first player.  # FA-56"""
    clear_bids(s)
    c = s.commission
    s.auction_place = s.markers[c, 0] if s.marker_n[c] > 0 else PARK  # FA-80
    s.phase, s.seat = PHASE_BID, s.active
    survey_auction(s)


@njit
def survey_auction(s):
    """Recompute the caches of the auction: the order of places, the colours that each seat may lay."""
    c = s.commission
    s.auctions[:] = 0
    s.allowed[:] = 0
    if s.auction_place == NO_PLACE:
        return
    s.auctions[s.auction_place] = 1
    s.auctions[PLACES + c] = 1
    for d in range(DISTRICTS):
        s.auctions[PLACES + COMMISSIONS + d] = s.marks[c, d]
    s.auctions[PLACES + COMMISSIONS + PARK] = s.marker_n[c] + 1
    if s.phase == PHASE_BID:
        _see_allowed(s)


@njit
def _see_allowed(s):
    """The colours that each seat may lay from now on; a card laid changes them for its seat alone."""
    for p in range(s.players):
        s.allowed[p] = 0 if s.passed >> p & 1 else allowed_colours(s, p)


@njit
def _end_auction(s):
    """The marker goes back; then the next auction, or the turn goes on.  # FA-51, FA-52, FA-91"""
    if is_last_closing(s):
        end_game(s)
    elif s.auction_place == PARK:
        clear_auction(s)
        after_move(s)
    else:
        take_marker_back(s, s.commission, s.auction_place)
        begin_auction(s)


# ---------------------------------------------------------------- bids


@njit
def allowed_colours(s, p):
    """The colours the seat may lay in this auction, as bits.  # FA-53, FA-54, FA-55, FA-57, FA-80"""
    if s.table_colour[p] != NO_COLOUR:
        return 1 << s.table_colour[p]
    return colours_to_begin(s, p)


@njit
def colours_to_begin(s, p):
    """The colours of the seat's first card in this auction, as bits.  # FA-53, FA-54, FA-55, FA-80"""
    if s.auction_place == PARK:
        return ALL_COLOURS if s.bid_colour == NO_COLOUR else 1 << s.bid_colour  # FA-81
    d = s.auction_place
    if s.home[p, d] != NO_LOT:
        return 1 << s.home[p, d]
    return int(s.shop_bits[d]) if is_full(s, d) else int(s.empty_bits[d])


@njit
def legal_bid(s, mask):
    """A pass before the first card; a card from which the standing bid can still be passed; bid when it is. # FA-D5"""
    p = s.seat
    missing = int(s.standing) - int(s.table_total[p])
    bits = int(missing < 0) << (BID - FIRST_ADD)
    bits |= int((s.last_colour == 0) & (s.last_black == 0)) << (PASS - FIRST_ADD)
    held = bits_of(s.hands[p], 0, CARD_KINDS)
    coloured = CARDS_ALLOWED[s.allowed[p]] & VALUES_TO[s.last_colour] * np.uint64(s.last_black == 0)
    coloured &= _reaching(s.hand_sums[p], missing - np.int64(s.hand_sums[p, CARD_KINDS - 1]))
    black = BLACK_KINDS * np.uint64(s.table_colour[p] != NO_COLOUR) & VALUES_TO[s.last_black]
    black &= _reaching(s.hand_sums[p], missing)
    write_bits(mask, FIRST_ADD, np.uint64(bits) | held & (coloured | black), BID_ACTIONS)


@njit
def _reaching(sums, missing):
    """The cards that with all lower ones of their colour come to more than what is missing, as bits."""
    less = bits_at_most(sums, min(max(missing, 0), MOST_SUM), CARD_KINDS)
    return ~(less * np.uint64(missing >= 0))


@njit
def apply_bid(s, action):
    """Lay a card, bid what lies there, or pass."""
    p = int(s.seat)
    if action < BID:
        card = action - FIRST_ADD
        add_card(s, p, card)
        if card < FIRST_BLACK:
            s.last_colour = 4 + card % 3
        else:
            s.last_black = 4 + card - FIRST_BLACK
        return
    if action == BID:
        s.standing, s.leader = s.table_total[p], p  # FA-58
        if s.auction_place == PARK:
            s.bid_colour = s.table_colour[p]  # FA-80
            _see_allowed(s)
    else:
        take_cards_back(s, p)  # FA-60
        s.passed |= 1 << p
        s.allowed[p] = 0
    s.last_colour, s.last_black = 0, 0
    _next_bidder(s, p)


@njit
def _next_bidder(s, p):
    """The next seat that has not passed and does not lead, or the end. [section 6]  # FA-61, FA-101, FA-103"""
    players = int(s.players)
    candidate = p + 1 if p + 1 < players else 0
    if players == 2 and s.asked < 2:
        s.asked += 1
        if s.asked == 1:
            s.seat = 1 - p
            return
        egon_bids(s)
        candidate = int(s.active)
    for _ in range(players):
        if candidate != s.leader and not s.passed >> candidate & 1:
            s.seat = candidate
            return
        candidate = candidate + 1 if candidate + 1 < players else 0
    _decided(s)


@njit
def egon_bids(s):
    """Egon turns up black cards until a value comes again.  # FA-101, FA-102, FA-103, FA-R10"""
    total, seen = 0, 0
    while s.egon_n < EGON_MOST:
        value = draw_for_egon(s)
        if value == 0:
            break
        total += value
        if seen >> value & 1:
            break
        seen |= 1 << value
    s.egon_drawn = 1
    if total > s.standing:
        s.standing, s.leader = total, EGON


@njit
def _decided(s):
    """Nobody is left to ask: cards go under the stacks, the winner builds. [section 6, end 1 and 2]"""
    winner, d = int(s.leader), int(s.auction_place)
    s.allowed[:] = 0
    if winner != NOBODY and winner != EGON:
        s.build_limit = 7 - highest_laid(s, winner)  # FA-65
        s.bid_colour = s.table_colour[winner]
        discard(s, winner)
        s.phase, s.seat = PHASE_BUILD, winner
        return
    discard(s, NOBODY)
    if winner == EGON and d != PARK:  # FA-115
        if is_full(s, d):
            close_district(s, d, EGON)  # FA-112
        else:
            egon_builds(s, d)
    _end_auction(s)  # FA-62


# ---------------------------------------------------------------- building and closing


@njit
def build_most(s):
    """How many buildings the winner may build.  # FA-65, FA-66"""
    return min(int(s.build_limit), int(s.reserve[s.seat]))


@njit
def legal_build(s, mask):
    """Buildings, or the closing of a full district.  # FA-70, FA-71, FA-82, FA-D6"""
    d = s.auction_place
    full = d != PARK and is_full(s, d)
    bits = int(full) << (CLOSE - FIRST_BUILD)
    if not full or s.home[s.seat, d] != NO_LOT:
        bits |= (2 << build_most(s)) - 1
    write_bits(mask, FIRST_BUILD, np.uint64(bits), BUILD_ACTIONS)


@njit
def apply_build(s, action):
    """The winner's buildings come from his reserve.  # FA-66, FA-68, FA-82"""
    p, d = int(s.seat), int(s.auction_place)
    if action == CLOSE:
        close_district(s, d, p)
    else:
        number = action - FIRST_BUILD
        s.reserve[p] -= number
        if d == PARK:
            s.cp[p] += number
        else:
            put_buildings(s, p, SIDES * d + int(s.bid_colour), number)
    _end_auction(s)
