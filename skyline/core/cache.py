"""Where compiled kernels are kept: a folder that nobody else may write to, and in that a folder for every stamp.

    <base>/<name>-<stamp>/     the kernels `name`, made of the sources whose hash the stamp is

numba's own cache looks only at the file of the cached function: edit a game's `rules.py` and the old rules keep
running. An edit changes the stamp, so nothing stale can be found. Old stamps are pruned; a lock file keeps processes
that meet an empty folder at the same time from compiling side by side.

A kept kernel is a pickle with machine code: whoever can write to its folder runs code as the user who loads it. So the
base is the first of these folders that belongs to the user and that no other user may write to:

    $NUMBA_CACHE_DIR                                  where that is set
    $XDG_CACHE_HOME/skyline/kernels, ~/.cache/..      otherwise
    <temporary folder>/skyline-kernels-<user id>      where the folder above cannot be used
    a fresh folder of this process alone              with a warning: every process compiles anew
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import llvmlite
import numba
import numpy as np
from numba.core import event

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


SKYLINE = Path(__file__).parents[1]  # the folder of the package
COMPILED = (  # below the folder skyline; a test looks
    "arguments",
    "core/cache",
    "core/cards",
    "core/choice",
    "core/engine/batch",
    "core/engine/desk",
    "core/engine/learner",
    "core/engine/rollouts",
    "core/engine/row",
    "core/fields",
    "core/jit",
    "core/kept",
    "core/libraries",
    "core/loops",
    "core/masks",
    "core/oneway",
    "core/overloads",
    "core/packing",
    "core/scratch",
    "core/seats",
    "core/vectors",
    "core/wide",
    "declarations",
    "game",
    "rng",
)
KEPT_STAMPS = 8
COMPILING = "skyline:compile"  # the kind of numba event that `locked` tells: kernels are compiled, loaded or waited for
HAS_OWNERS = hasattr(os, "geteuid")  # elsewhere folders of a user's profile are private by themselves
PRIVATE, OTHERS_WRITE = 0o700, stat.S_IWGRP | stat.S_IWOTH
NOT_STAMPED = ("tests", "__pycache__")  # folders inside a package that no kernel is made of
REMEDY = "set NUMBA_CACHE_DIR to a folder of your own that no other user may write to (chmod 700)"


class CacheWarning(RuntimeWarning):
    """Compiled kernels cannot be kept where they should be, so other processes compile them again."""


@lru_cache(None)
def warn_once(text: str) -> None:
    """A warning that a process gives once, wherever its cause is met again."""
    warnings.warn(text, CacheWarning, stacklevel=2)


# ---------------------------------------------------------------- the base folder


def cache_base() -> Path:
    """The first folder that can be trusted and written to; OSError where not even the temporary folder can."""
    for base in _bases():
        return base
    raise OSError(f"no folder for compiled kernels can be written to: {REMEDY}")


def _bases() -> Iterator[Path]:
    """Folders for kernels, best first, each made, looked at and found private."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        folder, fault = _private(Path(given).absolute(), tighten=False)
        if folder is not None:
            yield folder
        else:
            warn_once(f"NUMBA_CACHE_DIR={given} is not used for compiled kernels: {fault}; {REMEDY}")
    elif (own := _user_folder()) is not None:
        folder, _ = _private(own, tighten=True)
        if folder is not None:
            yield folder
    shared, fault = _private_temporary()
    if shared is not None:
        yield shared
    fresh = _fresh_folder(os.getpid())
    if fresh is not None:
        warn_once(f"compiled kernels are kept for this process alone ({fault}): {REMEDY}")
        yield fresh


def _user_folder() -> Path | None:
    """skyline's part of the user's cache folder; None for a user without a home."""
    if sys.platform == "win32":
        place = os.environ.get("LOCALAPPDATA")
        return Path(place) / "skyline" / "kernels" if place else None
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if given.is_absolute():  # a relative one is to be ignored, its specification says
        return given / "skyline" / "kernels"
    if not Path(os.environ.get("HOME", "/")).is_absolute():  # empty: no home, not the root folder
        return None
    try:
        home = Path.home()
    except RuntimeError:  # no HOME, and a user whom the system does not know
        return None
    return home / ".cache" / "skyline" / "kernels" if home.is_dir() else None


def _private_temporary() -> tuple[Path | None, str]:
    """The user's own folder in the temporary folder, where anybody may have made one by that name before."""
    try:
        folder = Path(tempfile.gettempdir()) / (f"skyline-kernels-{os.geteuid()}" if HAS_OWNERS else "skyline-kernels")
    except OSError as reason:
        return None, str(reason)
    if folder.is_symlink():
        return None, f"{folder} is a symbolic link"
    return _private(folder, tighten=True)


