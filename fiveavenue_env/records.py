"""The setup and the shuffles of game records (RULES.md section 9), and the invariants of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env.cards import find_face_up
from fiveavenue_env.city import clear_lots, survey
from fiveavenue_env.loading_auction import counts_of, values_of
from fiveavenue_env.options import read_rings, write_rings
from fiveavenue_env.rules import deal
from fiveavenue_env.state import (
    FACE_UP,
    NO_COLOUR,
    NO_KIND,
    NOBODY,
    PHASE_BID,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_SHOP,
    PHASE_TURN,
    fields_of,
)
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT, ensure, ensure_same
from skyline.reading import Value

_clear_lots, _deal, _survey = FromPython(clear_lots), FromPython(deal), FromPython(survey)
_find_face_up = FromPython(find_face_up)

SETUP_FIELDS = ("rings", "shops", "row", "out", "cards")
FIRST_OUT = box.SHOPS - box.TILES_OUT


# ---------------------------------------------------------------- setup


def setup(s: Any) -> dict[str, Any]:
    """Rings, initial shops, row, tiles out and whole decks of a fresh game."""
    kinds = [box.KIND_NAMES[kind] for kind in s.tiles]
    lots = [int(np.flatnonzero(s.shops[:, 6 * d : 6 * d + 6].any(axis=0))[0]) for d in range(box.DISTRICTS)]
    decks = {name: s.stacks[colour].tolist() for colour, name in enumerate(box.COLOUR_NAMES[:5])}
    return {
        "rings": read_rings(s),
        "shops": {name: [kinds[d], box.LOT_NAMES[lots[d]]] for d, name in enumerate(box.DISTRICT_NAMES)},
        "row": kinds[box.DISTRICTS : FIRST_OUT],
        "out": kinds[FIRST_OUT:],
        "cards": {**decks, "black": s.black.tolist()},
    }


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank row as a setup object says; the rings are the object's."""
    given = Value(data, "setup").object(*SETUP_FIELDS, need=SETUP_FIELDS)
    write_rings(s, _rings(s, given["rings"]))
    _clear_lots(s)
    _initial_shops(s, given["shops"])
    tiles = [*given["row"].row(box.ROW_TILES), *given["out"].row(box.TILES_OUT)]
    s.tiles[box.DISTRICTS :] = [kind.one_of(box.KIND_NAMES) for kind in tiles]
    if np.bincount(s.tiles, minlength=box.KINDS).tolist() != [box.SHOPS_A_KIND] * box.KINDS:
        given["row"].fault(f"shops, row and out together hold each kind {box.SHOPS_A_KIND} times")
    cards = given["cards"].object(*box.COLOUR_NAMES, need=box.COLOUR_NAMES)
    for colour in range(box.COLOURS):
        s.stacks[colour] = _deck(cards[box.COLOUR_NAMES[colour]], box.COLOURED_CARDS)
    s.black[:] = _deck(cards["black"], box.BLACK_CARDS)
    _deal(s)


def _rings(s: Any, rings: Value) -> list[list[str]]:
    given = rings.object(*box.DISTRICT_NAMES, need=box.DISTRICT_NAMES)
    return [_ring(given[name], box.LOT_NAMES[: s.board]) for name in box.DISTRICT_NAMES]


def _ring(ring: Value, lots: Sequence[str]) -> list[str]:
    names = [lots[lot.one_of(lots)] for lot in ring.row(len(lots))]
    if len(set(names)) < len(names):
        ring.fault(f"a ring has each of {', '.join(lots)} once")
    return names


def _initial_shops(s: Any, shops: Value) -> None:
    """FA-S2, FA-S3"""
    first = 0 if s.board == 5 else box.DASHED
    allowed = box.LOT_NAMES[first : s.board]
    given, lots = shops.object(*box.DISTRICT_NAMES, need=box.DISTRICT_NAMES), list[int]()
    for d, name in enumerate(box.DISTRICT_NAMES):
        kind, lot = given[name].row(2)
        lots.append(first + lot.one_of(allowed))
        s.tiles[d] = kind.one_of(box.KIND_NAMES)
        s.shops[s.tiles[d], box.SIDES * d + lots[d]] = 1
    if s.board == 5 and max(map(lots.count, lots)) > 2:
        shops.fault("no colour is drawn more than twice")


def _deck(cards: Value, copies: np.ndarray[Any, Any]) -> list[int]:
    deck = values_of(cards, int(copies.sum()))
    if counts_of(deck) != copies.tolist():
        cards.fault(f"the deck has {', '.join(map(str, copies))} cards of values 4, 5, 6")
    return deck


# ---------------------------------------------------------------- chance results


