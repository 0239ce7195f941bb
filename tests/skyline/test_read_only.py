"""Functions that look at a state never write into the state, so that two threads may look at one state."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from skyline import registry
from tests.support.read_only import Looks
from tests.support.rule_cases import TESTS, Core, sized

GAMES = registry.names()
LOOKS = sized(100_000, 200)  # observations of every thread
POSITIONS = 25  # the positions of a game that are observed


@pytest.mark.skipif(sys.platform == "win32", reason="memory is sealed by POSIX means")
@pytest.mark.parametrize("game", GAMES)
def test_legal_observe_heuristic_and_places_write_nothing_into_the_state(game: str) -> None:
    """In protected memory a write is a segmentation fault of the process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.read_only", game, str(sized(2, 1))],
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"exit code {done.returncode} (-11: a write into the state)\n{done.stderr[-2000:]}"
    assert "were read and never written" in done.stdout


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="plain Python does one thing at a time")
@pytest.mark.parametrize("game", GAMES)
def test_two_threads_observe_one_state(game: str) -> None:
    """Each thread computes the observations of a single thread, `LOOKS` times."""
    players = registry.load(game).player_counts[0]
    core, rng = Core.deal(game, players, 3), np.random.default_rng(3)
    states, looks = [], Looks(registry.load(game), players)
    while core.seat is not None:
        states.append(core.states.copy())
        looks.at(core.states, 3)
        core.step(int(looks.action[0]) if rng.integers(2) else int(rng.choice(core.actions())))
    chosen = [states[i] for i in np.linspace(0, len(states) - 1, POSITIONS).astype(int)]
    times = LOOKS // (POSITIONS * 2 * players)  # `observations` gives two for every seat
    with ThreadPoolExecutor(2) as pool:
        for state in chosen:
            alone = Looks(registry.load(game), players).observations(state)
            wrong = pool.map(_differences, [game] * 2, [state] * 2, [alone] * 2, [times] * 2)
            assert list(wrong) == [0, 0]


def _differences(game: str, state: np.ndarray, alone: list[bytes], times: int) -> int:
    """The number of observations that differ from those of a single thread."""
    looks = Looks(registry.load(game), int(state["players"][0]))
    return sum(looks.observations(state) != alone for _ in range(times))
