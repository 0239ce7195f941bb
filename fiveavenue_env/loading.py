"""Positions from outside: `from_position` reads the fields of RULES.md section 10 into a blank row.

Why no index of the jitted functions can leave its array afterwards, and no number its type:

* cards: no kind is there more often than printed, over hands, stacks, tables and Egon's cards together. So a hand has
  at most 110 cards, 20 of a kind; a coloured stack gets at most its 12 cards back, the black one 50; bids are at most
  302. A card under the black stack is face-up or face-down, its top card is face-down.
* shops: no kind is there more than 9 times, a lot holds two, and all but the tiles that are out are at most 27. Blocks
  and park tiles together are at most 8, and fewer than 12 shops are placed while the game goes on.
* buildings: a player has at most 17 in all places together, and one lot in a district; so a district brings at most
  136 points. Egon is there with two players only.
* markers: a commission has at most as many as there are districts behind it on its way, so it lays no fourth one.
* the auction: its colours, leader and cards belong together as in section 6, so that every winner has laid cards of a
  colour and every building goes on a lot that its owner may use.
* everything else has its range, or is a cache and computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env.cards import find_face_up
from fiveavenue_env.city import survey
from fiveavenue_env.loading_auction import counts_of, load_auction, load_markers, values_of
from fiveavenue_env.position import FIELDS, PHASE_NAMES, TURN_NAMES
from fiveavenue_env.rules import clear
from fiveavenue_env.state import (
    FACE_UP,
    NO_KIND,
    NO_TURN,
    NOBODY,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_SHOP,
    PHASE_TAKE,
    PHASE_TURN,
)
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT
from skyline.reading import Fields, Unreadable, Value, check_counts

_clear, _survey, _find_face_up = FromPython(clear), FromPython(survey), FromPython(find_face_up)

TURN_PHASE = {PHASE_PLACE: 0, PHASE_TURN: 0, PHASE_SHOP: 1, PHASE_TAKE: 2}
MARKERS_AT = (0, 0, 0, 1, 1, 1, 2, 2, 3)  # by node: markers that a commission has laid there at most  [1.3]
MOST_SCORE = 10_000_000  # 32,767 turns of 136 points and the final scoring are less than half of it
MOST_FINAL = 136  # of the districts; Central Park brings at most 75
BUILDING_NUMBERS = [str(number) for number in range(1, box.BUILDINGS)]  # one start building stands elsewhere
ROOM = box.BUILDINGS - box.START_BUILDINGS  # buildings that never stand on lots: reserve, supply, Central Park
BLACK_CODES = tuple(f"{value}{side}" for value in box.VALUES for side in "du")
CARD_NAMES = [f"the {colour} {value}" for colour in box.COLOUR_NAMES for value in box.VALUES]
SHOP_NAMES = [f"the shop {kind}" for kind in box.KIND_NAMES]


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank row; missing fields have the defaults of section 10."""
    given = Value(data, "position").object(*FIELDS)
    _clear(s)
    _load_lots(s, given)
    _load_commissions(s, given)
    _load_tiles(s, given)
    _load_pieces(s, given)
    _load_cards(s, given)
    _survey(s)
    _load_clock(s, given)
    auction = given.get("auction", None)
    if auction.is_null == (s.phase in (PHASE_BID, PHASE_BUILD)):
        auction.fault("there is an auction exactly at the decisions BID and BUILD")
    if not auction.is_null:
        load_auction(s, auction, given)
    _check_markers(s, given)
    _check_cards(s)


# ---------------------------------------------------------------- the board


def _load_lots(s: Any, given: Fields) -> None:
    for d_name, lots in given.get("lots", {}).object(*box.DISTRICT_NAMES):
        d = box.DISTRICT_NAMES.index(d_name)
        for lot_name, code in lots.object(*box.LOT_NAMES[: s.board]):
            _load_lot(s, box.SIDES * d + box.LOT_NAMES.index(lot_name), code)
    for name in given.get("closed", []).list(most=box.CLOSINGS):
        d = name.one_of(box.DISTRICT_NAMES)
        here = slice(box.SIDES * d, box.SIDES * (d + 1))
        if s.closed[d] or (s.lot_owner[here] != NOBODY).any() or s.shops[:, here].any():
            name.fault(f"{box.DISTRICT_NAMES[d]} is named twice, or something is on its lots (FA-73)")
        s.closed[d] = 1


