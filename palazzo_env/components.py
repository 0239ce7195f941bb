"""What is in the box: money cards, tiles, the three piles, points. No logic. [RULES.md section 1]

Cards are numbered 0 .. 15 in card order:    2  A3 A4 A5 A6 A7  B3 .. B7  C3 .. C7
Components 0 .. 21 are the cards and the groups:  0 .. 15  T2 T3 T4 T5 T6 T7
Tiles are numbered 9 (floor - 1) + 3 (windows - 1) + material, 0 .. 44:  11b 11m 11s 12b .. 53s
"""

from __future__ import annotations

import numpy as np

PLAYER_COUNTS = (2, 3, 4)
MAX_PLAYERS = 4

# ---------------------------------------------------------------- money   [1.2]

CURRENCY_LETTERS = "ABC"
CURRENCIES = 3
VALUES = 5  # values 3 .. 7 of a currency
LOWEST_VALUE = 3
CERTIFICATE = 0  # the card index of the neutral certificate
CERTIFICATE_VALUE = 2

CARD_TEXTS = ("2", *(f"{letter}{value}" for letter in CURRENCY_LETTERS for value in range(3, 8)))
CARD_KINDS = len(CARD_TEXTS)
CARD_COPIES = np.array([10] + [3] * (CARD_KINDS - 1), np.int8)
CARDS = int(CARD_COPIES.sum())
CARD_VALUE = np.array([CERTIFICATE_VALUE] + [3, 4, 5, 6, 7] * CURRENCIES)
CARD_DECK = np.repeat(np.arange(CARD_KINDS), CARD_COPIES).astype(np.uint8)

GROUP_VALUE = 15
GROUP_CARDS = 3
FIRST_GROUP = CARD_KINDS  # T2; T3 .. T7 follow
COMPONENT_TEXTS = CARD_TEXTS + tuple(f"T{value}" for value in range(2, 8))
COMPONENTS = len(COMPONENT_TEXTS)
MOST_SINGLE_CERTIFICATES = 2  # in one payment or raise   [PZ-R12]

# Place of every component in component order: T7 .. T2, single cards 7 .. 3, certificate.   [PZ-R11]
CERTIFICATE_RANK = 11
RANKS = np.array([CERTIFICATE_RANK, *[10, 9, 8, 7, 6] * CURRENCIES, 5, 4, 3, 2, 1, 0])

START_HAND = 4
PRICE_BASE = 10
OPENING_BID = 3  # the value of the 3-certificate
MOST_TOTAL = 275  # a bid with all 55 cards and the 3-certificate

# ---------------------------------------------------------------- tiles   [1.3]

MATERIAL_LETTERS = "bms"
MATERIALS = 3
FLOORS = 5
TILE_TEXTS = tuple(f"{floor}{windows}{letter}" for floor in range(1, 6) for windows in range(1, 4) for letter in "bms")
TILE_KINDS = len(TILE_TEXTS)
TILE_FLOORS = np.array([int(text[0]) for text in TILE_TEXTS])
TILE_WINDOWS = np.array([int(text[1]) for text in TILE_TEXTS])
TILE_MATERIALS = np.array([MATERIAL_LETTERS.index(text[2]) for text in TILE_TEXTS])

KNIGHT = TILE_KINDS  # the number of a knight in the stack, behind those of the tiles
KNIGHT_TEXT = "K"
KNIGHTS = 5
STACK_TEXTS = (*TILE_TEXTS, KNIGHT_TEXT)  # by entry of the stack


def _pile(*faces: str) -> np.ndarray:
    """The tiles of these floors and windows in each material, in tile order."""
    return np.array(sorted(TILE_TEXTS.index(face + letter) for face in faces for letter in MATERIAL_LETTERS), np.uint8)


# The piles, by the numbers on the backs of the tiles.   [PZ-C1]
PILE_1 = _pile("11", "13", "22", "23", "32")
PILE_2 = _pile("12", "21", "31", "33", "43", "53")
PILE_3 = _pile("31", "41", "42", "51", "52")
PILE_3_WITH_KNIGHTS = np.concatenate([PILE_3, np.full(KNIGHTS, KNIGHT, np.uint8)])
SORTED_STACK = np.concatenate([PILE_1, PILE_2, PILE_3_WITH_KNIGHTS])
STACK = len(SORTED_STACK)
MOST_STACK = STACK - 5  # entries left after the setup   [PZ-S3]
BELOW_PILE_1 = STACK - len(PILE_1)  # entries left when pile I is used up
BELOW_PILE_2 = len(PILE_3_WITH_KNIGHTS)  # entries left when pile II is used up

TILE_COPIES = np.bincount(np.concatenate([PILE_1, PILE_2, PILE_3]), minlength=TILE_KINDS).astype(np.int8)
TILES = int(TILE_COPIES.sum())
TILE_ROWS = np.concatenate([[0], np.cumsum(TILE_COPIES)[:-1]])  # the first of a kind's rows among the 48 tiles

QUARRIES = 4
QUARRY_ROOM = 25  # tiles a quarry or the depot can hold   [section 11]
LEAST_SHARED = 4  # tiles on a quarry that are given out instead of auctioned   [PZ-42]
MOST_LOT = 3  # tiles built in one go
PALACE_ROOM = 48  # palaces of a player   [section 11]

# ---------------------------------------------------------------- points   [PZ-80, PZ-81], by number of tiles

LENGTH_POINTS = np.array([0, -5, 0, 0, 3, 6])
LEAST_COUNTED = 3  # tiles from which windows and one material count
UNIFORM_POINTS = np.array([0, 0, 0, 3, 3, 6])  # all tiles of one material
LEAST_SCORE, MOST_SCORE = -240, 201  # [section 11]
