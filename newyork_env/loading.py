"""Data back into a state: setups, chance events, positions (position.py says what they are).

Whatever is wrong with the data is a ValueError that names the place.

The core checks nothing, so the loader promises what the core relies on, whatever the data are:

    cards      at most as many of each kind as there are with these players, in hands, market, deck and discards
               together: counts of cards fit int8, all cards fit the deck array
    SA, SB     once in the deck at most, SA above SB, each within the places where it can lie
    laid       the cards laid for a purchase are among the discards; they do not pay for the tile yet, and cards of the
               hand that may follow them can
    tiles      every tile in one place at most
    cities     legal ones (NY-40 .. NY-44): the walk around a city and all its caches rely on it
    chosen     BUILD: a reserve tile that fits somewhere; PUT: a tile that the deciding seat has to place
    PLACE      the deciding seat has a tile to place; others have only at the end of the game (`received`)
    turns      below `max_turns` while turns go on; `max_turns` not above the option, which `max_decisions` relies on
    scores     at most 435 with all that the scorings still to come can bring

Seats, slots, phases and cells are numbers of the tables they index.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from newyork_env import components as box
from newyork_env import state
from newyork_env.actions import CARD_TEXTS, DECK_TEXTS, SCORING_NAMES
from newyork_env.city_law import LEGAL, clause_broken_by, empty_board
from newyork_env.deal import clear, deal, pile_places
from newyork_env.money import begin_purchase
from newyork_env.scoring import A, B, C, survey
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT
from skyline.positions import by_seat, check_player_count, counts_of, kinds_of, read_scores, read_seat, shuffles
from skyline.reading import Fields, Value, check_counts

_clear, _deal, _survey, _pile_places = map(FromPython, (clear, deal, survey, pile_places))
_begin_purchase, _clause_broken_by = FromPython(begin_purchase), FromPython(clause_broken_by)

LONGEST_STREET = 80
MOST_OF_SCORING = [
    LONGEST_STREET + sum(box.place_points(number, kind)[0] for kind in range(box.TYPE_COUNT))
    for number in range(box.SCORINGS)
]
MOST_LAID = 13  # values of a payment
FIELDS = (
    "players", "phase", "seat", "turns", "max_turns", "market", "deck", "discard", "depot", "bag", "hands", "cities",
    "reserves", "bought", "dirk", "scores", "slot", "paid", "exact", "tile", "received", "scoring_places",
)  # fmt: skip


# ---------------------------------------------------------------- records


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank prepared row as a setup object says."""
    given = Value(data, "setup").object("money", "bag", need=("money", "bag"))
    copies = int(box.CARD_COPIES[s.players])
    money = [card.one_of(DECK_TEXTS) for card in given["money"].row(copies * box.CARD_KINDS + 2)]
    if Counter(money) != Counter(dict.fromkeys(range(box.CARD_KINDS), copies) | {box.SCORING_A: 1, box.SCORING_B: 1}):
        given["money"].fault(f"there must be every card B1 .. R9 {copies} times, SA and SB once")
    bag = [tile.whole(1, box.TILES) for tile in given["bag"].row(box.TILES)]
    if sorted(bag) != list(range(1, box.TILES + 1)):
        given["bag"].fault(f"there must be every tile 1 .. {box.TILES} once")
    _check_scoring_places(s, given["money"], money)
    s.deck[: len(money)] = money
    s.bag[:] = bag
    _deal(s)


