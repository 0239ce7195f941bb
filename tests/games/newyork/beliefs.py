"""Beliefs by brute force: every deal that agrees with what was seen, counted one by one. [RULES.md NY-M01, NY-M02]

python -m tests.games.newyork.beliefs --deals 1000000         chi-square of `determinize` on small endings

A deal is an order of deck and bag; equal cards are told apart, so that each deal counts once.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from tests.games.newyork.cases import at
from tests.games.newyork.views import NEW_YORK
from tests.support.rule_cases import Core, Json
from tests.support.seeing import determinized

Deal = tuple[str, ...]


# ---------------------------------------------------------------- what is possible


def places_of(known: Json) -> Iterator[dict[str, int]]:
    """Every pair of places of SA and SB, each as likely as any other, SA above SB (NY-M08)."""
    ranges = known["scoring_places"]
    for a in range(ranges["SA"][0], ranges["SA"][1] + 1) if "SA" in ranges else [-1]:
        for b in range(ranges["SB"][0], ranges["SB"][1] + 1) if "SB" in ranges else [-1]:
            if a < b or b < 0:
                yield {name: place for name, place in (("SA", a), ("SB", b)) if place >= 0}


def all_decks(known: Json) -> Counter[Deal]:
    """How many deals have each order of the deck, cards told apart."""
    found: Counter[Deal] = Counter()
    for places in places_of(known):
        for order in permutations(known["deck"]):
            deck = list(order)
            for name, place in sorted(places.items(), key=lambda pair: pair[1]):
                deck.insert(place, name)
            found[tuple(deck)] += 1
    return found


def all_endings(known: Json) -> dict[tuple[Deal, Deal], Fraction]:
    """The chance of every order of deck and bag."""
    decks, bags = all_decks(known), [tuple(map(str, bag)) for bag in permutations(known["bag"])]
    total = decks.total() * len(bags)
    return {(deck, bag): Fraction(n, total) for deck, n in decks.items() for bag in bags}


def chance_of(known: Json, entry: Json) -> Fraction:
    """The chance of an entry of `chances` in section 10, from the ranges and the sets (NY-M10, NY-M12)."""
    if "bag" in entry:
        return _without_putting_back(Counter(map(str, known["bag"])), [str(tile) for tile in entry["bag"]])
    every = list(places_of(known))
    return sum((_given_places(known, entry, places) for places in every), Fraction(0)) / len(every)


def _given_places(known: Json, entry: Json, places: dict[str, int]) -> Fraction:
    """The chance of an entry if SA and SB lie there."""
    if "place" in entry:
        return Fraction(all(places.get(name) == place for name, place in entry["place"].items()))
    first = entry["deck"]
    if any((card if card[0] == "S" else None) != _scoring_at(places, at) for at, card in enumerate(first)):
        return Fraction(0)
    return _without_putting_back(Counter(known["deck"]), [card for card in first if card[0] != "S"])


def _scoring_at(places: dict[str, int], at: int) -> str | None:
    return next((name for name, place in places.items() if place == at), None)


def _without_putting_back(left: Counter[str], drawn: list[str]) -> Fraction:
    chance = Fraction(1)
    for card in drawn:
        chance *= Fraction(left[card], max(left.total(), 1))
        left[card] -= 1
    return chance


# ---------------------------------------------------------------- what is dealt


def dealt(core: Core, viewer: int, deals: int, stream: int = 1) -> Iterator[Json]:
    """The positions of so many deals."""
    piece = 10_000
    for first in range(0, deals, piece):
        for row in determinized(core, viewer, stream + first, min(piece, deals - first)):
            position: dict[str, Any] = NEW_YORK.position(row)
            yield position


def chi_square(core: Core, viewer: int, deals: int) -> tuple[float, int]:
    """Chi-square of `determinize` against all endings, and its degrees of freedom."""
    chances = all_endings(NEW_YORK.knowledge(core.states[0], viewer))
    found = Counter((tuple(p["deck"]), tuple(map(str, p["bag"]))) for p in dealt(core, viewer, deals))
    assert set(found) <= set(chances), "a deal that contradicts what was seen"
    means = {ending: deals * float(chance) for ending, chance in chances.items()}
    return sum((found[ending] - mean) ** 2 / mean for ending, mean in means.items()), len(means) - 1


def largest(freedom: int, deviations: float = 4.75) -> float:
    """What chi-square exceeds once in a million times (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + deviations * np.sqrt(spread)) ** 3)


# ---------------------------------------------------------------- small endings


ENDINGS = ("both", "overlap", "drawn", "shuffled")


def endings() -> dict[str, Core]:
    """Small endings: made up, and played until a refill or a reshuffle; by the names above."""
    cards = {"market": ["B9", "G9", "Y9", "R9"], "depot": [7, 13, 23, 40]}
    both = at(3, **cards, deck=["SA", "B1", "B1", "G2", "SB"], bag=[1, 2, 3], hands=[["B8"], [], []],
              scoring_places={"SA": [0, 1], "SB": [3, 4]})  # fmt: skip
    overlap = at(2, **cards, deck=["B1", "SA", "SB", "G2"], bag=[1, 2],
                 scoring_places={"SA": [0, 2], "SB": [1, 3]})  # fmt: skip
    drawn = at(3, **cards, deck=["G1", "B1", "SB", "B1", "G2", "R5"], bag=[1, 2, 3], scoring_places={"SB": [1, 5]})
    drawn.play("take B9")
    shuffled = at(3, **cards, deck=[], discard=["R1", "R1", "R2", "G5", "G6"], bag=[1, 2, 3], hands=[["B8"], [], []])
    shuffled.play_all(["buy 0", "pay 8", "take B9", "place 7", "reserve"], [["G5", "B8", "R1", "R1", "R2", "G6"]])
    return dict(zip(ENDINGS, (both, overlap, drawn, shuffled), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100_000, help="of every ending")
    deals = parser.parse_args().deals
    print("ending      orders      deals   chi-square   once in 10^6")
    for name, core in endings().items():
        for viewer in range(core.players):
            found, freedom = chi_square(core, viewer, deals)
            print(f"{name:10} {freedom + 1:7,} {deals:10,} {found:12.1f} {largest(freedom):14.1f}", flush=True)
            assert found < largest(freedom), name


if __name__ == "__main__":
    main()
