"""The command `skyline`.

    skyline games                                             which games there are
    skyline play manhattan --agents heuristic,random          games, and who won
    skyline verify out/                                       do these records follow the rules?
    skyline show game.jsonl --move 20 --svg position.svg      a position of a record, or of a random game
    skyline warmup                                            compile everything ahead
    skyline bench manhattan                                   steps per second
    skyline demo                                              a tournament over all games
    skyline tournament cup.toml                               who is stronger?
    skyline train ppo manhattan                               train a network

The core's commands are here. Packages that stand on skyline add theirs by the entry-point group `skyline.commands`
(value = a function with typer annotations); one that cannot be imported says so when it is called. Whatever a user
gets wrong is one line on stderr, `skyline: ..`, and exit code 2 for a command line that cannot be meant, 1 for what it
names: files, games, agents. Errors of other kinds are faults of the program and show their traceback.

Everything heavy is imported inside the commands, so that `skyline --help` is fast.
"""

from __future__ import annotations

import glob
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skyline import __version__, registry
from skyline.cli.terminal import (
    EXPECTED,
    GAME_OPTIONS,
    Commands,
    UsageError,
    complain,
    one_line,
    print_table,
    progress,
    read_options,
    within,
)

if TYPE_CHECKING:
    from rich.table import Table

    from skyline.game import Game
    from skyline.record import Recorder