def _check_scoring_places(s: Any, place: Value, money: list[int]) -> None:
    """SA lies in pile 2 and SB in pile 4. [section 2, step 7]"""
    n, total, seat = 0, 0, 0
    while seat < s.players:
        if money[n] >= box.CARD_KINDS:
            place.fault("a scoring card lies among the starting money")
        total += money[n] % box.VALUES + 1
        n += 1
        if total >= box.STARTING_MONEY:
            seat, total = seat + 1, 0
    for number, card in enumerate((box.SCORING_A, box.SCORING_B)):
        low, high = _pile_places(number, len(money) - 2, n + box.SLOTS)
        if not low <= money.index(card) <= high:
            place.fault(f"{SCORING_NAMES[card]} stands at {money.index(card)}, it must be {low} .. {high}")


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the reshuffle of the next move give this order."""
    for event, fields in shuffles(given, 1):
        fields["deck"].one_of(("money",))
        left = [int(card) for card in s.deck[s.deck_top : s.deck_size]]
        if sum(card < box.CARD_KINDS for card in left) >= box.SLOTS:
            event.fault(f"nothing is shuffled here: the deck has {len(left)} cards")
        order = [card.one_of(CARD_TEXTS) for card in fields["order"].row(int(s.discards_size))]
        if Counter(order) != Counter(np.repeat(range(box.CARD_KINDS), s.discards).tolist()):
            fields["order"].fault("the order must hold the cards of the discards")
        low = int(s.deck_top)
        s.deck[:] = 0
        s.deck[: len(left) + len(order)] = left + order
        s.deck_top, s.deck_size, s.order_given = 0, len(left), 1
        s.earliest[:] = np.maximum(s.earliest - low, 0)
        s.latest[:] = np.maximum(s.latest - low, 0)


# ---------------------------------------------------------------- positions


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank prepared row; missing fields are empty."""
    given = Value(data, "position").object(*FIELDS)
    _clear(s)
    _load_clock(s, given)
    _load_money(s, given)
    _load_scores(s, given)
    _load_tiles(s, given)
    _load_purchase(s, given)
    _load_exact(s, given.get("exact", None))
    _survey(s)
    _check_decision(s, given)


def _load_clock(s: Any, given: Fields) -> None:
    """Players, phase, deciding seat, turns."""
    check_player_count(s, given)
    s.phase = given.get("phase", "main").one_of(state.PHASE_NAMES)
    s.seat = read_seat(s, given, "seat", s.phase == state.PHASE_OVER)
    s.ending = s.phase == state.PHASE_OVER or not given.get("received", None).is_null
    s.max_turns = given.get("max_turns", int(s.max_turns)).whole(1, int(s.max_turns))
    turns = given.get("turns", 0)
    s.turns = turns.whole(0, int(s.max_turns))
    if s.turns == s.max_turns and not s.ending:
        turns.fault(f"{s.turns} turns are finished, max_turns is {s.max_turns}: the game is over")


# ---------------------------------------------------------------- money


def _load_money(s: Any, given: Fields) -> None:
    """Hands, discards, market, deck."""
    for seat, hand in enumerate(by_seat(s, given, "hands", [])):
        s.hands[seat] = _counts(hand)
    s.discards[:] = _counts(given.get("discard", []))
    s.discards_size = s.discards.sum()
    market = given.get("market", [None] * box.SLOTS).row(box.SLOTS)
    s.market[:] = [box.NO_CARD if card.is_null else card.one_of(CARD_TEXTS) for card in market]
    place = given.get("deck", [])
    deck = kinds_of(place, DECK_TEXTS, box.DECK)
    money = [card for card in (*deck, *s.market.tolist()) if box.NO_CARD < card < box.CARD_KINDS]
    found = s.hands.sum(axis=0) + s.discards + counts_of(money, box.CARD_KINDS)
    check_counts(given.place, found, [int(box.CARD_COPIES[s.players])] * box.CARD_KINDS, CARD_TEXTS)
    scoring = [card for card in deck if card >= box.SCORING_A]
    if scoring not in ([], [box.SCORING_A], [box.SCORING_B], [box.SCORING_A, box.SCORING_B]):
        place.fault("SA and SB lie in the deck once at most, SA above SB")
    s.deck[: len(deck)] = deck
    s.deck_size = len(deck)
    s.scored = sum(1 << i for i, card in enumerate(SCORING_NAMES) if card not in deck)
    _load_scoring_places(s, given.get("scoring_places", None), deck)


def _counts(cards: Value) -> np.ndarray[Any, Any]:
    """Copies of each card in a list."""
    return counts_of(kinds_of(cards, CARD_TEXTS, box.CARDS), box.CARD_KINDS)


