"""What the text and the drawing of a position say in the same words. Seats are called A, B, C, D.

All functions read the row and never change it. None of them reads a hand or the orders of deck and stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from palazzo_env import components as box
from palazzo_env import state
from palazzo_env.keys import palace_text, tile_texts
from palazzo_env.payment import price_of_one
from palazzo_env.position import Json, cards_left
from palazzo_env.scoring import points_of
from skyline.core.jit import FromPython
from skyline.game import LastMove, seat_name
from skyline.telling import Thing, joined, leaders

points, _price_of_one = FromPython(points_of), FromPython(price_of_one)

MATERIAL_NAMES = "b brick, m marble, s sandstone"
CURRENCY_NAMES = ("red", "brown", "grey")  # in the order of the letters in the texts of cards
CARD_LEGEND = "A3 .. A7 are red, B3 .. B7 brown, C3 .. C7 grey; 2 is the neutral certificate"
COPIES_LEGEND = "x3 behind a card or tile: three copies"
PILE_NAMES = ("I", "II", "III")


class Cards(NamedTuple):
    """A kind of card and the number of its copies."""

    text: str
    copies: int


def cards_of(counts: Any) -> list[Cards]:
    """The kinds of cards that are there, from counts by card."""
    return [Cards(box.CARD_TEXTS[card], int(n)) for card, n in enumerate(counts) if n]


def card_words(counts: Any) -> list[str]:
    """The same as texts: `A3`, `2x3` for three copies."""
    return [card.text + (f"x{card.copies}" if card.copies > 1 else "") for card in cards_of(counts)]


def palaces_of(s: Any, seat: int) -> list[int]:
    """The keys of the seat's palaces in their order, each as often as it is there."""
    slots = range(s.palace_count[seat])
    return [int(s.palaces[seat, slot]) for slot in slots for _ in range(s.copies[seat, slot])]


def pending_tiles(s: Any) -> list[str]:
    """The tiles that are chosen, to be built or to be rebuilt."""
    if s.change != state.NO_CHANGE:
        return [box.TILE_TEXTS[s.change_tile]]
    return tile_texts(s.lot[: s.lot_size])


def quarry_tiles(s: Any, quarry: int) -> list[str]:
    """The tiles on a quarry."""
    return tile_texts(s.quarries[quarry, : s.quarry_size[quarry]])


def depot_tiles(s: Any) -> list[str]:
    """The tiles in the depot."""
    return tile_texts(s.depot[: s.depot_size])


def stack(s: Any) -> str:
    """What everybody knows of the stack. [section 7]"""
    left = box.STACK - int(s.stack_top)
    pile = PILE_NAMES[(left <= box.BELOW_PILE_1) + (left <= box.BELOW_PILE_2)]
    top = f" (top: pile {pile})" if left else ""
    return f"stack {left}{top}, {s.knights} of {box.KNIGHTS} knights drawn"


def clock(s: Any) -> str:
    """Whose turn it is, or that the game is over."""
    return "the game is over" if s.phase == state.PHASE_OVER else f"turn of seat {seat_name(int(s.active))}"


def tile_price(s: Any) -> int:
    """The price of a tile of the depot."""
    return int(_price_of_one(s))


def price(s: Any) -> str:
    """The price of a tile of the depot in words."""
    return f"price {tile_price(s)} a tile" if s.depot_size else "empty"


def deck(s: Any) -> str:
    """The number of cards in the deck."""
    return f"deck {cards_left(s)}"


def remembered_cards(cards: Mapping[str, int]) -> str:
    """Cards by kind that a seat remembers: `A3 2x3`."""
    return " ".join(card_words([cards.get(text, 0) for text in box.CARD_TEXTS]))


def remembered_things(known: Json) -> list[Thing]:
    """What a viewer remembers beside the hands, from `knowledge`: deck, unseen cards, piles, box; nothing without it.

    [PZ-M09 .. PZ-M13]
    """
    if not known:
        return []
    things = [Thing("Deck", remembered_cards(known["deck"] or {}))] * bool(known["deck"])
    if known["unseen"]:
        things.append(Thing("Cards not shown so far", remembered_cards(known["unseen"])))
    piles = [(f"Pile {name} of the stack", tiles) for name, tiles in known["piles"].items()]
    things += [Thing(name, _tile_words(tiles)) for name, tiles in piles if tiles]
    return things + [Thing("Tiles out of the game", _tile_words(known["box"]))] * bool(known["box"])


def _tile_words(tiles: Sequence[str]) -> str:
    """Tiles, `11bx2` for equal ones, and the number of knights."""
    counts = Counter(tiles)
    knights = counts.pop(box.KNIGHT_TEXT, 0)
    found = [tile + (f"x{n}" if n > 1 else "") for tile, n in counts.items()]
    return " ".join([*found, f"{'and ' * bool(found)}{knights} knight{'s' * (knights > 1)}"] if knights else found)


def decision(s: Any) -> str:
    """What is to be decided, in a line."""
    if s.phase == state.PHASE_OVER:
        best = leaders(s.scores[: s.players].tolist())  # hidden hands break the tie (PZ-82)
        return f"{best[0]} wins" if len(best) == 1 else f"{joined(best)} have most points"
    tiles = joined(pending_tiles(s))
    words = {
        state.PHASE_MAIN: "draws tiles" + (", takes money or rebuilds" if s.quiet < s.quiet_limit else ""),
        state.PHASE_MONEY: "takes a card",
        state.PHASE_CHOICE: "buys or auctions",
        state.PHASE_BUY: "chooses a tile to buy" if not s.lot_size else f"buys {tiles}, and another tile?",
        state.PHASE_PAY: f"pays {int(s.lot_size) * tile_price(s)} for {tiles}",
        state.PHASE_BID: f"bids more than {s.standing} or passes",
        state.PHASE_SHARE: "takes one of the tiles",
        state.PHASE_BUILD: f"builds {tiles}",
        state.PHASE_REBUILD: "chooses what to rebuild",
        state.PHASE_INTO: f"inserts {tiles}: into which palace?",
        state.PHASE_FEE: f"pays a card to {change(s)}",
    }
    return f"Seat {seat_name(int(s.seat))} {words[int(s.phase)]}"


def change(s: Any) -> str:
    """The rebuilding that is planned: `split 32b off 13s/32b`."""
    tile = box.TILE_TEXTS[s.change_tile]
    if s.change == state.CHANGE_SPLIT:
        return f"split {tile} off {palace_text(s.palaces[s.seat, s.change_slot])}"
    if s.target_slot != state.NO_SLOT:
        return f"insert {tile} into {palace_text(s.palaces[s.seat, s.target_slot])}"
    return f"remove {tile}"


def auction(s: Any, seat: int) -> str:
    """The seat's part in the running auction or payment."""
    if s.phase == state.PHASE_PAY and seat == s.seat:
        return f"paid {s.totals[seat]}"
    if s.phase != state.PHASE_BID:
        return ""
    if s.passed[seat]:
        return "passed"
    lock = f", {CURRENCY_NAMES[s.locks[seat]]} cards" if s.locks[seat] >= 0 else ""
    return f"{'standing bid' if seat == s.holder else 'bid'} {s.totals[seat]}{lock}"


def last_palace(last_move: LastMove | None, seat: int) -> str | None:
    """The text of the palace that the last move built, if the move was this seat's."""
    if last_move is None or last_move.seat != seat:
        return None
    match last_move.move.split(" "):
        case ["build", tile, "new"]:
            return tile
        case ["build", tile, "on", palace]:
            return f"{palace}/{tile}"
    return None
