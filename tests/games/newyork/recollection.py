"""The memory of New York recomputed from a playing: setup, moves, what lay open after each. [RULES.md section 7.2]

Nothing here reads a memory field of a state: the books are kept from markets, discards and the setup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.games.newyork.oracle_money import pile_sizes
from tests.support.rule_cases import Json

SCORING = ("SA", "SB")


class Recollection:
    """What everybody remembers: the money cards of the deck, and where SA and SB can lie in it."""

    def __init__(self, position: Json) -> None:
        """From the first position of a game, whose cards were dealt openly (NY-M04, NY-M08)."""
        self.deck = Counter(card for card in position["deck"] if card not in SCORING)
        s1, s2, s3, s4, _ = pile_sizes(self.deck.total())
        second = s1 + s2 + 1 + s3
        self.places: dict[str, list[int]] = {"SA": [s1, s1 + s2], "SB": [second, second + s4]}

    def move(self, before: Json, text: str, after: Json) -> None:
        """A move between two positions: the refill at the end of a turn draws cards."""
        if before["turns"] == after["turns"]:
            return
        market, taken = list(before["market"]), text.split()[1:] if text.startswith("take") else []
        for card in taken:
            market[market.index(card)] = None  # NY-R20: of equal cards those in the lowest slots
        for slot, card in enumerate(market):
            if card is None and after["market"][slot] is not None:
                self._draw(after["market"][slot], before["discard"])
        for name in SCORING:  # they come up before the last card of the refill, and count as drawn (NY-M09)
            if name in before["deck"] and name not in after["deck"]:
                del self.places[name]
                self._up()

    def _draw(self, card: str, discards: Sequence[str]) -> None:
        """A card comes to the market (NY-M07); from an empty deck after a reshuffle (NY-M11)."""
        if not self.deck.total():
            self.deck = Counter(discards)
        self.deck[card] -= 1
        assert self.deck[card] >= 0
        self._up()

    def _up(self) -> None:
        """Both ranges move up by one place, and do not begin above the top (NY-M08)."""
        for name, (first, last) in self.places.items():
            self.places[name] = [max(first - 1, 0), last - 1]

    def fields(self) -> dict[str, Any]:
        """In the words of `knowledge`."""
        return {"deck": sorted(self.deck.elements()), "scoring_places": dict(self.places)}
