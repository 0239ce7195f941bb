"""Numbers, texts and other values that a reader does not expect."""

from __future__ import annotations

from typing import Any

HUGE = 10**5000  # more digits than Python's own limit for texts of numbers
NUMBERS = (
    -1, 0, 1, 2, 3, 7, 8, 100, 127, 128, 129, 255, 256, 257, 32767, 32768, 65535, 65536,
    2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**30,
    HUGE,
)  # fmt: skip
TEXTS = (
    "", " ", "1", "0", "-1", "null", "true", "\x00", "\x1b[31m", "\n", "\u2028", "\ud800", "\udfff", "é", "٣", "²",
    "\U0001f3d9",
    "a" * 70, "x" * 5000, "[bold]", "%s", "{}", "../..", "__proto__", "nan",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (
    *NUMBERS, *TEXTS, True, False, None, 0.0, 1.0, -0.0, 0.5, 1e308, 1e-320,
    float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
