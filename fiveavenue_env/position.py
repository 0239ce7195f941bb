"""A state as data: the positions of RULES.md section 10, as `position` writes and `from_position` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env.cards import find_face_up
from fiveavenue_env.city import survey
from fiveavenue_env.reading import (
    colour_of,
    counts_of,
    digits,
    district_of,
    index_of,
    kind_of,
    listed,
    seat_of,
    values_of,
    whole,
)
from fiveavenue_env.rules import clear
from fiveavenue_env.state import (
    FACE_UP,
    NO_COLOUR,
    NO_KIND,
    NO_PLACE,
    NO_TURN,
    NOBODY,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_MOVE,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_SHOP,
    PHASE_TAKE,
    PHASE_TURN,
    fields_of,
)
from skyline.game import NO_SEAT
from skyline.jit import FromPython

_clear, _survey, _find_face_up = FromPython(clear), FromPython(survey), FromPython(find_face_up)

PHASE_NAMES = ("PLACE", "TURN", "SHOP", "TAKE", "BID", "BUILD", "MOVE")  # by PHASE_...
TURN_NAMES = "ABCD"
PLACE_NAMES = (*box.DISTRICT_NAMES, "CP")
TURN_PHASE = {PHASE_PLACE: 0, PHASE_TURN: 0, PHASE_SHOP: 1, PHASE_TAKE: 2, PHASE_OVER: 0}
FIELDS = (
    "players", "lots", "closed", "commissions", "markers", "row", "shop", "placed", "park", "out", "scores", "reserve",
    "supply", "cp", "hands", "stacks", "black", "turn", "action", "phase", "auction", "over", "final", "decision",
)  # fmt: skip
AUCTION_FIELDS = (
    "commission", "initiator", "left", "where", "table", "standing", "leader", "passed", "in", "cpcolour", "asked",
    "egon", "last", "won",
)  # fmt: skip


# ---------------------------------------------------------------- writing


def position(s: Any) -> dict[str, Any]:
    """The whole state in the fields of section 10, with those that it leaves out."""
    s = fields_of(s)
    players, over = int(s.players), s.phase == PHASE_OVER
    return {
        "players": players,
        "lots": _lots(s),
        "closed": [name for d, name in enumerate(box.DISTRICT_NAMES) if s.closed[d]],
        "commissions": {name: box.NODE_NAMES[s.node[c]] for c, name in enumerate(box.COMMISSION_NAMES)},
        "markers": {name: marked(s, c) for c, name in enumerate(box.COMMISSION_NAMES)},
        "row": [_kinds(counts) for counts in s.row_kinds.reshape(box.BLOCKS, box.KINDS)[: s.blocks].tolist()],
        "shop": None if s.chosen_kind == NO_KIND else box.KIND_NAMES[s.chosen_kind],
        "placed": int(s.placed),
        "park": [box.KIND_NAMES[kind] for kind in s.park[: s.park_n]],
        "out": [box.KIND_NAMES[kind] for kind in s.tiles[box.SHOPS - box.TILES_OUT :]],
        "scores": _seats(s, s.scores),
        "reserve": _seats(s, s.reserve),
        "supply": _seats(s, s.supply),
        "cp": _seats(s, s.cp),
        "hands": [hand_of(counts) for counts in s.hands[:players].tolist()],
        "stacks": _stacks(s),
        "black": [f"{v & ~FACE_UP}{'u' if v & FACE_UP else 'd'}" for v in s.black[s.black_top : s.black_end].tolist()],
        "turn": int(s.turn),
        "action": None if s.turn_kind == NO_TURN else TURN_NAMES[s.turn_kind],
        "phase": int(s.turn_phase) if s.phase in (PHASE_MOVE, PHASE_BID, PHASE_BUILD) else None,
        "auction": _auction(s) if s.auction_place != NO_PLACE else None,
        "over": bool(over),
        "final": _final(s) if over else None,
        "decision": None if over else {"kind": PHASE_NAMES[s.phase], "player": int(s.seat)},
    }


def _seats(s: Any, values: Any) -> list[int]:
    return [int(value) for value in values[: s.players]]


def _kinds(counts: Any) -> list[str]:
    return [box.KIND_NAMES[kind] for kind in range(box.KINDS) for _ in range(counts[kind])]


def _lots(s: Any) -> dict[str, dict[str, str]]:
    """District -> lot -> code."""
    owners, shops, buildings = s.lot_owner.tolist(), s.shops.T.tolist(), s.buildings.tolist()
    lots = {}
    for d, name in enumerate(box.DISTRICT_NAMES):
        codes = {}
        for lot, lot_name in enumerate(box.LOT_NAMES[: int(s.board)], box.SIDES * d):
            owner = owners[lot]
            codes[lot_name] = "+".join(_kinds(shops[lot])) if owner == NOBODY else _code(owner, buildings[owner][lot])
        lots[name] = codes
    return lots


def _code(owner: int, buildings: int) -> str:
    return f"{'E' if owner == box.EGON else owner}:{buildings}"


def marked(s: Any, c: int) -> list[str]:
    """Districts with a marker of the commission, in the order marked."""
    return [box.DISTRICT_NAMES[d] for d in s.markers[c, : s.marker_n[c]]]


def hand_of(counts: Any) -> dict[str, list[int]]:
    """Cards by colour, falling values, colours without a card left out."""
    cards = {
        name: [value for value in (6, 5, 4) for _ in range(counts[3 * colour + value - 4])]
        for colour, name in enumerate(box.COLOUR_NAMES)
    }
    return {name: values for name, values in cards.items() if values}


def _stacks(s: Any) -> dict[str, list[int]]:
    stacks, tops, ends = s.stacks.tolist(), s.stack_top.tolist(), s.stack_end.tolist()
    return {name: stacks[c][tops[c] : ends[c]] for c, name in enumerate(box.COLOUR_NAMES[:5])}


def _auction(s: Any) -> dict[str, Any]:
    players, place, passed = range(s.players), PLACE_NAMES[s.auction_place], int(s.passed)
    building = s.phase == PHASE_BUILD
    tables = [hand_of(counts) for counts in s.table.tolist()]
    colour = None if s.bid_colour == NO_COLOUR else box.COLOUR_NAMES[s.bid_colour]
    return {
        "commission": box.COMMISSION_NAMES[s.commission],
        "initiator": int(s.active),
        "left": [*marked(s, int(s.commission)), "CP"],
        "where": place,
        "table": [[[name, v] for name, vs in tables[p].items() for v in vs] for p in players],
        "standing": int(s.standing),
        "leader": {NOBODY: None, box.EGON: "E"}.get(int(s.leader), int(s.leader)),
        "passed": [p for p in players if passed >> p & 1],
        "in": [p for p in players if not passed >> p & 1],
        "cpcolour": colour if s.auction_place == box.PARK else None,
        "asked": int(s.asked),
        "egon": [int(value) for value in s.egon[: s.egon_n]] if s.egon_drawn else None,
        "last": [int(s.last_colour), int(s.last_black)],
        "won": [colour, int(s.build_limit)] if building else None,
    }


def _final(s: Any) -> dict[str, list[int]]:
    districts, park = _seats(s, s.final_lots), _seats(s, s.final_park)
    before = [score - a - b for score, a, b in zip(_seats(s, s.scores), districts, park, strict=True)]
    return {"before": before, "districts": districts, "park": park}


# ---------------------------------------------------------------- reading


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank row; missing fields have the defaults of section 10. ValueError names what does not fit."""
    if unknown := set(data) - set(FIELDS):
        raise ValueError(f"a position has no field {', '.join(sorted(unknown))}; its fields are {', '.join(FIELDS)}")
    _clear(s)
    _load_board(s, data)
    _load_pieces(s, data)
    _load_cards(s, data)
    _survey(s)
    _load_clock(s, data)
    if data.get("auction") is not None:
        _load_auction(s, data["auction"], data.get("markers") or {})
    for c, name in enumerate(box.COMMISSION_NAMES):  # the next move lays another one
        if s.marker_n[c] == box.MARKERS and s.node[c] not in (box.START, box.CP) and not s.closed[s.node[c] - 1]:
            raise ValueError(f"markers: {name} stands in an open district, at most {box.MARKERS - 1} of them are laid")
    if (s.auction_place == NO_PLACE) == (s.phase in (PHASE_BID, PHASE_BUILD)):
        raise ValueError("a position has an auction exactly at the decisions BID and BUILD")


