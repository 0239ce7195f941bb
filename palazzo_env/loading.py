"""Data back into a state: setups, chance events, positions (position.py says what they are).

Whatever is wrong with the data is a ValueError that names the place. loading_decision.py reads the open decision.

The core checks nothing, so the loader promises what the core relies on, whatever the data are:

    cards          as many of each kind as are printed, in hands, deck, discards, on the table and face up together:
                   counts of cards fit int8, the deck array holds them
    tiles          at most as many of each kind as are printed, in all places together: counts fit int8, a seat has at
                   most 48 palaces, a palace at most 5 floors
    depot, quarry  at most 25 tiles, with all that the stack can still bring (PZ-10): every second of its entries
    stack          the knights not yet drawn, so that the game ends before the stack does (PZ-12)
    lot            1 .. 3 tiles in BUILD, one of them in a distribution; in BID the auctioned quarry holds 1 .. 3
    SHARE          a tile for each seat that is still to take one
    MONEY          as many cards face up as will be taken; a card already taken is in the hand of the seat that took it
    BID, PAY       a total and what the hand can add to it are at most 275, the standing bid is its holder's total, its
                   holder has not passed; a seat that has passed or does not pay has nothing on the table
    quiet          not above `quiet_limit` (PZ-R20)
    BUY .. FEE     decisions that follow another one of the same turn, which must have been legal (`buy`, `rebuild`, ..)

Seats, quarries, phases, currencies and components are numbers of the tables they index. That the decision itself has
a legal move is checked by whoever loads (skyline.record.state_of).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from palazzo_env.components import (
    CARD_COUNTS,
    CARD_KINDS,
    CARD_TEXTS,
    CARDS,
    KNIGHT,
    KNIGHTS,
    MOST_LOT,
    MOST_STACK,
    PILE_1,
    PILE_2,
    PILE_3_WITH_KNIGHTS,
    QUARRIES,
    QUARRY_ROOM,
    STACK,
    STACK_TEXTS,
    TILE_COPIES,
    TILE_KINDS,
    TILE_TEXTS,
    TILES,
)
from palazzo_env.keys import tile_texts, tiles_of
from palazzo_env.loading_decision import check_turn, load_payment, load_rebuilding, load_taking, load_twin, palace_key
from palazzo_env.position import DECK_NAME, cards_left, counted
from palazzo_env.rules import clear, deal
from palazzo_env.scoring import survey
from palazzo_env.state import (
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_FEE,
    PHASE_INTO,
    PHASE_MAIN,
    PHASE_MONEY,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_REBUILD,
    PHASE_SHARE,
)
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT
from skyline.reading import Fields, Value, check_counts

_clear, _deal, _survey = map(FromPython, (clear, deal, survey))

NOT_OF_ACTIVE = (PHASE_MONEY, PHASE_BID, PHASE_SHARE, PHASE_BUILD, PHASE_OVER)  # another seat may decide here
OF_MONEY = (PHASE_MONEY, PHASE_REBUILD, PHASE_INTO, PHASE_FEE)  # in turns that are allowed below `quiet_limit` only
PILES = (PILE_1, PILE_2, PILE_3_WITH_KNIGHTS)

FIELDS = (
    "players", "player", "decision", "active", "builder", "knights", "quiet", "depot", "quarries", "stack", "deck",
    "discard", "hands", "palaces", "face_up", "first_take", "chosen", "standing", "totals", "locks", "table", "out",
    "last", "singles", "to_build", "twin_move", "sharing", "change", "target",
)  # fmt: skip


# ---------------------------------------------------------------- records


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank prepared row as a setup object says."""
    given = Value(data, "setup").object("stack", "money", need=("stack", "money"))
    stack = [entry.one_of(STACK_TEXTS) for entry in given["stack"].row(STACK)]
    money = [card.one_of(CARD_TEXTS) for card in given["money"].row(CARDS)]
    first = 0
    for number, pile in enumerate(PILES, 1):
        part = stack[first : first + len(pile)]
        if sorted(part) != sorted(pile.tolist()):
            texts = " ".join(STACK_TEXTS[entry] for entry in sorted(pile.tolist()))
            given["stack"].fault(f"the {len(pile)} entries from {first} on are pile {number}: {texts}")
        first += len(pile)
    if np.bincount(money, minlength=CARD_KINDS).tolist() != CARD_COUNTS.tolist():
        given["money"].fault(f"there must be the {CARDS} cards, each kind as often as it is printed")
    s.stack[:] = stack
    s.deck[:] = money
    _deal(s)


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the next reshuffle of `s` give this order; the cards left in the deck go to its other end."""
    for shuffle in Value(given, "shuffles").list(most=1):
        event, left = shuffle.object("deck", "order", need=("deck", "order")), cards_left(s)
        event["deck"].one_of((DECK_NAME,))
        if s.phase != PHASE_MAIN or left > s.players:
            shuffle.fault(f"nothing is shuffled here: {left} cards are left in the deck")
        order = numbers_of(event["order"], CARD_TEXTS, CARDS)
        if np.bincount(order, minlength=CARD_KINDS).tolist() != s.discards.tolist():
            event["order"].fault(f"the order must hold the discards {counted(s.discards)}")
        rest = s.deck[s.deck_top : s.deck_size].copy()
        s.deck[CARDS - left :] = rest
        s.deck[: len(order)] = order
        s.deck_top, s.deck_size, s.order_given = CARDS - left, CARDS, 1


# ---------------------------------------------------------------- positions


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank prepared row; missing fields are empty, cards named nowhere lie at the bottom of the deck."""
    given = Value(data, "position").object(*FIELDS)
    _clear(s)
    _load_clock(s, given)
    _load_tiles(s, given)
    _load_cards(s, given)
    load_payment(s, given)
    _survey(s)
    check_turn(s, given)
    load_rebuilding(s, given)


