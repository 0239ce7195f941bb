"""What a tournament is: its events and settings, and the tournament that a database was begun with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from skyline import registry
from skyline.arguments import check_choice
from skyline.game import DEFAULT_MEMORY
from skyline.typing import Memory
from skyline_agents import names
from skyline_agents.database import store
from skyline_agents.database.events import FORMATS, Event
from skyline_agents.database.schema import SEATS
from skyline_agents.database.store import Store
from skyline_agents.memory_setting import MEMORY_VALUES
from skyline_agents.tournament.schedule import Schedule, deals_for
from skyline_agents.tournament.sprt import Sprt

MOVE_SECONDS = 60.0  # the default of `move_seconds`
NO_LIMIT = 0.0  # `move_seconds` that mean: a move may take any time


@dataclass(frozen=True)
class TournamentSettings:
    """What a tournament is: its events, its test and the limit of a move."""

    events: list[Event]
    sprt: Sprt | None = None
    move_seconds: float = MOVE_SECONDS  # the most that a move may take, or NO_LIMIT

    def __post_init__(self) -> None:
        if not (math.isfinite(self.move_seconds) and self.move_seconds >= 0):
            raise ValueError(
                f"the time for a move is a number of seconds, or 0 for any time, not {self.move_seconds:g}"
            )
        if self.sprt is not None and [len(event.roster) for event in self.events] != [2]:
            raise ValueError("a sequential test is between two agents, in one game with one player count")

    @property
    def planned(self) -> int:
        """The number of games of all events."""
        return sum(event.planned for event in self.events)

    def as_data(self) -> dict[str, Any]:
        """The settings beside the events, as the database keeps them."""
        return {"move_seconds": self.move_seconds, "sprt": None if self.sprt is None else asdict(self.sprt)}


def event(
    game: str, agents: Sequence[str], players: int, *, games: int | None = None, deals: int | None = None,
    options: Mapping[str, Any] | None = None, form: str = "round-robin", seed: int = 1, number: int = 0,
    memory: str = DEFAULT_MEMORY,
) -> Event:  # fmt: skip
    """An event, checked. Its length is either `deals`, for every line-up, or the fewest deals with `games` games."""
    loaded = registry.load(game)
    count = loaded.check_players(players)
    if count > SEATS:
        raise ValueError(f"tournaments are for at most {SEATS} players, not {count}")
    check_choice("the format", form, FORMATS)
    check_choice("memory", memory, MEMORY_VALUES)
    roster = list(agents)
    if not roster or len(set(roster)) < len(roster):
        raise ValueError(f"a tournament needs agents, each once, not {', '.join(roster) or 'none'}")
    for name in roster:
        names.make(name)
    if (games is None) == (deals is None):
        raise ValueError("a tournament needs either a number of games or a number of deals")
    if (games or deals or 0) < 1:
        raise ValueError(f"the number of {'games' if deals is None else 'deals'} is at least 1, not {games or deals}")
    made = Event(
        number, loaded.name, loaded.version, count, loaded.check_options(options), roster, form, seed, 1,
        memory=cast(Memory, memory),
    )  # fmt: skip
    return lengthened(made, deals_for(games, made) if deals is None and games is not None else int(deals or 0))


def lengthened(event: Event, deals: int) -> Event:
    """The event with this number of deals."""
    longer = replace(event, deals=deals)
    return replace(longer, planned=Schedule(longer).games)


# ---------------------------------------------------------------- the database


def prepare(database: Store, settings: TournamentSettings) -> None:
    """Write a new tournament into its database, or check that the database holds this tournament.

    The tournament in the database may be shorter: then it is made longer.
    """
    if database.new:
        database.create(settings.events, settings.as_data())
        return
    earlier = saved(database.path)
    theirs = [_identity(event) for event in earlier.events]
    found = _difference([_identity(event) for event in settings.events], theirs)
    found = found or _difference([settings.as_data()], [earlier.as_data()])
    if found:
        raise ValueError(f"{database.path} holds another tournament ({found}): give another --db")
    for ours, old in zip(settings.events, earlier.events, strict=True):
        if ours.deals < old.deals:
            raise ValueError(f"{database.path} was planned with {old.deals:,} deals of {ours.game}, not {ours.deals:,}")
    database.update(settings.events, settings.as_data())


def _identity(event: Event) -> dict[str, Any]:
    return {key: value for key, value in asdict(event).items() if key not in ("deals", "planned")}


def _difference(ours: list[dict[str, Any]], old: list[dict[str, Any]]) -> str | None:
    """The first difference of two lists of events or settings, in words; None if they are equal."""
    if len(ours) != len(old):
        return f"{len(old)} events, not {len(ours)}"
    differences = (f"{key} is {b[key]!r}, not {a[key]!r}" for a, b in zip(ours, old, strict=True) for key in a
                   if a[key] != b[key])  # fmt: skip
    return next(differences, None)


def saved(path: Any) -> TournamentSettings:
    """The tournament that a database was begun with."""
    kept = store.settings(path)
    sprt = kept.get("sprt")
    seconds = kept.get("move_seconds")  # None where there was no limit
    return TournamentSettings(
        store.events(path), None if sprt is None else Sprt(**sprt), NO_LIMIT if seconds is None else float(seconds)
    )
