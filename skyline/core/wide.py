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
    write_bits4(out, at, n, a, b, c, d)    out[at + 4 * i] = bit i of a, out[at + 4 * i + 1] = bit i of b, ..
    widen(out, at, row, n)          out[at + i] = row[i]
    subtract(out, at, row, n)       out[at + i] -= row[i]
    write_excess(out, at, source, value, n)    out[at + i] = the larger of 0 and out[source + i] - value
    unpack(out, at, word, shifts, low, n)    out[at + i] = word >> shifts[i] & low
    sum_of(row, n)                  the sum of row[i]; row[i] is not negative, the sum is below 256
    ones_in(word), nth_one(word, k)    how many bits are 1; the place of the k-th of them, from 0

n is a constant, at most 64; i is 0 .. n-1. Rows are of one-byte values (`bits_of`, `widen`: or wider
ones; `shifts`: uint64). Nothing checks bounds.
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from skyline.core import loops
from skyline.core.cache import warn_once
from skyline.core.jit import njit

LANES = 64  # the most places at once
BYTE, BIT, WORD, INDEX = ir.IntType(8), ir.IntType(1), ir.IntType(64), ir.IntType(32)
FIRST = ir.Constant(WORD, 0)


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


def write_bits4(out: Any, at: int, n: int, a: Any, b: Any, c: Any, d: Any) -> None:
    for i, word in enumerate((a, b, c, d)):
        out[at + i : at + 4 * n : 4] = _bits(word, n)


def widen(out: Any, at: int, row: Any, n: int) -> None:
    out[at : at + n] = row[:n]


def subtract(out: Any, at: int, row: Any, n: int) -> None:
    out[at : at + n] -= row[:n]


def write_excess(out: Any, at: int, source: int, value: int, n: int) -> None:
    out[at : at + n] = np.maximum(0, out[source : source + n].astype(np.int64) - value)


def sum_of(row: Any, n: int) -> int:
    return int(row[:n].sum())


def unpack(out: Any, at: int, word: Any, shifts: Any, low: Any, n: int) -> None:
    out[at : at + n] = (word >> shifts[:n]) & low


def ones_in(word: Any) -> int:
    return int(word).bit_count()


# ---------------------------------------------------------------- as vectors


def _lanes(element, n):
    return ir.VectorType(element, n)


def _place(context, builder, array_type, array, at, vector):
    """Where array[at] .. lies, as a pointer to a vector."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer())


def _load(context, builder, array_type, array, at, n):
    vector = _lanes(context.get_data_type(array_type.dtype), n)
    return builder.load(_place(context, builder, array_type, array, at, vector), align=1)


def _store(context, builder, array_type, array, at, values, signed):
    """Whole numbers of any width as the array's own type."""
    values = _converted(builder, values, context.get_data_type(array_type.dtype), signed)
    builder.store(values, _place(context, builder, array_type, array, at, values.type), align=1)


def _converted(builder, values, element, signed):
    """Whole numbers of any width, or numbers of the type `element` already, as numbers of this type."""
    vector = _lanes(element, values.type.count)
    if values.type == vector:
        return values
    if not isinstance(element, ir.IntType):
        return (builder.sitofp if signed else builder.uitofp)(values, vector)
    if values.type.element.width < element.width:
        return (builder.sext if signed else builder.zext)(values, vector)
    return builder.trunc(values, vector)


def _as_word(builder, bits):
    n = bits.type.count
    word = builder.bitcast(bits, ir.IntType(n))
    return word if n == LANES else builder.zext(word, WORD)


def _as_bits(builder, word, n):
    part = word if n == LANES else builder.trunc(word, ir.IntType(n))
    return builder.bitcast(part, _lanes(BIT, n))


def _splat(builder, value, n):
    vector = _lanes(value.type, n)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, FIRST)
    return builder.shuffle_vector(one, one, ir.Constant(_lanes(INDEX, n), [0] * n))


def _interleaved(builder, a, b):
    n = a.type.count
    order = [place for i in range(n) for place in (i, n + i)]
    return builder.shuffle_vector(a, b, ir.Constant(_lanes(INDEX, 2 * n), order))


