"""Which games there are, and which versions of a game: every folder `*_env/` with a `game.py` beside this package, and
every entry point of the group "skyline.games" (name = anything, value = the game's package). There is no list to edit.

A version is a PettingZoo module `<name>_v<N>.py` with a `Game` of the same name and version:

    manhattan_env/manhattan_v1.py   its GAME is in manhattan_env/game.py, the game of the folder's newest version
    manhattan_env/manhattan_v0.py   its GAME is in manhattan_env/v0/game.py, where the older version's files are

Versions may also lie in folders of their own (`manhattan0_env/manhattan_v0.py` with `manhattan0_env/game.py`). A name
without a version means the newest; an older version works, and a DeprecationWarning names the newest. The states of two
versions must differ in the name of one field at least: compiled code is found by the layout of the state.

Finding a game imports nothing; its numba modules load when it is first asked for.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import importlib.util
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from skyline.arguments import brief
from skyline.game import Game

NAMESPACE = "skyline/"  # of the ids that PettingZoo and Gymnasium know


@dataclass(frozen=True)
class Found:
    """Where a version of a game lies: `package` has its `game.py`, `module` is its PettingZoo module."""

    name: str
    version: int
    package: str
    folder: Path
    module: str  # such as manhattan_env.manhattan_v1

    @property
    def key(self) -> str:
        """The name with the version, such as manhattan_v1."""
        return f"{self.name}_v{self.version}"

    @property
    def id(self) -> str:
        """What PettingZoo and Gymnasium call the version, such as skyline/manhattan-v1."""
        return f"{NAMESPACE}{self.name}-v{self.version}"


def _in_folder(package: str, folder: Path) -> Iterator[Found]:
    """The versions in a folder, the newest first."""
    if not (folder / "game.py").is_file():
        return
    matches = (re.fullmatch(r"(\w+)_v(\d+)", path.stem) for path in folder.glob("*_v*.py"))
    modules = sorted(((int(match[2]), match[1]) for match in matches if match), reverse=True)
    for place, (version, name) in enumerate(modules):
        module, own = f"{package}.{name}_v{version}", f"v{version}"
        if place == 0:
            yield Found(name, version, package, folder, module)
        elif (folder / own / "game.py").is_file():
            yield Found(name, version, f"{package}.{own}", folder / own, module)


def _packages() -> Iterator[tuple[str, Path]]:
    for marker in sorted(Path(__file__).parent.parent.glob("*_env/game.py")):
        yield marker.parent.name, marker.parent
    for entry in importlib.metadata.entry_points(group="skyline.games"):
        spec = importlib.util.find_spec(entry.value)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            yield entry.value, Path(folder)


@lru_cache(None)
def versions() -> dict[tuple[str, int], Found]:
    """Every version of every game by name and version, in this order."""
    games: dict[tuple[str, int], Found] = {}
    for package, folder in _packages():
        for entry in _in_folder(package, folder):
            games.setdefault((entry.name, entry.version), entry)
    return dict(sorted(games.items()))


def found() -> dict[str, Found]:
    """The newest version of every game by name, in alphabetical order."""
    return {name: entry for (name, _), entry in versions().items()}


def names() -> list[str]:
    """The names of all games."""
    return list(found())


def find(name: str) -> Found:
    """The game of this name or id: "manhattan", "manhattan-v1", "manhattan_v1", "skyline/manhattan-v1".

    A ValueError names the games or the versions that there are.
    """
    newest, key = found(), re.sub(r"[- ]", "_", name.lower().removeprefix(NAMESPACE))
    if key in newest:
        return newest[key]
    match = re.fullmatch(r"(\w+)_v(\d{1,9})", key)
    if match and match[1] in newest:
        return _version(match[1], int(match[2]))
    close = difflib.get_close_matches(match[1] if match else key, newest, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise ValueError(f"there is no game {name!r} (games: {', '.join(newest)}){hint}")


def _version(name: str, version: int) -> Found:
    if (name, version) not in versions():
        there = ", ".join(entry.key for (other, _), entry in versions().items() if other == name)
        raise ValueError(f"there is no version {version} of {name} (versions: {there})")
    return versions()[name, version]


@lru_cache(None)
def _load(package: str) -> Game:
    game = importlib.import_module(f"{package}.game").GAME
    if not isinstance(game, Game):
        raise TypeError(f"{package}.game.GAME is not a skyline.game.Game")
    return game


def load(name: str | Game) -> Game:
    """The game of this name or id; a `Game` is given back. A DeprecationWarning for a version that has a newer one."""
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a game is a name, an id or a Game, not {brief(name)}")
    entry = find(name)
    newest = found()[entry.name]
    if entry != newest:
        warnings.warn(
            f"{entry.key} is an older version of the environment: {newest.key} ({newest.id}) is the newest",
            DeprecationWarning,
            stacklevel=2,
        )
    return _load(entry.package)
