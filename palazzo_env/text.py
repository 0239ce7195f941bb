"""A position in words as a seat sees it (`text`), and what a move was and did (`story`).

Both read the rows and never change them. With a seat, the cards of the other hands are not read, only their number and,
with RECALL, what the seat knows of them (knowledge.py), marked as remembered. Without a seat all
hands are shown. The orders of deck and stack never are. [RULES.md section 7]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from palazzo_env import actions, state, words
from palazzo_env import components as box
from palazzo_env.keys import palace_text, tile_texts
from palazzo_env.knowledge import knowledge
from palazzo_env.position import Json, cards_left
from palazzo_env.words import (
    CARD_LEGEND,
    COPIES_LEGEND,
    MATERIAL_NAMES,
    card_words,
    depot_tiles,
    palaces_of,
    points,
    quarry_tiles,
    tile_price,
)
from skyline.game import LastMove, seat_name
from skyline.telling import REMEMBERED, capital, hand, joined, paragraph, points_of_seats, remembered_lines, view

OPENING_CARD = "the 3-certificate"

# ---------------------------------------------------------------- the board in words


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position in lines of at most 80 columns, as `seat` sees it; `last_move` led to the position."""
    lines = [f"Palazzo, {s.players} players, {view(seat)}."]
    lines += paragraph(f"{capital(words.clock(s))}; {words.stack(s)}.")
    lines += paragraph(f"{words.decision(s)}.")
    if last_move is not None:
        lines += paragraph(f"Last move: {last_move.story}")
    lines += ["", *_listed(f"Depot ({words.price(s)}):", depot_tiles(s))]
    for quarry in range(box.QUARRIES):
        mark = [" <- master builder"] if s.builder == quarry else []
        lines += _listed(f"Quarry {quarry}:", [*(quarry_tiles(s, quarry) or ["-"]), *mark])
    face_up = ["face up", *card_words(s.face_up), ";"] if s.face_up.any() else []
    lines += _listed(
        " ".join([f"Money: {words.deck(s)};", *face_up, f"discards {s.discards.sum()}:"]), card_words(s.discards)
    )
    known = knowledge(s, seat) if seat is not None else {}
    lines += remembered_lines(words.remembered_things(known))
    for p in range(s.players):
        lines += ["", *_seat_lines(s, p, seat, last_move, known)]
    lines += ["", f"Tiles: floor, windows, material ({MATERIAL_NAMES})."]
    lines += [*paragraph(f"Cards: {CARD_LEGEND}."), f"{COPIES_LEGEND}."]
    lines.append("Palaces: points in parentheses, * the palace built last.")
    lines += paragraph(REMEMBERED) if known else []
    return "\n".join(lines) + "\n"


def _listed(head: str, things: Sequence[str]) -> list[str]:
    """A head and things in lines, `-` for no things."""
    return paragraph(" ".join([head, *(things or ["-"])]))


def _hand(s: Any, p: int, viewer: int | None, known: Json) -> str:
    """The cards of a hand; of another's those that the viewer is sure of, marked as remembered."""
    held = int(s.hands[p].sum())
    if viewer in (None, p):
        return hand(held, " ".join(card_words(s.hands[p])))
    sure = known["sure"][str(p)] if known else {}
    return hand(held, words.remembered_cards(sure), sum(sure.values()))


def _seat_lines(s: Any, p: int, viewer: int | None, last_move: LastMove | None, known: Json) -> list[str]:
    """Points, part in the auction, palaces, hand, cards laid."""
    marks = [" (you)"] * (p == viewer) + [" (on turn)"] * bool(p == s.active and s.phase != state.PHASE_OVER)
    bid = words.auction(s, p)
    lines = [f"Seat {seat_name(p)}{''.join(marks)}: {s.scores[p]} points" + (f"; {bid}" if bid else "")]
    built = words.last_palace(last_move, p)
    palaces = [
        f"{'*' * (palace_text(key) == built)}{palace_text(key)} ({int(points(key))})" for key in palaces_of(s, p)
    ]
    lines += _listed("   palaces:", palaces)
    lines += paragraph(_hand(s, p, viewer, known), "   ")
    if s.table[p].any():
        lines += _listed("   laid:", card_words(s.table[p]))
    return lines


