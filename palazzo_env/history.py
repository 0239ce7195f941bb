"""`seen`: the cards and tiles that a move moved, as a seat saw them. [RULES.md 7.2]

Places: "deck", "face up" (cards turned up in MONEY), "hand 0" .., "table 0" .. (cards laid in an auction or payment),
"discards"; "stack", "depot", "quarry 0" .. "quarry 3", "lot 0" .. (tiles that a player has bought, won or taken and has
still to build), "palace 0" .. (all palaces of a player), "knights" (laid aside), "box"; at a beginning "shown 0" ..
(starting cards that a player has shown before) and "builder" (the number of his quarry).

Every move of Palazzo is open: only the beginning and the order of a shuffled deck differ from seat to seat. A beginning
tells what lies where, all of it from "box". A hand has up to two movements there: the sure cards (in the own hand, and
without a viewer, with "known": true), then starting cards as faces or as a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from palazzo_env import actions, state
from palazzo_env import components as box
from palazzo_env.keys import tile_texts, tiles_of
from palazzo_env.knowledge import piles_of
from palazzo_env.position import Json, cards_left
from palazzo_env.words import depot_tiles, palaces_of, quarry_tiles

Movements = list[Json]

COMPONENT_CARDS = (  # by component: the cards that are laid
    *([text] for text in box.CARD_TEXTS),
    [box.CARD_TEXTS[box.CERTIFICATE]] * box.GROUP_CARDS,
    *([f"{letter}{value}" for letter in box.CURRENCY_LETTERS] for value in range(3, 8)),
)


def seen(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """The movements of the action between two rows, in their order; without `before` what lies where at a beginning."""
    if before is None:
        return _beginning(after, seat)
    return _MOVERS[int(before.phase)](before, int(action), after, seat)


def _move(start: str, end: str, cards: Sequence[str] | int, **more: bool) -> Movements:
    """One movement, or none of no cards."""
    return [{"from": start, "to": end, "cards": cards, **more}] if cards else []


def cards_of(counts: Iterable[Any]) -> list[str]:
    """Counts by card as a list of faces in card order."""
    return [box.CARD_TEXTS[card] for card, n in enumerate(counts) for _ in range(int(n))]


# ---------------------------------------------------------------- a beginning


def _beginning(s: Any, seat: int | None) -> Movements:
    """What lies where, and what of it the seat knows."""
    found = [_move("box", "stack", pile, shuffled=True) for pile in piles_of(s).values()]
    if seat is None:
        found = [_move("box", "stack", [box.STACK_TEXTS[entry] for entry in s.stack[s.stack_top :]])]
    found.append(_move("box", "depot", depot_tiles(s)))
    found += [_move("box", f"quarry {i}", quarry_tiles(s, i)) for i in range(box.QUARRIES)]
    found.append(_move("box", "builder", [str(int(s.builder))]))
    found.append(_move("box", "knights", [box.KNIGHT_TEXT] * int(s.knights)))
    for p in range(s.players):
        palaces = [tile for key in palaces_of(s, p) for tile in tile_texts(tiles_of(key))]
        found.append(_move("box", f"palace {p}", palaces))
    if s.phase == state.PHASE_BUILD:
        found.append(_move("box", f"lot {s.seat}", tile_texts(s.lot[: s.lot_size])))
    return [movement for part in [*found, *_money(s, seat)] for movement in part]


def _money(s: Any, seat: int | None) -> list[Movements]:
    """The cards of a beginning."""
    deck = [box.CARD_TEXTS[card] for card in s.deck[s.deck_top : s.deck_size]]
    if seat is None:
        found = [_move("box", "deck", deck)]
    elif s.memory_shuffled:
        found = [_move("box", "deck", sorted(deck), shuffled=True)]
    else:
        found = [_move("box", "deck", len(deck))]
    found.append(_move("box", "discards", cards_of(s.discards)))
    found.append(_move("box", "face up", cards_of(s.face_up)))
    for p in range(s.players):
        starting = cards_of(s.hands[p] - s.memory_sure[p])
        if seat in (None, p):
            found.append(_move("box", f"hand {p}", cards_of(s.memory_sure[p]), known=True))
            found.append(_move("box", f"hand {p}", starting))
        else:
            found.append(_move("box", f"hand {p}", cards_of(s.memory_sure[p])))
            found.append(_move("box", f"hand {p}", len(starting)))
        found.append(_move("box", f"table {p}", cards_of(s.table[p])))
        found.append(_move("box", f"shown {p}", cards_of(s.memory_shown[p])))
    return found


# ---------------------------------------------------------------- moves


def _turn(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """MAIN: entries of the stack, or cards turned up."""
    if action == actions.DRAW:
        return _draw(before, after)
    if action != actions.MONEY:
        return []
    rest = [box.CARD_TEXTS[card] for card in before.deck[before.deck_top : before.deck_size]]
    left = cards_left(before)
    if left > before.players:
        return _move("deck", "face up", rest[: int(before.players) + 1])
    order = [box.CARD_TEXTS[card] for card in after.deck[: after.deck_size]]
    shuffle = (
        _move("discards", "deck", order) if seat is None else _move("discards", "deck", sorted(order), shuffled=True)
    )
    return [*_move("deck", "face up", rest), *shuffle, *_move("deck", "face up", order[: int(after.deck_top)])]


def _draw(before: Any, after: Any) -> Movements:
    """Each entry goes to the knights, to the depot, or to a quarry.  # PZ-10, PZ-11"""
    found, size = [], int(before.depot_size)
    for entry in before.stack[before.stack_top : after.stack_top]:
        if entry == box.KNIGHT:
            found += _move("stack", "knights", [box.KNIGHT_TEXT])
        elif size < after.depot_size:
            size += 1
            found += _move("stack", "depot", [box.TILE_TEXTS[entry]])
        else:
            quarry = int(np.flatnonzero(after.quarry_size - before.quarry_size)[0])
            found += _move("stack", f"quarry {quarry}", [box.TILE_TEXTS[entry]])
    return found