def _load_lot(s: Any, lot: int, code: Value) -> None:
    owner, colon, number = code.text(60).partition(":")
    if colon:
        p = box.EGON if owner == "E" else Value(owner, code.place).one_of([str(seat) for seat in range(s.players)])
        if p == box.EGON and s.players > 2:
            code.fault("Egon plays with two players only (FA-100)")
        if lot % box.SIDES == box.DASHED:
            code.fault("nobody builds on a dashed lot (FA-121)")
        s.buildings[p, lot] = 1 + Value(number, code.place).one_of(BUILDING_NUMBERS)
        s.lot_owner[lot] = p
    elif owner:
        for kind in Value(owner.split("+"), code.place).list(most=2):
            s.shops[Value(kind.raw, code.place).one_of(box.KIND_NAMES), lot] += 1


def _load_commissions(s: Any, given: Fields) -> None:
    for name, node in given.get("commissions", {}).object(*box.COMMISSION_NAMES):
        s.node[box.COMMISSION_NAMES.index(name)] = node.one_of(box.NODE_NAMES)
    for name, districts in given.get("markers", {}).object(*box.COMMISSION_NAMES):
        load_markers(s, box.COMMISSION_NAMES.index(name), districts)


def _check_markers(s: Any, given: Fields) -> None:
    """A commission lays a marker in each district it leaves, and stands at START in its round.  # FA-22, FA-26

    A closing may end the game in the middle of a round: then markers are left.
    """
    for c, name in enumerate(box.COMMISSION_NAMES):
        if s.phase in (PHASE_BID, PHASE_BUILD) and c == s.commission:
            if s.node[c] != box.START:
                given.get("commissions", {}).fault(f"{name} stands at START while its round is on (FA-26)")
        elif s.phase != PHASE_OVER and s.marker_n[c] > MARKERS_AT[s.node[c]]:
            node = box.NODE_NAMES[s.node[c]]
            given.get("markers", {}).fault(
                f"{name} has laid at most {MARKERS_AT[s.node[c]]} of them on its way to {node}"
            )


# ---------------------------------------------------------------- shops and buildings


def _load_tiles(s: Any, given: Fields) -> None:
    blocks = given.get("row", []).list(most=box.BLOCKS)
    s.blocks = len(blocks)
    for i, block in enumerate(blocks):
        for kind in block.list(1 if i == 0 else 2, int(box.BLOCK_SIZE[0])):
            s.row_kinds[box.KINDS * i + kind.one_of(box.KIND_NAMES)] += 1
    shop, park = given.get("shop", None), given.get("park", [])
    s.chosen_kind = NO_KIND if shop.is_null else shop.one_of(box.KIND_NAMES)
    kinds = [kind.one_of(box.KIND_NAMES) for kind in park.list(most=box.PARK_MOST)]
    if len(kinds) + len(blocks) > box.BLOCKS:
        park.fault(f"park tiles and blocks of the row are at most {box.BLOCKS} together (FA-31)")
    s.park[: len(kinds)] = kinds
    s.park_n = len(kinds)
    s.park_kinds[:] = np.bincount(np.array(kinds, int), minlength=box.KINDS)
    _load_tiles_out(s, given.get("out", []))


def _load_tiles_out(s: Any, out: Value) -> None:
    """The tiles out of the game; those that are not named are of the kinds that are left over."""
    kinds = [kind.one_of(box.KIND_NAMES) for kind in out.list(most=box.TILES_OUT)]
    found = s.shops.sum(axis=1) + s.row_kinds.reshape(box.BLOCKS, box.KINDS).sum(axis=0) + s.park_kinds
    if s.chosen_kind != NO_KIND:
        found[s.chosen_kind] += 1
    if found.sum() > box.SHOPS - box.TILES_OUT:
        out.fault(f"{box.TILES_OUT} of the {box.SHOPS} shops are out of the game, so at most 27 are elsewhere")
    found += np.bincount(np.array(kinds, int), minlength=box.KINDS)
    check_counts("position", found, [box.SHOPS_A_KIND] * box.KINDS, SHOP_NAMES)
    left = [kind for kind in range(box.KINDS) for _ in range(box.SHOPS_A_KIND - found[kind])]
    s.tiles[box.SHOPS - box.TILES_OUT :] = (kinds + left)[: box.TILES_OUT]


