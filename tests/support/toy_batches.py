"""Batches of the toy game that keep histories, their opponents and actions, and the check of what is written down."""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT
from skyline.record import History
from skyline.typing import Array
from tests.support.playing import pick

PLAYERS, ROWS = 3, 5


def last_legal(observations: Array, masks: Array, seats: Array) -> Array:
    """A function that plays a seat."""
    chosen: Array = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return chosen


LINE_UPS: dict[str, dict[str, Any]] = {
    "every seat": {},
    "policies": {"seat": "rotate", "opponents": ["heuristic", "random"]},
    "functions": {"seat": 1, "opponents": [last_legal, "random"]},
}


def actions_of(games: VectorGames, rng: np.random.Generator) -> Array:
    """Random legal actions; now and then an illegal one where that loses."""
    actions = np.array([pick(mask, rng) if mask.any() else 0 for mask in games.action_mask])
    if games.illegal == "lose" and rng.random() < 0.05:
        actions[rng.integers(ROWS)] = -1
    return actions


def replayed(history: History) -> Array:
    """The row to which the moves of a history lead."""
    return history._up_to_date(None).row


def same_game(row: Array, wanted: Array) -> bool:
    """Whether two rows are equal, but for who decides: nobody does where an action was illegal or a game was cut."""
    one, two = row.copy(), wanted.copy()
    if wanted["seat"][0] == NO_SEAT:
        one["seat"] = NO_SEAT
    return one.tobytes() == two.tobytes()


def check(games: VectorGames) -> None:
    """The moves written down lead to the states, running and final ones."""
    for row in range(games.num_envs):
        assert same_game(replayed(games._histories.running(row)), games.states[row : row + 1])
        if games.finals["players"][row]:
            assert same_game(replayed(games._histories.final(row)), games.finals[row : row + 1])
