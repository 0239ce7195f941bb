"""The observation table: what a seat sees, slice by slice. `observe` in observation.py fills it.

Everything is seen from the viewer: seat index j is seat (viewer + j) mod n; quarries are counted from the builder,
1 = the next one clockwise .. 4 = his own. Hidden: the other hands, the orders of deck and stack. [section 7]
"""

from __future__ import annotations

import numpy as np

from palazzo_env.components import (
    BELOW_PILE_2,
    CARD_KINDS,
    CARDS,
    FLOORS,
    KNIGHTS,
    LEAST_SCORE,
    MOST_SCORE,
    MOST_STACK,
    MOST_TOTAL,
    PALACE_ROOM,
    QUARRIES,
    TILE_FLOORS,
    TILE_KINDS,
    TILE_MATERIALS,
    TILE_WINDOWS,
    TILES,
)
from palazzo_env.state import DECISIONS, SLOTS
from skyline.game import ObservationTable, Slice

RANKS_SHOWN = 12  # ranks of the component order
GAIN_SCALE = 10  # rich values are tenths of a point
MOST_GAIN = 1000
MOST_QUIET = 2**15 - 1


def observation_table(players: int) -> ObservationTable:
    """The slices for a player count; P is that count, and seats are counted from the viewer."""
    base = (
        *_money_slices(players), *_tile_slices(players), *_decision_slices(players), *_memory_slices(players)
    )  # fmt: skip
    return ObservationTable(base, _rich_slices(players), worth=("score",), worth_scale=20)


def _money_slices(P: int) -> tuple[Slice, ...]:
    """The turn, money, the running payment or auction, the price."""
    K = CARD_KINDS
    return (
        Slice("to_move", (P,), 0, 1, 1, "who decides"),
        Slice("active", (P,), 0, 1, 1, "whose turn it is"),
        Slice("phase", (DECISIONS,), 0, 1, 1, "MAIN MONEY CHOICE BUY PAY BID SHARE BUILD REBUILD INTO FEE"),
        Slice("hand", (K,), 0, 10, 3, "own cards by kind", own_only=True),
        Slice("groups", (6,), 0, 3, 2, "groups T2 .. T7 in the own hand", own_only=True),
        Slice("maxpay", (1,), 0, 272, 30, "largest single payment of the own hand", own_only=True),
        Slice("hand_size", (P,), 0, 55, 10, "cards in the hand"),
        Slice("deck", (1,), 0, 55, 40, "cards in the draw deck"),
        Slice("discards", (K,), 0, 10, 3, "discarded cards by kind"),
        Slice("face_up", (K,), 0, P + 1, 2, "cards face up to be taken"),
        Slice("unseen", (K,), 0, 10, 3, "cards in the deck and the other hands by kind", own_only=True),
        Slice("first_pick", (K,), 0, 1, 1, "the card the active player took first"),
        Slice("table", (P, K), 0, 10, 2, "cards laid in the auction or payment"),
        Slice("total", (P,), 0, MOST_TOTAL, 20, "bid or paid so far"),
        Slice("lock", (P, 3), 0, 1, 1, "currency A, B, C of the single cards laid"),
        Slice("out", (P,), 0, 1, 1, "has passed in the auction"),
        Slice("standing", (1,), 0, MOST_TOTAL, 20, "standing bid, 0 without auction"),
        Slice("holder", (P,), 0, 1, 1, "whose bid that is"),
        Slice("goal", (1,), 0, MOST_TOTAL + 1, 20, "price to pay, or standing bid + 1"),
        Slice("missing", (1,), -MOST_TOTAL, MOST_TOTAL + 1, 20, "goal less the own total"),
        Slice(
            "raise_last", (RANKS_SHOWN,), 0, 1, 1, "component laid last in this raise: T7 .. T2, 7 .. 3, certificate"
        ),
        Slice("raise_j", (1,), 0, 2, 1, "single certificates in this raise"),
        Slice("price", (1,), 0, 10, 9, "of one depot tile; 10 = the depot is empty"),
        Slice("affordable", (2,), 0, 1, 1, "the own hand can pay one, two depot tiles", own_only=True),
    )


