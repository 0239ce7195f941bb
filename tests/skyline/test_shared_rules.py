"""Compiled functions that the games share: seats round the table, lists and counts of cards, the choice of a player."""

from __future__ import annotations

import numpy as np
import pytest

from skyline.core.cards import add_cards, cards_in, count_cards, sort_cards
from skyline.core.choice import STEPS, best_legal, luck
from skyline.core.jit import njit
from skyline.core.seats import around, seen_from, write_seats
from skyline.rng import streams

VALUES = np.array([3, 9, 9, 1], np.int64)


@njit
def value_of(s, action, known):  # type: ignore[no-untyped-def] # jitted
    return s[action] + known


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_are_counted_round_the_table_from_the_viewer(players: int) -> None:
    for viewer in range(players):
        seats = [around(viewer, j, players) for j in range(players)]
        assert seats == [(viewer + j) % players for j in range(players)]
        assert [seen_from(viewer, seat, players) for seat in seats] == list(range(players))


@pytest.mark.parametrize("players", [2, 3, 4, 6, 8])
def test_values_of_all_seats_are_turned_to_the_viewer(players: int) -> None:
    values = np.arange(16, dtype=np.int8)  # other fields of a state lie behind the seats
    for viewer in range(players):
        out = np.full(32, -1, np.int16)
        write_seats(out, 2, values, viewer, players)
        assert out[: 2 + players].tolist() == [-1, -1, *((viewer + j) % players for j in range(players))]


def test_counted_cards_become_a_list_and_counts_again() -> None:
    hand, deck = np.array([2, 0, 1], np.int8), np.full(6, 9, np.int8)
    assert cards_in(hand) == 3
    assert add_cards(deck, 1, hand) == 4
    assert deck.tolist() == [9, 0, 0, 2, 9, 9]
    counts = np.array([5, 5, 5], np.int8)
    count_cards(counts, deck, 2, 4)
    assert counts.tolist() == [1, 0, 1]


def test_the_first_cards_of_a_list_are_sorted() -> None:
    cards = np.array([2, 0, 1, 0, 2, 0], np.int8)
    sort_cards(cards, 5, 3)
    assert cards.tolist() == [0, 0, 1, 2, 2, 0]


def test_the_largest_value_wins_and_luck_chooses_among_equal_ones() -> None:
    stream = streams(1, 5)[0]
    found = [best_legal(value_of, VALUES, 0, np.array([1, 1, 1, 1], np.int8), stream, 0.5) for _ in range(200)]
    assert set(found) == {1, 2}
    assert 60 < found.count(1) < 140
    assert best_legal(value_of, VALUES, 0, np.array([1, 0, 0, 1], np.int8), stream, 0.5) == 0
    assert best_legal(value_of, VALUES, 0, np.zeros(4, np.int8), stream, 0.5) == -1


def test_luck_is_an_even_step_below_its_bound() -> None:
    stream = streams(1, 6)[0]
    found = {float(luck(stream, 2.0)) for _ in range(300)}
    assert len(found) > 200
    assert all(0 <= value < 2 and (value * STEPS / 2).is_integer() for value in found)
