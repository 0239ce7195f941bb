"""`skyline play --watch`: every move with its story and the board, at a pace that people can follow."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import typer

from skyline.cli.records import is_told
from skyline.cli.terminal import say
from skyline.game import seat_name

if TYPE_CHECKING:
    from skyline_agents.match.matches import Moved

PROMPT = "-- Enter: the next move; Ctrl-C: stop --"


class Watcher:
    """Prints every move, and then waits: for `pace` seconds, or on a terminal until Enter is pressed.

    Where stdin or stdout is no terminal, and without a pace, the moves just flow.
    """

    def __init__(self, pace: float | None) -> None:
        self._pace = pace
        self._asks = pace is None and sys.stdin.isatty() and sys.stdout.isatty()

    def __call__(self, moved: Moved) -> None:
        who = f"seat {moved.seat}, {seat_name(moved.seat)} ({moved.agent})"
        typer.echo(f"== seed {moved.seed}, move {moved.number}, {who}: {moved.text}")
        if not is_told(moved.story, moved.board):
            say(f"   {moved.story}", "   ")
        typer.echo(f"\n{moved.board}")
        if self._pace is not None:
            time.sleep(self._pace)
        elif self._asks:
            typer.echo(PROMPT, err=True, nl=False)
            self._asks = bool(sys.stdin.readline())  # "" is the end of the input: nobody presses Enter any more
