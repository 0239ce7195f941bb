"""The observation table: the named slices that observation.py fills, in its order. [RULES.md section 7]

Seats and colours are counted from the viewer: seat j is seat (viewer + j) mod n, the viewer's own colours come first.
"""

from __future__ import annotations

from manhattan_env.components import CITIES, COLOURS_IN_PLAY, OWN_COLOURS
from skyline.game import ObservationTable, Slice


def observation_table(players: int) -> ObservationTable:
    """P seats, C colours; colours and seats count from the viewer."""
    P, C, own = players, int(COLOURS_IN_PLAY[players]), int(OWN_COLOURS[players])
    base = (
        Slice("to_move", (P,), 0, 1, 1, "who decides"),
        Slice("seat", (P,), 0, 1, 1, "the viewer's absolute seat"),
        Slice("marker", (P,), 0, 1, 1, "who holds the round marker"),
        Slice("phase", (2,), 0, 1, 1, "sets are chosen; turns are played"),
        Slice("set_colour", (own,), 0, 1, 1, "which colour of the decider is chosen for"),
        Slice("rounds_left", (1,), 0, 5, 5, "rounds after this one"),
        Slice("turns_left", (1,), 0, 24, 24, "turns left in this round, of all seats"),
        Slice("own_turns_left", (1,), 0, 8, 8, "turns left in this round, own"),
        Slice("scores", (P,), 0, 468, 100, "points so far"),
        Slice("margin", (1,), -468, 468, 50, "own points less the best other"),
        Slice("hand", (9,), 0, 4, 2, "own cards by board square", own_only=True),
        Slice(
            "reach", (P - 1, 9), 0, 5, 5, "per other seat and board square: copies of its card not seen", own_only=True
        ),
        Slice("tops", (P, 9), 0, 1, 1, "board square of the top card of the seat's played pile"),
        Slice("deck", (1,), 0, 45, 37, "cards in the draw deck"),
        Slice("piles", (P,), 0, 45, 15, "cards in the played pile"),
        Slice("chosen", (C, 4), 0, 6, 3, "chosen pieces by height"),
        Slice("stock", (C, 4), 0, 11, 6, "pieces in stock by height"),
        Slice("floors", (C, CITIES, 9), 0, 47, 8, "floors of the colour in the tower"),
        Slice("owner", (C, CITIES, 9), 0, 1, 1, "the colour owns the tower"),
        Slice("need", (own, CITIES, 9), 1, 5, 5, "least height the own colour may put there; 5 = none"),
        Slice("city_towers", (C, CITIES), 0, 9, 4, "towers owned in the city"),
        Slice("city_won", (C, CITIES), 0, 1, 1, "more towers than every other colour"),
        Slice("tallest", (C,), 0, 1, 1, "owner of the single tallest tower"),
        Slice("tallest_height", (1,), 0, 188, 20, "height of the tallest tower"),
        Slice("colour_tallest", (C,), 0, 188, 20, "height of the colour's tallest tower"),
        Slice("round_now", (C,), 0, 39, 15, "points if the round were scored now"),
        *_recall_slices(P),
    )
    rich = (
        Slice(
            "gain",
            (own, CITIES, 9),
            -48,
            48,
            4,
            "change of own round_now less the others' mean, times 4, by the lowest chosen piece that fits; 0 if none",
        ),
        Slice("held", (CITIES, 9), 0, 1, 1, "own tower that no other colour's chosen piece can take"),
    )
    return ObservationTable(base, rich, worth=("scores", "round_now"), worth_scale=30)


def _recall_slices(P: int) -> tuple[Slice, ...]:
    """What a seat remembers; squares are board squares of the viewer, in `shown` of the seat that has played."""
    shown = "cards that the seat has played since the last shuffle, by its board squares"
    unseen = "by own board squares: cards in the other hands and the draw deck"
    known = "by own board squares: cards of the other hands at the last reshuffle, not shown since"
    return (
        Slice("shown", (P, 9), 0, 5, 2, shown, recall=True),
        Slice("unseen", (9,), 0, 5, 5, unseen, own_only=True, recall=True),
        Slice("known", (9,), 0, 5, 2, known, own_only=True, recall=True),
        Slice("reshuffles", (1,), 0, 3, 3, "reshuffles that the seat remembers", recall=True),
    )
