"""What a reset of a batch asks for: which rows begin a game, and with which seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skyline.arguments import check_reset_options
from skyline.rng import SEED_LIMIT, check_seed, following_seed, fresh_seed
from skyline.typing import Array


def rows_to_reset(options: Mapping[str, Any] | None, all_rows: Array) -> Array:
    """The rows of options["reset_mask"], or all."""
    options = check_reset_options(options)
    mask = options.pop("reset_mask", None)
    if options:
        raise ValueError(f"reset knows the option reset_mask, not {', '.join(map(str, options))}")
    if mask is None:
        return all_rows
    mask = np.asarray(mask)
    if mask.shape != all_rows.shape or mask.dtype != bool or not mask.any():
        raise ValueError(f"reset_mask is a bool array of shape ({len(all_rows)},) with a True in it")
    return np.flatnonzero(mask)


def seeds_of(seed: int | Sequence[int] | None, rows: Array, n: int, deals: Array | None) -> Array:
    """The seeds of the games that begin in these rows of n. `deals` (n,): the seeds of the games before; None: there
    are none."""
    if seed is None:
        if deals is not None:
            return np.array([following_seed(word) for word in deals[rows]], np.uint64)
        seed = fresh_seed() % (SEED_LIMIT // 2)
    if isinstance(seed, (str, bytes)) or not isinstance(seed, (Sequence, np.ndarray)) or not np.shape(seed):
        first = int(check_seed(seed))  # type: ignore[arg-type] # a 0-dimensional array, say: TypeError
        return np.array([check_seed(first + int(row)) for row in rows], np.uint64)
    if len(seed) != n:
        raise ValueError(f"a list of seeds has one for each of the {n} games, not {len(seed)}")
    return np.array([check_seed(seed[row]) for row in rows], np.uint64)