@lru_cache(None)
def _fresh_folder(process: int) -> Path | None:
    """A new folder that the process removes at its end; a forked child makes one of its own."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="skyline-kernels-"))
    except OSError:
        return None

    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _private(folder: Path, *, tighten: bool) -> tuple[Path | None, str]:
    """The folder without symbolic links, made where it is missing, or None and why it cannot be used.

    With `tighten`, one that belongs to the user but is open to others is closed to them.
    """
    try:
        _make(folder)
        folder = folder.resolve(strict=True)
        fault = _fault(folder)
        if fault and tighten and HAS_OWNERS and folder.stat().st_uid == os.geteuid():
            folder.chmod(PRIVATE)
            fault = _fault(folder)
        if not fault and not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
            fault = f"{folder} cannot be written to"
    except (OSError, RuntimeError) as reason:  # RuntimeError: links in a circle
        return None, str(reason)
    return (None, fault) if fault else (folder, "")


def _make(folder: Path) -> None:
    """The folder and those above it that are missing, closed to other users whatever the umask is."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for part in reversed(missing):
        with contextlib.suppress(FileExistsError):  # made by another process meanwhile, or a broken link: stat tells
            part.mkdir(mode=PRIVATE)


def _fault(folder: Path) -> str:
    """Why another user could put files into the folder, or ""."""
    status = folder.stat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder} is not a folder"
    if not HAS_OWNERS:
        return ""
    if status.st_uid != os.geteuid():
        return f"{folder} belongs to user {status.st_uid}, not to user {os.geteuid()}"
    if status.st_mode & OTHERS_WRITE:
        return f"other users may write to {folder} (mode {stat.S_IMODE(status.st_mode):04o})"
    for parent in folder.parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"every user may put another folder in the place of {folder}, for {parent} is open to all"
    return ""


def is_private(status: os.stat_result) -> bool:
    """Whether a file is the user's own, and nobody else may write to it."""
    if not HAS_OWNERS:
        return stat.S_ISREG(status.st_mode)
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & OTHERS_WRITE


# ---------------------------------------------------------------- stamps


def package_folder(function: Callable[..., Any]) -> Path:
    """The folder of the whole package that a function belongs to, or of its file where that is in no package."""
    path = Path(function.__code__.co_filename)
    depth = function.__module__.count(".") + (path.name == "__init__.py")
    return path.parents[max(depth - 1, 0)]


def python_sources(folder: Path) -> Iterator[Path]:
    """The Python files that kernels of a package may be made of, in a fixed order: those of sub-folders, too, but not
    of tests and of hidden folders. A folder that is no package has only its own files."""
    is_package = (folder / "__init__.py").is_file() or (folder / "game.py").is_file()
    for place, below, files in os.walk(folder):
        below[:] = sorted(n for n in below if is_package and not n.startswith(".") and n not in NOT_STAMPED)
        yield from (Path(place) / name for name in sorted(files) if name.endswith(".py") and not name.startswith("."))


def stamp(folders: Sequence[Path]) -> str:
    """A short hash of all that kernels are made of: skyline's compiled modules, the Python sources in these folders,
    numba and what it compiles by, NumPy and the interpreter."""
    made_by = [numba.__version__, llvmlite.__version__, np.__version__, sys.implementation.cache_tag]
    made_by += [f"bounds checked: {bool(numba.config.BOUNDSCHECK)}", f"optimised: {numba.config.OPT}"]
    digest = hashlib.sha256(" ".join(map(str, made_by)).encode())
    sources = [(SKYLINE, SKYLINE / f"{module}.py") for module in COMPILED]
    sources += [(folder, source) for folder in folders for source in python_sources(folder)]
    for folder, source in sources:
        text = source.read_bytes()
        digest.update(f"\n{folder.name}/{source.relative_to(folder).as_posix()} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()[:16]


def cache_folder(name: str, sources: Sequence[Path]) -> Path | None:
    """The folder of the kernels `name` made of `sources`, marked as used now; older stamps are pruned.

    None where no folder can be written to: kernels are then compiled in every process.
    """
    stamped = f"{name}-{stamp(sources)}"
    for base in _bases():
        folder, fault = _private(base / stamped, tighten=True)
        if folder is None:
            warn_once(f"compiled kernels cannot be kept in {base}: {fault}")
            continue
        with contextlib.suppress(OSError):
            (folder / "used").touch()
            prune(base, name)
        return folder
    warn_once(f"compiled kernels cannot be kept anywhere: {REMEDY}")
    return None


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


@contextlib.contextmanager
def locked(folder: Path | None) -> Iterator[None]:
    """Hold the folder's lock while compiling: a second process waits and then loads. A killed holder frees the lock.

    Where a lock cannot be had (a full or read-only disk, a network without locks), processes compile side by side.
    """
    with event.trigger_event(COMPILING), contextlib.ExitStack() as held:
        if folder is not None:
            with contextlib.suppress(OSError):
                lock = held.enter_context((folder / "lock").open("a+b"))
                _lock(lock)
        yield  # closing the file gives the lock back
