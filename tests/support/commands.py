"""The command line for tests: calls in this process and in processes of their own."""

from __future__ import annotations

import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skyline.cli import main as cli
from skyline.cli.terminal import Command
from tests.support.processes import ROOT, environment, finished, start

ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
COMMANDS, WARMUP = ENTRY_POINTS["skyline.commands"], ENTRY_POINTS["skyline.warmup"]


class Said:
    """The result of a call of the command line."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def refused(self) -> str:
        """The one line of a refusal."""
        assert self.code not in (0, None)
        assert self.out == ""
        assert self.err.startswith("skyline: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        return self.err[len("skyline: ") : -1]


def run(*arguments: object) -> Said:
    """A call in this process; errors that are not the fault of the input are raised."""
    result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments], prog_name="skyline")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


def understood(line: str, monkeypatch: pytest.MonkeyPatch) -> Said:
    """A shell line that calls `skyline`: command, options and values are read, but the command does nothing."""
    monkeypatch.setattr(Command, "invoke", lambda self, context: None)
    program, *words = shlex.split(line, comments=True)
    assert program == "skyline", line
    return run(*words)


def process(site: Path, folder: Path, *arguments: object) -> subprocess.Popen[str]:
    """A call in a process of its own, in a folder."""
    return start(["-m", "skyline", *map(str, arguments)], environment(ROOT, site, cache=None), folder)


def finish(started: subprocess.Popen[str]) -> Said:
    """The output of a process that has ended."""
    out, err = finished(started)
    return Said(started.returncode, out, err)
