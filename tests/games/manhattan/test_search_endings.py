"""Endings of Manhattan with one winning move, found by trying everything: a search plays it."""

from __future__ import annotations

import pytest

from skyline.rng import streams
from skyline_agents.protocol import views_of
from tests.games.manhattan.cases import at
from tests.support.rule_cases import Core
from tests.support.searching import after, move

SEARCHES = ["ismcts:1500", "ismcts:1500,playout=random,prior=none", "ismcts:1500,backup=paranoid"]


def winning(core: Core) -> set[str]:
    """The moves after which the seat to decide wins alone, whatever the others do, by trying everything."""
    seat = core.seat
    assert seat is not None
    return {text for text in core.texts() if _wins(after(core, text), seat)}


def _wins(core: Core, seat: int) -> bool:
    if core.seat is None:
        return core.places()[seat] == 1 and core.places().count(1) == 1
    results = (_wins(after(core, text), seat) for text in core.texts())
    return any(results) if core.seat == seat else all(results)


def check_ending(core: Core, text: str, best: str) -> None:
    """A search finds the only move that wins."""
    assert winning(core) == {best}
    assert len(core.texts()) >= 8
    assert move(text, views_of(core.game, core.states.copy(), core.mask.copy(), streams(1, 3), {})[0]) == best


@pytest.mark.parametrize("text", SEARCHES)
def test_the_last_turn_takes_the_tower_that_wins(text: str) -> None:
    """Seat 1 of two: only the majority in city 0, taken from seat 0, turns 45 : 40 before the last scoring."""
    core = at(
        2, round=6, marker=0, turn=15, hands=[[], [4, 0]], deck=[4, 4], chosen={"2": [2], "3": [1]}, scores=[45, 40],
        towers=[[0, 4, [[0, 2]]], [1, 4, [[0, 3]]], [2, 4, [[1, 4]]], [2, 0, [[2, 3]]], [2, 1, [[2, 3]]],
                [3, 3, [[0, 4]]], [4, 1, [[3, 2]]], [5, 1, [[3, 3]]], [4, 2, [[3, 2]]]],
    )  # fmt: skip
    check_ending(core, text, "build 0 4 2 c0")


@pytest.mark.parametrize("text", SEARCHES)
def test_the_answer_of_the_other_seat_is_seen(text: str) -> None:
    """Seat 0 of two, then seat 1, which holds a 4: all cards that are not seen are. Only one tower taken cannot be
    taken back, does not lose the tallest tower, and is worth enough."""
    core = at(
        2, round=6, marker=0, turn=14, hands=[[4], [4]], deck=[4, 4], chosen={"0": [1, 2, 3], "2": [2]},
        scores=[34, 30], towers=[[0, 4, [[3, 1]]], [1, 4, [[2, 4]]], [2, 4, [[1, 2]]], [3, 4, [[3, 2]]],
                [4, 4, [[3, 4]]], [5, 4, [[1, 3]]]],
    )  # fmt: skip
    check_ending(core, text, "build 3 4 3 c0")


@pytest.mark.parametrize("text", SEARCHES)
@pytest.mark.parametrize("players", [3, 4])
def test_the_answer_is_seen_among_more(players: int, text: str) -> None:
    """The last turn but one; the last seat's card is known to be a 4."""
    if players == 3:
        core = at(
            3, round=6, marker=0, turn=10, hands=[[], [4, 0], [4]], deck=[4, 4], chosen={"1": [1, 3], "2": [2]},
            scores=[30, 37, 30], towers=[[0, 4, [[0, 1]]], [1, 4, [[0, 4]]], [2, 4, [[2, 4]]], [3, 4, [[0, 3]]],
                                         [4, 4, [[2, 3]]], [5, 4, [[2, 3]]]],
        )  # fmt: skip
    else:
        core = at(
            4, round=4, marker=0, turn=22, hands=[[], [], [4, 0], [4]], deck=[4, 4], chosen={"2": [2, 3], "3": [2]},
            scores=[30, 30, 32, 30], towers=[[0, 4, [[0, 1]]], [1, 4, [[0, 4]]], [2, 4, [[1, 4]]], [3, 4, [[0, 3]]],
                                             [4, 4, [[3, 3]]], [5, 4, [[1, 3]]]],
        )  # fmt: skip
    check_ending(core, text, "build 3 4 3")
