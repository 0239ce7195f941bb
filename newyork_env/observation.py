# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""What a seat sees: the observation table and `observe` that fills it. What it does not see is dealt by determinize.py.

Seat index j is seat (viewer + j) mod n. Hidden from it: the other hands, the order of deck and bag, which cards lie in
the discards. [section 7]
"""

from __future__ import annotations

import numpy as np

from newyork_env.city import lowest, row_fits, row_takes
from newyork_env.components import (
    BANK_OF,
    BANKS,
    CELL_STRIDE,
    CELLS,
    CELLS_ACROSS,
    CENTRE,
    COPIES,
    DIRK,
    FIRST,
    KINDS,
    LAST,
    NO_CARD,
    NO_TILE,
    PRICE,
    ROW,
    SCORINGS,
    SLOTS,
    START,
    STREETS,
    TILES,
    TYPE,
    TYPE_COUNT,
    VALUE_OF,
    VALUES,
)
from newyork_env.money import REACH_BITS
from newyork_env.scoring import next_scoring
from newyork_env.state import AT_DIRK, IN_BAG, NO_SLOT, PHASE_BUILD, PHASE_MAIN, PHASE_PUT
from newyork_env.worth import cell_worth, next_worth, tile_worth
from skyline.core.jit import njit
from skyline.core.wide import bits_equal, widen, write_bits
from skyline.game import NO_SEAT, ObservationTable, Slice

TILE_VIEW = 12  # present, type (6), price, streets (4)
VIEW_ROW = 16  # what is written of it, a whole vector
U1 = np.uint64(1)
MOST_TURNS = 1000
REACH = 7  # the rich grid shows the cells -7 .. 7
REACH_SIDE = 2 * REACH + 1
MOST_WORTH = 1000
VALUE_STEPS = 4  # worths are in quarters of a point


def observation_table(players: int) -> ObservationTable:
    """P seats, D = 1 with Dirk."""
    P, D = players, int(players == 2)
    base = (
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
        Slice("market", (SLOTS, 5), 0, 9, 9, "bank of the card; value, 0 = empty slot"),
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
    )  # fmt: skip
    rich = (
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
    return ObservationTable(base, rich, worth=("scores", "major_now", "street"), worth_scale=40)


def _tile_views() -> np.ndarray:
    """Depot and chosen tile as they are observed, by tile id (55, 16)."""
    table = np.zeros((START, VIEW_ROW), np.int8)
    for tile in range(1, START):
        table[tile, 0] = 1
        table[tile, 1 + TYPE[tile]] = 1
        table[tile, 7] = PRICE[tile]
        table[tile, 8:TILE_VIEW] = [STREETS[tile] >> side & 1 for side in range(4)]
    return table


TILE_VIEWS = _tile_views()


# ---------------------------------------------------------------- observe


@njit
def observe(s, seat, out):
    """Write the seat's observation in the order of the table; the number of values written."""
    players = int(s.players)
    at = _observe_seats(s, seat, players, out, 0)
    at = _observe_types(s, seat, players, out, at)
    at = _observe_tiles(s, seat, players, out, at)
    at = _observe_depot(s, seat, out, at)
    at = _observe_cards(s, seat, out, at)
    at = _observe_purchase(s, out, at)
    at = _observe_clock(s, out, at)
    at = _observe_majorities(s, seat, players, out, at)
    if out.shape[0] > at:
        at = _observe_rich(s, seat, out, at)
    return at


@njit
def _around(first, j, n):
    """The j-th of n after the first one, going round."""
    return first + j if first + j < n else first + j - n


@njit
def _observe_seats(s, seat, players, out, at):
    """to_move .. street."""
    out[at : at + players + 6] = 0
    if s.seat != NO_SEAT:
        out[at + (s.seat - seat if s.seat >= seat else s.seat - seat + players)] = 1
        out[at + players + int(s.phase)] = 1
    out[at + players + 5] = s.ending
    at += players + 6
    best = -1
    for j in range(players):
        other = _around(seat, j, players)
        score = int(s.scores[other])
        if j and score > best:
            best = score
        out[at + j] = score
        out[at + players + 1 + j] = s.held[other]
        out[at + 2 * players + 1 + j] = s.street[other]
    out[at + players] = s.scores[seat] - best
    return at + 3 * players + 1


