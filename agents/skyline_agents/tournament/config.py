"""A tournament as a TOML file.

    agents = ["random", "heuristic", "flat:100"]
    seed = 1                                        # deal d has the seed 1 + d
    move_seconds = 5                                # a longer move forfeits the game; default: 60; 0: any time
    records = "records"                             # a folder for the record of every game
    sprt = [0, 20]                                  # elo0, elo1; between two agents

    [[events]]
    game = "manhattan"
    players = [2, 3, 4]                             # an event for each
    games = 2000                                    # in each event; or deals = .., for every line-up

    [[events]]
    game = "palazzo"
    players = 4
    deals = 100
    format = "mixed"                                # default: round-robin
    memory = "table"                                # what agents see; default: recall
    agents = ["random", "heuristic"]                # in place of the agents above
    options = { name = "value" }

A line above the first [[events]] is the default of all events, or holds for the whole tournament.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from skyline import registry
from skyline.files import in_words
from skyline.game import DEFAULT_MEMORY, Game
from skyline.reading import Fields, Unreadable, Value, read_file
from skyline_agents import names
from skyline_agents.database.events import FORMATS, Event
from skyline_agents.limits import MOST_GAMES, MOST_SEED, MOVE_SECONDS
from skyline_agents.memory_setting import MEMORY_VALUES
from skyline_agents.tournament.settings import TournamentSettings, event, saved
from skyline_agents.tournament.sprt import Sprt

MOST_BYTES = 1 << 16  # of a file; the time of Python's TOML reader grows with the square of a key's length
MOST_PARTS = 1000  # of a key; a.b.c has three parts
MOST_EVENTS = 1000
MOST_AGENTS = 1000
MOST_NAME = 200  # characters of an agent's name with its settings
ELO = 10_000.0  # the largest bound of a sequential test
CHANCES = (0.000001, 0.499999)  # the least and the largest chance of an error of a sequential test

OF_AN_EVENT = ("game", "players", "agents", "games", "deals", "format", "options", "seed", "memory")
OF_ALL = ("events", "move_seconds", "records", "legal", "sprt", "alpha", "beta")
LENGTHS = ("games", "deals")


@dataclass(frozen=True)
class Config:
    """A tournament, the folder of its records, and whether the records hold all legal moves."""

    settings: TournamentSettings
    records: Path | None = None
    legal: bool = False


def read(path: Path) -> Config:
    """The tournament of a TOML file; an `Unreadable` names the file and the place in the file."""
    text = read_file(path, "tournament", MOST_BYTES)
    try:
        return made(_parsed(text))
    except Unreadable as error:
        raise Unreadable(error.reason, f"{path}: {error.place}" if error.place else str(path)) from None


def _parsed(text: str) -> dict[str, Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") >= MOST_PARTS:
            raise Unreadable(f"line {number} has a key of more than {MOST_PARTS:,} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"is no TOML: {error}") from None
    except RecursionError:
        raise Unreadable("is nested too deeply") from None
    except ValueError:  # numbers beyond Python's own limit, and dates such as February 30
        raise Unreadable("is no TOML, or has a number of too many digits or a date that does not exist") from None


def made(data: Mapping[str, Any]) -> Config:
    """The tournament that the data of a file describe; an `Unreadable` names the place: `events[1].players`."""
    given = Value(data, "").object(*OF_AN_EVENT, *OF_ALL)
    events = _all_events(given)
    sprt = _sprt(given) if "sprt" in given else None
    seconds = given["move_seconds"].number(*MOVE_SECONDS) if "move_seconds" in given else None
    with_place = given["sprt"] if "sprt" in given else Value(None, "")
    try:
        settings = TournamentSettings(events, sprt) if seconds is None else TournamentSettings(events, sprt, seconds)
    except ValueError as reason:
        with_place.fault(str(reason))
    return Config(settings, _folder(given), given.get("legal", False).flag())


def _folder(given: Fields) -> Path | None:
    """The folder of the records; None for no records."""
    if "records" not in given:
        return None
    name = given["records"].text()
    if not name or "\0" in name:
        given["records"].refuse("the name of a folder")
    return Path(name)


def _sprt(given: Fields) -> Sprt:
    """The sequential test of the lines sprt, alpha and beta."""
    elo = [bound.number(-ELO, ELO) for bound in given["sprt"].row(2)]
    chances = {name: given[name].number(*CHANCES) for name in ("alpha", "beta") if name in given}
    try:
        return Sprt(*elo, **chances)
    except ValueError as reason:
        given["sprt"].fault(str(reason))


# ---------------------------------------------------------------- events


def _all_events(given: Fields) -> list[Event]:
    """The events of all tables; two equal events are refused."""
    for name in ("alpha", "beta"):
        if name in given and "sprt" not in given:
            given[name].fault("is for a sequential test: write sprt = [0, 20], too")
    if "events" not in given and "game" not in given:
        raise Unreadable("there is no game: write [[events]] with a line game = ..")
    tables = given["events"].list(1, MOST_EVENTS) if "events" in given else [Value({}, "")]
    events: list[Event] = []
    places: dict[str, str] = {}
    for table in tables:
        for made in _events(given, table, len(events)):
            same = repr({**asdict(made), "number": 0, "deals": 0, "planned": 0})
            if same in places:
                table.fault(f"is the same event as {places[same]}")
            places[same] = table.place or "this one"
            events.append(made)
            if len(events) > MOST_EVENTS:
                table.fault(f"is one event too many: the most is {MOST_EVENTS:,}")
    return events


def _events(given: Fields, table: Value, number: int) -> Iterator[Event]:
    """The events of a table, one for every player count. Values that the table lacks are taken from `given`."""
    own = table.object(*OF_AN_EVENT)
    lengths = LENGTHS if any(name in own for name in LENGTHS) else ()
    values = {name: value for name, value in given if name in OF_AN_EVENT and name not in lengths} | dict(own)
    if "game" not in values:
        table.fault("an event needs a line game = ..")
    if "agents" not in values:
        table.fault('there are no agents: write agents = ["random", ..]')
    game = _tried(values["game"], registry.load, values["game"].text())
    roster = _roster(values["agents"])
    for count in _counts(game, values.get("players")):
        yield _event(game, roster, count, values, table, number)
        number += 1


def _event(
    game: Game, roster: Sequence[str], players: int, values: Mapping[str, Value], table: Value, number: int
) -> Event:
    most = {name: values[name].whole(1, MOST_GAMES) for name in LENGTHS if name in values}
    if len(most) != 1:
        table.fault(
            "either games or deals, not both" if most else "the length is missing: write games = .. or deals = .."
        )
    ((length, _),) = most.items()
    given = values.get("options", Value({}, ""))
    options = _tried(given, game.check_options, {name: value.raw for name, value in given.items()})
    form = FORMATS[values["format"].one_of(FORMATS)] if "format" in values else FORMATS[0]
    seed = values["seed"].whole(0, MOST_SEED) if "seed" in values else 1
    memory = MEMORY_VALUES[values["memory"].one_of(MEMORY_VALUES)] if "memory" in values else DEFAULT_MEMORY
    make = partial(
        event, game.name, roster, players, options=options, form=form, seed=seed, number=number, memory=memory
    )
    made: Event = _tried(values[length], make, **most)
    return made


def _tried(value: Value, check: Any, *words: Any, **named: Any) -> Any:
    """The result of a check of another module; to its ValueError or OSError the place of the value is added."""
    try:
        return check(*words, **named)
    except OSError as reason:
        value.fault(in_words(reason))
    except ValueError as reason:
        value.fault(str(reason))


def _counts(game: Game, given: Value | None) -> list[int]:
    """The player counts of a table, by default the smallest count of the game."""
    if given is None:
        return list(game.player_counts[:1])
    counts: list[int] = []
    for value in given.list(1, 64) if isinstance(given.raw, list) else [given]:
        count = _tried(value, game.check_players, value.whole(1, 1000))
        if count in counts:
            value.fault(f"{count} is there already")
        counts.append(count)
    return counts


def _roster(given: Value) -> list[str]:
    """The agents' names. Every agent is made once, so that a wrong name is refused before any game begins."""
    roster: list[str] = []
    for value in given.list(1, MOST_AGENTS):
        name = value.text(MOST_NAME)
        if name in roster:
            value.fault(f"{name!r} is there already")
        _tried(value, names.make, name)
        roster.append(name)
    return roster


# ---------------------------------------------------------------- continuing


def resumed(path: Path) -> Config:
    """The tournament that a database was begun with; `Unreadable` if it cannot be played with what is installed."""
    settings = saved(path)
    for at, one in enumerate(settings.events):
        place = partial(Value, place=f"{path}: events[{at}]")
        game = _tried(place(one.game), registry.load, one.game)
        _tried(place(one.players), game.check_players, one.players)
        _tried(place(one.options), game.check_options, one.options)
        for name in one.roster:
            _tried(place(name), names.make, name)
    return Config(settings)
