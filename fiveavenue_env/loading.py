"""Data as a state: the setup and shuffles of records (RULES.md section 9) and positions (section 10) are read.

position.py writes what is read here; loading_clock.py, loading_auction.py and loading_memory.py read three parts of a
position.

Why no index of the jitted functions can leave its array after a position was read, and no number its type:

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

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.cards import find_face_up
from fiveavenue_env.city import clear_lots
from fiveavenue_env.loading_auction import load_auction, load_markers, values_of
from fiveavenue_env.loading_clock import load_clock
from fiveavenue_env.loading_memory import load_memory
from fiveavenue_env.options import read_rings, write_rings
from fiveavenue_env.position import FIRST_OUT, values_counted
from fiveavenue_env.rules import clear, deal, survey_all
from skyline.core.jit import FromPython
from skyline.positions import by_seat, check_player_count, counts_of, kinds_of, read_scores, shuffles
from skyline.reading import Fields, Unreadable, Value, check_counts

_clear, _clear_lots, _deal = FromPython(clear), FromPython(clear_lots), FromPython(deal)
_survey, _find_face_up = FromPython(survey_all), FromPython(find_face_up)

SETUP_FIELDS = ("rings", "shops", "row", "out", "cards")
FIELDS = (
    "players", "lots", "closed", "commissions", "markers", "row", "shop", "placed", "park", "out", "scores", "reserve",
    "supply", "cp", "hands", "stacks", "black", "turn", "action", "phase", "auction", "over", "final", "decision",
    "rings", "memory",
)  # fmt: skip
MARKERS_AT = (0, 0, 0, 1, 1, 1, 2, 2, 3)  # by node: markers that a commission has laid there at most  [1.3]
BUILDING_NUMBERS = [str(number) for number in range(1, box.BUILDINGS)]  # one start building stands elsewhere
ROOM = box.BUILDINGS - box.START_BUILDINGS  # buildings that never stand on lots: reserve, supply, Central Park
BLACK_CODES = tuple(f"{value}{side}" for value in box.VALUES for side in "du")
CARD_NAMES = [f"the {colour} {value}" for colour in box.COLOUR_NAMES for value in box.VALUES]
SHOP_NAMES = [f"the shop {kind}" for kind in box.KIND_NAMES]


# ---------------------------------------------------------------- records


def from_setup(s: Any, data: Mapping[str, Any]) -> None:
    """Deal a blank row as a setup object says; the rings are the object's."""
    given = Value(data, "setup").object(*SETUP_FIELDS, need=SETUP_FIELDS)
    write_rings(s, _rings(s, given["rings"]))
    _clear_lots(s)
    _initial_shops(s, given["shops"])
    tiles = [*given["row"].row(box.ROW_TILES), *given["out"].row(box.TILES_OUT)]
    s.tiles[box.DISTRICTS :] = [kind.one_of(box.KIND_NAMES) for kind in tiles]
    if counts_of(s.tiles, box.KINDS).tolist() != [box.SHOPS_A_KIND] * box.KINDS:
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
    if values_counted(deck) != copies.tolist():
        cards.fault(f"the deck has {', '.join(map(str, copies))} cards of values 4, 5, 6")
    return deck


def preset(s: Any, given: Sequence[Mapping[str, Any]]) -> None:
    """Make the shuffles of the next move of `s` give these orders: of cards and tiles that are in play there."""
    park, black = None, list[list[int]]()
    for event, fields in shuffles(given, len(s.orders) + 1):
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
    kinds = kinds_of(order, box.KIND_NAMES, box.PARK_MOST)
    tiles, block = s.park_kinds.astype(int), s.row_kinds[: box.KINDS]
    if s.phase == state.PHASE_SHOP and block.sum() == 1:
        tiles += block
    if counts_of(kinds, box.KINDS).tolist() != tiles.tolist():
        order.fault(f"the park tiles are {', '.join(np.repeat(box.KIND_NAMES, tiles)) or 'none'}")
    return kinds


def _black_order(s: Any, order: Value) -> list[int]:
    """The cards that are shuffled: those from the topmost face-up card on when it comes up, or those of a bidder and
    of Egon on the empty stack.  # FA-64, FA-R9, FA-R10"""
    values = values_of(order, box.BLACK_STACK)
    stack = (s.black[s.black_top : s.black_end] & ~state.FACE_UP).tolist()
    allowed = list[list[int]]()
    egon_draws = s.phase == state.PHASE_BID and s.players == 2 and s.asked == 1
    if s.phase == state.PHASE_TURN or egon_draws:
        allowed.append(stack[s.black_above :])
    if s.phase == state.PHASE_BID:  # cards are discarded
        for p in {int(s.seat), int(s.leader)} & set(range(s.players)):
            laid = np.repeat(box.VALUES, s.table[p, box.FIRST_BLACK :]).tolist()
            allowed.append([*laid, *s.egon[: s.egon_n].tolist(), *stack])
    if not values or sorted(values) not in [sorted(cards) for cards in allowed]:
        order.fault("these are not the cards that the next move shuffles")
    return values


# ---------------------------------------------------------------- positions


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank row; missing fields have the defaults of section 10."""
    given = Value(data, "position").object(*FIELDS)
    check_player_count(s, given)
    _clear(s)
    if "rings" in given:
        _load_rings(s, given["rings"])
    _load_lots(s, given)
    _load_commissions(s, given)
    _load_tiles(s, given)
    _load_pieces(s, given)
    _load_cards(s, given)
    _survey(s)
    load_clock(s, given)
    auction = given.get("auction", None)
    if auction.is_null == (s.phase in (state.PHASE_BID, state.PHASE_BUILD)):
        auction.fault("there is an auction exactly at the decisions BID and BUILD")
    if not auction.is_null:
        load_auction(s, auction, given)
    _check_markers(s, given)
    _check_cards(s)
    _survey(s)
    load_memory(s, given)


# ---------------------------------------------------------------- the board


def _load_rings(s: Any, rings: Value) -> None:
    """The rings where they are drawn for each game; else those of the options, said again.  # FA-R2"""
    found = _rings(s, rings)
    if not s.rings_drawn and found != list(read_rings(s).values()):
        rings.fault("the rings are those of the options (random rings alone are a position's own)")
    write_rings(s, found)


