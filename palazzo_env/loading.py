"""Data back into a state: setups, chance events, positions (position.py says what they are).

Whatever is wrong with the data is a ValueError that names the place. loading_decision.py reads the open decision,
loading_memory.py what is remembered.

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
                   holder has not passed; a seat that has passed or does not pay has nothing on the table, one with
                   cards on the table has a total
    quiet          not above `quiet_limit` (PZ-R20)
    memory         sure cards are in the hand, starting cards shown lie where they can be (`position.memory_fault`)
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

from palazzo_env import components as box
from palazzo_env import state
from palazzo_env.caches import recount
from palazzo_env.keys import tile_texts, tiles_of
from palazzo_env.loading_decision import check_turn, load_payment, load_rebuilding, load_taking, load_twin, palace_key
from palazzo_env.loading_memory import card_counts, load_memory
from palazzo_env.position import DECK_NAME, cards_left, counted
from palazzo_env.rules import clear, deal
from skyline.core.jit import FromPython
from skyline.positions import by_seat, check_player_count, counts_of, kinds_of, read_seat, shuffles
from skyline.reading import Fields, Value, check_counts

_clear, _deal, _recount = map(FromPython, (clear, deal, recount))

NOT_OF_ACTIVE = (  # another seat than the active one may decide here
    state.PHASE_MONEY, state.PHASE_BID, state.PHASE_SHARE, state.PHASE_BUILD, state.PHASE_OVER,
)  # fmt: skip
OF_MONEY = (  # in turns that are allowed below `quiet_limit` only
    state.PHASE_MONEY, state.PHASE_REBUILD, state.PHASE_INTO, state.PHASE_FEE,
)  # fmt: skip
PILES = (box.PILE_1, box.PILE_2, box.PILE_3_WITH_KNIGHTS)

FIELDS = (
    "players", "player", "decision", "active", "builder", "knights", "quiet", "depot", "quarries", "stack", "deck",
    "discard", "hands", "palaces", "face_up", "first_take", "chosen", "standing", "totals", "locks", "table", "out",
    "last", "singles", "to_build", "twin_move", "sharing", "change", "target", "memory",
)  # fmt: skip


# ---------------------------------------------------------------- records


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank prepared row as a setup object says."""
    given = Value(data, "setup").object("stack", "money", need=("stack", "money"))
    stack = kinds_of(given["stack"], box.STACK_TEXTS, box.STACK, box.STACK)
    money = kinds_of(given["money"], box.CARD_TEXTS, box.CARDS, box.CARDS)
    first = 0
    for number, pile in enumerate(PILES, 1):
        part = stack[first : first + len(pile)]
        if sorted(part) != sorted(pile.tolist()):
            texts = " ".join(box.STACK_TEXTS[entry] for entry in sorted(pile.tolist()))
            given["stack"].fault(f"the {len(pile)} entries from {first} on are pile {number}: {texts}")
        first += len(pile)
    if counts_of(money, box.CARD_KINDS).tolist() != box.CARD_COPIES.tolist():
        given["money"].fault(f"there must be the {box.CARDS} cards, each kind as often as it is printed")
    s.stack[:] = stack
    s.deck[:] = money
    _deal(s)


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the next reshuffle of `s` give this order; the cards left in the deck go to its other end."""
    for event, fields in shuffles(given, 1):
        left = cards_left(s)
        fields["deck"].one_of((DECK_NAME,))
        if s.phase != state.PHASE_MAIN or left > s.players:
            event.fault(f"nothing is shuffled here: {left} cards are left in the deck")
        order = kinds_of(fields["order"], box.CARD_TEXTS, box.CARDS)
        if counts_of(order, box.CARD_KINDS).tolist() != s.discards.tolist():
            fields["order"].fault(f"the order must hold the discards {counted(s.discards)}")
        rest = s.deck[s.deck_top : s.deck_size].copy()
        s.deck[box.CARDS - left :] = rest
        s.deck[: len(order)] = order
        s.deck_top, s.deck_size, s.order_given = box.CARDS - left, box.CARDS, 1


# ---------------------------------------------------------------- positions


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank prepared row; missing fields are empty, cards named nowhere lie at the bottom of the deck."""
    given = Value(data, "position").object(*FIELDS)
    _clear(s)
    _load_clock(s, given)
    _load_tiles(s, given)
    _load_cards(s, given)
    load_payment(s, given)
    _recount(s)
    check_turn(s, given)
    load_rebuilding(s, given)
    _recount(s)  # with the change that is planned
    load_memory(s, given)


