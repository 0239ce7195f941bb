"""A report as tables, readable at 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.reference import REFERENCE
from benchmarks.report import Report

NO_REFERENCE = "c4-env, PettingZoo's connect four, was not measured: pip install 'pettingzoo[classic]'"


def show(report: Report, baseline: Report | None = None) -> None:
    """Print the report; with a baseline also the ratio to it."""
    console = Console(highlight=False)
    yardstick = report["reference"].get(REFERENCE, {}).get("median")
    for game in report["games"].values():
        for players in game["players"]:
            _show_game(console, report, game, players, yardstick, baseline)
        if start := game.get("start_up"):
            console.print("fresh process: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in start.items()))
    _show_others(console, report, yardstick)
    _say_machine(console, report, baseline)


def _columns(table: Table, first: str, yardstick: float | None, baseline: Report | None = None) -> None:
    table.add_column(first, no_wrap=True)
    for heading in ("steps/s\nmedian", "steps/s\nbest", "ns a\nstep", "games/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    if yardstick:
        table.add_column("times\nc4-env", justify="right", no_wrap=True)
    if baseline:
        table.add_column("times\nbase", justify="right", no_wrap=True)


def _row(name: str, speed: Mapping[str, Any], yardstick: float | None, base: Mapping[str, Any] | None = None) -> Any:
    row = [name, _rate(speed["median"]), _rate(speed["best"]), _rate(speed["nanoseconds"])]
    row.append(_rate(speed["games"]) if "games" in speed else "")
    if yardstick:
        row.append(_rate(speed["median"] / yardstick))
    if base is not None:
        row.append(f"{speed['median'] / base['median']:.2f}" if base else "")
    return row


def _rate(value: float) -> str:
    """Three digits at least."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _show_game(
    console: Console, report: Report, game: Any, players: str, yardstick: float | None, baseline: Report | None
) -> None:
    part = game["players"][players]
    sizes, length = part["sizes"], part["decisions"]
    console.print(
        f"[bold]{game['title']}, {players} players[/bold]: {sizes['state']:,} bytes a state, {sizes['observation']:,} "
        f"an observation, {sizes['mask']:,} a mask; decisions a game {length['random']:.1f} random, "
        f"{length['heuristic']:.1f} heuristic"
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    _columns(table, "layer", yardstick, baseline)
    before = _part_of(baseline, report, game, players)
    for name, speed in part["layers"].items():
        table.add_row(*_row(name, speed, yardstick, before.get(name, {}) if baseline else None))
    console.print(table)
    for group, reason in part["missing"].items():
        console.print(f"{group}: {reason}", markup=False)


def _part_of(baseline: Report | None, report: Report, game: Any, players: str) -> dict[str, Any]:
    """The same layers in the baseline."""
    name = next(name for name, entry in report["games"].items() if entry is game)
    layers: dict[str, Any] = (
        (baseline or {}).get("games", {}).get(name, {}).get("players", {}).get(players, {}).get("layers", {})
    )
    return layers


def _show_others(console: Console, report: Report, yardstick: float | None) -> None:
    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title="in the same run", title_style="bold"
    )
    _columns(table, "peer", yardstick)
    for name, speed in report["reference"].items():
        table.add_row(*_row(f"{name} (PettingZoo, here)", speed, yardstick))
    missing = []
    for peer in report["peers"].values():
        for game, speed in peer["games"].items():
            table.add_row(*_row(f"{peer['title']} {game}", speed, yardstick))
        missing += [f"{peer['title']} {game}: {reason}" for game, reason in peer["missing"].items()]
    if table.row_count:
        console.print(table)
    elif report["settings"]["reference"]:
        console.print(NO_REFERENCE, markup=False)
    for line in missing:
        console.print(f"not measured: {line}", markup=False)


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