def events(before: Any, after: Any) -> list[dict[str, Any]]:
    """The shuffles of the move between two states, in order: of the black stack, at the end of the park tiles."""
    found: list[dict[str, Any]] = [
        {"deck": "black", "order": after.orders[i, : after.order_n[i]].tolist()} for i in range(after.shuffles)
    ]
    if after.seat == NO_SEAT and before.seat != NO_SEAT:
        found.append({"deck": "park", "order": [box.KIND_NAMES[kind] for kind in after.park[: after.park_n]]})
    return found


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the shuffles of the next move of `s` give these orders: of cards and tiles that are in play there."""
    park, black = None, list[list[int]]()
    for event in Value(given, "shuffles").list(most=len(s.orders) + 1):
        fields = event.object("deck", "order", need=("deck", "order"))
        if park is not None:
            event.fault("the park tiles are shuffled last")
        if fields["deck"].one_of(("black", "park")):
            park = _park_order(s, fields["order"])
        elif len(black) == len(s.orders):
            event.fault(f"a move shuffles the black stack at most {len(s.orders)} times")
        else:
            black.append(_black_order(s, fields["order"]))
    for order in black:
        s.orders[s.given, : len(order)] = order
        s.given += 1
    if park is not None:
        s.park_order[: len(park)], s.park_given = park, 1


def _park_order(s: Any, order: Value) -> list[int]:
    """The park tiles, with the last one of a block from which a shop is being placed.  # FA-31"""
    kinds = [kind.one_of(box.KIND_NAMES) for kind in order.list(most=box.PARK_MOST)]
    tiles, block = s.park_kinds.astype(int), s.row_kinds[: box.KINDS]
    if s.phase == PHASE_SHOP and block.sum() == 1:
        tiles += block
    if np.bincount(np.array(kinds, int), minlength=box.KINDS).tolist() != tiles.tolist():
        order.fault(f"the park tiles are {', '.join(np.repeat(box.KIND_NAMES, tiles)) or 'none'}")
    return kinds


def _black_order(s: Any, order: Value) -> list[int]:
    """The cards that are shuffled: those from the topmost face-up card on when it comes up, or those of a bidder and
    of Egon on the empty stack.  # FA-64, FA-R9, FA-R10"""
    values = values_of(order, box.BLACK_STACK)
    stack = (s.black[s.black_top : s.black_end] & ~FACE_UP).tolist()
    allowed = list[list[int]]()
    if s.phase == PHASE_TURN or (s.phase == PHASE_BID and s.players == 2 and s.asked == 1):  # cards are drawn
        allowed.append(stack[s.black_above :])
    if s.phase == PHASE_BID:  # cards are discarded
        for p in {int(s.seat), int(s.leader)} & set(range(s.players)):
            laid = np.repeat(box.VALUES, s.table[p, box.FIRST_BLACK :]).tolist()
            allowed.append([*laid, *s.egon[: s.egon_n].tolist(), *stack])
    if not values or sorted(values) not in [sorted(cards) for cards in allowed]:
        order.fault("these are not the cards that the next move shuffles")
    return values


# ---------------------------------------------------------------- invariants

CACHES = (
    "lot_points", "kinds_beside", "empty_bits", "shop_bits", "room_bits", "home", "district_points", "points_now",
    "districts", "closed_bits",
)  # fmt: skip


def check(s: Any) -> None:
    """Every piece and card is somewhere exactly once, ranges hold, every cache equals its recomputation."""
    ensure(s.players in box.PLAYER_COUNTS, f"{s.players} players")
    fresh = np.array([s])[0]
    _survey(fresh)
    for name in CACHES:
        ensure_same(f"the cache {name}", s[name], fresh[name])
    ensure_same("the cache black_above", int(s.black_above), int(_find_face_up(s)))
    s = fields_of(s)
    over = s.phase == PHASE_OVER
    ensure(s.seat == NO_SEAT if over else 0 <= s.seat < s.players, f"seat {s.seat} decides in the phase {s.phase}")
    ensure(not s.given and not s.park_given, "a given order of a shuffle was not used")
    for name in ("scores", "reserve", "supply", "cp", "hands", "hand_size", "table"):
        values = vars(s)[name]
        ensure(
            values.min() >= 0 and not values[s.players :].any(), f"{name} below zero, or of a seat that is not there"
        )
    _check_cards(s)
    _check_pieces(s)
    _check_shops(s)
    _check_auction(s)


