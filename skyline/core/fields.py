"""The fields that the state of every game has; `skyline.game` says what they mean."""

from __future__ import annotations

from typing import Any

import numpy as np

Field = tuple[Any, ...]


def every_game(seats: int, points: Any) -> list[Field]:
    """The first fields of a state for at most `seats` seats, whose scores are numbers of the type `points`."""
    return [
        ("rng", np.uint64),  # the stream of all chance events
        ("deal", np.uint64),  # seed this game began with
        ("scores", points, (seats,)),  # points so far
        ("players", np.uint8),  # number of seats
        ("seat", np.int8),  # who decides; NO_SEAT when over
        ("memory", np.int8),  # RECALL or TABLE: what seats know of earlier moves
    ]
