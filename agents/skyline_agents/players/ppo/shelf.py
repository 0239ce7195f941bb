"""Where trained models lie, and which of them plays a game: the user's own before those that come with the package.

    find("manhattan", 2)                            # the file that the agent `ppo` plays with
    ship(Path("runs/ppo-manhattan-2p"))             # copies the model of a run into the user's folder

A model consists of four files with one name, GAME_Pp: .safetensors, its figures .json, its card .md and its curve .png.
Torch is not needed here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skyline import registry
from skyline.files import whole, write_text
from skyline.game import Game
from skyline.reading import Unreadable, Value, parse_json, read_bytes, read_file
from skyline_agents.players.ppo.network import TrainedModel, load

SHIPPED = Path(__file__).parents[2] / "models"  # the models that come with the package
VARIABLE = "SKYLINE_MODELS"  # the environment variable that names the user's folder
MODEL, CARD, DATA, PICTURE = "model.safetensors", "CARD.md", "model.json", "curve.png"  # files of a run
TRAINING = ("environment", "opponents", "network", "buffer", "update")  # the parts whose time is training time
MOST = 1e15  # the largest number in a card


# ---------------------------------------------------------------- finding


def user_folder() -> Path | None:
    """The folder of the user's own models, which may not exist; None without a home folder and the variable."""
    given = os.environ.get(VARIABLE)
    try:
        return Path(given).expanduser() if given else _data_folder() / "skyline" / "models"
    except RuntimeError:  # no home folder
        return None


