"""The arrays in which observation and mask of the seat to decide are handed out, without copying them at every step."""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline.typing import Array

BLOCK_ROWS = 32  # the most rows that are allocated together: most steps allocate nothing
BLOCK_BYTES = 48 * 1024  # and the most bytes of a block: the C library takes larger ones from the system, page by page


class Handout:
    """Rows that a kernel writes and the environment hands out.

    The kernel writes row `free` of `observations` and `masks`. `take` shows that row, and is called only after the
    kernel has accepted the move: until then nothing that is shown has changed. A row that was handed out is not written
    again, except with `is_one_row`: then there is one row, which is written at every step.
    """

    __slots__ = ("_last", "_mask_rows", "_observation_rows", "free", "is_one_row", "mask", "masks", "observation",
                 "observations", "unseen")  # fmt: skip

    masks: Array  # (rows, A) the block of rows that the kernel writes
    observations: Array  # (rows, N)
    free: int  # the row of the block that is written next
    mask: Array  # (A,) the row that is shown
    observation: Array  # (N,)
    unseen: bool  # the row shown may be handed out: nobody has it, or it is the only one

    def __init__(self, size: int, actions: int, dtype: str, is_one_row: bool) -> None:
        self.is_one_row, self.unseen = is_one_row, False
        self._begin_block(size, actions, dtype)

    def _begin_block(self, size: int, actions: int, dtype: Any) -> None:
        a_row = max(size * np.dtype(dtype).itemsize, actions)
        rows = 1 if self.is_one_row else max(1, min(BLOCK_ROWS, BLOCK_BYTES // a_row))
        self.observations, self.masks = np.zeros((rows, size), dtype), np.zeros((rows, actions), np.int8)
        self._observation_rows, self._mask_rows = list(self.observations), list(self.masks)
        self.free, self._last = 0, rows - 1

    def take(self) -> Array:
        """Show the row that the kernel has written; returns the mask of that row."""
        at = self.free
        self.observation, self.mask = self._observation_rows[at], self._mask_rows[at]
        self.unseen = True
        if at < self._last:
            self.free = at + 1
        elif not self.is_one_row:
            self._begin_block(self.observations.shape[1], self.masks.shape[1], self.observations.dtype)
        return self.mask

    def give(self) -> dict[str, Array]:
        """Hand out the row that is shown, which must be `unseen`: it belongs to the caller."""
        self.unseen = self.is_one_row
        return {"observation": self.observation, "action_mask": self.mask}