@intrinsic(prefer_literal=True)
def _bits_of(typingctx, row, at, n):
    def code(context, builder, signature, arguments):
        loaded = _load(context, builder, row, arguments[0], arguments[1], n.literal_value)
        return _as_word(builder, builder.icmp_unsigned("!=", loaded, ir.Constant(loaded.type, None)))

    return types.uint64(row, types.int64, n), code


def _comparing(sign):
    def typed(typingctx, row, value, n):
        def code(context, builder, signature, arguments):
            loaded = _load(context, builder, row, arguments[0], FIRST, n.literal_value)
            bound = _splat(builder, builder.trunc(arguments[1], BYTE), n.literal_value)
            compare = builder.icmp_signed if row.dtype.signed else builder.icmp_unsigned
            return _as_word(builder, compare(sign, loaded, bound))

        return types.uint64(row, types.int64, n), code

    return intrinsic(prefer_literal=True)(typed)


_bits_equal, _bits_at_most = _comparing("=="), _comparing("<=")


@intrinsic(prefer_literal=True)
def _write_bits(typingctx, out, at, word, n):
    def code(context, builder, signature, arguments):
        bits = _as_bits(builder, arguments[2], n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], bits, signed=False)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64, n), code


@intrinsic(prefer_literal=True)
def _write_bits4(typingctx, out, at, n, a, b, c, d):
    def code(context, builder, signature, arguments):
        lanes = n.literal_value
        first, second, third, last = (
            builder.zext(_as_bits(builder, word, lanes), _lanes(BYTE, lanes)) for word in arguments[3:]
        )
        even, odd = _interleaved(builder, first, third), _interleaved(builder, second, last)
        _store(context, builder, out, arguments[0], arguments[1], _interleaved(builder, even, odd), signed=False)
        return context.get_dummy_value()

    return types.void(out, types.int64, n, *[types.uint64] * 4), code


@intrinsic(prefer_literal=True)
def _widen(typingctx, out, at, row, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[2], FIRST, n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], values, signed=row.dtype.signed)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, n), code


@intrinsic(prefer_literal=True)
def _subtract(typingctx, out, at, row, n):
    def code(context, builder, signature, arguments):
        less = _load(context, builder, row, arguments[2], FIRST, n.literal_value)
        values = _load(context, builder, out, arguments[0], arguments[1], n.literal_value)
        less = _converted(builder, less, values.type.element, row.dtype.signed)
        minus = builder.fsub if isinstance(out.dtype, types.Float) else builder.sub
        _store(context, builder, out, arguments[0], arguments[1], minus(values, less), signed=True)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, n), code


@intrinsic(prefer_literal=True)
def _write_excess(typingctx, out, at, source, value, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, out, arguments[0], arguments[2], n.literal_value)
        bound = _converted(builder, _splat(builder, arguments[3], n.literal_value), values.type.element, signed=True)
        is_float = isinstance(out.dtype, types.Float)
        more = (builder.fcmp_ordered if is_float else builder.icmp_signed)(">", values, bound)
        rest = (builder.fsub if is_float else builder.sub)(values, bound)
        rest = builder.select(more, rest, ir.Constant(rest.type, None))
        _store(context, builder, out, arguments[0], arguments[1], rest, signed=True)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64, types.int64, n), code


@intrinsic(prefer_literal=True)
def _sum_of(typingctx, row, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[0], FIRST, n.literal_value)
        name = f"llvm.vector.reduce.add.v{n.literal_value}i8"
        add = get_or_insert_function(builder.module, ir.FunctionType(BYTE, [values.type]), name)
        return builder.zext(builder.call(add, [values]), WORD)

    return types.int64(row, n), code


