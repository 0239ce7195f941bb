"""Whose error it is. Where agents do not forfeit, what an agent raises comes through to the caller with a note:

    ZeroDivisionError: division by zero
    raised by the agent 'my_file:MyBot' at seat 1, move 17 of the game with seed 5

The note is a `Blame`: its parts are attributes, for those who want to play that game again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from skyline_agents.match.questions import Refused


class Blame(str):
    """The note of an exception that an agent has raised."""

    agent: str  # its name
    seat: int
    move: int  # the number of the move in its game, from 1; 0: the agent was told that the game begins
    seeds: list[int]  # of the games that the agent was asked in, mostly one
    line_up: list[str]  # the names of the agents of the first of these games, by seat

    __slots__ = ("agent", "line_up", "move", "seat", "seeds")

    @classmethod
    def of(cls, agent: str, seat: int, move: int, seeds: Sequence[int], line_up: Sequence[str]) -> Blame:
        """The note in words."""
        when = f"move {move}" if move else "the beginning"
        if len(seeds) == 1:
            where = f"at seat {seat}, {when} of the game with seed {seeds[0]}"
        else:
            shown = ", ".join(map(str, seeds[:4])) + (", .." if len(seeds) > 4 else "")
            where = f"asked in {len(seeds)} games at once, among them {when} at seat {seat}; their seeds: {shown}"
        note = cls(f"raised by the agent {agent!r} {where}")
        note.agent, note.seat, note.move, note.seeds, note.line_up = agent, seat, move, list(seeds), list(line_up)
        return note


@contextlib.contextmanager
def blamed(blame: Callable[[], Blame]) -> Iterator[None]:
    """What is raised inside gets a note. Ctrl-C is the user's, and `Refused` is a forfeit and no error."""
    try:
        yield
    except Refused:
        raise
    except (Exception, SystemExit) as error:
        error.add_note(blame())
        raise


def blame_of(error: BaseException) -> Blame | None:
    """The note that an agent's exception got, or None."""
    notes = getattr(error, "__notes__", ())
    return next((note for note in notes if isinstance(note, Blame)), None)
