# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The state of a game as one record of 4,536 bytes. One field a line: shape, range, meaning.

Cards are numbers 0 .. 35 (9 * bank + value - 1), tiles 1 .. 54, start tiles 55 + seat; cells and sides as in
components.py. Sets of tiles are words with bit t for tile t.
"""

from __future__ import annotations

import numpy as np

from newyork_env.components import (
    BANKS,
    BY_TILE,
    CARD_KINDS,
    CARDS,
    DECK,
    GRID_ROWS,
    MAX_PLAYERS,
    SLOTS,
    START,
    TILES,
    TYPE_COUNT,
)
from skyline.core.fields import every_game
from skyline.core.jit import njit, record_dtype

PHASE_MAIN = 0  # a main action: take money, buy, use a reserve tile, remove a tile, pass
PHASE_PAY = 1  # the next card of a purchase
PHASE_BUILD = 2  # where the reserve tile in use goes
PHASE_PLACE = 3  # which bought tile is placed next
PHASE_PUT = 4  # where that tile goes
PHASE_OVER = 5
PHASE_NAMES = ("main", "pay", "build", "place", "put", "over")  # by PHASE_MAIN .. PHASE_OVER

NO_SLOT = -1  # nothing is being bought
AFFORD_PAYS, AFFORD_EXACT, AFFORD_OVER = 0, 1, 2  # places in the field `afford`
TURNS_SHOWN = 1000
CELL_WORDS = 8  # the words of 64 actions in which cells are

# Places in the field `clock`: cards in deck and discards, tiles in the bag; scoring card A, B is out; the cards until A
# and until B comes, fewest and most; the next scoring is A, B, C; turns to the limit; purchases in this turn.
CLOCK_DECK, CLOCK_DISCARDS, CLOCK_BAG, CLOCK_OUT, CLOCK_DUE = 0, 1, 2, 3, 5
CLOCK_NEXT, CLOCK_TURNS_LEFT, CLOCK_PURCHASES, CLOCK_VALUES = 9, 12, 13, 14

# Where a tile is, the values of the field `place`; the seat is added to the last three.
OUT = -1  # a loaded position does not name the tile
IN_BAG, IN_DEPOT, AT_DIRK = 0, 1, 2
IN_CITY, IN_RESERVE, TO_PLACE = 8, 16, 24

STATE = record_dtype(
    [
        *every_game(MAX_PLAYERS, np.int16),  # rng, deal, scores (0..435), players (2..6), seat
        # the clock
        ("phase", np.int8),  # PHASE_MAIN .. PHASE_OVER
        ("ending", np.int8),  # 1: the leftover tiles are being placed (NY-92), or the game is over
        ("overpay", np.int8),  # option, 1: a further card may follow an exact payment (NY-23)
        ("max_turns", np.int32),  # option
        ("turns", np.int32),  # finished turns of all seats, 0..max_turns
        # money
        ("market", np.int8, (SLOTS,)),  # card, NO_CARD if empty
        ("hands", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # copies of each card, 0..3; without the cards laid
        ("discards", np.int8, (CARD_KINDS,)),  # copies of each card, 0..3
        ("deck", np.int8, (DECK,)),  # as dealt or last shuffled, top first; SCORING_A and SCORING_B among the cards
        ("deck_size", np.int8),  # cards in `deck` as dealt or shuffled, 0..110
        ("deck_top", np.int8),  # how many of them are drawn
        ("discards_size", np.int8),  # cards in `discards`, 0..108
        ("order_given", np.int8),  # 1: the next reshuffle takes the order that stands behind the deck (replays)
        ("reshuffles", np.uint16),  # how often the discards became the deck
        ("scored", np.int8),  # scoring cards that are out: 1 for A, 2 for B, added
        ("earliest", np.int8, (2,)),  # first index of `deck` where SA, SB can lie (NY-M08); known with TABLE, too
        ("latest", np.int8, (2,)),  # last index
        # memory [7.2]
        ("memory_deck", np.int8, (CARD_KINDS,)),  # copies of each money card in what is left of the deck, 0..3
        # a purchase
        ("slot", np.int8),  # depot slot being bought, NO_SLOT
        ("laid", np.int8, (10,)),  # copies of each value laid for it (discarded already), [0] unused
        ("laid_sum", np.int8),  # 0..12
        ("laid_last", np.int8),  # value laid last, 9 before the first
        ("paid_slot", np.int8),  # depot slot just paid exactly, for which a further card may be paid (NY-23), NO_SLOT
        # tiles
        ("bag", np.int8, (TILES,)),  # in the order of drawing
        ("bag_top", np.int8),  # how many of them are drawn, 0..54
        ("depot", np.int8, (SLOTS,)),  # tile, NO_TILE
        ("chosen", np.int8),  # tile in use (PHASE_BUILD) or being put (PHASE_PUT), NO_TILE
        ("place", np.int8, (BY_TILE,)),  # where tile t is: IN_BAG .. TO_PLACE + seat; [0] and [55:] unused, -1
        ("x", np.int8, (BY_TILE,)),  # how far to the right in the city tile t lies, -10..10; 0 if it lies in none
        ("y", np.int8, (BY_TILE,)),  # the same upwards
        # cities by seat: words of columns for every row of the grid
        ("built", np.int32, (MAX_PLAYERS, GRID_ROWS)),  # cells with a tile
        ("above", np.int32, (MAX_PLAYERS, GRID_ROWS)),  # a street between the cell and its northern neighbour
        ("right", np.int32, (MAX_PLAYERS, GRID_ROWS)),  # a street between the cell and its eastern neighbour
        # caches
        ("open_cells", np.int32, (MAX_PLAYERS, GRID_ROWS)),  # empty cells where a tile could go but for its streets
        ("lowest_row", np.int8, (MAX_PLAYERS,)),  # the first of the rows that have city tiles or lie next to one
        ("highest_row", np.int8, (MAX_PLAYERS,)),  # the last of these rows
        ("ways", np.int64, (START + MAX_PLAYERS,)),  # tiles that can be stepped to from tile t
        ("in_city", np.int64, (MAX_PLAYERS,)),  # tiles in the city, without the start tile
        ("in_reserve", np.int64, (MAX_PLAYERS,)),  # tiles in the reserve
        ("to_place", np.int64, (MAX_PLAYERS,)),  # tiles bought or received and not yet placed
        ("removable", np.int64, (MAX_PLAYERS,)),  # city tiles that may be removed
        ("removals", np.uint64, (MAX_PLAYERS, CELL_WORDS)),  # their cells: the words 1 .. 8 of the mask of MAIN
        ("usable", np.int64, (MAX_PLAYERS,)),  # tiles that could be built somewhere in the city if they were in reserve
        ("street", np.int8, (MAX_PLAYERS,)),  # length of the longest continuous outer street, 0..80
        ("types", np.int8, (MAX_PLAYERS + 1, TYPE_COUNT)),  # tiles of each type in the city; row DIRK: his heap
        ("reserve_types", np.int8, (MAX_PLAYERS, TYPE_COUNT)),  # tiles of each type in the reserve
        ("majority", np.int8, (MAX_PLAYERS, TYPE_COUNT)),  # points of each type at the next scoring as things stand
        ("one_more", np.int8, (MAX_PLAYERS, TYPE_COUNT)),  # more points there with one more tile of the type, 0..21
        ("money", np.int16, (MAX_PLAYERS, BANKS)),  # sum of the hand's cards of each bank, 0..135
        ("reach", np.int32, (MAX_PLAYERS, BANKS)),  # bit v: some of these cards sum to v, v = 0..30
        ("held", np.int8, (MAX_PLAYERS,)),  # cards in hand, 0..108
        # the hand pays the depot tile of the slot; pays it exactly; least overpayment, -1 if it does not pay
        ("afford", np.int8, (MAX_PLAYERS, SLOTS, 3)),
        ("covered", np.int8, (CARD_KINDS,)),  # copies of each money card that lie neither in the market nor laid
        ("major", np.int8, (MAX_PLAYERS,)),  # points of all types at the next scoring as things stand, 0..111
        ("clock", np.int16, (CLOCK_VALUES,)),  # piles .. purchases of the observation: numbers that all seats see
        ("richest", np.int8, (BANKS,)),  # the seat with the most money of each bank, NO_SEAT if several have (NY-91)
    ]
)

assert CARDS < 128  # counts of cards fit int8


@njit
def seats(s):
    """All seats. (A loop over `players` itself, being unsigned, would make floats of sums with signed numbers.)"""
    return range(np.int64(s.players))
