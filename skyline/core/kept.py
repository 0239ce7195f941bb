# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs
"""Compiled kernels as files: checked before anything in them is used, and compiled again where that check fails.

A file holds one function compiled for one list of argument types on one kind of processor:

    MARK    what the file is, and the version of this layout
    sha256  of all that follows, 32 bytes
    pickle  (key, what numba makes a compiled function from)

numba's own files have no checksum: one that was cut or overwritten (by a power cut, a full disk) is unpickled and its
machine code loaded as it is. Here a damaged file is removed, and a file that another user owns or may write to is, too.
`KernelCache` stands where numba keeps the cache of a dispatcher; where that private interface differs from the one of
the tested versions, kernels are compiled in every process, with one warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from skyline.core.cache import is_private, warn_once

MARK = b"skyline kernel, layout 1\n"
HEAD = len(MARK) + hashlib.sha256().digest_size


def read_checked(path: Path) -> memoryview | None:
    """The pickle in a file, or None: there is no such file, or it was damaged or not private, and is removed."""
    try:
        with open(path, "rb", opener=_without_links) as file:
            private = is_private(os.fstat(file.fileno()))
            data = memoryview(file.read()) if private else memoryview(b"")
    except FileNotFoundError:
        return None
    except OSError:
        data = memoryview(b"")
    body = data[HEAD:]
    if data[:HEAD] == MARK + hashlib.sha256(body).digest():
        return body
    with contextlib.suppress(OSError):  # what cannot be removed is overwritten, or met and refused again
        path.unlink()
    return None


def _without_links(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def write_checked(path: Path, body: bytes) -> None:
    """Write the file so that it is there whole or not at all, for its owner alone."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(MARK + hashlib.sha256(body).digest())
            file.write(body)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


class KernelCache:
    """The cache of one function, with the methods that numba's dispatchers call."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        code = function.__code__
        self._folder, self._enabled = folder, True
        self._name = f"{Path(code.co_filename).stem}.{function.__name__}-{code.co_firstlineno}"
        self._function = (function.__module__, function.__qualname__, hashlib.sha256(code.co_code).hexdigest())

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Remove what is kept of the function."""
        for path in self._folder.glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The function compiled for these argument types, or None if it is to be compiled."""
        if not self._enabled:
            return None
        try:
            target.refresh()
            key, path = self._place(signature, target.codegen())
            body = read_checked(path)
            if body is None:
                return None
            kept, parts = pickle.loads(body)
            return _compile_result()._rebuild(target, *parts) if kept == key else None
        except Exception as reason:
            _warn("loaded", reason)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled; a disk that is full or cannot be written to costs the next process its time only."""
        if not self._enabled:
            return
        try:
            from numba.core.serialize import dumps

            if compiled.lifted or compiled.library.has_dynamic_globals:
                warn_once(f"{self._name} cannot be kept: the function uses large global arrays or addresses")
                return
            key, path = self._place(signature, compiled.codegen)
            write_checked(path, dumps((key, compiled._reduce())))
        except OSError as reason:
            warn_once(f"compiled kernels cannot be kept in {self._folder}, so every process compiles them: {reason}")
        except Exception as reason:
            _warn("kept", reason)

    def _place(self, signature: Any, codegen: Any) -> tuple[Any, Path]:
        """What tells this compiled function from all others, and its file."""
        key = (self._function, signature, codegen.magic_tuple())
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return key, self._folder / f"{self._name}.{digest}.nbc"


def _compile_result() -> Any:
    from numba.core.compiler import CompileResult

    return CompileResult


def _warn(what: str, reason: Exception) -> None:
    warn_once(
        f"compiled kernels cannot be {what} with this version of numba ({type(reason).__name__}: {reason}), so every "
        "process compiles them"
    )
