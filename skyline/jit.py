"""Everything numba: our decorator, record dtypes, and the stamped kernel cache. No other file names a numba option.

numba's own cache looks only at the file of the cached function: edit a game's `rules.py` and the old rules keep
running. Kernels therefore live in a folder named by a stamp of *all* sources they are made of,

    <base>/<game>-<stamp>/        base: $NUMBA_CACHE_DIR, else the user's cache folder, else the temporary folder

so an edit changes the folder, and nothing stale can be found. Old stamps are pruned; a lock file keeps processes
that meet an empty folder at the same time from compiling side by side.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numba
import numpy as np
from llvmlite.binding import Linkage
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(0)
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # gives up after ten seconds
            except OSError:
                time.sleep(0.05)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


COMPILED = ("engine", "game", "jit", "masks", "overloads", "rng", "wide")  # what goes into kernels; a test looks
KEPT_STAMPS = 8
COMPILING = "skyline:compile"  # the kind of numba event that `locked` tells: kernels are compiled, loaded or waited for
# No GIL, C division, no memory of its own: without numba's reference counts (two atomic operations for every array
# that is passed on) the core is 1.7 times as fast, and a line that would allocate does not compile.
CORE = {"nogil": True, "error_model": "numpy", "_nrt": False}


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


# ---------------------------------------------------------------- the stamped cache


def cache_base() -> Path:
    """The first folder that can be written to: $NUMBA_CACHE_DIR, the user's cache folder, the temporary folder."""
    candidates: list[Path] = []
    if "NUMBA_CACHE_DIR" in os.environ:
        candidates.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    elif sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        candidates.append(Path(os.environ["LOCALAPPDATA"]) / "skyline" / "kernels")
    else:
        home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        candidates.append(Path(home).expanduser() / "skyline" / "kernels")
    candidates.append(Path(tempfile.gettempdir()) / "skyline-kernels")
    for folder in candidates:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    raise OSError(f"no folder for compiled kernels can be written to; tried {', '.join(map(str, candidates))}")


def stamp(folders: Sequence[Path]) -> str:
    """A short hash of all that kernels are made of: skyline's compiled modules, every Python source in these folders,
    numba, NumPy and the interpreter."""
    checks = f"bounds checked: {bool(numba.config.BOUNDSCHECK)}"
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]} {checks}".encode())
    sources = [Path(__file__).with_name(f"{module}.py") for module in COMPILED]
    for folder in folders:
        sources += sorted(folder.glob("*.py"))
    for source in sources:
        digest.update(f"\n{source.parent.name}/{source.name}\n".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(name: str, sources: Sequence[Path]) -> Path:
    """The folder of the kernels `name` made of `sources`; marks it as used now and prunes older stamps."""
    base = cache_base()
    folder = base / f"{name}-{stamp(sources)}"
    folder.mkdir(exist_ok=True)
    with contextlib.suppress(OSError):
        (folder / "used").touch()
        prune(base, name)
    return folder


def prune(base: Path, name: str) -> None:
    """Remove all but the `KEPT_STAMPS` most recently used kernel folders of `name`."""

    def last_used(folder: Path) -> float:
        try:
            return (folder / "used").stat().st_mtime
        except OSError:
            return 0.0

    stamps = [folder for folder in base.glob(f"{name}-*") if folder.name.rpartition("-")[0] == name]
    for folder in sorted(stamps, key=last_used, reverse=True)[KEPT_STAMPS:]:
        shutil.rmtree(folder, ignore_errors=True)


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc] # numba is not read by mypy
    """A kernel's machine code, with everything it calls as functions of its own.

    numba leaves them open to be shared: a process that compiles a kernel then runs it on the parts it compiled before
    (1.25 times as long), and the optimiser may change no call. Closed, Manhattan's rollout takes 0.87 of the time.
    Private, not internal: the linker of a process finds internal functions by their names, too.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = Linkage.private
        super()._optimize_final_module()


class KernelCompiler(CompilerBase):  # type: ignore[misc] # numba is not read by mypy
    """numba's usual steps, into a `KernelLibrary`."""

    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


def cached_kernel(function: Callable[..., Any], folder: Path) -> Any:
    """Compile `function` lazily with its machine code kept in `folder`."""
    base = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return numba.njit(cache=True, pipeline_class=KernelCompiler, **CORE)(function)
    finally:
        numba.config.CACHE_DIR = base


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock while compiling: a second process waits and then loads. A killed holder frees it."""
    folder.mkdir(parents=True, exist_ok=True)
    with event.trigger_event(COMPILING), (folder / "lock").open("a+b") as lock:
        _lock(lock)
        yield  # closing the file gives the lock back


class FromPython:
    """A jitted function of a game as plain Python calls it, on a row: compiled on first use, kept in the cache.

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
        source = Path(inspect.getfile(self._function.py_func))
        folder = cache_folder(f"{source.parent.name}-{self._function.__name__}", [source.parent])
        compiled = cached_kernel(self._function.py_func, folder)
        with locked(folder):
            compiled.compile(tuple(map(numba.typeof, arguments)))
        return compiled
