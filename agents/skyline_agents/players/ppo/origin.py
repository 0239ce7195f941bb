"""What a model was trained with: the commit of the checkout, or the version of the installed package."""

from __future__ import annotations

import subprocess
from pathlib import Path

import skyline

GIT_SECONDS = 10.0  # the most that git may take


def origin(checkout: Path | None = None) -> str:
    """The commit of the checkout that skyline runs from, in words; without a checkout or git the package's version."""
    folder = Path(skyline.__file__).parents[1] if checkout is None else checkout
    installed = f"skyline {skyline.__version__}, installed without a checkout"
    if not (folder / ".git").exists():
        return installed
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):  # git is missing, or refuses to read the checkout
        return installed
    return f"commit {commit}{', with changes that were not committed' if changed else ''}"


def _git(folder: Path, *arguments: str) -> str:
    """What a command of git prints."""
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=GIT_SECONDS)
    return done.stdout.strip()
