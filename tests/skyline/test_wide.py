"""skyline.core.wide: the vector form of every function writes and returns the same as its plain Python form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from skyline.core.jit import njit
from skyline.core.masks import nth_one
from skyline.core.wide import (
    LANES,
    bits_at_most,
    bits_equal,
    bits_of,
    fetch,
    low_bytes,
    ones_in,
    subtract,
    sum_of,
    unpack,
    widen,
    widen_from,
    widen_less,
    write_bits,
    write_excess,
)

N, SOME, FEW = LANES, 54, 9  # a whole vector, a number that is no power of two, less than one vector
BEFORE = 77  # the value of places where nothing may be written


@njit
def reading(row: Any, at: int, value: int, words: Any) -> None:
    words[0], words[1], words[2] = bits_of(row, at, N), bits_of(row, at, SOME), bits_of(row, at, FEW)
    words[3], words[4] = bits_equal(row, value, N), bits_equal(row, value, FEW)
    words[5], words[6] = bits_at_most(row, value, SOME), bits_at_most(row, value, FEW)


@njit
def fetching(rows: Any) -> None:
    for i in range(rows.shape[0]):
        fetch(rows, i)


@njit
def writing_bits(out: Any, at: int, word: Any) -> None:
    write_bits(out, at, word, N)
    write_bits(out, at + 100, word, SOME)
    write_bits(out, at + 200, word, FEW)


@njit
def writing_rows(out: Any, at: int, row: Any) -> None:
    widen(out, at, row, N)
    widen(out, at + 100, row, SOME)
    widen(out, at + 200, row, FEW)


@njit
def writing_parts(out: Any, at: int, rows: Any) -> None:
    widen_from(out, at, rows, 7, N)
    widen_from(out, at + 100, rows, 22, FEW)
    widen_less(out, at + 200, rows, 3, rows, 5, FEW)


@njit
def unpacking(out: Any, at: int, word: Any, shifts: Any, low: Any) -> None:
    unpack(out, at, word, shifts, low, FEW)
    unpack(out, at + 100, word, shifts, low, 16)


@njit
def calculating(out: Any, at: int, row: Any, value: int) -> None:
    subtract(out, at, row, N)
    subtract(out, at + 100, row, FEW)
    write_excess(out, at + 150, at, value, SOME)
    write_excess(out, at + 250, at + 100, value, FEW)
    out[at + 300], out[at + 301] = sum_of(row, FEW), sum_of(row, 16)


def words(seed: int, n: int) -> list[np.uint64]:
    """Words with few, many, all and no bits."""
    rng = np.random.default_rng(seed)
    some = rng.integers(0, 2**64, n, np.uint64)
    return [np.uint64(0), np.uint64(2**64 - 1), *some, *(some & np.roll(some, 1)), *(some | np.roll(some, 1))]


def both(function: Any, out: np.ndarray[Any, Any], *arguments: Any) -> list[bytes]:
    """The contents of `out` after the compiled and after the plain function."""
    left = []
    for form in (function, function.py_func):
        copy = out.copy()
        form(copy, *arguments)
        left.append(copy.tobytes())
    return left


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_reading(dtype: Any) -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        row = (rng.integers(-3, 200, 100) * (rng.random(100) < 0.7)).astype(dtype)
        value, at = int(row[rng.integers(100)]), int(rng.integers(0, 100 - LANES + 1))
        given = [np.zeros(7, np.uint64) for _ in range(2)]
        reading(row, at, value, given[0])
        reading.py_func(row, at, value, given[1])
        assert given[0].tolist() == given[1].tolist()
        assert [int(given[0][0]) >> i & 1 for i in range(N)] == (row[at : at + N] != 0).tolist()
        assert [int(given[0][5]) >> i & 1 for i in range(SOME)] == (row[:SOME] <= value).tolist()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32])
def test_writing_bits(dtype: Any) -> None:
    for at, word in enumerate(words(2, 20)):
        out = np.full(400, BEFORE, dtype)
        compiled, plain = both(writing_bits, out, at, word)
        assert compiled == plain
        written = np.frombuffer(compiled, dtype)
        assert written[at : at + N].tolist() == [int(word) >> i & 1 for i in range(N)]
        assert (written[at + N : at + 100] == BEFORE).all()
        assert (written[at + 200 + FEW :] == BEFORE).all()


@pytest.mark.parametrize("source", [np.int8, np.uint8])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32])
def test_writing_rows(dtype: Any, source: Any) -> None:
    rng = np.random.default_rng(4)
    for at in range(50):
        row = rng.integers(np.iinfo(source).min, np.iinfo(source).max + 1, 80).astype(source)
        compiled, plain = both(writing_rows, np.full(400, BEFORE, dtype), at, row)
        assert compiled == plain
        assert (np.frombuffer(compiled, dtype)[at + N : at + 100] == BEFORE).all()


@pytest.mark.parametrize("source", [np.int8, np.uint8, np.int16])
@pytest.mark.parametrize("dtype", [np.int16, np.float32])
def test_writing_parts(dtype: Any, source: Any) -> None:
    """Parts of a row with two dimensions, and the difference of two parts."""
    rng = np.random.default_rng(7)
    for at in range(50):
        rows = rng.integers(0, 100, (4, 20)).astype(source)
        compiled, plain = both(writing_parts, np.full(400, BEFORE, dtype), at, rows)
        assert compiled == plain
        written, flat = np.frombuffer(compiled, dtype), rows.reshape(-1).astype(int)
        assert written[at : at + N].tolist() == flat[7 : 7 + N].tolist()
        assert written[at + 200 : at + 200 + FEW].tolist() == (flat[3 : 3 + FEW] - flat[5 : 5 + FEW]).tolist()
        assert (written[at + 200 + FEW :] == BEFORE).all()


def test_a_part_behind_the_end_of_its_row() -> None:
    """What the row has is written; what follows has no meaning."""
    row = np.arange(1, 101, dtype=np.int8)
    for form in (writing_parts, writing_parts.py_func):
        out = np.full(400, BEFORE, np.int16)
        form(out, 0, row[:30])
        assert out[:23].tolist() == row[7:30].tolist()
        assert out[100:108].tolist() == row[22:30].tolist()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32])
def test_unpacking(dtype: Any) -> None:
    rng = np.random.default_rng(5)
    for at, word in enumerate(words(5, 20)):
        shifts = rng.integers(0, 58, 16).astype(np.uint64)
        compiled, plain = both(unpacking, np.full(200, BEFORE, dtype), at, word, shifts, np.uint64(127))
        assert compiled == plain


@njit
def gathering(words: Any, rows: Any, first: int, shift: int) -> None:
    words[0] = low_bytes(rows, first, shift)


def test_gathering_bytes() -> None:
    rng = np.random.default_rng(8)
    rows = rng.integers(-(2**31), 2**31, (4, 5)).astype(np.int32)
    for first in range(rows.size - 7):
        for shift in (0, 1, 9, 31):
            compiled, plain = both(gathering, np.zeros(1, np.uint64), rows, first, shift)
            assert compiled == plain
            assert list(compiled) == [int(value) >> shift & 255 for value in rows.reshape(-1)[first : first + 8]]


def test_counting_and_finding_ones() -> None:
    for word in words(6, 200):
        places = [i for i in range(64) if int(word) >> i & 1]
        assert ones_in(word) == len(places)
        assert [nth_one(word, k) for k in range(len(places))] == places


def test_a_number_of_places_that_is_no_constant_is_refused() -> None:
    @njit
    def wrong(out: Any, row: Any, n: int) -> None:
        widen(out, 0, row, n)

    with pytest.raises(Exception, match="n is a constant"):
        wrong(np.zeros(64, np.int16), np.zeros(64, np.int8), 9)


@pytest.mark.parametrize("source", [np.int8, np.uint8])
@pytest.mark.parametrize("dtype", [np.int16, np.float32])
def test_calculating(dtype: Any, source: Any) -> None:
    rng = np.random.default_rng(6)
    for at in range(20):
        row, value = rng.integers(0, 12, LANES).astype(source), int(rng.integers(0, 70))
        out = np.full(400, BEFORE, dtype)
        compiled, plain = both(calculating, out, at, row, value)
        assert compiled == plain
        written = np.frombuffer(compiled, dtype)
        less = BEFORE - row.astype(int)
        assert written[at : at + N].tolist() == less.tolist()
        assert written[at + 150 : at + 150 + SOME].tolist() == [max(0, less[i] - value) for i in range(SOME)]
        assert (written[at + 150 + SOME : at + 250] == BEFORE).all()
        assert written[at + 300 : at + 302].tolist() == [row[:FEW].sum(), row[:16].sum()]


@pytest.mark.parametrize("dtype", [np.dtype(np.int16), np.dtype([("a", np.int8), ("b", np.int64, (99,))])])
def test_what_is_asked_for_from_memory_stays_as_it_is(dtype: Any) -> None:
    rows = np.frombuffer(bytes(range(250)) * 9 * dtype.itemsize, dtype).copy()
    for part in (rows, rows[:1], rows[:0], rows[7:2:-2]):
        before = rows.tobytes()
        fetching(part)
        assert rows.tobytes() == before
