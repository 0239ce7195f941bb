"""What every command of `skyline` uses: errors in one line, progress, tables, and the group of commands.

Here it is decided which errors are the user's. Whoever reads something from outside makes its errors `EXPECTED` ones
that name the file, the place in it and what is allowed: they become one line `skyline: ..` and exit code 1. A command
line that cannot be meant is exit code 2, Ctrl-C 130. Everything else is a fault of the program: it keeps its traceback,
and a last line says so.

The group takes further commands from the entry-point group `skyline.commands` (value = a function with typer
annotations, or a typer.Typer of several). They may use this module, too.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib.metadata
import inspect
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from skyline import status
from skyline.files import in_words
from skyline.typing import Memory

if TYPE_CHECKING:
    from rich.table import Table

LINE_SECONDS = 60.0  # between two lines of progress where there is no terminal
INTERRUPTED = 130  # the exit code after Ctrl-C

UsageError: Any = typer.BadParameter.__mro__[1]  # click's, wherever this typer has them from
ClickError: Any = typer.BadParameter.__mro__[2]
EXPECTED = (ValueError, OSError, ImportError, MemoryError)  # what wrong input, files, disks and installations raise
MOST_SAID = 1000  # characters of a refusal: what was given may be of any length
DISTRIBUTION = "skyline-envs"


def one_line(reason: object) -> str:
    """The text of an error on one line, without control characters and cut to `MOST_SAID` characters."""
    if isinstance(reason, MemoryError):
        reason = f"not enough memory ({reason})" if str(reason) else "not enough memory"
    text = in_words(reason) if isinstance(reason, OSError) else str(reason) or type(reason).__name__
    text = "; ".join(filter(None, (line.strip() for line in text.splitlines())))
    text = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    return text if len(text) <= MOST_SAID else f"{text[: MOST_SAID // 2]} .. {text[-MOST_SAID // 2 :]}"


def _fault() -> str:
    """The last line of a traceback: whose fault it is, and where to report it."""
    place = "where you have skyline from"
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        urls = importlib.metadata.metadata(DISTRIBUTION).get_all("Project-URL") or []
        place = next((f"at {url.partition(', ')[2]}" for url in urls if url.startswith("Issues,")), place)
    return f"skyline: this is a fault of the program. Please report it with the command and all lines above, {place}."


def complain(reason: object) -> None:
    """One line on stderr: `skyline: ..`; on a terminal broken between words."""
    line = f"skyline: {one_line(reason)}"
    typer.echo(broken(line, "  ") if sys.stderr.isatty() else line, err=True)


def say(line: str, indent: str = "") -> None:
    """One line on stdout; on a terminal broken between words, its further lines with this indent."""
    typer.echo(broken(line, indent) if sys.stdout.isatty() else line)


def broken(line: str, indent: str) -> str:
    """The line in as many lines as the width of the terminal needs; 80 columns if the width is unknown."""
    width = max(40, shutil.get_terminal_size().columns)
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def within(low: float, high: float, *names: str, help: str) -> Any:
    """An option that is a number low .. high, or several of them; `--help` and the refusal say the range."""
    allowed = f"{_figure(low)} .. {_figure(high)}"

    def check(given: Any) -> Any:
        for value in given if isinstance(given, (list, tuple)) else [given]:
            if value is not None and not low <= value <= high:  # nan is neither less nor more
                raise typer.BadParameter(f"a number {allowed}, not {value}")
        return given

    return typer.Option(*names, callback=check, help=f"{help} ({allowed})")


def _figure(value: float) -> str:
    return "2^64 - 1" if value == 2**64 - 1 else str(value) if isinstance(value, int) else f"{value:g}"


@contextlib.contextmanager
def progress(total: int, what: str, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar on stderr with the time left, moved by calls with the number done; without a terminal a line a minute.

    Until the first call the bar says that kernels are being loaded or compiled, and how far that is.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if shown and not console.is_terminal:
        yield _lines(total, what)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        said = "loading or compiling"
        task = bar.add_task(said, total=None)

        def tell(done: int) -> None:
            nonlocal said
            said = what
            bar.update(task, description=what, total=total, completed=done)

        if not shown:
            yield tell
            return
        with status.shown_by(lambda text: bar.update(task, description=text or said)):
            yield tell


def _lines(total: int, what: str) -> Callable[[int], None]:
    """A function that is called with the number done; once a minute it prints the number and the time left."""
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
    """A time in seconds as text in a fitting unit: 1.5 s, 20.0 ms, 7 us."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} us"


