"""Results of pairs of agents, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from skyline_agents.ratings.head_to_head import head_to_head
from tests.support.simulated_ratings import NAMES, tournament


def test_pairs_counted_by_hand() -> None:
    agents = [[0, 1, 2], [1, 2, 0], [0, 0, 1]]
    places = [[1, 2, 2], [3, 1, 1], [2, 1, 2]]
    pairs = head_to_head(agents, places, [5, 5, 6], NAMES[:3])
    assert pairs.before.tolist() == [[0, 3, 1], [0, 0, 0], [0, 1, 0]]
    assert pairs.ties.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert pairs.games.tolist() == [[0, 4, 2], [4, 0, 2], [2, 2, 0]]
    np.testing.assert_array_equal(pairs.score[0], [np.nan, 3.5 / 4, 1.5 / 2])
    assert pairs.score[1, 0] == 0.5 / 4


def test_the_margin_takes_deals_as_wholes() -> None:
    agents, places, deals = tournament(np.random.default_rng(6), 2, 400)
    single = head_to_head(agents, places, np.arange(len(deals)), NAMES)
    share, n = single.score[0, 1], single.games[0, 1]
    assert single.margin[0, 1] == pytest.approx(1.96 * np.sqrt(share * (1 - share) / n), rel=0.1)
    twice = [np.concatenate([part, part]) for part in (agents, places, deals)]
    once, again = head_to_head(agents, places, deals, NAMES), head_to_head(*twice, NAMES)
    np.testing.assert_allclose(again.margin, once.margin, equal_nan=True)
    assert np.isnan(head_to_head(agents[:2], places[:2], deals[:2], NAMES).margin).all()
