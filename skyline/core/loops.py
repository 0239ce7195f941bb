# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The functions of `wide` as loops: what is compiled where numba's interface for vectors is not the tested one.

The arguments and the results are those that `wide` describes; a loop takes several times as long as a vector.
"""

from __future__ import annotations

import numpy as np

ONE = np.uint64(1)


def bits_of(row, at, n):
    word = np.uint64(0)
    for i in range(n):
        if row[at + i] != 0:
            word |= ONE << np.uint64(i)
    return word


def bits_equal(row, value, n):
    word = np.uint64(0)
    for i in range(n):
        if row[i] == value:
            word |= ONE << np.uint64(i)
    return word


def bits_at_most(row, value, n):
    word = np.uint64(0)
    for i in range(n):
        if row[i] <= value:
            word |= ONE << np.uint64(i)
    return word


def write_bits(out, at, word, n):
    for i in range(n):
        out[at + i] = (np.uint64(word) >> np.uint64(i)) & ONE


def write_bits4(out, at, n, a, b, c, d):
    for i in range(n):
        place = np.uint64(i)
        out[at + 4 * i] = (np.uint64(a) >> place) & ONE
        out[at + 4 * i + 1] = (np.uint64(b) >> place) & ONE
        out[at + 4 * i + 2] = (np.uint64(c) >> place) & ONE
        out[at + 4 * i + 3] = (np.uint64(d) >> place) & ONE


def widen(out, at, row, n):
    for i in range(n):
        out[at + i] = row[i]


def widen_from(out, at, rows, first, n):
    values = rows.reshape(-1)
    for i in range(min(n, values.shape[0] - first)):
        out[at + i] = values[first + i]


def subtract(out, at, row, n):
    for i in range(n):
        out[at + i] -= row[i]


def write_excess(out, at, source, value, n):
    for i in range(n):
        out[at + i] = max(0, np.int64(out[source + i]) - value)


def sum_of(row, n):
    total = 0
    for i in range(n):
        total += int(row[i])
    return total


def low_bytes(rows, first, shift):
    values, word = rows.reshape(-1), np.uint64(0)
    for i in range(8):
        word |= np.uint64((int(values[first + i]) >> shift) & 255) << np.uint64(8 * i)
    return word


def unpack(out, at, word, shifts, low, n):
    for i in range(n):
        out[at + i] = (np.uint64(word) >> shifts[i]) & np.uint64(low)


def ones_in(word):
    left, ones = np.uint64(word), 0
    while left:
        left &= left - ONE
        ones += 1
    return ones
