"""What every test needs: no window is opened, no plot is shown, and the core may run as plain Python."""

from __future__ import annotations

import os
from pathlib import Path

import numba
import pytest

from skyline import registry
from tests.rule_cases import tests_folder

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("MPLBACKEND", "Agg")


def pytest_configure(config: pytest.Config) -> None:
    """Warnings are errors (pyproject.toml), but for one: the words of the random stream wrap round in plain Python."""
    config.addinivalue_line("markers", "xdist_group(name): tests that run in one process (known to xdist, if there)")
    if numba.config.DISABLE_JIT:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a game run in one process (`--dist loadgroup`): what its kernels have in common is compiled once."""
    names = registry.names()
    folders = {tests_folder(name): name for name in names}
    for item in items:
        given = item.callspec.params.values() if hasattr(item, "callspec") else ()
        for name in (folders.get(item.path.parent.name), *given):
            if isinstance(name, str) and name in names:
                item.add_marker(pytest.mark.xdist_group(name))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Of a game that is not registered yet (no `game.py`) only the oracle is tested."""
    folder = collection_path.parent
    env = folder.parent.parent / f"{folder.name}_env"
    if collection_path.suffix == ".py" and env.is_dir() and not (env / "game.py").is_file():
        return collection_path.name not in ("__init__.py", "test_oracle.py") or None
    return None
