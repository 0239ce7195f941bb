"""Draw reports: python -m skyline_bench.pages.plot report.json [scaling.json] [--out docs/bench] (extra `viz`).

A report of `skyline bench --json` gives throughput.png and .svg: every layer of every game, and the peers of the same
run. A report of `python -m skyline_bench.harness.scaling --json` gives scaling.png and .svg: steps/s and memory over
the batch size.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from skyline.cli.terminal import complain
from skyline.draw.plots import COLOURS, figure, finish

OTHERS = "#9aa5ad"
BESIDE_PEERS = ("rollout-random", "vector-1024", "aec-numpy")
STYLES = ("-", "--", ":", "-.")
WAYS = {"rollout": "Inside one call", "vector": "Stepped from Python"}
GIB = 2**30


# ---------------------------------------------------------------- throughput


def throughput(report: Mapping[str, Any]) -> Any:
    """A figure with the layers on the left, and on the right the peers, if any."""
    columns = 2 if report["peers"] or report["reference"] else 1
    bars = _bars(report)
    layers = list(dict.fromkeys(name for _, part in _games(report) for name in part["layers"]))
    drawn, axes = figure(1, columns, (6.5 * columns, max(4.0, 0.3 * max(len(layers), len(bars)) + 1.5)))
    _draw_layers(axes[0, 0], report, layers)
    if columns == 2:
        _draw_bars(axes[0, 1], bars)
    drawn.suptitle(_caption(report), fontsize=8, color="#555555", y=-0.02, va="top")
    return drawn


def _games(report: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Every game with the largest player count that was measured."""
    games = []
    for game in report["games"].values():
        most = max(game["players"], key=int)
        games.append((f"{game['title']}, {most} players", game["players"][most]))
    return games


def _draw_layers(axis: Any, report: Mapping[str, Any], layers: Sequence[str]) -> None:
    for (title, part), colour in zip(_games(report), COLOURS * 9, strict=False):
        speeds = part["layers"]
        places = [layers.index(name) for name in speeds]
        medians = [speed["median"] for speed in speeds.values()]
        axis.plot(medians, places, "o", color=colour, markersize=6, label=title)
        for place, speed in zip(places, speeds.values(), strict=True):
            axis.plot([speed["median"], speed["best"]], [place, place], color=colour, linewidth=1)
    axis.set_xscale("log")
    axis.set_yticks(range(len(layers)), layers)
    axis.set_ylim(len(layers) - 0.5, -0.5)
    finish(axis, "Layers", "steps a second (dot: median, line: up to the best round)")
    axis.legend(fontsize=8, frameon=False)


def _bars(report: Mapping[str, Any]) -> list[tuple[str, float, str]]:
    """(name, steps/s, colour) of the peers and of the layers beside them; the fastest first."""
    bars = [
        (f"{title}: {name}", part["layers"][name]["median"], colour)
        for (title, part), colour in zip(_games(report), COLOURS * 9, strict=False)
        for name in BESIDE_PEERS
        if name in part["layers"]
    ]
    bars += [(f"PettingZoo here: {name}", speed["median"], OTHERS) for name, speed in report["reference"].items()]
    for peer in report["peers"].values():
        bars += [(f"{peer['title']} {game}", speed["median"], OTHERS) for game, speed in peer["games"].items()]
    return sorted(bars, key=lambda bar: -bar[1])


def _draw_bars(axis: Any, bars: Sequence[tuple[str, float, str]]) -> None:
    for place, (_, speed, colour) in enumerate(bars):
        axis.barh(place, speed, color=colour, height=0.7)
        axis.annotate(f" {speed:,.0f}", (speed, place), va="center", fontsize=7)
    axis.set_xscale("log")
    axis.set_xlim(right=max(speed for _, speed, _ in bars) * 8)
    axis.set_yticks(range(len(bars)), [name for name, _, _ in bars], fontsize=8)
    axis.set_ylim(len(bars) - 0.5, -0.5)
    finish(axis, "Beside others, in the same run", "steps a second (median)")


# ---------------------------------------------------------------- scaling


