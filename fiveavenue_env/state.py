"""The state of a game as one record of 3,160 bytes. One field a line: shape, range, meaning."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from fiveavenue_env.components import (
    BLACK_STACK,
    BLOCKS,
    CARD_KINDS,
    COLOURS,
    COMMISSIONS,
    DISTRICTS,
    EGON_MOST,
    KINDS,
    LOTS,
    MARKERS,
    MAX_PLAYERS,
    OWNERS,
    PARK_MOST,
    PLACES,
    SHOPS,
    SIDES,
    STACK,
)
from skyline.core.fields import every_game
from skyline.core.jit import record_dtype

PHASE_PLACE = 0  # a start building is placed
PHASE_TURN = 1  # A, B, C or D is chosen
PHASE_SHOP = 2  # the lot of the chosen shop
PHASE_TAKE = 3  # coloured cards
PHASE_BID = 4  # add a card, bid or pass
PHASE_BUILD = 5  # the winner of an auction builds or closes
PHASE_MOVE = 6  # a commission is moved
PHASE_OVER = 7
PHASE_NAMES = ("PLACE", "TURN", "SHOP", "TAKE", "BID", "BUILD", "MOVE")  # by PHASE_PLACE .. PHASE_MOVE

TURN_A, TURN_B, TURN_C, TURN_D = 0, 1, 2, 3

NOBODY = -1  # owner of a lot without buildings, leader without a bid
NO_COLOUR = -1  # no coloured card on the table, no colour fixed
NO_LOT = -1  # no building in the district
NO_KIND = -1  # no shop chosen
NO_TURN = -1  # nothing chosen yet, or not known (a position from outside)
NO_PLACE = -1  # no auction
SHUFFLED = 255  # in the list of black events: the black stack was shuffled
MEMORY_EVENTS, MEMORY_SHUFFLES = 512, 64  # black events and black shuffles that are kept  # FA-M21
FACE_UP = 8  # added to the value of a face-up card in the black stack

# Places in the field `piles`, in the order of the observation
NOT_OPEN = 0  # copies of each card that do not lie open: neither on a table nor on a stack, nor turned up by Egon
IN_HANDS = NOT_OPEN + CARD_KINDS  # cards of each colour that are neither on a table nor in a stack
STACK_TOPS = IN_HANDS + COLOURS + 1  # 1: the card is the top of its stack
STACK_SIZES = STACK_TOPS + 3 * COLOURS  # the black one is the last
BLACK_ABOVE = STACK_SIZES + COLOURS + 1  # the field black_above
PILES = BLACK_ABOVE + 1

ORDER = 2 * PLACES + COMMISSIONS  # numbers in the field `auctions`

STATE = record_dtype(
    [
        *every_game(MAX_PLAYERS, np.int32),  # rng, deal, scores (0..), players (2..4), seat
        # the options
        ("board", np.int8),  # lots a district: 5, 6
        ("max_turns", np.int32),  # 1..
        ("rings", np.int8, (DISTRICTS, SIDES)),  # the lots of each district in ring order, NO_LOT behind the last
        ("beside", np.int8, (2, LOTS)),  # the two lots beside each lot in its ring; itself where there is no lot
        ("ring_bits", np.uint64, (2,)),  # cache: bit 15 * district + pair of lots: they lie side by side
        ("rings_drawn", np.int8),  # 1: the rings are drawn for each game  # FA-R2
        ("empty_supply", np.int8),  # 1: A may be chosen with an empty supply  # FA-R3
        ("discards_rise", np.int8),  # 1: the lowest discard comes up first  # FA-R8
        # the clock
        ("phase", np.int8),  # PHASE_PLACE .. PHASE_OVER
        ("turn", np.int32),  # number of the running turn, 1..max_turns
        ("active", np.int8),  # seat whose turn it is; 0 while start buildings are placed
        ("turn_kind", np.int8),  # what it chose: TURN_A .. TURN_D, NO_TURN
        ("turn_phase", np.int8),  # 1..3 of the turn; 0 before it has chosen
        ("placements", np.int8),  # start buildings placed, 0..8
        # lots: 6 * district + colour
        ("lot_owner", np.int8, (LOTS,)),  # whose buildings: 0..3, EGON, NOBODY
        ("buildings", np.int8, (OWNERS, LOTS)),  # how many of each owner, 0..17
        ("shops", np.int8, (KINDS, LOTS)),  # how many of each kind, 0..2
        ("closed", np.int8, (DISTRICTS,)),  # 1 after its closing
        # commissions
        ("node", np.int8, (COMMISSIONS,)),  # where each stands, 0..8
        ("markers", np.int8, (COMMISSIONS, MARKERS)),  # districts in the order marked
        ("marker_n", np.int8, (COMMISSIONS,)),  # 0..3
        ("marks", np.int8, (COMMISSIONS, DISTRICTS)),  # cache: 1, 2, 3: a marker lies there, in the order laid
        # shops
        ("tiles", np.int8, (SHOPS,)),  # kinds as shuffled: 7 initial, 20 of the row, 9 out of the game
        ("row_kinds", np.int8, (BLOCKS * KINDS,)),  # how many of each kind lie in each block, 0..3; the current first
        ("blocks", np.int8),  # blocks left, 0..8
        ("chosen_kind", np.int8),  # kind to be placed in PHASE_SHOP, NO_KIND
        ("placed", np.int8),  # shops placed, 0..12
        ("park", np.int8, (PARK_MOST,)),  # kinds of the park tiles
        ("park_n", np.int8),  # 0..8
        ("park_kinds", np.int8, (KINDS,)),  # cache: how many of each kind are among them
        # pieces of the players
        ("reserve", np.int8, (MAX_PLAYERS,)),  # 0..15
        ("supply", np.int8, (MAX_PLAYERS,)),  # 0, 3, .. 12
        ("cp", np.int8, (MAX_PLAYERS,)),  # buildings at Central Park, 0..15
        # cards: 3 * colour + value - 4
        ("hands", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # 0..20
        ("hand_size", np.int8, (MAX_PLAYERS,)),  # cache: 0..110
        ("hand_colours", np.int8, (MAX_PLAYERS, 8)),  # cache: cards of each colour; 0, 0
        ("hand_sums", np.uint8, (MAX_PLAYERS, CARD_KINDS)),  # cache: sum of the cards of the colour up to the value
        ("piles", np.int8, (PILES,)),  # cache: from NOT_OPEN, IN_HANDS, .. BLACK_ABOVE on
        ("stacks", np.int8, (COLOURS, STACK)),  # values; the stack is stack_top .. stack_end - 1, top first
        ("stack_top", np.int8, (COLOURS,)),
        ("stack_end", np.int8, (COLOURS,)),
        ("black", np.int8, (BLACK_STACK,)),  # values, + FACE_UP; the stack is black_top .. black_end - 1, top first
        ("black_top", np.int8),
        ("black_end", np.int8),
        ("black_above", np.int8),  # cache: cards above the topmost face-up one, all if there is none
        # the auction
        ("commission", np.int8),  # whose markers are auctioned
        ("auction_place", np.int8),  # district 0..6, PARK, NO_PLACE
        ("table", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # cards laid
        ("table_total", np.int16, (MAX_PLAYERS,)),  # cache: their sum, 0..302
        ("table_colour", np.int8, (MAX_PLAYERS,)),  # cache: colour of the coloured ones, NO_COLOUR
        ("allowed", np.int8, (MAX_PLAYERS,)),  # cache: bit c: the seat may lay the colour c in this auction
        ("auctions", np.int8, (ORDER,)),  # cache: place, commission; 1, 2, ..: the places to come
        ("standing", np.int16),  # the highest bid
        ("leader", np.int8),  # who holds it: 0..3, EGON, NOBODY
        ("passed", np.int8),  # bit p: seat p has passed
        ("asked", np.int8),  # decisions of players in this auction, counted to 2
        ("bid_colour", np.int8),  # colour fixed for Central Park; in PHASE_BUILD the winner's colour; NO_COLOUR
        ("last_colour", np.int8),  # value of the last coloured card added in this BID turn, 0 = none
        ("last_black", np.int8),  # value of the last black card added in it, 0 = none
        ("egon", np.int8, (EGON_MOST,)),  # the cards he has turned up in this auction
        ("egon_n", np.int8),  # 0..4
        ("egon_kinds", np.int8, (3,)),  # cache: how many of them are 4, 5, 6
        ("egon_drawn", np.int8),  # 1 after his draw
        ("build_limit", np.int8),  # k of the winner's bid in PHASE_BUILD, 1..3
        # how the game ended
        ("final_lots", np.int16, (MAX_PLAYERS,)),  # points of the final scoring for districts
        ("final_park", np.int16, (MAX_PLAYERS,)),  # and for Central Park
        # chance results of the last move, or those that the next move is given (replays)
        ("orders", np.int8, (2, BLACK_STACK)),  # black stack after its 1st and 2nd shuffle, top first
        ("order_n", np.int8, (2,)),  # cards in them
        ("shuffles", np.int8),  # black shuffles in the last move, 0..2
        ("given", np.int8),  # orders the next move takes instead of drawing, 0..2
        ("park_given", np.int8),  # 1: `park_order` is the park's coming order
        ("park_order", np.int8, (PARK_MOST,)),
        # memory [7.2]
        ("memory_known", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # sure cards in each hand  # FA-M07, FA-M08, FA-M10
        ("memory_first", np.int8, (COLOURS,)),  # cards left in each first part, the open one counted
        ("memory_unknown", np.int8),  # cards in the unknown part of the black stack, 0..50
        ("memory_log", np.uint8, (MEMORY_EVENTS,)),  # 4 * seat + (0 = draw, value - 3 = shown), SHUFFLED  # FA-M21
        ("memory_log_n", np.int16),  # 0..MEMORY_EVENTS
        ("memory_shuffles", np.int8),  # black shuffles among them, 0..MEMORY_SHUFFLES
        ("memory_held", np.int8, (MEMORY_SHUFFLES, MAX_PLAYERS, 3)),  # unseen black cards of each hand at each of them
        # memory: caches, all recomputed by memory.survey_memory
        ("memory_unseen", np.int8, (MAX_PLAYERS, 8)),  # cards of each colour in a hand that are not sure; 0, 0
        ("memory_hidden", np.int8, (CARD_KINDS,)),  # unseen in hands, in first parts below the top, in the unknown part
        ("memory_under", np.int8, (CARD_KINDS,)),  # in known parts, an open top card not counted
        ("memory_next", np.int64),  # bit 3 * colour + value - 4: the card below the open top, the next black one
        ("memory_old", np.int8, (MAX_PLAYERS, 4)),  # unseen black cards of each hand at the last black shuffle, or 0
        ("memory_old_all", np.int8, (4,)),  # of all hands together; the last place is 0
        ("memory_old_n", np.int8, (MAX_PLAYERS,)),  # of each hand all values
        ("memory_shown", np.int8, (MAX_PLAYERS, 4)),  # unseen black cards shown since then; the last place is 0
        ("memory_out", np.int8, (KINDS,)),  # tiles out of the game by kind  # FA-M04
        # caches of the lots, all recomputed by scoring.survey
        ("lot_points", np.int8, (LOTS,)),  # of a building: 1, 2, 3, 5, 8; 0 where none can stand
        ("kinds_beside", np.int8, (KINDS, LOTS)),  # 1: a shop of the kind lies beside the lot
        ("empty_lots", np.uint64),  # bit 6 * district + colour: the lot is empty
        ("room_lots", np.uint64),  # bit 6 * district + lot: the lot can take a shop
        ("full_bits", np.uint8),  # bit d: district d is open, and without an empty lot
        ("empty_bits", np.uint8, (DISTRICTS,)),  # bit c: the lot of colour c is empty
        ("shop_bits", np.uint8, (DISTRICTS,)),  # bit c: the lot of colour c holds shops
        ("room_bits", np.uint8, (DISTRICTS,)),  # bit i: lot i can take a shop
        ("home", np.int8, (MAX_PLAYERS, DISTRICTS)),  # colour of the lot with the seat's buildings, NO_LOT
        ("district_points", np.uint8, (MAX_PLAYERS, DISTRICTS)),  # points of a D at present, 0..136
        ("points_now", np.int16, (MAX_PLAYERS,)),  # sum of the district points
        ("districts", np.int8, (MAX_PLAYERS,)),  # open districts with a building of the seat
        ("closed_bits", np.uint8),  # bit d: district d is closed
    ]
)


def fields_of(s: Any) -> SimpleNamespace:
    """The fields of a row as attributes: reading many of them from the row itself is slow."""
    return SimpleNamespace(**{name: s[name] for name in s.dtype.names})
