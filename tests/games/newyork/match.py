"""What New York brings to a match with its oracle: policies that reach rare positions, and rare events to count."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from tests.games.newyork.oracle import Oracle
from tests.games.newyork.oracle_city import (
    KIND,
    PRICE,
    SIDES,
    START,
    STREETS,
    Cell,
    City,
    beside,
    broken_clause,
    neighbour,
    own_cells,
    removable_cells,
    street_length,
    without,
)
from tests.games.newyork.oracle_money import value
from tests.support.rule_cases import Json, Legal

OPTIONS: list[Json] = [{}, {}, {"overpay": False}, {"max_turns": 60}]


def comparable(position: Json) -> Json:
    """Without the order inside hands, heaps and cities, and without what only the core's determinize needs."""
    same = {key: given for key, given in position.items() if key != "scoring_places"}
    for key in ("hands", "cities", "reserves"):
        same[key] = [sorted(part) for part in same[key]]
    for key in ("bought", "dirk", "discard"):
        same[key] = sorted(same[key])
    if same["received"] is not None:
        same["received"] = [sorted(tiles) for tiles in same["received"]]
    return same


# ---------------------------------------------------------------- policies

Worth = Callable[[str], float]


def _pick(rng: random.Random, legal: Legal, worth: Worth) -> str:
    """A text of the greatest worth, ties at random."""
    worths = [worth(text) for _, text in legal]
    best = max(worths)
    return rng.choice([text for (_, text), one in zip(legal, worths, strict=True) if one == best])


def _cell(text: str) -> Cell:
    words = text.split()
    return int(words[1]), int(words[2])


def _own(oracle: Oracle) -> City:
    return oracle.cities[oracle.seat or 0]


def _card_sum(text: str) -> int:
    return sum(map(value, text.split()[1:]))


def _missing(oracle: Oracle) -> int:
    tile = oracle.depot[oracle.slot or 0]
    return PRICE[tile or 1] - sum(oracle.paid)


def _exact_first(oracle: Oracle, text: str) -> float:
    """A card that pays exactly, or leaves something that another card in hand pays; small cards first then."""
    paid, missing = int(text.split()[1]), _missing(oracle)
    values = [value(card) for card in oracle.hands[oracle.seat or 0] if card[0] == "BGYR"[oracle.slot or 0]]
    values.remove(paid)
    return 100.0 if paid == missing else 50.0 if missing - paid in values else float(paid < missing)


