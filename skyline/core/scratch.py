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
from numba.np.arrayobj import populate_array

MOST = 1 << 14  # numbers: 128 KiB, a small part of the smallest stack of a thread (512 KiB)
BYTES = 8  # of a number


def _allocated(n: int) -> Any:
    """In plain Python."""
    return np.empty(n)


@intrinsic(prefer_literal=True)
def _on_the_stack(typingctx, n):
    if not isinstance(n, types.IntegerLiteral) or not 1 <= n.literal_value <= MOST:
        raise TypingError(f"n is a constant, 1 .. {MOST}")
    array_type = types.Array(types.float64, 1, "C")

    def code(context, builder, signature, arguments):
        length = context.get_constant(types.intp, n.literal_value)
        stride = context.get_constant(types.intp, BYTES)
        data = cgutils.alloca_once(builder, ir.DoubleType(), size=length)
        array = context.make_array(array_type)(context, builder)
        populate_array(array, data=data, shape=[length], strides=[stride], itemsize=stride, meminfo=None)
        return array._getvalue()

    return array_type(n), code


scratch: Any = _allocated if numba.config.DISABLE_JIT else _on_the_stack
