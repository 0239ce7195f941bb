"""What places of games say: shares of the first place and outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from skyline_agents.places import first_shares, outcomes
from tests.support.playing import outcomes as outcomes_of_a_game


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ([1, 2], [1, 0]),
        ([1, 1], [0.5, 0.5]),
        ([3, 1, 2, 4], [0, 1, 0, 0]),
        ([1, 4, 1, 1], [1 / 3, 0, 1 / 3, 1 / 3]),
    ],
)
def test_the_first_place_is_shared_equally(places: list[int], shares: list[float]) -> None:
    assert first_shares(np.array([places]))[0].tolist() == pytest.approx(shares)


@pytest.mark.parametrize("places", [[1, 2], [1, 1], [2, 1, 2], [3, 1, 2, 4], [1, 4, 1, 1], [3, 1, 3, 1, 5]])
def test_outcomes_are_those_of_the_engine(places: list[int]) -> None:
    found = outcomes(np.array([places, places[::-1]]))
    assert found[0].tolist() == pytest.approx(outcomes_of_a_game(places))
    assert found[1].tolist() == found[0].tolist()[::-1]
    assert found.sum() == pytest.approx(0)
