"""A process that serves one batch size, for the scaling curve: KIND GAME PLAYERS SIZE THREADS,THREADS,.."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from skyline import registry
from skyline_bench.harness.layer import Run
from skyline_bench.layers import core, vector
from skyline_bench.peers.serve import Play, serve

KINDS: dict[str, Callable[..., Run]] = {"rollout": core.rollout, "vector": vector.vector}


def player(kind: str, game: str, players: int, n: int, threads: int) -> Play:
    """Play n games on that many threads."""
    run = KINDS[kind](registry.load(game), players, n=n, threads=threads)
    return lambda: (run(), 0)


if __name__ == "__main__":
    kind, game, players, n, threads = sys.argv[1:]
    counts = [int(count) for count in threads.split(",")]
    serve({str(count): partial(player, kind, game, int(players), int(n), count) for count in counts})
