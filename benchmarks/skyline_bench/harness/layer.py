"""What can be measured: a layer does steps for about so many seconds and says how many it did in how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Run = Callable[[], int]  # does some steps, returns how many


@dataclass(frozen=True)
class Sample:
    """Steps done and the seconds they took."""

    steps: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.steps / self.seconds


Measure = Callable[[float], Sample]


@dataclass(frozen=True)
class Layer:
    """One row of the table. `policy`: who plays the whole games of it, "" if it plays none."""

    measure: Measure
    policy: str = "random"


Makers = Mapping[str, Callable[[], Layer]]  # layers by name, made when they are wanted


def repeated(run: Run) -> Measure:
    """A run again and again, at least once, until the seconds are over."""

    def measure(seconds: float) -> Sample:
        steps, begun = 0, time.perf_counter()
        while True:
            steps += run()
            passed = time.perf_counter() - begun
            if passed >= seconds:
                return Sample(steps, passed)

    return measure
