# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""The functions of `wide` as LLVM's vectors: what is compiled where numba's interface for vectors is the tested one.

The arguments and the results are those that `wide` describes; `n` has been checked.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

LANES = 64  # the most places at once
LINE = 64  # bytes of a line of the processor's cache, of most machines
BYTE, BIT, WORD, INDEX = ir.IntType(8), ir.IntType(1), ir.IntType(64), ir.IntType(32)
FIRST = ir.Constant(WORD, 0)


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
def bits_of(typingctx, row, at, n):
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


bits_equal, bits_at_most = _comparing("=="), _comparing("<=")


@intrinsic(prefer_literal=True)
def write_bits(typingctx, out, at, word, n):
    def code(context, builder, signature, arguments):
        bits = _as_bits(builder, arguments[2], n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], bits, signed=False)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64, n), code


@intrinsic(prefer_literal=True)
def widen_from(typingctx, out, at, row, start, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[2], arguments[3], n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], values, signed=row.dtype.signed)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, types.int64, n), code


@intrinsic(prefer_literal=True)
def widen_less(typingctx, out, at, row, start, less, first, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[2], arguments[3], n.literal_value)
        others = _load(context, builder, less, arguments[4], arguments[5], n.literal_value)
        _store(context, builder, out, arguments[0], arguments[1], builder.sub(values, others), signed=True)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, types.int64, less, types.int64, n), code


@intrinsic(prefer_literal=True)
def subtract(typingctx, out, at, row, n):
    def code(context, builder, signature, arguments):
        less = _load(context, builder, row, arguments[2], FIRST, n.literal_value)
        values = _load(context, builder, out, arguments[0], arguments[1], n.literal_value)
        less = _converted(builder, less, values.type.element, row.dtype.signed)
        minus = builder.fsub if isinstance(out.dtype, types.Float) else builder.sub
        _store(context, builder, out, arguments[0], arguments[1], minus(values, less), signed=True)
        return context.get_dummy_value()

    return types.void(out, types.int64, row, n), code


@intrinsic(prefer_literal=True)
def write_excess(typingctx, out, at, source, value, n):
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
def sum_of(typingctx, row, n):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, row, arguments[0], FIRST, n.literal_value)
        name = f"llvm.vector.reduce.add.v{n.literal_value}i8"
        add = get_or_insert_function(builder.module, ir.FunctionType(BYTE, [values.type]), name)
        return builder.zext(builder.call(add, [values]), WORD)

    return types.int64(row, n), code


@intrinsic(prefer_literal=True)
def unpack(typingctx, out, at, word, shifts, low, n):
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
def low_bytes(typingctx, rows, first, shift):
    def code(context, builder, signature, arguments):
        values = _load(context, builder, rows, arguments[0], arguments[1], 8)
        values = builder.ashr(values, _splat(builder, builder.trunc(arguments[2], values.type.element), 8))
        return builder.bitcast(builder.trunc(values, _lanes(BYTE, 8)), WORD)

    return types.uint64(rows, types.int64, types.int64), code


@intrinsic
def ones_in(typingctx, word):
    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), code


@intrinsic
def fetch(typingctx, rows, i):
    def code(context, builder, signature, arguments):
        array = context.make_array(rows)(context, builder, arguments[0])
        step = builder.extract_value(array.strides, 0)
        row = builder.gep(builder.bitcast(array.data, BYTE.as_pointer()), [builder.mul(arguments[1], step)])
        for_writing, near, data = (ir.Constant(INDEX, number) for number in (1, 3, 1))
        kind = ir.FunctionType(ir.VoidType(), [row.type, INDEX, INDEX, INDEX])
        ask = get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        for at in range(0, context.get_abi_sizeof(context.get_data_type(rows.dtype)), LINE):
            builder.call(ask, [builder.gep(row, [ir.Constant(WORD, at)]), for_writing, near, data])
        return context.get_dummy_value()

    return types.void(rows, types.int64), code
