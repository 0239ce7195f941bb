"""Properties of the engine that no environment shows: ranges of rows, and exact sums of points."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from skyline import registry
from skyline.core import engine, overloads
from skyline.core.engine import row
from skyline.core.jit import njit, record_dtype
from skyline.game import MOST_SEATS
from tests.support.playing import GAME


class Interrupted(BaseException):
    """A BaseException that is no Exception, as for Ctrl-C."""


@pytest.mark.parametrize("failing", [0, 1, 3])
@pytest.mark.parametrize("error", [ValueError, Interrupted])
def test_after_an_exception_nobody_goes_on_writing(failing: int, error: type[BaseException]) -> None:
    """When any range has failed, no other range writes into the caller's array any more."""
    array, begun = np.zeros(40, np.int64), threading.Event()

    def run(part: slice) -> None:
        if part.start == 10 * failing:
            begun.wait(1)
            raise error(f"rows {part.start} ..")
        for _ in range(20):
            begun.set()
            time.sleep(0.005)
            array[part] += 1

    with pytest.raises(error, match=f"rows {10 * failing}"):
        engine.in_chunks(run, 40, 4)
    left = array.copy()
    time.sleep(0.05)
    assert array.tolist() == left.tolist()


def test_ranges_cover_every_row_once() -> None:
    for n in (1, 7, 64):
        for threads in (1, 2, 5):
            seen = np.zeros(n, np.int64)

            def run(part: slice, seen: Any = seen) -> None:
                seen[part] += 1

            engine.in_chunks(run, n, threads)
            assert (seen == 1).all()


COUNTER = record_dtype(
    [
        ("rng", np.uint64),
        ("deal", np.uint64),
        ("scores", np.int64, (2,)),
        ("players", np.uint8),
        ("seat", np.int8),
        ("counter_of_this_test", np.uint8),
    ]
)


@njit
def _count(s, action):
    s.scores[0] += action
    s.scores[1] -= 1


@njit
def _no_rank(s, seat):
    return 0


COUNTING: Any = SimpleNamespace(
    name="counting", state=COUNTER, step=_count, rank_key=_no_rank
)  # the parts of a game that the engine uses


@njit
def _play(states, action, rewards, kind):
    engine.play(states[0], action, rewards, kind)


@pytest.mark.parametrize("start", [0, 2**24 + 1, 2**40 + 1])
def test_points_are_summed_exactly(start: int) -> None:
    """A float32 holds the points of one move exactly, but not the scores before and after the move."""
    overloads.register(COUNTING)
    states, rewards = np.zeros(1, COUNTER), np.zeros(2, np.float32)
    states["players"], states["scores"] = 2, start
    for action in (1, 2, 4):
        _play(states, action, rewards, engine.SCORE)
    assert rewards.tolist() == [7, -3]
    assert states["scores"].tolist() == [[start + 7, start - 3]]


def test_scores_of_every_seat_are_kept_while_a_move_is_played() -> None:
    states = registry.load(GAME).blank(registry.load(GAME).player_counts[0])
    assert len(row._scores(states[0])) == MOST_SEATS
