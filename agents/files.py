"""Files that are there whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def whole(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a file beside it, wait until the disk has it, then put it in place."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    part = Path(name)
    try:
        os.close(handle)
        write(part)
        part.chmod(0o666 & ~_umask())
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    def write(part: Path) -> None:
        part.write_text(text, encoding="utf-8")

    whole(path, write)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
