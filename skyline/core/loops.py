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


def widen(out, at, row, n):
    for i in range(n):
        out[at + i] = row[i]


def widen_from(out, at, row, start, n):
    flat = row.reshape(row.size)
    for i in range(min(n, flat.shape[0] - start)):
        out[at + i] = flat[start + i]


def widen_less(out, at, row, start, less, first, n):
    flat, others = row.reshape(row.size), less.reshape(less.size)
    for i in range(min(n, flat.shape[0] - start, others.shape[0] - first)):
        out[at + i] = np.int64(flat[start + i]) - np.int64(others[first + i])


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


def fetch(rows, i):
    pass
