"""A position as an SVG picture and as text, from a seat's view.

    +---------------------------------------------------+     a tile: floor, windows, material letter and colour;
    | title           stack, knights           decision |     palaces stand on the ground line, lowest floor first
    +----------------+-----------------+----------------+
    | quarry 0       | depot, price    | quarry 1       |     the ring of quarries is clockwise; the builder stands
    +----------------+                 +----------------+     on the yellow one
    | quarry 3       |                 | quarry 2       |
    +----------------+-----------------+----------------+
    | deck, cards face up, discards                     |
    +---------------------------------------------------+     a panel: points, part in the auction, tiles to build;
    | panel, seat 0: palaces            | hand          |     palaces with their points; hand, cards laid in the
    | ..                                | cards laid    |     auction or payment
    +---------------------------------------------------+
    | last move, legend                                 |
    +---------------------------------------------------+

Both read the row and never change it. With a seat, the cards of the other hands are not read, only their number.
Without one all hands are shown. The orders of deck and stack and the box never are. [RULES.md section 7]
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from palazzo_env import components as box
from palazzo_env.palaces import palace_text, points_of, tiles_of
from palazzo_env.payment import price_of_one
from palazzo_env.state import (
    CHANGE_SPLIT,
    NO_CHANGE,
    NO_SLOT,
    PHASE_BID,
    PHASE_BUILD,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_FEE,
    PHASE_INTO,
    PHASE_MAIN,
    PHASE_MONEY,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_REBUILD,
    PHASE_SHARE,
)
from skyline.core.jit import FromPython
from skyline.draw.svg import FAINT, GROUND, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Svg, mix, number
from skyline.game import NO_SEAT, LastMove

_points_of, _price_of_one = FromPython(points_of), FromPython(price_of_one)

WIDTH, MARGIN, GAP = 900, 20, 8
INNER = WIDTH - 2 * MARGIN
MARKET_Y, QUARRY_W, QUARRY_H = 76, 262, 92
DEPOT_X, DEPOT_W = MARGIN + QUARRY_W + GAP, INNER - 2 * QUARRY_W - 2 * GAP
DEPOT_H = 2 * QUARRY_H + GAP
MONEY_Y, MONEY_H = MARKET_Y + DEPOT_H + GAP, 46
PANELS_Y, PANEL_H = MONEY_Y + MONEY_H + GAP, 156
HANDS_X, HANDS_W = 604, 266
FOOT_H = 66

TILE_W, TILE_H = 36, 30  # on a quarry
FLOOR_W, FLOOR_H = 56, 20  # in a palace
CARD_W, CARD_H = 20, 28

MATERIAL_FILL = {"b": "#D98A6C", "m": "#D5DCE6", "s": "#F0CE7E"}
MATERIAL_NAMES = "b brick, m marble, s sandstone"
CURRENCY_FILL = {"A": "#F6C3BC", "B": "#DDBB98", "C": "#CBD0D6", "2": PAPER}

QUARRY_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))  # column and row of each quarry, clockwise
PILE_NAMES = ("I", "II", "III")


class Cards(NamedTuple):
    """A kind of card and how often it is there."""

    text: str
    copies: int


# ---------------------------------------------------------------- what both pictures say


def cards_of(counts: Any) -> list[Cards]:
    return [Cards(box.CARD_TEXTS[card], int(n)) for card, n in enumerate(counts) if n]


def palaces_of(s: Any, seat: int) -> list[int]:
    """The keys of the seat's palaces in their order, each as often as it is there."""
    slots = range(s.palace_count[seat])
    return [int(s.palaces[seat, slot]) for slot in slots for _ in range(s.copies[seat, slot])]


def pending_tiles(s: Any) -> list[str]:
    """The tiles that are chosen or to be built."""
    if s.change != NO_CHANGE:
        return [box.TILE_TEXTS[s.change_tile]]
    return [box.TILE_TEXTS[tile] for tile in s.lot[: s.lot_size]]


