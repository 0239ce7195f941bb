"""What a seat sees of a position, and copies that look the same to it; for any game.

`Views` is the data that a game's `views.py` gives to the properties of all games (tests/games/test_properties.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from skyline.core import engine
from skyline.game import Game, LastMove
from skyline.rng import streams
from skyline.typing import Array
from tests.support.rule_cases import Core, Json

Values = dict[str, Any]  # a decoded observation: arrays by slice name

SEEDS = st.integers(0, 2**64 - 1)
ONE = np.zeros(1, np.int64)


@dataclass(frozen=True)
class Views:
    """Positions of a game, and their hidden parts."""

    positions: Callable[..., st.SearchStrategy[Core]]  # positions of random games; `over=True`: final ones, too
    hidden: tuple[str, ...]  # fields of a position that a determinised copy may change
    hidden_parts: Callable[[Json, int], Json]  # the parts that a seat does not see
    moves: tuple[LastMove, ...]  # last moves for pictures
    deals: Callable[..., Core]  # a new game: (players, seed)
    options: Callable[[Core], Json | None] = lambda core: None
    surely_new: Callable[[Json], bool] = lambda position: (
        True
    )  # whether so much is hidden that no copy has the same hidden parts


def observed(core: Core, seat: int, features: str = "rich", scales: Array = engine.NO_SCALES) -> Array:
    """The observation vector of a seat: raw, or float32 divided by `scales`."""
    dtype = np.float32 if len(scales) else np.int16
    out = engine.observation_array(core.game, core.players, features=features, dtype=dtype)
    engine.kernels(core.game).observe_some(core.states, ONE, np.full(1, seat), out, scales)
    return np.asarray(out[0])


def decoded(core: Core, seat: int, features: str = "rich") -> Values:
    """The observation by slice name."""
    return core.game.observation(core.players).decode(observed(core, seat, features), features)


def determinized(core: Core, seat: int, stream: int, copies: int = 1) -> Array:
    """Copies of the state with everything that `seat` does not see dealt anew, each from a stream of its own."""
    rows = np.repeat(core.states, copies)
    engine.kernels(core.game).determinize_rows(rows, np.full(copies, seat), streams(copies, stream))
    return rows


def copies_of(core: Core, seat: int, stream: int, copies: int = 1) -> list[Core]:
    """Such copies, each as a game that can be played."""
    return [Core(core.game, row.copy()) for row in determinized(core, seat, stream, copies).reshape(-1, 1)]


def copy_of(core: Core, seat: int, stream: int) -> Core:
    return copies_of(core, seat, stream)[0]


def masks_of(game: Game, rows: Array) -> Array:
    """The masks of many rows of one player count."""
    mask = engine.mask_array(game, int(rows["players"][0]), len(rows))
    engine.kernels(game).fill_masks(rows, mask)
    return mask


def heuristic_actions(game: Game, rows: Array, luck: Array) -> list[int]:
    """The heuristic's action in every row."""
    actions = np.zeros(len(rows), np.int64)
    policies = np.full(len(rows), engine.HEURISTIC)
    engine.kernels(game).choose_rows(rows, masks_of(game, rows), policies, luck, actions)
    return [int(action) for action in actions]


def index(one_hot: Array) -> int | None:
    """The place of the one; None if all are zero."""
    assert set(one_hot.tolist()) <= {0, 1}
    assert one_hot.sum() <= 1
    return int(np.argmax(one_hot)) if one_hot.any() else None


def in_range(core: Core, viewer: int) -> Values:
    """The rich observation by slice name; checks that every value lies in the range of its slice."""
    values = decoded(core, viewer)
    for part in core.game.observation(core.players).slices("rich"):
        if part.length:
            found = values[part.name].min(), values[part.name].max()
            assert part.low <= found[0] and found[1] <= part.high, (part.name, found)
    return values


# ---------------------------------------------------------------- what moves bring


def rewards_of(core: Core, kind: int) -> tuple[Array, list[int]]:
    """A random game from here: for each move a row with the points of each seat; and the final scores."""
    copy, rng, rows = core.copy(), np.random.default_rng(1), []
    while copy.seat is not None:
        rewards = np.zeros((1, core.players), np.float32)
        action = np.array([rng.choice(copy.actions())])
        engine.kernels(core.game).step_some(copy.states, ONE, action, copy.mask, rewards, kind)
        rows.append(rewards[0])
    return np.array(rows), copy.scores


def check_rewards(core: Core) -> Array:
    """Check that the points of a game add up to the scores, and that the outcome comes with the last move and sums to
    0; the points."""
    points, scores = rewards_of(core, engine.SCORE)
    assert points.sum(axis=0).tolist() == scores
    outcome, _ = rewards_of(core, engine.OUTCOME)
    assert not outcome[:-1].any()
    assert abs(outcome[-1].sum()) < 1e-6
    assert outcome[-1].max() > 0
    return points
