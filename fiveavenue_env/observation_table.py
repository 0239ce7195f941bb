"""The observation table: the named slices that observation.py fills, in its order. [RULES.md section 7]"""

from __future__ import annotations

from fiveavenue_env.components import BLOCKS, COLOURS, DISTRICTS, KINDS, LOT_PAIRS, NODES, PLACES, SIDES
from fiveavenue_env.options import MOST_TURNS
from skyline.game import ObservationTable, Slice

SCORE_SHOWN = 32767  # stands for more points
MOST_BID = 302
MOST_GAIN = 2000
VALUE_STEPS = 4  # the rich slices hold quarters of a point


def observation_table(players: int) -> ObservationTable:
    """P seats, E = 1 for Egon with two players; seats count from the viewer, Egon is last. The same for both boards."""
    P, E = players, int(players == 2)
    return ObservationTable(
        (*_clock(P), *_lots(P, E), *_pieces(P), *_cards(), *_auction(P, E), *_rings(), *_recall(P)),
        (
            Slice(
                "win_value", (COLOURS,), -1000, 1000, 40,
                "worth of winning the auction in the colour with the best affordable bid, in quarters of a point",
                own_only=True,
            ),
            Slice(
                "shop_gain", (DISTRICTS, SIDES), -MOST_GAIN, MOST_GAIN, 20,
                "worth of the shop to be placed on each lot that can take it, in quarters of a point",
            ),
            Slice(
                "best_gain", (KINDS,), -MOST_GAIN, MOST_GAIN, 20,
                "the same on the best lot for a shop of each kind, while a turn is chosen",
            ),
        ),
        worth=("final_now",),
        worth_scale=25,
    )  # fmt: skip


def _clock(P: int) -> tuple[Slice, ...]:
    return (
        Slice("to_move", (P,), 0, 1, 1, "who decides"),
        Slice("active", (P,), 0, 1, 1, "whose turn it is"),
        Slice("start", (P,), 0, 1, 1, "seat 0, which places and begins first"),
        Slice("phase", (7,), 0, 1, 1, "PLACE, TURN, SHOP, TAKE, BID, BUILD, MOVE"),
        Slice("turn_kind", (4,), 0, 1, 1, "A, B, C, D if the turn has chosen it"),
        Slice("turn_phase", (2,), 0, 1, 1, "phase 1, phase 3 of the turn"),
        Slice("turns_left", (1,), 0, MOST_TURNS, 50, "turns after this one until the turn limit"),
        Slice("placements_left", (1,), 0, 8, 8, "start buildings still to be placed"),
    )


def _lots(P: int, E: int) -> tuple[Slice, ...]:
    city = (DISTRICTS, SIDES)
    return (
        Slice("buildings", (P + E, *city), 0, 16, 3, "of the owner on the lot"),
        Slice("shops", (KINDS, *city), 0, 2, 1, "of the kind on the lot"),
        Slice("empty", city, 0, 1, 1, "coloured lot without shop and building"),
        Slice("lot_points", city, 0, 8, 8, "of a building there: 1, 2, 3, 5, 8; 0 where none can stand"),
        Slice("beside", (KINDS, *city), 0, 1, 1, "a shop of the kind lies beside the lot"),
        Slice("closed", (DISTRICTS,), 0, 1, 1, "closed"),
        Slice("full", (DISTRICTS,), 0, 1, 1, "open, and without an empty lot"),
        Slice("commissions", (2, NODES), 0, 1, 1, "where it stands: START, districts, CP"),
        Slice("markers", (2, DISTRICTS), 0, 3, 3, "1, 2, 3: its marker lies there, in the order laid"),
    )


def _pieces(P: int) -> tuple[Slice, ...]:
    return (
        Slice("row", (BLOCKS, KINDS), 0, 3, 1, "shops by block, the current one first"),
        Slice("park", (KINDS,), 0, 8, 3, "park tiles"),
        Slice("placed", (1,), 0, 12, 12, "shops placed"),
        Slice("bonus_in", (1,), 0, 3, 3, "shops until the next bonus; 0 = none comes"),
        Slice("scores", (P,), 0, SCORE_SHOWN, 40, "points so far; 32767 stands for more"),
        Slice("margin", (1,), -SCORE_SHOWN, SCORE_SHOWN, 20, "own points less the best other, kept in its range"),
        Slice("reserve", (P,), 0, 15, 6, "buildings in reserve"),
        Slice("supply", (P,), 0, 12, 12, "buildings in supply"),
        Slice("cp", (P,), 0, 15, 4, "buildings at Central Park"),
        Slice("hand_size", (P,), 0, 110, 15, "cards in hand"),
        Slice("districts", (P,), 0, 7, 5, "open districts with a building"),
        Slice("district_points", (P, DISTRICTS), 0, 136, 10, "of a D now"),
        Slice(
            "final_now", (P,), 0, SCORE_SHOWN, 50, "score and final scoring of the districts now; 32767 stands for more"
        ),
    )


