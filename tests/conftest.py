"""Settings for all tests: no window is opened, no plot is shown, and the core may run as plain Python."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from skyline import registry
from skyline.game import Game
from tests.support.commands import COMMANDS
from tests.support.processes import TOY, declare
from tests.support.rule_cases import folder_of

FOLDERS = {folder_of(name): name for name in registry.names()}

os.environ["SKYLINE_MODELS"] = str(Path(__file__).parent / "no_models_of_the_user")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SKYLINE_QUIET", "1")  # stderr must be the same with a cold and with a warm cache


def pytest_configure(config: pytest.Config) -> None:
    """Warnings are errors (pyproject.toml). The one exception: in plain Python the random words overflow by design."""
    if numba.config.DISABLE_JIT:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")


def group_of(test: str) -> str:
    """The game of a test, by its folder or its parameters; else its file."""
    file, _, rest = test.partition("::")
    words = [FOLDERS.get(Path(file).parent.name), *re.split(r"[\[\]-]", rest)]
    return next((word for word in words if word in registry.names()), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a game run in one process, and so do the other tests of a file: common parts of kernels are compiled
    once, and common objects of a file are made once. (`--dist loadgroup` of xdist 3.8 does nothing in pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        """Groups of tests; the largest groups come first."""

        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return ByGame(config, log)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that declares the commands of pyproject.toml, as an installed distribution does."""
    folder = tmp_path_factory.mktemp("site")
    declare(folder, "skyline.commands", COMMANDS)
    return folder


@pytest.fixture
def commands(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of pyproject.toml exist in this process."""
    monkeypatch.syspath_prepend(str(site))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with a user's agents in own.py."""
    from skyline_agents.tournament import work

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path, str(tmp_path)])
    shutil.copy(Path(__file__).parent / "support" / "own_agents.py", tmp_path / "own.py")
    work._match.cache_clear()
    yield tmp_path
    sys.modules.pop("own", None)
    work._match.cache_clear()


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """The toy game, in this process."""
    sys.path.insert(0, str(TOY.parent))
    yield importlib.import_module("toy_env.game").GAME
    sys.path.remove(str(TOY.parent))
