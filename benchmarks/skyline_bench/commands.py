"""`skyline bench`: steps a second of every layer of a game, beside environments of other libraries in the same run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from skyline.cli.terminal import INTERRUPTED, UsageError, progress, within
from skyline.files import check_target, write_text

Games = Annotated[list[str] | None, typer.Argument(metavar="GAMES", help="Default: all games.", show_default=False)]
Players = Annotated[list[int] | None, within(1, 64, "--players", "-p", help="May be repeated; default: all counts.")]
Layers = Annotated[
    str,
    typer.Option(
        "--layers",
        "-l",
        metavar="A,B,..",
        help="Groups (core, vector, aec, sb3, search) or single layers, such as rollout-random or vector-1024.",
    ),
]
Peers = Annotated[
    bool | None,
    typer.Option(
        "--peers/--no-peers",
        help="Measure environments of others, too (make bench-peers); --no-peers: not even PettingZoo's connect four.",
    ),
]
Threads = Annotated[int, within(1, 256, "--threads", "-t", help="Measure the batch with this number of threads, too.")]
Seconds = Annotated[float, within(0.01, 3600, "--seconds", "-s", help="Seconds for each layer, shared by ten rounds.")]
StartUp = Annotated[
    bool,
    typer.Option("--startup/--no-startup", help="Measure how fresh processes start, with and without kernels."),
]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write everything to this file, too.")]
Baseline = Annotated[
    Path | None, typer.Option("--baseline", metavar="FILE", help="Show ratios to an earlier run's --json file.")
]


def bench(
    games: Games = None,
    players: Players = None,
    layers: Layers = "core,vector,aec",
    peers: Peers = None,
    threads: Threads = 1,
    seconds: Seconds = 0.5,
    startup: StartUp = True,
    json_file: JsonFile = None,
    baseline: Baseline = None,
) -> None:
    """Measure the steps per second of every layer with random legal play.

    A step is one decision of one seat. All layers and peers take turns in rounds, so that other programs slow all
    of them alike: compare figures of one run only. After Ctrl-C the command shows and writes the finished rounds.
    docs/bench.md describes each layer.

    \b
    [bold]Examples[/bold]
      skyline bench manhattan
      skyline bench manhattan -p 4 --layers rollout,vector-1024 --seconds 3
      skyline bench -l core,vector,aec,sb3,search -t 2 --json report.json
      skyline bench manhattan --baseline report.json
      python -m skyline_bench.pages.plot report.json
    """
    from skyline_bench.harness import bench_report as reports
    from skyline_bench.pages import terminal_tables
    from skyline_bench.peers.run import known

    if json_file is not None:
        check_target(json_file, "the report (--json)")
    before = reports.read(baseline) if baseline is not None else None
    plan = reports.BenchPlan(
        games or (), players or (), _words(layers), threads, seconds, peers is not False, known() if peers else (),
        startup,
    )  # fmt: skip
    with progress(100, "% measured") as tell:
        report = reports.measure(plan, lambda done, total: tell(100 * done // total))
    terminal_tables.show(report, before)
    if json_file is not None:
        write_text(json_file, json.dumps(report, indent=1) + "\n")
    if report["interrupted"]:
        raise typer.Exit(INTERRUPTED)


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise UsageError(f"--layers {text!r} has an empty name in it")
    return words
