"""A report as tables, readable at 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from skyline_bench.harness.bench_report import Report
from skyline_bench.layers.reference import REFERENCE
from skyline_bench.peers import DECISION

NO_REFERENCE = "c4-env, PettingZoo's connect four, was not measured: pip install 'pettingzoo[classic]'"
BESIDE_PEERS = {
    "our rollout": "rollout-random",
    "our AEC": "aec-numpy",
}  # a column, and the layer whose ratio the column shows


def show(report: Report, baseline: Report | None = None) -> None:
    """Print the report, and the ratios to a baseline."""
    console = Console(highlight=False)
    for name, game in report["games"].items():
        for players, part in game["players"].items():
            before = _layers_of(baseline, name, players) if baseline else None
            _show_game(console, f"{game['title']}, {players} players", part, report, before)
        if start := game.get("start_up"):
            console.print("fresh process: " + ", ".join(f"{what} {seconds:.2f} s" for what, seconds in start.items()))
    _show_others(console, report)
    _say_machine(console, report, baseline)


def _layers_of(report: Report, game: str, players: str) -> dict[str, Any]:
    layers: dict[str, Any] = report["games"].get(game, {}).get("players", {}).get(players, {}).get("layers", {})
    return layers


def _table(first: str, others: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, no_wrap=True)
    for heading in ("steps/s\nmedian", "steps/s\nbest", "games/s", *others):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _row(name: str, speed: Mapping[str, Any], *others: float | None) -> list[str]:
    values = [speed["median"], speed["best"], speed.get("games"), *others]
    return [name, *("" if value is None else _rate(value) for value in values)]


def _rate(value: float) -> str:
    """A rate with at least three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _show_game(console: Console, title: str, part: Any, report: Report, before: dict[str, Any] | None) -> None:
    sizes, length = part["sizes"], part["decisions"]
    console.print(
        f"[bold]{title}[/bold]: {sizes['state']:,} bytes a state, {sizes['observation']:,} an observation, "
        f"{sizes['mask']:,} a mask; decisions a game {length['random']:.1f} random, {length['heuristic']:.1f} heuristic"
    )
    yardstick = report["reference"].get(REFERENCE)
    others = ["ns a\nstep", *(["times\nc4-env"] if yardstick else []), *(["times\nbase"] if before is not None else [])]
    table = _table("layer", others)
    for name, speed in part["layers"].items():
        values = [speed["nanoseconds"], *([speed["median"] / yardstick["median"]] if yardstick else [])]
        if before is not None:
            values.append(speed["median"] / before[name]["median"] if name in before else None)
        table.add_row(*_row(name, speed, *values))
    console.print(table)
    for group, reason in part["missing"].items():
        console.print(f"not measured: {group}: {reason}", markup=False)


def _show_others(console: Console, report: Report) -> None:
    """The peers, and the speed of the slowest of our games divided by each peer's."""
    slowest = {column: speed for column, layer in BESIDE_PEERS.items() if (speed := _slowest(report, layer))}
    table = _table("in the same run", [f"{column}\ntimes" for column in slowest])
    for name, speed in _others(report):
        table.add_row(*_row(name, speed, *(own / speed["median"] for own in slowest.values())))
    if table.row_count:
        console.print(table)
    elif report["settings"]["reference"]:
        console.print(NO_REFERENCE, markup=False)
    for peer in report["peers"].values():
        for game, speed in peer["games"].items():
            if said := _unlike_ours(speed):
                console.print(f"{peer['title']} {game}: {said}", markup=False)
        for game, reason in peer["missing"].items():
            console.print(f"not measured: {peer['title']} {game}: {reason}", markup=False)


def _unlike_ours(speed: Mapping[str, Any]) -> str:
    """What a step of a peer is if it is not a decision, and what the peer leaves out."""
    step, left_out = speed["step"], speed["left_out"]
    parts = [step] * (step != DECISION) + [f"without {left_out}"] * bool(left_out)
    return ", ".join(parts)


def _slowest(report: Report, layer: str) -> float | None:
    """The median of the layer in the game and player count where it is slowest."""
    speeds = [
        part["layers"][layer]["median"]
        for game in report["games"].values()
        for part in game["players"].values()
        if layer in part["layers"]
    ]
    return min(speeds, default=None)


def _others(report: Report) -> Iterator[tuple[str, Any]]:
    for name, speed in report["reference"].items():
        yield f"{name} (here)", speed
    for peer in report["peers"].values():
        for game, speed in peer["games"].items():
            yield f"{peer['title']} {game}", speed


def _say_machine(console: Console, report: Report, baseline: Report | None) -> None:
    machine, settings = report["fingerprint"], report["settings"]
    load = ", ".join(map(str, machine["load"] or ["unknown"]))
    console.print(
        f"{machine['cpu']}, {machine['cores']} cores, load {load}; Python {machine['python']}, "
        f"calibration loop {1000 * machine['calibration']:.1f} ms; {settings['seconds']:g} s a layer in rounds",
        markup=False,
    )
    if baseline:
        then, now = baseline["fingerprint"], machine
        console.print(
            f"base: commit {then['commit']}, {then['time']}, calibration loop "
            f"{then['calibration'] / now['calibration']:.2f} of this run's; compare figures of one run where you can",
            markup=False,
        )