def _data_folder() -> Path:
    """The folder in which programs of a user keep their data on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    given = Path(os.environ.get("XDG_DATA_HOME") or "-")
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def folders() -> list[Path]:
    """The folders in which a model is looked for, in this order."""
    own = user_folder()
    return [SHIPPED] if own is None else [own, SHIPPED]


def found(stem: str) -> Path | None:
    """The first model with this name; None if there is none."""
    paths = (folder / f"{stem}.safetensors" for folder in folders())
    return next((path for path in paths if path.is_file()), None)


def find(game: Game, players: int) -> Path:
    """The model that plays this game; ValueError if there is none."""
    path = found(f"{game.name}_{players}p")
    if path is None:
        names = {path.stem for folder in folders() for path in folder.glob("*.safetensors")}
        raise ValueError(
            f"there is no trained model for {game.name} with {players} players ({', '.join(sorted(names)) or 'none'}); "
            f"train one: skyline train ppo {game.name} --players {players}, and name its file: ppo:FILE"
        )
    return path


# ---------------------------------------------------------------- cards


@dataclass(frozen=True)
class Figures:
    """The share of first places of a model among heuristic players, from its card."""

    first: float
    margin: float
    games: int

    def __str__(self) -> str:
        return f"{self.first:.1%} ± {self.margin:.1%} in {self.games:,} games"


def read_card(path: Path) -> dict[str, Any]:
    """The figures of a model; an `Unreadable` names the file and the field."""
    card = Value(parse_json(read_file(path, "card", 2**24), str(path)), f"{path}: card")
    given = card.items()
    for name in ("game", "tables"):
        given[name].text(100)
    given["players"].whole(1, 64)
    given["threads"].whole(1, 10**6)
    if "origin" in given:  # cards of older versions have none
        given["origin"].text(1000)
    for name in ("steps_done", "seconds", "steps_per_second"):
        given[name].number(0, MOST)
    for _, share in given["shares"].items():
        share.number(0, 1.01)
    for opponent in ("heuristic", "random"):
        strength = given["strength"].items()[opponent].items()
        strength["first"].number(0, 1)
        strength["first_margin"].number(0, MOST)
        strength["games"].whole(0, 2**53)
    data: dict[str, Any] = card.raw
    return data


def figures(data: Mapping[str, Any]) -> Figures:
    """The figures of a card that two models are compared by."""
    among = data["strength"]["heuristic"]
    return Figures(among["first"], among["first_margin"], among["games"])


# ---------------------------------------------------------------- shipping


def ship(run: Path, to: Path | None = None, force: bool = False) -> list[Path]:
    """Copy the model of a finished run with card, figures and curve to a folder, by default the user's own.

    ValueError if the model does not fit the installed game, or if it has fewer first places among heuristic players
    than the model that it would replace; with `force` it replaces that model nevertheless.
    """
    target = to or user_folder()
    if target is None:
        raise ValueError(f"there is no home folder to keep models in: set {VARIABLE}, or give --to DIR")
    model, data = _of_run(run)
    stem = f"{model.game}_{model.players}p"
    before = target / f"{stem}.safetensors" if to is not None else found(stem)
    if before is not None and before.is_file() and not force:
        _check_not_weaker(run, data, before)
    cards(target)  # refuses a damaged card of another model before anything is written
    files = _files(run, stem)
    target.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        with whole(target / name) as part:
            part.write_bytes(content)
    write_text(target / "README.md", index(target))
    return [target / name for name in files]


def _of_run(run: Path) -> tuple[TrainedModel, dict[str, Any]]:
    """The model of a run and its figures; ValueError if they do not belong together."""
    model, data = load(run / MODEL), read_card(run / DATA)
    theirs = (model.game, model.players, model.tables)
    if (data["game"], data["players"], data["tables"]) != theirs:
        raise Unreadable(f"is the card of another model than {MODEL}", str(run / DATA))
    try:
        model.check_fits(registry.load(model.game), model.players)
    except ValueError as reason:
        raise ValueError(f"{run / MODEL}: {reason}") from None
    return model, data


def _check_not_weaker(run: Path, data: Mapping[str, Any], before: Path) -> None:
    """ValueError if the model of a run is weaker than the model `before`, or cannot be compared with it."""
    card = before.with_suffix(".json")
    if not card.is_file():
        raise ValueError(f"{before} has no card {card.name} to compare the model of {run} with: --force replaces it")
    ours, theirs = figures(data), figures(read_card(card))
    if ours.first < theirs.first:
        raise ValueError(
            f"{run}: the model is weaker than {before}, which it would replace: first among heuristic players "
            f"{ours}, that one {theirs}; --force replaces it all the same"
        )


def _files(run: Path, stem: str) -> dict[str, bytes]:
    """The contents of model, card, curve and figures of a run by the names of the copies."""
    page = renamed(read_file(run / CARD, "card"), stem)
    return {
        f"{stem}.safetensors": read_bytes(run / MODEL, "model", 2**28),
        f"{stem}.md": page.encode(),
        f"{stem}.png": read_bytes(run / PICTURE, "picture"),
        f"{stem}.json": read_bytes(run / DATA, "card"),
    }


def renamed(page: str, stem: str) -> str:
    """The card of a run as the card of a model of this name."""
    return page.replace(PICTURE, f"{stem}.png").replace(f"ppo:{MODEL}", "ppo")


def cards(models: Path) -> dict[str, dict[str, Any]]:
    """The figures of all models in a folder by their names."""
    return {path.stem: read_card(path) for path in sorted(models.glob("*.json"))}


def index(models: Path) -> str:
    """A page about all models in a folder: how well they play, and where the time of their training went."""
    found = cards(models).items()
    return "\n".join(
        [
            "# Trained models",
            "",
            "What the agent `ppo` plays, by game and player count; written by `skyline train ship`. First places of "
            "one network at a table with heuristic players, and with random ones: 95 % intervals over deals, each "
            "played in all seat rotations. The cards say how each was trained and how its games are played again.",
            "",
            "| model | fair | first among heuristics | games | first among random | decisions | minutes |",
            "|---|---|---|---|---|---|---|",
            *(_strength_row(stem, data) for stem, data in found),
            "",
            "Decisions a second of the learner, and where the seconds went (the others: copying the heuristic, "
            "evaluations, checkpoints):",
            "",
            "| model | threads | decisions/s | " + " | ".join(TRAINING) + " |",
            "|---|---|---|" + "---|" * len(TRAINING),
            *(_speed_row(stem, data) for stem, data in found),
            "",
        ]
    )


def _strength_row(stem: str, data: Mapping[str, Any]) -> str:
    one, other = (data["strength"][opponent] for opponent in ("heuristic", "random"))
    return (
        f"| [{stem}]({stem}.md) | {1 / data['players']:.0%} | {one['first']:.1%} ± {one['first_margin']:.1%} "
        f"| {one['games']:,} | {other['first']:.1%} ± {other['first_margin']:.1%} | {data['steps_done']:,} "
        f"| {data['seconds'] / 60:.1f} |"
    )


def _speed_row(stem: str, data: Mapping[str, Any]) -> str:
    shares = " | ".join(f"{data['shares'].get(part, 0):.0%}" for part in TRAINING)
    return f"| {stem} | {data['threads']} | {data['steps_per_second']:,.0f} | {shares} |"
