"""The command line of the fuzzer: see `tests/fuzz/__init__.py`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.fuzz import driver, targets
from tests.fuzz.judgement import FINDING, Judgement

OUT = Path("fuzz-out")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Give the library odd inputs.")
    parser.add_argument("--target", action="extend", nargs="+", metavar="NAME", help="default: all, the time shared")
    parser.add_argument("--seconds", type=float, help="for all targets, without loading and compiling; default: 60")
    parser.add_argument("--count", type=int, help="inputs of each target, in place of --seconds")
    parser.add_argument("--seed", type=int, default=1, help="default: 1; a seed and a number give the same input again")
    parser.add_argument("--number", type=int, help="make this input of --target and --seed again and run it")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes; default: 2")
    parser.add_argument("--out", type=Path, default=OUT, help=f"a folder for the findings; default: {OUT}")
    parser.add_argument("--list", action="store_true", help="list the targets")
    parser.add_argument("--repeat", nargs="+", type=Path, metavar="FILE", help="run kept inputs again")
    parser.add_argument("--engine", choices=("random", "atheris"), default="random", help="atheris: guided by coverage")
    given = parser.parse_args(arguments)
    try:
        names = given.target or targets.names()
        kinds = {name: targets.target(name) for name in names}
        if given.list:
            for name, kind in kinds.items():
                print(f"{name:12} {kind.meaning}")
            return 0
        if given.repeat:
            return _repeat(given.repeat)
        if given.number is not None:
            return _again(names, given)
        if given.engine == "atheris":
            from tests.fuzz import guided

            return guided.run(names, given.seconds or 60, given.seed, given.out)
    except ValueError as reason:
        parser.error(str(reason))
    shares = sum(kind.share for kind in kinds.values())
    seconds = {name: (given.seconds or 60) * kind.share / shares for name, kind in kinds.items()}
    return _fuzz(seconds, given)


def _fuzz(seconds: dict[str, float], given: argparse.Namespace) -> int:
    results: list[driver.Result] = []
    tell, done = _teller()
    try:
        for name, own in seconds.items():
            run = driver.Run(name, seed=given.seed, jobs=given.jobs, out=given.out, tell=tell)
            results.append(run.result)
            run.go(None if given.count else own, given.count)
            done()
    except KeyboardInterrupt:
        done()
        print("interrupted", file=sys.stderr)
    print(driver.HEADING)
    for result in results:
        print(result.line())
    return _tell_findings(results, given.out)


def _tell_findings(results: Sequence[driver.Result], out: Path) -> int:
    found = [(result, key, kind) for result in results for key, kind in result.findings.items()]
    for result, key, kind in sorted(found, key=lambda one: (one[0].name, -one[2].times)):
        print(f"{result.name}: {kind.times:,} times: {key}")
    if found:
        print(f"{len(found)} kinds of findings; their inputs and tracebacks are in {out}/")
    return 1 if found else 0


def _teller() -> tuple[Callable[[str], None], Callable[[], None]]:
    """A progress line that is written over on a terminal, and one line for each target elsewhere."""
    if not sys.stderr.isatty():
        return (lambda line: None), (lambda: None)
    print(driver.HEADING, file=sys.stderr)
    return (
        lambda line: print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True),
        lambda: print(file=sys.stderr),
    )


def _again(names: Sequence[str], given: argparse.Namespace) -> int:
    """Make the input of a seed and a number, write it to the folder of findings, and run it."""
    if len(names) != 1 or given.number < 0:
        raise ValueError("--number needs one --target, and is 0 or more")
    data, outcome = driver.made_again(names[0], given.seed, given.number)
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"{names[0]}-{given.seed}-{given.number}{targets.target(names[0]).suffix}"
    path.write_bytes(data)
    return _told(path, outcome)


def _told(path: Path, outcome: Judgement) -> int:
    print(f"{path}: {outcome.kind}")
    if outcome.key or outcome.detail:
        print("\n".join(filter(None, (outcome.key, outcome.detail))))
    return int(outcome.kind == FINDING)


def _repeat(files: Sequence[Path]) -> int:
    by_target: dict[str, list[Path]] = {}
    for path in files:
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        by_target.setdefault(targets.name_of(path), []).append(path)
    bad = 0
    for name, paths in by_target.items():
        for path, outcome in zip(paths, driver.repeat(name, paths), strict=True):
            bad += _told(path, outcome)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
