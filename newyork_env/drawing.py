"""A position as an SVG picture and as text, from a seat's view.

    +-----------------------------------------------+     a tile: ground colour and letter of its type, price in
    | title        clock                   decision |     the depot and reserve, id in a city; streets are thick
    | depot        market           piles, scorings |     dark edges
    +-----------------------+-----------------------+
    | seat 0: score, street | seat 1                |     a panel: what the seat would get for types now, tiles
    |   city                |   city                |     by type, the city as a map, reserve, bought tiles, hand
    |   reserve, hand       |   reserve, hand       |
    +-----------------------+-----------------------+
    | last move, legend                             |

Both read the row and never change it. With a seat, what section 7 of RULES.md hides from it is not read: the other
hands, the order of deck and bag, the discards. Without one all hands are shown; deck, bag and discards never are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from newyork_env import components as box
from newyork_env.actions import card_text
from newyork_env.position import city_of, tiles_at
from newyork_env.scoring import next_scoring
from newyork_env.state import (
    AT_DIRK,
    IN_RESERVE,
    NO_SLOT,
    PHASE_BUILD,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_PLACE,
    PHASE_PUT,
    TO_PLACE,
)
from skyline.core.jit import FromPython
from skyline.draw.svg import FAINT, GROUND, HIGHLIGHT, INK, LINE, MUTED, PAPER, SEATS, Svg
from skyline.game import NO_SEAT, LastMove

_next_scoring = FromPython(next_scoring)

WIDTH, MARGIN, GAP = 900, 20, 10
TABLE_Y, TABLE_H = 76, 122
PANELS_Y = TABLE_Y + TABLE_H + GAP
HEAD_H, MAP_H, TILES_H, HAND_H = 56, 176, 46, 66
PANEL_H = HEAD_H + MAP_H + TILES_H + HAND_H + 10
LARGEST_CELL = 44.0
ICON_SIZES = (22, 18, 14, 11, 8)
STREET_INK = "#2B2B33"

TYPE_LETTERS = "MTSCPK"
TYPE_FILLS = ("#BFD7F2", "#F5C3CF", "#E3D3B8", "#D9CBEF", "#C5E3B9", "#F7DDA0")
BANK_FILLS = ("#2F6FC4", "#2E8B4F", "#E5BE2B", "#C83C35")
BANK_INKS = (PAPER, PAPER, INK, PAPER)
SCORINGS = "ABC"


class Map(NamedTuple):
    """A city: its tiles by cell and the cells it spans."""

    tiles: dict[tuple[int, int], int]
    x: range
    y: range


# ---------------------------------------------------------------- what both pictures say


def map_of(s: Any, seat: int) -> Map:
    """The city of a seat; the start tile is tile 0 at (0, 0)."""
    tiles = {(x, y): tile for x, y, tile in city_of(s, seat)} | {(0, 0): 0}
    xs, ys = [x for x, _ in tiles], [y for _, y in tiles]
    return Map(tiles, range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1))


def has_street(tile: int, side: int) -> bool:
    """Whether a tile has a street on side 0 .. 3 = N E S W."""
    return bool(box.STREETS[tile] >> side & 1)


def letter_of(tile: int) -> str:
    return TYPE_LETTERS[box.TYPE[tile]]


def streets_text(tile: int) -> str:
    """`NES`, or `-` for a tile without streets."""
    return "".join(name for side, name in enumerate(box.SIDES) if has_street(tile, side)) or "-"


def tile_text(tile: int) -> str:
    """`26 C7 NE`: id, type and price, streets."""
    return f"{tile} {letter_of(tile)}{box.PRICE[tile]} {streets_text(tile)}"


def mover(s: Any) -> int:
    """The seat that made the last move, as far as it follows from the position; otherwise NO_SEAT."""
    if s.ending:
        return NO_SEAT
    begun = s.phase != PHASE_MAIN or (s.depot == box.NO_TILE).any()
    return int(s.seat) if begun else (int(s.seat) - 1) % int(s.players)


def _cell_of(move: str | None) -> tuple[int, int] | None:
    words = (move or "").split()
    return (int(words[1]), int(words[2])) if words[:1] == ["at"] else None


def _clock(s: Any) -> str:
    turn = int(s.turns) + (s.phase != PHASE_OVER and not s.ending)
    if s.phase == PHASE_OVER:
        return f"after {turn} turns: the game is over"
    return f"turn {turn} of at most {s.max_turns}" if not s.ending else f"after {turn} turns: leftover tiles"


def _decision(s: Any) -> str:
    if s.phase == PHASE_OVER:
        best = [str(seat) for seat in range(s.players) if s.scores[seat] == max(s.scores[: s.players])]
        return f"Seat {best[0]} wins" if len(best) == 1 else f"Seats {', '.join(best)} share the win"
    chosen = tile_text(int(s.chosen))
    what = {
        PHASE_MAIN: "chooses a main action",
        PHASE_PAY: "pays",
        PHASE_BUILD: f"builds {chosen}",
        PHASE_PLACE: "chooses a tile to place",
        PHASE_PUT: f"places {chosen}",
    }[int(s.phase)]
    return f"Seat {s.seat} {what}"


def _purchase(s: Any) -> str:
    """What is laid for the tile being bought."""
    if s.slot == NO_SLOT:
        return ""
    laid = [str(value) for value in range(box.VALUES, 0, -1) for _ in range(s.laid[value])]
    return f"buying slot {s.slot}: laid {' '.join(laid) or 'nothing'} of {box.PRICE[s.depot[s.slot]]}"


def _scorings(s: Any) -> str:
    done = [SCORINGS[i] for i in range(2) if s.scored >> i & 1]
    if s.phase == PHASE_OVER:
        return f"scored: {' '.join([*done, 'C'])}"
    return f"scored: {' '.join(done) or 'none'}; next: {SCORINGS[_next_scoring(s)]}"


def _hand(s: Any, seat: int, bank: int) -> list[int]:
    """The values of a bank's cards in hand, from low to high."""
    counts = s.hands[seat, box.VALUES * bank : box.VALUES * (bank + 1)]
    return [value for value in range(1, box.VALUES + 1) for _ in range(counts[value - 1])]


