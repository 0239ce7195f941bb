"""A position as an SVG picture, from a seat's view; words.py has its words and says what is hidden.

+----------------------------------------------+     a district: its lots as a ring, dashed the sixth one;
| title         clock                 decision |     on a lot the owner's badge with the number of buildings,
|  START  34W    42W    52W     CP             |     or its shops bo je ga pe; beside it the points of a building;
|        stacks  TS   auction                  |     in the middle name, commissions (discs) and markers
|         34E    42E    52E                    |     (squares with their order)
| row of shops                     park tiles  |
| panel, seat A | seat B | ..                  |     a panel: score, points now, buildings, hand, cards laid
+----------------------------------------------+
"""

from __future__ import annotations

import math
from typing import Any

from fiveavenue_env import components as box
from fiveavenue_env import words
from fiveavenue_env.state import NO_LOT, NO_PLACE, NOBODY, PHASE_OVER, fields_of
from skyline.draw import layout
from skyline.draw.layout import MARGIN, WIDTH
from skyline.draw.svg import FAINT, GROUND, HIGHLIGHT, INK, LINE, MUTED, NEUTRAL, PAPER, SEATS, Look, Svg, mix
from skyline.game import NO_SEAT, LastMove, seat_name
from skyline.telling import view

GAP = 10
RADIUS, LOT = 62, 21  # of a district's ring, of a lot
CENTRES = ((62, 372), (235, 180), (235, 564), (450, 180), (450, 564), (450, 372), (665, 180), (665, 564), (838, 372))
BOXES_Y, BOX_W, BOX_H = 308, 190, 128
ROW_Y, PANELS_Y, PANEL_H = 672, 742, 264
LAID_Y = 212  # of the cards laid in a panel
FOOT_LINES = 3  # of the story of the last move
FOOT_H = 106  # of the last move and the legend
HEIGHT = PANELS_Y + PANEL_H + FOOT_H  # of a picture without anything remembered
LINE_LENGTH = 112  # characters of the last move in a line

# Colours of lots and cards, of kinds of shops, of commissions; all carry two letters too: colour is no cue alone.
FILLS = ("#8A5A2C", "#9AA1A8", "#8558C4", "#EE8A2A", "#4FA350", "#2A2D33")
KIND_FILLS = ("#D94F70", "#2F9BD0", "#C9A400", "#7B5CC9")
COMMISSION_FILLS = ("#FFFFFF", "#D9BE8C")


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    memory = words.Remembered(s, seat)
    s = fields_of(s)
    players = int(s.players)
    title = f"Fifth Avenue, {players} players, {words.clock(s)}"
    things = layout.remembered_rows(memory.things())
    foot = HEIGHT - FOOT_H + layout.remembered_height(things) + GAP * bool(things)
    height = foot + FOOT_H + 2 * layout.LEGEND_STEP * bool(things)
    picture = layout.page(height, title, "Fifth Avenue", f"{players} players, {view(seat)}")
    layout.decision(picture, words.decision(s), None if s.seat == NO_SEAT else s.seat, 17, 430)
    picture.text(WIDTH - MARGIN, layout.BELOW_TITLE_Y, words.clock(s), 12, MUTED, "end")
    _draw_ways(picture)
    last = words.last_lot(last_move)
    for d in range(box.DISTRICTS):
        _draw_district(picture, s, d, last)
    _draw_ends(picture, s)
    _draw_stacks(picture, s)
    _draw_auction(picture, s)
    _draw_row(picture, s)
    width = (WIDTH - 2 * MARGIN - GAP * (players - 1)) / players
    for p in range(players):
        _draw_panel(picture, s, p, seat, memory, MARGIN + p * (width + GAP), width)
    layout.remembered_box(picture, things, PANELS_Y + PANEL_H + GAP)
    _draw_foot(picture, last_move, bool(things), foot)
    return str(picture)


def _look(owner: int) -> Look:
    return NEUTRAL if owner == box.EGON else SEATS[owner]


# ---------------------------------------------------------------- the map


def _draw_ways(picture: Svg) -> None:
    for node in range(box.NODES - 1):
        for target in box.SUCCESSORS[node]:
            (x1, y1), (x2, y2) = CENTRES[node], CENTRES[target]
            picture.line(x1, y1, x2, y2, stroke=LINE, stroke_width=7)


