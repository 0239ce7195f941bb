# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Up to sixty-four places at once: rows of a state, a mask or an observation as one vector or as the bits of a word.

The compiler seldom makes vector instructions of a loop over a row: it unrolls a loop of known length before it looks
for vectors, and before a loop of unknown length it tests whether the rows overlap and whether they are long enough.
These functions use LLVM's own vector types, which every machine works through in as many steps as its registers need.
Manhattan's random rollout makes 7.9 million steps a second with them and 1.3 million with the loops of
skyline.core.loops (python -m skyline_bench.gate.tricks).

The interfaces of numba that the functions use may change. So a small trial is compiled first; where the trial fails,
the loops are compiled instead, with a warning. `pyproject.toml` bounds numba by the newest version that was tested.

    bits_of(row, at, n)             bit i of the word: row[at + i] is not 0
    bits_equal(row, value, n)       bit i: row[i] == value
    bits_at_most(row, value, n)     bit i: row[i] <= value
    write_bits(out, at, word, n)    out[at + i] = bit i of the word
    widen(out, at, row, n)          out[at + i] = row[i]
    widen_from(out, at, row, start, n)    out[at + i] = number start + i of a row of any dimensions; behind its end
                                          follow values without meaning, over which the next slice is written
    widen_less(out, at, row, start, less, first, n)    the same of one row less number first + i of another one; the
                                          differences of one-byte values are -128 .. 127
    subtract(out, at, row, n)       out[at + i] -= row[i]
    write_excess(out, at, source, value, n)    out[at + i] = the larger of 0 and out[source + i] - value
    unpack(out, at, word, shifts, low, n)    out[at + i] = word >> shifts[i] & low
    low_bytes(rows, first, shift)   byte i of the word: the low byte of value number first + i >> shift; i is 0 .. 7
    sum_of(row, n)                  the sum of row[i]; row[i] is not negative, the sum is below 256
    ones_in(word)                   how many bits are 1
    fetch(rows, i)                  nothing changes: row i, which is used soon, is asked for from memory

n is a constant, at most 64; i is 0 .. n-1. Rows are of one-byte values (`bits_of`, `widen`, `widen_from`: or wider;
`shifts`: uint64; `low_bytes`: of four bytes). Nothing checks bounds.
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from skyline.core import loops, vectors
from skyline.core.cache import warn_once
from skyline.core.jit import njit
from skyline.core.vectors import LANES as LANES

# ---------------------------------------------------------------- in plain Python


def bits_of(row: Any, at: int, n: int) -> Any:
    return _word(row[at : at + n] != 0)


def bits_equal(row: Any, value: int, n: int) -> Any:
    return _word(row[:n] == value)


def bits_at_most(row: Any, value: int, n: int) -> Any:
    return _word(row[:n] <= value)


def _word(bits: Any) -> Any:
    padded = np.zeros(LANES, np.uint8)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)[0]


def _bits(word: Any, n: int) -> Any:
    return np.unpackbits(np.array([word], np.uint64).view(np.uint8), bitorder="little")[:n]


def write_bits(out: Any, at: int, word: Any, n: int) -> None:
    out[at : at + n] = _bits(word, n)


def widen(out: Any, at: int, row: Any, n: int) -> None:
    out[at : at + n] = row[:n]


def widen_from(out: Any, at: int, row: Any, start: int, n: int) -> None:
    part = row.reshape(-1)[start : start + n]
    out[at : at + len(part)] = part


def widen_less(out: Any, at: int, row: Any, start: int, less: Any, first: int, n: int) -> None:
    part, other = row.reshape(-1)[start : start + n].astype(np.int64), less.reshape(-1)[first : first + n]
    n = min(len(part), len(other))
    out[at : at + n] = part[:n] - other[:n]


def subtract(out: Any, at: int, row: Any, n: int) -> None:
    out[at : at + n] -= row[:n]


def write_excess(out: Any, at: int, source: int, value: int, n: int) -> None:
    out[at : at + n] = np.maximum(0, out[source : source + n].astype(np.int64) - value)


def sum_of(row: Any, n: int) -> int:
    return int(row[:n].sum())


def low_bytes(rows: Any, first: int, shift: int) -> Any:
    values = rows.reshape(-1)[first : first + 8].astype(np.int64) >> shift
    return (values & 255).astype(np.uint8).view(np.uint64)[0]


def unpack(out: Any, at: int, word: Any, shifts: Any, low: Any, n: int) -> None:
    out[at : at + n] = (word >> shifts[:n]) & low


def ones_in(word: Any) -> int:
    return int(word).bit_count()


def fetch(rows: Any, i: int) -> None:
    pass


# ---------------------------------------------------------------- jitted code calls the vector form


