"""Exact chances in Palazzo, counted deal by deal from the history of a seat (PZ-M01 to PZ-M03).

Every set of starting cards that another player can have had is played through all his moves: a set that cannot lay
what he laid, or could not have made one of his moves by section 6, falls out. What is left is weighed by the number of
deals that lead to it (copies told apart). Neither the books of shown cards (PZ-M07) nor the drawing of PZ-M17 are used,
so these figures check both. With two players every position will do; with more the sets multiply: small endings only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

from tests.games.palazzo.watching.counts import Counts, counted, fillings, listed, put
from tests.games.palazzo.watching.piles import pile_at
from tests.games.palazzo.watching.watcher import Watcher, place_of
from tests.support.drawings import drawings

Entry = Mapping[str, Any]
Joint = tuple[tuple[str, ...], ...]  # the cards in every hand, sorted, the own one included
MOST = 2_000_000


@dataclass
class Doings:
    """What a player did with his hand, in order: ("lay", cards), ("get", cards), ("can", debt)."""

    steps: list[tuple[str, Any]] = field(default_factory=list)

    def end_of(self, start: Counts) -> Counts | None:
        """The hand at the end of one that began so; None if it could not do all this."""
        hand = dict(start)
        for what, thing in self.steps:
            if what == "can":
                if not thing.can_pay(hand):
                    return None
                continue
            for kind in thing:
                hand[kind] = hand.get(kind, 0) + (1 if what == "get" else -1)
                if hand[kind] < 0:
                    return None
        return {kind: number for kind, number in hand.items() if number}


class Playing:
    """A game as one seat saw it: the books at its beginning and its end, and what every player did."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.first, self.last = Watcher(entries[0]), Watcher(entries[0])
        self.doings = [Doings() for _ in range(self.first.players)]
        self.pool = dict(self.first.unseen)  # cards that were a starting card, or are still in the first deck
        self._old_deck = self.first.deck is None
        for entry in entries[1:]:
            self.last.see(entry)
            self._note(entry)

    def _note(self, entry: Entry) -> None:
        for movement in entry["seen"]:
            source, target, cards = movement["from"], movement["to"], movement["cards"]
            if source == "discards" and target == "deck":
                self._old_deck = False
            elif source == "deck" and self._old_deck:
                for kind in cards:
                    self.pool[kind] -= 1
            for place, what in ((source, "lay"), (target, "get")):
                if place_of(place)[0] == "hand":
                    self.doings[place_of(place)[1]].steps.append((what, list(cards)))
        debt = self.last.debts.open
        if debt is not None and debt.seat == entry["seat"]:
            self.doings[debt.seat].steps.append(("can", debt))

    def candidates(self, seat: int) -> list[tuple[Counts, Counts]]:
        """The unseen cards that the player can have had at the beginning, each with his hand at the end."""
        found = []
        for filling in fillings(
            {kind: number for kind, number in self.pool.items() if number}, self.first.starting[seat]
        ):
            start = dict(self.first.known[seat])
            for kind, number in filling.items():
                put(start, kind, number)
            end = self.doings[seat].end_of(start)
            if end is not None:
                found.append((dict(filling), end))
        return found

    def joints(self) -> Iterator[tuple[Joint, Counts, Fraction]]:
        """Every agreeing set of hands, what is left in the first deck with it, and its weight.

        The number of deals in which the players o have the starting cards a(o, k) of each kind, and d(k) cards are left
        of the deck, is in proportion to the product of 1 / (a(o, k)! .. d(k)!): the other copies are the same in all.
        """
        others = [seat for seat in range(self.first.players) if seat != self.first.viewer]
        lists = [self.candidates(seat) for seat in others]
        if prod(map(len, lists)) > MOST:
            raise ValueError(f"too many hands to list: {[len(candidates) for candidates in lists]}")
        for choice in product(*lists):
            left = dict(self.pool)
            weight = Fraction(1)
            for seat, (start, _) in zip(others, choice, strict=True):
                for kind, number in start.items():
                    left[kind] -= number
                    shown = self.first.shown[seat].get(kind, 0)
                    weight *= Fraction(factorial(shown), factorial(shown + number))
            if min(left.values(), default=0) < 0:
                continue
            for number in left.values():
                weight /= factorial(number)
            ends = {seat: end for seat, (_, end) in zip(others, choice, strict=True)} | {
                self.first.viewer: self.last.hand
            }
            yield tuple(tuple(listed(ends[seat])) for seat in sorted(ends)), left, weight


def joint_hands(entries: Sequence[Entry]) -> dict[Joint, Fraction]:
    """Every set of hands that agrees with what the seat saw, with its chance; cards on the table are not in a hand."""
    weights: dict[Joint, Fraction] = {}
    for hands, _, weight in Playing(entries).joints():
        weights[hands] = weights.get(hands, Fraction(0)) + weight
    total = sum(weights.values())
    return {hands: weight / total for hands, weight in weights.items()}


def chance_of(beliefs: Mapping[Joint, Fraction], wanted: Mapping[str, Counts]) -> Fraction:
    """The chance that each hand named holds at least the cards named."""
    return sum(
        (
            chance
            for hands, chance in beliefs.items()
            if all(
                hands[int(seat)].count(kind) >= number
                for seat, cards in wanted.items()
                for kind, number in cards.items()
            )
        ),
        Fraction(0),
    )


def surely_held(beliefs: Mapping[Joint, Fraction]) -> list[Counts]:
    """The cards that each hand has in every deal that agrees [PZ-M02]."""
    least: list[Counts] | None = None
    for hands in beliefs:
        rows = [counted(hand) for hand in hands]
        if least is None:
            least = rows
        else:
            least = [
                {kind: min(number, row[kind]) for kind, number in seat.items() if kind in row}
                for seat, row in zip(least, rows, strict=True)
            ]
    return least or []


def next_cards(entries: Sequence[Entry], number: int) -> dict[tuple[str, ...], Fraction]:
    """Every sequence of the next cards of the deck, as it lies now, with its chance."""
    playing = Playing(entries)
    number = min(number, playing.last.deck_size)
    if playing.last.deck is not None:
        return dict(drawings(dict(playing.last.deck), number))
    decks: dict[tuple[tuple[str, int], ...], Fraction] = {}
    for _, left, weight in playing.joints():
        deck = tuple(sorted(left.items()))
        decks[deck] = decks.get(deck, Fraction(0)) + weight
    total = sum(decks.values())
    found: dict[tuple[str, ...], Fraction] = {}
    for items, weight in decks.items():
        for cards, part in drawings(dict(items), number):
            found[cards] = found.get(cards, Fraction(0)) + weight / total * part
    return found


def next_tiles(entries: Sequence[Entry], number: int) -> dict[tuple[str, ...], Fraction]:
    """Every sequence of the next entries of the stack with its chance [PZ-M13]."""
    last = Playing(entries).last
    found: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
    for left in range(last.left, max(last.left - number, 0), -1):
        grown: dict[tuple[str, ...], Fraction] = {}
        for drawn, chance in found.items():
            pile = dict(last.piles[pile_at(left)])
            for above, entry in enumerate(drawn):
                if pile_at(last.left - above) == pile_at(left):
                    pile[entry] -= 1
            total = sum(pile.values())
            for entry, copies in pile.items():
                if copies:
                    grown[*drawn, entry] = chance * Fraction(copies, total)
        found = grown
    return found