def _points_now(s: Any, seat: int) -> str:
    """Street and points for types at the next scoring as things stand, or those of the last one."""
    when = "at C" if s.phase == PHASE_OVER else "now"
    return f"street {s.street[seat]}, types +{int(s.majority[seat].sum())} {when}"


def _view(seat: int | None) -> str:
    return "all hands shown" if seat is None else f"seen by seat {seat}"


# ---------------------------------------------------------------- the SVG picture


def svg(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as SVG, 900 pixels wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    players = int(s.players)
    columns = 3 if players in (3, 5, 6) else 2
    rows = -(-players // columns)
    height = PANELS_Y + rows * (PANEL_H + GAP) + 66
    picture = Svg(WIDTH, height, f"New York, {players} players, {_clock(s)}")
    picture.rect(0, 0, WIDTH, height, fill=GROUND)
    _draw_head(picture, s, seat)
    _draw_table(picture, s)
    width = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    for p in range(players):
        x, y = MARGIN + p % columns * (width + GAP), PANELS_Y + p // columns * (PANEL_H + GAP)
        _draw_panel(picture, s, p, seat, move, x, y, width)
    _draw_foot(picture, height - 56, move, s)
    return str(picture)


def _draw_head(picture: Svg, s: Any, seat: int | None) -> None:
    picture.text(MARGIN, 42, "New York", 24, bold=True)
    picture.text(MARGIN, 61, f"{s.players} players, {_view(seat)}", 12, MUTED)
    picture.text(262, 40, _clock(s), 13, bold=True, width=300)
    picture.text(262, 61, _scorings(s), 12, MUTED)
    right = WIDTH - MARGIN
    wide = picture.text(right, 42, _decision(s), 16, anchor="end", bold=True, width=290)
    if s.seat != NO_SEAT:
        picture.badge(right - wide - 16, 36, 18, SEATS[s.seat])
    picture.text(right, 61, _purchase(s), 12, MUTED, "end", width=330)


def _draw_table(picture: Svg, s: Any) -> None:
    """Depot, market, piles, Dirk."""
    y = TABLE_Y
    picture.rect(MARGIN, y, WIDTH - 2 * MARGIN, TABLE_H, 8, fill=PAPER, stroke=LINE)
    picture.text(MARGIN + 12, y + 18, "depot", 11, MUTED)
    for i in range(box.SLOTS):
        x = MARGIN + 12 + 84 * i
        _draw_bank(picture, i, x, y + 26, 16)
        if i == s.slot:
            picture.rect(x - 6, y + 22, 86, 94, 6, fill="none", stroke=INK, stroke_width=2)
        if s.depot[i] == box.NO_TILE:
            picture.rect(x + 20, y + 26, 52, 52, 4, fill="none", stroke=LINE, stroke_dasharray="3 3")
            continue
        tile = int(s.depot[i])
        _draw_tile(picture, tile, x + 20, y + 26, 52, str(box.PRICE[tile]))
        picture.text(x + 46, y + 92, f"tile {tile}", 10, MUTED, "middle")
        picture.text(x + 46, y + 108, box.TYPES[box.TYPE[tile]], 11, anchor="middle", width=66)
    left = MARGIN + 366
    picture.text(left, y + 18, "market", 11, MUTED)
    for i in range(box.SLOTS):
        _draw_card(picture, int(s.market[i]), left + 52 * i, y + 28)
    left += 52 * box.SLOTS + 24
    deck, bag = s.deck_size - s.deck_top, box.TILES - s.bag_top
    for row, (what, count) in enumerate((("in the deck", deck), ("discarded", s.discards_size), ("in the bag", bag))):
        picture.text(left + 28, y + 36 + 22 * row, str(count), 14, anchor="end", bold=True)
        picture.text(left + 36, y + 36 + 22 * row, what, 12, MUTED)
    if s.players == 2:
        _draw_dirk(picture, s, left + 124, y)


def _draw_dirk(picture: Svg, s: Any, x: float, y: float) -> None:
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


def _draw_bank(picture: Svg, bank: int, x: float, y: float, size: float) -> None:
    picture.rect(x, y, size, size, 3, fill=BANK_FILLS[bank])
    letter = box.BANK_LETTERS[bank]
    picture.text(x + size / 2, y + 0.77 * size, letter, 0.72 * size, BANK_INKS[bank], "middle", bold=True)


def _draw_card(picture: Svg, card: int, x: float, y: float) -> None:
    if card == box.NO_CARD:
        picture.rect(x, y, 42, 62, 5, fill="none", stroke=LINE, stroke_dasharray="3 3")
        return
    bank, value = int(box.BANK_OF[card]), int(box.VALUE_OF[card])
    picture.card(x, y, 42, 62, BANK_FILLS[bank], INK)
    picture.text(x + 21, y + 36, str(value), 24, BANK_INKS[bank], "middle", bold=True)
    picture.text(x + 21, y + 54, box.BANK_LETTERS[bank], 12, BANK_INKS[bank], "middle", bold=True)


def _draw_tile(picture: Svg, tile: int, x: float, y: float, size: float, number: str) -> None:
    """A tile with its type's letter and, where it is large enough, a number; the start tile is tile 0."""
    fill = TYPE_FILLS[box.TYPE[tile]] if tile else PAPER
    name = f"tile {tile_text(tile)}, {box.TYPES[box.TYPE[tile]]}" if tile else "start tile"
    with picture.group(name):
        picture.rect(x, y, size, size, size / 14, fill=fill, stroke=FAINT, stroke_width=0.7)
        letter = letter_of(tile) if tile else "*"
        with_number = bool(number) and size >= 20
        base = y + (0.5 if with_number else 0.68) * size
        picture.text(x + size / 2, base, letter, (0.4 if with_number else 0.52) * size, anchor="middle", bold=True)
        if with_number:
            picture.text(x + size / 2, y + 0.82 * size, number, 0.27 * size, MUTED, "middle")
        wide = size / 9
        edges = ((0, 0, size, wide), (size - wide, 0, wide, size), (0, size - wide, size, wide), (0, 0, wide, size))
        for side, (dx, dy, w, h) in enumerate(edges):
            if has_street(tile, side):
                picture.rect(x + dx, y + dy, w, h, fill=STREET_INK)


# ---------------------------------------------------------------- the panels


def _draw_panel(
    picture: Svg, s: Any, p: int, viewer: int | None, move: str | None, x: float, y: float, width: float
) -> None:
    decides = p == s.seat
    picture.rect(x, y, width, PANEL_H, 8, fill=PAPER, stroke=INK if decides else LINE, stroke_width=2 if decides else 1)
    left, right = x + 10, x + width - 10
    picture.badge(left + 9, y + 18, 19, SEATS[p])
    at = left + 26 + picture.text(left + 26, y + 23, f"Seat {p}", 14, bold=True) + 6
    if p == viewer:
        picture.text(at, y + 23, "you", 11, MUTED)
    score = picture.text(right, y + 26, str(s.scores[p]), 21, anchor="end", bold=True)
    now = _points_now(s, p)
    picture.text(right - score - 8, y + 24, now, 10.5, MUTED, "end", width=right - score - 8 - at - 26)
    _draw_types(picture, s.types[p].tolist(), left, y + 35, 15, 6)
    last = _cell_of(move) if p == mover(s) else None
    _draw_map(picture, map_of(s, p), last, left, y + HEAD_H, width - 20, MAP_H)
    _draw_tiles(picture, s, p, left, y + HEAD_H + MAP_H, width - 20)
    _draw_hand(picture, s, p, viewer in (None, p), left, right, y + HEAD_H + MAP_H + TILES_H + 4)


def _draw_map(
    picture: Svg, city: Map, last: tuple[int, int] | None, x: float, y: float, width: float, height: float
) -> None:
    """The city in the middle of the place there is, as large as it can be."""
    size = min(LARGEST_CELL, width / len(city.x), (height - 8) / len(city.y))
    x += (width - size * len(city.x)) / 2
    y += (height - size * len(city.y)) / 2
    for (column, row), tile in sorted(city.tiles.items()):
        left, top = x + size * (column - city.x[0]), y + size * (city.y[-1] - row)
        _draw_tile(picture, tile, left, top, size, str(tile) if tile else "")
        if (column, row) == last:
            picture.rect(left - 1, top - 1, size + 2, size + 2, 2, fill="none", stroke="#D0342C", stroke_width=2.5)


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
        _draw_tile(picture, tile, left, top, size, "")


def _draw_hand(picture: Svg, s: Any, p: int, seen: bool, left: float, right: float, y: float) -> None:
    """The cards by bank with their sum, or their number."""
    picture.line(left, y - 4, right, y - 4, stroke=LINE)
    if not seen:
        picture.card_back(left, y + 6, 18, 26)
        picture.text(left + 26, y + 24, "1 card" if s.held[p] == 1 else f"{s.held[p]} cards", 12)
        return
    for bank in range(box.BANKS):
        top, values = y + 16 * bank, _hand(s, p, bank)
        _draw_bank(picture, bank, left, top, 13)
        picture.text(left + 20, top + 11, " ".join(map(str, values)) or "-", 11, width=right - left - 56)
        picture.text(right, top + 11, str(s.money[p, bank]), 11, MUTED, "end")


def _draw_foot(picture: Svg, y: float, move: str | None, s: Any) -> None:
    if move is not None:
        picture.text(MARGIN, y + 8, _last_move(s, move), 14)
    names = ", ".join(f"{letter} {name}" for letter, name in zip(TYPE_LETTERS, box.TYPES, strict=True))
    legend = (
        f"Tiles: {names}; thick edges are streets; * the start tile. Depot: slot and bank, price. City: number.",
        "Panels: points so far; street and points for types if the next scoring were now; tiles by type; reserve with "
        "the tiles to place in front; cards by bank and their sum.",
    )
    for i, line in enumerate(legend):
        picture.text(MARGIN, y + 27 + 15 * i, line, 10.5, MUTED, width=WIDTH - 2 * MARGIN)


def _last_move(s: Any, move: str) -> str:
    by = mover(s)
    return f"Last move: {f'seat {by}: ' if by != NO_SEAT else ''}{move}"


# ---------------------------------------------------------------- the text picture


def text(s: Any, seat: int | None = None, last_move: LastMove | None = None) -> str:
    """The position as text, at most 99 columns wide, as `seat` sees it; `last_move` led to the position."""
    move = None if last_move is None else last_move.move
    lines = [f"New York, {s.players} players, {_view(seat)}: {_clock(s)}.", f"{_decision(s)}. {_scorings(s)}."]
    if s.slot != NO_SLOT:
        lines.append(f"{_purchase(s)}.")
    if move is not None:
        lines.append(_last_move(s, move))
    depot = [tile_text(int(tile)) if tile != box.NO_TILE else "-" for tile in s.depot]
    slots = "   ".join(f"{i} {box.BANK_LETTERS[i]}: {tile}" for i, tile in enumerate(depot))
    lines += ["", f"Depot   {slots}"]
    lines.append("Market  " + " ".join(card_text(card) if card != box.NO_CARD else "-" for card in s.market))
    deck, bag = s.deck_size - s.deck_top, box.TILES - s.bag_top
    lines.append(f"{deck} cards in the deck, {s.discards_size} discarded, {bag} tiles in the bag")
    if s.players == 2:
        lines.append(f"Dirk    {_types_text(s.types[box.DIRK].tolist())}")
    for p in range(s.players):
        lines += ["", *_seat_lines(s, p, seat, _cell_of(move) if p == mover(s) else None)]
    letters = ", ".join(f"{letter} {name}" for letter, name in zip(TYPE_LETTERS, box.TYPES, strict=True))
    lines += [
        "",
        f"Types: {letters}.",
        "Tiles: id, type and price, streets. Cities: = and # are streets, o around the last move.",
    ]
    return "\n".join(lines) + "\n"


def _types_text(counts: list[int]) -> str:
    return " ".join(f"{letter}{count}" for letter, count in zip(TYPE_LETTERS, counts, strict=True))


def _seat_lines(s: Any, p: int, viewer: int | None, last: tuple[int, int] | None) -> list[str]:
    """Score, cards, reserve and city of a seat."""
    you = " (you)" if p == viewer else ""
    now = _points_now(s, p)
    lines = [f"Seat {p}{you}: {s.scores[p]} points; {now}; {_types_text(s.types[p].tolist())}"]
    if viewer in (None, p):
        banks = [f"{box.BANK_LETTERS[bank]} {''.join(map(str, _hand(s, p, bank))) or '-'}" for bank in range(box.BANKS)]
        lines += _wrapped(f"  hand of {s.held[p]}: ", banks)
    else:
        lines.append(f"  hand of {s.held[p]}: hidden")
    for name, place in (("reserve", IN_RESERVE), ("to place", TO_PLACE)):
        if tiles := tiles_at(s, place + p):
            lines += _wrapped(f"  {name}: ", [tile_text(tile) for tile in tiles])
    return lines + _map_lines(map_of(s, p), last)


def _wrapped(first: str, words: list[str]) -> list[str]:
    """Words separated by commas, in lines of at most 99 columns."""
    lines = [first + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 2 > 97:
            lines[-1] += ","
            lines.append("    " + word)
        else:
            lines[-1] += f", {word}"
    return lines


def _map_lines(city: Map, last: tuple[int, int] | None) -> list[str]:
    """The city, four characters a column and two lines a row, y to the left and x below."""
    canvas = [[" "] * (4 * len(city.x) + 1) for _ in range(2 * len(city.y) + 1)]
    for (x, y), tile in city.tiles.items():
        left, top = 4 * (x - city.x[0]), 2 * (city.y[-1] - y)
        for line, side in ((top, 0), (top + 2, 2)):
            for i in range(5):
                edge = "=" if has_street(tile, side) else "-"
                if canvas[line][left + i] != "=":
                    canvas[line][left + i] = "+" if i in (0, 4) else edge
        for column, side in ((left, 3), (left + 4, 1)):
            if canvas[top + 1][column] != "#":
                canvas[top + 1][column] = "#" if has_street(tile, side) else "|"
        canvas[top + 1][left + 1 : left + 4] = f"{tile:>2}{letter_of(tile)}" if tile else " * "
    if last in city.tiles:
        left, top = 4 * (last[0] - city.x[0]), 2 * (city.y[-1] - last[1])
        for line, column in ((0, 0), (0, 4), (2, 0), (2, 4)):
            canvas[top + line][left + column] = "o"
    labels = [f"{city.y[-1] - line // 2:>4}" if line % 2 else "    " for line in range(len(canvas))]
    lines = [f"{label} {''.join(row)}".rstrip() for label, row in zip(labels, canvas, strict=True)]
    return [*lines, "     " + "".join(f"{x:^4}" for x in ((f"{x:>3}") for x in city.x)).rstrip()]
