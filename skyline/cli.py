"""The command `skyline`.

    skyline games                                             which games there are
    skyline play manhattan --agents heuristic,random          games, and who won            (agents/commands.py)
    skyline verify out/                                       do these records follow the rules?
    skyline show game.jsonl --move 20 --svg position.svg      a position of a record, or of a random game
    skyline warmup                                            compile everything ahead
    skyline bench manhattan                                   steps per second              (benchmarks/commands.py)

The core's commands are here. Packages that stand on skyline add theirs by the entry-point group `skyline.commands`
(value = a function with typer annotations); one that cannot be imported says so when it is called. Whatever a user
gets wrong is one line on stderr, `skyline: ..`, and a non-zero exit; errors of other kinds are faults of the program
and show their traceback.

Everything heavy is imported inside the commands, so that `skyline --help` is fast.
"""

from __future__ import annotations

import contextlib
import glob
import importlib.metadata
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from skyline import __version__, registry

if TYPE_CHECKING:
    from rich.table import Table

    from skyline.game import Game
    from skyline.record import Recorder

INTERRUPTED = 130  # the exit code after Ctrl-C

ClickError: Any = typer.BadParameter.__mro__[2]  # ClickException, wherever this typer has it from
EXPECTED = (ValueError, OSError, ImportError)  # what wrong input raises


# ---------------------------------------------------------------- what every command uses


def complain(reason: object) -> None:
    """One line on stderr."""
    if isinstance(reason, OSError) and reason.filename is not None:
        reason = f"{reason.filename}: {reason.strerror}"
    lines = [line.strip() for line in str(reason).splitlines()]
    typer.echo(f"skyline: {'; '.join(filter(None, lines))}", err=True)


@contextlib.contextmanager
def progress(total: int, what: str, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar on stderr with the time left, moved by calls with the number done; nothing where stderr is no terminal.

    Until the first call it says that things are being made ready.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not (shown and console.is_terminal)) as bar:
        task = bar.add_task("loading or compiling", total=None)
        yield lambda done: bar.update(task, description=what, total=total, completed=done)


def print_table(table: Table) -> None:
    """A table on stdout; 80 columns wide where stdout is no terminal."""
    from rich.console import Console

    Console(highlight=False).print(table)


def read_options(given: Sequence[str]) -> dict[str, str]:
    """["market=open", ..] as a dict; the game checks names and values."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ValueError(f"--option is name=value, not {text!r}")
        options[name.strip()] = value.strip()
    return options


GAME_OPTIONS = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; may be repeated.")
]


# ---------------------------------------------------------------- the group


def _plugins() -> dict[str, importlib.metadata.EntryPoint]:
    return {entry.name: entry for entry in importlib.metadata.entry_points(group="skyline.commands")}


def _command(name: str, function: Callable[..., Any], **settings: Any) -> Any:
    """A typer command that stands alone."""
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(name, **settings)(function)
    return typer.main.get_command(single)


def _loaded(entry: importlib.metadata.EntryPoint) -> Any:
    try:
        return _command(entry.name, entry.load())
    except Exception as reason:  # another package's fault, told when its command is called
        return _broken(entry, f"{type(reason).__name__}: {reason}")


def _broken(entry: importlib.metadata.EntryPoint, reason: str) -> Any:
    def command() -> NoReturn:
        raise ImportError(f"the command {entry.name} cannot be loaded from {entry.value}: {reason}")

    anything = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": list[str]()}
    return _command(entry.name, command, help="(cannot be loaded)", context_settings=anything)


class Commands(TyperGroup):
    """The core's commands and the plugins', loaded when asked for; every error is one line."""

    traceback = False

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted({*super().list_commands(ctx), *_plugins()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            for entry in _plugins().values():
                self.commands.setdefault(entry.name, _loaded(entry))
        return super().get_command(ctx, cmd_name)

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except ClickError as error:
            context = getattr(error, "ctx", None)
            hint = f" (see {context.command_path} --help)" if context is not None else ""
            complain(f"{error.format_message().rstrip('.')}{hint}")
            code = error.exit_code
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except EXPECTED as error:
            if self.traceback:
                raise
            complain(error)
            code = 1
        if code == INTERRUPTED:
            complain("interrupted")
        sys.exit(code if isinstance(code, int) else 0)


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
            except record.RecordError as error:
                complain(error)
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
            found = [Path(name) for name in sorted(glob.glob(text, recursive=True))]  # noqa: PTH207 - any root
            nothing = f"there is no file {text}"
        if not found:
            raise ValueError(nothing)
        paths += found
    return list(dict.fromkeys(paths))


# ---------------------------------------------------------------- show


@app.command()
def show(
    record: Annotated[Path | None, typer.Argument(metavar="FILE", help="A record.", show_default=False)] = None,
    seed: Annotated[int | None, typer.Option(help="In place of a record: the seed of a random game.")] = None,
    game: Annotated[str | None, typer.Option(help="The game of that seed.")] = None,
    players: Annotated[int | None, typer.Option(help="Its player count; default: the smallest.")] = None,
    option: GAME_OPTIONS = None,
    move: Annotated[int | None, typer.Option(min=0, help="The position after so many moves; default: all.")] = None,
    seat: Annotated[int | None, typer.Option(help="Show only what this seat sees; default: everything.")] = None,
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
            raise ValueError("--seed, --game, --players and --option are for random games; the record has its own")
        recorder = _replayed(record, move)
    elif seed is None or game is None:
        raise ValueError(f"show takes a record, or --seed and --game (games: {', '.join(registry.names())})")
    else:
        recorder = _random_game(game, players, seed, read_options(option or []), move)
    count = int(recorder.state["players"][0])
    if seat is not None and not 0 <= seat < count:
        raise ValueError(f"the seats are 0 .. {count - 1}, not {seat}")
    last = next((line["move"] for line in reversed(recorder.lines) if "move" in line), None)
    if svg is None and png is None:
        typer.echo(recorder.game.text(recorder.state[0], seat, last))
        return
    from skyline import drawing

    picture = recorder.game.svg(recorder.state[0], seat, last)
    for path, suffix in ((svg, ".svg"), (png, ".png")):
        if path is not None:
            if path.suffix.lower() != suffix:
                raise ValueError(f"--{suffix[1:]} writes a file *{suffix}, not {path}")
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
    """The game of this seed with random moves from the stream that the kernel would take."""
    from skyline import engine
    from skyline.record import Recorder
    from skyline.rng import streams

    game = registry.load(name)
    count = game.check_players(game.player_counts[0] if players is None else players)
    recorder, stream, played = Recorder(game, count, seed, options), streams(1, seed), 0
    while recorder.seat is not None and played != move:
        action = engine.random_legal(recorder.mask[0], stream[0])  # type: ignore[no-untyped-call]
        recorder.play(int(action))
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
    from skyline import jit
    from skyline import warmup as kernels

    names, base = [registry.find(name).name for name in games or registry.names()], jit.cache_base()
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


if __name__ == "__main__":
    main()
