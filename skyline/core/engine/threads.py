"""Ranges of rows on several threads: kernels work row by row and release Python's lock while they run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from typing import Any

import numpy as np


@lru_cache(None)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="skyline")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked child has no threads: it makes its own pool


def in_chunks(run: Callable[[slice], Any], n: int, threads: int, least: int = 1) -> None:
    """run(slice) over n rows, on up to `threads` ranges of `least` rows or more side by side, with the same result.

    An exception in a range is raised when every range has ended.
    """
    ranges = min(threads, n // least)
    if ranges <= 1:
        run(slice(0, n))
        return
    edges = np.linspace(0, n, ranges + 1).astype(int)
    own, *others = map(slice, edges[:-1], edges[1:])
    waiting: list[Future[Any]] = []
    try:
        for part in others:
            waiting.append(_pool(threads - 1).submit(run, part))
        run(own)
        wait(waiting)
    finally:  # after an exception, too, nobody goes on writing the caller's arrays
        for future in waiting:
            future.cancel()
        wait(waiting)
    for future in waiting:
        future.result()
