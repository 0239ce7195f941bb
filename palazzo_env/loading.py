"""Loading a position (position.py says what it is): every field is checked, ValueError names what does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from palazzo_env.components import (
    CARD_COUNTS,
    CARD_KINDS,
    CARD_TEXTS,
    COMPONENT_TEXTS,
    CURRENCY_LETTERS,
    KNIGHT,
    KNIGHT_TEXT,
    KNIGHTS,
    MOST_LOT,
    MOST_STACK,
    MOST_TOTAL,
    PALACE_ROOM,
    QUARRIES,
    QUARRY_ROOM,
    STACK,
    TILE_COPIES,
    TILE_KINDS,
    TILE_TEXTS,
)
from palazzo_env.palaces import parse_palace, survey
from palazzo_env.rules import clear
from palazzo_env.state import (
    CHANGE_INSERT,
    CHANGE_REMOVE,
    CHANGE_SPLIT,
    NO_CARD,
    NO_COMPONENT,
    NO_LOCK,
    NO_TWIN,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_FEE,
    PHASE_INTO,
    PHASE_MONEY,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_SHARE,
    TWIN_NEW,
    TWIN_SCRAP,
)
from skyline.game import NO_SEAT
from skyline.jit import FromPython

_clear, _survey = FromPython(clear), FromPython(survey)

STACK_TEXTS = (*TILE_TEXTS, KNIGHT_TEXT)

FIELDS = {
    "players", "player", "decision", "active", "builder", "knights", "quiet", "depot", "quarries", "stack", "deck",
    "discard", "hands", "palaces", "face_up", "first_take", "chosen", "standing", "totals", "locks", "table", "out",
    "last", "singles", "to_build", "twin_move", "sharing", "change", "target",
}  # fmt: skip


def from_position(s: Any, data: Mapping[str, Any]) -> None:
    """Fill a blank row; missing fields are empty, cards named nowhere lie at the bottom of the deck."""
    if unknown := set(data) - FIELDS:
        raise ValueError(
            f"a position has no field {', '.join(sorted(unknown))}; its fields are {', '.join(sorted(FIELDS))}"
        )
    _clear(s)
    _load_clock(s, data)
    _load_stack(s, data)
    _load_tiles(s, data)
    _load_cards(s, data)
    _load_payment(s, data)
    _load_rebuilding(s, data)
    _survey(s)
    check_tiles(s)


def _load_clock(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    decision = data.get("decision", "MAIN")
    if decision not in PHASE_NAMES:
        raise ValueError(f"decision is one of {', '.join(PHASE_NAMES)}, not {decision!r}")
    s.phase = PHASE_NAMES.index(decision)
    s.active = _whole(data.get("active", 0), "active", 0, players - 1)
    if s.phase == PHASE_OVER:
        s.seat = NO_SEAT
    else:
        s.seat = _whole(data.get("player", int(s.active)), "player", 0, players - 1)
    if s.phase not in (PHASE_MONEY, PHASE_BID, PHASE_SHARE, PHASE_BUILD, PHASE_OVER) and s.seat != s.active:
        raise ValueError(f"{decision} is a decision of the active player {s.active}, not of {s.seat}")
    s.builder = _whole(data.get("builder", 0), "builder", 0, QUARRIES - 1)
    s.quiet = _whole(data.get("quiet", 0), "quiet", 0, 2**15 - 2)
    s.knights = _whole(data.get("knights", 0), "knights", 0, KNIGHTS - (s.phase != PHASE_OVER))


def _load_stack(s: Any, data: Mapping[str, Any]) -> None:
    stack = numbers_of(data.get("stack", []), "stack", STACK_TEXTS)
    if len(stack) > MOST_STACK:
        raise ValueError(f"stack has at most {MOST_STACK} entries, not {len(stack)}")
    if stack.count(KNIGHT) != KNIGHTS - s.knights:
        raise ValueError(f"stack must hold the {KNIGHTS - s.knights} knights not yet drawn, not {stack.count(KNIGHT)}")
    s.stack_top = STACK - len(stack)
    s.stack[s.stack_top :] = stack


def _load_tiles(s: Any, data: Mapping[str, Any]) -> None:
    depot = sorted(numbers_of(data.get("depot", []), "depot", TILE_TEXTS))
    quarries = [
        sorted(numbers_of(tiles, "quarries", TILE_TEXTS))
        for tiles in _row(data.get("quarries", [[]] * QUARRIES), "quarries", QUARRIES)
    ]
    for tiles in (depot, *quarries):
        if len(tiles) > QUARRY_ROOM:
            raise ValueError(f"depot and quarries hold at most {QUARRY_ROOM} tiles, not {len(tiles)}")
    s.depot_size, s.depot[: len(depot)] = len(depot), depot
    for quarry, tiles in enumerate(quarries):
        s.quarry_size[quarry], s.quarries[quarry, : len(tiles)] = len(tiles), tiles
    for seat, texts in enumerate(_row(data.get("palaces", [[]] * int(s.players)), "palaces", int(s.players))):
        keys = Counter(parse_palace(text) for text in texts)
        if len(keys) > PALACE_ROOM:
            raise ValueError(f"a seat has at most {PALACE_ROOM} palaces, not {len(keys)}")
        s.palace_count[seat] = len(keys)
        for slot, key in enumerate(sorted(keys)):
            s.palaces[seat, slot], s.copies[seat, slot] = key, keys[key]
    _load_lot(s, data)


def _load_lot(s: Any, data: Mapping[str, Any]) -> None:
    name = "to_build" if s.phase == PHASE_BUILD else "chosen"
    lot = sorted(numbers_of(data.get(name, []), name, TILE_TEXTS))
    least = {PHASE_BUILD: 1, PHASE_PAY: 1}.get(int(s.phase), 0)
    most = {PHASE_BUILD: MOST_LOT, PHASE_PAY: 2, PHASE_BUY: 1}.get(int(s.phase), 0)
    if not least <= len(lot) <= most:
        raise ValueError(f"{name}: {least} .. {most} tiles in {PHASE_NAMES[s.phase]}, not {len(lot)}")
    if name == "chosen" and Counter(lot) - Counter(s.depot[: s.depot_size].tolist()):
        raise ValueError(f"chosen tiles lie in the depot, {tile_texts(lot)} do not")
    s.lot_size, s.lot[: len(lot)] = len(lot), lot
    s.sharing = bool(data.get("sharing", False)) or s.phase == PHASE_SHARE
    if s.phase == PHASE_SHARE and not s.quarry_size[s.builder]:
        raise ValueError("SHARE needs a tile on the builder's quarry")
    if (move := data.get("twin_move")) is not None:
        s.twin = _twin_of(move, TILE_TEXTS[lot[0]]) if s.phase == PHASE_BUILD else NO_TWIN


def _twin_of(move: str, tile: str) -> int:
    match str(move).split(" "):
        case ["build", name, "new"] if name == tile:
            return TWIN_NEW
        case ["build", name, "scrap"] if name == tile:
            return TWIN_SCRAP
        case ["build", name, "on", palace] if name == tile:
            return parse_palace(palace)
    raise ValueError(f"twin_move is the build move made for the other {tile}, not {move!r}")


def _load_cards(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    s.discards[:] = _from_counts(data.get("discard", {}), "discard")
    for name, rows in (("hands", s.hands), ("table", s.table)):
        for seat, counts in enumerate(_row(data.get(name, [{}] * players), name, players)):
            rows[seat] = _from_counts(counts, name)
    face_up = numbers_of(data.get("face_up", []), "face_up", CARD_TEXTS)
    s.face_up[:] = np.bincount(face_up, minlength=CARD_KINDS)
    if bool(face_up) != (s.phase == PHASE_MONEY):
        raise ValueError("cards are face up in MONEY and only there")
    first = data.get("first_take")
    s.first_take = NO_CARD if first is None else _number(first, "first_take", CARD_TEXTS)
    deck = numbers_of(data.get("deck", []), "deck", CARD_TEXTS)
    named = s.hands.sum(axis=0) + s.table.sum(axis=0) + s.discards + s.face_up
    rest = CARD_COUNTS - named - np.bincount(deck, minlength=CARD_KINDS)
    if (rest < 0).any():
        texts = ", ".join(CARD_TEXTS[card] for card in np.flatnonzero(rest < 0))
        raise ValueError(f"there are not so many cards of the kinds {texts}")
    deck += np.repeat(range(CARD_KINDS), rest).tolist()
    s.deck_top, s.deck_size, s.deck[: len(deck)], s.deck[len(deck) :] = 0, len(deck), deck, 0


def _load_payment(s: Any, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    if s.phase not in (PHASE_BID, PHASE_PAY):
        return
    totals = _row(data.get("totals", [0] * players), "totals", players)
    s.totals[:players] = [_whole(total, "totals", 0, MOST_TOTAL) for total in totals]
    locks = _row(data.get("locks", [None] * players), "locks", players)
    s.locks[:players] = [NO_LOCK if lock is None else _number(lock, "locks", tuple(CURRENCY_LETTERS)) for lock in locks]
    for seat in data.get("out", []):
        s.passed[_whole(seat, "out", 0, players - 1)] = 1
    last = data.get("last")
    s.last = NO_COMPONENT if last is None else _number(last, "last", COMPONENT_TEXTS)
    s.singles = _whole(data.get("singles", 0), "singles", 0, 2)
    if s.phase == PHASE_BID:
        holder, bid = _row(data.get("standing"), "standing", 2)
        s.holder = _whole(holder, "standing", 0, players - 1)
        s.standing = _whole(bid, "standing", 3, MOST_TOTAL)
        if s.seat == s.holder or s.passed[s.seat] or s.passed[s.holder]:
            raise ValueError("the holder of the standing bid and those who are out do not bid")


def _load_rebuilding(s: Any, data: Mapping[str, Any]) -> None:
    change, target = data.get("change"), data.get("target")
    if (change is not None) != (s.phase in (PHASE_INTO, PHASE_FEE)):
        raise ValueError("change is given in INTO and FEE and only there")
    if change is None:
        return
    keys = s.palaces[s.seat, : s.palace_count[s.seat]].tolist()
    match str(change).split(" "):
        case ["split", palace, tile] if parse_palace(palace) in keys and tile in palace.split("/"):
            s.change, s.change_slot = CHANGE_SPLIT, keys.index(parse_palace(palace))
        case ["insert" | "remove" as word, tile] if tile in TILE_TEXTS and parse_palace(tile) in keys:
            s.change = CHANGE_INSERT if word == "insert" else CHANGE_REMOVE
            s.change_slot = keys.index(parse_palace(tile))
        case _:
            raise ValueError(
                f"change is split PALACE TILE, insert TILE or remove TILE of the own palaces, not {change!r}"
            )
    s.change_tile = TILE_TEXTS.index(tile)
    if (target is not None) != (s.phase == PHASE_FEE and s.change == CHANGE_INSERT):
        raise ValueError("target is given in FEE after insert and only there")
    if target is not None:
        if parse_palace(target) not in keys:
            raise ValueError(f"seat {s.seat} has no palace {target!r}")
        s.target_slot = keys.index(parse_palace(target))


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{what}: a whole number {low} .. {high}, not {value!r}")
    return value


def _row(value: Any, what: str, length: int) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)) or len(value) != length:
        raise ValueError(f"{what}: a list of {length}, not {value!r}")
    return value


def _number(text: Any, what: str, texts: Sequence[str]) -> int:
    if text not in texts:
        raise ValueError(f"{what}: {text!r} is not one of {', '.join(texts)}")
    return texts.index(text)


def numbers_of(value: Any, what: str, texts: Sequence[str]) -> list[int]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{what}: a list, not {value!r}")
    return [_number(text, what, texts) for text in value]


def _from_counts(value: Any, what: str) -> np.ndarray[Any, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what}: an object card -> number, not {value!r}")
    counts = np.zeros(CARD_KINDS, int)
    for text, n in value.items():
        card = _number(text, what, CARD_TEXTS)
        counts[card] = _whole(n, what, 0, int(CARD_COUNTS[card]))
    return counts


def tile_texts(tiles: Any) -> list[str]:
    return [TILE_TEXTS[tile] for tile in tiles]


def check_tiles(s: Any) -> None:
    stack = [int(entry) for entry in s.stack[s.stack_top :] if entry != KNIGHT]
    copies = s.visible + np.bincount(stack, minlength=TILE_KINDS)
    if (copies > TILE_COPIES).any():
        raise ValueError(f"too many tiles of the kinds {', '.join(tile_texts(np.flatnonzero(copies > TILE_COPIES)))}")
