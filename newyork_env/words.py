"""What the text and the drawing of a position say in the same words.

Seats are called A .. F, so nothing else has a single letter of these: types of tiles are M T S H P K, the streets of a
tile are four signs (`NE--`), banks and scorings are named by words. All functions read the row and never change it.
None of them reads a hand but `cards_in_hand`; what a seat remembers comes from `knowledge` (RULES.md 7.2).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from newyork_env import components as box
from newyork_env import position, state
from newyork_env.actions import CARD_TEXTS, SCORING_NAMES
from newyork_env.knowledge import knowledge
from newyork_env.position import city_of
from newyork_env.scoring import next_scoring
from skyline.core.jit import FromPython
from skyline.game import LastMove, seat_name
from skyline.telling import Thing, winners

LEFTOVER_LEGEND = (
    "If the game ended now: the tiles left in the depot would go to these seats, which hold the largest value of cards "
    "of the colour of the slot"
)
_next_scoring = FromPython(next_scoring)

TYPE_LETTERS = "MTSHPK"
BANK_NAMES = ("blue", "green", "yellow", "red")
SCORING_WORDS = ("first", "second", "last")
TYPE_LEGEND = ", ".join(f"{letter} {name}" for letter, name in zip(TYPE_LETTERS, box.TYPES, strict=True))
CARD_LEGEND = "B1 .. B9 blue, G1 .. G9 green, Y1 .. Y9 yellow, R1 .. R9 red"


class Map(NamedTuple):
    """A city: its tiles by cell and the cells it spans."""

    tiles: dict[tuple[int, int], int]
    x: range
    y: range


def map_of(s: Any, seat: int) -> Map:
    """The city of a seat; the start tile is tile 0 at (0, 0)."""
    tiles = {(x, y): tile for x, y, tile in city_of(s, seat)} | {(0, 0): 0}
    xs, ys = [x for x, _ in tiles], [y for _, y in tiles]
    return Map(tiles, range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1))


def street_on(tile: int, side: int) -> bool:
    """Whether a tile has a street on side 0 .. 3 = N E S W."""
    return bool(box.STREETS[tile] >> side & 1)


def letter_of(tile: int) -> str:
    """The letter of the tile's type."""
    return TYPE_LETTERS[box.TYPE[tile]]


def streets_text(tile: int) -> str:
    """The sides with a street as four signs, `NES-` or `----`."""
    return "".join(name if street_on(tile, side) else "-" for side, name in enumerate(box.SIDES))


def tile_text(tile: int) -> str:
    """`26 H7 NE--`: id, type and price, streets."""
    return f"{tile} {letter_of(tile)}{box.PRICE[tile]} {streets_text(tile)}"


def tile_name(tile: int) -> str:
    """`tile 26 (church)`."""
    return f"tile {tile} ({box.TYPES[box.TYPE[tile]]})"


def last_cell(last_move: LastMove | None, seat: int) -> tuple[int, int] | None:
    """The cell in which the last move laid a tile, if the move was this seat's."""
    if last_move is None or last_move.seat != seat:
        return None
    match last_move.move.split(" "):
        case ["at", x, y]:
            return int(x), int(y)
    return None


def clock(s: Any) -> str:
    """The number of the turn."""
    turn = int(s.turns) + (s.phase != state.PHASE_OVER and not s.ending)
    if s.phase == state.PHASE_OVER:
        return f"after {turn} turns: the game is over"
    return f"turn {turn} of at most {s.max_turns}" if not s.ending else f"after {turn} turns: leftover tiles"


def decision(s: Any) -> str:
    """What is to be decided, in a line."""
    if s.phase == state.PHASE_OVER:
        return winners(s.scores[: s.players].tolist())
    chosen = tile_text(int(s.chosen))
    what = {
        state.PHASE_MAIN: "chooses a main action",
        state.PHASE_PAY: "pays",
        state.PHASE_BUILD: f"builds {chosen}",
        state.PHASE_PLACE: "chooses a tile to place",
        state.PHASE_PUT: f"places {chosen}",
    }[int(s.phase)]
    return f"Seat {seat_name(int(s.seat))} {what}"