def _tile_slices(P: int) -> tuple[Slice, ...]:
    """Where tiles lie, the palaces, the stack."""
    return (
        Slice(
            "tiles",
            (6 + P, TILES),
            0,
            1,
            1,
            "what lies in the depot, in quarry 1 .. 4 from the builder, in a palace of seat j; what is pending "
            "(chosen, to build, to rebuild). Tiles in tile order, two of a kind in the order of these places",
        ),
        Slice("tile_slot", (TILES,), 0, PALACE_ROOM - 1, 8, "slot of its palace among its owner's"),
        Slice("slot_windows", (SLOTS, FLOORS), 0, 3, 3, "own palaces by slot: windows of the i-th tile from below"),
        Slice("slot_materials", (SLOTS, FLOORS, 3), 0, 1, 1, ".. its material b, m, s"),
        Slice("slot_copies", (SLOTS,), 0, 2, 1, "identical palaces in this slot"),
        Slice("slot_points", (SLOTS,), -5, 27, 10, "points of one of them"),
        Slice("slot_length", (SLOTS,), 0, 5, 5, "its number of tiles"),
        Slice("lengths", (P, FLOORS), 0, PALACE_ROOM, 3, "palaces of 1 .. 5 tiles"),
        Slice("windows", (P,), 0, 3 * TILES, 10, "windows of all palaces"),
        Slice("uniform", (P,), 0, 16, 2, "palaces of 3 and more tiles of one material"),
        Slice("score", (P,), LEAST_SCORE, MOST_SCORE, 20, "points of the palaces now"),
        Slice("stack", (1,), 0, MOST_STACK, 48, "entries left in the stack"),
        Slice("piles", (3,), 0, BELOW_PILE_2, 20, ".. in its piles I, II, III"),
        Slice("knights", (1,), 0, KNIGHTS, 5, "knights drawn"),
        Slice("draws_left", (1,), 0, 10 * MOST_STACK // 2, 200, "tenths of the `draw` turns expected until the end"),
        Slice("may_come", (TILE_KINDS,), 0, 2, 1, "copies of the tile that can still be in the stack"),
    )


def _decision_slices(P: int) -> tuple[Slice, ...]:
    """The decision that is open: distribution, building, rebuilding."""
    return (
        Slice("quiet", (1,), 0, MOST_QUIET, 40, "turns without `draw` until only `draw` is legal"),
        Slice("share", (P,), 0, 1, 1, "still to take a tile in this distribution"),
        Slice("build_tile", (11,), 0, 1, 1, "tile to build: floor 1 .. 5, windows 1 .. 3, material b, m, s"),
        Slice("build_after", (1,), 0, 2, 2, "tiles to build after it"),
        Slice("twin", (1,), 0, 1, 1, "its choices are limited by those for its twin"),
        Slice("twin_least", (1,), 0, PALACE_ROOM + 1, 48, "least choice then: 0 new, 1 + slot (48 = first), scrap"),
        Slice("plan", (3,), 0, 1, 1, "a split, insert, remove has been chosen"),
        Slice("plan_slot", (1,), 0, PALACE_ROOM - 1, 8, "slot of the tile rebuilt"),
        Slice("plan_tile", (11,), 0, 1, 1, "tile rebuilt: floor, windows, material"),
        Slice("plan_target", (1,), 0, PALACE_ROOM - 1, 8, "slot it is inserted into"),
    )


def _memory_slices(P: int) -> tuple[Slice, ...]:
    """What a perfect memory holds beside the table. [7.2]"""
    K = CARD_KINDS
    return (
        Slice("sure", (P, K), 0, 10, 3, "cards of the hand that everybody is sure of (PZ-M05)", recall=True),
        Slice("shown", (P, K), 0, 10, 2, "starting cards that the seat has shown, wherever they are", recall=True),
        Slice("starting", (P,), 0, CARDS, 4, "starting cards in the hand that it has not shown", recall=True),
        Slice("shuffled", (1,), 0, 1, 1, "the discards have been shuffled", recall=True),
        Slice("deck_cards", (K,), 0, 10, 3, "cards in the deck by kind after a shuffle, 0 before", recall=True),
        Slice("not_seen", (K,), 0, 10, 3, "cards that the viewer has not seen, in other hands and before a shuffle in "
              "the deck", own_only=True, recall=True),
        Slice("by_counting", (P - 1, K), 0, 10, 2, "how many of these the hand of seat 1 .. surely holds (PZ-M11)",
              own_only=True, recall=True),
        Slice("stack_tiles", (TILE_KINDS,), 0, 2, 1, "copies of the tile in the stack", recall=True),
        Slice("box", (TILE_KINDS,), 0, 2, 1, "copies of the tile out of the game", recall=True),
    )  # fmt: skip


def _rich_slices(P: int) -> tuple[Slice, ...]:
    """What tiles are worth to palaces."""
    return (
        Slice("lot_gain", (2 + QUARRIES,), 0, MOST_GAIN, 50,
              "tenths of what the best depot tile, the best two, and quarry 1 .. 4 are worth to the own palaces"),
        Slice("others_gain", (P - 1, QUARRIES), 0, MOST_GAIN, 50, "the same of quarry 1 .. 4 to the other seats"),
    )  # fmt: skip


# ---------------------------------------------------------------- what `observe` looks up

MARKS = 11  # one-hot floor, windows, material of a tile


def _tile_marks() -> np.ndarray:
    """One-hot floor, windows, material of every tile, (45, 11)."""
    marks = np.zeros((TILE_KINDS, MARKS), np.int8)
    rows = np.arange(TILE_KINDS)
    marks[rows, TILE_FLOORS - 1] = 1
    marks[rows, 4 + TILE_WINDOWS] = 1
    marks[rows, 8 + TILE_MATERIALS] = 1
    return marks


TILE_MARKS = _tile_marks()
