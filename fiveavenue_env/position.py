"""A state as data: the positions of RULES.md section 10, as `position` writes them; loading.py reads them."""

from __future__ import annotations

from typing import Any

from fiveavenue_env import components as box
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
    fields_of,
)

PHASE_NAMES = ("PLACE", "TURN", "SHOP", "TAKE", "BID", "BUILD", "MOVE")  # by PHASE_...
TURN_NAMES = "ABCD"
PLACE_NAMES = (*box.DISTRICT_NAMES, "CP")
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
