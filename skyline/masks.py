# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Scanning action masks: counting, finding and drawing legal actions. A mask is an int8 row of zeros and ones."""

from __future__ import annotations

import numpy as np

from skyline.jit import njit
from skyline.rng import below

# Masks are scanned eight bytes at a time, as words; a product with ONES sums a word's bytes.
BLOCK = 8  # words passed at once when an action is looked for
ONES, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)
LARGEST, SIGNS, SIGN = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x8080808080808080), np.uint64(7)


@njit
def count_legal(mask):
    total = 0
    for a in range(mask.shape[0]):
        total += int(mask[a])
    return total


@njit
def only_legal(mask):
    """The legal action if there is exactly one, else -1."""
    if count_legal(mask) != 1:
        return -1
    return nth_legal(mask, 0)


@njit
def nth_legal(mask, n):
    """The legal action number n (0 = first), without a branch that depends on the mask: blocks of words are passed,
    then words, then bytes."""
    words = mask[: mask.shape[0] & -8].view(np.uint64)
    block, before = 0, 0
    passed = 0
    for first in range(0, words.shape[0] - BLOCK + 1, BLOCK):
        total = np.uint64(0)
        for i in range(BLOCK):
            total += words[first + i]
        passed += bytes_sum(total)
        is_before = passed <= n
        block += is_before
        before = passed if is_before else before
    n -= before
    at, before, passed = BLOCK * block, 0, 0
    for i in range(at, min(at + BLOCK, words.shape[0])):
        passed += bytes_sum(words[i])
        is_before = passed <= n
        at += is_before
        before = passed if is_before else before
    n -= before
    if at < words.shape[0]:
        return 8 * at + nth_byte(words[at], n)
    for action in range(8 * at, mask.shape[0]):
        n -= mask[action]
        if n < 0:
            return action
    return -1


@njit
def bytes_sum(word):
    """Sum of the word's eight bytes, if it is below 256."""
    return np.int64((word * ONES) >> TOP_BYTE)


@njit
def nth_byte(word, n):
    """Where the one number n stands among eight bytes of zeros and ones: how many prefix sums are <= n."""
    prefix_sums = word * ONES
    larger = (prefix_sums + (LARGEST - np.uint64(n) * ONES)) & SIGNS
    return 8 - bytes_sum(larger >> SIGN)


@njit
def random_legal(mask, stream):
    """A legal action, each with the same chance."""
    return nth_legal(mask, below(stream, count_legal(mask)))


@njit
def is_illegal(mask, action):
    return action < 0 or action >= mask.shape[0] or mask[action] == 0
