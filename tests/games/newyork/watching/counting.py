"""Exact chances in New York, counted deal by deal from the history of a seat (NY-M01 to NY-M17).

Nothing here uses ranges that move up: the places of SA and SB are those of the deck as it was cut, each pair of places
is played through all cards drawn since, and pairs that show other cards fall out (NY-M02). Only the cards between are
drawn by kind. The number of pairs is at most 23 x 23, so any position will do; `next_cards` of many cards is meant for
small decks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.games.newyork.watching.watcher import SCORING, Watcher
from tests.support.drawings import drawings

Entry = Mapping[str, Any]
Pair = tuple[int | None, int | None]  # the places of SA and SB, None when out; 0 is the top card


def _replayed(entries: Sequence[Entry]) -> tuple[Watcher, Watcher, list[str]]:
    """The books at the beginning and at the end, and the cards drawn from the first deck in their order."""
    first, last = Watcher(entries[0]), Watcher(entries[0])
    drawn: list[str] = []
    shuffled = False
    for entry in entries[1:]:
        last.see(entry)
        for movement in entry["seen"]:
            shuffled = shuffled or (movement["from"] == "discards" and movement["to"] == "deck")
            if movement["from"] == "deck" and not shuffled:
                drawn += movement["cards"]
    return first, last, drawn


def scoring_places(entries: Sequence[Entry]) -> dict[Pair, Fraction]:
    """Every pair of places of SA and SB with its chance [NY-M08]."""
    first, _, drawn = _replayed(entries)
    size = len(first.deck) + len(first.ranges)
    spans = [
        range(first.ranges[card][0], first.ranges[card][1] + 1) if card in first.ranges else [None] for card in SCORING
    ]
    pairs: dict[Pair, int] = {}
    for place_a in spans[0]:
        for place_b in spans[1]:
            if place_a is not None and place_b is not None and place_a >= place_b:
                continue
            at = {place: card for card, place in zip(SCORING, (place_a, place_b), strict=True) if place is not None}
            assert all(place < size for place in at)
            shown = [at.get(place, card) if card not in SCORING else at.get(place) for place, card in enumerate(drawn)]
            if shown == drawn:
                left_a, left_b = (
                    None if place is None or place < len(drawn) else place - len(drawn) for place in (place_a, place_b)
                )
                pairs[left_a, left_b] = pairs.get((left_a, left_b), 0) + 1
    total = sum(pairs.values())
    return {pair: Fraction(number, total) for pair, number in pairs.items()}


def next_cards(entries: Sequence[Entry], number: int) -> dict[tuple[str, ...], Fraction]:
    """Every sequence of the next cards of the deck, top first, with its chance [NY-M10, NY-M11]."""
    _, last, _ = _replayed(entries)
    money = {card: last.deck.count(card) for card in last.deck}
    number = min(number, len(last.deck) + len(last.ranges))
    found: dict[tuple[str, ...], Fraction] = {}
    for (place_a, place_b), chance in scoring_places(entries).items():
        fixed = {
            place: card for card, place in (("SA", place_a), ("SB", place_b)) if place is not None and place < number
        }
        for cards, part in drawings(money, number - len(fixed)):
            rest = iter(cards)
            top = tuple(fixed[place] if place in fixed else next(rest) for place in range(number))
            found[top] = found.get(top, Fraction(0)) + chance * part
    return found


def next_tiles(entries: Sequence[Entry], number: int) -> dict[tuple[int, ...], Fraction]:
    """Every sequence of the next tiles of the bag with its chance [NY-M12]."""
    _, last, _ = _replayed(entries)
    return dict(drawings(dict.fromkeys(last.bag, 1), min(number, len(last.bag))))
