"""The work of a process in a long run: a task is a range of sequences."""

from __future__ import annotations

import contextlib
import signal
from collections import Counter

from tests.machine.sequences import play, sequence
from tests.machine.worlds import toy_game

A_TASK = 60  # sequences of a task
Counts = Counter[tuple[str, str, str]]

_toy = contextlib.ExitStack()


def start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _toy.enter_context(toy_game())


def task(seed: int, first: int, last: int) -> tuple[Counts, list[tuple[int, str]]]:
    """Play the sequences first .. last - 1: counts by (kind, game, what), and what failed."""
    counts, failed = Counts(), list[tuple[int, str]]()
    for number in range(first, last):
        one = sequence(seed, number)
        played = play(one)
        found = {"sequences": 1, "calls": played.calls, "refusals": played.refusals, "differences": bool(played.said)}
        for name, value in found.items():
            counts[one.kind, one.world.game, name] += int(value)
        if played.said:
            failed.append((number, played.said))
    return counts, failed
