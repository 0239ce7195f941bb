"""Functions that scan masks, compared with NumPy, for all lengths near multiples of a word."""

from __future__ import annotations

import numpy as np
import pytest

from skyline.core import jit
from skyline.core.masks import count_legal, is_illegal, legal_below, next_legal, nth_legal, only_legal

SIZES = (1, 2, 7, 63, 64, 65, 127, 128, 129, 400)


@jit.njit
def scanned(mask, actions, numbers, ranks):
    """The legal actions, one after the other and by their ranks; their number, the only one; ranks of all actions."""
    for action in range(mask.shape[0]):
        ranks[action] = legal_below(mask, action)
    found, action = 0, next_legal(mask, -1)
    while action >= 0:
        actions[found] = action
        found += 1
        action = next_legal(mask, action)
    for n in range(count_legal(mask)):
        numbers[n] = nth_legal(mask, n)
    return found, only_legal(mask)


@pytest.mark.parametrize("size", SIZES)
def test_scans_find_the_legal_actions(size: int) -> None:
    random = np.random.default_rng(size)
    rows = [random.random(size) < share for share in (0.02, 0.1, 0.5, 0.98) for _ in range(25)]
    rows += [np.ones(size, bool), *np.eye(size, dtype=bool)]
    for row in rows:
        mask, legal = row.astype(np.int8), np.flatnonzero(row)
        actions, numbers, ranks = np.full((3, size + 1), -1)
        found, only = scanned(mask, actions, numbers, ranks)
        np.testing.assert_array_equal(actions[:found], legal)
        np.testing.assert_array_equal(numbers[: len(legal)], legal)
        np.testing.assert_array_equal(ranks[:size], np.cumsum(row) - row)
        assert only == (legal[0] if len(legal) == 1 else -1)


def test_what_is_illegal() -> None:
    mask = np.array([1, 0, 1], np.int8)
    assert [bool(is_illegal(mask, action)) for action in range(-1, 4)] == [True, False, True, False, True]
