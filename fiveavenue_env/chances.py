# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Tables of chances over the unseen black cards of a hand, and how a pool is shared among hands. [RULES.md FA-M24]

A table says for each composition of the hand, cell(fours, fives), in how many ways the cards can have come: one way
for each value that each place of the hand may have got. A hand has at most 50 places, so a table has 1,326 cells; the
sixes are what is left. Events change a table in place (FA-M24):

    a draw       hand -> hand + 4, hand + 5, hand + 6
    a 5 shown    hands without a 5 fall out, hand -> hand - 5

`weigh` and `pick` draw hands for several tables from one pool of cards, of which the rest lies in the unknown part: a
choice of hands is as likely as the product of its ways and of the orders of the rest. Nothing is dealt and thrown away.
"""

from __future__ import annotations

import math

import numpy as np

from fiveavenue_env.components import BLACK_STACK
from skyline.core.jit import njit
from skyline.rng import next_word

ROWS = BLACK_STACK + 1
CELLS = ROWS * (ROWS + 1) // 2
FIRST_CELL = np.array([ROWS * fours - fours * (fours - 1) // 2 for fours in range(ROWS)])
FACTORIAL = np.array([float(math.factorial(n)) for n in range(ROWS)])
INVERSE = 1.0 / FACTORIAL
TO_UNIT = 2.0**-53
SHIFT = np.uint64(11)


@njit
def cell(fours, fives):
    return FIRST_CELL[fours] + fives


@njit
def choices(k, n):
    """The number of ways to choose k of n cards."""
    return FACTORIAL[n] * INVERSE[k] * INVERSE[n - k]


@njit
def unit(stream):
    """A number from 0 to below 1, uniform."""
    return float(next_word(stream) >> SHIFT) * TO_UNIT


# ---------------------------------------------------------------- tables of one hand


@njit
def fill_evenly(table, size):
    """The table of a hand of so many draws."""
    for a in range(size + 1):
        for b in range(size + 1 - a):
            table[cell(a, b)] = FACTORIAL[size] * INVERSE[a] * INVERSE[b] * INVERSE[size - a - b]


@njit
def fill_with(table, size, value):
    """The same number in every cell of a hand of this size."""
    for a in range(size + 1):
        for b in range(size + 1 - a):
            table[cell(a, b)] = value


@njit
def fill_known(table, fours, fives, sixes):
    """The table of a known hand; its size."""
    size = fours + fives + sixes
    fill_with(table, size, 0.0)
    table[cell(fours, fives)] = 1.0
    return size


@njit
def add_draw(table, size):
    """A card is drawn unseen to a hand of this size; the new size.  # FA-M10"""
    for a in range(size + 1, -1, -1):
        for b in range(size + 1 - a, -1, -1):
            ways = table[cell(a, b)] if a + b <= size else 0.0
            if a > 0:
                ways += table[cell(a - 1, b)]
            if b > 0:
                ways += table[cell(a, b - 1)]
            table[cell(a, b)] = ways
    return size + 1


@njit
def take_shown(table, size, v):
    """A card of value 4 + v is shown; the new size.  # FA-M08"""
    for a in range(size):
        for b in range(size - a):
            if v == 0:
                table[cell(a, b)] = table[cell(a + 1, b)]
            elif v == 1:
                table[cell(a, b)] = table[cell(a, b + 1)]
    return size - 1


# ---------------------------------------------------------------- the same backwards


@njit
def before_draw(table, size, fours, fives, sixes):
    """The chances to go on well before a draw, from those after it and the shares of the values; the new size."""
    for a in range(size):
        for b in range(size - a):
            table[cell(a, b)] = (
                fours * table[cell(a + 1, b)] + fives * table[cell(a, b + 1)] + sixes * table[cell(a, b)]
            )
    return size - 1


@njit
def before_shown(table, size, v):
    """The chances to go on well before a card of value 4 + v is shown; the new size."""
    for a in range(size + 1, -1, -1):
        for b in range(size + 1 - a, -1, -1):
            if v == 0:
                chance = table[cell(a - 1, b)] if a > 0 else 0.0
            elif v == 1:
                chance = table[cell(a, b - 1)] if b > 0 else 0.0
            else:
                chance = table[cell(a, b)] if a + b <= size else 0.0
            table[cell(a, b)] = chance
    return size + 1


# ---------------------------------------------------------------- sharing a pool


@njit
def join(out, one, size_one, two, size_two):
    """The table of two hands taken together."""
    fill_with(out, size_one + size_two, 0.0)
    for a in range(size_one + 1):
        for b in range(size_one + 1 - a):
            ways = one[cell(a, b)]
            if ways > 0:
                for c in range(size_two + 1):
                    for d in range(size_two + 1 - c):
                        out[cell(a + c, b + d)] += ways * two[cell(c, d)]


@njit
def _ways_of_rest(other, size, fours, fives, sixes):
    """Ways to give a pool to a hand with the table `other` and to the unknown part, which gets the rest."""
    rest = fours + fives + sixes - size
    if rest < 0:
        return 0.0
    ways = 0.0
    for c in range(max(0, fours - rest), min(size, fours) + 1):
        left = rest - (fours - c)
        for d in range(max(0, fives - left), min(size - c, fives) + 1):
            ways += other[cell(c, d)] * INVERSE[fours - c] * INVERSE[fives - d] * INVERSE[left - (fives - d)]
    return ways


@njit
def weigh(weights, table, size, other, size_other, fours, fives, sixes):
    """Fill `weights`: of each hand of `table` its ways times those of what the pool leaves; their sum.

    `other` is the table of the further hands together; size_other = -1 if there is none.
    """
    total = 0.0
    for a in range(size + 1):
        for b in range(size + 1 - a):
            at, left = cell(a, b), sixes - (size - a - b)
            weights[at] = 0.0
            if table[at] > 0 and a <= fours and b <= fives and left >= 0:
                if size_other < 0:
                    ways = INVERSE[fours - a] * INVERSE[fives - b] * INVERSE[left]
                else:
                    ways = _ways_of_rest(other, size_other, fours - a, fives - b, left)
                weights[at] = table[at] * ways
                total += weights[at]
    return total


@njit
def pick(weights, size, total, stream):
    """A cell in proportion to its weight, as 64 * fours + fives."""
    left, last = unit(stream) * total, 0
    for a in range(size + 1):
        for b in range(size + 1 - a):
            weight = weights[cell(a, b)]
            if weight > 0:
                last = 64 * a + b
                if left < weight:
                    return last
                left -= weight
    return last
