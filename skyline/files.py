"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path


def in_words(error: OSError) -> str:
    """The file and what the system says of it, on one line."""
    reason = error.strerror or str(error) or type(error).__name__
    return reason if error.filename is None else f"{os.fsdecode(error.filename)}: {reason}"


def check_target(path: Path, what: str) -> None:
    """OSError or ValueError if no file can be made here: said before the work that ends with writing it."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ValueError(f"{path}: {what} cannot be written, the folder {folder} does not exist")
    if path.is_dir():
        raise ValueError(f"{path}: {what} cannot be written, a folder has this name")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, f"{what} cannot be written, the folder is read-only", str(path))


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """The name of a file beside `path` to write to; it takes that place unless something was raised.

    An OSError names `path`, whatever the system named."""
    part = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())  # the disk has it, should the machine stop now
        part.replace(path)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(part), part):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):  # what was raised before says more
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> Path:
    """A text file in UTF-8, whole or not at all."""
    with whole(path) as part:
        part.write_text(text, encoding="utf-8")
    return path


def remove_parts(folder: Path, name: str) -> None:
    """Remove what killed processes left of `whole` for files whose names begin so; nobody may be writing them."""
    is_part = re.compile(rf"\.{re.escape(name)}.*-[0-9a-f]{{8}}")
    for path in folder.iterdir():
        if is_part.fullmatch(path.name):
            path.unlink(missing_ok=True)
