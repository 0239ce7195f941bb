"""The wheel: its contents, and its installation in an environment without the checkout, beside other packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.processes import ROOT

OURS = r"skyline|skyline_agents|skyline_bench|\w+_env|skyline_envs-[\w.]+\.dist-info"
pytestmark = pytest.mark.ci


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheel, its requirements, and openai-agents."""
    folder = tmp_path_factory.mktemp("elsewhere")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel), "openai-agents"], check=True)
    return python


def run(python: Path, folder: Path, *words: str) -> str:
    """The output of a command of the new environment, which runs outside the checkout and without its paths."""
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    own["COLUMNS"] = "160"
    done = subprocess.run([str(python), *words], cwd=folder, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_top_level_names_are_ours(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert not [name for name in top if not re.fullmatch(OURS, name)]
    assert {"skyline", "skyline_agents", "skyline_bench", "manhattan_env"} <= top
    assert "skyline/py.typed" in names
    assert any(name.startswith("skyline_agents/models/") and name.endswith(".safetensors") for name in names)
    assert not [name for name in names if name.endswith(".db") or "/tests/" in name]


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 12 * 2**20, (
        "PyPI's users download the trained networks, and nothing else that is large"
    )


def test_both_packages_are_there_beside_each_other(installed: Path, tmp_path: Path) -> None:
    said = run(installed, tmp_path, "-c", "import agents, skyline, skyline_agents.play; print(agents.Agent.__module__)")
    assert said.startswith("agents")
    code = "import skyline as a, skyline_agents as b, skyline_bench as c; print(a.__file__, b.__file__, c.__file__)"
    assert str(ROOT) not in run(installed, tmp_path, "-c", code)


def test_the_installed_commands_work(installed: Path, tmp_path: Path) -> None:
    command = str(installed.with_name("skyline"))
    games = run(installed, tmp_path, command, "games")
    assert all(name in games for name in ("fifth_avenue", "palazzo", "new_york", "manhattan")), games
    said = run(installed, tmp_path, command, "play", "manhattan", "-p", "2", "--agents", "ppo,heuristic", "-n", "4")
    assert "4 games" in said
    for name in ("play", "demo", "tournament", "bench", "report", "train"):
        assert "Usage" in run(installed, tmp_path, command, name, "--help")