def _load_pieces(s: Any, given: Fields) -> None:
    """Scores; then the buildings that are not on lots: where no number is given, as many as are left.  [section 10]"""
    players = int(s.players)
    s.scores[:players] = [score.whole(0, MOST_SCORE) for score in given.get("scores", [0] * players).row(players)]
    room = np.minimum(ROOM, box.BUILDINGS - s.buildings[: box.MAX_PLAYERS].sum(axis=1))[:players]
    usual = {"cp": 0, "reserve": box.RESERVE, "supply": box.SUPPLY}
    found = {
        name: np.array([n.whole(0, most) for n in given[name].row(players)])
        for name, most in (("cp", ROOM), ("reserve", ROOM), ("supply", box.SUPPLY))
        if name in given
    }
    for name, most in usual.items():
        left = np.clip(room - sum(found.values()), 0, most)
        found.setdefault(name, left // box.SUPPLY_STEP * box.SUPPLY_STEP if name == "supply" else left)
        s[name][:players] = found[name]
    for p, number in enumerate(found["cp"] + found["reserve"] + found["supply"]):
        if number > room[p]:
            raise Unreadable(
                f"seat {p} has {number} buildings in reserve, supply and at Central Park; with those on lots it has at "
                f"most {box.BUILDINGS}, and at most {ROOM} outside of lots",
                "position",
            )
    if (s.supply % box.SUPPLY_STEP).any():
        given["supply"].fault(f"a supply is a multiple of {box.SUPPLY_STEP} (FA-3)")
    used = (s.buildings[: box.MAX_PLAYERS, : box.LOTS] > 0).reshape(-1, box.DISTRICTS, box.SIDES).sum(axis=2)
    if used.max() > 1:
        given["lots"].fault("a seat has buildings on one lot of a district at most (FA-68)")


# ---------------------------------------------------------------- cards


def _load_cards(s: Any, given: Fields) -> None:
    for p, hand in enumerate(given.get("hands", [{}] * s.players).row(int(s.players))):
        for name, values in hand.object(*box.COLOUR_NAMES):
            colour = box.COLOUR_NAMES.index(name)
            s.hands[p, 3 * colour : 3 * colour + 3] = counts_of(values_of(values, int(box.CARDS_OF_COLOUR[colour])))
        s.hand_size[p] = s.hands[p].sum()
    for name, values in given.get("stacks", {}).object(*box.COLOUR_NAMES[:5]):
        cards, colour = values_of(values, box.STACK), box.COLOUR_NAMES.index(name)
        s.stacks[colour, : len(cards)] = cards
        s.stack_end[colour] = len(cards)
    black = given.get("black", [])
    for i, code in enumerate(black.list(most=box.BLACK_STACK)):
        card = BLACK_CODES[code.one_of(BLACK_CODES)]
        s.black[i] = int(card[0]) + (FACE_UP if card[1] == "u" else 0)
        s.black_end = i + 1
    s.black_above = _find_face_up(s)
    if s.black_end and s.black_above == 0:
        black.fault("the top card is never face-up, the stack would be shuffled (FA-64)")


def _check_cards(s: Any) -> None:
    """All places together against the printed cards."""
    stacks = [counts_of(s.stacks[colour, : s.stack_end[colour]].tolist()) for colour in range(box.COLOURS)]
    black = counts_of((s.black[: s.black_end] & ~FACE_UP).tolist())
    black = [sum(pair) for pair in zip(black, counts_of(s.egon[: s.egon_n].tolist()), strict=True)]
    found = s.hands.sum(axis=0) + s.table.sum(axis=0) + np.array([*stacks, black]).reshape(-1)
    check_counts("position", found, box.COPIES, CARD_NAMES)


# ---------------------------------------------------------------- the clock


def _load_clock(s: Any, given: Fields) -> None:
    s.turn = given.get("turn", 1).whole(1, int(s.max_turns))
    action, decision = given.get("action", None), given.get("decision", None)
    s.turn_kind = NO_TURN if action.is_null else action.one_of(TURN_NAMES)
    s.placements = box.START_BUILDINGS * s.players
    over = given.get("over", False)
    if over.flag() != decision.is_null:
        over.fault("a position has either a decision, {kind, player}, or over: true")
    if decision.is_null:
        s.phase, s.seat, s.active = PHASE_OVER, NO_SEAT, 0
    else:
        chosen = decision.object("kind", "player", need=("kind", "player"))
        s.phase = chosen["kind"].one_of(PHASE_NAMES)
        s.seat = s.active = chosen["player"].whole(0, int(s.players) - 1)
    s.placed = given.get("placed", 0).whole(0, box.PLACED_MOST - (s.phase != PHASE_OVER))
    _load_final(s, given)
    _load_turn_phase(s, given)
    if s.phase == PHASE_PLACE:
        _check_placement(s, given)
    shop = given.get("shop", None)
    if (s.phase == PHASE_SHOP) == shop.is_null:
        shop.fault("there is a shop to be placed exactly at the decision SHOP")
    first, least = s.row_kinds[: box.KINDS].sum(), 1 if s.phase == PHASE_SHOP else 2
    if first < least and (s.blocks > 0 or s.phase == PHASE_SHOP):
        given.get("row", []).fault(
            f"the current block has at least {least} shops here, the last goes to the park (FA-31)"
        )


def _load_turn_phase(s: Any, given: Fields) -> None:
    phase = given.get("phase", None)
    if s.phase in TURN_PHASE or s.phase == PHASE_OVER:
        s.turn_phase = TURN_PHASE.get(int(s.phase), 0)
        if not phase.is_null:
            phase.whole(1, 3)
        return
    s.turn_phase = phase.whole(1, 3)
    if s.turn_phase == 2:
        phase.fault("commissions move, and auctions are held, in the phases 1 and 3 of a turn, not in 2")


def _check_placement(s: Any, given: Fields) -> None:
    """Only initial shops and start buildings are there, and it is the seat's turn to place.  # FA-S9"""
    built, shops = s.buildings[:, : box.LOTS], s.shops[:, : box.LOTS].sum(axis=0).reshape(box.DISTRICTS, box.SIDES)
    s.placements, s.active = int(built.sum()), 0
    if built.max() > 1 or built[box.EGON].any() or shops.sum(axis=1).max() > 1 or s.closed.any():
        given["lots"].fault("at the decision PLACE there are single start buildings, and a shop a district")
    order = box.PLACEMENTS[s.players, : 2 * s.players]
    placed = np.bincount(order[: s.placements], minlength=box.MAX_PLAYERS)
    if s.placements >= len(order) or s.seat != order[s.placements] or (built[: box.EGON].sum(axis=1) != placed).any():
        given["decision"].fault(
            f"the order of the start buildings is {order.tolist()}: {s.placements} of them are there"
        )


def _load_final(s: Any, given: Fields) -> None:
    final, players = given.get("final", None), int(s.players)
    if final.is_null:
        return
    parts = final.object("before", "districts", "park")
    for field, name in ((s.final_lots, "districts"), (s.final_park, "park")):
        field[:players] = [value.whole(0, MOST_FINAL) for value in parts.get(name, [0] * players).row(players)]
    before = (s.scores - s.final_lots - s.final_park)[:players].tolist()
    if s.phase != PHASE_OVER or min(before) < 0:
        final.fault("the final scoring belongs to a game that is over, and its points are among the scores")
    if [value.whole(0, MOST_SCORE) for value in parts.get("before", before).row(players)] != before:
        final.fault(f"before the final scoring the scores are {before}, as districts and park say")