def scaling(data: Mapping[str, Any]) -> Any:
    """A figure of the steps/s of each kind, and of the memory, over the batch size."""
    points = data["curves"]
    kinds = list(dict.fromkeys(point["kind"] for point in points))
    games = list(dict.fromkeys((point["game"], point["players"]) for point in points))
    drawn, axes = figure(1, len(kinds) + 1, (5.2 * (len(kinds) + 1), 4.2))
    for axis, kind in zip(axes[0], kinds, strict=False):
        _draw_curves(axis, [point for point in points if point["kind"] == kind], games, kind)
    _draw_memory(axes[0, -1], points, games, kinds)
    names = [f"{game}, {players} players" for game, players in games]
    drawn.legend(handles=_samples(names, COLOURS * 9, "-"), loc="outside upper center", ncols=4, frameon=False)
    drawn.suptitle(_caption(data), fontsize=8, color="#555555", y=-0.02, va="top")
    return drawn


def _samples(labels: Sequence[str], colours: Sequence[str], styles: Sequence[str]) -> list[Any]:
    """Lines for a legend; a style or colour that all lines share stands there once."""
    from matplotlib.lines import Line2D

    pairs = zip(labels, itertools.cycle(colours), itertools.cycle(styles), strict=False)
    return [Line2D([], [], color=colour, linestyle=style, label=label) for label, colour, style in pairs]


def _draw_curves(axis: Any, points: Sequence[Any], games: Sequence[Any], kind: str) -> None:
    counts = sorted({point["threads"] for point in points})
    for key, colour in zip(games, COLOURS * 9, strict=False):
        for threads, style in zip(counts, STYLES * 9, strict=False):
            own = [p for p in points if (p["game"], p["players"]) == key and p["threads"] == threads]
            axis.plot([p["size"] for p in own], [p["median"] for p in own], style, marker="o", markersize=4,
                      color=colour)  # fmt: skip
    _batch_axis(axis)
    axis.yaxis.set_major_formatter(lambda value, _: f"{value / 1e6:g} M")
    finish(axis, WAYS[kind], "games in the batch", "steps a second")
    threads = [f"{count} thread{'' if count == 1 else 's'}" for count in counts]
    axis.legend(handles=_samples(threads, [OTHERS], STYLES), fontsize=8, frameon=False, loc="lower right")


def _batch_axis(axis: Any) -> None:
    axis.set_xscale("log")
    axis.set_ylim(bottom=0)
    for side in (axis.xaxis, axis.yaxis):
        side.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _draw_memory(axis: Any, points: Sequence[Any], games: Sequence[Any], kinds: Sequence[str]) -> None:
    for key, colour in zip(games, COLOURS * 9, strict=False):
        for kind, style in zip(kinds, STYLES, strict=False):
            own = {p["size"]: p["memory"] for p in points if (p["game"], p["players"]) == key and p["kind"] == kind}
            axis.plot(list(own), [value / 2**20 for value in own.values()], style, marker="o", markersize=4,
                      color=colour)  # fmt: skip
    axis.axhline(2 * GIB / 2**20, color="#bb3333", linewidth=1)
    axis.annotate("2 GiB", (1, 2 * GIB / 2**20), color="#bb3333", fontsize=8, va="bottom")
    _batch_axis(axis)
    finish(axis, "Memory of the process", "games in the batch", "MiB")
    ways = [WAYS[kind] for kind in kinds]
    axis.legend(handles=_samples(ways, [OTHERS], STYLES), fontsize=8, frameon=False, loc="center left")


def _caption(data: Mapping[str, Any]) -> str:
    machine = data["fingerprint"]
    load = ", ".join(map(str, machine["load"] or ["unknown"]))
    return (
        f"{machine['cpu']}, {machine['cores']} cores, load {load}, Python {machine['python']}, "
        f"skyline {machine['commit'] or machine['versions'].get('skyline-envs', '')}, {machine['time']}"
    )


# ---------------------------------------------------------------- the command


def draw(path: Path, out: Path) -> list[Path]:
    """The pictures of one report."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as reason:
        raise ValueError(f"{path} is not JSON: {reason}") from None
    kind = "scaling" if "curves" in data else "throughput" if "games" in data else None
    if kind is None:
        raise ValueError(
            f"{path} is no report of skyline bench --json or python -m skyline_bench.harness.scaling --json"
        )
    drawn = scaling(data) if kind == "scaling" else throughput(data)
    files = [out / f"{kind}.png", out / f"{kind}.svg"]
    for file in files:
        drawn.savefig(file, dpi=130, bbox_inches="tight", facecolor="white")
    return files


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser: Any = argparse.ArgumentParser(
        prog="python -m skyline_bench.pages.plot",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("reports", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--out", type=Path, default=Path("docs/bench"), help="a folder (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        for path in given.reports:
            print("\n".join(map(str, draw(path, given.out))))
    except (ValueError, OSError, ImportError) as reason:
        complain(reason)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
