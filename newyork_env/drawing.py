"""A position as an SVG picture, from a seat's view.

    +-----------------------------------------------+     a tile: ground colour and letter of its type, price in
    | title        clock                   decision |     the depot, id in city and reserve; streets are thick
    | depot        market           piles, scorings |     dark edges
    +-----------------------+-----------------------+
    | seat A: score, street | seat B                |     a panel: what the seat would get for types now, tiles
    |   city                |   city                |     by type, the city as a map with the coordinates of the
    |   reserve, hand       |   reserve, hand       |     moves, reserve, bought tiles, hand
    +-----------------------+-----------------------+
    | last move, legend                             |

The row is read and never changed. With a seat, what section 7 of RULES.md hides from it is not read: the order of deck
and bag, with TABLE the other hands and the discards, too; what the seat remembers is marked as remembered.
Without a seat all hands are shown; deck, bag and discards are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from newyork_env import components as box
from newyork_env import words
from newyork_env.actions import CARD_TEXTS
from newyork_env.position import tiles_at
from newyork_env.state import AT_DIRK, IN_RESERVE, TO_PLACE
from newyork_env.words import BANK_NAMES, TYPE_LEGEND, TYPE_LETTERS, Map, letter_of, street_on, tile_text
from skyline.draw import layout
from skyline.draw.layout import INNER, MARGIN, WIDTH
from skyline.draw.svg import FAINT, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Svg, mix
from skyline.game import NO_SEAT, LastMove, seat_name
from skyline.telling import view

GAP = 10
TABLE_Y, TABLE_H = 76, 122
PANELS_Y = TABLE_Y + TABLE_H + GAP
HEAD_H, MAP_H, TILES_H, HAND_H = 56, 184, 54, 82
PANEL_H = HEAD_H + MAP_H + TILES_H + HAND_H + 10
LABELS_W, LABELS_H = 15, 12  # room for the coordinates of rows and columns
LARGEST_CELL = 44.0
LEAST_NUMBERED = 20  # pixels of a city tile with a number
LEAST_LETTERED = 14  # pixels of a tile with a number and a letter
ICON_SIZES = (31, 25, 20, 15, 11, 9)  # pixels of a tile in the reserve
LEGEND_H = 50
LINE_LENGTH = 116  # characters of the last move in a line
STREET_INK = "#2B2B33"

TYPE_FILLS = ("#BFD7F2", "#F5C3CF", "#E3D3B8", "#D9CBEF", "#C5E3B9", "#F7DDA0")
BANK_FILLS = ("#2F6FC4", "#2E8B4F", "#E5BE2B", "#C83C35")
BANK_INKS = (PAPER, PAPER, INK, PAPER)
LAST = "#D0342C"  # the outline of the tile laid last


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    players = int(s.players)
    told = layout.told(last_move.story if last_move else "", LINE_LENGTH)
    columns = 3 if players in (3, 5, 6) else 2
    rows = -(-players // columns)
    things = layout.remembered_rows(words.remembered_things(s, seat))
    below = PANELS_Y + rows * (PANEL_H + GAP)
    foot = below + layout.remembered_height(things)
    height = foot + layout.FOOT_STEP * len(told) + LEGEND_H + 2 * layout.LEGEND_STEP * bool(things)
    title = f"New York, {players} players, {words.clock(s)}"
    picture = layout.page(height, title, "New York", f"{players} players, {view(seat)}")
    _draw_head(picture, s)
    _draw_table(picture, s)
    width = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    for p in range(players):
        x, y = MARGIN + p % columns * (width + GAP), PANELS_Y + p // columns * (PANEL_H + GAP)
        _draw_panel(picture, s, p, seat, words.last_cell(last_move, p), x, y, width)
    layout.remembered_box(picture, things, below)
    _draw_foot(picture, told, bool(things), foot)
    return str(picture)


def _draw_head(picture: Svg, s: Any) -> None:
    """Clock, scorings, decision, purchase."""
    picture.text(262, 40, words.clock(s), 13, bold=True, width=300)
    picture.text(262, layout.BELOW_TITLE_Y, words.scorings(s), 12, MUTED)
    layout.decision(picture, words.decision(s), None if s.seat == NO_SEAT else s.seat, 16, 290)
    picture.text(WIDTH - MARGIN, layout.BELOW_TITLE_Y, words.purchase(s), 12, MUTED, "end", width=330)


def _draw_table(picture: Svg, s: Any) -> None:
    """Depot, market, piles, Dirk."""
    y = TABLE_Y
    layout.box(picture, MARGIN, y, INNER, TABLE_H)
    for i in range(box.SLOTS):
        _draw_slot(picture, s, i, MARGIN + 12 + 84 * i, y)
    left = MARGIN + 366
    picture.text(left, y + 18, "market", 11, MUTED)
    for i in range(box.SLOTS):
        _draw_card(picture, int(s.market[i]), left + 52 * i, y + 28)
    left += 52 * box.SLOTS + 24
    deck, bag = s.deck_size - s.deck_top, box.TILES - s.bag_top
    for row, (what, count) in enumerate((("in the deck", deck), ("discarded", s.discards_size), ("in the bag", bag))):
        picture.text(left + 28, y + 36 + 22 * row, str(count), 14, anchor="end", bold=True)
        picture.text(left + 36, y + 36 + 22 * row, what, 12, MUTED)
    for row, places in enumerate(words.scoring_places(s)):
        picture.text(left + 8, y + 99 + 14 * row, places, 11, MUTED, width=WIDTH - MARGIN - 10 - left - 8)
    if s.players == 2:
        _draw_dirk(picture, s, left + 124, y)


def _draw_slot(picture: Svg, s: Any, slot: int, x: float, y: float) -> None:
    """A slot of the depot: its number in the colour of its bank, and its tile with the price."""
    picture.rect(x, y + 7, 16, 16, 3, fill=BANK_FILLS[slot])
    picture.text(x + 8, y + 19, str(slot), 11.5, BANK_INKS[slot], "middle", bold=True)
    picture.text(x + 22, y + 19, BANK_NAMES[slot], 11, MUTED)
    if slot == s.slot:
        picture.rect(x - 6, y + 3, 84, 114, 6, fill="none", stroke=INK, stroke_width=2)
    if s.depot[slot] == box.NO_TILE:
        layout.gap(picture, x + 10, y + 29, 52, 52, 4)
        return
    tile = int(s.depot[slot])
    _draw_tile(picture, tile, x + 10, y + 29, 52, str(box.PRICE[tile]))
    picture.text(x + 36, y + 95, f"tile {tile}", 10, MUTED, "middle")
    picture.text(x + 36, y + 110, box.TYPES[box.TYPE[tile]], 11, anchor="middle", width=66)


def _draw_dirk(picture: Svg, s: Any, x: float, y: float) -> None:
    """The tiles of the imaginary third participant of a game for two."""
    picture.text(x, y + 18, f"Dirk: {len(tiles_at(s, AT_DIRK))} tiles", 11, MUTED)
    _draw_types(picture, s.types[box.DIRK].tolist(), x, y + 30, 20, 3)


def _draw_types(picture: Svg, counts: list[int], x: float, y: float, size: float, columns: int) -> None:
    """How many tiles of each type."""
    for kind, count in enumerate(counts):
        left, top = x + kind % columns * 2.1 * size, y + kind // columns * 1.4 * size
        picture.rect(left, top, size, size, 3, fill=TYPE_FILLS[kind], stroke=FAINT, stroke_width=0.6)
        letter = TYPE_LETTERS[kind]
        picture.text(left + size / 2, top + 0.75 * size, letter, 0.68 * size, anchor="middle", bold=True)
        ink = INK if count else FAINT
        picture.text(left + 1.15 * size, top + 0.75 * size, str(count), 0.68 * size, ink, bold=bool(count))


def _draw_card(picture: Svg, card: int, x: float, y: float) -> None:
    """A card of the market, or its empty place."""
    if card == box.NO_CARD:
        layout.gap(picture, x, y, 42, 62, 5)
        return
    bank = int(box.CARD_BANK[card])
    picture.card(x, y, 42, 62, BANK_FILLS[bank], INK)
    picture.text(x + 21, y + 39, CARD_TEXTS[card], 22, BANK_INKS[bank], "middle", bold=True)


def _draw_tile(picture: Svg, tile: int, x: float, y: float, size: float, number: str) -> None:
    """A tile with the letter of its type and a number; a very small one has the number instead of the letter.

    The start tile is tile 0.
    """
    fill = TYPE_FILLS[box.TYPE[tile]] if tile else PAPER
    name = f"tile {tile_text(tile)}, {box.TYPES[box.TYPE[tile]]}" if tile else "start tile"
    with picture.group(name):
        picture.rect(x, y, size, size, size / 14, fill=fill, stroke=FAINT, stroke_width=0.7)
        letter, middle = letter_of(tile) if tile else "*", x + size / 2
        if not number or size < LEAST_LETTERED:
            picture.text(middle, y + 0.68 * size, number or letter, 0.52 * size, anchor="middle", bold=True)
        else:
            picture.text(middle, y + 0.5 * size, letter, 0.4 * size, anchor="middle", bold=True)
            picture.text(middle, y + 0.82 * size, number, 0.3 * size, MUTED, "middle")
        wide = size / 9
        edges = ((0, 0, size, wide), (size - wide, 0, wide, size), (0, size - wide, size, wide), (0, 0, wide, size))
        for side, (dx, dy, w, h) in enumerate(edges):
            if street_on(tile, side):
                picture.rect(x + dx, y + dy, w, h, fill=STREET_INK)


# ---------------------------------------------------------------- the panels


def _draw_panel(
    picture: Svg, s: Any, p: int, viewer: int | None, last: tuple[int, int] | None, x: float, y: float, width: float
) -> None:
    """A seat: score, tiles by type, city, reserve, hand. `last` is the cell of the tile that the seat laid last."""
    layout.box(picture, x, y, width, PANEL_H, p == s.seat)
    left, right = x + 10, x + width - 10
    picture.badge(left + 9, y + 18, 19, SEATS[p])
    at = left + 26 + picture.text(left + 26, y + 23, f"Seat {seat_name(p)}", 14, bold=True) + 6
    if p == viewer:
        picture.text(at, y + 23, "you", 11, MUTED)
    score = picture.text(right, y + 26, str(s.scores[p]), 21, anchor="end", bold=True)
    now = words.points_now(s, p)
    picture.text(right - score - 8, y + 24, now, 10.5, MUTED, "end", width=right - score - 8 - at - 26)
    _draw_types(picture, s.types[p].tolist(), left, y + 35, 15, 6)
    _draw_map(picture, words.map_of(s, p), last, left, y + HEAD_H, width - 20, MAP_H)
    _draw_tiles(picture, s, p, left, y + HEAD_H + MAP_H, width - 20)
    _draw_hand(picture, s, p, viewer, left, right, y + HEAD_H + MAP_H + TILES_H + 4)


def _draw_map(
    picture: Svg, city: Map, last: tuple[int, int] | None, x: float, y: float, width: float, height: float
) -> None:
    """The city in the middle of the place there is, as large as it can be, with the coordinates of rows and columns."""
    across, down = len(city.x), len(city.y)
    size = min(LARGEST_CELL, (width - LABELS_W) / across, (height - LABELS_H - 8) / down)
    x += LABELS_W + (width - LABELS_W - size * across) / 2
    y += (height - LABELS_H - size * down) / 2
    label = min(9.0, 0.9 * size)
    for i, row in enumerate(reversed(city.y)):
        picture.text(x - 4, y + size * (i + 0.5) + 0.36 * label, str(row), label, MUTED, "end")
    for i, column in enumerate(city.x):
        picture.text(x + size * (i + 0.5), y + size * down + 10, str(column), 9, MUTED, "middle", width=0.9 * size)
    for (column, row), tile in sorted(city.tiles.items()):
        left, top = x + size * (column - city.x[0]), y + size * (city.y[-1] - row)
        _draw_tile(picture, tile, left, top, size, str(tile) if tile and size >= LEAST_NUMBERED else "")
    if last in city.tiles:
        left, top = x + size * (last[0] - city.x[0]), y + size * (city.y[-1] - last[1])
        picture.rect(left - 1, top - 1, size + 2, size + 2, 2, fill="none", stroke=LAST, stroke_width=2.5)


def _draw_tiles(picture: Svg, s: Any, p: int, x: float, y: float, width: float) -> None:
    """The reserve and, behind a mark, the tiles to be placed."""
    reserve, due = tiles_at(s, IN_RESERVE + p), tiles_at(s, TO_PLACE + p)
    picture.line(x, y, x + width, y, stroke=LINE)
    label = f"reserve {len(reserve)}" + (f", to place {len(due)}" if due else "")
    picture.text(x, y + 13, label, 9.5, MUTED)
    tiles = due + reserve
    size = next(
        (z for z in ICON_SIZES if (width // (z + 3)) * max(1, (TILES_H - 18) // (z + 3)) >= len(tiles)), ICON_SIZES[-1]
    )
    a_row = int(width // (size + 3))
    for i, tile in enumerate(tiles):
        left, top = x + i % a_row * (size + 3), y + 18 + i // a_row * (size + 3)
        if i < len(due):
            picture.rect(left - 1.5, top - 1.5, size + 3, size + 3, 3, fill=HIGHLIGHT)
        _draw_tile(picture, tile, left, top, size, str(tile))


def _draw_hand(picture: Svg, s: Any, p: int, viewer: int | None, left: float, right: float, y: float) -> None:
    """The cards by bank with their sum, marked if the viewer remembers them; or backs."""
    picture.line(left, y - 4, right, y - 4, stroke=LINE)
    is_open, held = viewer is None or viewer == p, int(s.held[p])
    hand = [words.cards_in_hand(s, p, bank) for bank in range(box.BANKS)] if is_open else None
    if viewer is not None and not is_open:
        hand = words.remembered_hand(s, viewer, p)
    known = 0 if is_open or hand is None else held
    picture.text(left, y + 8, layout.hand_label(held, known), 9.5, MUTED)
    if hand is None:
        step = min(22.0, (right - left - 18) / max(1, held - 1))
        for i in range(held):
            picture.card_back(left + step * i, y + 16, 18, 26)
        return
    if known:
        layout.remembered_ground(picture, left - 4, y + 13, right - left + 8, 66)
    for bank, cards in enumerate(hand):
        top, fill = y + 15 + 16 * bank, BANK_FILLS[bank]
        picture.rect(left, top, 13, 13, 3, fill=mix(fill, PAPER, layout.PALER) if known else fill)
        picture.text(left + 20, top + 11, " ".join(cards) or "-", 11, MUTED if known else INK, width=right - left - 56)
        picture.text(right, top + 11, str(sum(int(card[1]) for card in cards)), 11, MUTED, "end")


def _draw_foot(picture: Svg, told: Sequence[str], has_remembered: bool, y: float) -> None:
    """The story of the last move in lines, and the legend."""
    legend = (
        f"Tiles: {TYPE_LEGEND}; thick edges are streets; * the start tile; red frame: laid last. Depot: slot, bank, "
        "price. City and reserve: number.",
        "Panels: points so far; street and points for types if the next scoring were now; tiles by type; city with x "
        "below and y at the left; reserve, tiles to place in front; cards by bank and their sum.",
        *[layout.REMEMBERED_LEGEND, f"{words.LEFTOVER_LEGEND}."] * has_remembered,
    )
    layout.foot(picture, told, legend, y + 12, y + 14 + layout.FOOT_STEP * len(told))
