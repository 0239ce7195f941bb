"""An agent that raises in `skyline play`: its part of the traceback, who it was, and how to play that game again."""

from __future__ import annotations

import shlex
import traceback
from collections.abc import Sequence
from pathlib import Path

import skyline
import skyline_agents
from skyline import registry
from skyline.game import DEFAULT_MEMORY
from skyline_agents.match.blame import Blame


def told(error: BaseException, blame: Blame, again: Sequence[str]) -> str | None:
    """All that a user is told of the error; None where no line outside of this library takes part in it."""
    found = traceback.TracebackException.from_exception(error)
    if not any(_is_foreign(frame.filename) for frame in found.stack):
        return None
    _cut(found)
    lines = "".join(found.format()).rstrip("\n")
    return f"{lines}\nskyline: {blame}\nskyline: play that game again: {shlex.join(again)}"


def again(
    blame: Blame, game: str, agents: str, *, options: dict[str, str], rotate: bool, duplicate: bool,
    auto_forced: bool, memory: str,
) -> list[str]:  # fmt: skip
    """The command that plays the game of the error again, or the games where the agent was asked in several at once.

    A duplicate deal is played in all of its rotations, for agents draw other random numbers in each. Every other game
    depends on its seed and on who sits where; the line-up of the first game stands for those that follow.
    """
    players, deals = len(blame.line_up), blame.seeds[-1] - blame.seeds[0] + 1
    command = ["skyline", "play", game, "-p", str(players), "--seed", str(blame.seeds[0])]
    if duplicate:
        command += ["-n", str(players * deals), "--duplicate", "--agents", agents]
    else:
        command += ["-n", str(deals), "--agents", ",".join(blame.line_up)]
        command += ["--rotate"] if rotate and deals > 1 else []
    for name, value in options.items():
        command += ["--option", f"{name}={value}"]
    command += ["--auto-forced"] if auto_forced else []
    return command if memory == DEFAULT_MEMORY else [*command, "--memory", memory]


def _cut(found: traceback.TracebackException) -> None:
    """Leave out the frames of this library and the notes, here and in the errors that led to this one."""
    stack = [frame for frame in found.stack if _is_foreign(frame.filename)]
    found.stack = traceback.StackSummary.from_list(stack)
    found.__notes__ = None
    for cause in (found.__cause__, found.__context__):
        if cause is not None:
            _cut(cause)


def _is_foreign(file: str) -> bool:
    """Whether a source file belongs neither to this library nor to a game."""
    folders = [Path(package.__file__).parent for package in (skyline, skyline_agents) if package.__file__]
    folders += [found.folder for found in registry.found().values()]
    return not any(Path(file).is_relative_to(folder) for folder in folders)