def _load_clock(s: Any, given: Fields) -> None:
    """Players, decision, deciding and active seat, builder, knights, quiet turns."""
    check_player_count(s, given)
    decision = given.get("decision", "MAIN")
    s.phase = decision.one_of(state.PHASE_NAMES)
    s.active = given.get("active", 0).whole(0, int(s.players) - 1)
    s.seat = read_seat(s, given, "player", s.phase == state.PHASE_OVER, int(s.active))
    if s.phase not in NOT_OF_ACTIVE and s.seat != s.active:
        given.get("player", 0).fault(f"{decision.raw} is a decision of the active player {s.active}, not of {s.seat}")
    s.builder = given.get("builder", 0).whole(0, box.QUARRIES - 1)
    s.quiet = given.get("quiet", 0).whole(0, int(s.quiet_limit))
    if s.phase in OF_MONEY and s.quiet == s.quiet_limit:
        given.get("quiet", 0).fault(f"after {s.quiet} turns without draw only draw is legal: no {decision.raw} follows")
    s.knights = given.get("knights", 0).whole(0, box.KNIGHTS - (s.phase != state.PHASE_OVER))


# ---------------------------------------------------------------- tiles


def _load_tiles(s: Any, given: Fields) -> None:
    """Stack, depot, quarries, palaces and the lot."""
    stack = kinds_of(given.get("stack", []), box.STACK_TEXTS, box.MOST_STACK)
    depot = sorted(kinds_of(given.get("depot", []), box.TILE_TEXTS, box.QUARRY_ROOM))
    quarries = [
        sorted(kinds_of(tiles, box.TILE_TEXTS, box.QUARRY_ROOM))
        for tiles in given.get("quarries", [[]] * box.QUARRIES).row(box.QUARRIES)
    ]
    cities = [[palace_key(text) for text in texts.list(most=box.TILES)] for texts in by_seat(s, given, "palaces", [])]
    lot = _lot(s, given, depot)
    if stack.count(box.KNIGHT) != box.KNIGHTS - s.knights:
        given.get("stack", []).fault(
            f"the stack must hold the {box.KNIGHTS - s.knights} knights not yet drawn, not {stack.count(box.KNIGHT)}"
        )
    places = [stack, depot, *quarries, *(tiles_of(key) for keys in cities for key in keys)]
    found = Counter(chain(*places, lot if s.phase == state.PHASE_BUILD else ()))
    check_counts(given.place, [found[tile] for tile in range(box.TILE_KINDS)], box.TILE_COPIES, box.TILE_TEXTS)
    if s.phase != state.PHASE_OVER:
        _check_room(s, given, len(stack), [depot, *quarries])
    s.stack_top = box.STACK - len(stack)
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
    tiles = left - (box.KNIGHTS - int(s.knights))
    depot, *quarries = given.get("depot", []), *given.get("quarries", [[]] * box.QUARRIES).row(box.QUARRIES)
    for place, held, draws in zip(
        (depot, *quarries), places, ((left + 1) // 2, *[left // 2] * box.QUARRIES), strict=True
    ):
        if (most := len(held) + min(tiles, draws)) > box.QUARRY_ROOM:
            place.fault(f"with what the stack can bring there are {most} tiles, there is room for {box.QUARRY_ROOM}")


def _lot(s: Any, given: Fields, depot: Sequence[int]) -> list[int]:
    """The tiles chosen or to build."""
    name, other = ("to_build", "chosen") if s.phase == state.PHASE_BUILD else ("chosen", "to_build")
    least = {state.PHASE_BUILD: 1, state.PHASE_PAY: 1}.get(int(s.phase), 0)
    most = {state.PHASE_BUILD: box.MOST_LOT, state.PHASE_PAY: 2, state.PHASE_BUY: 1}.get(int(s.phase), 0)
    if given.get(other, []).list():
        given[other].fault(f"there are no tiles {other.replace('_', ' ')} in {state.PHASE_NAMES[s.phase]}")
    value = given.get(name, [])
    lot = sorted(kinds_of(value, box.TILE_TEXTS, most, least))
    if name == "chosen" and Counter(lot) - Counter(depot):
        value.fault(f"chosen tiles lie in the depot, {', '.join(tile_texts(lot))} do not")
    return lot


# ---------------------------------------------------------------- cards


def _load_cards(s: Any, given: Fields) -> None:
    """Hands, discards, cards on the table and face up; the deck gets what is named nowhere."""
    s.discards[:] = card_counts(given.get("discard", {}))
    for name, rows in (("hands", s.hands), ("table", s.table)):
        for seat, counts in enumerate(by_seat(s, given, name, {})):
            rows[seat] = card_counts(counts)
    face_up = kinds_of(given.get("face_up", []), box.CARD_TEXTS, int(s.players) + 1)
    s.face_up[:] = counts_of(face_up, box.CARD_KINDS)
    deck = kinds_of(given.get("deck", []), box.CARD_TEXTS, box.CARDS)
    named = s.hands.sum(axis=0) + s.table.sum(axis=0) + s.discards + s.face_up
    named = named + counts_of(deck, box.CARD_KINDS)
    check_counts(given.place, named, box.CARD_COPIES, box.CARD_TEXTS)
    deck += np.repeat(range(box.CARD_KINDS), box.CARD_COPIES - named).tolist()
    s.deck_top, s.deck_size, s.deck[: len(deck)], s.deck[len(deck) :] = 0, len(deck), deck, 0
    load_taking(s, given, len(face_up))
