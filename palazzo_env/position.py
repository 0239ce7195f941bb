"""A state as data: positions (RULES.md section 10), setup and chance events of records (section 9), invariants.

loading.py is the way back. Beside the fields of section 10 a position has those of a decision that has begun:

    decision                 its name in section 6; `player` is who decides, `active` whose turn it is
    face_up, first_take      MONEY: cards still to be taken, card taken first
    chosen                   BUY, PAY: tiles chosen, still in the depot
    to_build, twin_move      BUILD: tiles to build; the move made for the twin of the first (PZ-D8)
    sharing                  a distribution is going on
    standing, totals, locks, table, out    auction or payment: [holder, standing bid], totals, currencies of the single
                             cards, cards on the table, who passed
    last, singles            component laid last, single certificates in this payment or raise
    change, target           INTO, FEE: what is rebuilt ("split P t", "insert t", "remove t"), the palace of INTO
    memory                   with RECALL: sure cards, starting cards shown, whether the discards were shuffled
"""

from __future__ import annotations

from typing import Any

import numpy as np

from palazzo_env import components as box
from palazzo_env import state
from palazzo_env.caches import CACHES, recount
from palazzo_env.keys import palace_text, parse_palace, tile_texts, tiles_of
from skyline.core.jit import FromPython
from skyline.game import NO_SEAT, RECALL, TABLE, ensure, ensure_same
from skyline.positions import check_caches, check_seats, counts_of

_recount = FromPython(recount)


DECK_NAME = "money"  # of the deck in the chance events of records

Json = dict[str, Any]

# ---------------------------------------------------------------- records


def setup(s: Any) -> Json:
    """The orders of stack and deck of a fresh game. [section 9]"""
    return {"stack": [box.STACK_TEXTS[entry] for entry in s.stack], "money": [box.CARD_TEXTS[card] for card in s.deck]}


def events(before: Any, after: Any) -> list[Json]:
    """The reshuffle of the move between two states, if there was one: the deck was too short for `money`."""
    if before.phase != state.PHASE_MAIN or after.phase != state.PHASE_MONEY or cards_left(before) > before.players:
        return []
    return [{"deck": DECK_NAME, "order": [box.CARD_TEXTS[card] for card in after.deck[: after.deck_size]]}]


def cards_left(s: Any) -> int:
    """The number of cards left in the deck."""
    return int(s.deck_size) - int(s.deck_top)


# ---------------------------------------------------------------- positions


def position(s: Any) -> Json:
    """The whole state but for the options and the random word; the memory with RECALL alone."""
    seats, auction = range(s.players), s.phase == state.PHASE_BID
    found = {
        "players": int(s.players),
        "player": None if s.seat == NO_SEAT else int(s.seat),
        "decision": state.PHASE_NAMES[s.phase],
        "active": int(s.active),
        "builder": int(s.builder),
        "knights": int(s.knights),
        "quiet": int(s.quiet),
        "depot": tile_texts(s.depot[: s.depot_size]),
        "quarries": [tile_texts(s.quarries[q, : s.quarry_size[q]]) for q in range(box.QUARRIES)],
        "stack": [box.STACK_TEXTS[entry] for entry in s.stack[s.stack_top :]],
        "deck": [box.CARD_TEXTS[card] for card in s.deck[s.deck_top : s.deck_size]],
        "discard": counted(s.discards),
        "hands": [counted(s.hands[seat]) for seat in seats],
        "palaces": [_palaces(s, seat) for seat in seats],
        "face_up": [box.CARD_TEXTS[card] for card in np.repeat(range(box.CARD_KINDS), s.face_up)],
        "first_take": None if s.first_take == state.NO_CARD else box.CARD_TEXTS[s.first_take],
        "chosen": tile_texts(s.lot[: s.lot_size]) if s.phase != state.PHASE_BUILD else [],
        "standing": [int(s.holder), int(s.standing)] if auction else None,
        "totals": [int(total) for total in s.totals[: s.players]],
        "locks": [None if lock == state.NO_LOCK else box.CURRENCY_LETTERS[lock] for lock in s.locks[: s.players]],
        "table": [counted(s.table[seat]) for seat in seats],
        "out": [seat for seat in seats if s.passed[seat]],
        "last": None if s.last == state.NO_COMPONENT else box.COMPONENT_TEXTS[s.last],
        "singles": int(s.singles),
        "to_build": tile_texts(s.lot[: s.lot_size]) if s.phase == state.PHASE_BUILD else [],
        "twin_move": _twin_move(s),
        "sharing": bool(s.sharing),
        "change": _change(s),
        "target": None if s.target_slot == state.NO_SLOT else palace_text(s.palaces[s.seat, s.target_slot]),
    }
    return found | {"memory": remembered(s)} if s.memory == RECALL else found