def _take(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """MONEY: a card face up.  # PZ-04"""
    return _move("face up", f"hand {before.seat}", [box.CARD_TEXTS[action - actions.TAKE]])


def _choose(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """BUY: nothing moves before the payment; tiles that cost nothing leave the depot at once.  # PZ-33, PZ-R5"""
    return _bought(after) if after.phase == state.PHASE_BUILD else []


def _bought(after: Any) -> Movements:
    return _move("depot", f"lot {after.seat}", tile_texts(after.lot[: after.lot_size]))


def _pay(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """PAY: cards are laid; when the price is reached all of them are discarded.  # PZ-32, PZ-33"""
    found = _lay(before, action)
    if after.phase == state.PHASE_BUILD:
        found += _move(f"table {before.seat}", "discards", cards_of(after.discards - before.discards))
        found += _bought(after)
    return found


def _lay(before: Any, action: int) -> Movements:
    return _move(f"hand {before.seat}", f"table {before.seat}", list(COMPONENT_CARDS[action - actions.ADD]))


def _bid(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """BID: cards are laid, or taken back; with the last pass the winner pays and gets the tiles.  # PZ-45 .. PZ-49"""
    if action == actions.BID:
        return []
    if action != actions.PASS:
        return _lay(before, action)
    found = _move(f"table {before.seat}", f"hand {before.seat}", cards_of(before.table[before.seat]))
    if after.phase == state.PHASE_BUILD:
        found += _move(f"table {after.seat}", "discards", cards_of(before.table[after.seat]))
        found += _move(f"quarry {before.builder}", f"lot {after.seat}", quarry_tiles(before, int(before.builder)))
    return found


def _share(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """SHARE: a tile of the quarry.  # PZ-42"""
    return _move(f"quarry {before.builder}", f"lot {before.seat}", [box.TILE_TEXTS[action - actions.TILE]])


def _build(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """BUILD: into a palace or the box; the end of a distribution clears the quarry.  # PZ-60, PZ-42"""
    place = "box" if action == actions.BUILD_SCRAP else f"palace {before.seat}"
    found = _move(f"lot {before.seat}", place, [box.TILE_TEXTS[before.lot[0]]])
    if before.sharing and not after.sharing:
        found += _move(f"quarry {before.builder}", "box", quarry_tiles(before, int(before.builder)))
    return found


def _fee(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """FEE: the card, then the tile: within the player's palaces, or into the box.  # PZ-70, PZ-71"""
    place = f"palace {before.seat}"
    end = "box" if before.change == state.CHANGE_REMOVE else place
    paid = _move(f"hand {before.seat}", "discards", [box.CARD_TEXTS[action - actions.PAY]])
    return [*paid, *_move(place, end, [box.TILE_TEXTS[before.change_tile]])]


def _nothing(before: Any, action: int, after: Any, seat: int | None) -> Movements:
    """CHOICE, REBUILD, INTO: no card and no tile moves."""
    return []


_MOVERS = {
    state.PHASE_MAIN: _turn,
    state.PHASE_MONEY: _take,
    state.PHASE_CHOICE: _nothing,
    state.PHASE_BUY: _choose,
    state.PHASE_PAY: _pay,
    state.PHASE_BID: _bid,
    state.PHASE_SHARE: _share,
    state.PHASE_BUILD: _build,
    state.PHASE_REBUILD: _nothing,
    state.PHASE_INTO: _nothing,
    state.PHASE_FEE: _fee,
}
