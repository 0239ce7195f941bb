"""What a game declares as tables: its actions, what a seat observes, its options.

A game's modules import these classes from `skyline.game`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Block:
    """Some actions of one kind: `count` ids beginning where the block before ended."""

    name: str
    count: int
    meaning: str


@dataclass(frozen=True, slots=True)
class ActionTable:
    """The flat action space of one player count as blocks: first id, count, meaning."""

    blocks: tuple[Block, ...]

    def __repr__(self) -> str:
        return f"<actions: {self.size}, in {len(self.blocks)} blocks>"

    @property
    def size(self) -> int:
        return sum(block.count for block in self.blocks)

    def rows(self) -> list[tuple[int, Block]]:
        """(first id, block) for every block."""
        first, rows = 0, []
        for block in self.blocks:
            rows.append((first, block))
            first += block.count
        return rows

    def first(self, name: str) -> int:
        """The first id of the block of this name."""
        return next(first for first, block in self.rows() if block.name == name)


@dataclass(frozen=True, slots=True)
class Slice:
    """Some neighbouring values of the observation: their exact range and the divisor of the float view.

    `own_only`: what only the viewer knows; `recall`: what a perfect memory holds, zeros with memory="table".
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    scale: float
    meaning: str
    own_only: bool = False
    recall: bool = False

    @property
    def length(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class ObservationTable:
    """Named slices: `base` first, `rich` appended after it, so that base is a prefix.

    `worth` names base slices, the viewer's values first and as many for every seat, whose sum for a seat estimates the
    points it will have; leads of about `worth_scale` decide a game. Learners may shape rewards with it.
    """

    base: tuple[Slice, ...]
    rich: tuple[Slice, ...] = ()
    worth: tuple[str, ...] = ()
    worth_scale: float = 1.0

    def __repr__(self) -> str:
        kinds = (("base", self.base), ("rich", self.rich))
        told = (f"{sum(part.length for part in parts)} {kind} values in {len(parts)} slices" for kind, parts in kinds)
        return f"<observation: {', '.join(told)}>"

    def slices(self, features: str = "base") -> tuple[Slice, ...]:
        return self.base if features == "base" else self.base + self.rich

    def size(self, features: str = "base") -> int:
        return sum(part.length for part in self.slices(features))

    def offsets(self, features: str = "base") -> dict[str, slice]:
        """Where each named slice lies in the vector."""
        at, offsets = 0, {}
        for part in self.slices(features):
            offsets[part.name] = slice(at, at + part.length)
            at += part.length
        return offsets

    def decode(self, vector: np.ndarray[Any, Any], features: str = "base") -> dict[str, np.ndarray[Any, Any]]:
        """The vector as named arrays in the slices' shapes (views). A batch (n, N) gives (n, *shape)."""
        if vector.shape[-1] != self.size(features):
            raise ValueError(f"the vector has {vector.shape[-1]} values, the {features} table {self.size(features)}")
        offsets, lead = self.offsets(features), vector.shape[:-1]
        return {part.name: vector[..., offsets[part.name]].reshape(lead + part.shape) for part in self.slices(features)}

    def per_value(self, attribute: str, features: str = "base") -> np.ndarray[Any, Any]:
        """`low`, `high` or `scale` of every single value, as float64 (N,)."""
        return np.concatenate([np.full(part.length, getattr(part, attribute), float) for part in self.slices(features)])


@dataclass(frozen=True, slots=True)
class Option:
    """A rule option of a game. `check` gets a given value and returns the stored one or raises ValueError."""

    name: str
    default: Any
    meaning: str
    check: Callable[[Any], Any]


def whole_number(low: int, high: int) -> Callable[[Any], int]:
    """A check for options that are whole numbers low .. high; digits as text (from a command line) are read."""

    def check(value: Any) -> int:
        if isinstance(value, str) and re.fullmatch(r" *-?[0-9]{1,20} *", value):  # int() reads more, and less
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number {low} .. {high}")
        return value

    return check


def one_of(*values: Any) -> Callable[[Any], Any]:
    """A check for options with a few allowed values, also given as their texts ("True" and "true" are the same)."""

    def check(value: Any) -> Any:
        for allowed in values:
            if value == allowed or (isinstance(value, str) and value.lower() == str(allowed).lower()):
                return allowed
        raise ValueError(f"one of {', '.join(map(repr, values))}")

    return check
