"""What is in the box: tiles, money cards, points of the majorities, the grid. No logic. [RULES.md section 1]

The grid of a city, x to the right, y up, start tile S at (0, 0). A cell is kept as row y + 11 and column x + 11, so
that every cell of the 21 x 21 cells has neighbours in the arrays:

    row 21   y = 10    . . . . . . .        a side of a tile is a bit: N 1, E 2, S 4, W 8
    row 11   y =  0    . . . S . . .        a cell as one number: 32 * row + column
    row  1   y = -10   . . . . . . .
                       column 1 .. 21
"""

from __future__ import annotations

import numpy as np

PLAYER_COUNTS = (2, 3, 4, 5, 6)
MAX_PLAYERS = 6
DIRK = MAX_PLAYERS  # row of Dirk, the imaginary third participant, in arrays by participant   [NY-80]

# ---------------------------------------------------------------- tiles

SIDES = "NESW"  # bit i of a street mask belongs to side i

TYPES = ("museum", "theatre", "station", "church", "park", "skyscraper")
TYPE_COUNT = len(TYPES)

# Price and streets of every tile by type, in the order of the ids.   [table 1.2]
_TILES = (
    "2NEW 3SW 4ES 5NW 6N 7E 8",
    "3ESW 4NE 5SW 6ES 7W 8S 9",
    "4NES 5NW 6NE 6SW 7ES 8E 8N 9 10",
    "5NSW 6ES 7NE 7SW 8NW 9S 9W 10 11",
    "6ESW 7NSW 8NE 8NW 8SW 9E 10 10N 10W 11 12S",
    "7NEW 8NES 9ES 9NE 9NW 10W 11 11N 11S 12 13E",
)

TILES = 54
ROW = 64  # tiles are observed in rows of 64 values, whole vectors; the next row overwrites the values too many
BY_TILE = 72  # length of arrays by tile: places 1 .. 54 are used, and a row of 64 can be read from place 1 on
NO_TILE = 0  # an empty depot slot; tile ids are 1 .. 54
START = 55  # the start tile of seat p is 55 + p where tiles are numbered; 61 tiles in all   [NY-33]
START_STREETS = 0  # it counts as a tile without streets   [NY-44]


