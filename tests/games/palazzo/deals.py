"""The belief of a seat in plain Python, twice: from the events by counting deals, and by the formula of PZ-M17.

`from_events` knows PZ-M01 and PZ-M02 only: it tries every set of starting cards, plays the movements that the seat saw
from it, and counts the orders of the 55 cards, equal cards told apart, that would have shown the seat the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, perm, prod
from typing import Any

from tests.games.palazzo.cases import ALL_CARDS, CARDS
from tests.games.palazzo.oracle import Oracle
from tests.support.rule_cases import Json

COPIES = Counter(ALL_CARDS)
Hand = tuple[str, ...]  # cards in card order
Belief = dict[tuple[Hand, ...], Fraction]  # the other hands, seat after seat -> chance


def hand_of(counts: Any) -> Hand:
    return tuple(sorted(Counter(counts).elements(), key=CARDS.index))


def _normal(weights: dict[tuple[Hand, ...], Fraction]) -> Belief:
    total = sum(weights.values())
    return {hands: weight / total for hands, weight in weights.items() if weight}


def can_go_on(position: Json, hands: Sequence[Any], seat: int) -> bool:
    """Whether the open decision has a legal move when the other hands are these.  (PZ-M12)"""
    decider = position["player"]
    if decider in (None, seat) or position["decision"] not in ("BUY", "PAY", "BID"):
        return True
    table = {**position, "deck": [], "hands": [dict(Counter(hand)) for hand in hands]}
    oracle = Oracle.at(table)
    if position["decision"] == "BUY":
        oracle = Oracle.at({**table, "chosen": [], "decision": "CHOICE"})
        return "buy" in [text for _, text in oracle.legal()]
    return bool(oracle.legal())


# ---------------------------------------------------------------- from the events


class Witness:
    """What a seat saw of a game from its setup: its own starting cards and the movements."""

    def __init__(self, players: int, seat: int, own: Any) -> None:
        self.players, self.seat, self.own = players, seat, Counter(own)
        self.moves: list[Json] = []
        self.of_hands: list[tuple[int, str, int]] = []  # what left hands and came to them: seat, card, -1 or 1

    def hands_after(self, starting: Sequence[Counter[str]]) -> list[Counter[str]] | None:
        """The hands now if these were dealt; None if a card was laid that was not there."""
        hands = [Counter(cards) for cards in starting]
        for seat, card, sign in self.of_hands:
            hands[seat][card] += sign
            if hands[seat][card] < 0:
                return None
        return [+hand for hand in hands]

    def saw(self, movements: Sequence[Json]) -> None:
        """Take over the movements of a move."""
        self.moves += movements
        for move in movements:
            for end, sign in (("from", -1), ("to", 1)):
                place, _, number = move[end].partition(" ")
                if place == "hand":
                    self.of_hands += [(int(number), card, sign) for card in move["cards"]]

    def turned_up(self) -> Counter[str]:
        """The cards turned up before the first shuffle."""
        found: Counter[str] = Counter()
        for move in self.moves:
            if move["from"] == "discards":
                return found
            if move["from"] == "deck":
                found.update(move["cards"])
        return found

    def orders(self, starting: Sequence[Counter[str]]) -> int:
        """In how many orders of the 55 cards these hands are dealt and these cards turned up, up to a factor that is
        the same for all hands."""
        ways, left = 1, Counter(COPIES)
        for cards in starting:
            ways *= prod(comb(left[card], n) for card, n in cards.items())
            left = left - cards
        return ways * prod(perm(left[card], n) for card, n in self.turned_up().items())


def _starting_hands(witness: Witness, other: int) -> list[Counter[str]]:
    """The sets of starting cards from which the seat can have made its moves."""
    moves = [(card, sign) for seat, card, sign in witness.of_hands if seat == other]
    found = []
    for cards in combinations_with_replacement(CARDS, 4):
        hand = Counter(cards)
        for card, sign in moves:
            hand[card] += sign
            if hand[card] < 0:
                break
        else:
            found.append(Counter(cards))
    return found


def from_events(witness: Witness, position: Json, most: int = 30_000) -> Belief | None:
    """The belief of the seat; None if there are more sets of starting cards than `most`."""
    others = [seat for seat in range(witness.players) if seat != witness.seat]
    lists = [_starting_hands(witness, other) for other in others]
    if prod(map(len, lists)) > most:
        return None
    weights: dict[tuple[Hand, ...], Fraction] = {}
    for chosen in product(*lists):
        starting = list(chosen)
        starting.insert(witness.seat, witness.own)
        hands = witness.hands_after(starting) if (ways := witness.orders(starting)) else None
        if hands is None or not can_go_on(position, hands, witness.seat):
            continue
        key = tuple(hand_of(hands[other]) for other in others)
        weights[key] = weights.get(key, Fraction(0)) + ways
    return _normal(weights)


# ---------------------------------------------------------------- by the formula


def by_formula(position: Json, seat: int, unseen: Any) -> Belief:
    """PZ-M17 for a position that names its memory; `unseen`: the seat's unseen cards by kind."""
    memory, hands = position["memory"], position["hands"]
    others = [other for other in range(position["players"]) if other != seat]
    sizes = [sum(hands[other].values()) - sum(memory["known"][other].values()) for other in others]
    weights: dict[tuple[Hand, ...], Fraction] = {}
    for dealt, ways in _dealings(Counter(unseen), sizes):
        whole = [Counter(memory["known"][other]) + cards for other, cards in zip(others, dealt, strict=True)]
        all_hands: list[Any] = list(whole)
        all_hands.insert(seat, hands[seat])
        if not can_go_on(position, all_hands, seat):
            continue
        weight = Fraction(ways)
        for other, cards in zip(others, dealt, strict=True):
            for card, r in cards.items():
                weight /= comb(memory["shown"][other].get(card, 0) + r, r)
        key = tuple(map(hand_of, whole))
        weights[key] = weights.get(key, Fraction(0)) + weight
    return _normal(weights)


def _dealings(pool: Counter[str], sizes: Sequence[int]) -> Iterator[tuple[list[Counter[str]], int]]:
    """Every way to give hands of these sizes out of the pool, by kind, and in how many ways of single cards."""
    if not sizes:
        yield [], 1
        return
    kinds = [card for card in CARDS if pool[card]]
    for cards in combinations_with_replacement(kinds, sizes[0]):
        hand = Counter(cards)
        ways = prod(comb(pool[card], n) for card, n in hand.items())
        if ways:
            for rest, more in _dealings(pool - hand, sizes[1:]):
                yield [hand, *rest], ways * more


def chance_of(belief: Belief, seat: int, wanted: Json) -> Fraction:
    """The chance that each hand named holds at least the cards named."""
    total = Fraction(0)
    for hands, chance in belief.items():
        by_seat = list(hands)
        by_seat.insert(seat, ())
        if all(not Counter(cards) - Counter(by_seat[int(other)]) for other, cards in wanted.items()):
            total += chance
    return total
