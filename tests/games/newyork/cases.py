"""New York positions for the rule cases: short to write, everything not named is empty."""

from __future__ import annotations

from typing import Any

from skyline.game import TABLE
from tests.support.rule_cases import Core, Json, difference

GAME = "new_york"
PLAYERS = (2, 3, 4, 5, 6)
MARKET = ["B9", "G9", "Y9", "R9"]  # no two of them may be taken together
DEPOT = [7, 14, 22, 31]  # prices 8, 9, 9, 10, no streets
BLOCK = [[1, 0, 7], [2, 0, 14], [2, 1, 22], [2, 2, 23], [1, 2, 31]]  # NY-P29: around the gap (1, 1)
RING = [[0, 1, 44], [1, 0, 45], [0, -1, 33], [-1, 0, 24]]  # NY-P39: its whole outline is street


def at(players: int = 3, **fields: Any) -> Core:
    """The game in a position (section 10): a main decision of seat 0, market, depot and bag filled unless given."""
    named = {tile for key in ("bag", "dirk", "bought") for tile in fields.get(key, [])}
    named |= {tile for tile in fields.get("depot", []) if tile}
    named |= {tile for part in fields.get("reserves", []) for tile in part}
    named |= {row[2] for city in fields.get("cities", []) for row in city}
    named |= {tile for part in fields.get("received") or [] for tile in part}
    free = [tile for tile in (*DEPOT, *range(1, 55)) if tile not in named]
    free = list(dict.fromkeys(free))
    depot = fields.get("depot", free[:4])
    bag = [tile for tile in free if tile not in depot][-5:]
    given = {"market": MARKET, "depot": depot, "deck": ["B8", "G8", "Y8", "R8"], "bag": bag, **fields}
    return Core.at(GAME, {"players": players, **given})


def forgetful(core: Core) -> Core:
    """The same game with memory="table": only what lies on the table is known (section 7.1)."""
    core.states["memory"] = TABLE
    return core


def city_moves(core: Core, word: str) -> list[tuple[int, int]]:
    """The cells of the legal moves `remove X Y` or `at X Y`."""
    found = []
    for text in core.texts():
        words = text.split()
        if words[0] == word:
            found.append((int(words[1]), int(words[2])))
    return found


def putting(city: list[Any], tile: int, **fields: Any) -> Core:
    """Seat 0 of three puts a bought tile; its city as given."""
    fields = {"depot": [None] * 4, **fields}
    return at(phase="put", tile=tile, bought=[tile], cities=[city, [], []], **fields)


def building(city: list[Any], tile: int, **fields: Any) -> Core:
    """Seat 0 of three builds a reserve tile; its city as given."""
    fields = {"depot": [None] * 4, **fields}
    return at(phase="build", tile=tile, reserves=[[tile], [], []], cities=[city, [], []], **fields)


def owning(city: list[Any], **fields: Any) -> Core:
    """Seat 0 of three has a main decision; its city as given."""
    fields = {"depot": [None] * 4, **fields}
    return at(cities=[city, [], []], **fields)


def scored(cities: list[Any], scoring: str, **fields: Any) -> list[int]:
    """The points of one scoring for these cities: SA or SB comes up in the refill, C ends the game."""
    given = {"C": {"max_turns": 1}, "A": {"deck": ["SA", "B8", "G8"]}, "B": {"deck": ["SB", "B8", "G8"]}}[scoring]
    core = at(len(cities), cities=cities, **{**given, **fields})
    core.play("take B9")
    while core.seat is not None and scoring == "C":
        core.play("reserve" if "reserve" in core.texts() else core.texts()[0])
    return core.scores


def changes(core: Core, *moves: str, orders: Any = ()) -> Json:
    """The whole difference the moves make to the position."""
    before = core.position()
    core.play_all(moves, orders)
    return difference(before, core.position())