def _load_board(s: Any, data: Mapping[str, Any]) -> None:
    for name, lots in (data.get("lots") or {}).items():
        d = district_of(name, "lots")
        for lot_name, code in lots.items():
            lot = index_of(lot_name, box.LOT_NAMES[: s.board], f"lots of {name}")
            _load_lot(s, box.SIDES * d + lot, str(code))
    for name in data.get("closed") or []:
        s.closed[district_of(name, "closed")] = 1
    for name, node in (data.get("commissions") or {}).items():
        c = index_of(name, box.COMMISSION_NAMES, "commissions")
        s.node[c] = index_of(node, box.NODE_NAMES, f"commissions: {name}")
    for name, districts in (data.get("markers") or {}).items():
        _load_markers(s, index_of(name, box.COMMISSION_NAMES, "markers"), districts)


def _load_lot(s: Any, lot: int, code: str) -> None:
    if not code:
        return
    owner, colon, number = code.partition(":")
    if colon:
        p = box.EGON if owner == "E" else seat_of(s, digits(owner), f"lot {code!r}")
        if lot % box.SIDES == box.DASHED:
            raise ValueError(f"lot {code!r}: nobody builds on a dashed lot")
        s.lot_owner[lot] = p
        s.buildings[p, lot] = whole(digits(number), f"lot {code!r}", 1, box.BUILDINGS)
        return
    kinds = code.split("+")
    if len(kinds) > 2:
        raise ValueError(f"lot {code!r}: a lot holds at most two shops")
    for kind in kinds:
        s.shops[kind_of(kind, "lots"), lot] += 1


