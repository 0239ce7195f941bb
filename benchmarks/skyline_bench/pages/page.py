"""Write the figures of a run into README.md and docs/bench.md, so that nobody types figures.

    skyline bench -l core,vector,aec,sb3,search --peers -t 2 -s 2 --json report.json
    python -m skyline_bench.pages.page report.json

The places are marked `<!-- speed -->` .. `<!-- end -->` in README.md; `layers`, `steps`, `peers` and `batches` in
docs/bench.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from skyline.cli.environment_pages import markdown, replaced
from skyline.cli.terminal import complain
from skyline_bench.harness import bench_report as reports
from skyline_bench.layers.reference import REFERENCE
from skyline_bench.peers import PeerGame

ROOT = Path(__file__).parents[3]
STEPS = ("step", "step-mask", "step-mask-obs", "rollout-random")  # each layer adds one thing to the layer before


def speed_table(report: reports.Report) -> str:
    """The table of the README, with a row for every game and player count."""
    beside = report["reference"][REFERENCE]["median"]
    rows = []
    for title, players, part in _tables(report):
        rollout, vector, aec = (_median(part, name) for name in ("rollout-random", "vector-1024", "aec-checked"))
        rows.append([f"{title}, {players}", _millions(rollout), f"{rollout / beside:.0f}", _millions(vector),
                     _millions(aec, 2), f"{aec / beside:.1f}", f"{part['sizes']['state']:,}"])  # fmt: skip
    head = [
        "game, players",
        "rollout",
        "times c4",
        "vector step, 1,024 games",
        "checked AEC",
        "times c4",
        "bytes a state",
    ]
    return f"{_machine(report)}; `connect_four_v3.env()` {beside:,.0f} steps/s.\n\n{markdown(head, rows)}"


def layer_table(report: reports.Report) -> str:
    """Steps a second of every layer, with a column for every game (with the fewest players)."""
    columns = [(title, part) for title, players, part in _tables(report) if players == _fewest(report, title)]
    names = dict.fromkeys(name for _, part in columns for name in part["layers"])
    rows = [[f"`{name}`", *(_speed(part, name) for _, part in columns)] for name in names]
    head = ["layer", *(f"{title}, {_fewest(report, title)}" for title, _ in columns)]
    return f"{_machine(report)}. Steps a second, medians.\n\n{markdown(head, rows)}"


def step_table(report: reports.Report) -> str:
    """The parts of a step: nanoseconds of each layer minus those of the layer before."""
    rows = []
    for title, players, part in _tables(report):
        times = [1e9 / _median(part, name) for name in STEPS]
        parts = [times[0], *(after - before for before, after in pairwise(times))]
        sizes = part["sizes"]
        times.append(1e9 / _median(part, "copy-view"))
        rows.append([f"{title}, {players}", *(f"{time:.0f}" for time in (*parts, *times[-2:])),
                     f"{sizes['mask']:,}", f"{sizes['observation']:,}"])  # fmt: skip
    head = [
        "ns a step",
        "move",
        "mask",
        "observation",
        "choice",
        "all",
        "copying the views",
        "bytes of the mask",
        "bytes of the observation",
    ]
    return markdown(head, rows)


def peer_table(report: reports.Report) -> str:
    """Every peer, and the speeds of our fastest and slowest rollout and slowest AEC loop divided by the peer's."""
    parts = [part for _, _, part in _tables(report)]
    rollouts, loops = ([_median(part, name) for part in parts] for name in ("rollout-random", "aec-numpy"))
    rows = []
    for title, game, speed in _peers(report):
        times = [f"{ours / speed['median']:,.1f}" for ours in (max(rollouts), min(rollouts), min(loops))]
        rows.append([title, game, f"{speed['seats']}", f"{speed['rows']:,}", f"{speed['median']:,.0f}", _games(speed),
                     speed["step"], speed["left_out"], *times])  # fmt: skip
    head = ["peer", "game", "seats", "games in a batch", "steps/s", "games/s", "a step is", "left out",
            "fastest rollout, times", "slowest rollout, times", "slowest `aec-numpy`, times"]  # fmt: skip
    return f"{_machine(report)}.\n\n{markdown(head, rows)}{_not_measured(report)}"


