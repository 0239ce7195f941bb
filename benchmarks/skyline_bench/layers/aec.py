"""The AEC environment, driven by the usual loop of `last()` and `step()`; steps are decisions only.

aec-checked      `env()`; a compiled function chooses legal moves
aec-raw          `raw_env()`, which is the same class
aec-sample       `env()`; `action_space.sample(mask)` chooses
aec-numpy        `env()` in the loop that drives the peers; NumPy chooses
aec-pettingzoo   PettingZoo's performance_benchmark
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from skyline import registry
from skyline.envs.aec import TurnBasedEnv
from skyline.game import Game
from skyline.rng import streams
from skyline_bench.harness.layer import Layer, Makers, Measure, Run, Sample, repeated
from skyline_bench.layers.kernels import bench_kernels
from skyline_bench.peers.loops import aec_decisions

A_RUN = 500  # the least decisions of a run
THEIR_SECONDS = 5  # the seconds of performance_benchmark


def drive(env: Any, choose: Callable[[str, Any], int], decisions: int = A_RUN) -> int:
    """PettingZoo's usual loop, game after game; the number of decisions."""
    done = 0
    while done < decisions:
        env.reset(seed=done)
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(choose(agent, observation["action_mask"]))
                done += 1
    return done


def picking(env: Any, pick: Callable[[Any, Any], int]) -> Run:
    """A compiled function chooses the moves."""
    random = streams(1, 1)
    return lambda: drive(env, lambda agent, mask: pick(mask, random))


def sampling(env: Any) -> Run:
    """The action space chooses the moves."""
    return lambda: drive(env, lambda agent, mask: int(env.action_space(agent).sample(mask)))


def numpy_picking(env: Any, decisions: int = A_RUN) -> int:
    """The loop of the peers, in which NumPy chooses the moves."""
    return aec_decisions(env, decisions)[0]


def picker(game: Game) -> Callable[[Any, Any], int]:
    """The compiled function that chooses a move from a mask, loaded."""
    env, own = TurnBasedEnv(game), bench_kernels(game)
    env.reset(seed=0)
    own.pick_one(env.last()[0]["action_mask"], streams(1, 1))
    compiled: Callable[[Any, Any], int] = own.pick_one
    return compiled


def pettingzoo_benchmark(env: Any) -> Measure:
    """`pettingzoo.test.performance_benchmark` with a clock that makes its five seconds as long as is asked for."""
    theirs = _own_copy("pettingzoo", "test/performance_benchmark.py")

    def measure(seconds: float) -> Sample:
        haste, said = THEIR_SECONDS / max(seconds, 1e-3), io.StringIO()
        clock = SimpleNamespace(time=lambda: haste * time.perf_counter())
        begun = time.perf_counter()
        theirs.time = clock
        with contextlib.redirect_stdout(said):
            theirs.performance_benchmark(env)
        passed = time.perf_counter() - begun
        rate = haste * float(said.getvalue().split(" turns per second")[0].split()[-1])
        return Sample(max(1, round(rate * passed)), passed)

    return measure


def _own_copy(package: str, path: str) -> Any:
    """A file of a package as a module of our own: an import of PettingZoo's tests needs its classic games."""
    (folder,) = importlib.import_module(package).__path__
    spec = importlib.util.spec_from_file_location(f"{package}_{Path(path).stem}", Path(folder) / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def makers(game: Game, players: int, threads: int) -> Makers:
    """The layers of this group by name."""
    module = importlib.import_module(registry.find(game.name).module)
    return {
        "aec-checked": lambda: Layer(repeated(picking(module.env(players=players), picker(game)))),
        "aec-raw": lambda: Layer(repeated(picking(module.raw_env(players=players), picker(game)))),
        "aec-sample": lambda: Layer(repeated(sampling(module.env(players=players)))),
        "aec-numpy": lambda: Layer(repeated(partial(numpy_picking, module.env(players=players)))),
        "aec-pettingzoo": lambda: Layer(pettingzoo_benchmark(module.env(players=players))),
    }
