"""`python -m tests.machine`: many sequences, in several processes; Ctrl-C prints the counts until then."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from tests.machine.sequences import KINDS, play, sequence, shrunk
from tests.machine.work import A_TASK, Counts, start_worker, task
from tests.machine.worlds import tables, toy_game

MOST_SHOWN = 5  # failures that are shrunk and printed in full


def table(counts: Counts, games: list[str]) -> str:
    names = ("sequences", "calls", "refusals", "differences")
    lines = [f"{'kind':8} {'game':14}" + "".join(f"{name:>13}" for name in names)]
    for kind in sorted(KINDS):
        for game in games:
            lines.append(f"{kind:8} {game:14}" + "".join(f"{counts[kind, game, name]:13,}" for name in names))
    total = [sum(value for (_, _, what), value in counts.items() if what == name) for name in names]
    return "\n".join([*lines, f"{'all':23}" + "".join(f"{value:13,}" for value in total)])


def show(seed: int, number: int, said: str) -> None:
    print(f"\nsequence {number} of seed {seed} failed {said}", flush=True)
    least = shrunk(sequence(seed, number))
    print(f"shrunk to:\n{least}\nfailed {play(least).said}", flush=True)


def run(seed: int, count: int, jobs: int) -> tuple[Counts, list[tuple[int, str]], bool]:
    """Play all sequences; False if the run was interrupted."""
    counts, failed, begun, is_whole = Counts(), list[tuple[int, str]](), time.monotonic(), True
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, start_worker) as pool:
        tasks = {pool.submit(task, seed, at, min(at + A_TASK, count)): at for at in range(0, count, A_TASK)}
        try:
            for number, done in enumerate(as_completed(tasks), 1):
                more, wrong = done.result()
                counts += more
                failed += wrong
                for which, said in wrong:  # printed at once, because a run may be killed
                    print(f"\nsequence {which}: {said.splitlines()[-1]}", flush=True)
                rate = min(number * A_TASK, count) / (time.monotonic() - begun)
                said = f"{100 * number // len(tasks)} %, {rate:.0f} sequences/s, {len(failed)} differences"
                print(f"\r{said} ", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            is_whole = False
            pool.shutdown(cancel_futures=True)
        except BrokenProcessPool:
            print("\na worker process died: an access outside an array, perhaps", file=sys.stderr)
            is_whole = False
    print(f"\n{time.monotonic() - begun:.0f} s", file=sys.stderr)
    return counts, failed, is_whole


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.machine", description=__doc__)
    parser.add_argument("--sequences", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="one sequence by its number")
    given = parser.parse_args()
    with toy_game():
        games = sorted({game for game, _ in tables()})
        if given.only is not None:
            played = play(sequence(given.seed, given.only))
            print(sequence(given.seed, given.only))
            if played.said:
                show(given.seed, given.only, played.said)
            return int(bool(played.said))
        counts, failed, is_whole = run(given.seed, given.sequences, given.jobs)
        print(table(counts, games), flush=True)
        for number, said in sorted(failed)[:MOST_SHOWN]:
            show(given.seed, number, said)
    return 1 if failed else 0 if is_whole else 130


if __name__ == "__main__":
    sys.exit(main())