def _tile_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Type, price and street mask by tile id."""
    types, prices, streets = (np.zeros(BY_TILE, np.int64) for _ in range(3))
    tile = 0
    for kind, row in enumerate(_TILES):
        for text in row.split():
            tile += 1
            sides = text.lstrip("0123456789")
            types[tile], prices[tile] = kind, int(text[: len(text) - len(sides)])
            streets[tile] = sum(1 << SIDES.index(side) for side in sides)
    return types, prices, streets


TYPE, PRICE, STREETS = _tile_tables()
ASKED = np.where(np.arange(BY_TILE) == NO_TILE, 31, PRICE)  # the price; more than any sum for an empty slot

# ---------------------------------------------------------------- money

BANKS = 4
BANK_LETTERS = "BGYR"
VALUES = 9
CARD_KINDS = BANKS * VALUES  # of money cards: card = 9 * bank + value - 1
CARDS = 3 * CARD_KINDS
CARD_COPIES = np.array([0, 0, 2, 3, 3, 3, 3])  # of each money card, by player count   [section 5]
NO_CARD = -1  # an empty market slot
SCORING_A, SCORING_B = CARD_KINDS, CARD_KINDS + 1  # the scoring cards among the money cards
DECK = CARDS + 2
CARD_BANK = np.repeat(np.arange(BANKS), VALUES)
CARD_VALUE = np.tile(np.arange(1, VALUES + 1), BANKS)
STARTING_MONEY = 20
SLOTS = 4  # of the market, of the depot (slot i belongs to bank i)
TAKE_LIMIT = 5  # sum of two or more cards taken together   [NY-10]
MARKET_SETS = 1 << SLOTS
VALUE_CAP = TAKE_LIMIT + 1  # cards above the limit are taken alone
CAPPED = np.array([0, *np.minimum(CARD_VALUE, VALUE_CAP)])  # value up to VALUE_CAP by card + 1; 0 for an empty slot


def _set_tables() -> tuple[np.ndarray, np.ndarray]:
    """Sets of market slots that may be taken, bit m - 1 for the set m.

    BY_VALUE[v0, v1, v2, v3]: by the slots' values, 0 for an empty slot, those above the limit as VALUE_CAP.   [NY-10]
    BY_EQUALS[pairs]: sets that use the lowest of equal cards, by the six bits of equal pairs.   [NY-R20]
    """
    by_value = np.zeros((VALUE_CAP + 1,) * SLOTS, np.int16)
    for values in np.ndindex(by_value.shape):
        for chosen in range(1, MARKET_SETS):
            taken = [values[i] for i in range(SLOTS) if chosen >> i & 1]
            if all(taken) and (len(taken) == 1 or sum(taken) <= TAKE_LIMIT):
                by_value[values] |= 1 << (chosen - 1)
    by_equals = np.zeros(1 << len(PAIRS), np.int16)
    for equal in range(len(by_equals)):
        for chosen in range(1, MARKET_SETS):
            skips = any(equal >> n & 1 and chosen >> j & 1 and not chosen >> i & 1 for n, (i, j) in enumerate(PAIRS))
            by_equals[equal] |= (not skips) << (chosen - 1)
    return by_value, by_equals


PAIRS = ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3))  # of market slots
BY_VALUE, BY_EQUALS = _set_tables()
PILES = 5  # parts the deck is cut into; SA lies in part 2, SB in part 4

# ---------------------------------------------------------------- grid

BOUND = 10  # |x|, |y| of a cell   [NY-40]
CELLS_ACROSS = 2 * BOUND + 1
CELLS = CELLS_ACROSS * CELLS_ACROSS
CENTRE = BOUND + 1  # row and column of the start tile
GRID_ROWS = 2 * CENTRE + 1
FIRST, LAST = CENTRE - BOUND, CENTRE + BOUND  # rows and columns with cells
CELL_STRIDE = 32
ROW_SHIFT, COLUMN_MASK = 5, CELL_STRIDE - 1  # row = cell >> ROW_SHIFT, column = cell & COLUMN_MASK
HOME = CELL_STRIDE * CENTRE + CENTRE  # the start tile's cell
STEP = np.array([CELL_STRIDE, 1, -CELL_STRIDE, -1])  # to the neighbour across side i
ROW_STEP = np.array([1, 0, -1, 0])
COLUMN_STEP = np.array([0, 1, 0, -1])

# ---------------------------------------------------------------- points

SCORINGS = 3  # A, B, C
DIRK_START = 6  # tiles   [NY-80]
DIRK_AFTER_A = 6  # [NY-82]
MOST_SCORE = 435  # [RULES.md section 11]


def place_points(scoring: int, kind: int) -> list[int]:
    """What the places of a majority get. [table 1.3]"""
    return [[1 + kind], [8 + kind, 1 + kind], [16 + kind, 8 + kind, 1 + kind]][scoring]


def _share_table() -> np.ndarray:
    """SHARE[scoring, type, above, tied] = points of each of `tied` participants with `above` others above them.

    They share the points of the places they occupy together.   [NY-74, NY-76]
    """
    share = np.zeros((SCORINGS, TYPE_COUNT, MAX_PLAYERS + 1, MAX_PLAYERS + 2), np.int64)
    for scoring in range(SCORINGS):
        for kind in range(TYPE_COUNT):
            points = place_points(scoring, kind) + [0] * (2 * MAX_PLAYERS)
            for above in range(MAX_PLAYERS + 1):
                for tied in range(1, MAX_PLAYERS + 2):
                    share[scoring, kind, above, tied] = sum(points[above : above + tied]) // tied
    return share


SHARE = _share_table()