def stack_words(s: Any) -> str:
    """What everybody knows of the stack. [section 7]"""
    left = box.STACK - int(s.stack_top)
    pile = PILE_NAMES[(left <= box.BELOW_PILE_1) + (left <= box.BELOW_PILE_2)]
    top = f" (top: pile {pile})" if left else ""
    return f"stack {left}{top}, {s.knights} of {box.KNIGHTS} knights drawn"


def decision(s: Any) -> str:
    """What is to be decided, in a line."""
    if s.phase == PHASE_OVER:
        scores = s.scores[: s.players].tolist()
        best = [str(seat) for seat in range(s.players) if scores[seat] == max(scores)]
        seats = f"seat {best[0]} has" if len(best) == 1 else f"seats {', '.join(best)} have"
        return f"Game over: {seats} most points"
    tiles = " ".join(pending_tiles(s))
    price = int(s.lot_size) * int(_price_of_one(s))
    words = {
        PHASE_MAIN: "draws tiles" + (", takes money or rebuilds" if s.quiet < s.quiet_limit else ""),
        PHASE_MONEY: "takes a card",
        PHASE_CHOICE: "buys or auctions",
        PHASE_BUY: "chooses a tile to buy" if not s.lot_size else f"buys {tiles}, and another tile?",
        PHASE_PAY: f"pays {price} for {tiles}",
        PHASE_BID: f"bids more than {s.standing} or passes",
        PHASE_SHARE: "takes one of the tiles",
        PHASE_BUILD: f"builds {tiles}",
        PHASE_REBUILD: "chooses what to rebuild",
        PHASE_INTO: f"inserts {tiles}: into which palace?",
        PHASE_FEE: f"pays a card to {_change(s)}",
    }
    return f"Seat {s.seat} {words[int(s.phase)]}"


def _change(s: Any) -> str:
    """The rebuilding that is to be paid for."""
    tile = box.TILE_TEXTS[s.change_tile]
    if s.change == CHANGE_SPLIT:
        return f"split {tile} off {palace_text(s.palaces[s.seat, s.change_slot])}"
    if s.target_slot != NO_SLOT:
        return f"insert {tile} into {palace_text(s.palaces[s.seat, s.target_slot])}"
    return f"remove {tile}"


def auction_words(s: Any, seat: int) -> str:
    """The seat's part in the running auction or payment."""
    if s.phase == PHASE_PAY and seat == s.seat:
        return f"paid {s.totals[seat]}"
    if s.phase != PHASE_BID:
        return ""
    if s.passed[seat]:
        return "passed"
    lock = f", currency {box.CURRENCY_LETTERS[s.locks[seat]]}" if s.locks[seat] >= 0 else ""
    return f"{'standing bid' if seat == s.holder else 'bid'} {s.totals[seat]}{lock}"


def _price(s: Any) -> str:
    return f"price {_price_of_one(s)} a tile" if s.depot_size else "empty"


def _deck(s: Any) -> str:
    return f"deck {s.deck_size - s.deck_top}"


def _view(seat: int | None) -> str:
    return "all hands shown" if seat is None else f"seen by seat {seat}"


# ---------------------------------------------------------------- the SVG picture


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    players = int(s.players)
    height = PANELS_Y + players * (PANEL_H + GAP) + FOOT_H
    picture = Svg(WIDTH, height, f"Palazzo, {players} players: {decision(s)}")
    picture.rect(0, 0, WIDTH, height, fill=GROUND)
    _draw_head(picture, s, seat)
    for quarry in range(box.QUARRIES):
        _draw_quarry(picture, s, quarry)
    _draw_depot(picture, s)
    _draw_money(picture, s)
    for p in range(players):
        _draw_panel(picture, s, p, seat, PANELS_Y + p * (PANEL_H + GAP))
    _draw_foot(picture, move, height - FOOT_H + 14)
    return str(picture)


def _draw_head(picture: Svg, s: Any, seat: int | None) -> None:
    picture.text(MARGIN, 42, "Palazzo", 24, bold=True)
    picture.text(MARGIN, 61, f"{s.players} players, {_view(seat)}", 12, MUTED)
    right = WIDTH - MARGIN
    wide = picture.text(right, 42, decision(s), 17, anchor="end", bold=True, width=620)
    if s.seat != NO_SEAT:
        picture.badge(right - wide - 16, 36, 18, SEATS[s.seat], str(s.seat))
    turn = "" if s.phase == PHASE_OVER else f"turn of seat {s.active}, "
    picture.text(right, 61, f"{turn}{stack_words(s)}", 12, MUTED, "end")


