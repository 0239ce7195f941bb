"""What the lines of a record hold, and the error that names one of them."""

from __future__ import annotations

from pathlib import Path

RECORD_VERSION = 1
HEAD = ("record", "game", "players", "options", "memory", "seed", "agents", "setup")
OPTIONAL = ("options", "memory", "agents")  # fields of the head that may be missing
LONGEST_LINE = 2**20  # characters; a move line with all its legal moves has some 10,000
MOST_POINTS = 2**31  # of a seat, either way
LINE = "line"  # place of a whole line; what is in it is named without this word: player, setup.deck[3]


class RecordError(ValueError):
    """A record that is malformed or does not follow the rules: file, line and reason."""

    def __init__(self, reason: str, line: int = 0, path: Path | str | None = None) -> None:
        where = f"{path or 'record'}, line {line}: " if line else f"{path}: " if path else ""
        super().__init__(f"{where}{reason}")
        self.reason, self.line, self.path = reason, line, path

    def at(self, path: Path | str) -> RecordError:
        return RecordError(self.reason, self.line, path)
