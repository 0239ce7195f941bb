"""`skyline report`, found through the entry-point group `skyline.commands`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skyline.cli.terminal import UsageError, print_table, progress, say, within
from skyline.files import check_target, write_text
from skyline_agents.limits import MOST_SEED

if TYPE_CHECKING:
    from rich.table import Table

    from skyline_agents.report.tables import Report, Section


Database = Annotated[Path, typer.Argument(metavar="RESULTS.db", help="What skyline tournament wrote.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE.html", help="The page; default: beside the database.")]
Csv = Annotated[Path | None, typer.Option("--csv", metavar="DIR", help="Write the tables as CSV, too.")]
Parquet = Annotated[
    Path | None, typer.Option("--parquet", metavar="DIR", help="Write them as Parquet (extra parquet).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the tables for machines; write no page.")]
Anchor = Annotated[
    str | None, typer.Option(help="The agent with rating 0; default: random, else the first that played.")
]
Replicates = Annotated[int, within(40, 100_000, help="Fits to deals drawn anew that make the intervals.")]
Seed = Annotated[int, within(0, MOST_SEED, help="Seed of the drawing.")]


def report(
    database: Database,
    out: Out = None,
    csv: Csv = None,
    parquet: Parquet = None,
    as_json: AsJson = False,
    anchor: Anchor = None,
    replicates: Replicates = 1000,
    seed: Seed = 0,
) -> None:
    """Rate the agents of a tournament and write a page with tables and plots.

    The page is one file without scripts or outside resources. It can be written while the tournament is going on.

    \b
    [bold]Examples[/bold]
      skyline report results.db
      skyline report results.db --out ladder.html --csv tables
      skyline report results.db --anchor heuristic --replicates 4000
      skyline report results.db --json
    """
    from skyline_agents.report import files as report_files
    from skyline_agents.report.page import page
    from skyline_agents.report.tables import read

    if as_json and out is not None:
        raise UsageError("--json writes no page: it does not go together with --out")
    target = database.with_suffix(".html") if out is None else out
    if not as_json:
        check_target(target, "the page (--out names another place)")
    with progress(100, "rating, %") as tell:
        found = read(
            database, anchor=anchor, replicates=replicates, seed=seed,
            progress=lambda done, whole: tell(100 * done // whole),
        )  # fmt: skip
    written: list[Path] = []
    for folder, write in ((csv, report_files.write_csv), (parquet, report_files.write_parquet)):
        written += write(found, folder) if folder is not None else []
    if as_json:
        typer.echo(report_files.as_json(found))
        return
    write_text(target, page(found))
    for section in found.sections:
        print_table(_table(section))
        _print_forfeits(section)
    if len(found.sections) > 1:
        print_table(_overall(found))
    for path in [target, *written]:
        typer.echo(str(path))


def _table(section: Section) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    heading = f"{section.title}: {len(section.games):,} games"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=escape(heading), title_justify="left")
    table.add_column("agent", overflow="fold")
    for heading in ("rating", "95 %", "seats", "first", "score"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in section.agent_rows():
        table.add_row(
            escape(row["agent"]),
            _points(row["rating"]),
            "" if row["low"] == row["high"] else f"{_points(row['low'])} .. {_points(row['high'])}",
            f"{row['games']:,}",
            f"{row['first_share']:.1%}",
            "-" if math.isnan(row["mean_score"]) else f"{row['mean_score']:.1f}",
        )
    return table


def _overall(report: Report) -> Table:
    """The standing over all games together."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    from skyline_agents.report.overall import overall_rows

    title = "All games together: meetings in which the agent came before the other"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    table.add_column("agent", overflow="fold")
    for heading in ("ahead", "kinds of game", "events", "seats"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in overall_rows(report.sections):
        figures = (f"{row['kinds']:,}", f"{row['events']:,}", f"{row['games']:,}")
        table.add_row(escape(row["agent"]), f"{row['ahead']:.1%}", *figures)
    return table


def _print_forfeits(section: Section) -> None:
    for row in section.forfeit_rows():
        games = "1 game" if row["games"] == 1 else f"{row['games']:,} games"
        say(f"{row['agent']} forfeited {games}: {row['reason']}", "  ")


def _points(value: float) -> str:
    if not math.isfinite(value):
        return "-" if math.isnan(value) else "open"
    return f"{value:+.0f}" if round(value) else "0"
