"""What the positions of all games share: readers of values for each seat, lists, shuffles, and checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from skyline import positions, registry
from skyline.game import NO_SEAT, BrokenState
from skyline.reading import Fields, Unreadable, Value
from tests.support.playing import FEW, GAME


@pytest.fixture
def row() -> Any:
    return registry.load(GAME).blank(FEW)[0]


def fields(**given: Any) -> Fields:
    return Value(given, "position").items()


def test_the_player_count_is_that_of_the_row(row: Any) -> None:
    positions.check_player_count(row, fields())
    positions.check_player_count(row, fields(players=FEW))
    with pytest.raises(Unreadable, match=f"position.players: the row is one for {FEW} players"):
        positions.check_player_count(row, fields(players=FEW + 1))
    with pytest.raises(Unreadable, match=r"position\.players: a whole number"):
        positions.check_player_count(row, fields(players=float(FEW)))


def test_a_field_has_a_value_for_every_seat(row: Any) -> None:
    hands = positions.by_seat(row, fields(), "hands", [])
    assert [hand.raw for hand in hands] == [[]] * FEW
    with pytest.raises(Unreadable, match=f"position.hands: a list of {FEW}, not a list of {FEW + 1}"):
        positions.by_seat(row, fields(hands=[[]] * (FEW + 1)), "hands", [])
    positions.read_scores(row, fields(scores=[*range(FEW)]), FEW)
    assert row.scores[:FEW].tolist() == [*range(FEW)]
    with pytest.raises(Unreadable, match=r"position.scores\[1\]"):
        positions.read_scores(row, fields(scores=[0, 5, *[0] * (FEW - 2)]), 4)


def test_nobody_decides_when_the_game_is_over(row: Any) -> None:
    assert positions.read_seat(row, fields(), "seat", is_over=False, usual=1) == 1
    assert positions.read_seat(row, fields(seat=0), "seat", is_over=False, usual=1) == 0
    assert positions.read_seat(row, fields(seat=None), "seat", is_over=True) == NO_SEAT
    assert positions.read_seat(row, fields(), "seat", is_over=True) == NO_SEAT
    for over, seat in ((True, 0), (False, FEW), (False, None)):
        with pytest.raises(Unreadable, match=r"position\.seat"):
            positions.read_seat(row, fields(seat=seat), "seat", over)


def test_kinds_and_their_counts() -> None:
    kinds = positions.kinds_of(Value(["b", "a", "b"], "deck"), ("a", "b", "c"), most=3)
    assert kinds == [1, 0, 1]
    assert positions.counts_of(kinds, 3).tolist() == [1, 2, 0]
    assert positions.counts_of([], 2).tolist() == [0, 0]
    assert positions.counts_of(np.array([1, 1], np.int8), 2).tolist() == [0, 2]
    for raw, least in ((["b"], 2), (["b"] * 4, 0), (["d"], 0)):
        with pytest.raises(Unreadable, match="deck"):
            positions.kinds_of(Value(raw, "deck"), ("a", "b", "c"), 3, least)


def test_shuffles_name_deck_and_order() -> None:
    [(event, named)] = positions.shuffles([{"deck": "cards", "order": [1]}], 1)
    assert (event.place, named["order"].raw) == ("shuffles[0]", [1])
    for given in ([{"deck": "cards"}], [{"deck": "cards", "order": [], "more": 1}], [{"deck": "a", "order": []}] * 2):
        with pytest.raises(Unreadable, match="shuffles"):
            positions.shuffles(given, 1)


def test_seats_that_are_not_there_have_nothing(row: Any) -> None:
    positions.check_seats(row, [FEW], ["scores"])
    with pytest.raises(BrokenState, match=f"{FEW} players"):
        positions.check_seats(row, [FEW + 1], [])
    row.scores[FEW] = 1
    with pytest.raises(BrokenState, match="scores of seats that are not there"):
        positions.check_seats(row, [FEW], ["scores"])


def test_caches_are_computed_on_a_copy(row: Any) -> None:
    def survey(s: Any) -> None:
        s.scores[0] = 7

    with pytest.raises(BrokenState, match="the cache scores"):
        positions.check_caches(row, survey, ["scores"])
    assert row.scores[0] == 0
    row.scores[0] = 7
    positions.check_caches(row, survey, ["scores"])
