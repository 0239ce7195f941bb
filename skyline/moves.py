"""Reading the words of a move text."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"0|-?[1-9][0-9]?")


def number(text: str, what: str, word: str, low: int, high: int) -> int:
    """The whole number low .. high in a word of the move `text`; ValueError says what `what` may be."""
    if not _NUMBER.fullmatch(word) or not low <= int(word) <= high:
        raise ValueError(f"{text!r}: {what} is {low} .. {high}, not {word!r}")
    return int(word)
