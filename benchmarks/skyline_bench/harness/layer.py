"""A layer: something that makes steps for about the given seconds, and returns the steps and the seconds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from skyline_bench.peers.serve import on_one_core

Run = Callable[[], int]  # makes some steps and returns their number


@dataclass(frozen=True)
class Sample:
    """Steps that were made, and the seconds that they took."""

    steps: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.steps / self.seconds


Measure = Callable[[float], Sample]


@dataclass(frozen=True)
class Layer:
    """One row of the table. `policy` plays the whole games of the layer; "" if it plays no whole games."""

    measure: Measure
    policy: str = "random"
    threads: int = 1


Makers = Mapping[str, Callable[[], Layer]]  # functions that make layers, by the names of the layers


def repeated(run: Run) -> Measure:
    """Repeats a run until the seconds are over, at least once."""

    def measure(seconds: float) -> Sample:
        steps, begun = 0, time.perf_counter()
        while True:
            steps += run()
            passed = time.perf_counter() - begun
            if passed >= seconds:
                return Sample(steps, passed)

    return measure


def pinned(measure: Measure) -> Measure:
    """Measures on the core on which the peers play, too, so that other programs slow all of them alike."""
    if not hasattr(os, "sched_setaffinity"):
        return measure

    def on_the_core(seconds: float) -> Sample:
        cores = os.sched_getaffinity(0)
        on_one_core()
        try:
            return measure(seconds)
        finally:
            os.sched_setaffinity(0, cores)

    return on_the_core
