# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Scanning action masks: counting, finding and drawing legal actions. A mask is an int8 row of zeros and ones.

A mask is read sixty-four actions at a time, as the bits of a word.
"""

from __future__ import annotations

import numpy as np

from skyline.core.jit import njit
from skyline.core.wide import LANES, bits_of, ones_in
from skyline.rng import below


@njit
def words_in(mask):
    """How many words cover the mask."""
    return (mask.shape[0] + LANES - 1) // LANES


@njit
def word_of(mask, number):
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
    for number in range(words_in(mask)):
        total += ones_in(word_of(mask, number))
    return total


@njit
def legal_below(mask, action):
    """How many legal actions are below the action."""
    number, total = action // LANES, 0
    for i in range(number):
        total += ones_in(word_of(mask, i))
    below = (np.uint64(1) << np.uint64(action % LANES)) - np.uint64(1)
    return total + ones_in(word_of(mask, number) & below)


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
    for i in range(words_in(mask)):
        passed += ones_in(word_of(mask, i))
        is_before = passed <= n
        number += is_before
        before = passed if is_before else before
    return LANES * number + nth_one(word_of(mask, number), n - before)


@njit
def next_legal(mask, after):
    """The first legal action above `after` (-1: the first of all), or -1. A loop over them meets no other action."""
    action = after + 1
    if action >= mask.shape[0]:
        return -1
    number = action // LANES
    word = word_of(mask, number) >> np.uint64(action % LANES)
    if word:
        return action + lowest(word)
    for i in range(number + 1, words_in(mask)):
        word = word_of(mask, i)
        if word:
            return LANES * i + lowest(word)
    return -1


@njit
def lowest(word):
    """The place of the lowest one in a word that is neither 0 nor negative."""
    bits = np.uint64(word)
    return ones_in(~bits & (bits - np.uint64(1)))


@njit
def random_legal(mask, stream):
    """A legal action, each with the same chance."""
    return nth_legal(mask, below(stream, count_legal(mask)))


@njit
def is_illegal(mask, action):
    return action < 0 or action >= mask.shape[0] or mask[action] == 0


# ---------------------------------------------------------------- the n-th bit


BYTE_ONES = np.uint64(0x0101010101010101)
SIGNS, LARGEST = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
ODD, PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
U1, U2, U4, U8, U255 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8), np.uint64(255)


def _places_in_a_byte() -> np.ndarray:
    """PLACE[byte, k]: the place of the byte's k-th one."""
    table = np.zeros((256, 8), np.uint8)
    for byte in range(256):
        ones = [bit for bit in range(8) if byte >> bit & 1]
        table[byte, : len(ones)] = ones
    return table


PLACE = _places_in_a_byte()


@njit
def nth_one(word, k):
    """The place of the word's k-th one, from 0: first its byte, by sums over the bytes, then its bit."""
    sums = word - ((word >> U1) & ODD)
    sums = (sums & PAIRS) + ((sums >> U2) & PAIRS)
    sums = ((sums + (sums >> U4)) & NIBBLES) * BYTE_ONES  # byte i: ones in the bytes 0 .. i
    reached = (sums + (LARGEST - np.uint64(k) * BYTE_ONES)) & SIGNS
    shift = np.uint64(8 * (8 - ones_in(reached)))
    k -= np.int64(((sums << U8) >> shift) & U255)
    return np.int64(shift) + PLACE[(word >> shift) & U255, k]