def _cards() -> tuple[Slice, ...]:
    return (
        Slice("hand", (6, 3), 0, 20, 3, "own cards by colour (black last) and value", own_only=True),
        Slice("unseen", (6, 3), 0, 20, 8, "copies neither in the own hand nor open", own_only=True),
        Slice("others", (6,), 0, 50, 8, "cards of the colour in all other hands together", own_only=True),
        Slice("stack_top", (COLOURS, 3), 0, 1, 1, "value of the top card"),
        Slice("stack_n", (COLOURS,), 0, 12, 10, "cards in the stack"),
        Slice("black", (1,), 0, 50, 40, "cards in the black stack"),
        Slice("black_above", (1,), 0, 50, 40, "cards above its topmost face-up one, all if there is none"),
    )


def _auction(P: int, E: int) -> tuple[Slice, ...]:
    return (
        Slice("place", (PLACES,), 0, 1, 1, "district or Central Park under auction"),
        Slice("commission", (2,), 0, 1, 1, "whose round it is"),
        Slice("order", (PLACES,), 0, 4, 4, "1 = this auction, 2 = the next one of the round, .."),
        Slice("first", (P,), 0, 1, 1, "first player of the round"),
        Slice("table", (P, 6, 3), 0, 20, 3, "cards laid by colour and value"),
        Slice("total", (P,), 0, MOST_BID, 20, "their sum"),
        Slice("passed", (P,), 0, 1, 1, "has passed"),
        Slice("standing", (1,), 0, MOST_BID, 20, "the highest bid"),
        Slice("leader", (P + E,), 0, 1, 1, "who holds it"),
        Slice("bid_colour", (COLOURS,), 0, 1, 1, "fixed for Central Park; at BUILD the winner's"),
        Slice("allowed", (COLOURS,), 0, 1, 1, "colours the viewer may use", own_only=True),
        Slice("reach", (COLOURS,), 0, MOST_BID, 30, "sum of own laid cards, that colour and black", own_only=True),
        *(
            (
                Slice("egon", (3,), 0, 2, 1, "cards Egon turned up, by value"),
                Slice("egon_drawn", (1,), 0, 1, 1, "he has drawn"),
                Slice("decisions", (1,), 0, 2, 2, "of the players in this auction before he draws"),
            )
            if E
            else ()
        ),
        Slice("raise_last", (2,), 0, 1, 1, "last card laid in this BID turn: coloured, black"),
        Slice("raise_value", (1,), 0, 6, 6, "its value"),
        Slice("shop", (KINDS,), 0, 1, 1, "kind to be placed"),
        Slice("build_max", (1,), 0, 3, 3, "buildings allowed at BUILD"),
    )


def _rings() -> tuple[Slice, ...]:
    pairs = "pairs of lots that lie side by side: 01 02 .. 05 12 .. 45 (dashed = 5)"
    return (Slice("ring", (DISTRICTS, LOT_PAIRS), 0, 1, 1, pairs),)


def _recall(P: int) -> tuple[Slice, ...]:
    """What a perfect memory holds (7.2); zeros with the memory TABLE."""
    cards, five = (6, 3), COLOURS
    return (
        Slice("known", (P, *cards), 0, 20, 3, "cards surely in the hand by colour (black last) and value", recall=True),
        Slice("covered", (P, 6), 0, 50, 4, "cards of the colour in the hand that are not sure", recall=True),
        Slice("hidden", cards, 0, 20, 8, "in first parts, in the unknown part, or covered in hands", recall=True),
        Slice("first_part", (five,), 0, 12, 10, "cards of the stack since the deal, its top counted", recall=True),
        Slice("under", cards, 0, 20, 3, "cards at known places of the stacks, below open tops", recall=True),
        Slice("next", cards, 0, 1, 1, "known value of the card below the top, of the next black one", recall=True),
        Slice("unknown_part", (1,), 0, 50, 40, "cards of the black stack as last shuffled", recall=True),
        Slice("old", (3,), 0, 20, 3, "unseen black cards of all hands at its last shuffle", recall=True),
        Slice("own_old", (3,), 0, 20, 3, "the own ones among them", own_only=True, recall=True),
        Slice("old_n", (P,), 0, 50, 4, "unseen black cards in the hand at its last shuffle", recall=True),
        Slice("shown", (P, 3), 0, 20, 3, "unseen black cards that the hand has shown since then", recall=True),
        Slice("out", (KINDS,), 0, 9, 3, "tiles out of the game", recall=True),
    )  # fmt: skip
