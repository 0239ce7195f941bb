"""A watcher of New York: books kept by RULES 7.2 from the history of one seat alone.

The watcher gets the entries of `history(seat)`: the beginning, then one entry a move. It reads where cards and tiles
went, never a state, and says what a seat with perfect memory knows (`knowledge`) and whether a drawn deal can be true
(`possible`). An entry that cannot be (a card drawn that is not in the deck, SB above SA) is a `Contradiction`.

A place in a movement is a word with a number where there are several such places ("hand 1"). The watcher reads these,
and ignores all others, because nothing of them is hidden:

    hand S     the cards of a seat            bag        the tiles not yet drawn
    deck       the money cards not yet drawn  depot [I]  building tiles for sale, by slot
    discards   the cards paid                 dirk       the heap of Dirk
    market     the face-up cards              box        out of the game
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

Json = dict[str, Any]

BANKS = "BGYR"
SCORING = ("SA", "SB")
SLOTS = 4
TILES = range(1, 55)
PILES = 5


class Contradiction(AssertionError):
    """An entry that no deal of the game agrees with."""


@lru_cache(None)
def place_of(text: str) -> tuple[str, int | None]:
    """ "hand 1" -> ("hand", 1); "deck" -> ("deck", None)."""
    word, _, number = text.rpartition(" ")
    return (word, int(number)) if number.isdigit() else (text, None)


def money(players: int) -> list[str]:
    """All money cards, sorted [section 1.1]."""
    copies = 2 if players == 2 else 3
    return sorted(bank + str(value) for bank in BANKS for value in range(1, 10) for _ in range(copies))


def first_places(left: int) -> dict[str, list[int]]:
    """Where SA and SB can lie in a deck of `left` money cards [section 2, step 7; NY-M08]."""
    piles = [left // PILES + (pile < left % PILES) for pile in range(PILES)]
    above_a, above_b = piles[0], sum(piles[:3]) + 1
    return {"SA": [above_a, above_a + piles[1]], "SB": [above_b, above_b + piles[3]]}


def _take(sorted_cards: list[Any], card: Any, where: str) -> None:
    index = bisect_left(sorted_cards, card)
    if index == len(sorted_cards) or sorted_cards[index] != card:
        raise Contradiction(f"{card} leaves {where}, which does not hold it")
    del sorted_cards[index]


class Watcher:
    """The books of one seat; all lists are kept sorted."""

    def __init__(self, first: Mapping[str, Any]) -> None:
        players = int(first["players"])
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.sums = [[0] * SLOTS for _ in range(players)]  # the value of each bank in a hand [NY-91]
        self.market: list[str] = []
        self.discards: list[str] = []
        self.deck: list[str] = []
        self.ranges: dict[str, list[int]] = {}
        self.bag: list[int] = []
        self.depot: list[int | None] = [None] * SLOTS
        if first.get("position"):
            self._begin_in_position(first["seen"])
        else:
            self._begin_with_setup(players, first["seen"])

    # ------------------------------------------------------------ the beginning

    def _begin_with_setup(self, players: int, seen: Iterable[Mapping[str, Any]]) -> None:
        """All cards and tiles are in the box, the deck or the bag; those dealt are told one by one [NY-M04]."""
        self.deck, self.bag = money(players), list(TILES)
        for movement in seen:
            source, target = place_of(movement["from"])[0], movement["to"]
            if source == "box" and place_of(target)[0] in ("deck", "bag", "marker"):
                continue
            if source == "box":
                source = "bag" if place_of(target)[0] in ("depot", "dirk") else "deck"
            self._move(source, target, movement["cards"])
        self.ranges = first_places(len(self.deck))

    def _begin_in_position(self, seen: Iterable[Mapping[str, Any]]) -> None:
        """Everything comes out of the box; a range that nobody names is the whole deck ["What is remembered"]."""
        named: dict[str, list[int]] = {}
        missing = []
        for movement in seen:
            if movement["to"] != "deck":
                self._move(movement["from"], movement["to"], movement["cards"])
                continue
            for card in movement["cards"]:
                if card not in SCORING:
                    insort(self.deck, card)
                elif "places" in movement:
                    named[card] = [int(place) for place in movement["places"]]
                else:
                    missing.append(card)
        size = len(self.deck) + len(missing) + len(named)
        self.ranges = named | {card: [0, size - 1] for card in missing}

    # ------------------------------------------------------------ one entry

    def see(self, entry: Mapping[str, Any]) -> None:
        """Book the movements of one move, in their order."""
        for movement in entry["seen"]:
            source, target = movement["from"], movement["to"]
            if source == "discards" and target == "deck":
                self._shuffle(movement["cards"])
            else:
                self._move(source, target, movement["cards"])

    def _shuffle(self, cards: Any) -> None:
        """The discards become the deck [NY-M11]."""
        number = cards if isinstance(cards, int) else len(cards)
        if self.deck or self.ranges or number != len(self.discards):
            raise Contradiction(f"{number} cards are shuffled: deck {self.deck} {self.ranges}, {self.discards} paid")
        if number and not isinstance(cards, int) and sorted(cards) != self.discards:
            raise Contradiction(f"{sorted(cards)} are shuffled, the discards are {self.discards}")
        self.deck, self.discards = self.discards, []

    def _move(self, source: str, target: str, cards: Any) -> None:
        if isinstance(cards, int):
            raise Contradiction(f"{cards} cards go unseen from {source} to {target}")
        for card in cards:
            self._leave(source, card)
            self._arrive(target, card)

    def _leave(self, place: str, card: Any) -> None:
        word, number = place_of(place)
        if word == "deck":
            self._draw(card)
        elif word == "hand":
            assert number is not None
            _take(self.hands[number], card, place)
            self.sums[number][BANKS.index(card[0])] -= int(card[1])
        elif word == "market":
            _take(self.market, card, place)
        elif word == "discards":
            _take(self.discards, card, place)
        elif word == "bag":
            _take(self.bag, int(card), place)
        elif word == "depot":
            if int(card) not in self.depot:
                raise Contradiction(f"tile {card} leaves the depot {self.depot}")
            self.depot[self.depot.index(int(card))] = None

    def _arrive(self, place: str, card: Any) -> None:
        word, number = place_of(place)
        if word == "hand":
            assert number is not None
            insort(self.hands[number], card)
            self.sums[number][BANKS.index(card[0])] += int(card[1])
        elif word == "market":
            insort(self.market, card)
        elif word == "discards":
            insort(self.discards, card)
        elif word == "bag":
            insort(self.bag, int(card))
        elif word == "depot":
            slot = self.depot.index(None) if number is None else number
            if self.depot[slot] is not None:
                raise Contradiction(f"tile {card} comes to slot {slot} of the depot {self.depot}")
            self.depot[slot] = int(card)

    def _draw(self, card: str) -> None:
        """The top card leaves the deck: it is struck out, both ranges move up [NY-M07, NY-M08, NY-M09]."""
        if card in SCORING:
            if card not in self.ranges or self.ranges.pop(card)[0] > 0 or (card == "SB" and "SA" in self.ranges):
                raise Contradiction(f"{card} is drawn, which cannot lie on top: {self.ranges}")
        else:
            _take(self.deck, card, "the deck")
        for name, places in self.ranges.items():
            if places[1] == 0:
                raise Contradiction(f"{card} is drawn, but {name} lay on top for certain")
            places[0] = max(0, places[0] - 1)
            places[1] -= 1

    # ------------------------------------------------------------ what is known

    def knowledge(self) -> Json:
        """What the seat knows [7.2]; the same for all seats [NY-M15]."""
        return {
            "hands": {str(seat): list(hand) for seat, hand in enumerate(self.hands)},
            "discard": list(self.discards),
            "deck": list(self.deck),
            "scoring_places": {card: list(places) for card, places in self.ranges.items()},
            "bag": list(self.bag),
            "leftovers": [self._receiver(slot) for slot in range(SLOTS)],
        }

    def _receiver(self, slot: int) -> int | None:
        """Who would receive the tile of a depot slot now [NY-91, NY-M13]."""
        if self.depot[slot] is None:
            return None
        totals = [sums[slot] for sums in self.sums]
        best = max(totals)
        return totals.index(best) if totals.count(best) == 1 else None

    def possible(self, position: Mapping[str, Any]) -> str | None:
        """Why a drawn deal cannot be true, or None [NY-M16]."""
        deck = position["deck"]
        checks: list[tuple[str, Any, Any]] = [
            ("hands", [sorted(hand) for hand in position["hands"]], self.hands),
            ("discard", sorted(position["discard"]), self.discards),
            ("market", sorted(card for card in position["market"] if card is not None), self.market),
            ("depot", list(position["depot"]), self.depot),
            ("bag", sorted(position["bag"]), self.bag),
            ("deck", sorted(card for card in deck if card not in SCORING), self.deck),
            ("scoring cards", sorted(card for card in deck if card in SCORING), sorted(self.ranges)),
            ("scoring_places", position.get("scoring_places", self.ranges), self.ranges),
        ]
        for name, found, known in checks:
            if found != known:
                return f"{name}: {found} drawn, {known} known"
        at = {card: deck.index(card) for card in self.ranges}
        for card, place in at.items():
            if not self.ranges[card][0] <= place <= self.ranges[card][1]:
                return f"{card} at place {place}, possible are {self.ranges[card]}"
        if len(at) == len(SCORING) and at["SA"] > at["SB"]:
            return f"SB at place {at['SB']} above SA at place {at['SA']}"
        return None
