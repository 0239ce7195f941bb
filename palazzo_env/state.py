"""The state of a game as one record of 2,560 bytes. One field a line: shape, range, meaning."""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    CARD_KINDS,
    CARDS,
    FLOORS,
    MAX_PLAYERS,
    MOST_LOT,
    PALACE_ROOM,
    QUARRIES,
    QUARRY_ROOM,
    STACK,
    TILE_KINDS,
    TILES,
)
from skyline.core.fields import every_game
from skyline.core.jit import record_dtype
from skyline.core.wide import LANES

# The kinds of decision, in the order of section 6.
PHASE_MAIN, PHASE_MONEY, PHASE_CHOICE, PHASE_BUY, PHASE_PAY, PHASE_BID, PHASE_SHARE, PHASE_BUILD = range(8)
PHASE_REBUILD, PHASE_INTO, PHASE_FEE, PHASE_OVER = range(8, 12)
PHASE_NAMES = ("MAIN", "MONEY", "CHOICE", "BUY", "PAY", "BID", "SHARE", "BUILD", "REBUILD", "INTO", "FEE", "END")
DECISIONS = PHASE_OVER  # the number of kinds

NO_CARD = -1  # nothing taken yet in MONEY
NO_COMPONENT = -1  # nothing laid yet in this payment or raise
NO_LOCK = -1  # no single currency card laid yet
NO_SLOT = -1  # no palace is chosen

NO_CHANGE, CHANGE_SPLIT, CHANGE_INSERT, CHANGE_REMOVE = range(4)  # what is rebuilt

KEEPS_PLACE, LETS_PASS = range(2)  # what a knight drawn first does to the tile after it (PZ-R4)

# The twin rule (PZ-D8): the least choice for a tile that follows one of its kind, as a palace key.
NO_TWIN = -1  # no rule
TWIN_NEW = 0  # any choice
TWIN_SCRAP = 2**31 - 1  # only scrap

# Places where tiles lie, of which places.py keeps the rows: the depot, the quarries, the palaces of the seats, the
# tiles that are chosen, to build or to rebuild.
DEPOT, QUARRY, PALACES = 0, 1, 1 + QUARRIES
PENDING = PALACES + MAX_PLAYERS
PLACES = PENDING + 1
SPARE_ROW = TILES  # behind the rows of the tiles: what is written there means nothing

LENGTHS = 8  # room for the numbers of palaces of each length, as many as a vector has
SLOTS = 12  # palaces whose values are shown by slot; those in further slots, which are rare, are in `tiles` only
SLOTS_A_WORD = 4  # 15 bits of materials a slot
SLOT_WORDS = SLOTS // SLOTS_A_WORD

# Places in `supply`: the entries of the stack, those in piles I, II, III, the knights drawn, the turns expected, the
# tiles that may still come.
LEFT_AT, PILES_AT, KNIGHTS_AT, DRAWS_AT, MAY_COME_AT = 0, 1, 4, 5, 6

