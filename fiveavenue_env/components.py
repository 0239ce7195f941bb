r"""What is in the box: districts and their ways, rings, shops, cards, value tables. No logic. [RULES.md section 1]

      34W --- 42W --- 52W               the way of the commissions, from left to right:
    /     \         /     \             34W and 34E also lead to TS, TS to 52W and 52E
START       -- TS --       CP -> START
    \     /         \     /             a lot is 6 * district + colour, the dashed lot 6 * district + 5
      34E --- 42E --- 52E
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

PLAYER_COUNTS = (2, 3, 4)
MAX_PLAYERS = 4
EGON = 4  # row of his buildings, value of lot_owner and leader
OWNERS = 5

DISTRICT_NAMES = ("34W", "34E", "42W", "42E", "TS", "52W", "52E")
NODE_NAMES = ("START", *DISTRICT_NAMES, "CP")
COLOUR_NAMES = ("brown", "grey", "violet", "orange", "green", "black")
LOT_NAMES = (*COLOUR_NAMES[:5], "dashed")
KIND_NAMES = ("boutique", "jeweller", "gallery", "perfumery")
COMMISSION_NAMES = ("white", "beige")

DISTRICTS, NODES, COLOURS, KINDS, COMMISSIONS = 7, 9, 5, 4, 2
SIDES = 6  # lots kept a district; board 5 has no dashed one
LOTS = DISTRICTS * SIDES
LOT_PAIRS = SIDES * (SIDES - 1) // 2  # of a district
DASHED = 5
START, CP = 0, 8  # nodes; district d is node d + 1
PARK = 7  # place of the auction for Central Park, after the districts 0 .. 6
PLACES = 8
BLACK = 5  # the sixth colour of cards

VALUES = (4, 5, 6)
CARD_KINDS = 18  # 3 * colour + value - 4
FIRST_BLACK = 15
COLOURED_CARDS = np.array([5, 4, 3])  # of values 4, 5, 6 in each colour
BLACK_CARDS = np.array([20, 16, 14])
STACK = int(COLOURED_CARDS.sum())
BLACK_STACK = int(BLACK_CARDS.sum())
CARD_COPIES = np.array([*list(COLOURED_CARDS) * COLOURS, *BLACK_CARDS])
CARDS_OF_COLOUR = np.array([STACK] * COLOURS + [BLACK_STACK])
CARD_VALUE = np.array([4, 5, 6] * 6)
BLACK_DEAL = 4  # black cards a player is dealt  # FA-S6
EGON_MOST = 4  # cards he can turn up, 4 + 5 + 6 + 6 = 21

SHOPS = 36
SHOPS_A_KIND = 9
BLOCKS = 8
BLOCK_SIZE = np.array([3, 2, 3, 2, 3, 2, 3, 2])
ROW_TILES = int(BLOCK_SIZE.sum())
TILES_OUT = SHOPS - DISTRICTS - ROW_TILES
PARK_MOST = 8  # one tile of every block
PLACED_MOST = ROW_TILES - PARK_MOST
PARK_SHOWN = 3  # tiles turned up at the end  # FA-93

RESERVE, SUPPLY = 3, 12
START_BUILDINGS = 2
BUILDINGS = START_BUILDINGS + RESERVE + SUPPLY  # of a player, without the score marker
SUPPLY_STEP = 3  # FA-3
MARKERS = 3
BUILD_MOST = 3  # FA-65
CLOSINGS = 2  # FA-91

LOT_POINTS = np.array([1, 2, 3, 5, 8])  # a building, by kinds beside its lot  # FA-42
PARK_POINTS = np.array([1, 2, 3, 5])  # a building, by kinds among the shown park tiles  # FA-94, FA-R13
MOST_SCORE = 10_000_000  # 32,767 turns of 136 points and the final scoring are less than half of this number
BONUS_STEP = 3  # shops  # FA-34
BONUS_DISTRICTS = np.array([0, 3, 4, 5])  # by shops placed // 3
BONUS_POINTS = np.array([0, 4, 6, 8])

PAIRS = tuple(combinations(range(COLOURS), 2))
SUCCESSORS = ((1, 2), (3, 5), (4, 5), (6,), (7,), (6, 7), (8,), (8,), (0,))  # of the nodes  [1.3]

DEFAULT_RINGS = {
    "34W": ("orange", "green", "violet", "grey", "brown"),
    "34E": ("orange", "green", "violet", "brown", "grey"),
    "42W": ("orange", "green", "grey", "violet", "brown"),
    "42E": ("orange", "violet", "green", "brown", "grey"),
    "TS": ("orange", "green", "grey", "brown", "violet"),
    "52W": ("orange", "violet", "grey", "green", "brown"),
    "52E": ("orange", "violet", "brown", "green", "grey"),
}
PLAIN_RING = COLOUR_NAMES[:5]
BOARDS = (5, 6)


def _targets(node: int, closed: int) -> int:
    """The nodes a commission may move to, as bits; bit d of `closed` = district d is closed.  # FA-24"""
    reached, todo = set(), list(SUCCESSORS[node])
    while todo:
        target = todo.pop()
        if 1 <= target <= DISTRICTS and closed >> (target - 1) & 1:
            todo.extend(SUCCESSORS[target])
        else:
            reached.add(target)
    return sum(1 << target for target in reached)


TARGETS = np.array([[_targets(node, closed) for closed in range(1 << DISTRICTS)] for node in range(NODES)], np.uint64)


def _placement_order(players: int) -> list[int]:
    """Counter-clockwise from seat 0, then back.  # FA-S9"""
    first = [-i % players for i in range(players)]
    return first + first[::-1]


PLACEMENTS = np.array([_placement_order(n) + [0] * (2 * MAX_PLAYERS - 2 * n) if n > 1 else [0] * 8 for n in range(5)])


def _takes(nonempty: int) -> int:
    """What may be taken, pairs first, as bits; bit c of `nonempty`: the stack of colour c has cards.  # FA-D4"""
    colours = [c for c in range(COLOURS) if nonempty >> c & 1]
    pairs = [a in colours and b in colours for a, b in PAIRS]
    return sum(1 << i for i, legal in enumerate([*pairs, *(colours == [c] for c in range(COLOURS))]) if legal)


TAKES = np.array([_takes(nonempty) for nonempty in range(1 << COLOURS)], np.uint64)
PAIR = np.array(PAIRS)
