"""Chances of drawing without putting back, for the tests that count them (tests/games/<game>/watching/counting.py)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any


def drawings(counts: dict[Any, int], number: int) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    """Every sequence of `number` things drawn without putting back, by kind, with its chance."""
    if number == 0:
        yield (), Fraction(1)
        return
    total = sum(counts.values())
    for kind in list(counts):
        if counts[kind]:
            chance = Fraction(counts[kind], total)
            counts[kind] -= 1
            for rest, part in drawings(counts, number - 1):
                yield (kind, *rest), chance * part
            counts[kind] += 1