def numbers_of(value: Value, texts: Sequence[str], most: int) -> list[int]:
    """A list of at most `most` texts of a table as their numbers."""
    return [item.one_of(texts) for item in value.list(most=most)]


def _load_clock(s: Any, given: Fields) -> None:
    """Players, decision, deciding and active seat, builder, knights, quiet turns."""
    players = int(s.players)
    if given.get("players", players).whole(2, 4) != players:
        given["players"].fault(f"the row is one for {players} players")
    decision = given.get("decision", "MAIN")
    s.phase = decision.one_of(PHASE_NAMES)
    s.active = given.get("active", 0).whole(0, players - 1)
    if s.phase == PHASE_OVER:
        s.seat = NO_SEAT
        if not given.get("player", None).is_null:
            given["player"].refuse("null, for nobody decides at the end")
    else:
        s.seat = given.get("player", int(s.active)).whole(0, players - 1)
    if s.phase not in NOT_OF_ACTIVE and s.seat != s.active:
        given.get("player", 0).fault(f"{decision.raw} is a decision of the active player {s.active}, not of {s.seat}")
    s.builder = given.get("builder", 0).whole(0, QUARRIES - 1)
    s.quiet = given.get("quiet", 0).whole(0, int(s.quiet_limit))
    if s.phase in OF_MONEY and s.quiet == s.quiet_limit:
        given.get("quiet", 0).fault(f"after {s.quiet} turns without draw only draw is legal: no {decision.raw} follows")
    s.knights = given.get("knights", 0).whole(0, KNIGHTS - (s.phase != PHASE_OVER))


# ---------------------------------------------------------------- tiles


def _load_tiles(s: Any, given: Fields) -> None:
    """Stack, depot, quarries, palaces and the lot."""
    players = int(s.players)
    stack = numbers_of(given.get("stack", []), STACK_TEXTS, MOST_STACK)
    depot = sorted(numbers_of(given.get("depot", []), TILE_TEXTS, QUARRY_ROOM))
    quarries = [
        sorted(numbers_of(tiles, TILE_TEXTS, QUARRY_ROOM))
        for tiles in given.get("quarries", [[]] * QUARRIES).row(QUARRIES)
    ]
    cities = [
        [palace_key(text) for text in texts.list(most=TILES)]
        for texts in given.get("palaces", [[]] * players).row(players)
    ]
    lot = _lot(s, given, depot)
    if stack.count(KNIGHT) != KNIGHTS - s.knights:
        given.get("stack", []).fault(
            f"the stack must hold the {KNIGHTS - s.knights} knights not yet drawn, not {stack.count(KNIGHT)}"
        )
    places = [stack, depot, *quarries, *(tiles_of(key) for keys in cities for key in keys)]
    found = Counter(chain(*places, lot if s.phase == PHASE_BUILD else ()))
    check_counts(given.place, [found[tile] for tile in range(TILE_KINDS)], TILE_COPIES, TILE_TEXTS)
    if s.phase != PHASE_OVER:
        _check_room(s, given, len(stack), [depot, *quarries])
    s.stack_top = STACK - len(stack)
    s.stack[s.stack_top :] = stack
    s.depot_size, s.depot[: len(depot)] = len(depot), depot
    for quarry, tiles in enumerate(quarries):
        s.quarry_size[quarry], s.quarries[quarry, : len(tiles)] = len(tiles), tiles
    for seat, keys in enumerate(map(Counter, cities)):
        s.palace_count[seat] = len(keys)
        s.palaces[seat, : len(keys)] = sorted(keys)
        s.copies[seat, : len(keys)] = [keys[key] for key in sorted(keys)]
    s.lot_size, s.lot[: len(lot)] = len(lot), lot
    load_twin(s, given)


