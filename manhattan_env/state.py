"""The state of a game as one record of 1,544 bytes. One field a line: shape, range, meaning."""

from __future__ import annotations

import numpy as np

from manhattan_env.components import (
    ALL_PIECES,
    CARDS,
    CITIES,
    COLOURS,
    HEIGHTS,
    MAX_PLAYERS,
    MOST_PLAYS,
    MOST_RESHUFFLES,
    PIECE_WORDS,
    ROW,
    SITES,
    SQUARES,
)
from skyline.core.fields import every_game
from skyline.core.jit import record_dtype

PHASE_SET = 0  # a seat chooses the pieces of a colour for the round
PHASE_TURN = 1  # a seat plays a card: BUILD, or DISCARD when nothing can be built
PHASE_OVER = 2
PHASE_NAMES = ("pick", "turn", "over")  # by PHASE_SET .. PHASE_OVER

NO_COLOUR = -1  # owner of an empty site, holder of a tied city
NO_CARD = -1  # top of an empty pile
NO_NEED = 5  # no piece is high enough

SHOWN_ROW = 16  # places for nine counts, so that copies are whole vectors; the last seven stay empty

STATE = record_dtype(
    [
        *every_game(MAX_PLAYERS, np.int16),  # rng, deal, scores (0..468), players (2..4), seat
        # the clock
        ("phase", np.int8),  # PHASE_SET, PHASE_TURN, PHASE_OVER
        ("rounds_done", np.int8),  # 0..5
        ("marker", np.int8),  # seat that holds the round marker
        ("turn", np.int8),  # 0..24: sets chosen in this round (PHASE_SET) or turns taken (PHASE_TURN)
        # cards, by printed square
        ("hands", np.int8, (MAX_PLAYERS, SQUARES)),  # copies of each card, 0..4
        ("deck", np.int8, (CARDS,)),  # as last shuffled, top first; in a new game the dealt cards come first
        ("deck_size", np.int8),  # cards in `deck` as shuffled, 0..45
        ("deck_top", np.int8),  # how many of these are drawn
        ("order_given", np.int8),  # 1: the next reshuffle takes the order in `deck`[:n] (replays), not the stream
        ("played", np.int8, (CARDS,)),  # cards played since the reshuffle, oldest first: 9 * seat + square
        ("played_size", np.int8),  # 0..45
        ("pile_size", np.int8, (MAX_PLAYERS,)),  # cache: cards in the seat's played pile
        ("pile_top", np.int8, (MAX_PLAYERS,)),  # cache: its top card, NO_CARD if empty
        ("open_cards", np.uint64),  # cache: the top cards of all piles, 7 bits a card
        ("tops", np.uint64),  # cache: the board squares of the top cards, bit 9 * seat + board square
        # pieces, by colour and height - 1
        ("stock", np.int8, (COLOURS, HEIGHTS)),  # not yet chosen
        ("chosen", np.int8, (COLOURS, HEIGHTS)),  # chosen for this round and not yet built
        ("built", np.uint16, (ALL_PIECES,)),  # pieces in building order: 16 * site + 4 * colour + height - 1
        ("built_size", np.int8),  # 0..96
        # towers, by site = 9 * city + board square; rows of 64, the last ten empty
        ("owner", np.int8, (ROW,)),  # colour of the top piece, NO_COLOUR if empty
        ("height", np.uint8, (SITES,)),  # 0..188
        ("floors", np.int8, (COLOURS, ROW)),  # floors of a colour in the tower, 0..47
        # caches of the towers, all recomputed by scoring.survey
        ("need", np.int8, (COLOURS, SITES)),  # least height the colour may put there: 1..4, NO_NEED
        ("fits", np.uint64, (COLOURS, PIECE_WORDS)),  # the same as bits: bit 4 * site + height - 1
        ("towers", np.int8, (COLOURS, CITIES)),  # towers owned, 0..9
        ("majority", np.int8, (CITIES,)),  # colour with more towers than every other, NO_COLOUR if tied or none
        ("won", np.uint64),  # the same as bits: bit 6 * colour + city
        ("points_now", np.uint64),  # points of a round that is scored now, 16 bits a colour
        ("colour_best", np.uint8, (COLOURS,)),  # height of the colour's tallest tower, 0..188
        ("top_height", np.uint8),  # height of the tallest tower
        ("top_owner", np.int8),  # its owner, NO_COLOUR if two or more have that height or there is none
        ("made_up", np.int8),  # 1: the position was loaded without some cards or pieces (MH-R18)
        # memory [7.2]; cards by printed square, where nothing else is said
        ("memory_size", np.int8),  # cards remembered as played, 0..96
        ("memory_plays", np.uint16, (MOST_PLAYS,)),  # these, oldest first, as memory.py packs them [MH-M05, MH-M10]
        ("memory_shuffles", np.int8),  # reshuffles among these plays, 0..3
        ("memory_ends", np.int8, (MOST_RESHUFFLES,)),  # how many of the plays came before each reshuffle [MH-M07]
        ("memory_held", np.uint32, (MOST_RESHUFFLES, MAX_PLAYERS)),  # hands at the reshuffles, 3 bits a card [MH-M08]
        # cards of the other hands at the last reshuffle, less those shown since; 7 bits a card; 0 before it [MH-M09]
        ("memory_known", np.uint64, (MAX_PLAYERS,)),
        ("memory_loose", np.uint64),  # cards that lie in no pile: in hands and deck; 7 bits a card [MH-M04]
        ("memory_shown", np.int8, (MAX_PLAYERS, SHOWN_ROW)),  # cards of each pile, by the seat's board squares
    ]
)