MOST_SEED = 2**64 - 1
MOST_PLAYERS = 64  # that an option accepts; each game says its own counts
MOST_MOVES = 10**9

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

    \b
    [bold]Examples[/bold]
      skyline games
      skyline play manhattan --players 4 --agents heuristic,random --games 1000
      skyline play manhattan --record out --legal
      skyline verify out
      skyline show out/manhattan-4p-seed1.jsonl --move 20
      skyline COMMAND --help
    """
    if isinstance(context.command, Commands):
        context.command.traceback = traceback
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


# ---------------------------------------------------------------- games


@app.command()
def games(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
    """List the games with their sizes, options and ids."""
    loaded: dict[str, Game | str] = {}
    for name in registry.names():
        try:
            loaded[name] = registry.load(name)
        except Exception as reason:  # a game in the making must not hide the others
            loaded[name] = f"cannot be loaded: {type(reason).__name__}: {reason}"
    if as_json:
        typer.echo(json.dumps([_game_data(name, game) for name, game in loaded.items()], indent=2))
        return
    if not loaded:
        raise ValueError("there are no games: no folder *_env/ beside the package and no entry point skyline.games")
    print_table(_games_table(loaded))
    typer.echo("Make one: skyline.env(GAME, players=..), skyline.vector(GAME, 1024, players=..), or by its id,")
    typer.echo('pettingzoo.make("aec", ID) and gymnasium.make(ID).')


def _games_table(loaded: dict[str, Game | str]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("game", no_wrap=True)
    for heading in ("players", "actions", "observation\n(rich)"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("options", overflow="fold")
    table.add_column("id", no_wrap=True)
    for name, game in loaded.items():
        if isinstance(game, str):
            table.add_row(name, "", "", "", game, "")
            continue
        options = "\n".join(f"{option.name}={option.default}" for option in game.options) or "-"
        counts, sizes, views = "\n".join(map(str, game.player_counts)), [], []
        for players in game.player_counts:
            table_of = game.observation(players)
            sizes.append(f"{game.actions(players).size:,}")
            views.append(f"{table_of.size():,} ({table_of.size('rich'):,})")
        table.add_row(name, counts, "\n".join(sizes), "\n".join(views), options, registry.find(name).id)
    return table


def _game_data(name: str, game: Game | str) -> dict[str, Any]:
    found = registry.find(name)
    data: dict[str, Any] = {"name": name, "id": found.id, "module": found.module, "folder": str(found.folder)}
    if isinstance(game, str):
        return {**data, "error": game}
    sizes = [
        {
            "players": players,
            "actions": game.actions(players).size,
            "observation": game.observation(players).size(),
            "observation_rich": game.observation(players).size("rich"),
        }
        for players in game.player_counts
    ]
    options = [{"name": o.name, "default": o.default, "meaning": o.meaning} for o in game.options]
    return {**data, "title": game.title, "version": game.version, "players": sizes, "options": options}


# ---------------------------------------------------------------- verify


@app.command()
def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILES", help="Records, folders of them, or patterns.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print bad records only.")] = False,
) -> None:
    """Check that records follow the rules, line by line.

    Every game is played again: setup, moves, legal moves, shuffles, scores, places.

    A bad record gives one line with the file, the line and the reason, and exit code 1.

    \b
    [bold]Examples[/bold]
      skyline verify out                  every *.jsonl below the folder
      skyline verify 'out/*seed1*.jsonl' other.jsonl
    """
    from skyline import record

    paths, bad, moves, begun = _record_files(files), 0, 0, time.perf_counter()
    with progress(len(paths), "verifying") as tell:
        for done, path in enumerate(paths, 1):
            try:
                recorder = record.verify(path)
            except EXPECTED as error:  # whatever is wrong with one file, the others are read
                said = one_line(error)
                complain(said if str(path) in said else f"{path}: {said}")
                bad += 1
            else:
                moves += sum("move" in line for line in recorder.lines)
            tell(done)
    if not quiet:
        right, seconds = len(paths) - bad, time.perf_counter() - begun
        wrong = f", {bad:,} {'is' if bad == 1 else 'are'} bad" if bad else ""
        typer.echo(f"{right:,} of {len(paths):,} records are right ({moves:,} moves, {seconds:.1f} s){wrong}")
    if bad:
        raise typer.Exit(1)


def _record_files(given: Sequence[str]) -> list[Path]:
    """The files meant by names, folders and patterns, each once."""
    paths: list[Path] = []
    for text in given:
        path = Path(text)
        if path.is_dir():
            found = sorted(path.rglob("*.jsonl"))
            nothing = f"there is no *.jsonl file in the folder {text}"
        elif path.exists():
            found = [path]
        else:
            found = [Path(name) for name in sorted(glob.glob(text, recursive=True))]  # noqa: PTH207 - Path.glob takes no absolute pattern
            nothing = f"there is no file {text}"
        if not found:
            raise ValueError(nothing)
        paths += found
    return list(dict.fromkeys(paths))


# ---------------------------------------------------------------- show


@app.command()
def show(
    record: Annotated[Path | None, typer.Argument(metavar="FILE", help="A record.", show_default=False)] = None,
    seed: Annotated[int | None, within(0, MOST_SEED, help="In place of a record: the seed of a random game.")] = None,
    game: Annotated[str | None, typer.Option(help="The game of that seed.")] = None,
    players: Annotated[int | None, within(1, MOST_PLAYERS, help="Its player count; default: the smallest.")] = None,
    option: GAME_OPTIONS = None,
    move: Annotated[int | None, within(0, MOST_MOVES, help="The position after so many moves; default: all.")] = None,
    seat: Annotated[
        int | None, within(0, MOST_PLAYERS, help="Show only what this seat sees; default: everything.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT.svg", help="Write a picture in place of the text.")] = None,
    png: Annotated[Path | None, typer.Option(metavar="OUT.png", help="The same in pixels (extra viz).")] = None,
) -> None:
    """Show a position of a record or of a random game.

    The random game of a seed is the one that skyline play plays with random agents.

    \b
    [bold]Examples[/bold]
      skyline show out/manhattan-4p-seed1.jsonl
      skyline show out/manhattan-4p-seed1.jsonl --move 20 --svg a.svg
      skyline show --seed 7 --game manhattan --players 3 --move 12
    """
    if record is not None:
        if any(given is not None for given in (seed, game, players, option)):
            raise UsageError("--seed, --game, --players and --option are for random games; the record has its own")
        recorder = _replayed(record, move)
    elif seed is None or game is None:
        raise UsageError(f"show takes a record, or --seed and --game (games: {', '.join(registry.names())})")
    else:
        recorder = _random_game(game, players, seed, read_options(option or []), move)
    count = int(recorder.state["players"][0])
    if seat is not None and not 0 <= seat < count:
        raise ValueError(f"the seats are 0 .. {count - 1}, not {seat}")
    last = recorder.last_move(seat)
    if svg is None and png is None:
        typer.echo(recorder.game.text(recorder.state[0], seat, last))
        return
    from skyline.draw import svg as drawing

    picture = recorder.game.svg(recorder.state[0], seat, last)
    for path, suffix in ((svg, ".svg"), (png, ".png")):
        if path is not None:
            if path.suffix.lower() != suffix:
                raise UsageError(f"--{suffix[1:]} writes a file *{suffix}, not {path}")
            drawing.save(picture, path)
            typer.echo(str(path))


def _replayed(path: Path, move: int | None) -> Recorder:
    """The record played up to a move."""
    from skyline.record import RecordError, read, replay

    record = read(path)
    if move is not None and move > len(record.moves):
        raise ValueError(f"{path} has {len(record.moves)} moves, not {move}")
    try:
        return replay(record, len(record.moves) if move is None else move)
    except RecordError as error:
        raise error.at(path) from None


def _random_game(name: str, players: int | None, seed: int, options: dict[str, str], move: int | None) -> Recorder:
    """The game of this seed with random moves; every seat draws from the stream of a random agent that sits there."""
    import numpy as np

    from skyline.chance import seat_streams
    from skyline.core import engine
    from skyline.record import Recorder

    game = registry.load(name)
    count = game.check_players(game.player_counts[0] if players is None else players)
    recorder, played = Recorder(game, count, seed, options), 0
    stream = seat_streams(np.array([seed], np.uint64), np.zeros(1, np.int64), count)[0]
    choose, random, action = engine.kernels(game).choose_rows, np.array([engine.RANDOM]), np.zeros(1, np.int64)
    while recorder.seat is not None and played != move:
        choose(recorder.state, recorder.mask, random, stream[recorder.seat : recorder.seat + 1], action)
        recorder.play(int(action[0]))
        played += 1
    if move is not None and played < move:
        raise ValueError(f"this game has {played} moves, not {move}")
    return recorder


# ---------------------------------------------------------------- warmup


@app.command()
def warmup(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAMES", help="Default: all.", show_default=False)
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove what was compiled, and compile nothing.")] = False,
) -> None:
    """Compile every kernel ahead.

    One pass serves all player counts and options. Later processes load the kernels from the cache.

    \b
    [bold]Examples[/bold]
      skyline warmup
      skyline warmup manhattan
      skyline warmup --clear
    """
    from skyline import warmup as kernels
    from skyline.core.cache import cache_base

    names, base = [registry.find(name).name for name in games or registry.names()], cache_base()
    if clear:
        removed, size = kernels.clear(names if games else None)
        typer.echo(f"removed {removed} kernel folder{'' if removed == 1 else 's'} ({size / 1e6:.1f} MB) from {base}")
        return
    for name in names:
        with progress(1, name):
            made, seconds = kernels.compile_all(registry.load(name))
        what = f"{made} kernels compiled" if made else "everything loaded from the cache"
        typer.echo(f"{name}: {what} in {seconds:.1f} s")
    typer.echo(f"The cache lies in {base}; skyline warmup --clear removes it.")


def main() -> None:
    """The console script."""
    app(prog_name="skyline")