def _draw_box(picture: Svg, x: float, y: float, width: float, height: float, marked: bool) -> None:
    picture.rect(x, y, width, height, 8, fill=PAPER, stroke=INK if marked else LINE, stroke_width=2 if marked else 1)


def _draw_quarry(picture: Svg, s: Any, quarry: int) -> None:
    column, row = QUARRY_PLACES[quarry]
    x = MARGIN + column * (WIDTH - 2 * MARGIN - QUARRY_W)
    y = MARKET_Y + row * (QUARRY_H + GAP)
    has_builder = s.builder == quarry
    _draw_box(picture, x, y, QUARRY_W, QUARRY_H, has_builder and s.phase in (PHASE_BID, PHASE_SHARE))
    if has_builder:
        picture.rect(x + 86, y + 6, 110, 17, 8.5, fill=HIGHLIGHT)
        picture.text(x + 141, y + 18.5, "master builder", 11, anchor="middle", bold=True)
    picture.text(x + 9, y + 19, f"Quarry {quarry}", 13, bold=True)
    tiles = [box.TILE_TEXTS[tile] for tile in s.quarries[quarry, : s.quarry_size[quarry]]]
    picture.text(x + QUARRY_W - 9, y + 19, str(len(tiles)), 11, MUTED, "end")
    _draw_tiles(picture, tiles, x + 9, y + 27, QUARRY_W - 18, 2)


def _draw_depot(picture: Svg, s: Any) -> None:
    tiles = [box.TILE_TEXTS[tile] for tile in s.depot[: s.depot_size]]
    _draw_box(picture, DEPOT_X, MARKET_Y, DEPOT_W, DEPOT_H, s.phase in (PHASE_BUY, PHASE_PAY))
    picture.text(DEPOT_X + 9, MARKET_Y + 19, "Depot", 13, bold=True)
    picture.text(DEPOT_X + DEPOT_W - 9, MARKET_Y + 19, _price(s), 12, MUTED, "end")
    chosen = pending_tiles(s) if s.phase in (PHASE_BUY, PHASE_PAY) else []
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
        _draw_block(picture, tile, x, y, scale * TILE_W, scale * TILE_H, framed)
        size, base = scale * 11, y + scale * 11
        picture.text(x + scale * 4, base, tile[0], size, bold=True)
        picture.text(x + scale * (TILE_W - 4), base, tile[2], size, anchor="end")
        picture.path(_windows(tile, x, y + scale * 14, scale * TILE_W, scale * 13), fill=INK, opacity=0.75)


def _draw_block(picture: Svg, tile: str, x: float, y: float, width: float, height: float, framed: bool = False) -> None:
    fill = MATERIAL_FILL[tile[2]]
    stroke, thick = (INK, 2.5) if framed else (mix(fill, "#000000", 0.4), 1)
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
    y = MONEY_Y
    _draw_box(picture, MARGIN, y, INNER, MONEY_H, s.phase == PHASE_MONEY)
    picture.card_back(MARGIN + 9, y + 9, CARD_W, CARD_H)
    at = MARGIN + 38 + picture.text(MARGIN + 38, y + 28, _deck(s), 12, bold=True) + 18
    if s.face_up.any():
        at += picture.text(at, y + 28, "face up", 12, bold=True) + 8
        at = _draw_cards(picture, cards_of(s.face_up), at, y + 9, 160) + 14
    at += picture.text(at, y + 28, f"discards {s.discards.sum()}", 12, MUTED) + 8
    _draw_cards(picture, cards_of(s.discards), at, y + 9, WIDTH - MARGIN - 9 - at)


