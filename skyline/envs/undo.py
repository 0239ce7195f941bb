"""Taking back what was done to arrays, when something between fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from skyline.typing import Array


class Undo:
    """A `with` block after whose failure, Ctrl-C included, the arrays (contiguous) hold what they held before it.

    `then` is called after that and computes what follows from the arrays, which is cheaper than keeping a copy.
    """

    def __init__(self, arrays: Sequence[Array], then: Callable[[], None]) -> None:
        self._arrays = [array.reshape(-1).view(np.uint8) for array in arrays]
        self._kept = [np.empty_like(array) for array in self._arrays]
        self._rows: list[tuple[Any, str, Array, Array]] = []
        self._then, self._is_open = then, False

    def keep_rows(self, owner: Any, name: str, rows: Array) -> None:
        """Keep some rows of a further array, an attribute, that the caller writes next: few rows, so the whole array
        is not kept. The attribute may become a longer array, with further values at the ends of the rows."""
        if self._is_open:
            self._rows.append((owner, name, rows, getattr(owner, name)[rows]))

    def __enter__(self) -> None:
        if self._is_open:
            raise RuntimeError("a step or reset of a batch was called in the middle of another one, by an opponent")
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
            for owner, name, rows, kept in reversed(self._rows):
                array = getattr(owner, name)
                array[(rows, *(slice(length) for length in kept.shape[1:]))] = kept
            self._then()
        self._rows.clear()
