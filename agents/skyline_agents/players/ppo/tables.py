"""The tables that a network was trained on: the slices of its observation, and its actions.

A model names its tables by a checksum, and holds them as a text (fact TABLES), so that it can be carried over when a
game observes more than before (carry.py). Models of the versions that held the checksum alone were trained on the
tables of `earlier_tables.json`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path

from skyline.game import Game
from skyline.reading import Value, parse_json, read_file

TABLES = "observed"  # the fact of a model that holds its tables
EARLIER = Path(__file__).with_name("earlier_tables.json")  # tables as texts, by their checksums
MOST_PARTS, MOST_VALUES, MOST_SCALE = 1000, 10**6, 1e9


@dataclass(frozen=True)
class Part:
    """Some neighbouring values of an observation."""

    name: str
    shape: tuple[int, ...]
    scale: float  # the divisor of the float view

    @property
    def length(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class Tables:
    """What a game observes and answers at one player count."""

    base: tuple[Part, ...]
    rich: tuple[Part, ...]
    actions: tuple[tuple[str, int], ...]  # name and number of actions of every block

    @classmethod
    def of(cls, game: Game, players: int) -> Tables:
        """The tables of a game as it is installed."""
        table = game.observation(players)
        base, rich = (tuple(Part(p.name, p.shape, p.scale) for p in parts) for parts in (table.base, table.rich))
        return cls(base, rich, tuple((block.name, block.count) for block in game.actions(players).blocks))

    def observed(self, features: str) -> tuple[Part, ...]:
        """The slices of an observation with "base" or "rich" features."""
        return self.base if features == "base" else self.base + self.rich

    @property
    def checksum(self) -> str:
        """A checksum of names, sizes and scales."""
        values = [(part.name, part.shape, part.scale) for part in self.base + self.rich]
        return hashlib.sha256(json.dumps([values, self.actions]).encode()).hexdigest()[:16]

    def as_text(self) -> str:
        """The tables as JSON, as `read` takes them."""
        base, rich = ([[part.name, part.shape, part.scale] for part in parts] for parts in (self.base, self.rich))
        return json.dumps({"base": base, "rich": rich, "actions": self.actions}, separators=(",", ":"))


def read(text: str, place: str) -> Tables:
    """The tables of a text; an `Unreadable` names the place."""
    return _tables(Value(parse_json(text, place), place))


def _tables(given: Value) -> Tables:
    fields = given.object("base", "rich", "actions", need=("base", "rich", "actions"))
    base, rich = (tuple(_part(one) for one in fields[name].list(0, MOST_PARTS)) for name in ("base", "rich"))
    actions = [one.row(2) for one in fields["actions"].list(1, MOST_PARTS)]
    return Tables(base, rich, tuple((name.text(100), count.whole(1, MOST_VALUES)) for name, count in actions))


def _part(given: Value) -> Part:
    name, shape, scale = given.row(3)
    scale.number(1e-9, MOST_SCALE)
    return Part(name.text(100), tuple(size.whole(0, MOST_VALUES) for size in shape.list(0, 8)), scale.raw)


@lru_cache(None)
def earlier() -> dict[str, Tables]:
    """The tables of earlier versions by their checksums."""
    given = Value(parse_json(read_file(EARLIER, "tables"), str(EARLIER)), str(EARLIER))
    return {key: _tables(one) for key, one in given.items()}
