"""What every test needs: no window is opened, no plot is shown, and the core may run as plain Python."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest

from skyline import registry
from tests.commands import COMMANDS
from tests.processes import declare
from tests.rule_cases import folder_of

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
    """The tests of a game run in one process (`--dist loadgroup`), and the rest of a file does: what kernels have in
    common is compiled once, and what the tests of a file share is made once."""
    names = registry.names()
    folders = {folder_of(name): name for name in names}
    for item in items:
        given = item.callspec.params.values() if hasattr(item, "callspec") else ()
        games = (name for name in (folders.get(item.path.parent.name), *given) if isinstance(name, str))
        group = next((name for name in games if name in names), item.path.stem)
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Of a game that is not registered yet (no `game.py`) only the oracle is tested."""
    folder = collection_path.parent
    env = folder.parent.parent / f"{folder.name}_env"
    if collection_path.suffix == ".py" and env.is_dir() and not (env / "game.py").is_file():
        return collection_path.name not in ("__init__.py", "test_oracle.py") or None
    return None


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that declares the commands of pyproject.toml, as an installed distribution does."""
    folder = tmp_path_factory.mktemp("site")
    declare(folder, "skyline.commands", COMMANDS)
    return folder


@pytest.fixture
def commands(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands are there in this process."""
    monkeypatch.syspath_prepend(str(site))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with agents of the user's in own.py."""
    from agents import work

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path, str(tmp_path)])
    shutil.copy(Path(__file__).with_name("own_agents.py"), tmp_path / "own.py")
    work._match.cache_clear()
    yield tmp_path
    sys.modules.pop("own", None)
    work._match.cache_clear()
