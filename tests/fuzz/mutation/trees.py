"""Trees (all that JSON can hold): how they are read, written and copied, and the places of their values."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

Tree = Any  # what JSON can hold: dict, list, str, int, float, bool, None
Slot = tuple[Any, Any]  # a list or dict, and the index or key of one value in it
# A change of the tree in a box (a list that holds the tree alone), with random numbers and donors.
Change = Callable[[random.Random, Any, Sequence[Any]], None]


@contextmanager
def any_digits() -> Iterator[None]:
    """Lifts Python's limit for the digits of a whole number while the mutators themselves read and write."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def as_json(tree: Tree, **layout: Any) -> str:
    """The tree as JSON text, odd values included."""
    with any_digits():
        return json.dumps(tree, **layout)


def from_json(text: str | bytes) -> Tree:
    """The tree of a JSON text, with Python's own parser: what `as_json` wrote comes back."""
    with any_digits():
        return json.loads(text)


def copied(tree: Tree) -> Tree:
    """A copy that shares no list and no object with the tree, however deep it is."""
    box = [tree]
    waiting: list[Any] = [box]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if type(holder) is dict else range(len(holder)):
            if type(holder[key]) in (dict, list):
                holder[key] = holder[key].copy()
                waiting.append(holder[key])
    return box[0]


def depth(tree: Tree) -> int:
    """The number of lists and objects around the deepest value."""
    level, found = [tree], 0
    while level := [value for value in level if type(value) in (dict, list)]:
        found += 1
        level = [value for holder in level for value in (holder.values() if type(holder) is dict else holder)]
    return found


def slots(tree: Tree) -> list[Slot]:
    """The place of every value below the root."""
    found: list[Slot] = []
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        if type(holder) is dict:
            keys: Any = list(holder)
        elif type(holder) is list:
            keys = range(len(holder))
        else:
            continue
        for key in keys:
            found.append((holder, key))
            waiting.append(holder[key])
    return found


def lists_in(tree: Tree, least: int = 0) -> list[list[Tree]]:
    """Every list below the root with at least that many entries."""
    return [holder[key] for holder, key in slots(tree) if type(holder[key]) is list and len(holder[key]) >= least]


def by_type(tree: Tree, *types: type) -> list[Slot]:
    """The place of every value of these types."""
    return [(holder, key) for holder, key in slots(tree) if type(holder[key]) in types]
