"""Fifth Avenue positions for the rule cases: short to write."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from skyline.game import TABLE
from tests.support.rule_cases import Core, Json, difference

GAME = "fifth_avenue"
PLAYERS = (2, 3, 4)
BOARDS = (5, 6)

DISTRICTS = ("34W", "34E", "42W", "42E", "TS", "52W", "52E")
COLOURS = ("brown", "grey", "violet", "orange", "green")
LOTS = (*COLOURS, "dashed")
KINDS = ("boutique", "jeweller", "gallery", "perfumery")
COLOURED = [4] * 5 + [5] * 4 + [6] * 3  # section 1.1
BLACK = [4] * 20 + [5] * 16 + [6] * 14
ALL_CARDS = [(colour, value) for colour in COLOURS for value in COLOURED] + [("black", value) for value in BLACK]
BLOCKS = (3, 2, 3, 2, 3, 2, 3, 2)
TWO_BLOCKS = [["boutique", "gallery"], ["jeweller", "perfumery"]]
STACKS = {"brown": [5, 4], "grey": [6, 4], "violet": [4]}
SUCCESSORS = {
    "START": {"34W", "34E"}, "34W": {"42W", "TS"}, "34E": {"42E", "TS"}, "42W": {"52W"}, "42E": {"52E"},
    "TS": {"52W", "52E"}, "52W": {"CP"}, "52E": {"CP"}, "CP": {"START"},
}  # fmt: skip


def no_room(board: int = 5) -> dict[str, str]:
    """The lots of a district of two players that takes no shop: Egon has built on all of them."""
    return {**dict.fromkeys(COLOURS, "E:1"), **({"dashed": "boutique+gallery"} if board == 6 else {})}


def at(kind: str = "TURN", seat: int = 0, players: int = 3, **fields: Any) -> Core:
    """The game in a position; fields left out are empty (section 10), the rings are plain, the row has two blocks, less
    where more than six park tiles tell of more blocks that are gone."""
    options = {"rings": "plain", "board": fields.pop("board", 5), **fields.pop("options", {})}
    row = TWO_BLOCKS[: 8 - len(fields.get("park", []))]
    whole = {"players": players, "decision": {"kind": kind, "player": seat}, "row": row, **fields}
    if kind == "MOVE":
        whole.setdefault("phase", 3)
    return Core.at(GAME, whole, options)


def forgetful(core: Core) -> Core:
    """The same game with the memory TABLE (section 7.1)."""
    core.states["memory"] = TABLE
    return core


def hands(*rows: str) -> list[dict[str, list[int]]]:
    """Hands from texts: "brown 64 black 5" -> {"brown": [6, 4], "black": [5]}."""
    return [hand(row) for row in rows]


def hand(text: str) -> dict[str, list[int]]:
    words = text.split()
    return {colour: [int(digit) for digit in digits] for colour, digits in zip(words[::2], words[1::2], strict=True)}


def bid(text: str) -> list[str]:
    """The moves of a raise: "brown 64 black 5" -> add brown 6, add brown 4, add black 5, bid."""
    return [*(f"add {colour} {value}" for colour, values in hand(text).items() for value in values), "bid"]


def bidding(*rows: str, where: str = "34W", then: Sequence[str] = (), first: int = 0, seat: int | None = None,
            auction: Json | None = None, **fields: Any) -> Core:  # fmt: skip
    """An auction of white's round about to begin (in 34W all lots are empty): `first` bids. Hands as texts."""
    left = [*([where] if where != "CP" else []), *then, "CP"]
    running = {"commission": "white", "initiator": first, "left": left, **(auction or {})}
    whole = {"phase": 3, "hands": hands(*rows), "markers": {"white": left[:-1]}, "auction": running, **fields}
    return at("BID", first if seat is None else seat, len(rows), **whole)


def last_bidder(row: str, **fields: Any) -> Core:
    """Seat 0 of three bids, the others have passed without a bid; a black card below keeps discards unshuffled."""
    return bidding(row, "", "", auction={"passed": [1, 2]}, **{"black": ["4d"], **fields})


def lots_of(**codes: str) -> dict[str, dict[str, str]]:
    """The lots of 34W."""
    return {"34W": codes}


# District 34W without an empty lot: seats 0, 1, 2 on orange, green, brown; shops on violet and grey.
FULL = lots_of(orange="0:1", green="1:2", brown="2:1", violet="boutique", grey="gallery")
FULL_SIX = lots_of(**FULL["34W"], dashed="boutique")


def changes(core: Core, *moves: str, orders: Any = ()) -> Json:
    """The whole difference the moves make to the position, its memory apart."""
    before = core.position()
    core.play_all(moves, orders)
    found = difference(before, core.position())
    found.pop("memory", None)
    return found


def starting(core: Core, *words: str) -> list[str]:
    """The legal moves that begin with these words."""
    return [text for text in core.texts() if text.split()[: len(words)] == list(words)]


def kind_of(core: Core) -> str | None:
    """The kind of the open decision, None when the game is over."""
    decision = core.position()["decision"]
    return None if decision is None else str(decision["kind"])


def turn_of(core: Core) -> tuple[str | None, int | None]:
    """Kind of the open decision and who decides."""
    return kind_of(core), core.seat


def lot(core: Core, district: str, name: str) -> str:
    return str(core.position()["lots"][district][name])


def setup_of(seed: int, board: int = 5) -> Json:
    """A record's setup object with plain rings, shuffled by Python's generator."""
    rng = random.Random(seed)
    tiles = [kind for kind in KINDS for _ in range(9)]
    colours = [*COLOURS, *COLOURS[:2]]
    cards = {**{colour: list(COLOURED) for colour in COLOURS}, "black": list(BLACK)}
    for pile in (tiles, colours, *cards.values()):
        rng.shuffle(pile)
    names = LOTS[:board]
    lots = colours if board == 5 else ["dashed"] * 7
    return {
        "rings": {district: list(names) for district in DISTRICTS},
        "shops": {district: [kind, name] for district, kind, name in zip(DISTRICTS, tiles, lots, strict=False)},
        "row": tiles[7:27],
        "out": tiles[27:],
        "cards": cards,
    }


def new_game(players: int, seed: int = 1, board: int = 5) -> Core:
    """A game from `setup_of`."""
    return Core.start(GAME, players, setup_of(seed, board), {"board": board, "rings": "plain"})
