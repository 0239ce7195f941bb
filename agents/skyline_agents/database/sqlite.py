"""SQLite files: whether one may be opened, its errors in words, and one process at a time that writes.

    with reading(path) as connection: ..           # a snapshot; the file and its folder may be read-only
    with in_words(path): connection.execute(..)    # whatever SQLite says is an OSError or an Unreadable with the file
    with Held(path): ..                            # a second holder is refused

Nothing here knows what is in the tables.
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

BUSY_SECONDS = 60.0  # to wait for somebody else who holds the database
LOOK_SECONDS = 0.05  # between two tries; SQLite's own waiting would not hear Ctrl-C
MOST_VALUE = 2**24  # bytes of one value in a table
WHAT = "the database of a tournament"

_PRIMARY = 0xFF  # of an extended error code
_DISK = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)


def _code(error: sqlite3.Error) -> int | None:
    """SQLite's primary error code; None for what Python's module found (text that is no UTF-8)."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & _PRIMARY


def _is_busy(error: sqlite3.Error) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextlib.contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Errors of the file, the disk and other programs, in words. Errors of our own statements come through."""
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
    """What `act` gives, tried again as long as somebody else holds the database, at most BUSY_SECONDS."""
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
    if not stat.S_ISREG(found.st_mode):  # a pipe would wait for ever
        raise Unreadable(f"is no regular file; {WHAT} is one", str(path))
    if found.st_size == 0:
        raise Unreadable(f"is not {WHAT}: it is empty", str(path))


def opened(path: Path, how: str) -> sqlite3.Connection:
    """A connection that waits for nobody and trusts nothing in the file; `how` is a query such as mode=ro."""
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write; all that it reads is of the same moment."""
    check_file(path)
    with in_words(path), closing(_opened_to_read(path)) as connection:
        yield connection


def _opened_to_read(path: Path) -> sqlite3.Connection:
    """With mode=ro SQLite would leave the files beside the database lying that it shares it by: query_only instead."""
    try:
        return _snapshot(path, "mode=rw")
    except sqlite3.OperationalError as error:
        if _code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = path.with_name(f"{path.name}-wal")  # nothing can be made beside the database, so that nobody else writes
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
    return path.with_name(f"{path.name}-lock")


class Held:
    """A database held for this process. The system frees it when the process ends in whatever way.

    The lock file is removed while it is still locked. Somebody may have opened it before that and lock it after:
    what he then holds has no name any more. So whoever has locked a file looks whether it is the one of this name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        while True:
            self._file = _locked(path)
            if self._is_named():
                return
            self._file.close()

    def _is_named(self) -> bool:
        try:
            named = lock_file(self.path).stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(named, os.fstat(self._file.fileno()))

    def release(self) -> None:
        """Let others hold it."""
        with contextlib.suppress(OSError):  # Windows does not remove an open file: the next holder locks it again
            lock_file(self.path).unlink()
        self._file.close()

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()


def _locked(path: Path) -> IO[bytes]:
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
