"""The observation table: what a seat sees, slice by slice. `observe` in observation.py fills it.

Seat index j is seat (viewer + j) mod n. Hidden is the order of deck and bag; the other hands and which cards lie in the
discards show in the recall slices alone. [RULES.md section 7]
"""

from __future__ import annotations

import numpy as np

from newyork_env.components import (
    BANKS,
    CARD_BANK,
    CARD_KINDS,
    CARD_VALUE,
    CELLS_ACROSS,
    PRICE,
    SCORINGS,
    SLOTS,
    START,
    STREETS,
    TILES,
    TYPE,
    TYPE_COUNT,
    VALUES,
)
from skyline.game import ObservationTable, Slice

TILE_VIEW = 12  # present, type (6), price, streets (4)
VIEW_ROW = 16  # values written for a tile, a whole vector
CARD_VIEW = 5  # bank (4), value
CARD_ROW = 8  # values written for a card of the market
REACH = 7  # the rich grid shows the cells -7 .. 7
REACH_SIDE = 2 * REACH + 1
MOST_WORTH = 1000
VALUE_STEPS = 4  # worths are in quarters of a point


def observation_table(players: int) -> ObservationTable:
    """The slices for a player count."""
    return ObservationTable(
        _base_slices(players, int(players == 2)) + _recall_slices(players),
        _rich_slices(),
        worth=("scores", "major_now", "street"),
        worth_scale=40,
    )


def _base_slices(P: int, D: int) -> tuple[Slice, ...]:
    """What everybody sees, and the own hand: P seats, counted from the viewer; D = 1 if Dirk takes part."""
    return (
        Slice("to_move", (P,), 0, 1, 1, "who decides"),
        Slice("phase", (5,), 0, 1, 1, "MAIN, PAY, BUILD, PLACE, PUT"),
        Slice("endgame", (1,), 0, 1, 1, "the leftover tiles are being placed"),
        Slice("scores", (P,), 0, 435, 100, "points so far"),
        Slice("margin", (1,), -435, 435, 50, "own points less the best other"),
        Slice("hand_size", (P,), 0, 108, 15, "cards in hand"),
        Slice("street", (P,), 0, 80, 10, "longest continuous outer street"),
        Slice("types", (P + D, TYPE_COUNT), 0, 11, 4, "tiles of each type in the city; last row Dirk's heap"),
        Slice("reserve_types", (P, TYPE_COUNT), 0, 11, 4, "tiles of each type in the reserve"),
        Slice("tile_city", (P, TILES), 0, 1, 1, "tile 1 .. 54 lies in the seat's city"),
        Slice("tile_reserve", (P, TILES), 0, 1, 1, "tile lies in the seat's reserve"),
        *[Slice("tile_dirk", (TILES,), 0, 1, 1, "tile lies in Dirk's heap")] * D,
        Slice("tile_bag", (TILES,), 0, 1, 1, "tile is not drawn yet"),
        Slice("due_own", (TILES,), 0, 1, 1, "own tile to be placed"),
        Slice("due_seat", (TILES,), 0, 6, 6, "1 + seat that has to place the tile, 0 = none"),
        Slice("tile_x", (TILES,), -10, 10, 5, "x of a city tile, 0 elsewhere"),
        Slice("tile_y", (TILES,), -10, 10, 5, "y of a city tile, 0 elsewhere"),
        Slice("depot", (SLOTS, TILE_VIEW), 0, 13, 1, "there is a tile; its type; its price; streets N E S W"),
        Slice(
            "afford", (SLOTS, 3), -1, 8, 5,
            "the own hand pays the tile; pays it exactly; least overpayment, -1 if it does not pay", own_only=True,
        ),
        Slice("market", (SLOTS, CARD_VIEW), 0, 9, 9, "bank of the card; value, 0 = empty slot"),
        Slice("hand", (BANKS, VALUES), 0, 3, 2, "own cards", own_only=True),
        Slice("hand_sum", (BANKS,), 0, 135, 15, "sum of the own cards of a bank", own_only=True),
        Slice("unseen", (BANKS, VALUES), 0, 3, 3, "copies not in own hand, market or laid", own_only=True),
        Slice("pay_slot", (SLOTS,), 0, 1, 1, "depot slot being bought"),
        Slice("pay_laid", (VALUES,), 0, 3, 3, "cards of each value laid for it"),
        Slice("pay_missing", (1,), 0, 13, 10, "money still missing"),
        Slice("pay_last", (1,), 0, 9, 9, "value laid last, 0 = none"),
        Slice("chosen", (TILE_VIEW,), 0, 13, 1, "the tile of BUILD or PUT, as in `depot`"),
        Slice("piles", (3,), 0, 110, 50, "cards in the deck, in the discards; tiles in the bag"),
        Slice("scoring_out", (2,), 0, 1, 1, "scoring card A, B has come up"),
        Slice("scoring_due", (2, 2), 0, 110, 50, "cards to draw until A, B comes: fewest, most; 0 = out"),
        Slice("scoring_next", (SCORINGS,), 0, 1, 1, "the next scoring is A, B, C"),
        Slice("turns_left", (1,), 0, 1000, 100, "turns of all seats to the limit, at most 1000"),
        Slice("purchases", (1,), 0, 4, 4, "purchases in this turn"),
        Slice("major_now", (P,), 0, 111, 30, "points for types if the next scoring were now"),
        Slice("type_gain", (TYPE_COUNT,), 0, 21, 10, "own points more at it with one more tile of the type"),
        Slice("exact_slot", (SLOTS,), 0, 1, 1, "depot slot just paid exactly, so that a further card may be paid"),
    )  # fmt: skip


