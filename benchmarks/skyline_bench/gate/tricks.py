"""What the two tricks of the core that use private parts of numba are worth: the random rollout with and without them.

    python -m skyline_bench.gate.tricks manhattan

    all       as it is
    loops     without the vectors of `skyline.core.wide`
    shared    without the libraries of `skyline.core.libraries`

Three processes compile the rollout, nothing is kept, and they take turns; what a trick is worth is the median over the
rounds of the ratio to the process beside it. Seconds are those of the processor, so that other work matters little.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from functools import cached_property

from skyline import registry
from skyline.core import engine, libraries, wide

VARIANTS = ("all", "loops", "shared")
ROUNDS, PLAYERS = 60, 4


class Unkept(engine.Kernels):
    """Kernels that are compiled anew in every process."""

    @cached_property
    def folder(self) -> None:
        return None


def serve(variant: str, name: str) -> None:
    """A line of steps a second for each line that is read."""
    if variant == "loops":
        wide.vectors_work = lambda: False  # type: ignore[assignment]
    elif variant == "shared":
        libraries.libraries = lambda: None  # type: ignore[assignment]
    engine.kernels = Unkept  # type: ignore[assignment]
    from skyline_bench.layers.core import rollout

    game = registry.load(name)
    run = rollout(game, min(PLAYERS, game.player_counts[-1]))
    run()
    print("ready", flush=True)
    for _ in sys.stdin:
        begun = time.process_time()
        steps = run()
        print(steps / (time.process_time() - begun), flush=True)


def measure(name: str) -> None:
    """Compile the variants side by side, let them take turns, print a line for each."""
    command = [sys.executable, "-m", "skyline_bench.gate.tricks"]
    servers = [
        subprocess.Popen([*command, variant, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for variant in VARIANTS
    ]
    lines = [(server.stdin, server.stdout) for server in servers]
    rates: list[list[float]] = [[] for _ in VARIANTS]
    for _, answers in lines:
        assert answers is not None and answers.readline() == "ready\n"
    for _ in range(ROUNDS):
        for rate, (asked, answers) in zip(rates, lines, strict=True):
            assert asked is not None and answers is not None
            print("run", file=asked, flush=True)
            rate.append(float(answers.readline()))
    for variant, rate, server in zip(VARIANTS, rates, servers, strict=True):
        server.communicate()
        longer = statistics.median(best / other for best, other in zip(rates[0], rate, strict=True))
        print(f"{name} {variant}: {statistics.median(rate):,.0f} steps/s, {longer:.2f} times as long as with both")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        serve(*sys.argv[1:])
    else:
        measure(sys.argv[1])