def _draw_ends(picture: Svg, s: Any) -> None:
    """START and Central Park."""
    for node, name in ((box.START, "START"), (box.CP, "Central Park")):
        x, y = CENTRES[node]
        now = node == box.CP and s.auction_place == box.PARK
        picture.rect(x - 42, y - 58, 84, 116, 10, fill="#E3EFE0" if node else PAPER,
                     stroke=INK if now else LINE, stroke_width=2.5 if now else 1)  # fmt: skip
        picture.text(x, y - 42, name, 11, anchor="middle", bold=True)
        _draw_commissions(picture, words.commissions_at(s, node), x, y - 24)
    x, y = CENTRES[box.CP]
    for p in range(s.players):
        left, top = x - 20 + 40 * (p % 2), y + 4 + 28 * (p // 2)
        picture.badge(left - 8, top, 16, SEATS[p])
        picture.text(left + 3, top + 5, str(s.cp[p]), 13, bold=bool(s.cp[p]), width=16)


def _draw_commissions(picture: Svg, here: list[int], x: float, y: float) -> None:
    for i, c in enumerate(here):
        at = x + 22 * (i - (len(here) - 1) / 2)
        picture.circle(at, y, 9.5, fill=COMMISSION_FILLS[c], stroke=INK, stroke_width=2)
        picture.text(at, y + 3.2, words.SHORT_COMMISSIONS[c], 9, anchor="middle", bold=True)


def _draw_district(picture: Svg, s: Any, d: int, last: int | None) -> None:
    x, y = CENTRES[d + 1]
    name = box.DISTRICT_NAMES[d]
    now = s.auction_place == d
    with picture.group(name):
        picture.circle(x, y, RADIUS + LOT + 9, fill=PAPER, stroke=INK if now else LINE, stroke_width=2.5 if now else 1)
        picture.text(x, y - 20, name, 14, anchor="middle", bold=True)
        if s.closed[d]:
            picture.text(x, y + 22, "closed", 15, MUTED, "middle", bold=True)
        _draw_commissions(picture, words.commissions_at(s, d + 1), x, y - 4)
        markers = words.markers_in(s, d)
        for i, (c, number) in enumerate(markers):
            at = x + 17 * (i - (len(markers) - 1) / 2)
            picture.rect(at - 7, y + 9, 14, 14, 2, fill=COMMISSION_FILLS[c], stroke=INK)
            picture.text(at, y + 20, str(number), 10, anchor="middle", bold=True)
        ring = [int(lot) for lot in s.rings[d] if lot != NO_LOT]
        for i, lot in enumerate(ring):
            angle = 2 * math.pi * i / len(ring) - math.pi / 2
            _draw_lot(picture, s, box.SIDES * d + lot, x, y, math.cos(angle), math.sin(angle), last)


def _draw_lot(picture: Svg, s: Any, lot: int, x: float, y: float, dx: float, dy: float, last: int | None) -> None:
    colour, closed = lot % box.SIDES, bool(s.closed[lot // box.SIDES])
    cx, cy = x + RADIUS * dx, y + RADIUS * dy
    dashed = colour == box.DASHED
    fill = GROUND if closed or dashed else mix(FILLS[colour], PAPER, 0.55)
    stroke = LINE if closed else MUTED if dashed else FILLS[colour]
    picture.circle(cx, cy, LOT, fill=fill, stroke=INK if lot == last else stroke,
                   stroke_width=4 if lot == last else 3, stroke_dasharray="5 4" if dashed else None)  # fmt: skip
    if closed:
        return
    owner = int(s.lot_owner[lot])
    if owner != NOBODY:
        picture.badge(cx - 8, cy, 18, _look(owner), words.owner_name(owner))
        picture.text(cx + 3, cy + 5, str(s.buildings[owner, lot]), 14, bold=True, width=15)
    _draw_shops(picture, s, lot, cx, cy)
    if not s.shops[:, lot].any() and owner == NOBODY:
        picture.text(cx, cy + 4, words.SHORT_LOTS[colour], 11, MUTED, "middle")
    if s.lot_points[lot]:
        built = owner != NOBODY
        bx, by = cx + 0.8 * LOT, cy - 0.8 * LOT
        picture.circle(bx, by, 8, fill=HIGHLIGHT if built else PAPER, stroke=INK if built else LINE)
        picture.text(bx, by + 4, str(s.lot_points[lot]), 11, INK if built else MUTED, "middle", bold=built)


def _draw_shops(picture: Svg, s: Any, lot: int, x: float, y: float) -> None:
    kinds = [kind for kind in range(box.KINDS) for _ in range(s.shops[kind, lot])]
    for i, kind in enumerate(kinds):
        _draw_tile(picture, kind, x + 17 * (i - (len(kinds) - 1) / 2) - 8, y - 8, 16)


def _draw_tile(picture: Svg, kind: int, x: float, y: float, size: float) -> None:
    picture.rect(x, y, size, size, 3, fill=KIND_FILLS[kind], stroke=mix(KIND_FILLS[kind], "#000000", 0.35))
    picture.text(x + size / 2, y + 0.7 * size, words.SHORT_KINDS[kind], 0.58 * size, PAPER, "middle", bold=True)


# ---------------------------------------------------------------- stacks, auction, row


def _draw_card(
    picture: Svg, colour: int, label: str, x: float, y: float, width: float, remembered: bool = False
) -> None:
    """A card of a colour with its value and the two letters of the colour, marked if it is only remembered."""
    height = 1.4 * width
    black = colour == box.BLACK and not remembered
    fill = mix(FILLS[colour], PAPER, 0.0 if black else 0.45)
    if remembered:
        layout.remembered_card(picture, x, y, width, height, fill)
    else:
        picture.card(x, y, width, height, fill, FILLS[colour])
    ink = PAPER if black else INK
    picture.text(x + width / 2, y + 0.62 * height, label, 0.58 * width, ink, "middle", bold=True)
    picture.text(x + width / 2, y + 0.92 * height, words.SHORT_CARDS[colour], 0.36 * width, ink, "middle")


def _draw_stacks(picture: Svg, s: Any) -> None:
    x = CENTRES[1][0] - BOX_W / 2
    layout.box(picture, x, BOXES_Y, BOX_W, BOX_H)
    picture.text(x + 9, BOXES_Y + 17, "Stacks: top card, number", 11, MUTED)
    for colour, (size, top) in enumerate(words.stack_sizes(s)):
        left = x + 9 + 35.5 * colour
        if size:
            _draw_card(picture, colour, str(top), left, BOXES_Y + 25, 30)
        else:
            layout.gap(picture, left, BOXES_Y + 25, 30, 42, 4, FILLS[colour])
        picture.text(left + 15, BOXES_Y + 81, str(size), 11, anchor="middle")
    if s.black_end > s.black_top:
        picture.card_back(x + 9, BOXES_Y + 92, 20, 28)
    else:
        layout.gap(picture, x + 9, BOXES_Y + 92, 20, 28, 3, FILLS[box.BLACK])
    picture.text(x + 36, BOXES_Y + 111, words.black_text(s), 11, width=BOX_W - 44)


def _draw_auction(picture: Svg, s: Any) -> None:
    x = CENTRES[6][0] - BOX_W / 2
    on = s.auction_place != NO_PLACE
    layout.box(picture, x, BOXES_Y, BOX_W, BOX_H, on)
    if not on:
        picture.text(x + BOX_W / 2, BOXES_Y + 68, "no auction", 12, FAINT, "middle")
        return
    for i, line in enumerate(words.auction_lines(s)):
        size = 16 if i == 2 else 12
        picture.text(x + 10, BOXES_Y + 22 + 23 * i, line, size, bold=i in (0, 2), width=BOX_W - 20)


def _draw_row(picture: Svg, s: Any) -> None:
    """The blocks of shops that are left, the current one marked; park tiles; the next bonus."""
    picture.text(MARGIN, ROW_Y + 14, f"Shops: {s.placed} of {box.PLACED_MOST} placed", 11, MUTED)
    x = MARGIN + 4.0
    for i, block in enumerate(words.row_blocks(s)):
        if not i:
            picture.rect(x - 4, ROW_Y + 20, 25 * len(block) + 5, 31, 6, fill=HIGHLIGHT, stroke=INK)
        for kind in block:
            _draw_tile(picture, kind, x, ROW_Y + 24, 23)
            x += 25
        x += 12
    right = WIDTH - MARGIN
    tiles, over = words.park_tiles(s), s.phase == PHASE_OVER
    note = f"Park tiles: {s.park_n}{', the first three turned up' if over else ''}"
    picture.text(right, ROW_Y + 14, note, 11, MUTED, "end")
    left = right + 2 - 25 * len(tiles)
    if over and tiles:
        shown = min(box.PARK_SHOWN, len(tiles))
        picture.rect(left - 4, ROW_Y + 20, 25 * shown + 5, 31, 6, fill=HIGHLIGHT, stroke=INK)
    for i, kind in enumerate(tiles):
        _draw_tile(picture, kind, left + 25 * i, ROW_Y + 24, 23)


# ---------------------------------------------------------------- the panels


def _draw_panel(
    picture: Svg, s: Any, p: int, viewer: int | None, memory: words.Remembered, x: float, width: float
) -> None:
    y = PANELS_Y
    layout.box(picture, x, y, width, PANEL_H, p == s.seat)
    left, right = x + 10, x + width - 10
    picture.badge(left + 9, y + 20, 19, SEATS[p])
    at = left + 25 + picture.text(left + 25, y + 25, f"Seat {seat_name(p)}", 14, bold=True) + 6
    score = picture.text(right, y + 28, str(s.scores[p]), 22, anchor="end", bold=True)
    picture.text(at, y + 25, ", ".join(words.seat_notes(s, p, viewer)), 10.5, MUTED, width=right - at - score - 6)
    if s.phase == PHASE_OVER:
        now = f"final: districts {s.final_lots[p]}, Central Park {s.final_park[p]}"
    else:
        now = f"+{s.points_now[p]} now, in {s.districts[p]} districts"
    picture.text(left, y + 46, now, 11, bold=True, width=width - 20)
    pieces = f"reserve {s.reserve[p]}, supply {s.supply[p]}, Central Park {s.cp[p]}"
    picture.text(left, y + 61, pieces, 11, MUTED, width=width - 20)
    remembered = 0 if viewer in (None, p) else len(memory.hand(p) or [])
    picture.text(left, y + 78, layout.hand_label(int(s.hand_size[p]), remembered), 9.5, MUTED, width=width - 20)
    _draw_hand(picture, s, p, viewer, memory, left, y + 83, width - 20)
    if s.table_total[p]:
        picture.text(left, y + LAID_Y, f"laid: {s.table_total[p]}", 11, bold=True)
        _draw_cards(picture, words.cards_of(s.table[p].tolist()), left, y + LAID_Y + 5, width - 20)


def _draw_hand(
    picture: Svg, s: Any, p: int, viewer: int | None, memory: words.Remembered, x: float, y: float, width: float
) -> None:
    """The cards that the viewer sees; or those that it remembers and backs by colours; or backs."""
    cards = words.cards_in_hand(s, p, viewer)
    if cards is not None:
        _draw_cards(picture, cards, x, y, width)
    elif (sure := memory.hand(p)) is not None:
        _draw_remembered(picture, sure, memory.unknown(p), x, y, width)
    else:
        number, card = int(s.hand_size[p]), _card_width(width)
        step = min(14.0, (width - card) / max(1, number - 1))
        for i in range(number):
            picture.card_back(x + step * i, y, card, 1.4 * card)


def _card_width(width: float) -> float:
    """Of a card in a panel of this width."""
    return 24.0 if width > 240 else 20.0


def _draw_cards(picture: Svg, cards: list[tuple[int, int]], x: float, y: float, width: float) -> None:
    """Each kind once, below it how often if more than once; the eighteen kinds come to two rows at most."""
    kinds = sorted(set(cards), key=cards.index)
    card = _card_width(width)
    for (colour, value), (left, top) in zip(kinds, _places(len(kinds), 2, x, y, width), strict=True):
        _draw_card(picture, colour, str(value), left, top, card)
        _draw_copies(picture, cards.count((colour, value)), left, top, card)


def _draw_remembered(
    picture: Svg, sure: list[tuple[int, int]], unknown: list[tuple[int, int]], x: float, y: float, width: float
) -> None:
    """Each kind that the viewer remembers once, then a back for each colour of the other ones: at most three rows."""
    kinds, card = sorted(set(sure), key=sure.index), _card_width(width)
    places = _places(len(kinds) + len(unknown), 3, x, y, width)
    for (colour, value), (left, top) in zip(kinds, places, strict=False):
        _draw_card(picture, colour, str(value), left, top, card, remembered=True)
        _draw_copies(picture, sure.count((colour, value)), left, top, card)
    for (colour, number), (left, top) in zip(unknown, places[len(kinds) :], strict=True):
        picture.card_back(left, top, card, 1.4 * card)
        picture.text(left + card / 2, top + 1.4 * card + 9, f"{number} {words.SHORT_CARDS[colour]}", 9, anchor="middle")


def _places(number: int, rows: int, x: float, y: float, width: float) -> list[tuple[float, float]]:
    """Where so many cards lie, in at most so many rows; the cards overlap if they have to."""
    card = _card_width(width)
    row = max(int((width + 3) / (card + 3)), -(-number // rows))
    step = min(card + 3, (width - card) / max(1, row - 1))
    return [(x + step * (i % row), y + (1.4 * card + 12) * (i // row)) for i in range(number)]


def _draw_copies(picture: Svg, number: int, x: float, y: float, card: float) -> None:
    """How often a card is there, below it."""
    if number > 1:
        picture.text(x + card / 2, y + 1.4 * card + 9, f"x{number}", 9, anchor="middle", bold=True)


def _draw_foot(picture: Svg, last: LastMove | None, has_remembered: bool, y: float) -> None:
    told = layout.told(last.story if last else "", LINE_LENGTH, FOOT_LINES)
    legend = (
        "Lots: br brown, gy grey, vi violet, or orange, gn green, da dashed (the sixth lot); badge = owner and number "
        "of buildings (E Egon), small disc = points a building.",
        "Shops: bo boutique, je jeweller, ga gallery, pe perfumery. Discs: commissions wh white, be beige; squares: "
        "their markers in order. now = points if every district were scored.",
        *[layout.REMEMBERED_LEGEND, f"Below a back: number and colour of such cards. {words.STACKS_LEGEND}."]
        * has_remembered,
    )
    layout.foot(picture, told, legend, y + 24, y + 78)
