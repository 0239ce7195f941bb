"""Manhattan positions for the rule cases: short to write, scored by playing to the end of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.rule_cases import Core, Json, difference

GAME = "manhattan"

ROUNDS = {2: 6, 3: 6, 4: 4}
TURNS = {2: 8, 3: 4, 4: 6}  # of a seat in a round
SET_SIZE = {2: 4, 3: 4, 4: 6}
COLOURS = {2: 4, 3: 3, 4: 4}
DECISIONS = {2: 120, 3: 90, 4: 112}
PLAYERS = (2, 3, 4)

FULL = [11, 6, 4, 3]
PIECES = [1] * 11 + [2] * 6 + [3] * 4 + [4] * 3  # heights of the pieces of a colour
BOARD = (  # the table of section 1.3: side, printed square -> board square
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
)


# 18 walls of 5 floors, of which each piece is printed: six of each of three colours.
WALL_HEIGHTS = [[4, 1]] * 3 + [[3, 2]] * 3


def walls(squares: Sequence[int], colours: Sequence[int]) -> list[Any]:
    """A wall of 5 floors on these squares of every city."""
    pieces = [[[colour, height] for height in heights] for colour in colours for heights in WALL_HEIGHTS]
    sites = [(city, square) for city in range(6) for square in squares]
    return [[city, square, wall] for (city, square), wall in zip(sites, pieces, strict=True)]


def at(players: int, **fields: Any) -> Core:
    """The game in a position; the fields left out are empty (section 10)."""
    return Core.at(GAME, {"players": players, **fields})


def full_stock(players: int) -> dict[str, list[int]]:
    return {str(colour): list(FULL) for colour in range(COLOURS[players])}


def next_set(players: int) -> dict[str, list[int]]:
    """Stock for one set of every colour: the game goes on after the round."""
    return {str(colour): [SET_SIZE[players], 0, 0, 0] for colour in range(COLOURS[players])}


def last_turn(players: int, **fields: Any) -> Core:
    """The last turn of a round, marker with seat 0 unless given; who plays it has one card, 4, and no piece."""
    seat = (fields.get("marker", 0) - 1) % players
    hands = [[4] if seat == other else [] for other in range(players)]
    turn = players * TURNS[players] - 1
    return at(players, **{"turn": turn, "hands": hands, "deck": [4], **fields})


def round_points(players: int, towers: list[Any]) -> list[int]:
    """What the seats get for these towers at the end of a round."""
    core = last_turn(players, towers=towers)
    core.play("discard 4")
    return core.scores


def changes(core: Core, *moves: str, orders: Any = ()) -> Json:
    """The whole difference the moves make to the position; the memory is not among it (test_memory.py)."""
    before = core.position()
    core.play_all(moves, orders)
    found = difference(before, core.position())
    return {field: value for field, value in found.items() if field != "memory"}


def play_first_legal(core: Core, decisions: int) -> None:
    """The given number of decisions, each time the first legal move."""
    for _ in range(decisions):
        core.play_action(core.actions()[0])
