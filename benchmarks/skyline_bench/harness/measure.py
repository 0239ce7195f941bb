"""Rounds: all runs take turns again and again, so that other programs on the machine slow all runs alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from skyline_bench.harness.layer import Measure, Sample
from skyline_bench.harness.workers import WorkerError

Key = TypeVar("Key", bound=Hashable)

ROUNDS = 10


@dataclass(frozen=True)
class Speed:
    """Steps a second of one run in every round."""

    rates: tuple[float, ...]

    @property
    def best(self) -> float:
        return max(self.rates)

    @property
    def median(self) -> float:
        return statistics.median(self.rates)

    @property
    def nanoseconds(self) -> float:
        """Nanoseconds of a step in the median round."""
        return 1e9 / self.median

    def as_data(self) -> dict[str, Any]:
        """The speed as it stands in a JSON file."""
        return {
            "median": self.median,
            "best": self.best,
            "nanoseconds": self.nanoseconds,
            "rounds": len(self.rates),
            "rates": [round(rate, 1) for rate in self.rates],
        }


class Rounds(Generic[Key]):
    """Rounds over some runs, `seconds` for each run in all rounds together. An interruption keeps finished rounds."""

    def __init__(self, measures: Mapping[Key, Measure], seconds: float, rounds: int = ROUNDS) -> None:
        self._measures, self._slice, self._rounds = dict(measures), seconds / rounds, rounds
        self._rates: dict[Key, list[float]] = {key: [] for key in measures}
        self.first: dict[Key, float] = {}  # seconds of the first call, which compiles or loads kernels
        self.failed: dict[Key, str] = {}
        self.interrupted = False

    @property
    def calls(self) -> int:
        """The number of calls in all rounds, without the first call of each run, which compiles."""
        return len(self._measures) * self._rounds

    def run(self, tell: Callable[[int], None]) -> None:
        """Measure; `tell` gets the number of finished calls. Ctrl-C ends the rounds early."""
        done = 0
        try:
            for key in self._order(0):
                self._warm_up(key)
            for number in range(self._rounds):
                for key in self._order(number):
                    self._measure(key)
                    done += 1
                    tell(done)
        except KeyboardInterrupt:
            self.interrupted = True

    def _order(self, number: int) -> list[Key]:
        """The order of the runs in a round: forwards and backwards in turn."""
        keys = [key for key in self._measures if key not in self.failed]
        return keys[::-1] if number % 2 else keys

    def _warm_up(self, key: Key) -> None:
        begun = time.perf_counter()
        self._sample(key, 0.0)
        self.first[key] = time.perf_counter() - begun

    def _measure(self, key: Key) -> None:
        if sample := self._sample(key, self._slice):
            self._rates[key].append(sample.rate)

    def _sample(self, key: Key, seconds: float) -> Sample | None:
        try:
            return self._measures[key](seconds)
        except WorkerError as reason:
            self.failed[key] = str(reason)
            return None

    @property
    def speeds(self) -> dict[Key, Speed]:
        """The runs that have at least one round."""
        return {key: Speed(tuple(rates)) for key, rates in self._rates.items() if rates}
