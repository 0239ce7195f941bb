"""History entries of New York, told from whole positions before and after a move: for tests of the watcher alone.

The refill is played here once more (NY-60 to NY-63), so the teller also sees whether the core's refill is that of the
rules. Everything that moves in this game is open, so the entries are the same for every seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.newyork.watching.watcher import BANKS, SCORING

Json = dict[str, Any]


def moved(source: str, target: str, *cards: Any, **more: Any) -> Json:
    return {"from": source, "to": target, "cards": list(cards), **more}


def setup_entry(position: Json, viewer: int) -> Json:
    """The first entry of a game that has just been dealt."""
    seen = [moved("bag", "depot", *position["depot"])]
    if position["dirk"]:
        seen.append(moved("bag", "dirk", *position["dirk"]))
    seen += [moved("deck", f"hand {seat}", *hand) for seat, hand in enumerate(position["hands"])]
    seen.append(moved("deck", "market", *position["market"]))
    seen += [moved("box", "deck", card, shuffled=True) for card in SCORING]
    return {"players": position["players"], "options": {}, "viewer": viewer, "seen": seen}


def position_entry(position: Json, viewer: int) -> Json:
    """The first entry of a game from a position; `scoring_places` is the memory of the position, if it names one."""
    seen = [moved("box", f"hand {seat}", *hand) for seat, hand in enumerate(position["hands"])]
    seen.append(moved("box", "discards", *position.get("discard", [])))
    seen.append(moved("box", "market", *[card for card in position["market"] if card]))
    for slot, tile in enumerate(position["depot"]):
        if tile is not None:
            seen.append(moved("box", f"depot {slot}", tile))
    places = position.get("scoring_places", {})
    seen.append(
        moved("box", "deck", *sorted(card for card in position.get("deck", []) if card not in places), shuffled=True)
    )
    seen += [moved("box", "deck", card, places=span) for card, span in places.items()]
    seen.append(moved("box", "bag", *sorted(position.get("bag", [])), shuffled=True))
    seen.append(moved("box", "dirk", *position.get("dirk", [])))
    return {"players": position["players"], "options": {}, "viewer": viewer, "position": True, "seen": seen}


def move_entry(before: Json, move: str, after: Json, orders: Sequence[Mapping[str, Any]]) -> Json:
    """The entry of one move; `orders` are its shuffle events."""
    seat = before["seat"]
    word, *rest = move.split()
    seen: list[Json] = []
    market: list[str | None] = list(before["market"])
    if word == "take":
        for card in rest:
            market[market.index(card)] = None
            seen.append(moved("market", f"hand {seat}", card))
    elif word == "pay":
        seen.append(moved(f"hand {seat}", "discards", BANKS[before["slot"]] + rest[0]))
        if len(after["bought"]) > len(before["bought"]):
            seen.append(moved("depot", f"bought {seat}", before["depot"][before["slot"]]))
    elif word == "overpay":  # NY-23
        seen.append(moved(f"hand {seat}", "discards", BANKS[before["exact"]] + rest[0]))
    elif word == "dirk":
        seen.append(moved(f"bought {seat}", "dirk", before["tile"]))
    if after["turns"] > before["turns"]:
        seen += Refill(before, market, orders).movements(after)
    return {"seat": seat, "move": move, "seen": seen}


class Refill:
    """The end of a turn, played from the position before its last move."""

    def __init__(self, before: Json, market: list[str | None], orders: Sequence[Mapping[str, Any]]) -> None:
        self.deck, self.discards = list(before["deck"]), list(before["discard"])
        self.bag, self.depot, self.market = list(before["bag"]), list(before["depot"]), market
        self.two = before["players"] == 2
        self.orders = [list(event["order"]) for event in orders]
        self.seen: list[Json] = []

    def movements(self, after: Json) -> list[Json]:
        for slot in range(4):  # NY-60
            while self.market[slot] is None and self._card_left():
                card = self.deck.pop(0)
                if card in SCORING:
                    self._score(card)
                else:
                    self.market[slot] = card
                    self.seen.append(moved("deck", "market", card))
        for slot in range(4):  # NY-63
            if self.depot[slot] is None and self.bag:
                self.depot[slot] = self.bag.pop(0)
                self.seen.append(moved("bag", "depot", self.depot[slot]))
        for slot, tile in enumerate(self.depot):  # NY-91
            if tile is not None and after["depot"][slot] is None:
                self.depot[slot] = None
                self.seen.append(moved("depot", "bought", tile))
        for name, mine in (("deck", self.deck), ("market", self.market), ("bag", self.bag), ("depot", self.depot)):
            assert mine == after[name], f"{name} after the refill: {after[name]} instead of {mine}"
        assert not self.orders, "a shuffle that the refill did not need"
        return self.seen

    def _card_left(self) -> bool:
        """NY-61: the discards are shuffled at the first draw that finds the deck empty."""
        if not self.deck and self.discards:
            order = self.orders.pop(0)
            assert sorted(order) == sorted(self.discards)
            self.seen.append({"from": "discards", "to": "deck", "cards": len(order), "shuffled": True})
            self.deck, self.discards = order, []
        return bool(self.deck)

    def _score(self, card: str) -> None:
        self.seen.append(moved("deck", "box", card))
        if self.two:
            number = min(6, len(self.bag)) if card == "SA" else len(self.bag) // 3  # NY-82, NY-83
            if number:
                self.seen.append(moved("bag", "dirk", *self.bag[:number]))
            del self.bag[:number]