def batch_table(report: reports.Report) -> str:
    """Our batches beside those of the peers: the lowest and the highest ratio of our games and player counts."""
    parts = [part for _, _, part in _tables(report)]
    layers = [
        name for name in dict.fromkeys(name for part in parts for name in part["layers"])
        if name.startswith("vector-") and all("games" in part["layers"].get(name, {}) for part in parts)
    ]  # fmt: skip
    rows = []
    for title, game, speed in _peers(report):
        if speed["rows"] > 1:
            times = [[_median(part, name) / speed["median"] for part in parts] for name in layers]
            rows.append([title, game, f"{speed['median']:,.0f}", speed["step"].partition(":")[0], speed["left_out"],
                         *map(_span, times)])  # fmt: skip
    head = ["peer", "game", "steps/s", "a step is", "left out", *(f"`{name}`" for name in layers)]
    return markdown(head, rows)


def _games(speed: Any) -> str:
    if "games" not in speed:
        return ""
    return f"{speed['games']:,.0f}" if speed["games"] >= 100 else f"{speed['games']:.1f}"


def _span(times: Sequence[float]) -> str:
    return f"{min(times):.1f} .. {max(times):.1f}"


def _not_measured(report: reports.Report) -> str:
    """The reasons of the peers that have no row."""
    reasons = [
        f"* {peer['title']} {game}: {reason}"
        for peer in report["peers"].values()
        for game, reason in peer["missing"].items()
    ]
    return "\n".join(["", "", "Not measured:", "", *reasons]) if reasons else ""


def _tables(report: reports.Report) -> Iterator[tuple[str, str, Any]]:
    for game in report["games"].values():
        for players, part in game["players"].items():
            yield game["title"], players, part


def _fewest(report: reports.Report, title: str) -> str:
    return next(players for other, players, _ in _tables(report) if other == title)


def _peers(report: reports.Report) -> Iterator[tuple[str, str, Any]]:
    """(library, game, speed) of all rows beside ours."""
    here = asdict(PeerGame("connect_four")) | {"rows": 1}
    for name, speed in report["reference"].items():
        yield "PettingZoo, in our process", name, here | speed
    for peer in report["peers"].values():
        for game, speed in peer["games"].items():
            yield peer["title"], game, speed


def _median(part: Any, layer: str) -> float:
    if layer not in part["layers"]:
        raise ValueError(f"the report lacks the layer {layer}: measure core, vector and aec")
    return float(part["layers"][layer]["median"])


def _speed(part: Any, layer: str) -> str:
    return f"{part['layers'][layer]['median']:,.0f}" if layer in part["layers"] else "-"


def _millions(rate: float, digits: int = 1) -> str:
    return f"{rate / 1e6:.{digits}f} M"


def _machine(report: reports.Report) -> str:
    """The command, the machine, the commit and the date of the run."""
    of, settings = report["fingerprint"], report["settings"]
    peers = " --peers" if report["peers"] else ""
    return (
        f"`skyline bench -l {','.join(settings['layers'])} -t {settings['threads']} -s {settings['seconds']:g}{peers} "
        f"--json report.json`: {of['cpu']}, {of['cores']} cores, load {of['load'][0]:.1f}, commit {of['commit'][:7]}, "
        f"{of['time'][:10]}"
    )


def _filled(page: str, tables: Mapping[str, Callable[[reports.Report], str]], report: reports.Report) -> str:
    """The page with these tables written anew."""
    for mark, table in tables.items():
        page = replaced(page, mark, table(report))
    return page


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser: Any = argparse.ArgumentParser(
        prog="python -m skyline_bench.pages.page",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("report", type=Path, help="a file of skyline bench --json")
    given = parser.parse_args(arguments)
    places = {
        ROOT / "README.md": {"speed": speed_table},
        ROOT / "docs" / "bench.md": {
            "layers": layer_table,
            "steps": step_table,
            "peers": peer_table,
            "batches": batch_table,
        },
    }
    try:
        report = reports.read(given.report)
        pages = {path: _filled(path.read_text(encoding="utf-8"), tables, report) for path, tables in places.items()}
        for path, page in pages.items():  # all of them, or none if the report lacks something
            path.write_text(page, encoding="utf-8")
            print(path)
    except (OSError, ValueError) as reason:
        complain(reason)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
