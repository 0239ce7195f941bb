"""The measured side of harness/workers.py: a process that plays when it is asked to, and waits while others play.

Every message is one JSON object in a line after MARK, because libraries print lines, too. The first message is
`{"ready": {"games": [..], "missing": {game: reason}, "versions": {..}}}`; then each
`{"game": NAME, "seconds": S}` is answered by `{"steps": .., "seconds": .., "games": .., "memory": ..}` or by
`{"error": ..}`. This module needs the standard library only, because it runs in the peers' environments.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

MARK = "@bench "
Play = Callable[[], tuple[int, int]]  # plays a little; the numbers of steps and of finished games


def memory() -> int:
    """The most bytes that this process has held; 0 where the system does not tell.

    On Linux the figure comes from /proc, because `ru_maxrss` begins there with the memory of the parent process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return next(1024 * int(line.split()[1]) for line in status.read_text().splitlines() if line[:5] == "VmHWM")
    if sys.platform == "win32":
        return 0
    import resource

    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


def on_one_core() -> None:
    """Keep this process and the threads that it begins from now on on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def settled(play: Play, games: int) -> Play:
    """The same play, after that many games have ended: from then on the games of a batch end at different steps."""
    ended = 0
    while ended < games:
        ended += play()[1]
    return play


def timed(play: Play, seconds: float) -> dict[str, float]:
    """Play again and again until the seconds are over."""
    steps, games, begun = 0, 0, time.perf_counter()
    while True:
        more, ended = play()
        steps, games = steps + more, games + ended
        passed = time.perf_counter() - begun
        if passed >= seconds:
            return {"steps": steps, "seconds": passed, "games": games, "memory": memory()}


def serve(makers: Mapping[str, Callable[[], Play]], packages: Iterable[str] = (), **more: Any) -> None:
    """Make every game, send the first message with `more` in it, then answer until stdin is closed."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # from now on the output of libraries goes to stderr
    plays, missing = {}, {}
    for name, make in makers.items():
        try:
            play = make()
            play()  # the first call compiles
            plays[name] = play
        except Exception as reason:  # the other games can still be measured
            traceback.print_exc()
            missing[name] = f"{type(reason).__name__}: {' '.join(str(reason).split())[:200]}"

    def answer(data: dict[str, Any]) -> None:
        print(f"{MARK}{json.dumps(data)}", file=answers, flush=True)

    versions = {package: importlib.metadata.version(package) for package in packages}
    answer({"ready": {"games": list(plays), "missing": missing, "versions": versions, **more}})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer(timed(plays[question["game"]], question["seconds"]))
        except Exception as reason:  # the measuring process shows the reason
            traceback.print_exc()
            answer({"error": f"{type(reason).__name__}: {reason}"})