# ---------------------------------------------------------------- what a move was and did


def story(before: Any, action: int, after: Any, seat: int | None) -> str:
    """The move between two rows in one or two sentences.

    Every move of Palazzo is open, and chance brings open tiles and cards only: `seat` makes no difference.
    """
    told = _TELLERS[int(before.phase)](before, action, after)
    sentences = [f"{seat_name(int(before.seat))} {told}."]
    if after.phase == state.PHASE_OVER:
        sentences.append(f"The fifth knight ends the game: {points_of_seats(after.scores[: after.players])}.")
    return " ".join(sentences)


def _tell_turn(before: Any, action: int, after: Any) -> str:
    """MAIN: draw, money, rebuild."""
    if action == actions.DRAW:
        return _tell_draw(before, after)
    if action == actions.MONEY:
        shuffled = ", after the discards were shuffled" if cards_left(before) <= before.players else ""
        return f"turns up the cards {joined(card_words(after.face_up))}{shuffled}"
    return "begins to rebuild"


def _tell_draw(before: Any, after: Any) -> str:
    """What came out of the stack, as the table shows it afterwards."""
    drawn = [f"{tile} for the depot" for tile in _come(depot_tiles(before), depot_tiles(after))]
    for quarry in range(box.QUARRIES):
        tiles = _come(quarry_tiles(before, quarry), quarry_tiles(after, quarry))
        drawn += [f"{tile} for quarry {quarry}" for tile in tiles]
    knights = [str(number) for number in range(int(before.knights) + 1, int(after.knights) + 1)]
    if knights:
        drawn.append(f"{'knight' if len(knights) == 1 else 'knights'} {joined(knights)} of {box.KNIGHTS}")
    return f"draws {joined(drawn)}"


def _come(old: list[str], new: list[str]) -> list[str]:
    """What is new in a list."""
    return list((Counter(new) - Counter(old)).elements())


def _tell_taking(before: Any, action: int, after: Any) -> str:
    """MONEY: a card face up."""
    first = before.seat == before.active and before.first_take == state.NO_CARD
    return f"takes {box.CARD_TEXTS[action - actions.TAKE]}" + (" as the first of two cards" if first else "")


def _tell_choice(before: Any, action: int, after: Any) -> str:
    """CHOICE: buy or auction."""
    if action == actions.BUY:
        return "wants to buy from the depot"
    quarry = int(after.builder)
    tiles = joined(quarry_tiles(after, quarry)) if after.quarry_size[quarry] else ""
    if after.phase == state.PHASE_BID:
        return f"opens the auction of {tiles} on quarry {quarry} with {OPENING_CARD}"
    if after.phase == state.PHASE_SHARE:
        return f"gives out the {after.quarry_size[quarry]} tiles of quarry {quarry}: {tiles}"
    return "calls an auction, but no quarry has a tile"


def _tell_buying(before: Any, action: int, after: Any) -> str:
    """BUY: a tile, or no second tile."""
    if after.phase == state.PHASE_BUY:
        return f"chooses {box.TILE_TEXTS[action - actions.TILE]} in the depot"
    cost = int(after.lot_size) * tile_price(before)
    tiles = joined(tile_texts(after.lot[: after.lot_size]))
    only = "only " * (action == actions.STOP)
    return f"buys {only}{tiles} " + (f"for {cost}" if cost else "for nothing")


def _tell_payment(before: Any, action: int, after: Any) -> str:
    """PAY: a component."""
    seat, goal = int(before.seat), int(before.lot_size) * tile_price(before)
    paid = int(before.totals[seat]) + _value(action - actions.ADD)
    if after.phase == state.PHASE_PAY:
        return f"lays {box.COMPONENT_TEXTS[action - actions.ADD]}: {paid} of {goal} are paid"
    tiles = joined(tile_texts(before.lot[: before.lot_size]))
    return f"pays {paid} for {tiles}, price {goal}, with {joined(card_words(after.discards - before.discards))}"


