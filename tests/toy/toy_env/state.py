"""The state of a game as one record."""

import numpy as np

from skyline.core.fields import every_game
from skyline.core.jit import record_dtype
from toy_env.components import CARDS, SEATS, VALUES

STATE = record_dtype(
    [
        *every_game(SEATS, np.int16),  # scores: sums of the hands, written at the end
        ("hand_size", np.int8),  # the option
        ("start", np.int8),
        ("turn", np.int8),  # the number of turns that were taken
        ("hands", np.int8, (SEATS, VALUES)),  # the number of cards of each value
        ("toy_kept", np.int8, (SEATS,)),  # 1: the seat has chosen KEEP
        ("deck", np.int8, (CARDS,)),  # values - 1 as last shuffled, top first
        ("deck_size", np.int8),
        ("deck_top", np.int8),  # the number of drawn cards of the deck
        ("discards", np.int8, (CARDS,)),  # oldest first
        ("discards_size", np.int8),
        ("shuffles", np.uint8),  # the number of shuffles of the discards into a new deck
        ("order_given", np.int8),  # 1: the next shuffle takes the order in `deck` (replays)
        # memory: only the last discard lies on the table; who remembers knows them all, until they are shuffled
        ("memory_discards", np.int8, (VALUES,)),  # the discards by value, 0 .. COPIES each
    ]
)
