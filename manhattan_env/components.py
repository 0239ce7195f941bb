"""What is in the box: piece and card counts, the board's squares, the sets. No logic. [RULES.md section 1]

Board squares of a city from above, side 0 at the bottom (1.3); a site is 9 * city + square:

              side 2
             0  1  2
    side 1   3  4  5   side 3
             6  7  8
              side 0
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

PLAYER_COUNTS = (2, 3, 4)
MAX_PLAYERS = 4
COLOURS = 4
HEIGHTS = 4
PIECES = np.array([11, 6, 4, 3], np.int8)  # of heights 1, 2, 3, 4 in each colour
PIECES_PER_COLOUR = int(PIECES.sum())
ALL_PIECES = COLOURS * PIECES_PER_COLOUR
FLOORS_PER_COLOUR = int((PIECES * np.arange(1, 5)).sum())

CITY_NAMES = ("Manhattan", "Cairo", "Sao Paulo", "Frankfurt", "Sydney", "Hong Kong")
CITIES = 6
SQUARES = 9
SITES = CITIES * SQUARES
ROW = 64  # sites are stored in rows of 64, so that copies are whole vectors; the last ten stay empty
CARDS_PER_SQUARE = 5
CARDS = SQUARES * CARDS_PER_SQUARE
CARD_COPIES = [CARDS_PER_SQUARE] * SQUARES
HAND = 4

# Rows by player count; the first two are unused.   [section 5]
ROUNDS = np.array([0, 0, 6, 6, 4])
SET_SIZE = np.array([0, 0, 4, 4, 6])  # m: pieces in a set
TURNS = np.array([0, 0, 8, 4, 6])  # L: turns of a seat in a round
OWN_COLOURS = np.array([0, 0, 2, 1, 1])  # colours a seat owns
COLOURS_IN_PLAY = np.array([0, 0, 4, 3, 4])
MOST_PLAYS = 96  # cards played in a game
MOST_RESHUFFLES = 3  # of a game from its deal   [section 11]

TALLEST_POINTS = 3
CITY_POINTS = 2
TOWER_POINTS = 1
MOST_SCORE = 468  # of a seat at the end   [section 11]


def _quarter_turn(square: int) -> int:
    row, column = divmod(square, 3)
    return 3 * column + (2 - row)


def _board_table() -> np.ndarray:
    """BOARD[side, printed square] = board square: each side turns the printed picture once more. [1.3, MH-07]"""
    table = np.zeros((4, SQUARES), np.int64)
    table[0] = range(SQUARES)
    for side in range(1, 4):
        table[side] = [_quarter_turn(square) for square in table[side - 1]]
    return table


BOARD = _board_table().astype(np.uint8)  # unsigned: an index that needs no test for its sign
CARD = np.argsort(BOARD, axis=1).astype(np.uint8)  # CARD[side, board square] = printed square
SIDE = np.array([[0] * 4, [0] * 4, [0, 2, 0, 0], [0, 1, 2, 0], [0, 1, 2, 3]])  # SIDE[players, seat] [MH-R02]


def sets_of(size: int) -> list[tuple[int, ...]]:
    """All sets of `size` pieces in the order of their numbers. [MH-R05]"""
    return list(combinations_with_replacement(range(1, HEIGHTS + 1), size))


def _set_table(size: int) -> np.ndarray:
    """Pieces of each height in every set (n, 4)."""
    return np.array([[chosen.count(h) for h in range(1, 5)] for chosen in sets_of(size)], np.int8)


SETS_OF_4 = _set_table(4)
SETS_OF_6 = _set_table(6)

SET_WORDS = -(-len(SETS_OF_6) // 64)  # words of a mask that number all sets


def _pieces_table() -> np.ndarray:
    """PIECES_OF_SETS[players, word, height - 1, bit]: pieces of the height in set 64 * word + bit; 127: no such set."""
    table = np.full((len(SET_SIZE), SET_WORDS * 64, HEIGHTS), 127, np.int8)
    for players in PLAYER_COUNTS:
        sets = _set_table(int(SET_SIZE[players]))
        table[players, : len(sets)] = sets
    return np.ascontiguousarray(table.reshape(len(SET_SIZE), SET_WORDS, 64, HEIGHTS).swapaxes(2, 3))


PIECES_OF_SETS = _pieces_table()


SITES_A_WORD = 64 // HEIGHTS  # sites whose pieces are the bits of a word
PIECE_WORDS = -(-SITES // SITES_A_WORD)  # words for all sites
ALL_HEIGHTS = (1 << HEIGHTS) - 1  # the heights on one square, as bits


def _squares_table() -> np.ndarray:
    """SQUARES_OF_CARDS[side, cards]: all heights on the board squares of some cards, as bits 4 * square + height - 1.

    Card c is bit c of `cards`.
    """
    table = np.zeros((4, 1 << SQUARES), np.uint64)
    for side, cards in np.ndindex(*table.shape):
        squares = [int(BOARD[side, card]) for card in range(SQUARES) if cards >> card & 1]
        table[side, cards] = sum(ALL_HEIGHTS << HEIGHTS * square for square in squares)
    return table


SQUARES_OF_CARDS = _squares_table()