def _load_markers(s: Any, c: int, districts: Any) -> None:
    marks = [district_of(name, "markers") for name in listed(districts, "markers", box.MARKERS)]
    s.markers[c, : len(marks)] = marks
    s.marker_n[c] = len(marks)


def _load_pieces(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    blocks = listed(data.get("row") or [], "row", box.BLOCKS)
    s.blocks = len(blocks)
    for i, block in enumerate(blocks):
        for kind in listed(block, "row", box.BLOCK_SIZE[0]):
            s.row_kinds[box.KINDS * i + kind_of(kind, "row")] += 1
    s.chosen_kind = NO_KIND if data.get("shop") is None else kind_of(data["shop"], "shop")
    s.placed = whole(data.get("placed", 0), "placed", 0, box.PLACED_MOST)
    park = listed(data.get("park") or [], "park", box.PARK_MOST)
    s.park[: len(park)] = [kind_of(kind, "park") for kind in park]
    s.park_n = len(park)
    s.park_kinds[:] = [park.count(name) for name in box.KIND_NAMES]
    out = listed(data.get("out") or [], "out", box.TILES_OUT)
    s.tiles[box.SHOPS - box.TILES_OUT :][: len(out)] = [kind_of(kind, "out") for kind in out]
    for name, usual, most in (
        ("scores", 0, 2**31 - 1), ("reserve", box.RESERVE, box.BUILDINGS), ("supply", box.SUPPLY, box.SUPPLY),
        ("cp", 0, box.BUILDINGS),
    ):  # fmt: skip
        values = data.get(name) or [usual] * players
        if len(values) != players:
            raise ValueError(f"{name}: a list of {players}, not {values!r}")
        s[name][:players] = [whole(value, name, 0, most) for value in values]


def _load_cards(s: Any, data: Mapping[str, Any]) -> None:
    hands = data.get("hands") or [{}] * s.players
    if len(hands) != s.players:
        raise ValueError(f"hands: a list of {s.players}, not {hands!r}")
    for p, hand in enumerate(hands):
        s.hands[p] = counts_of([[name, v] for name, values in hand.items() for v in values], "hands")
        s.hand_size[p] = s.hands[p].sum()
    for name, values in (data.get("stacks") or {}).items():
        colour = colour_of(name, "stacks")
        cards = values_of(values, f"stacks: {name}", box.STACK)
        s.stacks[colour, : len(cards)] = cards
        s.stack_end[colour] = len(cards)
    black = listed(data.get("black") or [], "black", box.BLACK_STACK)
    for i, code in enumerate(black):
        if not isinstance(code, str) or len(code) != 2 or code[0] not in "456" or code[1] not in "du":
            raise ValueError(f"black: a card is 4d, 5d, 6d face-down or 4u, 5u, 6u face-up, not {code!r}")
        s.black[i] = int(code[0]) + (FACE_UP if code[1] == "u" else 0)
    s.black_end = len(black)
    s.black_above = _find_face_up(s)
    if black and s.black_above == 0:
        raise ValueError("black: the top card is never face-up, the stack would be shuffled (FA-64)")


def _load_clock(s: Any, data: Mapping[str, Any]) -> None:
    s.turn = whole(data.get("turn", 1), "turn", 1, int(s.max_turns))
    s.turn_kind = NO_TURN if data.get("action") is None else index_of(data["action"], tuple(TURN_NAMES), "action")
    s.placements = box.START_BUILDINGS * s.players
    decision = data.get("decision")
    if decision is None:
        if not data.get("over"):
            raise ValueError("a position has a decision, {kind, player}, or over: true")
        s.phase, s.seat, s.active = PHASE_OVER, NO_SEAT, 0
        _load_final(s, data.get("final") or {})
        return
    s.phase = index_of(decision.get("kind"), PHASE_NAMES, "decision: kind")
    s.seat = s.active = seat_of(s, decision.get("player"), "decision: player")
    if s.phase == PHASE_PLACE:
        s.placements, s.active = int(s.buildings[: box.MAX_PLAYERS].sum()), 0
        if s.placements >= 2 * s.players or s.seat != box.PLACEMENTS[s.players, s.placements]:
            raise ValueError(f"decision: after {s.placements} start buildings it is not seat {s.seat}'s PLACE")
    if s.phase in TURN_PHASE:
        s.turn_phase = TURN_PHASE[int(s.phase)]
    else:
        s.turn_phase = whole(data.get("phase"), "phase", 1, 3)
    if (s.phase == PHASE_SHOP) == (s.chosen_kind == NO_KIND):
        raise ValueError("a position has a shop exactly at the decision SHOP")


def _load_final(s: Any, final: Mapping[str, Any]) -> None:
    for field, name in ((s.final_lots, "districts"), (s.final_park, "park")):
        values = final.get(name) or [0] * s.players
        field[: len(values)] = [whole(value, f"final: {name}", 0, 2**15 - 1) for value in values]


def _load_auction(s: Any, auction: Mapping[str, Any], markers: Mapping[str, Any]) -> None:
    if unknown := set(auction) - set(AUCTION_FIELDS):
        raise ValueError(
            f"auction has no field {', '.join(sorted(unknown))}; its fields are {', '.join(AUCTION_FIELDS)}"
        )
    c = index_of(auction.get("commission"), box.COMMISSION_NAMES, "auction: commission")
    *left, last = listed(auction.get("left"), "auction: left", box.MARKERS + 1) or [None]
    if last != "CP":
        raise ValueError("auction: left is a list of districts and, last, CP")
    if markers.get(box.COMMISSION_NAMES[c]) not in (None, [], left):
        raise ValueError(f"auction: left is {left}, the markers of {box.COMMISSION_NAMES[c]} lie elsewhere")
    _load_markers(s, c, left)
    s.commission, s.auction_place = c, s.markers[c, 0] if left else box.PARK
    s.active = seat_of(s, auction.get("initiator"), "auction: initiator")
    for p, cards in enumerate(listed(auction.get("table") or [], "auction: table", int(s.players))):
        _load_table(s, p, cards)
    s.standing = whole(auction.get("standing", 0), "auction: standing", 0, 302)
    leader = auction.get("leader")
    s.leader = NOBODY if leader is None else box.EGON if leader == "E" else seat_of(s, leader, "auction: leader")
    for p in auction.get("passed") or []:
        s.passed |= 1 << seat_of(s, p, "auction: passed")
    if auction.get("cpcolour") is not None:
        s.bid_colour = colour_of(auction["cpcolour"], "auction: cpcolour")
    s.asked = whole(auction.get("asked", 0), "auction: asked", 0, 2)
    if auction.get("egon") is not None:
        cards = values_of(auction["egon"], "auction: egon", box.EGON_MOST)
        s.egon[: len(cards)], s.egon_n, s.egon_drawn = cards, len(cards), 1
    s.shown[:] = s.table.sum(axis=0)
    s.shown[box.FIRST_BLACK :] += np.bincount(s.egon[: s.egon_n], minlength=7)[4:].astype(np.int8)
    last_colour, last_black = auction.get("last") or (0, 0)
    s.last_colour = whole(last_colour, "auction: last", 0, 6)
    s.last_black = whole(last_black, "auction: last", 0, 6)
    if s.phase == PHASE_BUILD:
        name, limit = auction.get("won") or (None, None)
        s.bid_colour = colour_of(name, "auction: won")
        s.build_limit = whole(limit, "auction: won", 1, box.BUILD_MOST)


def _load_table(s: Any, p: int, cards: Any) -> None:
    s.table[p] = counts_of(cards, "auction: table")
    s.table_total[p] = (s.table[p] * box.CARD_VALUE).sum()
    colours = [colour for colour in range(box.COLOURS) if s.table[p, 3 * colour : 3 * colour + 3].any()]
    if len(colours) > 1 or (not colours and s.table[p].any()):
        raise ValueError(f"auction: the cards of seat {p} have one colour and black, not {cards!r}")
    s.table_colour[p] = colours[0] if colours else NO_COLOUR
