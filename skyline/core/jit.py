"""Everything numba: our decorator, record dtypes, and kernels that are kept. No other file names a numba option.

Some of what is used here is private to numba: `_nrt`, the class of dispatchers, the cache of a dispatcher.
`pyproject.toml` bounds numba by the newest version that was tested; where another one lacks `_nrt` or the cache,
kernels are compiled without it, slower and with one warning, and play the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

from skyline.core.cache import SKYLINE, cache_folder, locked, package_folder, warn_once
from skyline.core.kept import KernelCache
from skyline.core.libraries import KernelCompiler, PartCompiler


def _core_options() -> dict[str, Any]:
    """No GIL, C division, no memory of its own: without numba's reference counts (two atomic operations for every array
    that is passed on) the core is 1.7 times as fast, and a line that would allocate does not compile."""
    options = {"nogil": True, "error_model": "numpy", "_nrt": False}
    try:
        from numba.core.options import DefaultOptions

        known = hasattr(DefaultOptions, "_nrt")
    except ImportError:
        known = False
    if not known:
        warn_once(f"numba {numba.__version__} has no option _nrt: the core counts references and is slower")
        del options["_nrt"]
    return options


CORE = _core_options()


class Part(CPUDispatcher):  # type: ignore[misc] # numba is not read by mypy
    """A function that compiled functions call.

    Called from plain Python, as tests do, the function is compiled as a kernel in every process; `FromPython` keeps the
    kernel in the cache.
    """

    def __call__(self, *arguments: Any) -> Any:
        return self.kernel(*arguments)

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """Compiled once for whole numbers of any width: they are passed as 64 bits."""
        _, folded = self._compiler.fold_argument_types(arguments, keywords)
        return super().get_call_template(tuple(map(_widened, folded)), {})

    @cached_property
    def kernel(self) -> Any:
        return cached_kernel(self.py_func, None)


def _widened(kind: Any) -> Any:
    """The type of a whole number as 64 bits, without the value of a constant; every other type as it is."""
    if not isinstance(kind, numba.types.Integer):
        return kind
    whole = numba.types.unliteral(kind)
    return numba.types.int64 if whole.bitwidth < 64 else whole


def njit(function: Callable[..., Any]) -> Any:
    """Compile a function of the core (rules, engine), with no cache of its own (kernels are cached)."""
    if numba.config.DISABLE_JIT:
        return function
    options = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **CORE}
    return Part(function, targetoptions=options, pipeline_class=PartCompiler)


def record_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """An aligned record dtype for states whose rows have attributes, with every gap filled by a named field.

    No byte of such a record is padding: equal states are equal bytes, in NumPy and in numba.
    """
    filled: list[tuple[Any, ...]] = []
    offset, widest = 0, 1

    def fill_up_to(alignment: int) -> None:
        nonlocal offset
        gap = -offset % alignment
        if gap:
            filled.append((f"fill_{offset}", np.uint8, (gap,)))
            offset += gap

    for field in fields:
        dtype = np.dtype([field])[0]
        alignment = 8 if dtype.names else dtype.base.alignment  # numba aligns a record in a record to 8
        fill_up_to(alignment)
        filled.append(field)
        offset += dtype.itemsize
        widest = max(widest, alignment)
    fill_up_to(widest)
    return np.dtype((np.record, np.dtype(filled, align=True)))


# ---------------------------------------------------------------- kernels


def cached_kernel(function: Callable[..., Any], folder: Path | None) -> Any:
    """Compile `function` lazily with its machine code kept in `folder` (None: nowhere)."""
    kernel = numba.njit(pipeline_class=KernelCompiler, no_cfunc_wrapper=True, **CORE)(function)
    if folder is not None:
        kernel._cache = KernelCache(function, folder)
    return kernel


class FromPython:
    """A jitted function as plain Python calls it, on a row: compiled on first use, kept in the cache.

    (Called directly, a jitted function compiles again in every process.)
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if self._compiled is None:
            self._compiled = self._compile(arguments)
        return self._compiled(*arguments)

    def _compile(self, arguments: tuple[Any, ...]) -> Any:
        if numba.config.DISABLE_JIT:
            return self._function
        plain = self._function.py_func
        package = package_folder(plain)
        sources = [] if package == SKYLINE else [package]  # every stamp covers the compiled modules of skyline
        folder = cache_folder(f"{package.name}-{plain.__name__}", sources)
        compiled = cached_kernel(plain, folder)
        compiled.belongs_to = package.name  # told while the function is compiled (skyline/core/announce.py)
        with locked(folder):
            compiled.compile(tuple(map(numba.typeof, arguments)))
        return compiled
