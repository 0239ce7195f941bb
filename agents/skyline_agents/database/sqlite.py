"""SQLite files: whether one may be opened, its errors in words, and one process at a time that writes.

    with reading(path) as connection: ..           # a snapshot; the file and its folder may be read-only
    with in_words(path): connection.execute(..)    # errors of SQLite become OSError or Unreadable, with the file
    with Held(path): ..                            # a second holder is refused

This module knows nothing of the tables.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from skyline.files import in_words as os_words
from skyline.reading import Unreadable

BUSY_SECONDS = 60.0  # the longest wait for another program that holds the database
LOOK_SECONDS = 0.05  # between two tries; Ctrl-C does not end SQLite's own waiting
MOST_VALUE = 2**24  # bytes of one value in a table
WHAT = "the database of a tournament"

_PRIMARY = 0xFF  # the bits of an extended error code that hold the primary code
_DISK = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)


def _code(error: sqlite3.Error) -> int | None:
    """SQLite's primary error code; None for an error of Python's module sqlite3."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & _PRIMARY


def _is_busy(error: sqlite3.Error) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextlib.contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Errors over the file, the disk and other programs, in words. Errors in our own statements stay as they are."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError):
        raise
    except UnicodeDecodeError:
        raise Unreadable("is damaged (a text in the file is no UTF-8): take a copy", str(path)) from None
    except sqlite3.Error as error:
        raise _translated(path, error) from None


def _translated(path: Path, error: sqlite3.Error) -> Exception:
    said, code = " ".join(str(error).split()), _code(error)
    if _is_busy(error):
        held = f"another program holds the database (waited {BUSY_SECONDS:g} s): close it in database browsers, backups"
        return OSError(errno.EBUSY, f"{held} and other tournaments", str(path))
    if code == sqlite3.SQLITE_NOTADB:
        return Unreadable(f"is not {WHAT}: it is no SQLite file, or its first bytes are damaged", str(path))
    if code == sqlite3.SQLITE_FULL:
        kept = "what was written is kept; make room, and the same command goes on"
        return OSError(errno.ENOSPC, f"the disk is full; {kept}", str(path))
    if code in _DISK:
        return OSError(errno.EIO, f"the database cannot be opened, read or written here ({said})", str(path))
    return Unreadable(f"is damaged ({said}): take a copy, or try sqlite3 FILE .recover", str(path))


def patiently(act: Callable[[], Any]) -> Any:
    """The result of `act`, which is tried again, for at most BUSY_SECONDS, while another program holds the database."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return act()
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() >= until:
                raise
        time.sleep(LOOK_SECONDS)


# ---------------------------------------------------------------- opening


def check_file(path: Path) -> None:
    """Unreadable or OSError unless this is a regular file with something in it.

    The file is looked at and never opened: a process that closes any descriptor of a file loses the locks that its
    SQLite connections hold on the file (POSIX), and others would remove the log that this process writes into.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        raise FileNotFoundError(errno.ENOENT, "there is no such database", str(path)) from None
    if stat.S_ISDIR(found.st_mode):
        raise Unreadable(f"is a folder, not {WHAT}", str(path))
    if not stat.S_ISREG(found.st_mode):  # reading a pipe could wait for ever
        raise Unreadable(f"is no regular file; {WHAT} is one", str(path))
    if found.st_size == 0:
        raise Unreadable(f"is not {WHAT}: it is empty", str(path))


def opened(path: Path, how: str) -> sqlite3.Connection:
    """A connection that does not wait and does not trust the file; `how` is the query of a URI, such as mode=ro."""
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write and that reads one snapshot of the file."""
    check_file(path)
    with in_words(path), closing(_opened_to_read(path)) as connection:
        yield connection


def _opened_to_read(path: Path) -> sqlite3.Connection:
    """A connection to read. With mode=ro SQLite would leave files beside the database; query_only leaves none."""
    try:
        return _snapshot(path, "mode=rw")
    except sqlite3.OperationalError as error:
        if _code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = path.with_name(f"{path.name}-wal")  # no file can be made in this folder, so no other program writes
    if log.exists() and log.stat().st_size:
        left = f"the folder is read-only and {log.name} holds results that are not in the database yet"
        raise OSError(errno.EROFS, f"{left}: copy both files to a folder that can be written to", str(path))
    return _snapshot(path, "immutable=1")


def _snapshot(path: Path, how: str) -> sqlite3.Connection:
    connection = opened(path, how)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        patiently(lambda: connection.execute("SELECT count(*) FROM sqlite_master").fetchone())
    except BaseException:
        connection.close()
        raise
    return connection


# ---------------------------------------------------------------- one holder


def lock_file(path: Path) -> Path:
    """The lock file of a database."""
    return path.with_name(f"{path.name}-lock")


class Held:
    """A lock on a database, held by this process. The system frees it when the process ends, in whatever way.

    `release` removes the lock file while it is locked. Another process may have opened the file before, and lock it
    afterwards: then it holds a file without a name. So after locking, `Held` checks that its file still has the name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        while True:
            self._file = _locked(path)
            if self._is_named():
                return
            self._file.close()

    def _is_named(self) -> bool:
        """Whether the locked file is still the one with the name of the lock file."""
        try:
            named = lock_file(self.path).stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(self._file.fileno()))

    def release(self) -> None:
        """Let another process hold the database."""
        with contextlib.suppress(OSError):  # Windows does not remove an open file: the next holder locks it again
            lock_file(self.path).unlink()
        self._file.close()

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()


def _locked(path: Path) -> IO[bytes]:
    """The lock file of a database, opened and locked; ValueError if another process has locked it."""
    try:
        file = lock_file(path).open("a+b")
    except OSError as error:
        needs = f"the tournament needs a folder that can be written to ({error.strerror})"
        raise OSError(error.errno, needs, str(path)) from None
    try:
        _lock(file)
    except OSError as error:
        file.close()
        if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise ValueError(f"{path}: another process is playing this tournament") from None
        raise OSError(error.errno, f"the database cannot be locked here ({os_words(error)})", str(path)) from None
    return file


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
