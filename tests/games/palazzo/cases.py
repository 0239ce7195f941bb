"""Palazzo positions for the rule cases: short to write."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.support.rule_cases import Core, Json, difference

GAME = "palazzo"
PLAYERS = (2, 3, 4)
CARDS = ["2", *(currency + value for currency in "ABC" for value in "34567")]
ALL_CARDS = [card for card in CARDS for _ in range(10 if card == "2" else 3)]
VALUES = (3, 4, 5, 6, 7)
MATERIALS = "bms"


def faces(*numbers: str) -> list[str]:
    """Tiles of these floors and windows in every material."""
    return sorted(number + material for number in numbers for material in MATERIALS)


PILE_1 = faces("11", "13", "22", "23", "32")  # section 1.3
PILE_2 = faces("12", "21", "31", "33", "43", "53")
PILE_3 = faces("31", "41", "42", "51", "52")
KNIGHT = "K"


def at(players: int = 2, stack: Sequence[str] = (), knights: int = 0, **fields: Any) -> Core:
    """The game in a position; fields left out are empty, the knights not named lie at the bottom of the stack."""
    options = fields.pop("options", None)
    missing = 5 - knights - list(stack).count(KNIGHT)
    whole = {"players": players, "knights": knights, "stack": [*stack, *[KNIGHT] * missing], **fields}
    return Core.at(GAME, whole, options)


def hands(*rows: str) -> list[dict[str, int]]:
    """Hands from texts: "A3 A3 2" -> {"A3": 2, "2": 1}."""
    return [counts(row) for row in rows]


def counts(cards: str) -> dict[str, int]:
    words = cards.split()
    return {card: words.count(card) for card in sorted(set(words))}


def bidding(*rows: str, quarry: Sequence[str] = ("23m",), **fields: Any) -> Core:
    """An auction just opened by seat 0 for the tiles of quarry 1: seat 1 bids. Hands as texts."""
    players = len(rows)
    totals = [3] + [0] * (players - 1)
    whole = {
        "decision": "BID", "player": 1, "builder": 1, "quarries": [[], list(quarry), [], []], "standing": [0, 3],
        "totals": totals, "hands": hands(*rows), **fields,
    }  # fmt: skip
    return at(players, **whole)


def paying(hand: str, price: int, **fields: Any) -> Core:
    """A payment of seat 0 for one depot tile that costs `price` (1 .. 9)."""
    depot = sorted(PILE_1[: 10 - price])
    return at(2, decision="PAY", depot=depot, chosen=depot[:1], hands=hands(hand, ""), **fields)


def building(palaces: Sequence[str], *tiles: str, **fields: Any) -> Core:
    """Seat 0 builds these tiles beside its palaces."""
    return at(2, decision="BUILD", to_build=list(tiles), palaces=[list(palaces), []], **fields)


def rebuilding(*palaces: str, hand: str = "A3", **fields: Any) -> Core:
    """Seat 0 chooses what to rebuild."""
    return at(2, decision="REBUILD", palaces=[list(palaces), []], hands=hands(hand, ""), **fields)


def changes(core: Core, *moves: str, orders: Any = ()) -> Json:
    """The whole difference the moves make to the position, but for the memory (test_memory.py)."""
    before = core.position()
    core.play_all(moves, orders)
    return {field: value for field, value in difference(before, core.position()).items() if field != "memory"}


def starting(core: Core, word: str) -> list[str]:
    """The legal moves that begin with this word."""
    return [text for text in core.texts() if text.split()[0] == word]


def largest_payment(hand: str) -> int:
    """What the core takes for the largest payment: the tie-break value it ranks by."""
    core = at(2, knights=5, decision="END", hands=hands(hand, ""))
    keys = [int(core.game.rank_key(core.states[0], seat)) for seat in (0, 1)]
    return keys[0] - keys[1]


def setup_of(seed: int) -> Json:
    """A record's setup object, shuffled by Python's generator."""
    rng = random.Random(seed)
    piles = [list(PILE_1), list(PILE_2), PILE_3 + [KNIGHT] * 5]
    money = list(ALL_CARDS)
    for pile in (*piles, money):
        rng.shuffle(pile)
    return {"stack": [entry for pile in piles for entry in pile], "money": money}
