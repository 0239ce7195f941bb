"""Speed as ratios inside one run (TESTING.md, T11): all sides in turn, the best round of each, bounds far below goals.

The figures of the README are those of `skyline bench`; here it is only noticed when a layer falls out of its class.
"""

from __future__ import annotations

import importlib
import importlib.util
import time

import numba
import pytest

from benchmarks import core
from benchmarks.core import Run
from benchmarks.peers import REFERENCE, connect_four
from skyline import registry
from tests import rule_cases
from tests.playing import MOST, NAMES

ROUNDS = 4
SIDES = ("rollout", "vector-1024", "aec")

LEAST_ROLLOUT = 25  # core rollout, times the wrapped connect four of PettingZoo: the goals are 50 .. 150
LEAST_AEC = 4  # checked AEC, times the same: the goals are 8 .. 15
LEAST_VECTOR = 0.3  # 1,024 games stepped from Python, of the core rollout: the goal is 0.6
MOST_BYTES = 4096  # of a state, where tests/<game>/bounds.py has no STATE_BYTES

speed = pytest.mark.speed
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the core runs as plain Python")


def best(sides: dict[str, Run]) -> dict[str, float]:
    """Steps a second of every side: its best round. In each round all have their turn."""
    speeds = dict.fromkeys(sides, 0.0)
    for run in sides.values():
        run()  # compiles or loads
    for _ in range(ROUNDS):
        for name, run in sides.items():
            begun = time.perf_counter()
            steps = run()
            speeds[name] = max(speeds[name], steps / (time.perf_counter() - begun))
    return speeds


@speed
@compiled
@pytest.mark.parametrize(("game", "players"), MOST)
def test_every_layer_is_in_its_class(game: str, players: int) -> None:
    peers = connect_four()
    assert REFERENCE in peers, "PettingZoo's connect four cannot be imported"
    speeds = best({**core.layers(registry.load(game), players, SIDES), REFERENCE: peers[REFERENCE]})
    print(f"\n{game}, {players} players: " + ", ".join(f"{name} {speed:,.0f}/s" for name, speed in speeds.items()))
    assert speeds["rollout"] > LEAST_ROLLOUT * speeds[REFERENCE]
    assert speeds["aec"] > LEAST_AEC * speeds[REFERENCE]
    assert speeds["vector-1024"] > LEAST_VECTOR * speeds["rollout"]


@pytest.mark.parametrize("game", NAMES)
def test_a_state_is_small(game: str) -> None:
    """A copy of it is a move in a search, and a thousand of them should stay in the cache."""
    place = f"tests.{rule_cases.tests_folder(game)}.bounds"
    own = importlib.util.find_spec(place)
    most = importlib.import_module(place).STATE_BYTES if own else MOST_BYTES
    assert registry.load(game).state.itemsize <= most
