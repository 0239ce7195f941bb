"""Luck: what comes later in a stream, compared with drawing it."""

from __future__ import annotations

import numpy as np

from skyline.core import jit
from skyline.core.choice import luck, luck_later
from skyline.rng import skip, streams


@jit.njit
def told(stream, values):
    """What luck is foretold, then drawn; then the luck after leaving out some draws."""
    n = values.shape[1]
    for draws in range(n):
        values[0, draws] = luck_later(stream, 0.3, draws)
    first = stream.rng
    for draws in range(n):
        values[1, draws] = luck(stream, 0.3)
    stream.rng = first
    skip(stream, n - 1)
    return luck(stream, 0.3)


def test_luck_is_foretold() -> None:
    values = np.zeros((2, 100))
    last = jit.FromPython(told)(streams(1, 5)[0], values)
    np.testing.assert_array_equal(values[0], values[1])
    assert last == values[0, -1]
    assert len(np.unique(values)) > 80