@njit
def _observe_types(s, seat, players, out, at):
    """types, reserve_types."""
    for j in range(players):
        widen(out, at, s.types[_around(seat, j, players)], TYPE_COUNT)
        at += TYPE_COUNT
    if players == 2:
        widen(out, at, s.types[DIRK], TYPE_COUNT)
        at += TYPE_COUNT
    for j in range(players):
        widen(out, at, s.reserve_types[_around(seat, j, players)], TYPE_COUNT)
        at += TYPE_COUNT
    return at


@njit
def _observe_tiles(s, seat, players, out, at):
    """tile_city .. tile_y. Whole rows of 64 are written; the ten values too many are overwritten by what comes next."""
    for j in range(players):
        _write_tiles(out, at, s.in_city[_around(seat, j, players)])
        at += TILES
    for j in range(players):
        _write_tiles(out, at, s.in_reserve[_around(seat, j, players)])
        at += TILES
    place = s.place[1:]
    if players == 2:
        write_bits(out, at, bits_equal(place, AT_DIRK, ROW), ROW)
        at += TILES
    write_bits(out, at, bits_equal(place, IN_BAG, ROW), ROW)
    _write_tiles(out, at + TILES, s.to_place[seat])
    at += 2 * TILES
    out[at : at + TILES] = 0
    for j in range(players):
        rest = int(s.to_place[_around(seat, j, players)])
        while rest:
            out[at + lowest(rest) - 1] = 1 + j
            rest &= rest - 1
    widen(out, at + TILES, s.x[1:], ROW)
    widen(out, at + 2 * TILES, s.y[1:], ROW)
    return at + 3 * TILES


@njit
def _write_tiles(out, at, tiles):
    """A row of the tiles of a word."""
    write_bits(out, at, np.uint64(tiles) >> U1, ROW)


@njit
def _observe_tile(tile, out, at):
    """A tile's twelve values; the four too many are overwritten by what comes next."""
    widen(out, at, TILE_VIEWS[tile], VIEW_ROW)


@njit
def _observe_depot(s, seat, out, at):
    """depot, afford."""
    for i in range(SLOTS):
        _observe_tile(s.depot[i], out, at + TILE_VIEW * i)
    at += SLOTS * TILE_VIEW
    for i in range(SLOTS):
        tile = s.depot[i]
        sums = int(s.reach[seat, i]) >> PRICE[tile]
        pays = tile != NO_TILE and sums != 0
        out[at] = pays
        out[at + 1] = pays and sums & 1
        out[at + 2] = lowest(sums) if pays else -1
        at += 3
    return at


@njit
def _observe_cards(s, seat, out, at):
    """market, hand, hand_sum, unseen."""
    hand = s.hands[seat]
    unseen = at + 5 * SLOTS + KINDS + BANKS
    copies = COPIES[s.players]
    widen(out, at + 5 * SLOTS, hand, KINDS)
    part = out[unseen : unseen + KINDS]
    for card in range(part.shape[0]):
        part[card] = copies - hand[card]
    for bank in range(BANKS):
        out[unseen - BANKS + bank] = s.money[seat, bank]
    out[at : at + 5 * SLOTS] = 0
    for i in range(SLOTS):
        card = int(s.market[i])
        if card != NO_CARD:
            out[at + 5 * i + BANK_OF[card]] = 1
            out[at + 5 * i + 4] = VALUE_OF[card]
            out[unseen + card] -= 1
    if s.slot != NO_SLOT:
        for value in range(1, VALUES + 1):
            out[unseen + VALUES * int(s.slot) + value - 1] -= s.laid[value]
    return unseen + KINDS


@njit
def _observe_purchase(s, out, at):
    """pay_slot .. chosen."""
    out[at : at + SLOTS + VALUES + 2] = 0
    if s.slot != NO_SLOT:
        out[at + int(s.slot)] = 1
        for value in range(1, VALUES + 1):
            out[at + SLOTS + value - 1] = s.laid[value]
        out[at + SLOTS + VALUES] = PRICE[s.depot[s.slot]] - s.laid_sum
        out[at + SLOTS + VALUES + 1] = s.laid_last if s.laid_sum else 0
    at += SLOTS + VALUES + 2
    _observe_tile(s.chosen, out, at)
    return at + TILE_VIEW