def _recall_slices(P: int) -> tuple[Slice, ...]:
    """What a perfect memory holds beside `scoring_due` and `tile_bag`: zeros with TABLE. [7.2]"""
    return tuple(
        Slice(name, shape, low, high, scale, meaning, recall=True)
        for name, shape, low, high, scale, meaning in (
            ("recall_hands", (P - 1, BANKS, VALUES), 0, 3, 2, "cards of every other hand, from the next seat on"),
            ("recall_money", (P - 1, BANKS), 0, 135, 15, "sum of the other hand's cards of a bank"),
            ("recall_exact", (P - 1, SLOTS), 0, 1, 1, "the other hand pays the tile of the slot exactly"),
            ("recall_discards", (BANKS, VALUES), 0, 3, 3, "cards of the discards"),
            ("recall_deck", (BANKS, VALUES), 0, 3, 3, "money cards of the deck"),
            ("recall_leftover", (SLOTS,), -1, 1, 1, "tile goes to the viewer (1) or to another seat (-1) at the end"),
        )
    )


def _rich_slices() -> tuple[Slice, ...]:
    """The own city as a grid, and what tiles are worth."""
    return (
        Slice("own_grid", (5, REACH_SIDE, REACH_SIDE), 0, 1, 1, "own city, y and x -7 .. 7: tile, streets N E S W"),
        Slice(
            "cell_worth",
            (CELLS_ACROSS, CELLS_ACROSS),
            -MOST_WORTH,
            MOST_WORTH,
            20,
            "worth of a legal `at X Y`, in quarters of a point: type, own street, open sides",
        ),
        Slice(
            "tile_worth", (SLOTS,), -MOST_WORTH, MOST_WORTH, 20, "the same of a depot tile in its best cell, at MAIN"
        ),
        Slice("type_worth", (TYPE_COUNT,), -MOST_WORTH, MOST_WORTH, 20, "the same of one more tile of the type"),
        Slice("made_exact", (SLOTS,), 0, 1, 1, "the market card makes its bank's tile payable exactly", own_only=True),
    )


def _tile_views() -> np.ndarray:
    """Depot and chosen tile as they are observed, by tile id (55, 16)."""
    table = np.zeros((START, VIEW_ROW), np.int8)
    for tile in range(1, START):
        table[tile, 0] = 1
        table[tile, 1 + TYPE[tile]] = 1
        table[tile, 7] = PRICE[tile]
        table[tile, 8:TILE_VIEW] = [STREETS[tile] >> side & 1 for side in range(4)]
    return table


def _card_views() -> np.ndarray:
    """The market's cards as they are observed, by card + 1; row 0: an empty slot (37, 8)."""
    table = np.zeros((1 + CARD_KINDS, CARD_ROW), np.int8)
    for card in range(CARD_KINDS):
        table[1 + card, CARD_BANK[card]] = 1
        table[1 + card, BANKS] = CARD_VALUE[card]
    return table


TILE_VIEWS = _tile_views()
CARD_VIEWS = _card_views()
