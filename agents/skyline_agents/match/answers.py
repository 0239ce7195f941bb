"""Errors and answers that come from agents. Their own methods are not trusted: a bot may have written them."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from skyline_agents.match.clock import TimeUp

LONGEST = 200  # characters of the text of an exception or an answer in a reason


def error_in_words(error: BaseException) -> str:
    """An error of an agent in one line, with the place that raised it."""
    try:
        text = " ".join(str.__str__(str(error))[:LONGEST].split())
    except TimeUp:
        raise
    except BaseException:  # the error has no text; its type and the place are told
        text = ""
    return f"{name_of_type(error)}{': ' if text else ''}{text}{_place(error.__traceback__)}"


def _place(traceback: TracebackType | None) -> str:
    """The place at which an error was raised, found without reading a file."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f" ({Path(traceback.tb_frame.f_code.co_filename).name}, line {traceback.tb_lineno})"


def name_of_type(value: Any) -> str:
    """The name of the type of an object, even if a metaclass claims another name."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


_NUMPY_INTEGERS = tuple({np.dtype(code).type for code in np.typecodes["AllInteger"]})
_PLAIN = (bool, float, complex, str, bytes, type(None), np.bool_, np.float64, np.float32)


def whole_number(value: Any) -> int | None:
    """The value of an int or of a NumPy integer; None for anything else, such as truth values.

    No method of a subclass of int is called: the value is the one that int itself gives.
    """
    kind = type(value)
    if kind is int:
        number: int = value
        return number
    if kind is bool:
        return None
    if type.__subclasscheck__(int, kind):
        return int.__index__(value)
    return int(value) if any(kind is known for known in _NUMPY_INTEGERS) else None


class Shown:
    """An answer in a message: its text if it is of a plain type, else the name of its type."""

    def __init__(self, value: Any) -> None:
        if type(value) is int:  # `Shown` is used for ints that are too long to be written
            self._text = f"a number of {value.bit_length()} bits"
            return
        plain = any(type(value) is kind for kind in _PLAIN)
        self._text = repr(value)[:LONGEST] if plain else f"an object of the type {name_of_type(value)}"

    def __repr__(self) -> str:
        return self._text
