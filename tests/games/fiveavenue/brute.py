"""What a seat believes of the black cards of the others, by brute force: every order of every small black stack.

From the field `memory` of a position and RULES.md FA-M01 to FA-M03 and FA-M20 alone; for at most some nine hidden cards
a shuffle. The orders name values, not cards: each stands for equally many orders of cards told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from tests.support.rule_cases import Json

Hand = tuple[int, ...]  # values, rising
Hands = tuple[Hand, ...]  # unseen black cards of the other seats, in seat order


def orders(cards: list[int]) -> Iterator[tuple[int, ...]]:
    """All orders of the cards that look different."""
    if not cards:
        yield ()
    for value in sorted(set(cards)):
        rest = list(cards)
        rest.remove(value)
        for order in orders(rest):
            yield (value, *order)


def unseen_black(position: Json, p: int) -> list[int]:
    held, known = Counter(position["hands"][p].get("black", [])), position["memory"]["known"][p].get("black", [])
    return sorted((held - Counter(known)).elements())


def beliefs(position: Json, viewer: int) -> dict[Hands, float]:
    """The chance of each joint hand of the others: black cards that are not sure."""
    others = [p for p in range(position["players"]) if p != viewer]
    spans = position["memory"]["blacks"]
    now = [unseen_black(position, p) for p in others]
    start: Counter[Hands] = Counter()
    for number, span in enumerate(spans):
        is_last = number + 1 == len(spans)
        ends = now if is_last else [sorted(spans[number + 1]["held"][p]) for p in others]
        events = [(others.index(p), what) for p, what in span["events"] if p in others]
        shown = [what for _, what in events if what != "draw"]
        pool = Counter(v for end in ends for v in end) + Counter(shown)
        sizes = [len(end) for end in ends]
        for k, what in events:
            sizes[k] += -1 if what == "draw" else 1
        places = [k for k, what in events if what == "draw"]
        if is_last:
            pool += Counter(int(code[0]) for code in position["black"][: position["memory"]["unknown"]])
        if number == 0:
            places = [k for k, size in enumerate(sizes) for _ in range(size)] + places
            start = Counter({((),) * len(others): 1})
        else:
            pool -= Counter(v for p in others for v in span["held"][p])
        start = after(start, events, places, sorted(pool.elements()), number == 0)
        if not is_last:
            together = Counter(v for end in ends for v in end)
            start = Counter({h: n for h, n in start.items() if Counter(v for hand in h for v in hand) == together})
    weights = {hands: number * raise_chance(position, others, hands) for hands, number in start.items()}
    total = sum(weights.values())
    return {hands: weight / total for hands, weight in weights.items() if weight}


def after(
    start: Counter[Hands], events: list[tuple[int, Any]], places: list[int], pool: list[int], is_first: bool
) -> Counter[Hands]:
    """The joint hands at the end of a span, with the number of orders that lead to each."""
    found: Counter[Hands] = Counter()
    dealt = len(places) - sum(what == "draw" for _, what in events)
    for order in orders(pool):
        for hands, number in start.items():
            got = played([list(hand) for hand in hands], events, places, order, dealt)
            if got is not None:
                found[got] += number
    return found


def played(
    hands: list[list[int]], events: list[tuple[int, Any]], places: list[int], order: tuple[int, ...], dealt: int
) -> Hands | None:
    """The hands after the events with one order of the stack; None if a card shown was not there."""
    for k, value in zip(places[:dealt], order, strict=False):
        hands[k].append(value)
    at = dealt
    for k, what in events:
        if what == "draw":
            hands[k].append(order[at])
            at += 1
        elif what in hands[k]:
            hands[k].remove(what)
        else:
            return None
    return tuple(tuple(sorted(hand)) for hand in hands)


def raise_chance(position: Json, others: list[int], hands: Hands) -> float:
    """The chance of the bidder's unseen coloured cards to let it finish its begun raise with this hand.  # FA-M20"""
    auction, decision = position["auction"], position["decision"]
    if auction is None or auction["last"] == [0, 0] or decision["player"] not in others:
        return 1.0
    p, (coloured, black) = decision["player"], auction["last"]
    colour = next(c for c, _ in auction["table"][p] if c != "black")
    known = position["memory"]["known"]
    blacks = [*known[p].get("black", []), *hands[others.index(p)]]
    reach = sum(v for _, v in auction["table"][p]) + sum(v for v in blacks if not black or v <= black)
    if black:
        return float(reach > auction["standing"])
    reach += sum(v for v in known[p].get(colour, []) if v <= coloured)
    places, pool = 0, list[int]()
    for q in others:
        cards = sorted((Counter(position["hands"][q].get(colour, [])) - Counter(known[q].get(colour, []))).elements())
        pool += cards
        places = len(cards) if q == p else places
    first = position["memory"]["first"][colour]
    pool += position["stacks"][colour][1:first]
    if not places:
        return float(reach > auction["standing"])
    ways = list(permutations(pool, places))
    fine = sum(reach + sum(v for v in cards if v <= coloured) > auction["standing"] for cards in ways)
    return fine / len(ways)
