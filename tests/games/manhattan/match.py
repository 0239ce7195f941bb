"""What Manhattan brings to a match with its oracle: policies that reach rare positions, and rare events to count."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tests.games.manhattan.oracle import Oracle
from tests.games.manhattan.oracle_board import COLOURS, ROUNDS, floors, owner, tallest_owner, tower_height
from tests.support.rule_cases import Json, Legal

OPTIONS: list[Json] = [{}]


def comparable(position: Json) -> Json:
    """Core and oracle write positions alike but for the memory, which changes no move (test_memory.py)."""
    return {field: value for field, value in position.items() if field != "memory"}


# ---------------------------------------------------------------- policies


def _pick(rng: random.Random, legal: Legal, worth: Any) -> str:
    """A text of the greatest worth, ties at random."""
    worths = [worth(text) for _, text in legal]
    best = max(worths)
    return rng.choice([text for (_, text), value in zip(legal, worths, strict=True) if value == best])


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split() if word.isdecimal()]


def _tower(oracle: Oracle, text: str) -> list[tuple[int, int]]:
    """The tower a build goes onto, [] on a free site."""
    city, square, _ = _numbers(text)
    return oracle.towers.get((city, square), [])


def _colour(oracle: Oracle, text: str) -> int:
    own = 1 if text.endswith("c1") else 0
    return COLOURS[oracle.players][oracle.seat or 0][own]


def highest(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """The highest pieces first: low ones are left for the last rounds."""
    return _pick(rng, legal, lambda text: sum(_numbers(text)) if text[0] == "t" else _numbers(text)[-1])


def lowest(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """The lowest pieces first."""
    return _pick(rng, legal, lambda text: -sum(_numbers(text)) if text[0] == "t" else -_numbers(text)[-1])


def capture(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Other colours' towers, where possible with just as many floors."""

    def worth(text: str) -> int:
        if not text.startswith("build"):
            return 0
        tower, colour = _tower(oracle, text), _colour(oracle, text)
        if not tower or owner(tower) == colour:
            return 0
        return 2 if floors(tower, colour) + _numbers(text)[2] == floors(tower, owner(tower)) else 1

    return _pick(rng, legal, worth)


def one_city(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """City 0 and there the highest tower: high towers, many colours in them."""

    def worth(text: str) -> int:
        if not text.startswith("build"):
            return 0
        return (1000 if _numbers(text)[0] == 0 else 0) + tower_height(_tower(oracle, text))

    return _pick(rng, legal, worth)


def spread(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Free sites, then the own colour's towers: much to count, walls of the colours, discards."""

    def worth(text: str) -> int:
        if not text.startswith("build"):
            return 0
        tower = _tower(oracle, text)
        return 2 if not tower else int(owner(tower) == _colour(oracle, text))

    return _pick(rng, legal, worth)


def wall(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Seat 0 stays on its own few towers, the others take every free site and heighten their lowest towers: with low
    pieces left, seat 0 finds no site in the last rounds."""

    def worth(text: str) -> int:
        if text.startswith("take"):
            return sum(_numbers(text))
        if text.startswith("discard"):
            return 0
        tower, colour, height = _tower(oracle, text), _colour(oracle, text), _numbers(text)[2]
        if oracle.seat == 0:
            return height + (100 if tower and owner(tower) == colour else 0)
        if not tower:
            return 200 + height
        return 100 - floors(tower, colour) if owner(tower) == colour else 0

    return _pick(rng, legal, worth)


POLICIES = {
    "highest": highest, "lowest": lowest, "capture": capture, "one_city": one_city, "spread": spread, "wall": wall,
}  # fmt: skip


# ---------------------------------------------------------------- rare events


def before_move(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    if len(legal) == 1:
        yield "decisions with one legal move"
    if text.startswith("discard"):
        yield "discards (MH-17)"
        if not oracle.deck:
            yield "discards that reshuffle (MH-16)"
    if text.startswith("build"):
        yield from _at_build(oracle, text)


def _at_build(oracle: Oracle, text: str) -> Iterator[str]:
    tower, colour = _tower(oracle, text), _colour(oracle, text)
    if not tower or owner(tower) == colour:
        return
    yield "towers taken (MH-11)"
    if floors(tower, colour) + _numbers(text)[2] == floors(tower, owner(tower)):
        yield "towers taken with equal floors (MH-11)"
    if any(floors(tower, third) > floors(tower, colour) for third in range(4) if third not in (colour, owner(tower))):
        yield "towers taken over a third colour with more floors (MH-R15)"
    if owner(tower) in COLOURS[oracle.players][oracle.seat or 0]:
        yield "towers taken from the own second colour (MH-R11)"


def at_end(oracle: Oracle) -> Iterator[str]:
    assert oracle.round == ROUNDS[oracle.players]
    if tallest_owner(oracle.towers) is None:
        yield "last rounds without a single tallest tower (MH-21)"
    if any(len(tower) >= 8 for tower in oracle.towers.values()):
        yield "games with a tower of eight pieces"
    if any(tower_height(tower) >= 32 for tower in oracle.towers.values()):
        yield "games with a tower of 32 floors"
    if any(sum(counts.values()) for counts in oracle.stock.values()):
        yield "games with pieces left in stock (MH-R10)"
    if len(set(oracle.scores)) < oracle.players:
        yield "games with a shared place (MH-R14)"
    if len(oracle.towers) == 54:
        yield "games with all 54 sites built on"
