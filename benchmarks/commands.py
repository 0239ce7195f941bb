"""`skyline bench`: steps a second of every layer of a game, beside PettingZoo's connect four in the same run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

Games = Annotated[list[str] | None, typer.Argument(help="Games to measure; all if none is named.")]
Players = Annotated[list[int] | None, typer.Option(help="Player counts (repeat the option); all if none is given.")]
Layers = Annotated[str, typer.Option(help="Layers, comma-separated.")]
Seconds = Annotated[float, typer.Option(help="Seconds for each layer.", min=0.05)]
Peers = Annotated[
    bool, typer.Option(help="Measure connect_four_v3 in the same run, if pettingzoo\\[classic] is there.")
]
StartUp = Annotated[bool, typer.Option(help="Measure compile and cached start-up time in fresh processes.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write everything to this file.")]


def bench(
    games: Games = None,
    players: Players = None,
    layers: Layers = "rollout,core,heuristic,vector,aec",
    seconds: Seconds = 1.0,
    peers: Peers = True,
    startup: StartUp = True,
    json_file: JsonFile = None,
) -> None:
    """Steps a second of every layer, one core, random legal play.

    All layers and the peers are measured in turn, round by round, so that noise of the machine hits all alike: compare
    figures of one run only.

    Examples:  skyline bench manhattan   |   skyline bench manhattan --players 4 --layers rollout,aec --seconds 3
    """
    import json

    from benchmarks import core, measure
    from benchmarks.peers import connect_four
    from skyline import record, registry
    from skyline.game import check_choice

    wanted = tuple(word.strip() for word in layers.split(",") if word.strip())
    for word in wanted:
        check_choice("a layer", word.split("-")[0], core.LAYERS)
    chosen = [registry.load(name) for name in (games or registry.names())]
    if json_file is not None and not json_file.parent.is_dir():
        raise ValueError(f"--json {json_file}: the folder {json_file.parent} does not exist")
    report: dict[str, Any] = {"fingerprint": measure.fingerprint(), "games": {}}
    for game in chosen:
        counts = [game.check_players(count) for count in players] if players else list(game.player_counts)
        others = connect_four() if peers else {}
        runs = {f"{count}p {name}": run for count in counts for name, run in core.layers(game, count, wanted).items()}
        speeds = _measured(game.title, {**runs, **others}, seconds)
        start = measure.start_up(game.name, counts[0]) if startup else {}
        _show(game, speeds, list(others), start)
        report["games"][game.name] = {
            "speeds": measure.as_data(speeds),
            "start_up": start,
            "bytes a state": game.state.itemsize,
        }
    if json_file is not None:
        record.write(json.dumps(report, indent=1) + "\n", json_file)


def _measured(title: str, runs: dict[str, Any], seconds: float) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from benchmarks import measure

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task(f"{title}: compiling", total=1.0)

        def shown(share: float) -> None:
            progress.update(task, completed=share, description=f"{title}: {len(runs)} layers")

        return measure.interleaved(runs, seconds, shown)


def _show(game: Any, speeds: Any, peers: list[str], start: dict[str, float]) -> None:
    from rich.console import Console
    from rich.table import Table

    from benchmarks.peers import REFERENCE

    reference = speeds.get(REFERENCE)
    table = Table(title=f"{game.title}: steps a second, one core ({game.state.itemsize} bytes a state)")
    table.add_column("layer")
    table.add_column("best", justify="right")
    table.add_column("median", justify="right")
    table.add_column("ns a step", justify="right")
    if reference is not None:
        table.add_column("x c4 env()", justify="right")
    for name, speed in speeds.items():
        row = [name, f"{speed.best:,.0f}", f"{speed.median:,.0f}", f"{speed.nanoseconds:,.0f}"]
        if reference is not None:
            row.append(f"{speed.median / reference.median:,.1f}")
        table.add_row(*row, end_section=bool(peers) and name == peers[-1])
    console = Console()
    console.print(table)
    if peers:
        console.print("c4: pettingzoo.classic.connect_four_v3, driven by the same loop in the same run")
    else:
        console.print("connect_four_v3 was not measured: pip install 'pettingzoo[classic]' to compare.")
    if start:
        console.print("fresh process: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in start.items()))
