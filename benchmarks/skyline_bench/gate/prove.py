"""A proof that the gate finds slower code: python -m skyline_bench.gate.prove

In a copy of the checkout a comment is added to Manhattan's rules: the gate must be green. Then `step` counts the whole
board again at every move, which changes no game: the gate must be red.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from skyline_bench.gate.check import ROOT, git

GAME, RULES = "manhattan", "manhattan_env/rules.py"
STEP = "def step(s, action):\n"
SLOWED = "    for _ in range(4):\n        survey(s)\n"


def copy(folder: Path) -> None:
    """A new repository whose single commit has the files of the working tree."""
    for name in git("ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    git("init", "--quiet", "--initial-branch=main", folder=folder)
    git("add", "--all", folder=folder)
    git("-c", "user.name=gate", "-c", "user.email=gate@localhost", "commit", "--quiet", "-m", "base", folder=folder)


def run(folder: Path, cache: str, rules: str) -> int:
    """The gate's exit code with these rules. Kernels of slowed rules go to a separate cache."""
    (folder / RULES).write_text(rules, encoding="utf-8")
    command = [sys.executable, "-m", "skyline_bench.gate.check", GAME, "--base", "HEAD", "--layers", "step"]
    packages = os.pathsep.join(str(folder / name) for name in (".", "benchmarks", "agents"))  # the copy's own
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": packages}
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def slowed(rules: str) -> str:
    """The rules with a `step` that counts the board four times for nothing."""
    head, found, body = rules.partition(STEP)
    docstring, closed, rest = body.partition('"""\n')
    if not (found and closed) or "def survey(" in rules or "survey" not in rules:
        raise ValueError(f"{RULES} is not as this script expects it: write it anew")
    return head + found + docstring + closed + SLOWED + rest


def main() -> int:
    """Exit code 0 if the gate was green and then red."""
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as cache:
        folder = Path(place)
        copy(folder)
        rules = (folder / RULES).read_text(encoding="utf-8")
        print("a comment more:", flush=True)
        comment = run(folder, cache, rules + "\n# One comment more.\n")
        print("\na slowed rule:", flush=True)
        slow = run(folder, cache, slowed(rules))
    print(f"\nexit codes: {comment} for the comment (0 is right), {slow} for the slowed rule (1 is right)")
    return 0 if (comment, slow) == (0, 1) else 1


if __name__ == "__main__":
    sys.exit(main())
