"""`skyline play` and `skyline demo`, found through the entry-point group `skyline.commands`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skyline.cli.terminal import (
    GAME_OPTIONS,
    INTERRUPTED,
    MEMORY,
    UsageError,
    duration,
    print_table,
    progress,
    read_options,
    within,
)
from skyline.game import DEFAULT_MEMORY
from skyline_agents.limits import MOST_PLAYED, MOST_PLAYERS, MOST_SEED
from skyline_agents.memory_setting import memory_words

if TYPE_CHECKING:
    from rich.table import Table

    from skyline_agents.results import Results

GAMES = 100
MOST_PACE = 3600.0  # seconds


Game = Annotated[str, typer.Argument(help="A game: see skyline games.")]
Players = Annotated[
    int | None,
    within(
        1,
        MOST_PLAYERS,
        "--players",
        "-p",
        help="Default: one for each agent, at least the smallest count.",
    ),
]
Agents = Annotated[
    str,
    typer.Option(
        "--agents",
        "-a",
        metavar="A,B,..",
        help="Beginning with seat 0; repeated in turn until all seats are taken. A name (random, heuristic, ppo), "
        "with settings after a colon (ismcts:1000, NAME:VALUE,KEY=VALUE), or MODULE:CLASS for a class of your own "
        "from the current folder.",
    ),
]
Games = Annotated[
    int | None,
    within(1, MOST_PLAYED, "--games", "-n", help=f"Number of games; default: {GAMES}, or 1 with --watch."),
]
Seed = Annotated[int, within(0, MOST_SEED, "--seed", "-s", help="Seed of the first game; the next has one more.")]
Rotate = Annotated[bool, typer.Option("--rotate", "-r", help="Agents move on by one seat from game to game.")]
Duplicate = Annotated[
    bool, typer.Option("--duplicate", help="As --rotate, and every deal is played in all seat rotations.")
]
AutoForced = Annotated[bool, typer.Option("--auto-forced", help="Do not ask agents when a single move is legal.")]
Record = Annotated[
    Path | None, typer.Option("--record", metavar="DIR", help="Write a record of every game to this folder.")
]
Legal = Annotated[bool, typer.Option("--legal", help="Write all legal moves into the records, too.")]
Watch = Annotated[
    bool,
    typer.Option("--watch", "-w", help="Print every move and the board; on a terminal wait for Enter after each."),
]
Pace = Annotated[
    float | None, within(0, MOST_PACE, "--pace", help="With --watch: wait this number of seconds, not for Enter.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results for machines.")]


def play(
    context: typer.Context,
    game: Game,
    players: Players = None,
    agents: Agents = "random",
    games: Games = None,
    seed: Seed = 1,
    option: GAME_OPTIONS = None,
    rotate: Rotate = False,
    duplicate: Duplicate = False,
    memory: MEMORY = None,
    auto_forced: AutoForced = False,
    record: Record = None,
    legal: Legal = False,
    watch: Watch = False,
    pace: Pace = None,
    as_json: AsJson = False,
) -> None:
    """Play games with agents and sum up who won.

    The same seed gives the same games, with any number of games. Ctrl-C keeps and reports the games that are finished.

    An agent of your own that raises ends the command with exit code 1. Its part of the traceback is shown, with seat,
    move and seed, and with the command that plays that game again; skyline --traceback play .. shows all of it.

    \b
    [bold]Examples[/bold]
      skyline play manhattan --players 4 --agents heuristic,random --rotate
      skyline play manhattan -p 4 --seed 1 --record out --legal
      skyline play manhattan -p 2 --watch --pace 0.5
      skyline play manhattan -p 2 -n 4 --rotate --agents ismcts:200,heuristic
      skyline play manhattan -p 2 --agents ppo,heuristic --json
    """
    from skyline_agents.cli.watching import Watcher
    from skyline_agents.play import play, record_name

    _check_together(watch, pace, as_json, legal, record)
    asked, options = games or (1 if watch else GAMES), read_options(option or [])
    rules: dict[str, Any] = {"options": options, "rotate": rotate, "duplicate": duplicate, "auto_forced": auto_forced}
    rules |= {"memory": memory or DEFAULT_MEMORY}
    try:
        with progress(asked, "playing", shown=not watch) as tell:
            results = play(
                game, agents, asked, players=players, seed=seed, record=record, legal=legal,
                watch=Watcher(pace) if watch else None, progress=tell, **rules,
            )  # fmt: skip
    except (Exception, SystemExit) as error:
        shown_whole = getattr(context.find_root().command, "traceback", False)
        if shown_whole or not _tell_failure(error, game, agents, rules):
            raise
        raise typer.Exit(1) from None
    if as_json:
        typer.echo(json.dumps(results.as_data(), indent=2))
    else:
        _print(results)
        if record is not None and len(results):
            _tell_records(record / record_name(results.game, results.players, results.seed), len(results))
    if results.interrupted:
        raise typer.Exit(INTERRUPTED)


def _tell_records(first: Path, number: int) -> None:
    typer.echo(f"1 record written: {first}" if number == 1 else f"{number:,} records written: {first} ..")


def _check_together(watch: bool, pace: float | None, as_json: bool, legal: bool, record: Path | None) -> None:
    """Refuse options that do not go together."""
    if watch and as_json:
        raise UsageError("--watch and --json do not go together")
    if pace is not None and not watch:
        raise UsageError("--pace is for --watch")
    if legal and record is None:
        raise UsageError("--legal is for records: it needs --record DIR")


def _tell_failure(error: BaseException, game: str, agents: str, rules: dict[str, Any]) -> bool:
    """Tell of an error if an agent from outside of this library has raised it; whether it has."""
    from skyline_agents.cli import failures
    from skyline_agents.match.blame import blame_of

    blame = blame_of(error)
    said = None if blame is None else failures.told(error, blame, failures.again(blame, game, agents, **rules))
    if said is not None:
        typer.echo(said, err=True)
    return said is not None


def _print(results: Results) -> None:
    """The summary on stdout."""
    n = len(results)
    of = f" of {results.asked:,}" if n < results.asked else ""
    last = results.seed + (n - 1) // (results.players if results.duplicate else 1)
    seeds = f"seed {results.seed}" if last <= results.seed else f"seeds {results.seed} .. {last}"
    if n == 0:
        typer.echo(f"{results.game.title}, {results.players} players: no game was finished")
        return
    usual = results.game.check_options({})
    options = "".join(f", {name}={value}" for name, value in results.options.items() if value != usual[name])
    options += memory_words(results.memory)
    games = "game" if n == 1 and not of else "games"
    typer.echo(f"{results.game.title}, {results.players} players{options}: {n:,}{of} {games}, {seeds}")
    print_table(_table(results))
    forced, seconds = results.as_data()["forced_share"], max(results.seconds, 1e-9)
    typer.echo(
        f"{results.steps:,} moves, {forced:.1%} of them forced, in {seconds:.2f} s: "
        f"{results.steps / seconds:,.0f} steps/s, {duration(seconds / n)} a game"
    )


def _table(results: Results) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for heading in ("seat", "mean score", "95 %", "first", "mean place"):
        table.add_column(heading, justify="right", no_wrap=True)
    for standing in results.standings():
        table.add_row(
            standing.agent,
            "all" if standing.seat is None else str(standing.seat),
            f"{standing.mean_score:.2f}",
            "" if standing.score_interval is None else f"± {standing.score_interval:.2f}",
            f"{standing.first_share:.1%}",
            f"{standing.mean_place:.2f}",
        )
    return table


def demo(
    games: Annotated[int, within(1, 10**6, "--games", "-n", help="Games at every table.")] = 200,
    seed: Annotated[int, within(0, MOST_SEED, "--seed", "-s", help="Seed of the first game at every table.")] = 1,
) -> None:
    """Play the baseline player against random ones in all games.

    Every game is played with every player count, and agents change seats from game to game.

    \b
    [bold]Examples[/bold]
      skyline demo
      skyline demo --games 1000
    """
    from skyline import registry
    from skyline_agents.play import play

    tables = [(name, players) for name in registry.names() for players in registry.load(name).player_counts]
    results: list[Results] = []
    with progress(len(tables) * games, "playing") as tell:
        for name, players in tables:
            line_up = ["heuristic"] + ["random"] * (players - 1)
            results.append(play(name, line_up, games, players=players, seed=seed, rotate=True))
            tell(len(results) * games)
            if results[-1].interrupted:
                break
    print_table(_tournament(results))
    typer.echo("Watch one: skyline play GAME --agents heuristic,random --watch")
    if results and results[-1].interrupted:
        raise typer.Exit(INTERRUPTED)


def _tournament(results: list[Results]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("game", no_wrap=True)
    for heading in ("players", "games", "baseline\nfirst", "by\nchance", "baseline\nscore", "random\nscore", "steps/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        if not len(result):
            continue
        baseline, *others = result.standings()
        table.add_row(
            result.game.name,
            str(result.players),
            f"{len(result):,}",
            f"{baseline.first_share:.1%}",
            f"{1 / result.players:.1%}",
            f"{baseline.mean_score:.1f}",
            f"{sum(other.mean_score for other in others) / len(others):.1f}",
            f"{result.steps / max(result.seconds, 1e-9):,.0f}",
        )
    return table
