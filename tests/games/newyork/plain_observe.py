"""The base observation and the mask of New York written simply: from a position in words, RULES.md section 7 and the
observation table.

Everything is counted anew from the position; streets, majorities and legal moves are those of the oracle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skyline import registry
from tests.games.newyork.oracle import Oracle
from tests.games.newyork.oracle_city import KIND, PRICE, SIDES, START, STREETS, City, majority_points, street_length
from tests.games.newyork.oracle_money import money_cards
from tests.support.rule_cases import Json

TILES, TYPES, SLOTS, TURNS_SHOWN = 54, 6, 4, 1000
BANKS, VALUES = "BGYR", range(1, 10)
PHASES = ["main", "pay", "build", "place", "put"]
CARDS = [f"{bank}{value}" for bank in BANKS for value in VALUES]
Slices = dict[str, Any]


def plain_mask(position: Json, size: int) -> np.ndarray[Any, Any]:
    """The legal actions of a position as zeros and ones."""
    mask = np.zeros(size, np.int8)
    given = {name: value for name, value in position.items() if name != "scoring_places"}
    if position["phase"] != "over":
        mask[[action for action, _ in Oracle.at(given).legal()]] = 1
    return mask


def plain_observation(position: Json, viewer: int, recall: bool) -> np.ndarray[Any, Any]:
    """The values of all base slices in the order of the table; the recall slices are zeros unless `recall`."""
    order = [(viewer + j) % position["players"] for j in range(position["players"])]
    slices = {
        **_decision(position, order),
        **_cities(position, order),
        **_tiles(position, order),
        **_money(position, viewer),
        **_purchase(position),
        **_clock(position),
        **_points(position, order),
    }
    recalled = _recalled(position, order)
    slices.update({name: value if recall else np.zeros_like(value) for name, value in recalled.items()})
    names = registry.load("new_york").observation(position["players"]).slices("base")
    return np.concatenate([np.ravel(slices[part.name]) for part in names])


def _one_of(number: int | None, count: int) -> list[int]:
    """A one in the place of the number."""
    return [int(i == number) for i in range(count)]


def _marks(tiles: list[int]) -> list[int]:
    """A one for each of the tiles 1 .. 54 that is in the list."""
    return [int(tile in tiles) for tile in range(1, TILES + 1)]


def _of_types(tiles: list[int]) -> list[int]:
    """How many of the tiles are of each type."""
    return [sum(KIND[tile] == kind for tile in tiles) for kind in range(TYPES)]


def _counts(cards: list[str]) -> list[int]:
    return [cards.count(card) for card in CARDS]


def _sums(cards: list[str]) -> list[int]:
    """The money of each bank."""
    return [sum(int(card[1]) for card in cards if card[0] == bank) for bank in BANKS]


def _tile_view(tile: int | None) -> list[int]:
    """There is a tile; its type; its price; its streets."""
    if tile is None:
        return [0] * (1 + TYPES + 1 + 4)
    return [1, *_one_of(KIND[tile], TYPES), PRICE[tile], *(int(side in STREETS[tile]) for side in SIDES)]


def _city_tiles(position: Json, seat: int) -> list[int]:
    return [tile for _, _, tile in position["cities"][seat]]


# ---------------------------------------------------------------- what lies on the table


def _decision(position: Json, order: list[int]) -> Slices:
    """Who decides what; points; cards in hand."""
    seat, scores = position["seat"], [position["scores"][p] for p in order]
    decides = seat is not None
    return {
        "to_move": [int(p == seat) for p in order],
        "phase": [int(decides and phase == position["phase"]) for phase in PHASES],
        "endgame": int(_ending(position)),
        "scores": scores,
        "margin": scores[0] - max(scores[1:]),
        "hand_size": [len(position["hands"][p]) for p in order],
    }


def _ending(position: Json) -> bool:
    """The leftover tiles are being placed, or the game is over."""
    return position["phase"] == "over" or position["received"] is not None


def _cities(position: Json, order: list[int]) -> Slices:
    """Streets and types."""
    cities: list[City] = [{(x, y): tile for x, y, tile in position["cities"][p]} for p in order]
    types = [_of_types(_city_tiles(position, p)) for p in order]
    return {
        "street": [street_length({(0, 0): START, **city}) for city in cities],
        "types": types + [_of_types(position["dirk"])] * (position["players"] == 2),
        "reserve_types": [_of_types(position["reserves"][p]) for p in order],
    }


def _due(position: Json, seat: int) -> list[int]:
    """The tiles that the seat has to place."""
    if seat == position["seat"]:
        return list(position["bought"])
    return list(position["received"][seat]) if position["received"] else []


def _tiles(position: Json, order: list[int]) -> Slices:
    """Where each tile is."""
    due = np.zeros(TILES, int)
    for j, p in enumerate(order):
        due += (1 + j) * np.array(_marks(_due(position, p)))
    x, y = np.zeros(TILES, int), np.zeros(TILES, int)
    for city in position["cities"]:
        for column, row, tile in city:
            x[tile - 1], y[tile - 1] = column, row
    return {
        "tile_city": [_marks(_city_tiles(position, p)) for p in order],
        "tile_reserve": [_marks(position["reserves"][p]) for p in order],
        "tile_dirk": _marks(position["dirk"]),
        "tile_bag": _marks(position["bag"]),
        "due_own": _marks(_due(position, order[0])),
        "due_seat": due,
        "tile_x": x,
        "tile_y": y,
        "depot": [_tile_view(tile) for tile in position["depot"]],
    }


def _clock(position: Json) -> Slices:
    """Piles, scorings, turns."""
    places = position["scoring_places"]
    out = [name not in places for name in ("SA", "SB")]
    scoring = "C" if _ending(position) or all(out) else "B" if out[0] else "A"
    return {
        "piles": [len(position["deck"]), len(position["discard"]), len(position["bag"])],
        "scoring_out": out,
        "scoring_due": [[1 + at for at in places[name]] if name in places else [0, 0] for name in ("SA", "SB")],
        "scoring_next": _one_of("ABC".index(scoring), 3),
        "turns_left": min(position["max_turns"] - position["turns"], TURNS_SHOWN),
        "purchases": 0 if _ending(position) else position["depot"].count(None),
    }


def _points(position: Json, order: list[int]) -> Slices:
    """What the majorities bring at the next scoring."""
    scoring = "ABC"[_clock(position)["scoring_next"].index(1)]
    counts = _cities(position, order)["types"]
    now = [majority_points(scoring, kind, [count[kind] for count in counts]) for kind in range(TYPES)]
    gain = []
    for kind in range(TYPES):
        more = [count[kind] + (j == 0) for j, count in enumerate(counts)]
        gain.append(majority_points(scoring, kind, more)[0] - now[kind][0])
    return {
        "major_now": [sum(points[j] for points in now) for j in range(len(order))],
        "type_gain": gain,
        "exact_slot": _one_of(position["exact"], SLOTS),
    }


# ---------------------------------------------------------------- money


def _least_total(values: list[int], price: int) -> int | None:
    """The least sum of some cards that is at least the price."""
    sums = {0}
    for value in values:
        sums |= {total + value for total in sums}
    return min((total for total in sums if total >= price), default=None)


def _afford(hand: list[str], slot: int, tile: int | None) -> list[int]:
    """The hand pays the tile; pays it exactly; the least overpayment, -1 if it does not pay."""
    values = [int(card[1]) for card in hand if card[0] == BANKS[slot]]
    least = None if tile is None else _least_total(values, PRICE[tile])
    if tile is None or least is None:
        return [0, 0, -1]
    return [1, int(least == PRICE[tile]), least - PRICE[tile]]


def _market_card(card: str | None) -> list[int]:
    """Bank and value."""
    return [0] * 5 if card is None else [*_one_of(BANKS.index(card[0]), 4), int(card[1])]


def _laid(position: Json) -> list[str]:
    """The cards laid for a purchase."""
    return [f"{BANKS[position['slot']]}{value}" for value in position["paid"]]


def _money(position: Json, viewer: int) -> Slices:
    """The market, the own hand, the cards that the viewer does not see."""
    hand = position["hands"][viewer]
    seen = [*hand, *(card for card in position["market"] if card), *_laid(position)]
    return {
        "afford": [_afford(hand, slot, tile) for slot, tile in enumerate(position["depot"])],
        "market": [_market_card(card) for card in position["market"]],
        "hand": _counts(hand),
        "hand_sum": _sums(hand),
        "unseen": np.array(_counts(money_cards(position["players"]))) - _counts(seen),
    }


def _purchase(position: Json) -> Slices:
    """The purchase that has begun; the tile in use."""
    slot, paid = position["slot"], position["paid"]
    missing = 0 if slot is None else PRICE[position["depot"][slot]] - sum(paid)
    return {
        "pay_slot": _one_of(slot, SLOTS),
        "pay_laid": [paid.count(value) for value in VALUES],
        "pay_missing": missing,
        "pay_last": paid[-1] if paid else 0,
        "chosen": _tile_view(position["tile"]),
    }


def _recalled(position: Json, order: list[int]) -> Slices:
    """What a perfect memory holds. [RULES.md 7.2]"""
    hands, depot = [position["hands"][p] for p in order], position["depot"]
    money = [_sums(hand) for hand in hands]
    leftover = []
    for slot in range(SLOTS):
        most = max(sums[slot] for sums in money)
        richest = [j for j, sums in enumerate(money) if sums[slot] == most]
        taken = depot[slot] is not None and len(richest) == 1
        leftover.append((1 if richest == [0] else -1) if taken else 0)
    return {
        "recall_hands": [_counts(hand) for hand in hands[1:]],
        "recall_money": money[1:],
        "recall_exact": [[_afford(hand, i, tile)[1] for i, tile in enumerate(depot)] for hand in hands[1:]],
        "recall_discards": _counts(position["discard"]),
        "recall_deck": _counts([card for card in position["deck"] if card[0] != "S"]),
        "recall_leftover": leftover,
    }
