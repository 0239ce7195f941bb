"""Everything numba: our decorator, record dtypes, and kernels that are kept. No other file names a numba option.

Some of what is used here is private to numba: `_nrt`, the code library, the cache of a dispatcher. `pyproject.toml`
bounds numba by the newest version that was tested; where another one lacks something, kernels are compiled without it,
slower and with one warning, and play the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import set_option
from numba.core.compiler import CompilerBase, DefaultPassBuilder

from skyline.core.cache import SKYLINE, cache_folder, locked, package_folder, warn_once
from skyline.core.kept import KernelCache


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
UNRESOLVED = ".numba.unresolved$"  # numba's prefix for the name of a function that calls itself


def njit(function: Callable[..., Any]) -> Any:
    """Compile a function of the core (rules, engine), with no cache of its own (kernels are cached)."""
    return numba.njit(**CORE)(function)


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


def _library_class() -> type[Any]:
    """The class of a kernel's machine code; ImportError or AttributeError where numba has another interface."""
    from llvmlite.binding import Linkage
    from numba.core.codegen import JITCodeLibrary

    class KernelLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is not read by mypy
        """A kernel's machine code, in which every function that the kernel calls belongs to this kernel alone.

        numba leaves such functions open, so that kernels share them: a kernel may then run on parts that were compiled
        for an earlier kernel of the process, and the optimiser may change no call. Manhattan's random rollout makes
        7.9 million steps a second with this class and 5.8 million without it (python -m skyline_bench.gate.tricks).
        The functions are private and not internal, because the linker of a process finds internal functions by their
        names, too. A function that calls itself stays open: numba looks for it by its name.
        """

        def _optimize_final_module(self) -> None:
            module = self._final_module
            recursive = {variable.name.removeprefix(UNRESOLVED) for variable in module.global_variables}
            for function in module.functions:
                closes = function.linkage == Linkage.linkonce_odr and function.name not in recursive
                if closes and not function.is_declaration:
                    function.linkage = Linkage.private
            super()._optimize_final_module()

    JITCodeLibrary._optimize_final_module  # noqa: B018 - a method that nobody calls would close nothing
    return KernelLibrary


class KernelCompiler(CompilerBase):  # type: ignore[misc] # numba is not read by mypy
    """numba's usual steps, into a library of a kernel's own where this numba has one."""

    library_class: type[Any] | None = None  # None: looked for

    def define_pipelines(self) -> list[Any]:
        _align_functions()
        state, own = self.state, self.library_class or kernel_library()
        if own is not None:
            state.library = own(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


@lru_cache(None)
def _align_functions() -> None:
    """Let every function that is compiled from now on begin at a multiple of 64 bytes, the length of a cache line.

    Otherwise the speed of a kernel depends on the place where a process happens to load the machine code: the same
    kernel is up to 9 % faster or slower (docs/bench.md, the gate).
    """
    set_option("skyline", "-align-all-functions=6")


@lru_cache(None)
def kernel_library() -> type[Any] | None:
    """The library class for kernels if a small function compiled into it works; else None, and a warning."""
    try:
        found = _library_class()
        trial = type("Trial", (KernelCompiler,), {"library_class": found})
        if numba.njit(pipeline_class=trial, **CORE)(_one_more)(1) == 2:
            return found
        reason = "a trial gave a wrong result"
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    warn_once(f"kernels are compiled into numba's own libraries, and are slower: numba {numba.__version__}, {reason}")
    return None


def _one_more(n):  # type: ignore[no-untyped-def]
    return n + 1


def cached_kernel(function: Callable[..., Any], folder: Path | None) -> Any:
    """Compile `function` lazily with its machine code kept in `folder` (None: nowhere)."""
    kernel = numba.njit(pipeline_class=KernelCompiler, **CORE)(function)
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
        with locked(folder):
            compiled.compile(tuple(map(numba.typeof, arguments)))
        return compiled
