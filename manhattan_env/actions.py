"""The action table and the move texts. [RULES.md sections 6 and 9]

block     2 players    3 players    4 players    meaning
SET          0 ..  34     0 ..  34     0 ..  83  number of the set (MH-R05)
BUILD       35 .. 466    35 .. 250    84 .. 299  216 * own colour + 36 * city + 4 * board square + height - 1
DISCARD    467 .. 475   251 .. 259   300 .. 308  printed square
"""

from __future__ import annotations

from typing import Any

import numpy as np

from manhattan_env.components import CITIES, HEIGHTS, OWN_COLOURS, SET_SIZE, SITES, SQUARES, sets_of
from manhattan_env.state import PHASE_SET
from skyline import moves
from skyline.game import ActionTable, Block

BUILDS_PER_CITY, BUILDS_PER_COLOUR = SQUARES * HEIGHTS, SITES * HEIGHTS
SET_COUNT = {players: len(sets_of(int(SET_SIZE[players]))) for players in (2, 3, 4)}

# First ids by player count, for the jitted rules.
FIRST_BUILD = np.array([0, 0, SET_COUNT[2], SET_COUNT[3], SET_COUNT[4]])
FIRST_DISCARD = FIRST_BUILD + OWN_COLOURS * BUILDS_PER_COLOUR


def action_table(players: int) -> ActionTable:
    """The blocks of the table above."""
    return ActionTable(
        (
            Block("SET", SET_COUNT[players], "number of the set in lexicographic order of its heights"),
            Block(
                "BUILD",
                int(OWN_COLOURS[players]) * BUILDS_PER_COLOUR,
                "216 * own colour + 36 * city + 4 * board square + height - 1",
            ),
            Block("DISCARD", SQUARES, "printed square of the card"),
        )
    )


def move_text(s: Any, action: int) -> str:
    """The text of an action in this position."""
    players = int(s.players)
    if action < FIRST_BUILD[players]:
        heights = sets_of(int(SET_SIZE[players]))[action]
        return " ".join(["take", *_set_colour(s), *map(str, heights)])
    if action < FIRST_DISCARD[players]:
        rest, level = divmod(action - int(FIRST_BUILD[players]), HEIGHTS)
        colour, site = divmod(rest, SITES)
        city, square = divmod(site, SQUARES)
        text = f"build {city} {square} {level + 1}"
        return f"{text} c{colour}" if players == 2 else text
    return f"discard {action - int(FIRST_DISCARD[players])}"


def _set_colour(s: Any) -> list[str]:
    """With two players `c0` or `c1`, the colour that the seat chooses pieces for; else nothing."""
    if s.players != 2:
        return []
    return [f"c{s.turn % 2}" if s.phase == PHASE_SET else "c0"]


def parse_move(s: Any, text: str) -> int:
    """The action of a text in this position; ValueError says what is wrong with the text."""
    players = int(s.players)
    match text.split(" "):
        case ["take", *words]:
            return _parse_set(s, text, words)
        case ["build", city, square, height, *colour]:
            own = _own_colour(text, players, colour)
            return (
                int(FIRST_BUILD[players])
                + BUILDS_PER_COLOUR * own
                + HEIGHTS * SQUARES * moves.number(text, "city", city, 0, CITIES - 1)
                + HEIGHTS * moves.number(text, "square", square, 0, SQUARES - 1)
                + moves.number(text, "height", height, 1, HEIGHTS)
                - 1
            )
        case ["discard", square]:
            return int(FIRST_DISCARD[players]) + moves.number(text, "square", square, 0, SQUARES - 1)
    raise ValueError(f"{text!r} is no move: take H1 .. Hm, build CITY SQUARE HEIGHT{' cN' * (players == 2)}, discard K")


def _parse_set(s: Any, text: str, words: list[str]) -> int:
    players, size = int(s.players), int(SET_SIZE[s.players])
    if players == 2:
        if words[:1] != _set_colour(s):
            raise ValueError(f"{text!r}: the pieces are chosen for {_set_colour(s)[0]} here")
        words = words[1:]
    heights = tuple(moves.number(text, "height", word, 1, HEIGHTS) for word in words)
    if heights not in (sets := sets_of(size)):
        raise ValueError(f"{text!r}: a set is {size} heights in rising order")
    return sets.index(heights)


def _own_colour(text: str, players: int, words: list[str]) -> int:
    if players != 2 and not words:
        return 0
    if players == 2 and words in (["c0"], ["c1"]):
        return int(words[0][1])
    raise ValueError(f"{text!r}: a build move ends with {'c0 or c1' if players == 2 else 'the height'}")
