"""The command `skyline`.

    skyline games                                             which games there are
    skyline play manhattan --agents heuristic,random          games, and who won
    skyline verify out/                                       do these records follow the rules?
    skyline show game.jsonl --move 20 --svg position.svg      a position of a record, or of a random game
    skyline show game.jsonl --story                           a game told move by move
    skyline warmup                                            compile everything ahead
    skyline bench manhattan                                   steps per second
    skyline demo                                              a tournament over all games
    skyline tournament cup.toml                               who is stronger?
    skyline report cup.db                                     ratings, tables and plots of a tournament
    skyline train ppo manhattan                               train a network

The commands of the package skyline are put together here. Packages that stand on skyline add their commands by the
entry-point group `skyline.commands` (value = a function with typer annotations); a command that cannot be imported
says so when it is called.

What a user gets wrong is one line on stderr, `skyline: ..`, and an exit code: 2 for a command line that cannot be
meant, 1 for what the command line names (files, games, agents). An agent that raises in `skyline play` shows its own
traceback and is exit code 1, too. Ctrl-C is exit code 130. Every other error is a fault of the program and shows its
traceback.

Everything heavy is imported inside the commands, so that `skyline --help` is fast.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from skyline import __version__, registry, status
from skyline.cli.games import games
from skyline.cli.records import show, verify
from skyline.cli.terminal import Command, Commands

app = typer.Typer(
    cls=Commands, add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"skyline {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def skyline(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
    traceback: Annotated[bool, typer.Option("--traceback", help="Show where an error comes from.")] = False,
) -> None:
    """Multi-player building board games as fast reinforcement-learning environments.

    The first call for a game compiles its kernels, which takes up to half a minute. A line on stderr says so, and on a
    terminal how far that is; SKYLINE_QUIET=1 in the environment silences the line. Later calls load the kernels from a
    cache.

    \b
    [bold]Examples[/bold]
      skyline games
      skyline play manhattan --players 4 --agents heuristic,random --games 1000
      skyline play manhattan --players 4 --record out --legal
      skyline verify out
      skyline show out/manhattan-4p-seed1.jsonl --move 20
      skyline play --help
    """
    if isinstance(context.command, Commands):
        context.command.traceback = traceback
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command(cls=Command)(games)
app.command(cls=Command)(verify)
app.command(cls=Command)(show)


@app.command(cls=Command)
def warmup(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAMES", help="Default: all.", show_default=False)
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove what was compiled, and compile nothing.")] = False,
) -> None:
    """Compile every kernel ahead that any command needs.

    One pass serves all player counts and options. Later processes load the kernels from the cache.

    \b
    [bold]Examples[/bold]
      skyline warmup
      skyline warmup manhattan
      skyline warmup --clear
    """
    from skyline import warmup as kernels
    from skyline.core.announce import is_quiet
    from skyline.core.cache import cache_base

    names, base = [registry.find(name).name for name in games or registry.names()], cache_base()
    if clear:
        removed, size = kernels.clear(names if games else None)
        typer.echo(f"removed {removed} kernel folder{'' if removed == 1 else 's'} ({size / 1e6:.1f} MB) from {base}")
        return
    for name in names:
        with nullcontext() if is_quiet() else status.shown(f"loading or compiling {name}"):
            made, seconds = kernels.compile_all(registry.load(name))
        what = f"{made} kernels compiled" if made else "everything loaded from the cache"
        typer.echo(f"{name}: {what} in {seconds:.1f} s")
    typer.echo(f"The cache lies in {base}; skyline warmup --clear removes it.")


def main() -> None:
    """The console script."""
    app(prog_name="skyline")
