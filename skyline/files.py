"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """The name of a file beside `path` to write to; it takes that place unless something was raised."""
    part = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())  # the disk has it, should the machine stop now
        part.replace(path)
    finally:
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
