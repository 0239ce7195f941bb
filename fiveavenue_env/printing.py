"""A position as text, from a seat's view: districts by their rings, ways, shops, stacks, auction, seats."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import wording
from fiveavenue_env.state import NO_LOT, NOBODY, PHASE_OVER, fields_of
from skyline.game import LastMove

CELL = 16  # characters for a lot
COLUMNS = 110
INDENT = "   "


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, at most 110 columns wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    s = fields_of(s)
    lines = [
        f"Fifth Avenue, {s.players} players, {wording.view(seat)}: {wording.clock(s)}.",
        f"{wording.decision(s)}.",
    ]
    if move is not None:
        lines.append(f"Last move: {move}")
    last = wording.last_place(move)
    lines += ["", *(_district(s, d, last) for d in range(box.DISTRICTS)), ""]
    lines += [_way(s), _shops(s), _stacks(s)]
    if auction := wording.auction_lines(s):
        lines.append("; ".join(auction) + ".")
    lines.append("")
    for p in range(s.players):
        lines += _seat(s, p, seat)
    lines += [
        "",
        "A lot in ring order (the last is beside the first): colour, owner and buildings (E Egon) or shops, =points a",
        "building; > last move. Shops: B boutique, J jeweller, G gallery, P perfumery. CP: buildings at Central Park.",
    ]
    return "\n".join(lines) + "\n"


def _district(s: Any, d: int, last: int | None) -> str:
    name = box.DISTRICT_NAMES[d]
    if s.closed[d]:
        return f"{name:<4} closed"
    ring = [int(lot) for lot in s.rings[d] if lot != NO_LOT]
    cells = [_lot(s, box.SIDES * d + lot, last).ljust(CELL) for lot in ring]
    return f"{name:<4} {' '.join(cells)}".rstrip()


def _lot(s: Any, lot: int, last: int | None) -> str:
    owner = int(s.lot_owner[lot])
    what = "".join(wording.KIND_LETTERS[kind] * s.shops[kind, lot] for kind in range(box.KINDS))
    if owner != NOBODY:
        what = f"{wording.letter(owner)}{s.buildings[owner, lot]}"
    points = f"={s.lot_points[lot]}" if s.lot_points[lot] else ""
    return f"{'>' if lot == last else ''}{box.LOT_NAMES[lot % box.SIDES]} {what or '.'}{points}"


def _way(s: Any) -> str:
    parts = []
    for c, name in enumerate(box.COMMISSION_NAMES):
        marks = ", ".join(box.DISTRICT_NAMES[d] for d in s.markers[c, : s.marker_n[c]])
        parts.append(f"{name} at {box.NODE_NAMES[s.node[c]]} (markers {marks or '-'})")
    return "Commissions: " + "; ".join(parts)


def _shops(s: Any) -> str:
    blocks = ["".join(wording.KIND_LETTERS[kind] for kind in block) for block in wording.row_blocks(s)]
    return f"Shops: {s.placed} placed, row [{' | '.join(blocks)}], park tiles {wording.park_text(s) or '-'}"


def _stacks(s: Any) -> str:
    stacks = [
        f"{name} {top or '-'} ({size})"
        for name, (size, top) in zip(box.COLOUR_NAMES[:5], wording.stack_sizes(s), strict=True)
    ]
    return f"Stacks, top card (cards): {', '.join(stacks)};\n{INDENT}{wording.black_text(s)}"


def _cards(cards: list[tuple[int, int]]) -> str:
    """Values by colour."""
    by_colour = [(name, "".join(str(v) for c, v in cards if c == i)) for i, name in enumerate(box.COLOUR_NAMES)]
    return " ".join(f"{name} {values}" for name, values in by_colour if values) or "-"


def _seat(s: Any, p: int, viewer: int | None) -> list[str]:
    notes = ", ".join(wording.seat_notes(s, p, viewer))
    head = f"Seat {p} {wording.letter(p)}{f' ({notes})' if notes else ''}: {s.scores[p]} points"
    if s.phase == PHASE_OVER:
        head += f" (districts {s.final_lots[p]}, CP {s.final_park[p]})"
    else:
        head += f", +{s.points_now[p]} now"
    hand = wording.cards_in_hand(s, p, viewer)
    cards = [f"hand {s.hand_size[p]}: {'?' if hand is None else _cards(hand)}"]
    if s.table_total[p]:
        cards.append(f"laid {s.table_total[p]}: {_cards(wording.cards_of(s.table[p].tolist()))}")
    wrapped = [
        line for row in cards for line in wrap(row, COLUMNS, initial_indent=INDENT, subsequent_indent=2 * INDENT)
    ]
    return [f"{head}; reserve {s.reserve[p]}, supply {s.supply[p]}, CP {s.cp[p]}", *wrapped]