def _check_cards(s: Any) -> None:
    stacks = zip(s.stacks, s.stack_top, s.stack_end, strict=True)
    values = [stack[top:end] for stack, top, end in stacks]
    black, turned_up = s.black[s.black_top : s.black_end], s.egon[: s.egon_n]
    values.append(np.concatenate([black & ~FACE_UP, turned_up]))
    laid = s.table.sum(axis=0)
    copies = s.hands.sum(axis=0) + laid
    for colour, cards in enumerate(values):
        ensure(not len(cards) or (cards.min() >= 4 and cards.max() <= 6), "a card of another value than 4, 5, 6", cards)
        copies[3 * colour : 3 * colour + 3] += counts_of(cards.tolist())
    ensure_same("copies of the cards", copies.tolist(), box.COPIES.tolist())
    laid[box.FIRST_BLACK :] += counts_of(turned_up.tolist())
    ensure_same("the cache shown", s.shown.tolist(), laid.tolist())
    ensure_same("the cache hand_size", s.hand_size.tolist(), s.hands.sum(axis=1).tolist())
    ensure(not len(black) or s.black_above > 0, "the top card of the black stack is face-up")  # FA-64


def _check_pieces(s: Any) -> None:
    on_lots = s.buildings.sum(axis=1)
    everywhere = on_lots[: box.MAX_PLAYERS] + s.reserve + s.supply + s.cp
    ensure((everywhere <= box.BUILDINGS).all(), "buildings of the seats", everywhere)
    if not s.closed.any():
        placed = on_lots[: box.MAX_PLAYERS] if s.phase == PHASE_PLACE else box.START_BUILDINGS
        wanted = box.BUILDINGS - box.START_BUILDINGS + placed
        ensure((everywhere == wanted)[: s.players].all(), "buildings of the seats", everywhere)
    ensure(not (s.supply % box.SUPPLY_STEP).any(), "supplies", s.supply)
    ensure(s.players == 2 or on_lots[box.EGON] == 0, "Egon has buildings, but plays with two players only")
    built, shops = s.buildings[:, : box.LOTS] > 0, s.shops[:, : box.LOTS].any(axis=0)
    ensure(built.sum(axis=0).max() <= 1, "two owners on one lot")
    ensure(not s.buildings[:, box.LOTS :].any() and not s.shops[:, box.LOTS :].any(), "something behind the last lot")
    used = built.any(axis=0)
    ensure_same("lot_owner", s.lot_owner.tolist(), np.where(used, built.argmax(axis=0), NOBODY).tolist())
    ensure(not (used & shops).any(), "buildings and shops on one lot")
    used, by_owner = (used | shops).reshape(box.DISTRICTS, box.SIDES), built.reshape(-1, box.DISTRICTS, box.SIDES)
    ensure(not by_owner[:, :, box.DASHED].any(), "buildings on a dashed lot")  # FA-121
    ensure(not used[s.closed > 0].any(), "something stands in a closed district")  # FA-73
    ensure(by_owner[: box.MAX_PLAYERS].sum(axis=2).max() <= 1, "buildings of a seat on two lots of a district")  # FA-68


def _check_shops(s: Any) -> None:
    row = s.row_kinds.reshape(box.BLOCKS, box.KINDS)
    park, out = s.park[: s.park_n], s.tiles[FIRST_OUT:]
    for tiles in (park, out):
        ensure(not len(tiles) or (tiles.min() >= 0 and tiles.max() < box.KINDS), "a shop of no kind", tiles)
    kinds = s.shops.sum(axis=1) + row.sum(axis=0) + s.park_kinds + np.bincount(out, minlength=box.KINDS)
    if s.chosen_kind != NO_KIND:
        kinds[s.chosen_kind] += 1
    ensure(kinds.max() <= box.SHOPS_A_KIND, "shops of the kinds", kinds)
    ensure(s.closed.any() or kinds.min() == box.SHOPS_A_KIND, "shops of the kinds", kinds)
    ensure_same("the cache park_kinds", s.park_kinds.tolist(), np.bincount(park, minlength=box.KINDS).tolist())
    ensure(not row[s.blocks :].any() and row[: s.blocks].sum(axis=1).all(), "blocks of the row", row)
    ensure(s.shops.sum(axis=0).max() <= 2, "more than two shops on a lot")
    ensure(s.closed.any() or s.shops.sum() == box.DISTRICTS + s.placed, f"shops on lots after {s.placed} placed ones")
    ensure(s.closed.sum() <= box.CLOSINGS - (s.phase != PHASE_OVER), "closed districts", s.closed)


def _check_auction(s: Any) -> None:
    ensure_same("the cache table_total", s.table_total.tolist(), (s.table @ box.CARD_VALUE).tolist())
    laid = s.table[:, : box.FIRST_BLACK].reshape(-1, box.COLOURS, 3).any(axis=2)
    ensure(laid.sum(axis=1).max() <= 1, "cards of two colours in a bid")
    colours = np.where(laid.any(axis=1), laid.argmax(axis=1), NO_COLOUR)
    ensure_same("the cache table_colour", s.table_colour.tolist(), colours.tolist())
    if s.phase == PHASE_BID:
        ensure(not s.passed >> s.seat & 1 and s.leader != s.seat, f"seat {s.seat} has passed or leads, and is asked")
    else:
        ensure(not s.table.any() and not s.egon_n, "cards are laid outside an auction")