def builder(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Buys, takes the most money otherwise, and puts everything into the city."""

    def worth(text: str) -> float:
        word = text.split()[0]
        if word == "pay":
            return _exact_first(oracle, text)
        return {"buy": 60, "use": 40, "take": _card_sum(text) if word == "take" else 0, "at": 5}.get(word, 0)

    return _pick(rng, legal, worth)


def streets(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Like the builder, in the cells where the street grows most; swaps for it too: long streets, rings."""

    def worth(text: str) -> float:
        word = text.split()[0]
        if word == "at" and oracle.tile:
            return 10 + street_length({**_own(oracle), _cell(text): oracle.tile})
        if word == "use":
            return 70 if rng.random() < 0.3 else 0
        if word == "place":
            return len(STREETS[int(text.split()[1])])
        return {"buy": 60, "take": _card_sum(text) if word == "take" else 0}.get(word, 0)

    return _pick(rng, legal, worth)


def rebuilder(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Builds until there are some tiles, then removes and swaps as often as it buys."""
    tiles = len(_own(oracle)) - 1

    def worth(text: str) -> float:
        word = text.split()[0]
        if word == "at":
            return 5 + 3 * (_cell(text) in _own(oracle)) * (rng.random() < 0.7)
        chance = {"remove": 0.35 if tiles > 7 else 0.02, "use": 0.6 if tiles > 3 else 0.9}.get(word, 0)
        if chance:
            return 90 * (rng.random() < chance)
        return {"buy": 60, "take": 10, "reserve": 1, "dirk": 1}.get(word, 20)

    return _pick(rng, legal, worth)


def outward(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Builds away from the start tile: long thin cities, the bound, bridges, bays that nearly close."""

    def worth(text: str) -> float:
        word = text.split()[0]
        if word == "at":
            x, y = _cell(text)
            return 10 + max(abs(x), abs(y))
        return {"buy": 60, "use": 50, "take": _card_sum(text) if word == "take" else 0}.get(word, 0)

    return _pick(rng, legal, worth)


def chains(rng: random.Random, legal: Legal, oracle: Oracle) -> str:
    """Gathers many small cards and pays exactly wherever it can: several purchases in a turn; gifts to Dirk."""
    hand = oracle.hands[oracle.seat or 0]

    def exact(slot: int) -> bool:
        tile, sums = oracle.depot[slot], {0}
        for card in hand:
            if card[0] == "BGYR"[slot]:
                sums |= {total + value(card) for total in sums}
        return tile is not None and PRICE[tile] in sums

    slots = [slot for slot in range(4) if exact(slot)]

    def worth(text: str) -> float:
        word = text.split()[0]
        if word == "pay":
            return _exact_first(oracle, text)
        if word == "buy":
            return 80 if int(text.split()[1]) in slots and (len(slots) > 1 or oracle.bought) else -1
        if word == "take":
            return 10 + len(text.split()) if len(hand) < 26 else -2
        return {"dirk": 30 * (rng.random() < 0.5), "at": 20}.get(word, 0)

    return _pick(rng, legal, worth)


POLICIES = {
    "builder": builder, "streets": streets, "rebuilder": rebuilder, "outward": outward, "chains": chains,
}  # fmt: skip


# ---------------------------------------------------------------- rare events


def before_move(oracle: Oracle, legal: Legal, text: str) -> Iterator[str]:
    """What the position and the move are examples of."""
    if len(legal) == 1:
        yield "decisions with one legal move"
    match text.split(" ")[0], oracle.phase:
        case "take", _:
            if text.count(" ") > 1:
                yield "several cards taken (NY-10)"
        case "pass", _:
            yield "passes (NY-05)"
        case "overpay", _:
            yield "further cards (NY-23)"
        case "pay", _:
            yield from _at_pay(oracle, text)
        case "remove", _:
            yield "tiles removed (NY-31)"
            if len(own_cells(_own(oracle))) > len(removable_cells(_own(oracle))):
                yield "removals beside others that are refused (NY-33)"
        case "at", "build":
            swap = _cell(text) in _own(oracle)
            yield "swaps (NY-32)" if swap else "reserve tiles built (NY-30)"
            if swap and broken_clause(without(_own(oracle), _cell(text))):
                yield "swaps of a tile that could not be removed (NY-33)"
        case (("at" | "reserve" | "dirk"), "put"):
            yield from _at_put(oracle, text)


def _at_pay(oracle: Oracle, text: str) -> Iterator[str]:
    left = _missing(oracle) - int(text.split()[1])
    if left > 0:
        return
    yield "exact purchases (NY-03)" if left == 0 else "purchases with too much money"
    if left == 0 and len(oracle.bought) >= 2:
        yield f"{len(oracle.bought) + 1} exact purchases in a turn"


def _at_put(oracle: Oracle, text: str) -> Iterator[str]:
    city, tile = _own(oracle), oracle.tile or 1
    if text == "dirk":
        yield "tiles given to Dirk (NY-84)"
    if text == "reserve" and oracle.received is None:
        yield "bought tiles to the reserve (NY-51)"
    refused = Counter(broken_clause({**city, cell: tile}) for cell in beside(city))
    for clause in ("NY-41", "NY-42", "NY-43"):
        if refused[clause]:
            yield f"placings with a cell refused by {clause}"
    if any(max(map(abs, cell)) == 10 for cell in city):
        yield "placings in a city at the bound (NY-40)"


def at_end(oracle: Oracle) -> Iterator[str]:
    if oracle.turns == oracle.max_turns:
        yield "games ended by the turn limit (NY-95)"
    if any(tile is not None for tile in oracle.depot):
        yield "games with a leftover tile that nobody gets (NY-91)"
    if "SB" in oracle.deck:
        yield "games without scoring B (NY-94)"
    if len(set(oracle.scores)) < oracle.players:
        yield "games with a shared place (NY-93)"
    yield from _ties(oracle)
    for city in oracle.cities:
        yield from _at_city(city)


def _ties(oracle: Oracle) -> Iterator[str]:
    """Types whose points of the last scoring are shared."""
    counts = [Counter(KIND[tile] for tile in city.values() if tile != START) for city in oracle.cities]
    counts += [Counter(KIND[tile] for tile in oracle.dirk)] if oracle.players == 2 else []
    for kind in range(6):
        found = Counter(count[kind] for count in counts if count[kind])
        if any(number > 1 for number in found.values()):
            yield "types with a shared majority at C (NY-74)"


def _at_city(city: City) -> Iterator[str]:
    length, outer = street_length(city), 0
    inner = False
    for cell, tile in city.items():
        for side in SIDES:
            if neighbour(cell, side) not in city:
                outer += 1
            elif side in STREETS[tile]:
                inner = True
    if len(city) > 15:
        yield "cities of 15 tiles or more"
    if length >= 15:
        yield "streets of 15 or more"
    if length == outer:
        yield "rings of streets (NY-R15)"
    if inner:
        yield "cities with inner streets (NY-71)"
    if any(max(map(abs, cell)) == 10 for cell in city):
        yield "cities at the bound (NY-R08)"
