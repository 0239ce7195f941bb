"""Help texts at 80 columns, with the names of all commands, and with examples that work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from skyline.cli import main as cli
from tests.support.commands import COMMANDS, run, understood

pytestmark = pytest.mark.usefixtures("commands")

CORE = ("games", "show", "verify", "warmup")
PATHS: list[tuple[str, ...]] = [
    (),
    *((name,) for name in sorted({*CORE, *COMMANDS})),
    ("train", "carry"),
    ("train", "ppo"),
    ("train", "ship"),
]


def group() -> Any:
    return typer.main.get_command(cli.app)


def help_of(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, columns: int = 80) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", columns)
    said = run(*path, "--help")
    assert (said.code, said.err) == (0, "")
    return said.out


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_is_readable_at_80_columns(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = help_of(path, monkeypatch).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("<bool>" in line for line in lines)
    assert "--install-completion" not in "\n".join(lines)


@pytest.mark.parametrize("path", [(), ("train",)], ids=" ".join)
def test_every_command_has_its_name_and_its_meaning(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    out = help_of(path, monkeypatch)
    commands = [name for *above, name in PATHS[1:] if tuple(above) == path]
    assert len(commands) > 1
    rows = re.findall(r"^│ (\S*) +(\S.*?) *│$", out[out.index("Commands") :], re.MULTILINE)
    assert [name for name, _ in rows if name] == sorted(commands)
    assert all(len(meaning) > 20 for name, meaning in rows if name)


def examples() -> Iterator[tuple[str, str]]:
    for path in PATHS:
        command = group()
        for name in path:
            command = command.get_command(typer.Context(command), name)
        block = (command.help or "").partition("[bold]Examples[/bold]")[2]
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if path not in ((), ("train",)):
            assert lines, f"the help of skyline {' '.join(path)} shows no example"
        yield from ((" ".join(path), line) for line in lines)


def test_examples_are_whole_lines_that_mean_something(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(examples())
    assert len(found) > 30
    for name, line in found:
        assert len(line) <= 77, line
        if line.startswith("skyline "):
            assert understood(line, monkeypatch).code == 0, line
        if name:
            assert line.startswith((f"skyline {name}", "tensorboard", "python -m"))
