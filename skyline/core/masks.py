# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Scanning action masks: counting, finding and drawing legal actions. A mask is an int8 row of zeros and ones.

A mask is read sixty-four actions at a time, as the bits of a word.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import njit
from skyline.core.wide import LANES, bits_of, nth_one, ones_in
from skyline.rng import below


@njit
def _words(mask):
    """How many words cover the mask."""
    return (mask.shape[0] + LANES - 1) // LANES


@njit
def _word(mask, number):
    """Actions 64 * number .. as bits; the last word ends with the mask."""
    at, size = LANES * number, mask.shape[0]
    if at + LANES <= size:
        return bits_of(mask, at, LANES)
    if size >= LANES:
        return bits_of(mask, size - LANES, LANES) >> np.uint64(at + LANES - size)
    word = np.uint64(0)
    for action in range(size):
        word |= np.uint64(mask[action]) << np.uint64(action)
    return word


@njit
def count_legal(mask):
    total = 0
    for number in range(_words(mask)):
        total += ones_in(_word(mask, number))
    return total


@njit
def legal_below(mask, action):
    """How many legal actions are below the action."""
    number, total = action // LANES, 0
    for i in range(number):
        total += ones_in(_word(mask, i))
    below = (np.uint64(1) << np.uint64(action % LANES)) - np.uint64(1)
    return total + ones_in(_word(mask, number) & below)


@njit
def only_legal(mask):
    """The legal action if there is exactly one, else -1."""
    if count_legal(mask) != 1:
        return -1
    return nth_legal(mask, 0)


@njit
def nth_legal(mask, n):
    """The legal action number n, 0 = first; the mask has more than n. Without a branch that depends on the mask."""
    number, before, passed = 0, 0, 0
    for i in range(_words(mask)):
        passed += ones_in(_word(mask, i))
        is_before = passed <= n
        number += is_before
        before = passed if is_before else before
    return LANES * number + nth_one(_word(mask, number), n - before)


@njit
def next_legal(mask, after):
    """The first legal action above `after` (-1: the first of all), or -1. A loop over them meets no other action."""
    action = after + 1
    if action >= mask.shape[0]:
        return -1
    number = action // LANES
    word = _word(mask, number) >> np.uint64(action % LANES)
    if word:
        return action + lowest_one(word)
    for i in range(number + 1, _words(mask)):
        word = _word(mask, i)
        if word:
            return LANES * i + lowest_one(word)
    return -1


@njit
def lowest_one(word):
    """The place of the lowest one."""
    return ones_in(~word & (word - np.uint64(1)))


@njit
def random_legal(mask, stream):
    """A legal action, each with the same chance."""
    return nth_legal(mask, below(stream, count_legal(mask)))


@njit
def is_illegal(mask, action):
    return action < 0 or action >= mask.shape[0] or mask[action] == 0