def _value(component: int) -> int:
    """The value of a component."""
    return box.GROUP_VALUE if component >= box.FIRST_GROUP else int(box.CARD_VALUE[component])


def _tell_bidding(before: Any, action: int, after: Any) -> str:
    """BID: a component, the end of the raise, or pass."""
    seat, holder = int(before.seat), int(before.holder)
    if action == actions.BID:
        return f"bids {after.standing} with {_bid_cards(before, seat, before.table[seat])}"
    if action != actions.PASS:
        laid = f"lays {box.COMPONENT_TEXTS[action - actions.ADD]}: {after.totals[seat]} in all"
        return f"{laid}, against the bid {before.standing} of {seat_name(holder)}"
    if after.phase == state.PHASE_BID:
        return f"passes; the bid {before.standing} of {seat_name(holder)} stands"
    cards = _bid_cards(before, holder, after.discards - before.discards)
    tiles = joined(tile_texts(after.lot[: after.lot_size]))
    return f"passes, and {seat_name(holder)} wins {tiles} for {before.standing}, paid with {cards}"


def _bid_cards(s: Any, seat: int, counts: Any) -> str:
    """The cards of a bid; the seat that opened the auction has the 3-certificate, too."""
    return joined([*card_words(counts), *[OPENING_CARD] * bool(seat == s.active)])


def _tell_sharing(before: Any, action: int, after: Any) -> str:
    """SHARE: a tile of the quarry that is given out."""
    return f"takes {box.TILE_TEXTS[action - actions.TILE]} from quarry {before.builder}"


def _tell_building(before: Any, action: int, after: Any) -> str:
    """BUILD; the last tile of a distribution sends the rest of the quarry into the box."""
    seat, tile = int(before.seat), box.TILE_TEXTS[before.lot[0]]
    if action == actions.BUILD_NEW:
        told = f"begins a palace with {tile}"
    elif action == actions.BUILD_SCRAP:
        told = f"throws {tile} away"
    else:
        told = f"builds {tile} on {palace_text(before.palaces[seat, action - actions.BUILD_ON])}"
    told += _gained(before, after, seat)
    rest = quarry_tiles(before, int(before.builder)) if before.sharing and not after.sharing else []
    return told + (f"; {joined(rest)}, left on quarry {before.builder}, leave the game" if rest else "")


def _gained(before: Any, after: Any, seat: int) -> str:
    """How many points the move brought the seat."""
    gain = int(after.scores[seat]) - int(before.scores[seat])
    points_of_move = "1 point" if abs(gain) == 1 else f"{abs(gain)} points"
    return f", which brings {points_of_move}" if gain > 0 else f", which costs {points_of_move}" if gain else ""


def _tell_rebuilding(before: Any, action: int, after: Any) -> str:
    """REBUILD and INTO: what is planned."""
    if actions.INSERT <= action < actions.INTO:
        return f"wants to insert {box.TILE_TEXTS[action - actions.INSERT]} into another palace"
    return f"wants to {words.change(after)}"


def _tell_fee(before: Any, action: int, after: Any) -> str:
    """FEE: the card, and the rebuilding that follows."""
    card, gained = box.CARD_TEXTS[action - actions.PAY], _gained(before, after, int(before.seat))
    return f"pays {card} to {words.change(before)}{gained}"


_TELLERS = {
    state.PHASE_MAIN: _tell_turn,
    state.PHASE_MONEY: _tell_taking,
    state.PHASE_CHOICE: _tell_choice,
    state.PHASE_BUY: _tell_buying,
    state.PHASE_PAY: _tell_payment,
    state.PHASE_BID: _tell_bidding,
    state.PHASE_SHARE: _tell_sharing,
    state.PHASE_BUILD: _tell_building,
    state.PHASE_REBUILD: _tell_rebuilding,
    state.PHASE_INTO: _tell_rebuilding,
    state.PHASE_FEE: _tell_fee,
}