def _load_scoring_places(s: Any, value: Value, deck: list[int]) -> None:
    """Where the scoring cards can lie; without anything said, anywhere in their order."""
    given = Value(value.raw if not value.is_null else {}, value.place).object(*SCORING_NAMES.values())
    both = {box.SCORING_A, box.SCORING_B} <= set(deck)
    for i, (card, name) in enumerate(SCORING_NAMES.items()):
        if card not in deck:
            if name in given:
                given[name].fault(f"{name} is not in the deck")
            continue
        at, last = deck.index(card), len(deck) - 1
        low, high = given.get(name, [i if both else 0, last - (both and i == 0)]).row(2)
        s.earliest[i], s.latest[i] = low.whole(0, at), high.whole(at, last)


def _load_scores(s: Any, given: Fields) -> None:
    """Points so far, which leave room for those of the scorings to come."""
    to_come = [] if s.phase == state.PHASE_OVER else [C]
    if not s.ending:
        to_come += [number for number in (A, B) if not s.scored >> number & 1]
    most = box.MOST_SCORE - sum(MOST_OF_SCORING[number] for number in to_come)
    read_scores(s, given, most)


# ---------------------------------------------------------------- tiles


def _load_tiles(s: Any, given: Fields) -> None:
    """Every tile to its place; tiles that are named nowhere are out."""
    s.place[1 : box.START] = state.OUT
    depot = given.get("depot", [None] * box.SLOTS).row(box.SLOTS)
    s.depot[:] = [box.NO_TILE if tile.is_null else _put(s, tile, state.IN_DEPOT) for tile in depot]
    bag = [_put(s, tile, state.IN_BAG) for tile in given.get("bag", []).list(most=box.TILES)]
    for tile in given.get("dirk", []).list(most=box.TILES):
        if s.players != 2:
            tile.fault("Dirk takes part with two players only")
        _put(s, tile, state.AT_DIRK)
    for seat, tiles in enumerate(by_seat(s, given, "reserves", [])):
        for tile in tiles.list(most=box.TILES):
            _put(s, tile, state.IN_RESERVE + seat)
    for seat, city in enumerate(by_seat(s, given, "cities", [])):
        _load_city(s, seat, city)
    _load_bought(s, given)
    s.bag[box.TILES - len(bag) :] = bag
    s.bag[: box.TILES - len(bag)] = sorted(set(range(1, box.START)) - set(bag))
    s.bag_top = box.TILES - len(bag)


def _put(s: Any, tile: Value, place: int) -> int:
    """The tile comes to a place."""
    number = tile.whole(1, box.TILES)
    if s.place[number] != state.OUT:
        tile.fault(f"tile {number} lies in another place, too")
    s.place[number] = place
    return number


def _load_bought(s: Any, given: Fields) -> None:
    """Tiles to be placed: the deciding seat's, at the end of the game those of all."""
    players = int(s.players)
    for tile in given.get("bought", []).list(most=box.TILES):
        if s.seat == NO_SEAT:
            tile.fault("nobody decides, so nobody has tiles to place")
        _put(s, tile, state.TO_PLACE + int(s.seat))
    received = given.get("received", None)
    for seat, tiles in enumerate([] if received.is_null else received.row(players)):
        for tile in tiles.list(most=box.TILES):
            if s.seat == NO_SEAT:
                tile.fault("the game is over, all tiles are placed")
            _put(s, tile, state.TO_PLACE + seat)


def _load_city(s: Any, seat: int, city: Value) -> None:
    """The tiles of a city, which must be a legal one."""
    cells = {(0, 0)}
    for row in city.list(most=box.TILES):
        x, y, tile = row.row(3)
        cell = x.whole(-box.BOUND, box.BOUND), y.whole(-box.BOUND, box.BOUND)
        if cell in cells:
            row.fault(f"the cell {x.raw} {y.raw} of seat {seat} is given twice or the start tile's")
        cells.add(cell)
        number = _put(s, tile, state.IN_CITY + seat)
        s.x[number], s.y[number] = cell
    clause = _clause_broken_by(s, seat, empty_board())
    if clause != LEGAL:
        city.fault(f"the city of seat {seat} breaks NY-{clause}")


