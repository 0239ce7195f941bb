"""The action table and the move texts. [RULES.md sections 6 and 9]

block      ids          meaning
TAKE         0 ..  14   set of market slots - 1 (bit i for slot i)
BUY         15 ..  18   depot slot
PAY         19 ..  27   value - 1
TILE        28 ..  81   tile id - 1: use (MAIN), place (PLACE)
CELL        82 .. 522   21 * (y + 10) + (x + 10): remove (MAIN), at (BUILD, PUT)
RESERVE    523          put the tile in the reserve
DIRK       524          give the tile to Dirk
PASS       525
OVERPAY    526 .. 534   value - 1: a further card of the bank just paid exactly
"""

from __future__ import annotations

from typing import Any

from newyork_env.components import (
    BANK_LETTERS,
    BOUND,
    CARD_KINDS,
    CELLS,
    CELLS_ACROSS,
    MARKET_SETS,
    NO_CARD,
    SCORING_A,
    SCORING_B,
    SLOTS,
    TILES,
    VALUES,
)
from newyork_env.state import PHASE_MAIN
from skyline import moves
from skyline.game import ActionTable, Block

FIRST_BUY = MARKET_SETS - 1
FIRST_PAY = FIRST_BUY + SLOTS
FIRST_TILE = FIRST_PAY + VALUES
FIRST_CELL = FIRST_TILE + TILES
RESERVE = FIRST_CELL + CELLS
TO_DIRK = RESERVE + 1
PASS = TO_DIRK + 1
FIRST_OVERPAY = PASS + 1

MOVES = "take C .., buy SLOT, use ID, remove X Y, pass, overpay V, pay V, at X Y, place ID, reserve, dirk"

_TABLE = ActionTable(
    (
        Block("TAKE", MARKET_SETS - 1, "set of market slots, less 1: bit i for slot i"),
        Block("BUY", SLOTS, "depot slot"),
        Block("PAY", VALUES, "value - 1"),
        Block("TILE", TILES, "tile id - 1: use in MAIN, place in PLACE"),
        Block("CELL", CELLS, "21 * (y + 10) + (x + 10): remove in MAIN, at in BUILD and PUT"),
        Block("RESERVE", 1, "the tile goes to the reserve"),
        Block("DIRK", 1, "the tile goes to Dirk"),
        Block("PASS", 1, "no main action is possible"),
        Block("OVERPAY", VALUES, "value - 1: a further card for the tile just paid exactly; no action follows"),
    )
)


def action_table(players: int) -> ActionTable:
    """The blocks of the table above, the same for every player count."""
    return _TABLE


def card_text(card: int) -> str:
    """The text of a money card, `B1` .. `R9`: bank and value."""
    bank, level = divmod(int(card), VALUES)
    return f"{BANK_LETTERS[bank]}{level + 1}"


SCORING_NAMES = {SCORING_A: "SA", SCORING_B: "SB"}
CARD_TEXTS = tuple(card_text(card) for card in range(CARD_KINDS))
DECK_TEXTS = (*CARD_TEXTS, *SCORING_NAMES.values())  # by card


def move_text(s: Any, action: int) -> str:
    """The text of an action in this position; it is unique among the legal ones."""
    if action < FIRST_BUY:
        return _take_text(s, action + 1)
    if action < FIRST_PAY:
        return f"buy {action - FIRST_BUY}"
    if action < FIRST_TILE:
        return f"pay {action - FIRST_PAY + 1}"
    in_main = s.phase == PHASE_MAIN
    if action < FIRST_CELL:
        return f"{'use' if in_main else 'place'} {action - FIRST_TILE + 1}"
    if action < RESERVE:
        row, column = divmod(action - FIRST_CELL, CELLS_ACROSS)
        return f"{'remove' if in_main else 'at'} {column - BOUND} {row - BOUND}"
    if action >= FIRST_OVERPAY:
        return f"overpay {action - FIRST_OVERPAY + 1}"
    return {RESERVE: "reserve", TO_DIRK: "dirk", PASS: "pass"}[action]


def _take_text(s: Any, slots: int) -> str:
    """The cards of a set of slots by bank and value; an empty slot in it is written `-`."""
    cards = [int(s.market[i]) for i in range(SLOTS) if slots >> i & 1]
    return " ".join(["take", *(card_text(card) if card != NO_CARD else "-" for card in sorted(cards))])


def parse_move(s: Any, text: str) -> int:
    """The action of a text in this position; ValueError says what is wrong with the text."""
    in_main = s.phase == PHASE_MAIN
    match text.split(" "):
        case ["take", *cards] if cards:
            return _parse_take(s, text, cards)
        case ["buy", slot]:
            return FIRST_BUY + moves.number(text, "depot slot", slot, 0, SLOTS - 1)
        case ["pay", value]:
            return FIRST_PAY + moves.number(text, "value", value, 1, VALUES) - 1
        case [("use" | "place") as word, tile] if (word == "use") == in_main:
            return FIRST_TILE + moves.number(text, "tile", tile, 1, TILES) - 1
        case [("remove" | "at") as word, x, y] if (word == "remove") == in_main:
            row, column = (moves.number(text, name, word, -BOUND, BOUND) + BOUND for name, word in (("y", y), ("x", x)))
            return FIRST_CELL + CELLS_ACROSS * row + column
        case ["overpay", value]:
            return FIRST_OVERPAY + moves.number(text, "value", value, 1, VALUES) - 1
        case ["reserve"]:
            return RESERVE
        case ["dirk"]:
            return TO_DIRK
        case ["pass"]:
            return PASS
    raise ValueError(f"{text!r} is no move {'of the main part' if in_main else 'here'}; moves are {MOVES}")


def _parse_take(s: Any, text: str, cards: list[str]) -> int:
    """The smallest set of slots that holds these cards."""
    for slots in range(1, MARKET_SETS):
        if _take_text(s, slots) == text:
            return slots - 1
    market = ", ".join(card_text(card) if card != NO_CARD else "-" for card in s.market.tolist())
    raise ValueError(f"{text!r}: take is followed by cards of the market ({market}), sorted by bank and value")
