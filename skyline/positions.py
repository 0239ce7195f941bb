"""What the positions of all games have in common: values for each seat, lists of kinds, shuffles, caches.

`loading.py` of a game reads data with the first part, `position.py` checks states with the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from skyline.game import NO_SEAT, State, ensure, ensure_same
from skyline.reading import Fields, Value
from skyline.typing import Array

# ---------------------------------------------------------------- reading


def check_player_count(s: State, given: Fields) -> None:
    """The field `players`, if it is given, must be the player count of the row."""
    value = given.get("players", int(s.players))
    if value.whole(0, 255) != s.players:
        value.fault(f"the row is one for {s.players} players")


def by_seat(s: State, given: Fields, name: str, missing: Any) -> Sequence[Value]:
    """The values of a field with one for every seat; each is `missing` where the field is not given."""
    return given.get(name, [missing] * int(s.players)).row(int(s.players))


def read_scores(s: State, given: Fields, most: int) -> None:
    """The field `scores`: 0 .. `most` for every seat."""
    s.scores[: s.players] = [score.whole(0, most) for score in by_seat(s, given, "scores", 0)]


def read_seat(s: State, given: Fields, name: str, is_over: bool, usual: int = 0) -> int:
    """The seat that decides, in the field `name`; NO_SEAT when the game is over, where the field is null or missing."""
    if not is_over:
        return given.get(name, usual).whole(0, int(s.players) - 1)
    if not given.get(name, None).is_null:
        given[name].refuse("null, for nobody decides when the game is over")
    return NO_SEAT


def kinds_of(value: Value, texts: Sequence[str], most: int, least: int = 0) -> list[int]:
    """A list of texts of a table as their numbers."""
    return [item.one_of(texts) for item in value.list(least, most)]


def counts_of(kinds: Iterable[Any], n: int) -> Array:
    """How often each of the kinds 0 .. n - 1 is among `kinds`."""
    return np.bincount(np.array(list(kinds), int), minlength=n)


def shuffles(given: Sequence[Mapping[str, Any]], most: int) -> list[tuple[Value, Fields]]:
    """The chance events of a move, at most `most`: each event, and its fields `deck` and `order`."""
    fields = ("deck", "order")
    return [(event, event.object(*fields, need=fields)) for event in Value(given, "shuffles").list(most=most)]


# ---------------------------------------------------------------- checks


def check_seats(s: State, player_counts: Sequence[int], names: Iterable[str]) -> None:
    """The player count is one of the game's; in the named fields, which begin with the seats, no other seat has any."""
    ensure(s.players in player_counts, f"{s.players} players")
    for name in names:
        ensure(not s[name][s.players :].any(), f"{name} of seats that are not there", s[name])


def check_caches(s: State, survey: Callable[[State], Any], names: Iterable[str]) -> None:
    """The named fields are what `survey`, which computes all caches of a row, makes of a copy."""
    fresh = np.array([s])[0]
    survey(fresh)
    for name in names:
        ensure_same(f"the cache {name}", s[name], fresh[name])
