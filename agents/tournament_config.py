"""A tournament as a TOML file.

    agents = ["random", "heuristic", "mc:100"]
    seed = 1                                        # deal d has the seed 1 + d
    move_seconds = 5                                # longer moves forfeit the game; default: 60, 0: any time
    records = "records"                             # a folder for the record of every game
    sprt = [0, 20]                                  # elo0, elo1; between two agents

    [[events]]
    game = "manhattan"
    players = [2, 3, 4]                             # an event for each
    games = 2000                                    # in each; or deals = .., for every line-up

    [[events]]
    game = "palazzo"
    players = 4
    deals = 100
    format = "mixed"                                # default: round-robin
    agents = ["random", "heuristic"]                # in place of those above
    options = { name = "value" }

What stands above the first [[events]] is the default of all events, or holds for the whole tournament.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.sprt import Sprt
from agents.store import Event
from agents.tournament import MOVE_SECONDS, Settings, event
from skyline import registry

OF_AN_EVENT: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "players": (int, list),
    "agents": (list,),
    "games": (int,),
    "deals": (int,),
    "format": (str,),
    "options": (dict,),
    "seed": (int,),
}
OF_ALL: dict[str, tuple[type, ...]] = {
    "events": (list,),
    "move_seconds": (int, float),
    "records": (str,),
    "legal": (bool,),
    "sprt": (list,),
    "alpha": (int, float),
    "beta": (int, float),
}


@dataclass(frozen=True)
class Config:
    """A tournament, and where its records go."""

    settings: Settings
    records: Path | None = None
    legal: bool = False


def read(path: Path) -> Config:
    """The tournament of a TOML file; ValueError with the file's name if something in it is wrong."""
    try:
        return made(tomllib.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as reason:  # TOMLDecodeError is a ValueError
        raise ValueError(f"{path}: {reason}") from None


def made(data: Mapping[str, Any]) -> Config:
    """The tournament that the file's data says."""
    _check(data, {**OF_AN_EVENT, **OF_ALL})
    tables = data.get("events", [{}] if "game" in data else [])
    if not tables or not all(isinstance(table, dict) for table in tables):
        raise ValueError("there is no game: write [[events]] with a line game = ..")
    events: list[Event] = []
    for table in tables:
        _check(table, OF_AN_EVENT)
        shared = {key: value for key, value in data.items() if key in OF_AN_EVENT and key not in _lengths(table)}
        events += _events({**shared, **table}, len(events))
    sprt = data.get("sprt")
    settings = Settings(
        events, None if sprt is None else _sprt(sprt, data), float(data.get("move_seconds", MOVE_SECONDS))
    )
    records = data.get("records")
    return Config(settings, None if records is None else Path(records), bool(data.get("legal", False)))


def _check(data: Mapping[str, Any], known: Mapping[str, tuple[type, ...]]) -> None:
    for key, value in data.items():
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"there is no setting {key!r} here (settings: {', '.join(known)}){hint}")
        if not isinstance(value, known[key]) or (isinstance(value, bool) and bool not in known[key]):
            kinds = " or ".join(kind.__name__ for kind in known[key])
            raise ValueError(f"{key} is of the type {kinds}, not {value!r}")


def _lengths(table: Mapping[str, Any]) -> tuple[str, ...]:
    """What an event's own length, in games or in deals, takes the place of."""
    return ("games", "deals") if {"games", "deals"} & set(table) else ()


def _events(table: Mapping[str, Any], number: int) -> list[Event]:
    """The events of a table: one for every player count."""
    if "game" not in table:
        raise ValueError("an event needs a line game = ..")
    if "agents" not in table:
        raise ValueError('there are no agents: write agents = ["random", ..]')
    game, given = registry.load(table["game"]), table.get("players")
    counts = list(game.player_counts[:1]) if given is None else given if isinstance(given, list) else [given]
    return [
        event(
            game.name, table["agents"], players, games=table.get("games"), deals=table.get("deals"),
            options=table.get("options"), form=table.get("format", "round-robin"), seed=table.get("seed", 1),
            number=number + i,
        )
        for i, players in enumerate(counts)
    ]  # fmt: skip


def _sprt(bounds: Sequence[Any], data: Mapping[str, Any]) -> Sprt:
    if len(bounds) != 2 or not all(isinstance(elo, (int, float)) for elo in bounds):
        raise ValueError(f"sprt is two numbers, elo0 and elo1, not {bounds!r}")
    test = Sprt(float(bounds[0]), float(bounds[1]))
    return replace(test, **{key: float(data[key]) for key in ("alpha", "beta") if key in data})
