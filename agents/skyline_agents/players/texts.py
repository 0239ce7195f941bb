"""Settings of agents, read from texts such as "yes", "0.5", "200". A wrong text raises a ValueError that says what is
allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SWITCH = {"yes": True, "no": False}


def choice(name: str, text: Any, allowed: Mapping[str, Any]) -> Any:
    """The value of one of the allowed words."""
    if str(text) not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}, not {str(text)!r}")
    return allowed[str(text)]


def number(name: str, text: Any, low: float, high: float) -> float:
    """A number between two bounds."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise ValueError(f"{name} is a number {low:g} .. {high:g}, not {str(text)!r}")
    return value


def whole(name: str, text: Any, low: int, high: int) -> int:
    """A whole number between two bounds."""
    value = number(name, text, low, high)
    if not value.is_integer():
        raise ValueError(f"{name} is a whole number {low} .. {high}, not {str(text)!r}")
    return int(value)
