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
    widen_less(out, at, row, start, less, first, n)    the same of one row less number first + i of another one
    widen_round(out, at, row, first, m, n)    out[at + i] = row[(first + i) % m], i below m; then the same may follow.
                                              row[m] .. row[n - 1] are 0; the n values are 4 or 8 bytes together
    subtract(out, at, row, n)       out[at + i] -= row[i]
    write_excess(out, at, source, value, n)    out[at + i] = the larger of 0 and out[source + i] - value
    unpack(out, at, word, shifts, low, n)    out[at + i] = word >> shifts[i] & low
    low_bytes(rows, first, shift)   byte i of the word: the low byte of value number first + i >> shift; i is 0 .. 7
    sum_of(row, n)                  the sum of row[i]; row[i] is not negative, the sum is below 256
    ones_in(word)                   how many bits are 1

n is a constant, at most 64; i is 0 .. n-1. Rows are of one-byte values (`bits_of`, `widen`, `widen_from`: or wider;
`shifts`: uint64; `low_bytes`: of four bytes). Nothing checks bounds.
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


def widen(out: Any, at: int, row: Any, n: int) -> None:
    out[at : at + n] = row[:n]


def widen_from(out: Any, at: int, row: Any, start: int, n: int) -> None:
    part = row.reshape(-1)[start : start + n]
    out[at : at + len(part)] = part


def widen_less(out: Any, at: int, row: Any, start: int, less: Any, first: int, n: int) -> None:
    part, other = row.reshape(-1)[start : start + n].astype(np.int64), less.reshape(-1)[first : first + n]
    n = min(len(part), len(other))
    out[at : at + n] = part[:n] - other[:n]


def widen_round(out: Any, at: int, row: Any, first: int, m: int, n: int) -> None:
    for i in range(m):
        out[at + i] = row[(first + i) % m]


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
def _widen_from(typingctx, out, at, row, start, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[2], arguments[3], n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], values, signed=row.dtype.signed)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, types.int64, n), code


@intrinsic(prefer_literal=True)
def _widen_less(typingctx, out, at, row, start, less, first, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[2], arguments[3], n.literal_value)
        others = _load(context, builder, less, arguments[4], arguments[5], n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], builder.sub(values, others), signed=True)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, types.int64, less, types.int64, n), code


@intrinsic(prefer_literal=True)
def _widen_round(typingctx, out, at, row, first, m, n):
    def code(context, builder, signature, arguments):
        bits, lanes = row.dtype.bitwidth, n.literal_value
        values = _load(context, builder, row, arguments[2], FIRST, lanes)
        ring = builder.zext(builder.bitcast(values, ir.IntType(bits * lanes)), ir.IntType(2 * bits * lanes))
        steps = (builder.mul(count, ir.Constant(WORD, bits)) for count in (arguments[4], arguments[3]))
        whole, turned = (builder.zext(step, ring.type) if 2 * bits * lanes > 64 else step for step in steps)
        ring = builder.lshr(builder.or_(ring, builder.shl(ring, whole)), turned)
        values = builder.bitcast(builder.trunc(ring, ir.IntType(bits * lanes)), values.type)
        _store(context, builder, out, arguments[0], arguments[1], values, signed=row.dtype.signed)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, types.int64, types.int64, n), code


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
def _low_bytes(typingctx, rows, first, shift):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, rows, arguments[0], arguments[1], 8)
        values = builder.ashr(values, _splat(builder, builder.trunc(arguments[2], values.type.element), 8))
        return builder.bitcast(builder.trunc(values, _lanes(BYTE, 8)), WORD)

    return types.uint64(rows, types.int64, types.int64), code


@intrinsic
def _ones_in(typingctx, word):
    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


# ---------------------------------------------------------------- jitted code calls the vector form


def _trial(row, shifts, grid, out, words):
    """Reading, comparing, writing and counting; what it writes is compared with plain Python's."""
    words[0] = _bits_of(row, 1, 5)
    words[1] = _bits_equal(row, 3, 6)
    words[2] = _ones_in(words[0])
    _write_bits(out, 0, words[0], 5)
    _widen_from(out, 20, row, 0, 6)
    _unpack(out, 30, words[0], shifts, np.uint64(1), 4)
    _subtract(out, 22, row, 3)
    _widen_from(out, 40, row, 2, 4)
    _widen_less(out, 44, row, 2, row, 0, 4)
    _widen_round(out, 48, row, 1, 4, 4)
    _write_excess(out, 34, 20, 1, 6)
    words[3] = _sum_of(row, 6)
    words[4] = _low_bytes(grid, 1, 2)


def _plain_trial(row: Any, shifts: Any, grid: Any, out: Any, words: Any) -> None:
    words[0], words[1] = bits_of(row, 1, 5), bits_equal(row, 3, 6)
    words[2] = ones_in(words[0])
    write_bits(out, 0, words[0], 5)
    widen(out, 20, row, 6)
    unpack(out, 30, words[0], shifts, np.uint64(1), 4)
    subtract(out, 22, row, 3)
    widen_from(out, 40, row, 2, 4)
    widen_less(out, 44, row, 2, row, 0, 4)
    widen_round(out, 48, row, 1, 4, 4)
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

    resolve.__signature__ = signature  # type: ignore[attr-defined]
    overload(function, prefer_literal=True)(resolve)


_declare(bits_of, lambda row, at, n: _bits_of(row, at, n), loops.bits_of)
_declare(bits_equal, lambda row, value, n: _bits_equal(row, value, n), loops.bits_equal)
_declare(bits_at_most, lambda row, value, n: _bits_at_most(row, value, n), loops.bits_at_most)
_declare(write_bits, lambda out, at, word, n: _write_bits(out, at, word, n), loops.write_bits)
_declare(widen, lambda out, at, row, n: _widen_from(out, at, row, 0, n), loops.widen)
_declare(widen_from, lambda out, at, row, start, n: _widen_from(out, at, row, start, n), loops.widen_from)
_declare(
    widen_less,
    lambda out, at, row, start, less, first, n: _widen_less(out, at, row, start, less, first, n),
    loops.widen_less,
)
_declare(widen_round, lambda out, at, row, first, m, n: _widen_round(out, at, row, first, m, n), loops.widen_round)
_declare(subtract, lambda out, at, row, n: _subtract(out, at, row, n), loops.subtract)
_declare(write_excess, lambda out, at, source, value, n: _write_excess(out, at, source, value, n), loops.write_excess)
_declare(sum_of, lambda row, n: _sum_of(row, n), loops.sum_of)
_declare(low_bytes, lambda rows, first, shift: _low_bytes(rows, first, shift), loops.low_bytes)
_declare(unpack, lambda out, at, word, shifts, low, n: _unpack(out, at, word, shifts, low, n), loops.unpack)
_declare(ones_in, lambda word: _ones_in(word), loops.ones_in)
