"""Python processes of their own in a temporary place, with copies of our packages that a test may change."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import skyline
from skyline import registry
from skyline.core.cache import cache_base

ROOT = Path(skyline.__file__).parent.parent
TOY = ROOT / "tests" / "toy" / "toy_env"
PACKAGES = ("skyline", "agents/skyline_agents", "benchmarks/skyline_bench")


def copy_package(source: Path, folder: Path) -> Path:
    """A package copied below a folder, without its compiled files."""
    ignored = shutil.ignore_patterns("__pycache__", "results")
    return Path(shutil.copytree(source, folder / source.name, ignore=ignored, dirs_exist_ok=True))


def checkout(folder: Path, games: tuple[str, ...] = (), packages: tuple[str, ...] = PACKAGES) -> Path:
    """A folder with copies of our packages and of some games."""
    for package in packages:
        copy_package(ROOT / package, folder)
    for game in games:
        copy_package(registry.find(game).folder, folder)
    return folder


def declare(folder: Path, group: str, entries: dict[str, str]) -> None:
    """Write entry points as if a distribution were installed in the folder."""
    name = re.sub(r"\W", "_", f"{folder.name}_{group}")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{entry} = {value}" for entry, value in entries.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))


def toy_site(folder: Path) -> Path:
    """A folder that declares the toy game, for processes that import it from TOY's folder and skyline from ours."""
    declare(folder, "skyline.games", {"toy": "toy_env"})
    return folder


def environment(*folders: Path, cache: Path | None, jit: bool = True, **variables: str) -> dict[str, str]:
    """The environment of a process that imports from these folders, such as checkouts. Without `cache`: our cache."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = [path for folder in folders for path in (folder, folder / "agents", folder / "benchmarks") if path.is_dir()]
    own |= {"PYTHONPATH": os.pathsep.join(map(str, paths)), "COLUMNS": "160"}
    own |= {"NUMBA_CACHE_DIR": str(cache or cache_base()), **variables}
    if not jit:
        own |= {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore:overflow encountered:RuntimeWarning"}
    return own


def start(arguments: list[str], env: dict[str, str], folder: Path) -> subprocess.Popen[str]:
    """A Python process, whose output `output` reads. Ctrl-C ends it also when the tests run in the background."""
    command, pipe = [sys.executable, *arguments], subprocess.PIPE
    return subprocess.Popen(command, env=env, cwd=folder, text=True, stdout=pipe, stderr=pipe, preexec_fn=_heed_ctrl_c)


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def output(process: subprocess.Popen[str], seconds: float = 300) -> str:
    """The output of a process; if the process failed, an error with its stderr."""
    out, err = finished(process, seconds)
    assert process.returncode == 0, f"exit code {process.returncode}\n{out}\n{err}"
    return out


def finished(process: subprocess.Popen[str], seconds: float = 300) -> tuple[str, str]:
    """Stdout and stderr of a process, which is killed if it takes too long."""
    with process:
        try:
            return process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def run(code: str, env: dict[str, str], folder: Path) -> str:
    """The output of some code in a process of its own."""
    return output(start(["-c", code], env, folder))


def failure(code: str, env: dict[str, str], folder: Path) -> str:
    """The stderr of code that must fail."""
    process = start(["-c", code], env, folder)
    _, err = finished(process)
    assert process.returncode != 0, "it did not fail"
    return err