# ---------------------------------------------------------------- the open decision


def _load_purchase(s: Any, given: Fields) -> None:
    """The tile in use, or the purchase that has begun."""
    _begin_purchase(s, state.NO_SLOT)
    slot, tile, paid = given.get("slot", None), given.get("tile", None), given.get("paid", [])
    if slot.is_null == (s.phase == state.PHASE_PAY):
        slot.fault("a slot belongs to the phase pay, and to that one only")
    if tile.is_null == (s.phase in (state.PHASE_BUILD, state.PHASE_PUT)):
        tile.fault("a tile belongs to the phases build and put, and to those only")
    values = paid.list(most=MOST_LAID)
    if values and slot.is_null:
        paid.fault("cards are laid in the phase pay only")
    if not tile.is_null:
        s.chosen = tile.whole(1, box.TILES)
    if slot.is_null:
        return
    _begin_purchase(s, slot.whole(0, box.SLOTS - 1))
    if s.depot[s.slot] == box.NO_TILE:
        slot.fault(f"there is no tile in slot {s.slot}")
    for value in values:
        s.laid_last = value.whole(1, int(s.laid_last))  # from high to low
        s.laid[s.laid_last] += 1
        s.laid_sum += s.laid_last
    _check_purchase(s, paid)


def _check_purchase(s: Any, paid: Value) -> None:
    """The purchase must be one that can go on."""
    own = slice(box.VALUES * int(s.slot), box.VALUES * (int(s.slot) + 1))
    if (s.laid[1:] > s.discards[own]).any():
        paid.fault("the cards laid are among the discards: not all of them are there")
    missing = int(box.PRICE[s.depot[s.slot]]) - int(s.laid_sum)
    values = s.hands[s.seat, own] * np.arange(1, box.VALUES + 1)
    if not 0 < missing <= int(values[: s.laid_last].sum()):
        paid.fault(f"seat {s.seat} cannot go on with this purchase, {missing} missing")


def _load_exact(s: Any, exact: Value) -> None:
    """The slot just paid exactly, for whose tile a further card may be paid. [NY-23]"""
    if exact.is_null:
        return
    if s.phase != state.PHASE_MAIN:
        exact.fault("a slot just paid exactly belongs to the phase main, and to that one only")
    if not s.overpay:
        exact.fault("no further card may be paid: the option overpay is off")
    s.paid_slot = exact.whole(0, box.SLOTS - 1)
    if s.depot[s.paid_slot] != box.NO_TILE:
        exact.fault(f"there is a tile in slot {s.paid_slot}: it has not been bought")
    if not (s.place == state.TO_PLACE + s.seat).any():
        exact.fault(f"seat {s.seat} has bought nothing")


def _check_decision(s: Any, given: Fields) -> None:
    """The open decision must be one that can arise."""
    seat, tile = int(s.seat), given.get("tile", None)
    if s.phase in (state.PHASE_PLACE, state.PHASE_PUT) and not s.to_place[seat]:
        given.get("bought", []).fault(f"seat {seat} has nothing to place")
    if s.phase in (state.PHASE_MAIN, state.PHASE_PAY, state.PHASE_BUILD) and s.ending:
        given["received"].fault("it belongs to the end of the game, where tiles are only placed")
    if s.phase == state.PHASE_PUT and s.place[s.chosen] != state.TO_PLACE + seat:
        tile.fault(f"{s.chosen} is not among the bought tiles")
    if s.phase == state.PHASE_BUILD:
        if s.place[s.chosen] != state.IN_RESERVE + seat:
            tile.fault(f"{s.chosen} is not in the reserve of seat {seat}")
        if not int(s.usable[seat]) >> int(s.chosen) & 1:
            tile.fault(f"{s.chosen} fits nowhere in the city of seat {seat}")