def _draw_cards(picture: Svg, cards: Sequence[Cards], x: float, y: float, width: float) -> float:
    """One card a kind with its number below the text; where they end."""
    step = min(CARD_W + 3.0, width / max(1, len(cards)))
    for i, card in enumerate(cards):
        left, wide = x + i * step, min(CARD_W, step - 1)
        picture.card(left, y, wide, CARD_H, CURRENCY_FILL[card.text[0]])
        picture.text(left + wide / 2, y + 12, card.text, 10, anchor="middle", bold=True, width=wide - 2)
        if card.copies > 1:
            picture.text(left + wide / 2, y + 24, f"x{card.copies}", 9, anchor="middle", width=wide - 2)
    return x + len(cards) * step


# ---------------------------------------------------------------- the panels


def _draw_panel(picture: Svg, s: Any, p: int, viewer: int | None, y: float) -> None:
    _draw_box(picture, MARGIN, y, INNER, PANEL_H, p == s.seat)
    left, right = MARGIN + 10, WIDTH - MARGIN - 10.0
    picture.badge(left + 9, y + 17, 18, SEATS[p], str(p))
    at = left + 26 + picture.text(left + 26, y + 22, f"Seat {p}", 14, bold=True) + 8
    if p == viewer:
        at += picture.text(at, y + 22, "you", 11, MUTED) + 8
    if p == s.active and s.phase != PHASE_OVER:
        picture.rect(at, y + 9, 58, 17, 8.5, fill=HIGHLIGHT)
        picture.text(at + 29, y + 21.5, "on turn", 11, anchor="middle", bold=True)
        at += 68
    picture.text(at, y + 22, auction_words(s, p), 13, bold=s.phase == PHASE_BID and p == s.holder)
    right -= picture.text(right, y + 24, str(s.scores[p]), 20, anchor="end", bold=True) + 10
    if p == s.seat and s.lot_size and s.phase == PHASE_BUILD:
        for i, tile in enumerate(reversed(pending_tiles(s))):
            _draw_tile(picture, tile, right - (i + 1) * 32, y + 5, 0.75)
        picture.text(right - 32 * int(s.lot_size) - 6, y + 21, "to build", 11, MUTED, "end")
    _draw_palaces(picture, s, p, left, y + PANEL_H - 24, HANDS_X - 20 - left)
    _draw_hand(picture, s, p, viewer is None or viewer == p, y + 36)


def _draw_palaces(picture: Svg, s: Any, p: int, x: float, ground: float, width: float) -> None:
    """The palaces stand on a line, their points below it; narrower ones if there are many. The tile that is rebuilt
    is framed."""
    palaces = palaces_of(s, p)
    picture.line(x, ground, x + width, ground, stroke=LINE)
    if not palaces:
        picture.text(x, ground - 8, "no palaces", 11, FAINT)
    step = min(FLOOR_W + 10, width / max(1, len(palaces)))
    wide = min(FLOOR_W, 0.82 * step)
    rebuilt = s.change_tile if p == s.seat and s.change != NO_CHANGE else None
    for i, key in enumerate(palaces):
        left = x + i * step
        with picture.group(palace_text(key)):
            for level, tile in enumerate(tiles_of(key)):
                framed = tile == rebuilt and key == s.palaces[p, s.change_slot]
                _draw_floor(picture, box.TILE_TEXTS[tile], left, ground - (level + 1) * FLOOR_H, wide, framed)
            label = f"{_points_of(key)}"
            picture.text(left + wide / 2, ground + 13, label, 11, anchor="middle", bold=True, width=wide)


def _draw_floor(picture: Svg, tile: str, x: float, y: float, width: float, framed: bool) -> None:
    """A tile in a palace: floor, windows, material."""
    _draw_block(picture, tile, x, y, width, FLOOR_H, framed)
    picture.text(x + 0.06 * width, y + 14, tile[0], 11, bold=True, width=0.18 * width)
    picture.text(x + 0.94 * width, y + 14, tile[2], 11, anchor="end", width=0.19 * width)
    picture.path(_windows(tile, x + 0.2 * width, y + 3, 0.6 * width, FLOOR_H - 5), fill=INK, opacity=0.75)