def remembered(s: Any) -> Json:
    """What everybody remembers. [7.2, section 10]"""
    return {
        "known": [counted(row) for row in s.memory_sure[: s.players]],
        "shown": [counted(row) for row in s.memory_shown[: s.players]],
        "shuffled": bool(s.memory_shuffled),
    }


def counted(counts: Any) -> dict[str, int]:
    """Counts by card as an object from card texts to numbers, without the cards that are not there."""
    return {box.CARD_TEXTS[card]: int(n) for card, n in enumerate(counts) if n}


def _palaces(s: Any, seat: int) -> list[str]:
    """The texts of a seat's palaces in their order, each as often as it is there."""
    slots = range(s.palace_count[seat])
    return [palace_text(s.palaces[seat, slot]) for slot in slots for _ in range(s.copies[seat, slot])]


def _twin_move(s: Any) -> str | None:
    """The text of the move made for the twin of the tile to build."""
    if s.twin == state.NO_TWIN:
        return None
    how = {state.TWIN_NEW: "new", state.TWIN_SCRAP: "scrap"}.get(int(s.twin)) or f"on {palace_text(s.twin)}"
    return f"build {box.TILE_TEXTS[s.lot[0]]} {how}"


def _change(s: Any) -> str | None:
    """The rebuilding that is planned, in words near the move texts."""
    tile = box.TILE_TEXTS[s.change_tile]
    if s.change == state.CHANGE_SPLIT:
        return f"split {palace_text(s.palaces[s.seat, s.change_slot])} {tile}"
    others = {state.NO_CHANGE: None, state.CHANGE_INSERT: f"insert {tile}", state.CHANGE_REMOVE: f"remove {tile}"}
    return others[int(s.change)]


# ---------------------------------------------------------------- invariants


def check(s: Any) -> None:
    """Every card is somewhere exactly once, no tile too often, ranges hold, every cache equals its recomputation."""
    for name in ("hands", "table", "discards", "face_up", "copies", "quarry_size", "depot_size", "lot_size"):
        ensure((s[name] >= 0).all(), f"{name} below zero: {s[name].tolist()}")
    ensure(0 <= s.deck_top <= s.deck_size <= box.CARDS, f"cards {s.deck_top} .. {s.deck_size} of the deck are left")
    ensure((s.deck < box.CARD_KINDS).all() and (s.stack < len(box.STACK_TEXTS)).all(), "an unknown card or tile")
    ensure(0 <= s.stack_top <= box.STACK, f"{s.stack_top} entries of the stack are drawn")
    cards = s.hands.sum(axis=0) + s.table.sum(axis=0) + s.discards + s.face_up
    cards = cards + counts_of(s.deck[s.deck_top : s.deck_size], box.CARD_KINDS)
    ensure_same("copies of the cards", counted(cards), counted(box.CARD_COPIES))
    check_seats(s, box.PLAYER_COUNTS, ("scores", "hands", "palace_count"))
    laying = s.phase in (state.PHASE_BID, state.PHASE_PAY)
    ensure(laying or not s.table.any(), "cards on the table without auction or payment")
    ensure(not s.order_given, "the order given for a shuffle was not used")
    ensure_same("knights in the stack", int((s.stack[s.stack_top :] == box.KNIGHT).sum()), box.KNIGHTS - int(s.knights))
    _check_lists(s)
    check_caches(s, _recount, CACHES)
    stack = [int(entry) for entry in s.stack[s.stack_top :] if entry != box.KNIGHT]
    copies = s.visible + counts_of(stack, box.TILE_KINDS)
    over = ", ".join(tile_texts(np.flatnonzero(copies > box.TILE_COPIES)))
    ensure(not over, f"too many tiles of the kinds {over}")
    _check_memory(s, counts_of(stack, box.TILE_KINDS))


