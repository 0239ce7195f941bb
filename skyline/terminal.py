"""What every command of `skyline` uses: errors in one line, progress, tables, and the group of commands.

The group takes further commands from the entry-point group `skyline.commands` (value = a function with typer
annotations, or a typer.Typer of several). They may use this module, too.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib.metadata
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from rich.table import Table

LINE_SECONDS = 60.0  # between two lines of progress where there is no terminal
INTERRUPTED = 130  # the exit code after Ctrl-C

ClickError: Any = typer.BadParameter.__mro__[2]  # ClickException, wherever this typer has it from
EXPECTED = (ValueError, OSError, ImportError)  # what wrong input raises


def complain(reason: object) -> None:
    """One line on stderr: `skyline: ..`."""
    if isinstance(reason, OSError) and reason.filename is not None:
        reason = f"{reason.filename}: {reason.strerror}"
    lines = [line.strip() for line in str(reason).splitlines()]
    typer.echo(f"skyline: {'; '.join(filter(None, lines))}", err=True)


@contextlib.contextmanager
def progress(total: int, what: str, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar on stderr with the time left, moved by calls with the number done; without a terminal a line a minute.

    Until the first call the bar says that things are being made ready.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if shown and not console.is_terminal:
        yield _lines(total, what)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task("loading or compiling", total=None)
        yield lambda done: bar.update(task, description=what, total=total, completed=done)


def _lines(total: int, what: str) -> Callable[[int], None]:
    """Called with the number done, says it now and then, with the time left."""
    begun, last, at_first = 0.0, 0.0, -1  # the first call sets them

    def tell(done: int) -> None:
        nonlocal begun, last, at_first
        now = time.monotonic()
        if at_first < 0:
            begun, last, at_first = now, now, done
        if now - last >= LINE_SECONDS and at_first < done < total:
            last = now
            left = datetime.timedelta(seconds=round((now - begun) / (done - at_first) * (total - done)))
            typer.echo(f"{what}: {done:,} of {total:,}, {left} left", err=True)

    return tell


def print_table(table: Table) -> None:
    """A table on stdout; 80 columns wide where stdout is no terminal."""
    from rich.console import Console

    Console(highlight=False).print(table)


def duration(seconds: float) -> str:
    """A short time in words: 1.5 s, 20.0 ms, 7 us."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"


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


def plugins() -> dict[str, importlib.metadata.EntryPoint]:
    """The commands of other packages by name; nothing is imported."""
    return {entry.name: entry for entry in importlib.metadata.entry_points(group="skyline.commands")}


def _command(name: str, function: Callable[..., Any], **settings: Any) -> Any:
    """A typer command that stands alone."""
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(name, **settings)(function)
    return typer.main.get_command(single)


def _loaded(entry: importlib.metadata.EntryPoint) -> Any:
    try:
        loaded = entry.load()
        return typer.main.get_command(loaded) if isinstance(loaded, typer.Typer) else _command(entry.name, loaded)
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
        return sorted({*super().list_commands(ctx), *plugins()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            for entry in plugins().values():
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
