"""Where models lie: the user's own come first, shipped ones are left alone, weaker ones are not taken by mistake."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import skyline
from skyline import registry
from skyline.reading import Unreadable
from skyline_agents.play import play
from skyline_agents.players.ppo import network, shelf
from skyline_agents.players.ppo.origin import origin
from tests.support.commands import run
from tests.support.playing import FEW, GAME

pytestmark = pytest.mark.usefixtures("commands")
STEM = f"{GAME}_{FEW}p"


def a_run(folder: Path, first: float = 0.9, **changed: Any) -> Path:
    """The folder of a finished run: the shipped model with other figures."""
    folder.mkdir()
    data = json.loads((shelf.SHIPPED / f"{STEM}.json").read_text())
    data["strength"]["heuristic"]["first"] = first
    (folder / shelf.DATA).write_text(json.dumps({**data, **changed}))
    shutil.copy(shelf.SHIPPED / f"{STEM}.safetensors", folder / shelf.MODEL)
    (folder / shelf.CARD).write_text(f"-a ppo:{shelf.MODEL}, ![curve]({shelf.PICTURE})")
    (folder / shelf.PICTURE).write_bytes(b"picture")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(shelf.VARIABLE, str(tmp_path / "own"))
    return tmp_path / "own"


def test_a_shipped_run_goes_to_the_users_folder_and_is_looked_at_first(own: Path, tmp_path: Path) -> None:
    before, game = contents(shelf.SHIPPED), registry.load(GAME)
    assert shelf.find(game, FEW) == shelf.SHIPPED / f"{STEM}.safetensors"
    said = run("train", "ship", a_run(tmp_path / "run"))
    assert (said.code, said.err) == (0, "")
    assert sorted(contents(own)) == ["README.md", *(f"{STEM}.{kind}" for kind in ("json", "md", "png", "safetensors"))]
    assert shelf.find(game, FEW) == own / f"{STEM}.safetensors"
    assert (own / f"{STEM}.md").read_text() == f"-a ppo, ![curve]({STEM}.png)"
    assert f"| [{STEM}]({STEM}.md) | 50% | 90.0%" in (own / "README.md").read_text()
    assert contents(shelf.SHIPPED) == before
    assert len(play(GAME, "ppo,random", 1, players=FEW)) == 1


def test_a_weaker_model_is_refused_with_both_figures(own: Path, tmp_path: Path) -> None:
    weak, shipped = a_run(tmp_path / "weak", 0.32), shelf.SHIPPED / f"{STEM}.safetensors"
    said = run("train", "ship", weak)
    assert said.code == 1
    assert said.refused() == (
        f"{weak}: the model is weaker than {shipped}, which it would replace: first among heuristic players "
        "32.0% ± 1.5% in 2,000 games, that one 84.9% ± 1.5% in 2,000 games; --force replaces it all the same"
    )
    assert not own.exists()
    assert run("train", "ship", weak, "--force").code == 0
    assert run("train", "ship", a_run(tmp_path / "better", 0.4)).code == 0, "stronger than the user's own"
    assert "weaker" in run("train", "ship", a_run(tmp_path / "worse", 0.39)).refused()
    (own / f"{STEM}.json").unlink()
    assert "has no card" in run("train", "ship", a_run(tmp_path / "best", 1.0)).refused()


def test_an_explicit_folder_is_compared_with_what_it_holds(own: Path, tmp_path: Path) -> None:
    assert run("train", "ship", a_run(tmp_path / "weak", 0.32), "--to", tmp_path / "models").code == 0
    assert "weaker" in run("train", "ship", a_run(tmp_path / "worse", 0.3), "--to", tmp_path / "models").refused()
    assert not own.exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"strength": {}}, "card.strength: the field 'heuristic' is missing"),
        ({"strength": [1]}, "card.strength: an object"),
        ({"players": 4}, "is the card of another model"),
        ({"tables": "0" * 16}, "is the card of another model"),
        ({"seconds": "long"}, "card.seconds: a number"),
        ({"shares": {"update": True}}, "card.shares.update: a number"),
        ({"threads": None}, "card.threads: a whole number"),
    ],
)
def test_a_wrong_card_is_told_with_file_and_field(change: dict[str, Any], says: str, own: Path, tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", **change)
    assert run("train", "ship", folder).refused().startswith(str(folder / shelf.DATA))
    assert says in run("train", "ship", folder).refused()
    assert not own.exists()


def test_a_damaged_card_beside_it_stops_before_anything_is_written(own: Path, tmp_path: Path) -> None:
    own.mkdir()
    (own / "other_2p.json").write_text("{" * 100)
    with pytest.raises(Unreadable, match=r"other_2p\.json: is nested deeper"):
        shelf.ship(a_run(tmp_path / "run"))
    assert [path.name for path in own.iterdir()] == ["other_2p.json"]


def test_a_model_of_other_rules_is_not_shipped_and_says_what_to_do(own: Path, tmp_path: Path) -> None:
    folder = a_run(tmp_path / "run", tables="0" * 16)
    model = network.load(folder / shelf.MODEL)
    network.save(network.TrainedModel(**{**vars(model), "tables": "0" * 16}), folder / shelf.MODEL)
    assert "and other tables: train a new one" in run("train", "ship", folder).refused()
    own.mkdir()
    shutil.copy(folder / shelf.MODEL, own / f"{STEM}.safetensors")
    with pytest.raises(ValueError, match="move this file away to play with the shipped model"):
        play(GAME, "ppo", 1, players=FEW)


def test_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(shelf.VARIABLE, "~/mine")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shelf.user_folder() == tmp_path / "mine"
    monkeypatch.setenv(shelf.VARIABLE, "")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert shelf.user_folder() == tmp_path / ".local/share/skyline/models"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert shelf.user_folder() == tmp_path / "data/skyline/models"
    monkeypatch.setattr("sys.platform", "darwin")
    assert shelf.user_folder() == tmp_path / "Library/Application Support/skyline/models"

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    assert shelf.user_folder() is None
    assert shelf.folders() == [shelf.SHIPPED]
    with pytest.raises(ValueError, match="set SKYLINE_MODELS, or give --to DIR"):
        shelf.ship(tmp_path)


def test_the_help_says_where_models_go() -> None:
    said = " ".join(run("train", "ship", "--help").out.replace("│", " ").split())
    for words in ("$SKYLINE_MODELS", "looks into the folder of your own models first", "--force", "maintainers"):
        assert words in said


# ---------------------------------------------------------------- the commit of a training


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.com"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_card_names_the_commit_and_says_if_files_were_changed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("1\n")
    git(tmp_path, "add", "a.py")
    git(tmp_path, "commit", "-q", "-m", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert origin(tmp_path) == f"commit {commit}"
    (tmp_path / "a.py").write_text("2\n")
    assert origin(tmp_path) == f"commit {commit}, with changes that were not committed"


def test_without_a_checkout_or_git_a_card_names_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = f"skyline {skyline.__version__}, installed without a checkout"
    assert origin(tmp_path) == installed
    (tmp_path / ".git").mkdir()  # nothing that git can read
    assert origin(tmp_path) == installed
    monkeypatch.setenv("PATH", "")
    assert origin(tmp_path) == installed


def test_an_origin_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = a_run(tmp_path / "run", 0.9) / shelf.DATA
    data = json.loads(path.read_text())
    del data["origin"]
    path.write_text(json.dumps(data))
    assert shelf.read_card(path) == data, "cards of older versions have no origin"
    path.write_text(json.dumps({**data, "origin": 5}))
    with pytest.raises(ValueError, match="origin: a text"):
        shelf.read_card(path)


@pytest.mark.parametrize("path", sorted(shelf.SHIPPED.glob("*.json")), ids=lambda path: path.stem)
def test_shipped_cards_say_where_they_come_from(path: Path) -> None:
    said = shelf.read_card(path)["origin"]
    assert re.search("commit [0-9a-f]{12}", said)
    assert f"Trained with {said}." in path.with_suffix(".md").read_text(encoding="utf-8")