def _load_lots(s: Any, given: Fields) -> None:
    for d_name, lots in given.get("lots", {}).object(*box.DISTRICT_NAMES):
        d = box.DISTRICT_NAMES.index(d_name)
        for lot_name, code in lots.object(*box.LOT_NAMES[: s.board]):
            _load_lot(s, box.SIDES * d + box.LOT_NAMES.index(lot_name), code)
    for name in given.get("closed", []).list(most=box.CLOSINGS):
        d = name.one_of(box.DISTRICT_NAMES)
        here = slice(box.SIDES * d, box.SIDES * (d + 1))
        if s.closed[d] or (s.lot_owner[here] != state.NOBODY).any() or s.shops[:, here].any():
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
        if s.phase in (state.PHASE_BID, state.PHASE_BUILD) and c == s.commission:
            if s.node[c] != box.START:
                given.get("commissions", {}).fault(f"{name} stands at START while its round is on (FA-26)")
        elif s.phase != state.PHASE_OVER and s.marker_n[c] > MARKERS_AT[s.node[c]]:
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
    s.chosen_kind = state.NO_KIND if shop.is_null else shop.one_of(box.KIND_NAMES)
    kinds = kinds_of(park, box.KIND_NAMES, box.PARK_MOST)
    if len(kinds) + len(blocks) > box.BLOCKS:
        park.fault(f"park tiles and blocks of the row are at most {box.BLOCKS} together (FA-31)")
    s.park[: len(kinds)] = kinds
    s.park_n = len(kinds)
    s.park_kinds[:] = counts_of(kinds, box.KINDS)
    _load_tiles_out(s, given.get("out", []))


def _load_tiles_out(s: Any, out: Value) -> None:
    """The tiles out of the game; those that are not named are of the kinds that are left over."""
    kinds = kinds_of(out, box.KIND_NAMES, box.TILES_OUT)
    found = s.shops.sum(axis=1) + s.row_kinds.reshape(box.BLOCKS, box.KINDS).sum(axis=0) + s.park_kinds
    if s.chosen_kind != state.NO_KIND:
        found[s.chosen_kind] += 1
    if found.sum() > box.SHOPS - box.TILES_OUT:
        out.fault(f"{box.TILES_OUT} of the {box.SHOPS} shops are out of the game, so at most 27 are elsewhere")
    found += counts_of(kinds, box.KINDS)
    check_counts("position", found, [box.SHOPS_A_KIND] * box.KINDS, SHOP_NAMES)
    left = [kind for kind in range(box.KINDS) for _ in range(box.SHOPS_A_KIND - found[kind])]
    s.tiles[FIRST_OUT:] = (kinds + left)[: box.TILES_OUT]


def _load_pieces(s: Any, given: Fields) -> None:
    """Scores; then the buildings that are not on lots: where no number is given, as many as are left.  [section 10]"""
    players = int(s.players)
    read_scores(s, given, box.MOST_SCORE)
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
    used = (s.buildings[: box.MAX_PLAYERS] > 0).reshape(-1, box.DISTRICTS, box.SIDES).sum(axis=2)
    if used.max() > 1:
        given["lots"].fault("a seat has buildings on one lot of a district at most (FA-68)")


# ---------------------------------------------------------------- cards


def _load_cards(s: Any, given: Fields) -> None:
    for p, hand in enumerate(by_seat(s, given, "hands", {})):
        for name, values in hand.object(*box.COLOUR_NAMES):
            colour = box.COLOUR_NAMES.index(name)
            s.hands[p, 3 * colour : 3 * colour + 3] = values_counted(
                values_of(values, int(box.CARDS_OF_COLOUR[colour]))
            )
        s.hand_size[p] = s.hands[p].sum()
    for name, values in given.get("stacks", {}).object(*box.COLOUR_NAMES[:5]):
        cards, colour = values_of(values, box.STACK), box.COLOUR_NAMES.index(name)
        s.stacks[colour, : len(cards)] = cards
        s.stack_end[colour] = len(cards)
    black = given.get("black", [])
    for i, code in enumerate(black.list(most=box.BLACK_STACK)):
        card = BLACK_CODES[code.one_of(BLACK_CODES)]
        s.black[i] = int(card[0]) + (state.FACE_UP if card[1] == "u" else 0)
        s.black_end = i + 1
    s.black_above = _find_face_up(s)
    if s.black_end and s.black_above == 0:
        black.fault("the top card is never face-up, the stack would be shuffled (FA-64)")


def _check_cards(s: Any) -> None:
    """All places together against the printed cards."""
    stacks = [values_counted(s.stacks[colour, : s.stack_end[colour]].tolist()) for colour in range(box.COLOURS)]
    black = values_counted((s.black[: s.black_end] & ~state.FACE_UP).tolist())
    black = [sum(pair) for pair in zip(black, values_counted(s.egon[: s.egon_n].tolist()), strict=True)]
    found = s.hands.sum(axis=0) + s.table.sum(axis=0) + np.array([*stacks, black]).reshape(-1)
    check_counts("position", found, box.CARD_COPIES, CARD_NAMES)
