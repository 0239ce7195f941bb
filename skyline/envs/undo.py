"""Taking back what was done to arrays, when something between fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType

import numpy as np

from skyline.typing import Array


class Undo:
    """A `with` block after whose failure, Ctrl-C included, the arrays (contiguous) hold what they held before it.

    `then` is called after that and computes what follows from the arrays, which is cheaper than keeping a copy.
    """

    def __init__(self, arrays: Sequence[Array], then: Callable[[], None]) -> None:
        self._arrays = [array.reshape(-1).view(np.uint8) for array in arrays]
        self._kept = [np.empty_like(array) for array in self._arrays]
        self._then, self._is_open = then, False

    def refuse_within(self) -> None:
        """RuntimeError within the block."""
        if self._is_open:
            raise RuntimeError(
                "an opponent may not step, reset, copy or change the batch that asks it: a step or reset is going on"
            )

    def __enter__(self) -> None:
        self.refuse_within()
        for kept, array in zip(self._kept, self._arrays, strict=True):
            kept[:] = array
        self._is_open = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._is_open = False
        if kind is not None:
            for kept, array in zip(self._kept, self._arrays, strict=True):
                array[:] = kept
            self._then()
