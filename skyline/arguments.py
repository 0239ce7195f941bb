"""Checks of arguments that people give to environments and commands; the messages name the argument and the remedy."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

LINE = 200  # characters of a value in a message


def brief(value: Any) -> str:
    """The value as Python shows it, for a message about an argument: at most a line, whatever the value is."""
    if isinstance(value, int) and value.bit_length() > 80:
        return "a number of more than 20 digits"
    try:
        text = repr(value)
    except Exception:
        text = f"an object of the type {type(value).__name__}"
    return text if len(text) <= LINE else f"{text[:LINE]}.."


def check_choice(what: str, value: Any, allowed: Iterable[Any]) -> None:
    """ValueError unless the setting has one of its allowed values (texts or None)."""
    values = list(allowed)
    if not any(isinstance(value, type(choice)) and value == choice for choice in values):
        raise ValueError(f"{what} is one of {', '.join(map(repr, values))}, not {brief(value)}")


def check_flag(what: str, value: Any) -> bool:
    """The setting as True or False; ValueError for anything else, 0 and 1 included."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{what} is True or False, not {brief(value)}")
    return bool(value)


def check_count(what: str, value: Any, low: int, high: int | None = None) -> int:
    """The setting as a whole number `low` .. `high` (None: without end); ValueError for anything else."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or value < low or (high is not None and value > high):
        allowed = f"from {low} on" if high is None else f"{low} .. {high}"
        raise ValueError(f"{what} is a whole number {allowed}, not {brief(value)}")
    return int(value)


def check_seat(what: str, value: Any, players: int) -> int:
    """The seat that a number 0 .. players - 1, or the name of its agent in PettingZoo, stands for; else ValueError."""
    names = [f"player_{seat}" for seat in range(players)]
    if isinstance(value, str) and value in names:
        return names.index(value)
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= value < players:
        return int(value)
    allowed = f"a whole number 0 .. {players - 1} or an agent {names[0]!r} .. {names[-1]!r}"
    raise ValueError(f"{what} is {allowed}, not {brief(value)}")


def check_dtype(what: str, value: Any, allowed: Iterable[str]) -> str:
    """The name of an allowed NumPy type, which may be given as its name, its class or a `numpy.dtype`."""
    names = list(allowed)
    if isinstance(value, (type, np.dtype)):
        value = next((name for name in names if np.dtype(name) == value), value)
    check_choice(what, value, names)
    return str(value)


def check_reset_options(value: Any) -> dict[str, Any]:
    """The options of an environment's reset as a dict of their own; TypeError unless they are a mapping or None."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"options of reset are a mapping from names to values, not {brief(value)}")
    return dict(value or {})


def action_number(action: Any) -> int | None:
    """The action as a plain int; None for all that is no whole number. (True and False are no numbers here.)"""
    if isinstance(action, bool | np.bool_):
        return None
    try:
        return operator.index(action) + 0
    except TypeError:
        return None