def read_options(given: Sequence[str]) -> dict[str, str]:
    """["market=open", ..] as a dict; the game checks names and values."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--option is name=value, not {text!r}")
        if name.strip() in options:
            raise UsageError(f"--option {name.strip()} is given twice")
        options[name.strip()] = value.strip()
    return options


GAME_OPTIONS = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; may be repeated.")
]


def _checked_memory(given: str | None) -> str | None:
    if given is not None and given not in get_args(Memory):
        raise typer.BadParameter(f"recall or table, not {given!r}")
    return given


MEMORY = Annotated[
    str | None,
    typer.Option(
        metavar="recall|table",
        callback=_checked_memory,
        help="What seats know of earlier moves: what a perfect memory holds, or only what lies on the table.",
    ),
]


def plugins() -> dict[str, importlib.metadata.EntryPoint]:
    """The commands of other packages by name; nothing is imported."""
    return {entry.name: entry for entry in importlib.metadata.entry_points(group="skyline.commands")}


def flowing(text: str) -> str:
    """A help text for rich: each paragraph is one line, which the terminal breaks; one after a \\b keeps its lines."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(part[2:] if part.startswith("\b\n") else part.replace("\n", " ") for part in paragraphs)


class Command(TyperCommand):
    """A command whose help text flows, and whose flags are shown without the type of a value that they do not take."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.help = flowing(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        return without_types_of_flags(super().get_params(ctx))


def without_types_of_flags(parameters: list[Any]) -> list[Any]:
    """The parameters of a command; its flags have an empty type for `--help`."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters


def _command(name: str, function: Callable[..., Any], **settings: Any) -> Any:
    """A typer command that stands alone."""
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(name, cls=Command, **settings)(function)
    return typer.main.get_command(single)


def _loaded(entry: importlib.metadata.EntryPoint) -> Any:
    """The command of an entry point, by the name that the entry point gives it."""
    try:
        loaded = entry.load()
        if not isinstance(loaded, typer.Typer):
            return _command(entry.name, loaded)
        group = typer.main.get_command(loaded)
        group.name = entry.name
        return group
    except Exception as reason:  # another package's fault, told when its command is called
        return _unusable(entry, f"{type(reason).__name__}: {reason}")


def _unusable(entry: importlib.metadata.EntryPoint, reason: str) -> Any:
    def command() -> NoReturn:
        raise ImportError(f"the command {entry.name} cannot be loaded from {entry.value}: {reason}")

    anything = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": list[str]()}
    return _command(entry.name, command, help="(cannot be loaded)", context_settings=anything)


def _check_arguments(given: Sequence[str] | None) -> None:
    """An empty argument is mostly an unset variable of the shell; as a path it would be the current folder."""
    if "" in (sys.argv[1:] if given is None else given):
        raise UsageError("an argument is empty: is a variable of the shell not set?")


class Group(TyperGroup):
    """Some commands under one name, with a help text as that of `Command`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.help = flowing(self.help or "")

    def get_params(self, ctx: Any) -> list[Any]:
        return without_types_of_flags(super().get_params(ctx))


class Commands(Group):
    """The core's commands and the plugins', loaded when asked for; every error is one line."""

    traceback = False  # --traceback: errors of the user's show where they come from

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
            _check_arguments(args[0] if args else extra.get("args"))
            code = super().main(*args, **extra)
        except ClickError as error:
            context = getattr(error, "ctx", None)
            hint = f" (see {context.command_path} --help)" if context is not None else ""
            complain(f"{error.format_message().rstrip('.')}{hint}")
            code = error.exit_code
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except BrokenPipeError:  # the reader of the output has closed it, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = 1
        except EXPECTED as error:
            if self.traceback:
                raise
            complain(error)
            code = 1
        except Exception as error:
            if not getattr(error, "__notes__", None):  # a note says already whose fault the error is: that of an agent
                error.add_note(_fault())
            raise
        if code == INTERRUPTED:
            complain("interrupted")
        sys.exit(code if isinstance(code, int) else 0)
