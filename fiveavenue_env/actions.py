"""The action table and the move texts, the same for every player count and board. [RULES.md sections 6 and 9]

PLACE     0 ..  34    5 * district + colour
TURN     35 ..  47    A; B kind; C; D district
SHOP     48 ..  89    6 * district + lot
TAKE     90 .. 104    ten pairs of colours, five single colours
MOVE    105 .. 122    9 * commission + node
BID     123 .. 142    add: 3 * colour + value - 4, black = 5; bid; pass
BUILD   143 .. 147    0 .. 3 buildings; close
"""

from __future__ import annotations

from typing import Any

from fiveavenue_env.components import (
    BUILD_MOST,
    CARD_KINDS,
    COLOUR_NAMES,
    COLOURS,
    COMMISSION_NAMES,
    COMMISSIONS,
    DISTRICT_NAMES,
    DISTRICTS,
    KIND_NAMES,
    KINDS,
    LOT_NAMES,
    LOTS,
    NODE_NAMES,
    NODES,
    PAIRS,
)
from skyline.game import ActionTable, Block

FIRST_PLACE = 0
ACTION_A = FIRST_PLACE + DISTRICTS * COLOURS
FIRST_B = ACTION_A + 1
ACTION_C = FIRST_B + KINDS
FIRST_D = ACTION_C + 1
FIRST_SHOP = FIRST_D + DISTRICTS
FIRST_TAKE = FIRST_SHOP + LOTS
FIRST_SINGLE = FIRST_TAKE + len(PAIRS)
FIRST_MOVE = FIRST_SINGLE + COLOURS
FIRST_ADD = FIRST_MOVE + COMMISSIONS * NODES
BID = FIRST_ADD + CARD_KINDS
PASS = BID + 1
FIRST_BUILD = PASS + 1
CLOSE = FIRST_BUILD + BUILD_MOST + 1


def action_table(players: int) -> ActionTable:
    """The blocks of the table above."""
    return ActionTable(
        (
            Block("PLACE", FIRST_B - 1 - FIRST_PLACE, "5 * district + colour of the lot"),
            Block("A", 1, "three buildings to the reserve"),
            Block("B", KINDS, "kind of the shop"),
            Block("C", 1, "a black card and a move"),
            Block("D", DISTRICTS, "district to score"),
            Block("SHOP", LOTS, "6 * district + lot (dashed = 5)"),
            Block("TAKE", len(PAIRS) + COLOURS, "pairs of colours 01 02 03 04 12 13 14 23 24 34, then single colours"),
            Block("MOVE", COMMISSIONS * NODES, "9 * commission + node (START = 0, CP = 8)"),
            Block("ADD", CARD_KINDS, "3 * colour + value - 4 (black = 5)"),
            Block("BID", 1, "the cards laid are the bid"),
            Block("PASS", 1, "out of this auction"),
            Block("BUILD", BUILD_MOST + 1, "buildings"),
            Block("CLOSE", 1, "close the district"),
        )
    )


def _texts() -> list[str]:
    """The text of every action."""
    districts, colours = DISTRICT_NAMES, COLOUR_NAMES[:5]
    return [
        *(f"place {d} {c}" for d in districts for c in colours),
        "A",
        *(f"B {kind}" for kind in KIND_NAMES),
        "C",
        *(f"D {d}" for d in districts),
        *(f"shop {d} {lot}" for d in districts for lot in LOT_NAMES),
        *(f"take {colours[a]} {colours[b]}" for a, b in PAIRS),
        *(f"take {c}" for c in colours),
        *(f"move {name} {node}" for name in COMMISSION_NAMES for node in NODE_NAMES),
        *(f"add {c} {value}" for c in COLOUR_NAMES for value in (4, 5, 6)),
        "bid",
        "pass",
        *(f"build {n}" for n in range(BUILD_MOST + 1)),
        "close",
    ]


TEXTS = tuple(_texts())
ACTION_OF = {text: action for action, text in enumerate(TEXTS)}

# verb: how its texts look, and the words allowed in each place
_FORMS: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "place": ("place DISTRICT COLOUR", (DISTRICT_NAMES, COLOUR_NAMES[:5])),
    "B": ("B KIND", (KIND_NAMES,)),
    "D": ("D DISTRICT", (DISTRICT_NAMES,)),
    "shop": ("shop DISTRICT LOT", (DISTRICT_NAMES, LOT_NAMES)),
    "take": ("take COLOUR [COLOUR]", (COLOUR_NAMES[:5], COLOUR_NAMES[:5])),
    "move": ("move COMMISSION NODE", (COMMISSION_NAMES, NODE_NAMES)),
    "add": ("add COLOUR VALUE", (COLOUR_NAMES, ("4", "5", "6"))),
    "build": ("build NUMBER", (("0", "1", "2", "3"),)),
}


def move_text(s: Any, action: int) -> str:
    """The text of an action; it is the same in every position."""
    return TEXTS[action]


def parse_move(s: Any, text: str) -> int:
    """The action of a text; ValueError says what is wrong with the text."""
    if text in ACTION_OF:
        return ACTION_OF[text]
    verb, *words = text.split(" ")
    if verb not in _FORMS:
        raise ValueError(
            f"{text!r} is no move: A, B KIND, C, D DISTRICT, bid, pass, close, "
            + ", ".join(form for name, (form, _) in _FORMS.items() if name not in "BD")
        )
    form, allowed = _FORMS[verb]
    for word, names in zip(words, allowed, strict=False):
        if word not in names:
            raise ValueError(f"{text!r}: {form}; {word!r} is not one of {', '.join(names)}")
    if verb == "take" and len(words) == 2:
        raise ValueError(f"{text!r}: two different colours in the order {', '.join(COLOUR_NAMES[:5])}")
    raise ValueError(f"{text!r}: {form}")