def _draw_hand(picture: Svg, s: Any, p: int, seen: bool, y: float) -> None:
    """The hand, by kinds or as backs, and below it the cards laid."""
    held, laid = int(s.hands[p].sum()), int(s.table[p].sum())
    picture.text(HANDS_X, y + 10, f"hand {held}", 11, MUTED)
    if seen:
        _draw_cards(picture, cards_of(s.hands[p]), HANDS_X, y + 15, HANDS_W)
    else:
        step = min(9.0, (HANDS_W - CARD_W) / max(1, held))
        for i in range(held):
            picture.card_back(HANDS_X + i * step, y + 15, CARD_W, CARD_H)
    if laid:
        picture.text(HANDS_X, y + 66, f"laid {laid}", 11, MUTED)
        _draw_cards(picture, cards_of(s.table[p]), HANDS_X, y + 71, HANDS_W)


def _draw_foot(picture: Svg, move: str | None, y: float) -> None:
    if move is not None:
        picture.text(MARGIN, y, f"Last move: {move}", 14)
    legend = (
        f"Tiles: floor, windows, material ({MATERIAL_NAMES}). Below a palace its points, in a panel's corner the sum.",
        "Cards: currency and value, 2 = neutral certificate, xN = copies. The next auction is on the first quarry "
        "clockwise from the master builder's that has tiles.",
    )
    for i, line in enumerate(legend):
        picture.text(MARGIN, y + 20 + 15 * i, line, 10.5, MUTED, width=INNER)


# ---------------------------------------------------------------- the text picture

COLUMNS = 99


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, at most 99 columns wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    turn = "the game is over" if s.phase == PHASE_OVER else f"turn of seat {s.active}"
    lines = [f"Palazzo, {s.players} players, {_view(seat)}: {turn}, {stack_words(s)}.", f"{decision(s)}."]
    if move is not None:
        lines.append(f"Last move: {move}")
    lines += ["", *_wrapped(f"Depot ({_price(s)}):", _tile_words(s.depot, s.depot_size))]
    for quarry in range(box.QUARRIES):
        mark = " <- master builder" if s.builder == quarry else ""
        tiles = _tile_words(s.quarries[quarry], s.quarry_size[quarry])
        lines += _wrapped(f"Quarry {quarry}:", [*tiles, mark] if mark else tiles)
    money = [_deck(s) + ";"]
    if s.face_up.any():
        money += ["face up", *_card_words(s.face_up), ";"]
    lines += _wrapped("Money:", [*money, f"discards {s.discards.sum()}:", *_card_words(s.discards)])
    for p in range(s.players):
        lines += ["", *_seat_lines(s, p, seat)]
    return (
        "\n".join([*lines, "", f"Tiles: floor, windows, material ({MATERIAL_NAMES}). Palaces: points in brackets."])
        + "\n"
    )


def _tile_words(tiles: Any, size: int) -> list[str]:
    return [box.TILE_TEXTS[tile] for tile in tiles[:size]] or ["-"]


def _card_words(counts: Any) -> list[str]:
    return [card.text + (f"x{card.copies}" if card.copies > 1 else "") for card in cards_of(counts)] or ["-"]


def _wrapped(head: str, words: Sequence[str]) -> list[str]:
    """A head and words in lines; the lines after the first are indented."""
    return textwrap.wrap(" ".join([head, *words]), COLUMNS, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)  # fmt: skip


def _seat_lines(s: Any, p: int, viewer: int | None) -> list[str]:
    """Points, part in the auction, palaces, hand, cards laid."""
    marks = [" (you)"] * (p == viewer) + [" (on turn)"] * bool(p == s.active and s.phase != PHASE_OVER)
    words = auction_words(s, p)
    lines = [f"Seat {p}{''.join(marks)}: {s.scores[p]} points" + (f"; {words}" if words else "")]
    palaces = [f"{palace_text(key)} ({_points_of(key)})" for key in palaces_of(s, p)]
    lines += _wrapped("   palaces:", palaces or ["-"])
    held = int(s.hands[p].sum())
    lines += _wrapped(f"   hand {held}:", _card_words(s.hands[p]) if viewer in (None, p) else ["?"] * bool(held))
    if s.table[p].any():
        lines += _wrapped("   laid:", _card_words(s.table[p]))
    return lines