def _trial(row, shifts, grid, out, words):
    """Reading, comparing, writing and counting; what it writes is compared with plain Python's."""
    words[0] = vectors.bits_of(row, 1, 5)
    words[1] = vectors.bits_equal(row, 3, 6)
    words[2] = vectors.ones_in(words[0])
    vectors.write_bits(out, 0, words[0], 5)
    vectors.widen_from(out, 20, row, 0, 6)
    vectors.unpack(out, 30, words[0], shifts, np.uint64(1), 4)
    vectors.subtract(out, 22, row, 3)
    vectors.widen_from(out, 40, row, 2, 4)
    vectors.widen_less(out, 44, row, 2, row, 0, 4)
    vectors.write_excess(out, 34, 20, 1, 6)
    words[3] = vectors.sum_of(row, 6)
    vectors.fetch(grid, 1)
    words[4] = vectors.low_bytes(grid, 1, 2)


def _plain_trial(row: Any, shifts: Any, grid: Any, out: Any, words: Any) -> None:
    words[0], words[1] = bits_of(row, 1, 5), bits_equal(row, 3, 6)
    words[2] = ones_in(words[0])
    write_bits(out, 0, words[0], 5)
    widen(out, 20, row, 6)
    unpack(out, 30, words[0], shifts, np.uint64(1), 4)
    subtract(out, 22, row, 3)
    widen_from(out, 40, row, 2, 4)
    widen_less(out, 44, row, 2, row, 0, 4)
    write_excess(out, 34, 20, 1, 6)
    words[3] = sum_of(row, 6)
    words[4] = low_bytes(grid, 1, 2)


@lru_cache(None)
def vectors_work() -> bool:
    """Whether the vector forms compile and give what plain Python gives; if not, a warning, and loops are compiled."""
    grid = np.arange(10, dtype=np.int32) << 7
    given = (np.array([1, 3, 0, 3, 2, 0], np.uint8), np.arange(4, dtype=np.uint64), grid)
    found: list[Any] = [np.zeros(52, np.int16), np.zeros(5, np.uint64)]
    wanted: list[Any] = [array.copy() for array in found]
    _plain_trial(*given, *wanted)
    try:
        njit(_trial)(*given, *found)
        if all(np.array_equal(one, other) for one, other in zip(found, wanted, strict=True)):
            return True
        reason = "a trial gave a wrong result"
    except Exception as error:
        reason = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    warn_once(f"vectors are compiled as loops, and are slower: numba {numba.__version__}, {reason}")
    return False


def _check_constant(arguments: Any) -> None:
    n = arguments["n"]
    if not isinstance(n, types.IntegerLiteral) or not 1 <= n.literal_value <= LANES:
        raise TypingError(f"n is a constant, 1 .. {LANES}")


def _declare(function: Any, vector_form: Any, loop: Any) -> None:
    """Jitted code that calls `function` gets its vector form, or the loop where vectors do not work."""
    signature = inspect.signature(loop)
    names = list(signature.parameters)

    def resolve(*arguments):  # numba calls it with the argument types
        if "n" in names:
            _check_constant(dict(zip(names, arguments, strict=True)))
        return vector_form if vectors_work() else loop

    resolve.__signature__ = signature  # type: ignore[attr-defined] # read by numba
    overload(function, prefer_literal=True)(resolve)


_declare(bits_of, lambda row, at, n: vectors.bits_of(row, at, n), loops.bits_of)
_declare(bits_equal, lambda row, value, n: vectors.bits_equal(row, value, n), loops.bits_equal)
_declare(bits_at_most, lambda row, value, n: vectors.bits_at_most(row, value, n), loops.bits_at_most)
_declare(write_bits, lambda out, at, word, n: vectors.write_bits(out, at, word, n), loops.write_bits)
_declare(widen, lambda out, at, row, n: vectors.widen_from(out, at, row, 0, n), loops.widen)
_declare(widen_from, lambda out, at, row, start, n: vectors.widen_from(out, at, row, start, n), loops.widen_from)
_declare(
    widen_less,
    lambda out, at, row, start, less, first, n: vectors.widen_less(out, at, row, start, less, first, n),
    loops.widen_less,
)
_declare(subtract, lambda out, at, row, n: vectors.subtract(out, at, row, n), loops.subtract)
_declare(
    write_excess, lambda out, at, source, value, n: vectors.write_excess(out, at, source, value, n), loops.write_excess
)
_declare(sum_of, lambda row, n: vectors.sum_of(row, n), loops.sum_of)
_declare(low_bytes, lambda rows, first, shift: vectors.low_bytes(rows, first, shift), loops.low_bytes)
_declare(unpack, lambda out, at, word, shifts, low, n: vectors.unpack(out, at, word, shifts, low, n), loops.unpack)
_declare(ones_in, lambda word: vectors.ones_in(word), loops.ones_in)
_declare(fetch, lambda rows, i: vectors.fetch(rows, i), loops.fetch)