@intrinsic(prefer_literal=True)
def _unpack(typingctx, out, at, word, shifts, low, n):
    def code(context, builder, signature, arguments):
        lanes = n.literal_value
        places = _load(context, builder, shifts, arguments[3], FIRST, lanes)
        values = builder.lshr(_splat(builder, arguments[2], lanes), places)
        values = builder.and_(values, _splat(builder, arguments[4], lanes))
        values = builder.trunc(values, _lanes(INDEX, lanes))
        _store(context, builder, out, arguments[0], arguments[1], values, signed=True)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64, shifts, types.uint64, n), code


@intrinsic
def _ones_in(typingctx, word):
    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


# ---------------------------------------------------------------- jitted code calls the vector form


def _trial(row, shifts, out, words):
    """Reading, comparing, writing and counting; what it writes is compared with plain Python's."""
    words[0] = _bits_of(row, 1, 5)
    words[1] = _bits_equal(row, 3, 6)
    words[2] = _ones_in(words[0])
    _write_bits(out, 0, words[0], 5)
    _write_bits4(out, 5, 3, words[0], words[1], words[0], words[1])
    _widen(out, 20, row, 6)
    _unpack(out, 30, words[0], shifts, np.uint64(1), 4)
    _subtract(out, 22, row, 3)
    _write_excess(out, 34, 20, 1, 6)
    words[3] = _sum_of(row, 6)


def _plain_trial(row: Any, shifts: Any, out: Any, words: Any) -> None:
    words[0], words[1] = bits_of(row, 1, 5), bits_equal(row, 3, 6)
    words[2] = ones_in(words[0])
    write_bits(out, 0, words[0], 5)
    write_bits4(out, 5, 3, words[0], words[1], words[0], words[1])
    widen(out, 20, row, 6)
    unpack(out, 30, words[0], shifts, np.uint64(1), 4)
    subtract(out, 22, row, 3)
    write_excess(out, 34, 20, 1, 6)
    words[3] = sum_of(row, 6)


@lru_cache(None)
def vectors_work() -> bool:
    """Whether the vector forms compile and give what plain Python gives; if not, a warning, and loops are compiled."""
    given = (np.array([1, 3, 0, 3, 2, 0], np.uint8), np.arange(4, dtype=np.uint64))
    found: list[Any] = [np.zeros(40, np.int16), np.zeros(4, np.uint64)]
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

    resolve.__signature__ = signature  # type: ignore[attr-defined]
    overload(function, prefer_literal=True)(resolve)


_declare(bits_of, lambda row, at, n: _bits_of(row, at, n), loops.bits_of)
_declare(bits_equal, lambda row, value, n: _bits_equal(row, value, n), loops.bits_equal)
_declare(bits_at_most, lambda row, value, n: _bits_at_most(row, value, n), loops.bits_at_most)
_declare(write_bits, lambda out, at, word, n: _write_bits(out, at, word, n), loops.write_bits)
_declare(write_bits4, lambda out, at, n, a, b, c, d: _write_bits4(out, at, n, a, b, c, d), loops.write_bits4)
_declare(widen, lambda out, at, row, n: _widen(out, at, row, n), loops.widen)
_declare(subtract, lambda out, at, row, n: _subtract(out, at, row, n), loops.subtract)
_declare(write_excess, lambda out, at, source, value, n: _write_excess(out, at, source, value, n), loops.write_excess)
_declare(sum_of, lambda row, n: _sum_of(row, n), loops.sum_of)
_declare(unpack, lambda out, at, word, shifts, low, n: _unpack(out, at, word, shifts, low, n), loops.unpack)
_declare(ones_in, lambda word: _ones_in(word), loops.ones_in)


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
    """First the byte of the k-th one, by sums over the bytes, then its bit."""
    sums = word - ((word >> U1) & ODD)
    sums = (sums & PAIRS) + ((sums >> U2) & PAIRS)
    sums = ((sums + (sums >> U4)) & NIBBLES) * BYTE_ONES  # byte i: ones in the bytes 0 .. i
    reached = (sums + (LARGEST - np.uint64(k) * BYTE_ONES)) & SIGNS
    shift = np.uint64(8 * (8 - ones_in(reached)))
    k -= np.int64(((sums << U8) >> shift) & U255)
    return np.int64(shift) + PLACE[(word >> shift) & U255, k]
