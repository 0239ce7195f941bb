# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-incomplete-defs
"""Room on the stack for a computation: the core allocates nothing (skyline.core.jit), and tables of chances are too
large for variables.

    desk = scratch(n)      n float64, not cleared; n is a constant. The room is gone when the function that asked
                           for it returns: it may be handed to functions, and never be returned or stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

MOST = 1 << 14  # numbers: 128 KiB, a small part of the smallest stack of a thread (512 KiB)


def scratch(n: int) -> Any:
    return np.empty(n)


@intrinsic(prefer_literal=True)
def _room(typingctx, n):
    def code(context, builder, signature, arguments):
        return cgutils.alloca_once(builder, ir.DoubleType(), size=n.literal_value)

    return types.CPointer(types.float64)(n), code


def _resolve(n):
    if not isinstance(n, types.IntegerLiteral) or not 1 <= n.literal_value <= MOST:
        raise TypingError(f"n is a constant, 1 .. {MOST}")
    return lambda n: carray(_room(n), (n,))


overload(scratch, prefer_literal=True, inline="always")(_resolve)
