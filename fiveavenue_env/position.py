"""A state as data: the setup and shuffles of records, the positions, and what holds in every state. [RULES.md 9, 10]

loading.py reads what is written here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env import state
from fiveavenue_env.cards import find_face_up
from fiveavenue_env.memory import survey_memory
from fiveavenue_env.options import read_rings
from fiveavenue_env.remembered import contradiction, memory_of
from fiveavenue_env.rules import survey_all
from fiveavenue_env.state import fields_of
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT, RECALL, ensure, ensure_same
from skyline.positions import check_caches, check_seats, counts_of

_survey, _survey_memory, _find_face_up = FromPython(survey_all), FromPython(survey_memory), FromPython(find_face_up)

TURN_NAMES = "ABCD"
PLACE_NAMES = (*box.DISTRICT_NAMES, "CP")
FIRST_OUT = box.SHOPS - box.TILES_OUT
CACHES = (
    "lot_points", "kinds_beside", "empty_lots", "room_lots", "full_bits", "empty_bits", "shop_bits", "room_bits",
    "home", "district_points", "points_now", "districts", "closed_bits", "marks", "auctions", "allowed", "hand_colours",
    "hand_sums", "piles", "egon_kinds",
)  # fmt: skip
MEMORY_CACHES = (
    "memory_hidden", "memory_under", "memory_unseen", "memory_next", "memory_old", "memory_old_all", "memory_old_n",
    "memory_shown", "memory_out",
)  # fmt: skip


# ---------------------------------------------------------------- records


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


def events(before: Any, after: Any) -> list[dict[str, Any]]:
    """The shuffles of the move between two states, in order: of the black stack, at the end of the park tiles."""
    found: list[dict[str, Any]] = [
        {"deck": "black", "order": after.orders[i, : after.order_n[i]].tolist()} for i in range(after.shuffles)
    ]
    if after.seat == NO_SEAT and before.seat != NO_SEAT:
        found.append({"deck": "park", "order": [box.KIND_NAMES[kind] for kind in after.park[: after.park_n]]})
    return found


# ---------------------------------------------------------------- positions


def position(s: Any) -> dict[str, Any]:
    """The whole state in the fields of section 10; left out are the memory with the setting TABLE, and the rings where
    they are not drawn for each game."""
    s = fields_of(s)
    players, over = int(s.players), s.phase == state.PHASE_OVER
    return {
        "players": players,
        "lots": _lots(s),
        "closed": [name for d, name in enumerate(box.DISTRICT_NAMES) if s.closed[d]],
        "commissions": {name: box.NODE_NAMES[s.node[c]] for c, name in enumerate(box.COMMISSION_NAMES)},
        "markers": {name: marked(s, c) for c, name in enumerate(box.COMMISSION_NAMES)},
        "row": [_kinds(counts) for counts in s.row_kinds.reshape(box.BLOCKS, box.KINDS)[: s.blocks].tolist()],
        "shop": None if s.chosen_kind == state.NO_KIND else box.KIND_NAMES[s.chosen_kind],
        "placed": int(s.placed),
        "park": [box.KIND_NAMES[kind] for kind in s.park[: s.park_n]],
        "out": [box.KIND_NAMES[kind] for kind in s.tiles[FIRST_OUT:]],
        "scores": _seats(s, s.scores),
        "reserve": _seats(s, s.reserve),
        "supply": _seats(s, s.supply),
        "cp": _seats(s, s.cp),
        "hands": [hand_of(counts) for counts in s.hands[:players].tolist()],
        "stacks": _stacks(s),
        "black": [black_code(card) for card in s.black[s.black_top : s.black_end].tolist()],
        "turn": int(s.turn),
        "action": None if s.turn_kind == state.NO_TURN else TURN_NAMES[s.turn_kind],
        "phase": int(s.turn_phase) if s.phase in (state.PHASE_MOVE, state.PHASE_BID, state.PHASE_BUILD) else None,
        "auction": _auction(s) if s.auction_place != state.NO_PLACE else None,
        "over": bool(over),
        "final": _final(s) if over else None,
        "decision": None if over else {"kind": state.PHASE_NAMES[s.phase], "player": int(s.seat)},
        **({"rings": read_rings(s)} if s.rings_drawn else {}),
        **({"memory": memory_of(s)} if s.memory == RECALL else {}),
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
            free = owner == state.NOBODY
            codes[lot_name] = "+".join(_kinds(shops[lot])) if free else _code(owner, buildings[owner][lot])
        lots[name] = codes
    return lots


def _code(owner: int, buildings: int) -> str:
    return f"{'E' if owner == box.EGON else owner}:{buildings}"


def black_code(card: int) -> str:
    """A card of the black stack: its value, u for face-up, d for face-down."""
    return f"{card & ~state.FACE_UP}{'u' if card & state.FACE_UP else 'd'}"


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


def values_counted(values: list[int]) -> list[int]:
    """How many of the values of cards are 4, 5, 6."""
    return [values.count(value) for value in box.VALUES]


def _stacks(s: Any) -> dict[str, list[int]]:
    stacks, tops, ends = s.stacks.tolist(), s.stack_top.tolist(), s.stack_end.tolist()
    return {name: stacks[c][tops[c] : ends[c]] for c, name in enumerate(box.COLOUR_NAMES[:5])}


def _auction(s: Any) -> dict[str, Any]:
    players, place, passed = range(s.players), PLACE_NAMES[s.auction_place], int(s.passed)
    building = s.phase == state.PHASE_BUILD
    tables = [hand_of(counts) for counts in s.table.tolist()]
    colour = None if s.bid_colour == state.NO_COLOUR else box.COLOUR_NAMES[s.bid_colour]
    return {
        "commission": box.COMMISSION_NAMES[s.commission],
        "initiator": int(s.active),
        "left": [*marked(s, int(s.commission)), "CP"],
        "where": place,
        "table": [[[name, v] for name, vs in tables[p].items() for v in vs] for p in players],
        "standing": int(s.standing),
        "leader": {state.NOBODY: None, box.EGON: "E"}.get(int(s.leader), int(s.leader)),
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


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """Every piece and card is somewhere exactly once, ranges hold, every cache equals its recomputation."""
    seats = ("scores", "reserve", "supply", "cp", "hands", "hand_size", "table")
    check_seats(s, box.PLAYER_COUNTS, seats)
    ensure_same("the cache black_above", int(s.black_above), int(_find_face_up(s)))
    row, s = s, fields_of(s)
    over = s.phase == state.PHASE_OVER
    ensure(s.seat == NO_SEAT if over else 0 <= s.seat < s.players, f"seat {s.seat} decides in the phase {s.phase}")
    ensure(not s.given and not s.park_given, "a given order of a shuffle was not used")
    for name in seats:
        ensure(vars(s)[name].min() >= 0, f"{name} below zero")
    _check_cards(s)
    _check_pieces(s)
    _check_shops(s)
    _check_auction(s)
    _check_memory(s)
    check_caches(row, _survey, CACHES)
    check_caches(row, _survey_memory, MEMORY_CACHES)


def _check_memory(s: Any) -> None:
    """FA-M21"""
    known, sizes = s.memory_known, s.stack_end - s.stack_top
    ensure(known.min() >= 0 and (known <= s.hands).all(), "sure cards that are not in the hand", known)
    ensure((s.memory_first >= 0).all() and (s.memory_first <= sizes).all(), "first parts", s.memory_first)
    ensure(0 <= s.memory_unknown <= s.black_above, f"{s.memory_unknown} cards in the unknown part")
    log = s.memory_log[: int(s.memory_log_n)]
    ensure_same("black shuffles kept", int((log == state.SHUFFLED).sum()), int(s.memory_shuffles))
    ensure(((log == state.SHUFFLED) | (log < 4 * s.players)).all(), "black events of no seat", log)
    fault = contradiction(s)
    ensure(fault is None, f"black events contradict the hands: {fault}")


def _check_cards(s: Any) -> None:
    stacks = zip(s.stacks, s.stack_top, s.stack_end, strict=True)
    values = [stack[top:end] for stack, top, end in stacks]
    black, turned_up = s.black[s.black_top : s.black_end], s.egon[: s.egon_n]
    values.append(np.concatenate([black & ~state.FACE_UP, turned_up]))
    laid = s.table.sum(axis=0)
    copies = s.hands.sum(axis=0) + laid
    for colour, cards in enumerate(values):
        ensure(not len(cards) or (cards.min() >= 4 and cards.max() <= 6), "a card of another value than 4, 5, 6", cards)
        copies[3 * colour : 3 * colour + 3] += values_counted(cards.tolist())
    ensure_same("copies of the cards", copies.tolist(), box.CARD_COPIES.tolist())
    ensure_same("the cache hand_size", s.hand_size.tolist(), s.hands.sum(axis=1).tolist())
    ensure(not len(black) or s.black_above > 0, "the top card of the black stack is face-up")  # FA-64


def _check_pieces(s: Any) -> None:
    on_lots = s.buildings.sum(axis=1)
    everywhere = on_lots[: box.MAX_PLAYERS] + s.reserve + s.supply + s.cp
    ensure((everywhere <= box.BUILDINGS).all(), "buildings of the seats", everywhere)
    if not s.closed.any():
        placed = on_lots[: box.MAX_PLAYERS] if s.phase == state.PHASE_PLACE else box.START_BUILDINGS
        wanted = box.BUILDINGS - box.START_BUILDINGS + placed
        ensure((everywhere == wanted)[: s.players].all(), "buildings of the seats", everywhere)
    ensure(not (s.supply % box.SUPPLY_STEP).any(), "supplies", s.supply)
    ensure(s.players == 2 or on_lots[box.EGON] == 0, "Egon has buildings, but plays with two players only")
    built, shops = s.buildings > 0, s.shops.any(axis=0)
    ensure(built.sum(axis=0).max() <= 1, "two owners on one lot")
    used = built.any(axis=0)
    ensure_same("lot_owner", s.lot_owner.tolist(), np.where(used, built.argmax(axis=0), state.NOBODY).tolist())
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
    kinds = s.shops.sum(axis=1) + row.sum(axis=0) + s.park_kinds + counts_of(out, box.KINDS)
    if s.chosen_kind != state.NO_KIND:
        kinds[s.chosen_kind] += 1
    ensure(kinds.max() <= box.SHOPS_A_KIND, "shops of the kinds", kinds)
    ensure(s.closed.any() or kinds.min() == box.SHOPS_A_KIND, "shops of the kinds", kinds)
    ensure_same("the cache park_kinds", s.park_kinds.tolist(), counts_of(park, box.KINDS).tolist())
    ensure(not row[s.blocks :].any() and row[: s.blocks].sum(axis=1).all(), "blocks of the row", row)
    ensure(s.shops.sum(axis=0).max() <= 2, "more than two shops on a lot")
    ensure(s.closed.any() or s.shops.sum() == box.DISTRICTS + s.placed, f"shops on lots after {s.placed} placed ones")
    ensure(s.closed.sum() <= box.CLOSINGS - (s.phase != state.PHASE_OVER), "closed districts", s.closed)


def _check_auction(s: Any) -> None:
    ensure_same("the cache table_total", s.table_total.tolist(), (s.table @ box.CARD_VALUE).tolist())
    laid = s.table[:, : box.FIRST_BLACK].reshape(-1, box.COLOURS, 3).any(axis=2)
    ensure(laid.sum(axis=1).max() <= 1, "cards of two colours in a bid")
    colours = np.where(laid.any(axis=1), laid.argmax(axis=1), state.NO_COLOUR)
    ensure_same("the cache table_colour", s.table_colour.tolist(), colours.tolist())
    if s.phase == state.PHASE_BID:
        ensure(not s.passed >> s.seat & 1 and s.leader != s.seat, f"seat {s.seat} has passed or leads, and is asked")
    else:
        ensure(not s.table.any() and not s.egon_n, "cards are laid outside an auction")
