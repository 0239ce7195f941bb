"""Which games there are: every folder `*_env/` with a `game.py` beside this package, and every entry point of the
group "skyline.games" (name = anything, value = the game's package). There is no list to edit.

Finding a game imports nothing; its numba modules load when it is first asked for.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from skyline.game import Game


@dataclass(frozen=True)
class Found:
    """Where a game lies. `module` is its PettingZoo module, such as `manhattan_env.manhattan_v0`."""

    name: str
    version: int
    package: str
    folder: Path

    @property
    def module(self) -> str:
        return f"{self.package}.{self.name}_v{self.version}"

    @property
    def id(self) -> str:
        return f"skyline/{self.name}-v{self.version}"


def _in_folder(package: str, folder: Path) -> Found | None:
    if not (folder / "game.py").is_file():
        return None
    found = None
    for path in folder.glob("*_v*.py"):
        match = re.fullmatch(r"(\w+)_v(\d+)", path.stem)
        if match and (found is None or int(match[2]) > found.version):
            found = Found(match[1], int(match[2]), package, folder)
    return found


def _packages() -> Iterator[tuple[str, Path]]:
    for marker in sorted(Path(__file__).parent.parent.glob("*_env/game.py")):
        yield marker.parent.name, marker.parent
    for entry in importlib.metadata.entry_points(group="skyline.games"):
        spec = importlib.util.find_spec(entry.value)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            yield entry.value, Path(folder)


@lru_cache(None)
def found() -> dict[str, Found]:
    """Every game by name, in alphabetical order."""
    games: dict[str, Found] = {}
    for package, folder in _packages():
        entry = _in_folder(package, folder)
        if entry is not None:
            games.setdefault(entry.name, entry)
    return dict(sorted(games.items()))


def names() -> list[str]:
    """The names of all games."""
    return list(found())


def find(name: str) -> Found:
    """The game of this name, or a ValueError that names the ones there are."""
    key = name.lower().replace("-", "_").replace(" ", "_")
    if key in found():
        return found()[key]
    close = difflib.get_close_matches(key, found(), 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise ValueError(f"there is no game {name!r} (games: {', '.join(found())}){hint}")


@lru_cache(None)
def _load(package: str) -> Game:
    game = importlib.import_module(f"{package}.game").GAME
    if not isinstance(game, Game):
        raise TypeError(f"{package}.game.GAME is not a skyline.game.Game")
    return game


def load(name: str | Game) -> Game:
    """The game of this name; a `Game` is given back."""
    return name if isinstance(name, Game) else _load(find(name).package)