STATE = record_dtype(
    [
        *every_game(MAX_PLAYERS, np.int16),  # rng, deal, scores (a cache: -240..201), players (2..4), seat
        # the turn
        ("quiet_limit", np.int16),  # option: turns in a row without `draw` after which only `draw` is legal
        ("knight_first", np.int8),  # option: KEEPS_PLACE or LETS_PASS, for the tile drawn after a knight
        ("quiet", np.int16),  # turns in a row that were not `draw`
        ("phase", np.int8),  # PHASE_MAIN .. PHASE_FEE, PHASE_OVER
        ("active", np.int8),  # whose turn it is
        ("builder", np.int8),  # the master builder's quarry, 0..3
        ("knights", np.int8),  # knights drawn, 0..5
        # money, by card index
        ("hands", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # cards in hand, without those laid on the table
        ("table", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # cards laid in the running auction or payment
        ("discards", np.int8, (CARD_KINDS,)),  # discarded cards
        ("face_up", np.int8, (CARD_KINDS,)),  # cards still to be taken in MONEY
        ("first_take", np.int8),  # the card the active player took first, NO_CARD
        ("deck", np.uint8, (CARDS,)),  # the draw deck as last shuffled, top first
        ("deck_size", np.int8),  # cards in `deck` as shuffled, 0..55
        ("deck_top", np.int8),  # how many of them are drawn
        ("order_given", np.int8),  # 1 in replays: the order of the next reshuffle stands in `deck`[:n] already
        # the running auction, or the payment of the active player
        ("totals", np.int16, (MAX_PLAYERS,)),  # bid or paid so far, the 3-certificate included, 0..275
        ("locks", np.int8, (MAX_PLAYERS,)),  # currency of the single cards laid, NO_LOCK
        ("passed", np.int8, (MAX_PLAYERS,)),  # 1: out of the auction
        ("standing", np.int16),  # the standing bid, 0 without auction
        ("holder", np.int8),  # the seat whose bid is the standing one, 0 without auction
        ("last", np.int8),  # component laid last in this payment or raise, NO_COMPONENT
        ("singles", np.int8),  # single certificates in this payment or raise, 0..2
        # tiles by tile index; lists are in tile order, unused places are 0
        ("stack", np.uint8, (STACK,)),  # tiles and KNIGHT, top first
        ("stack_top", np.int8),  # how many entries are drawn
        ("depot", np.uint8, (QUARRY_ROOM,)),  # tiles in the depot
        ("depot_size", np.int8),  # 0..25
        ("quarries", np.uint8, (QUARRIES, QUARRY_ROOM)),  # tiles on each quarry
        ("quarry_size", np.int8, (QUARRIES,)),  # 0..25
        ("lot", np.uint8, (MOST_LOT,)),  # BUY, PAY: tiles chosen, still in the depot; BUILD: tiles still to build
        ("lot_size", np.int8),  # 0..3
        ("sharing", np.int8),  # 1: a distribution is going on
        ("twin", np.int32),  # BUILD: least choice for the tile, NO_TWIN
        # palaces: per seat the distinct ones in ASCII order of their texts
        ("palaces", np.int32, (MAX_PLAYERS, PALACE_ROOM)),  # key: tile index + 1 in 6 bits each, bottom tile highest
        ("copies", np.int8, (MAX_PLAYERS, PALACE_ROOM)),  # 1, or 2 for identical ones; 0 beyond palace_count
        ("palace_count", np.int8, (MAX_PLAYERS,)),  # distinct palaces
        ("change", np.int8),  # what is being rebuilt: NO_CHANGE, CHANGE_SPLIT, .. INSERT, .. REMOVE
        ("change_slot", np.int8),  # the palace it is taken from, NO_SLOT
        ("change_tile", np.int8),  # the tile
        ("target_slot", np.int8),  # the palace it is inserted into, NO_SLOT
        # caches of the palaces: scoring.py; caches.recount recomputes these and the next ones
        ("lengths", np.int8, (MAX_PLAYERS, LENGTHS)),  # palaces of 1 .. 5 tiles, then zeros
        ("windows", np.int16, (MAX_PLAYERS,)),  # windows of all palaces
        ("uniform", np.int8, (MAX_PLAYERS,)),  # palaces of 3 and more tiles of one material
        ("visible", np.int8, (TILE_KINDS,)),  # cache: tiles of the kind in depot, quarries, lots and palaces, 0..2
        # caches of the hands: purses.py; bytes of words
        ("purses", np.int64, (MAX_PLAYERS,)),  # values of the cards A, B, C, number of cards, value of the certificates
        ("groups", np.uint64, (MAX_PLAYERS,)),  # groups T2 .. T7
        # caches of the observation: places.py, supply.py
        ("tiles_at", np.uint64, (PLACES,)),  # the rows of the tiles in each place
        ("twin_slots", np.uint64, (MAX_PLAYERS,)),  # slots of the seat's tiles in the rows 16 .. 23, one byte each
        ("slot_materials", np.uint64, (MAX_PLAYERS, SLOT_WORDS)),  # materials by slot and tile, 60 bits a word
        ("tile_slots", np.int8, (LANES,)),  # by row, slot of the tile in a palace; 0 in the rows 16 .. 23, and behind
        ("slot_values", np.int8, (MAX_PLAYERS, SLOTS * (FLOORS + 3))),  # by slot: windows, copies, points, length
        ("supply", np.uint8, (LANES,)),  # what is seen of the stack, then zeros
        # memory [7.2]: what everybody remembers, kept with RECALL and TABLE alike
        ("memory_sure", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # sure cards of the hand, 0..10 (PZ-M05)
        ("memory_shown", np.int8, (MAX_PLAYERS, CARD_KINDS)),  # starting cards shown so far, paid ones too (PZ-M07)
        ("memory_starting", np.int8, (MAX_PLAYERS,)),  # starting cards in the hand still unseen: the others, 0..55
        ("memory_shuffled", np.int8),  # 1: the discards have been shuffled (PZ-M10)
        ("memory_deck", np.int8, (CARD_KINDS,)),  # cards of the deck after a shuffle; before: 0
        ("memory_stack", np.int8, (TILE_KINDS,)),  # tiles left in the stack, 0..2 (PZ-M13)
        ("memory_box", np.int8, (TILE_KINDS,)),  # tiles out of the game, 0..2 (PZ-M13)
    ]
)
