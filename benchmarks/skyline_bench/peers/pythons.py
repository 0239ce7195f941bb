"""Interpreters of this machine, for peers that need a newer Python than the one that runs the bench."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

Version = tuple[int, int]
LATER = 8  # how many minor versions after the least one are looked for
LOOKED = "on the PATH, in pyenv's versions and in .debian13 (make test-python)"


def find(least: Version) -> Path | None:
    """This interpreter if its version is high enough, else the first other one that can make environments."""
    if sys.version_info[:2] >= least:
        return Path(sys.executable)
    return next((path for path in candidates(least) if suits(path, least)), None)


def candidates(least: Version) -> Iterator[Path]:
    """Files that may be such an interpreter, the lowest version first in each place."""
    names = [f"python{least[0]}.{minor}" for minor in range(least[1], least[1] + LATER)]
    yield from (Path(path) for path in map(shutil.which, names) if path is not None)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    debian = Path(os.environ.get("DEBIAN13", ".debian13")).absolute() / "usr" / "bin"
    for name in names:
        yield from sorted(path for path in pyenv.glob(f"*/bin/{name}"))
        if (debian / name).is_file():
            yield debian / name


def suits(path: Path, least: Version) -> bool:
    """Does the interpreter start, has it this version or a later one, and can it make environments with pip?"""
    ask = f"import ensurepip, sys, venv; sys.exit(sys.version_info[:2] < {least})"
    try:
        return subprocess.run([str(path), "-c", ask], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