def purchase(s: Any) -> str:
    """What is laid for the tile that is being bought, or that a further card may be paid for the last one."""
    if s.paid_slot != state.NO_SLOT:
        return f"slot {s.paid_slot} is paid exactly: a further {BANK_NAMES[s.paid_slot]} card would end the actions"
    if s.slot == state.NO_SLOT:
        return ""
    laid = [str(value) for value in range(box.VALUES, 0, -1) for _ in range(s.laid[value])]
    return f"buying slot {s.slot}: laid {' '.join(laid) or 'nothing'} of {box.PRICE[s.depot[s.slot]]}"


def scorings(s: Any) -> str:
    """Which scorings are over, and which one is next."""
    done = [SCORING_WORDS[i] for i in range(2) if s.scored >> i & 1]
    if s.phase == state.PHASE_OVER:
        return f"scorings done: {', '.join([*done, SCORING_WORDS[-1]])}"
    return f"scorings done: {', '.join(done) or 'none'}; next: {SCORING_WORDS[_next_scoring(s)]}"


def cards_in_hand(s: Any, seat: int, bank: int) -> list[str]:
    """The texts of a bank's cards in hand, from low to high."""
    kinds = range(box.VALUES * bank, box.VALUES * (bank + 1))
    return [CARD_TEXTS[card] for card in kinds for _ in range(s.hands[seat, card])]


def remembered_hand(s: Any, viewer: int, seat: int) -> list[list[str]] | None:
    """Another seat's cards by bank, from low to high, as the viewer remembers them; None with TABLE. [NY-M05]"""
    known = knowledge(s, viewer)
    return _by_bank(known["hands"][str(seat)]) if known else None


def remembered_things(s: Any, viewer: int | None) -> list[Thing]:
    """What a viewer remembers beside the hands: nothing with TABLE. [NY-M06, NY-M07, NY-M13]"""
    known = {} if viewer is None else knowledge(s, viewer)
    if not known:
        return []
    due = [
        f"the {BANK_NAMES[slot]} tile (slot {slot}) to seat {seat_name(p)}"
        for slot, p in enumerate(known["leftovers"])
        if p is not None
    ]
    things = [Thing(what, _values_of(known[key])) for what, key in (("Deck", "deck"), ("Discards", "discard"))]
    return [*things, Thing("If the game ended now", f"{', '.join(due) or 'no tile to anybody'}")]


def scoring_places(s: Any) -> list[str]:
    """Where each scoring card that is in the deck can lie, which everybody knows. [7.1, NY-M08]"""
    ranges = position.scoring_places(s)
    return [
        f"{SCORING_WORDS[number]} scoring card: {_range_words(*ranges[name])}"
        for number, name in enumerate(SCORING_NAMES.values())
        if name in ranges
    ]


def _range_words(low: int, high: int) -> str:
    """Places of the deck, the top card being 1: `places 4 to 9 of the deck`, or `place 4 of the deck`."""
    return f"places {low + 1} to {high + 1} of the deck" if low < high else f"place {low + 1} of the deck"


def _by_bank(cards: list[str]) -> list[list[str]]:
    """The texts of cards by bank, in their order."""
    return [[card for card in cards if card[0] == letter] for letter in box.BANK_LETTERS]


def _values_of(cards: list[str]) -> str:
    """The values of cards by bank: `blue 112, green -, ..`."""
    banks = ("".join(card[1] for card in bank) or "-" for bank in _by_bank(cards))
    return ", ".join(f"{name} {values}" for name, values in zip(BANK_NAMES, banks, strict=True))


def points_now(s: Any, seat: int) -> str:
    """Street and points for types at the next scoring as things stand, or those of the last one."""
    now = "" if s.phase == state.PHASE_OVER else " now"
    return f"street {s.street[seat]}, types +{int(s.majority[seat].sum())}{now}"
