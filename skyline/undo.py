"""Taking back what was done to arrays, when something between fails."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Undo:
    """The arrays (contiguous) get their bytes of before back if a `with` block raises, Ctrl-C included.

    >>> with Undo([states, mask]):
    ...     play(states, mask)
    """

    def __init__(self, arrays: Sequence[Array]) -> None:
        self._arrays = [array.reshape(-1).view(np.uint8) for array in arrays]
        self._kept = [np.empty_like(array) for array in self._arrays]

    def __enter__(self) -> None:
        for kept, array in zip(self._kept, self._arrays, strict=True):
            kept[:] = array

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            for kept, array in zip(self._kept, self._arrays, strict=True):
                array[:] = kept