def _check_room(s: Any, given: Fields, left: int, places: Sequence[Sequence[int]]) -> None:
    """Of two entries drawn the first one may come to the depot, the second one to a quarry; knights do not.  # PZ-10"""
    tiles = left - (KNIGHTS - int(s.knights))
    depot, *quarries = given.get("depot", []), *given.get("quarries", [[]] * QUARRIES).row(QUARRIES)
    for place, held, draws in zip((depot, *quarries), places, ((left + 1) // 2, *[left // 2] * QUARRIES), strict=True):
        if (most := len(held) + min(tiles, draws)) > QUARRY_ROOM:
            place.fault(f"with what the stack can bring there are {most} tiles, there is room for {QUARRY_ROOM}")


def _lot(s: Any, given: Fields, depot: Sequence[int]) -> list[int]:
    """The tiles chosen or to build."""
    name, other = ("to_build", "chosen") if s.phase == PHASE_BUILD else ("chosen", "to_build")
    least = {PHASE_BUILD: 1, PHASE_PAY: 1}.get(int(s.phase), 0)
    most = {PHASE_BUILD: MOST_LOT, PHASE_PAY: 2, PHASE_BUY: 1}.get(int(s.phase), 0)
    if given.get(other, []).list():
        given[other].fault(f"there are no tiles {other.replace('_', ' ')} in {PHASE_NAMES[s.phase]}")
    value = given.get(name, [])
    lot = sorted(value.one_of(TILE_TEXTS) for value in value.list(least, most))
    if name == "chosen" and Counter(lot) - Counter(depot):
        value.fault(f"chosen tiles lie in the depot, {', '.join(tile_texts(lot))} do not")
    return lot


# ---------------------------------------------------------------- cards


def _load_cards(s: Any, given: Fields) -> None:
    """Hands, discards, cards on the table and face up; the deck gets what is named nowhere."""
    players = int(s.players)
    s.discards[:] = _counts(given.get("discard", {}))
    for name, rows in (("hands", s.hands), ("table", s.table)):
        for seat, counts in enumerate(given.get(name, [{}] * players).row(players)):
            rows[seat] = _counts(counts)
    face_up = numbers_of(given.get("face_up", []), CARD_TEXTS, players + 1)
    s.face_up[:] = np.bincount(face_up, minlength=CARD_KINDS)
    deck = numbers_of(given.get("deck", []), CARD_TEXTS, CARDS)
    named = s.hands.sum(axis=0) + s.table.sum(axis=0) + s.discards + s.face_up
    named = named + np.bincount(deck, minlength=CARD_KINDS)
    check_counts(given.place, named, CARD_COUNTS, CARD_TEXTS)
    deck += np.repeat(range(CARD_KINDS), CARD_COUNTS - named).tolist()
    s.deck_top, s.deck_size, s.deck[: len(deck)], s.deck[len(deck) :] = 0, len(deck), deck, 0
    load_taking(s, given, len(face_up))


def _counts(value: Value) -> np.ndarray[Any, Any]:
    """An object card -> number."""
    counts = np.zeros(CARD_KINDS, int)
    for name, number in value.object(*CARD_TEXTS):
        card = CARD_TEXTS.index(name)
        counts[card] = number.whole(0, int(CARD_COUNTS[card]))
    return counts
