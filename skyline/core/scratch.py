# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Room on the stack for a computation: the core allocates nothing (skyline.core.jit), and tables of chances are too
large for variables.

    desk = scratch(n)      n float64, not cleared; n is a constant. The room is gone when the function that asked
                           for it returns: it may be handed to functions, and never be returned or stored.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

MOST = 1 << 14  # numbers: 128 KiB, a small part of the smallest stack of a thread (512 KiB)
NUMBER = 8  # bytes


def _plain(n: int) -> Any:
    return np.empty(n)


@intrinsic(prefer_literal=True)
def _on_stack(typingctx, n):
    if not isinstance(n, types.IntegerLiteral) or not 1 <= n.literal_value <= MOST:
        raise TypingError(f"n is a constant, 1 .. {MOST}")
    row = types.Array(types.float64, 1, "C")

    def code(context, builder, signature, arguments):
        word = context.get_value_type(types.intp)
        size, step = ir.Constant(word, n.literal_value), ir.Constant(word, NUMBER)
        data = cgutils.alloca_once(builder, ir.DoubleType(), size=n.literal_value)
        array = make_array(row)(context, builder)
        populate_array(array, data=data, shape=(size,), strides=(step,), itemsize=step, meminfo=None)
        return array._getvalue()

    return row(n), code


scratch: Any = _plain if numba.config.DISABLE_JIT else _on_stack