def _check_memory(s: Any, stack: Any) -> None:
    """The memory agrees with the position, and what follows from the position does so. [7.2]"""
    ensure(s.memory in (TABLE, RECALL) and s.memory_shuffled in (0, 1), f"memory {s.memory}, {s.memory_shuffled}")
    check_seats(s, box.PLAYER_COUNTS, ("memory_sure", "memory_shown", "memory_starting"))
    for name in ("memory_sure", "memory_shown"):
        ensure((s[name] >= 0).all(), f"{name} below zero: {s[name].tolist()}")
    fault = memory_fault(s)
    ensure(fault is None, f"what is remembered: {fault}")
    ensure_same("starting cards", s.memory_starting, s.hands.sum(axis=1) - s.memory_sure.sum(axis=1))
    ensure_same("the deck that is known", s.memory_deck, known_deck(s))
    ensure_same("the tiles left that are known", s.memory_stack, stack)
    ensure_same("the box", s.memory_box, box.TILE_COPIES - s.visible - stack)


def known_deck(s: Any) -> Any:
    """Cards of the deck by kind if it was shuffled, else 0.  # PZ-M10"""
    return counts_of(s.deck[s.deck_top : s.deck_size], box.CARD_KINDS) * int(s.memory_shuffled)


def memory_fault(s: Any) -> tuple[str, str] | None:
    """The field of the memory that the position contradicts, and why; None if it may be so.  # PZ-M05 .. PZ-M10"""
    hands, sure, shown = (rows.astype(int) for rows in (s.hands, s.memory_sure, s.memory_shown))
    for seat, card in np.argwhere(sure > hands):
        return "known", f"seat {seat} holds {hands[seat, card]} of {box.CARD_TEXTS[card]}, not {sure[seat, card]}"
    if s.first_take != state.NO_CARD and not sure[s.active, s.first_take]:
        return "known", f"seat {s.active} has just taken {box.CARD_TEXTS[s.first_take]}: a sure card"
    others, shown = box.CARD_COPIES - (hands - sure).sum(axis=0), shown.sum(axis=0)
    for card in np.flatnonzero(shown > others):
        text = box.CARD_TEXTS[card]
        return "shown", f"{shown[card]} of {text}, but {others[card]} are no unseen starting cards in a hand"
    return None


def _check_lists(s: Any) -> None:
    """Lists of tiles and palaces are sorted and empty beyond their size."""
    lists = [
        ("depot", s.depot, s.depot_size),
        *((f"quarry {i}", s.quarries[i], s.quarry_size[i]) for i in range(box.QUARRIES)),
        ("lot", s.lot, s.lot_size),
    ]
    for name, tiles, size in lists:
        ensure(size <= len(tiles) and (tiles < box.TILE_KINDS).all(), f"{name}: {size} tiles, {tiles.tolist()}")
        ensure((np.diff(tiles[:size].astype(int)) >= 0).all() and not tiles[size:].any(), f"{name}: {tiles.tolist()}")
    for seat in range(s.players):
        count, keys, copies = int(s.palace_count[seat]), s.palaces[seat], s.copies[seat]
        where = f"palaces of seat {seat}: {keys[:count].tolist()}"
        ensure((np.diff(keys[:count]) > 0).all() and not keys[count:].any(), where)
        ensure((copies[:count] > 0).all() and not copies[count:].any(), f"{where}, copies {copies.tolist()}")
        for key in keys[:count]:
            tiles = tiles_of(key)
            known = len(tiles) >= 1 and max(tiles) < box.TILE_KINDS
            ensure(known and parse_palace(palace_text(key)) == key, f"{where}: {key} is no palace")
