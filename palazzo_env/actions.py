"""The action table and the move texts, the same for 2, 3 and 4 players. [RULES.md sections 6 and 9]

first id  block       count  meaning
  0       ADD            22  component
 22       AUCTION         1
 23       BID             1
 24       BUILD_NEW       1  the tile follows from the position
 25       BUILD_ON       48  slot
 73       BUILD_SCRAP     1
 74       BUY             1
 75       DRAW            1
 76       INSERT         45  tile
121       INTO           48  slot
169       MONEY           1
170       PASS            1
171       PAY            16  card
187       REBUILD         1
188       REMOVE         45  tile
233       SPLIT         240  5 * slot + floor - 1
473       STOP            1
474       TAKE           16  card
490       TILE           45  tile

A slot is the index of a palace in the ASCII-ordered list of the distinct palaces of the player who decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from palazzo_env.components import (
    CARD_KINDS,
    CARD_TEXTS,
    COMPONENT_TEXTS,
    COMPONENTS,
    FLOORS,
    PALACE_ROOM,
    TILE_KINDS,
    TILE_TEXTS,
)
from palazzo_env.keys import palace_text, tiles_of
from palazzo_env.state import PHASE_BUILD
from skyline.game import NO_SEAT, ActionTable, Block

TABLE = ActionTable(
    (
        Block("ADD", COMPONENTS, "component: 2, A3 .. C7, T2 .. T7"),
        Block("AUCTION", 1, "auction the tiles of the next quarry"),
        Block("BID", 1, "end the raise"),
        Block("BUILD_NEW", 1, "the tile begins a new palace"),
        Block("BUILD_ON", PALACE_ROOM, "the tile goes on top of the palace in this slot"),
        Block("BUILD_SCRAP", 1, "the tile leaves the game"),
        Block("BUY", 1, "buy from the depot"),
        Block("DRAW", 1, "draw two entries of the stack"),
        Block("INSERT", TILE_KINDS, "rebuild: this single tile goes into another palace"),
        Block("INTO", PALACE_ROOM, ".. into the palace in this slot"),
        Block("MONEY", 1, "turn up money cards"),
        Block("PASS", 1, "leave the auction"),
        Block("PAY", CARD_KINDS, "the card that the rebuilding costs"),
        Block("REBUILD", 1, "rebuild a tile"),
        Block("REMOVE", TILE_KINDS, "rebuild: this single tile leaves the game"),
        Block("SPLIT", PALACE_ROOM * FLOORS, "rebuild: 5 * slot + floor - 1 of the tile that becomes a palace"),
        Block("STOP", 1, "buy no second tile"),
        Block("TAKE", CARD_KINDS, "take this face-up card"),
        Block("TILE", TILE_KINDS, "choose this tile of the depot or quarry"),
    )
)

ADD, AUCTION, BID, BUILD_NEW, BUILD_ON = (TABLE.first(block.name) for block in TABLE.blocks[:5])
BUILD_SCRAP, BUY, DRAW, INSERT, INTO = (TABLE.first(block.name) for block in TABLE.blocks[5:10])
MONEY, PASS, PAY, REBUILD, REMOVE = (TABLE.first(block.name) for block in TABLE.blocks[10:15])
SPLIT, STOP, TAKE, TILE = (TABLE.first(block.name) for block in TABLE.blocks[15:])

WORDS = {
    "auction": AUCTION, "bid": BID, "buy": BUY, "draw": DRAW, "money": MONEY, "pass": PASS, "rebuild": REBUILD,
    "stop": STOP,
}  # fmt: skip
WORD_OF = {action: word for word, action in WORDS.items()}

# Actions with one argument: first id, and the texts of the argument.
ARGUMENTS: dict[str, tuple[int, Sequence[str]]] = {
    "add": (ADD, COMPONENT_TEXTS),
    "insert": (INSERT, TILE_TEXTS),
    "pay": (PAY, CARD_TEXTS),
    "remove": (REMOVE, TILE_TEXTS),
    "take": (TAKE, CARD_TEXTS),
    "tile": (TILE, TILE_TEXTS),
}


def action_table(players: int) -> ActionTable:
    """The blocks of the table above."""
    return TABLE


# ---------------------------------------------------------------- texts


def move_text(s: Any, action: int) -> str:
    """The text of an action in this position. A palace or tile that is not there is written as `#slot` or `-`."""
    if action in WORD_OF:
        return WORD_OF[action]
    for word, (first, texts) in ARGUMENTS.items():
        if first <= action < first + len(texts):
            return f"{word} {texts[action - first]}"
    if action == BUILD_NEW:
        return f"build {_tile_to_build(s)} new"
    if action == BUILD_SCRAP:
        return f"build {_tile_to_build(s)} scrap"
    if BUILD_ON <= action < BUILD_SCRAP:
        return f"build {_tile_to_build(s)} on {_slot_text(s, action - BUILD_ON)}"
    if INTO <= action < MONEY:
        return f"into {_slot_text(s, action - INTO)}"
    slot, level = divmod(action - SPLIT, FLOORS)
    return f"split {_slot_text(s, slot)} {_floor_text(s, slot, level + 1)}"


def _tile_to_build(s: Any) -> str:
    """The text of the tile that is to be built; `-` outside BUILD."""
    return TILE_TEXTS[s.lot[0]] if s.phase == PHASE_BUILD else "-"


def _keys(s: Any) -> list[int]:
    """The palaces of the seat that decides."""
    return [] if s.seat == NO_SEAT else [int(key) for key in s.palaces[s.seat, : s.palace_count[s.seat]]]


def _slot_text(s: Any, slot: int) -> str:
    """The text of the palace in a slot of the deciding seat; `#slot` if there is none."""
    keys = _keys(s)
    return palace_text(keys[slot]) if slot < len(keys) else f"#{slot}"


def _floor_text(s: Any, slot: int, floor: int) -> str:
    """The palace's tile of this floor, or the floor's number if it has none."""
    keys = _keys(s)
    tiles = [TILE_TEXTS[tile] for tile in tiles_of(keys[slot])] if slot < len(keys) else []
    return next((text for text in tiles if text[0] == str(floor)), str(floor))


def parse_move(s: Any, text: str) -> int:
    """The action of a text in this position; ValueError says what is wrong with the text."""
    match text.split(" "):
        case [word] if word in WORDS:
            return WORDS[word]
        case [word, argument] if word in ARGUMENTS:
            first, texts = ARGUMENTS[word]
            if argument not in texts:
                raise ValueError(f"{text!r}: {word} is followed by one of {', '.join(texts)}, not {argument!r}")
            return first + texts.index(argument)
        case ["into", palace]:
            return INTO + _parse_slot(s, text, palace)
        case ["build", tile, *how]:
            return _parse_build(s, text, tile, how)
        case ["split", palace, tile]:
            slot = _parse_slot(s, text, palace)
            for level in range(FLOORS):
                if tile == _floor_text(s, slot, level + 1):
                    return SPLIT + FLOORS * slot + level
            raise ValueError(f"{text!r}: {palace} has no tile {tile!r}")
    raise ValueError(
        f"{text!r} is no move: {', '.join(WORDS)}, {' X, '.join(ARGUMENTS)} X, into PALACE, split PALACE TILE, "
        "build TILE new, build TILE on PALACE, build TILE scrap"
    )


def _parse_build(s: Any, text: str, tile: str, how: list[str]) -> int:
    """The action of a text that begins with `build`."""
    if tile != _tile_to_build(s):
        raise ValueError(f"{text!r}: the tile to build now is {_tile_to_build(s)}, not {tile!r}")
    match how:
        case ["new"]:
            return BUILD_NEW
        case ["scrap"]:
            return BUILD_SCRAP
        case ["on", palace]:
            return BUILD_ON + _parse_slot(s, text, palace)
    raise ValueError(f"{text!r}: a tile is built new, on PALACE or scrap")


def _parse_slot(s: Any, text: str, palace: str) -> int:
    """The slot of the palace with this text."""
    texts = [_slot_text(s, slot) for slot in range(PALACE_ROOM)]
    if palace not in texts:
        raise ValueError(f"{text!r}: seat {s.seat} has no palace {palace!r}")
    return texts.index(palace)
