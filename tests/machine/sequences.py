"""Making, playing and shrinking sequences."""

from __future__ import annotations

import random
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.machine.aec import AecRun
from tests.machine.run import Call, Run
from tests.machine.single import SingleRun
from tests.machine.vector import VectorRun
from tests.machine.worlds import World, tables, worlds_of

KINDS: dict[str, type[Run]] = {kind.KIND: kind for kind in (AecRun, SingleRun, VectorRun)}
CALLS = 20  # mean number of the calls of a sequence
MOST_REPLAYS = 400  # the most replays for shrinking a failing sequence


@dataclass(frozen=True)
class Sequence:
    """A sequence as plain data."""

    kind: str
    world: World
    settings: dict[str, Any]
    calls: tuple[Call, ...]

    def __str__(self) -> str:
        lines = [f"{self.kind} of {self.world.game}, {self.world.players} players, options {self.world.options_json}"]
        return "\n".join([*lines, f"settings {self.settings}", *(f"  {name} {number}" for name, number in self.calls)])


@dataclass(frozen=True)
class Played:
    """The result of a sequence. `said`: why it failed, or ""."""

    calls: int
    refusals: int
    said: str = ""


def sequence(seed: int, number: int, of: list[tuple[str, int]] | None = None) -> Sequence:
    """Sequence `number` of a run: kinds and worlds take turns, the rest is random."""
    found, kinds = of or tables(), sorted(KINDS)
    rng = random.Random(f"{seed}/{number}")
    kind = KINDS[kinds[number % len(kinds)]]
    world = rng.choice(worlds_of(*found[number // len(kinds) % len(found)]))
    settings, names = kind.some_settings(rng, world), kind.names()
    calls = [(rng.choice(names), rng.randrange(2**32)) for _ in range(rng.randrange(CALLS // 2, CALLS * 3 // 2))]
    if rng.random() < 0.8:  # most sequences begin with a reset
        calls.insert(0, ("call_reset", rng.randrange(2**32)))
    return Sequence(kind.KIND, world, settings, tuple(calls))


def play(one: Sequence) -> Played:
    """Play the sequence; every exception that no call expects is a failure."""
    run, call = None, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run = KINDS[one.kind](one.world, one.settings)
            for call in one.calls:
                run.play(call)
        except Exception:
            done = (run.calls, run.refusals) if run else (0, 0)
            return Played(*done, f"in the call {call}: {traceback.format_exc()}")
    return Played(run.calls, run.refusals)


def shrunk(one: Sequence) -> Sequence:
    """A shorter sequence that fails, too: first many calls are left out at a time, then single calls."""
    replays, calls, size = 0, list(one.calls), max(1, len(one.calls) // 2)
    while size and replays < MOST_REPLAYS:
        for shorter in _without(calls, size):
            replays += 1
            if play(replace(one, calls=tuple(shorter))).said:
                calls = shorter
                break
        else:
            size //= 2
    return replace(one, calls=tuple(calls))


def _without(calls: list[Call], size: int) -> Iterator[list[Call]]:
    for at in range(0, len(calls), size):
        yield calls[:at] + calls[at + size :]
