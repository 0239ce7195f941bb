"""A position as an SVG picture, from a seat's view.

    +---------------------------------------------------+     a tile: floor, windows, material letter and colour;
    | title           stack, knights           decision |     palaces stand on the ground line, lowest floor first
    +----------------+-----------------+----------------+
    | quarry 0       | depot, price    | quarry 1       |     the ring of quarries is clockwise; the builder stands
    +----------------+                 +----------------+     on the yellow one
    | quarry 3       |                 | quarry 2       |
    +----------------+-----------------+----------------+
    | deck, cards face up, discards                     |
    +---------------------------------------------------+     a panel: points, part in the auction, tiles to build;
    | panel, seat A: palaces            | hand          |     palaces with their points; hand, cards laid in the
    | ..                                | cards laid    |     auction or payment
    +---------------------------------------------------+
    | last move, legend                                 |
    +---------------------------------------------------+

The row is read and never changed. With a seat, the cards of the other hands are not read, only their number and, with
RECALL, what the seat knows of them and of stack and box (knowledge.py), marked as remembered. Without a seat all hands
are shown. The orders of deck and stack never are. [RULES.md section 7]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from palazzo_env import components as box
from palazzo_env import state, words
from palazzo_env.keys import palace_text
from palazzo_env.knowledge import knowledge
from palazzo_env.words import (
    CARD_LEGEND,
    COPIES_LEGEND,
    MATERIAL_NAMES,
    Cards,
    cards_of,
    palaces_of,
    pending_tiles,
    points,
)
from skyline.draw import layout
from skyline.draw.layout import INNER, MARGIN, WIDTH
from skyline.draw.svg import FAINT, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Svg, mix, number
from skyline.game import NO_SEAT, LastMove, seat_name
from skyline.telling import view

GAP = 8
MARKET_Y, QUARRY_W, QUARRY_H = 76, 262, 92
DEPOT_X, DEPOT_W = MARGIN + QUARRY_W + GAP, INNER - 2 * QUARRY_W - 2 * GAP
DEPOT_H = 2 * QUARRY_H + GAP
MONEY_Y, MONEY_H = MARKET_Y + DEPOT_H + GAP, 46
PANELS_Y, PANEL_H = MONEY_Y + MONEY_H + GAP, 156
HANDS_X, HANDS_W = 604, 266
HAND_Y = 51  # of the cards of a hand in its panel
LEGEND_H = 63
LINE_LENGTH = 116  # characters of the last move in a line

TILE_W, TILE_H = 36, 30  # on a quarry
FLOOR_W, FLOOR_H = 56, 20  # in a palace
CARD_W, CARD_H = 20, 28

MATERIAL_FILL = {"b": "#D98A6C", "m": "#D5DCE6", "s": "#F0CE7E"}
BUILT_LAST = "#D0342C"  # the outline of the tile built last
CURRENCY_FILL = {"A": "#F6C3BC", "B": "#DDBB98", "C": "#CBD0D6", "2": PAPER}

QUARRY_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))  # column and row of each quarry, clockwise


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    players = int(s.players)
    told = layout.told(last_move.story if last_move else "", LINE_LENGTH)
    known = knowledge(s, seat) if seat is not None else {}
    things = layout.remembered_rows(words.remembered_things(known))
    below_panels = PANELS_Y + players * (PANEL_H + GAP)
    foot = below_panels + layout.remembered_height(things)
    height = foot + layout.FOOT_STEP * len(told) + LEGEND_H + layout.LEGEND_STEP * bool(things)
    title = f"Palazzo, {players} players: {words.decision(s)}"
    picture = layout.page(height, title, "Palazzo", f"{players} players, {view(seat)}")
    layout.decision(picture, words.decision(s), None if s.seat == NO_SEAT else s.seat, 17, 620)
    below = f"{words.clock(s)}, {words.stack(s)}"
    picture.text(WIDTH - MARGIN, layout.BELOW_TITLE_Y, below, 12, MUTED, "end")
    for quarry in range(box.QUARRIES):
        _draw_quarry(picture, s, quarry)
    _draw_depot(picture, s)
    _draw_money(picture, s)
    for p in range(players):
        y = PANELS_Y + p * (PANEL_H + GAP)
        _draw_panel(picture, s, p, seat, y, words.last_palace(last_move, p))
        if seat in (None, p):
            picture.text(HANDS_X, y + HAND_Y - 5, layout.hand_label(int(s.hands[p].sum())), 11, MUTED)
            _draw_cards(picture, cards_of(s.hands[p]), HANDS_X, y + HAND_Y, HANDS_W)
        else:
            _draw_hidden_hand(picture, int(s.hands[p].sum()), known["sure"][str(p)] if known else {}, y + HAND_Y)
    layout.remembered_box(picture, things, below_panels)
    _draw_foot(picture, told, bool(things), foot)
    return str(picture)


def _draw_quarry(picture: Svg, s: Any, quarry: int) -> None:
    """A quarry with its tiles; the builder stands on one of the four."""
    column, row = QUARRY_PLACES[quarry]
    x = MARGIN + column * (INNER - QUARRY_W)
    y = MARKET_Y + row * (QUARRY_H + GAP)
    has_builder = s.builder == quarry
    layout.box(picture, x, y, QUARRY_W, QUARRY_H, has_builder and s.phase in (state.PHASE_BID, state.PHASE_SHARE))
    if has_builder:
        picture.rect(x + 86, y + 6, 110, 17, 8.5, fill=HIGHLIGHT)
        picture.text(x + 141, y + 18.5, "master builder", 11, anchor="middle", bold=True)
    picture.text(x + 9, y + 19, f"Quarry {quarry}", 13, bold=True)
    tiles = words.quarry_tiles(s, quarry)
    picture.text(x + QUARRY_W - 9, y + 19, str(len(tiles)), 11, MUTED, "end")
    _draw_tiles(picture, tiles, x + 9, y + 27, QUARRY_W - 18, 2)


def _draw_depot(picture: Svg, s: Any) -> None:
    """The depot with its tiles and their price; chosen tiles are framed."""
    tiles = words.depot_tiles(s)
    layout.box(picture, DEPOT_X, MARKET_Y, DEPOT_W, DEPOT_H, s.phase in (state.PHASE_BUY, state.PHASE_PAY))
    picture.text(DEPOT_X + 9, MARKET_Y + 19, "Depot", 13, bold=True)
    picture.text(DEPOT_X + DEPOT_W - 9, MARKET_Y + 19, words.price(s), 12, MUTED, "end")
    chosen = pending_tiles(s) if s.phase in (state.PHASE_BUY, state.PHASE_PAY) else []
    _draw_tiles(picture, tiles, DEPOT_X + 9, MARKET_Y + 27, DEPOT_W - 18, 5, chosen)


def _draw_tiles(
    picture: Svg, tiles: Sequence[str], x: float, y: float, width: float, rows: int, chosen: Sequence[str] = ()
) -> None:
    """Tiles in at most this many rows; smaller ones if they would not fit. Those chosen are framed."""
    left, scale = list(chosen), 1.0
    while True:
        step, deep = scale * (TILE_W + 4), scale * (TILE_H + 3)
        in_row = int((width + 4 * scale) / step)
        if in_row * int(rows / scale) >= len(tiles):
            break
        scale -= 0.05
    for i, tile in enumerate(tiles):
        framed = tile in left
        if framed:
            left.remove(tile)
        _draw_tile(picture, tile, x + i % in_row * step, y + i // in_row * deep, scale, framed)


def _draw_tile(picture: Svg, tile: str, x: float, y: float, scale: float = 1.0, framed: bool = False) -> None:
    """A loose tile: floor at the top left, material at the top right, windows below."""
    with picture.group(tile):
        _draw_block(picture, tile, x, y, scale * TILE_W, scale * TILE_H, INK if framed else None)
        size, base = scale * 11, y + scale * 11
        picture.text(x + scale * 4, base, tile[0], size, bold=True)
        picture.text(x + scale * (TILE_W - 4), base, tile[2], size, anchor="end")
        picture.path(_windows(tile, x, y + scale * 14, scale * TILE_W, scale * 13), fill=INK, opacity=0.75)


def _draw_block(picture: Svg, tile: str, x: float, y: float, width: float, height: float, frame: str | None) -> None:
    """The ground of a tile in the colour of its material, with a thick frame in the colour `frame`, if any."""
    fill = MATERIAL_FILL[tile[2]]
    stroke, thick = (frame, 2.5) if frame else (mix(fill, "#000000", 0.4), 1)
    picture.rect(x, y, width, height, 2, fill=fill, stroke=stroke, stroke_width=thick)


def _windows(tile: str, x: float, y: float, width: float, height: float) -> str:
    """One to three arched windows side by side."""
    count, wide = int(tile[1]), min(width / 5, height * 0.7)
    parts = []
    for i in range(count):
        left = x + width * (i + 1) / (count + 1) - wide / 2
        rise = number(height - wide / 2)
        parts.append(
            f"M{number(left)} {number(y + height)}v-{rise}a{number(wide / 2)} {number(wide / 2)} 0 0 1 "
            f"{number(wide)} 0v{rise}z"
        )
    return "".join(parts)


def _draw_money(picture: Svg, s: Any) -> None:
    """Deck, cards face up, discards."""
    y = MONEY_Y
    layout.box(picture, MARGIN, y, INNER, MONEY_H, s.phase == state.PHASE_MONEY)
    picture.card_back(MARGIN + 9, y + 9, CARD_W, CARD_H)
    at = MARGIN + 38 + picture.text(MARGIN + 38, y + 28, words.deck(s), 12, bold=True) + 18
    if s.face_up.any():
        at += picture.text(at, y + 28, "face up", 12, bold=True) + 8
        at = _draw_cards(picture, cards_of(s.face_up), at, y + 9, 160) + 14
    at += picture.text(at, y + 28, f"discards {s.discards.sum()}", 12, MUTED) + 8
    _draw_cards(picture, cards_of(s.discards), at, y + 9, WIDTH - MARGIN - 9 - at)


def _draw_cards(
    picture: Svg, cards: Sequence[Cards], x: float, y: float, width: float, remembered: bool = False
) -> float:
    """One card a kind with its number below the text, marked if it is only remembered; where they end."""
    step = min(CARD_W + 3.0, width / max(1, len(cards)))
    for i, card in enumerate(cards):
        left, wide = x + i * step, min(CARD_W, step - 1)
        fill, ink = CURRENCY_FILL[card.text[0]], MUTED if remembered else INK
        if remembered:
            layout.remembered_card(picture, left, y, wide, CARD_H, fill)
        else:
            picture.card(left, y, wide, CARD_H, fill)
        picture.text(left + wide / 2, y + 12, card.text, 10, ink, "middle", bold=not remembered, width=wide - 2)
        if card.copies > 1:
            picture.text(left + wide / 2, y + 24, f"x{card.copies}", 9, ink, "middle", width=wide - 2)
    return x + len(cards) * step


# ---------------------------------------------------------------- the panels


def _draw_panel(picture: Svg, s: Any, p: int, viewer: int | None, y: float, built: str | None) -> None:
    """A seat: points, part in the auction, tiles to build, palaces, hand. `built` is the palace built last."""
    layout.box(picture, MARGIN, y, INNER, PANEL_H, p == s.seat)
    left, right = MARGIN + 10, WIDTH - MARGIN - 10.0
    picture.badge(left + 9, y + 17, 18, SEATS[p])
    at = left + 26 + picture.text(left + 26, y + 22, f"Seat {seat_name(p)}", 14, bold=True) + 8
    if p == viewer:
        at += picture.text(at, y + 22, "you", 11, MUTED) + 8
    if p == s.active and s.phase != state.PHASE_OVER:
        picture.rect(at, y + 9, 58, 17, 8.5, fill=HIGHLIGHT)
        picture.text(at + 29, y + 21.5, "on turn", 11, anchor="middle", bold=True)
        at += 68
    picture.text(at, y + 22, words.auction(s, p), 13, bold=s.phase == state.PHASE_BID and p == s.holder)
    right -= picture.text(right, y + 24, str(s.scores[p]), 20, anchor="end", bold=True) + 10
    if p == s.seat and s.lot_size and s.phase == state.PHASE_BUILD:
        for i, tile in enumerate(reversed(pending_tiles(s))):
            _draw_tile(picture, tile, right - (i + 1) * 32, y + 5, 0.75)
        picture.text(right - 32 * int(s.lot_size) - 6, y + 21, "to build", 11, MUTED, "end")
    _draw_palaces(picture, s, p, left, y + PANEL_H - 24, HANDS_X - 20 - left, built)
    _draw_laid(picture, s, p, y + 36)


def _draw_palaces(picture: Svg, s: Any, p: int, x: float, ground: float, width: float, built: str | None) -> None:
    """The palaces stand on a line, their points below it; narrower ones if there are many.

    The tile that is rebuilt has a dark frame, the tile built last a red one.
    """
    palaces = palaces_of(s, p)
    picture.line(x, ground, x + width, ground, stroke=LINE)
    if not palaces:
        picture.text(x, ground - 8, "no palaces", 11, FAINT)
    step = min(FLOOR_W + 10, width / max(1, len(palaces)))
    wide = min(FLOOR_W, 0.82 * step)
    rebuilt = _rebuilt_palace(s) if p == s.seat else None
    for i, key in enumerate(palaces):
        left, palace = x + i * step, palace_text(key)
        with picture.group(palace):
            tiles = palace.split("/")
            for level, tile in enumerate(tiles):
                frame = INK if palace == rebuilt and tile == box.TILE_TEXTS[s.change_tile] else None
                if palace == built and level == len(tiles) - 1:
                    frame, built = BUILT_LAST, None
                _draw_floor(picture, tile, left, ground - (level + 1) * FLOOR_H, wide, frame)
            label = f"{points(key)}"
            picture.text(left + wide / 2, ground + 13, label, 11, anchor="middle", bold=True, width=wide)


def _rebuilt_palace(s: Any) -> str | None:
    """The text of the palace from which the tile is taken that is rebuilt."""
    return palace_text(s.palaces[s.seat, s.change_slot]) if s.change != state.NO_CHANGE else None


def _draw_floor(picture: Svg, tile: str, x: float, y: float, width: float, frame: str | None) -> None:
    """A tile in a palace: floor, windows, material."""
    _draw_block(picture, tile, x, y, width, FLOOR_H, frame)
    picture.text(x + 0.06 * width, y + 14, tile[0], 11, bold=True, width=0.18 * width)
    picture.text(x + 0.94 * width, y + 14, tile[2], 11, anchor="end", width=0.19 * width)
    picture.path(_windows(tile, x + 0.2 * width, y + 3, 0.6 * width, FLOOR_H - 5), fill=INK, opacity=0.75)


def _draw_laid(picture: Svg, s: Any, p: int, y: float) -> None:
    """The cards laid, below the hand."""
    laid = int(s.table[p].sum())
    if laid:
        picture.text(HANDS_X, y + 66, f"laid {laid}", 11, MUTED)
        _draw_cards(picture, cards_of(s.table[p]), HANDS_X, y + 71, HANDS_W)


def _draw_hidden_hand(picture: Svg, held: int, sure: Mapping[str, int], y: float) -> None:
    """Another hand: the cards that the viewer is sure of by kinds, marked as remembered, the others as backs."""
    x, remembered = float(HANDS_X), sum(sure.values())
    picture.text(x, y - 5, layout.hand_label(held, remembered), 11, MUTED)
    if sure:
        cards = [Cards(text, n) for text, n in sure.items()]
        x = _draw_cards(picture, cards, x, y, HANDS_W - (held > remembered) * 60, remembered=True) + 6
    step = min(CARD_W + 3.0, (HANDS_X + HANDS_W - CARD_W - x) / max(1, held - remembered))
    for i in range(held - remembered):
        picture.card_back(x + i * step, y, CARD_W, CARD_H)


def _draw_foot(picture: Svg, told: Sequence[str], has_remembered: bool, y: float) -> None:
    """The story of the last move in lines, and the legend."""
    legend = (
        f"Tiles: floor, windows, material ({MATERIAL_NAMES}); red frame: built last. Below a palace its points, in a "
        "panel's corner their sum.",
        f"Cards: {CARD_LEGEND}; {COPIES_LEGEND}.",
        "The next auction is on the first quarry with tiles clockwise from the master builder's.",
        *[layout.REMEMBERED_LEGEND] * has_remembered,
    )
    layout.foot(picture, told, legend, y + 12, y + 14 + layout.FOOT_STEP * len(told))
