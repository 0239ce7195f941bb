"""The setup and the shuffles of game records (RULES.md section 9), and the invariants of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fiveavenue_env import components as box
from fiveavenue_env.cards import find_face_up
from fiveavenue_env.city import clear_lots, survey
from fiveavenue_env.options import read_rings, write_rings
from fiveavenue_env.reading import index_of, kind_of, listed, values_of
from fiveavenue_env.rules import deal
from fiveavenue_env.state import (
    FACE_UP,
    NO_COLOUR,
    NO_KIND,
    NOBODY,
    PHASE_BID,
    PHASE_OVER,
    PHASE_PLACE,
    fields_of,
)
from skyline.game import NO_SEAT
from skyline.jit import FromPython

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
    if set(data) != set(SETUP_FIELDS):
        raise ValueError(f"setup needs exactly {', '.join(SETUP_FIELDS)}, not {', '.join(sorted(data)) or 'nothing'}")
    write_rings(s, _rings(s, data["rings"]))
    _clear_lots(s)
    _initial_shops(s, data["shops"])
    row, out = listed(data["row"], "row", box.ROW_TILES), listed(data["out"], "out", box.TILES_OUT)
    if (len(row), len(out)) != (box.ROW_TILES, box.TILES_OUT):
        raise ValueError(f"row has {box.ROW_TILES} tiles and out {box.TILES_OUT}, not {len(row)} and {len(out)}")
    s.tiles[box.DISTRICTS :] = [kind_of(kind, "row and out") for kind in row + out]
    if np.bincount(s.tiles, minlength=box.KINDS).tolist() != [box.SHOPS_A_KIND] * box.KINDS:
        raise ValueError(f"shops, row and out must hold each kind {box.SHOPS_A_KIND} times")
    for colour in range(box.COLOURS):
        s.stacks[colour] = _deck(data["cards"], box.COLOUR_NAMES[colour], box.COLOURED_CARDS)
    s.black[:] = _deck(data["cards"], "black", box.BLACK_CARDS)
    _deal(s)


def _rings(s: Any, rings: Any) -> list[list[str]]:
    if not isinstance(rings, Mapping) or set(rings) != set(box.DISTRICT_NAMES):
        raise ValueError(f"rings: an object with {', '.join(box.DISTRICT_NAMES)}, not {rings!r}")
    lots = sorted(box.LOT_NAMES[: s.board])
    for name, ring in rings.items():
        if sorted(map(str, listed(ring, f"rings: {name}", int(s.board)))) != lots:
            raise ValueError(f"rings: {name} is the order of {', '.join(lots)}, not {ring!r}")
    return [list(rings[name]) for name in box.DISTRICT_NAMES]


def _initial_shops(s: Any, shops: Any) -> None:
    """FA-S2, FA-S3"""
    if not isinstance(shops, Mapping) or set(shops) != set(box.DISTRICT_NAMES):
        raise ValueError(f"shops: an object with {', '.join(box.DISTRICT_NAMES)}, not {shops!r}")
    allowed = box.LOT_NAMES[:5] if s.board == 5 else box.LOT_NAMES[5:]
    lots = []
    for d, name in enumerate(box.DISTRICT_NAMES):
        kind, lot = shops[name]
        index_of(lot, allowed, f"shops: {name}")
        lots.append(lot)
        s.tiles[d] = kind_of(kind, f"shops: {name}")
        s.shops[s.tiles[d], box.SIDES * d + box.LOT_NAMES.index(lot)] = 1
    if s.board == 5 and max(map(lots.count, lots)) > 2:
        raise ValueError(f"shops: no colour is drawn more than twice, not {lots}")


def _deck(cards: Any, name: str, copies: np.ndarray[Any, Any]) -> list[int]:
    if not isinstance(cards, Mapping) or set(cards) != set(box.COLOUR_NAMES):
        raise ValueError(f"cards: an object with {', '.join(box.COLOUR_NAMES)}")
    deck = values_of(cards[name], f"cards: {name}", int(copies.sum()))
    if [deck.count(value) for value in box.VALUES] != copies.tolist():
        raise ValueError(f"cards: {name} has {', '.join(map(str, copies))} cards of values 4, 5, 6")
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
    """Make the shuffles of the next move of `s` give these orders."""
    for event in given:
        if set(event) != {"deck", "order"} or event["deck"] not in ("black", "park") or s.park_given:
            raise ValueError('a shuffle is {"deck": "black" or, last, "park", "order": [...]}')
        if event["deck"] == "park":
            order = [kind_of(kind, "park order") for kind in listed(event["order"], "park order", box.PARK_MOST)]
            s.park_order[: len(order)], s.park_given = order, 1
        elif s.given == len(s.orders):
            raise ValueError(f"a move shuffles the black stack at most {len(s.orders)} times")
        else:
            order = values_of(event["order"], "black order", box.BLACK_STACK)
            s.orders[s.given, : len(order)] = order
            s.given += 1


# ---------------------------------------------------------------- invariants

CACHES = (
    "lot_points", "kinds_beside", "empty_bits", "shop_bits", "room_bits", "home", "district_points", "points_now",
    "districts", "closed_bits",
)  # fmt: skip


def check(s: Any) -> None:
    """Every piece and card is somewhere exactly once, ranges hold, every cache equals its recomputation."""
    fresh = np.array([s])[0]
    _survey(fresh)
    for name in CACHES:
        assert np.array_equal(s[name], fresh[name]), f"cache {name}: {s[name]} instead of {fresh[name]}"
    assert s.black_above == _find_face_up(s)
    s = fields_of(s)
    assert s.players in box.PLAYER_COUNTS
    assert s.seat == NO_SEAT if s.phase == PHASE_OVER else 0 <= s.seat < s.players
    assert not s.given and not s.park_given
    for values in (s.scores, s.reserve, s.supply, s.cp, s.hands, s.hand_size, s.table):
        assert values.min() >= 0 and not values[s.players :].any()
    _check_cards(s)
    _check_pieces(s)
    _check_shops(s)
    _check_auction(s)


def _check_cards(s: Any) -> None:
    stacks = zip(s.stacks, s.stack_top, s.stack_end, strict=True)
    loose = [3 * c + stack[top:end] - 4 for c, (stack, top, end) in enumerate(stacks)]
    black = s.black[s.black_top : s.black_end]
    turned_up = box.FIRST_BLACK + s.egon[: s.egon_n] - 4
    loose += [box.FIRST_BLACK + (black & ~FACE_UP) - 4, turned_up]
    copies = s.hands.sum(axis=0) + s.table.sum(axis=0) + _counted(np.concatenate(loose), box.CARD_KINDS)
    assert copies.tolist() == box.COPIES.tolist(), f"copies of the cards: {copies.tolist()}"
    assert s.shown.tolist() == (s.table.sum(axis=0) + _counted(turned_up, box.CARD_KINDS)).tolist()
    assert s.hand_size.tolist() == s.hands.sum(axis=1).tolist()
    assert not len(black) or s.black_above > 0  # FA-64


def _counted(numbers: Any, kinds: int) -> np.ndarray[Any, Any]:
    """How often each of 0 .. kinds - 1 occurs."""
    return np.bincount(numbers, minlength=kinds)


def _check_pieces(s: Any) -> None:
    on_lots = s.buildings.sum(axis=1)
    everywhere = on_lots[: box.MAX_PLAYERS] + s.reserve + s.supply + s.cp
    assert (everywhere <= box.BUILDINGS).all()
    if s.phase != PHASE_PLACE and not s.closed.any():
        assert (everywhere[: s.players] == box.BUILDINGS).all()
    assert not (s.supply % box.SUPPLY_STEP).any()
    assert s.players == 2 or on_lots[box.EGON] == 0
    built, shops = s.buildings[:, : box.LOTS] > 0, s.shops[:, : box.LOTS].any(axis=0)
    assert built.sum(axis=0).max() <= 1 and not s.buildings[:, box.LOTS :].any()
    assert not s.shops[:, box.LOTS :].any()
    owner = np.where(built.any(axis=0), built.argmax(axis=0), NOBODY)
    assert owner.tolist() == s.lot_owner.tolist()
    used = built.any(axis=0)
    assert not (used & shops).any()
    used, by_owner = (used | shops).reshape(box.DISTRICTS, box.SIDES), built.reshape(-1, box.DISTRICTS, box.SIDES)
    assert not by_owner[:, :, box.DASHED].any()  # FA-121
    assert not used[s.closed > 0].any()  # FA-73
    assert by_owner[: box.MAX_PLAYERS].sum(axis=2).max() <= 1  # FA-68


def _check_shops(s: Any) -> None:
    row = s.row_kinds.reshape(box.BLOCKS, box.KINDS)
    kinds = s.shops.sum(axis=1) + row.sum(axis=0) + s.park_kinds + _counted(s.tiles[FIRST_OUT:], box.KINDS)
    if s.chosen_kind != NO_KIND:
        kinds[s.chosen_kind] += 1
    assert kinds.max() <= box.SHOPS_A_KIND and (s.closed.any() or kinds.min() == box.SHOPS_A_KIND), kinds
    assert s.park_kinds.tolist() == _counted(s.park[: s.park_n], box.KINDS).tolist()
    assert not row[s.blocks :].any() and row[: s.blocks].sum(axis=1).all()
    assert s.shops.sum(axis=0).max() <= 2
    assert s.closed.any() or s.shops.sum() == box.DISTRICTS + s.placed
    assert s.closed.sum() <= box.CLOSINGS - (s.phase != PHASE_OVER)


def _check_auction(s: Any) -> None:
    assert s.table_total.tolist() == (s.table @ box.CARD_VALUE).tolist()
    laid = s.table[:, : box.FIRST_BLACK].reshape(-1, box.COLOURS, 3).any(axis=2)
    assert laid.sum(axis=1).max() <= 1
    assert s.table_colour.tolist() == np.where(laid.any(axis=1), laid.argmax(axis=1), NO_COLOUR).tolist()
    if s.phase == PHASE_BID:
        assert not s.passed >> s.seat & 1 and s.leader != s.seat
    else:
        assert not s.table.any() and not s.egon_n