@njit
def _observe_clock(s, out, at):
    """piles .. purchases."""
    out[at] = s.deck_size - s.deck_top
    out[at + 1] = s.discards_size
    out[at + 2] = TILES - s.bag_top
    at += 3
    for i in range(2):
        is_out = s.scored >> i & 1
        out[at + i] = is_out
        top = int(s.deck_top)
        out[at + 2 + 2 * i] = 0 if is_out else max(s.earliest[i] - top, 0) + 1
        out[at + 3 + 2 * i] = 0 if is_out else s.latest[i] - top + 1
    at += 6
    out[at : at + SCORINGS] = 0
    out[at + next_scoring(s)] = 1
    at += SCORINGS
    out[at] = min(s.max_turns - s.turns, MOST_TURNS)
    bought = 0
    for i in range(SLOTS):
        bought += s.depot[i] == NO_TILE
    out[at + 1] = 0 if s.ending else bought
    return at + 2


@njit
def _observe_majorities(s, seat, players, out, at):
    """major_now, type_gain."""
    for j in range(players):
        points = s.majority[_around(seat, j, players)]
        total = 0
        for kind in range(TYPE_COUNT):
            total += points[kind]
        out[at + j] = total
    at += players
    widen(out, at, s.one_more[seat], TYPE_COUNT)
    return at + TYPE_COUNT


@njit
def _observe_rich(s, seat, out, at):
    """own_grid, cell_worth, tile_worth, type_worth, made_exact."""
    for y in range(-REACH, REACH + 1):
        row = y + CENTRE
        for x in range(-REACH, REACH + 1):
            column = x + CENTRE
            built = s.built[seat, row] >> column & 1
            cell = at + REACH_SIDE * (y + REACH) + x + REACH
            plane = REACH_SIDE * REACH_SIDE
            out[cell] = built
            out[cell + plane] = built & s.above[seat, row] >> column
            out[cell + 2 * plane] = built & s.right[seat, row] >> column
            out[cell + 3 * plane] = built & s.above[seat, row - 1] >> column
            out[cell + 4 * plane] = built & s.right[seat, row] >> (column - 1)
    at += 5 * REACH_SIDE * REACH_SIDE
    out[at : at + CELLS] = 0
    if s.seat == seat and (s.phase == PHASE_BUILD or s.phase == PHASE_PUT):
        tile = int(s.chosen)
        more = next_worth(s, seat, TYPE[tile])
        for row in range(FIRST, LAST + 1):
            if s.phase == PHASE_PUT:
                columns = row_fits(s, seat, row, STREETS[tile])
            else:
                columns = row_takes(s, seat, row, STREETS[tile])
            while columns:
                column = lowest(columns)
                columns &= columns - 1
                cell = CELL_STRIDE * row + column
                index = CELLS_ACROSS * (row - FIRST) + column - FIRST
                out[at + index] = round(VALUE_STEPS * cell_worth(s, seat, tile, cell, more))
    return _observe_worth(s, seat, out, at + CELLS)


@njit
def _observe_worth(s, seat, out, at):
    """tile_worth, type_worth, made_exact."""
    kinds, exact = at + SLOTS, at + SLOTS + TYPE_COUNT
    for slot in range(SLOTS):
        tile, card = s.depot[slot], s.market[slot]
        buying = s.seat == seat and s.phase == PHASE_MAIN and tile != NO_TILE
        out[at + slot] = round(VALUE_STEPS * tile_worth(s, seat, int(tile))) if buying else 0
        out[exact + slot] = card != NO_CARD and makes_exact(s, seat, card)
    for kind in range(TYPE_COUNT):
        out[kinds + kind] = round(VALUE_STEPS * next_worth(s, seat, kind))
    return exact + SLOTS


@njit
def makes_exact(s, seat, card):
    """Whether the depot tile of the card's bank can be paid exactly with it, and cannot without."""
    bank = BANK_OF[card]
    tile, reach = s.depot[bank], int(s.reach[seat, bank])
    return tile != NO_TILE and (reach << VALUE_OF[card] & REACH_BITS & ~reach) >> PRICE[tile] & 1 != 0
