"""Speed as ratios inside one run: layers take turns, the best round of each counts, bounds lie far below the goals.

`skyline bench` gives the figures of the README; the tests here fail only if a layer becomes several times as slow.
"""

from __future__ import annotations

import importlib
import importlib.util

import numba
import pytest

from skyline import registry
from skyline_bench.harness import groups
from skyline_bench.harness.layer import Layer
from skyline_bench.harness.measure import Rounds
from skyline_bench.layers.reference import REFERENCE, connect_four
from tests.support import rule_cases
from tests.support.playing import MOST, NAMES

ROUNDS, SECONDS = 4, 1.0
SIDES = ("rollout-random", "vector-1024", "aec-checked")

# Steps a second, as multiples of the wrapped connect four of PettingZoo.
LEAST_ROLLOUT = 25  # the rollout in the core; the goals are 50 .. 150
LEAST_AEC = 4  # the checked AEC environment; the goals are 8 .. 15
LEAST_VECTOR = 0.3  # 1,024 games stepped from Python, as a part of the rollout's speed; the goal is 0.6
# The largest state, where no tests/games/<game>/state_size.py gives STATE_BYTES: a thousand states of 4.5 KiB take 4.5
# MiB of the processor's cache.
MOST_BYTES = 4608

speed = pytest.mark.speed
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the core runs as plain Python")


def best(sides: dict[str, Layer]) -> dict[str, float]:
    """Steps a second of every layer in its best round. In each round every layer has its turn."""
    rounds = Rounds({name: layer.measure for name, layer in sides.items()}, SECONDS, ROUNDS)
    rounds.run(lambda done: None)
    return {name: speed.best for name, speed in rounds.speeds.items()}


@speed
@compiled
@pytest.mark.parametrize(("game", "players"), MOST)
def test_every_layer_is_in_its_class(game: str, players: int) -> None:
    peers = connect_four()
    assert REFERENCE in peers, "PettingZoo's connect four cannot be imported"
    own = groups.choose(registry.load(game), players, SIDES).layers
    speeds = best({**own, REFERENCE: peers[REFERENCE]})
    print(f"\n{game}, {players} players: " + ", ".join(f"{name} {speed:,.0f}/s" for name, speed in speeds.items()))
    assert speeds["rollout-random"] > LEAST_ROLLOUT * speeds[REFERENCE]
    assert speeds["aec-checked"] > LEAST_AEC * speeds[REFERENCE]
    assert speeds["vector-1024"] > LEAST_VECTOR * speeds["rollout-random"]


def own_size(game: str) -> str:
    """The module in which a game's tests may set a smaller bound."""
    return f"tests.games.{rule_cases.folder_of(game)}.state_size"


def test_some_game_sets_a_bound_of_its_own() -> None:
    assert any(importlib.util.find_spec(own_size(game)) for game in NAMES)


@pytest.mark.parametrize("game", NAMES)
def test_a_state_is_small(game: str) -> None:
    """A search copies a state for every simulation, and a thousand states should fit in the processor's cache."""
    place = own_size(game)
    most = importlib.import_module(place).STATE_BYTES if importlib.util.find_spec(place) else MOST_BYTES
    assert registry.load(game).state.itemsize <= most
